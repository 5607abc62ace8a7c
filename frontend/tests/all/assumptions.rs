//! `// anyrank: assume EXPR`: where it may stand, what it may say, and what becomes of it.

use frontend::ir::{Terminator, Unit};

use crate::support;

/// The conditions of the assumptions of `f`, in the order of its blocks, and what is wrong with the others, with line and column.
fn read(text: &str) -> (Vec<String>, Vec<String>) {
    let unit: Unit = support::unit(text);
    let function = unit.functions.iter().find(|f| &*f.name == "f").expect("f is defined");
    let body = function.body.as_ref().unwrap_or_else(|| panic!("f is lost: {:?}", unit.problems));
    let mut assumed: Vec<String> = Vec::new();
    for block in body.graph.node_weights() {
        let Terminator::Branch { condition, then, otherwise } = &block.terminator else { continue };
        let Some(assumption) = unit.assumption(condition.span) else { continue };
        let is_excluded = |target| {
            let target: &frontend::ir::Block = &body.graph[target];
            target.insts.is_empty() && matches!(target.terminator, Terminator::Unreachable)
        };
        assert!(is_excluded(*then) || is_excluded(*otherwise) || assumption.text.contains("||"), "{text}");
        if assumed.last().is_none_or(|last| **last != *assumption.text) {
            assumed.push(assumption.text.to_string());
        }
    }
    let problems = unit.problems.iter().map(|problem| {
        let place = unit.locate(problem.span);
        format!("{}:{} {}", place.line, place.column, problem.message)
    });
    (assumed, problems.collect())
}

#[track_caller]
fn accepted(text: &str, assumptions: &[&str]) {
    assert_eq!(read(text), (assumptions.iter().map(ToString::to_string).collect(), Vec::new()), "\n{text}");
}

#[track_caller]
fn refused(text: &str, problem: &str) {
    let (assumed, problems) = read(text);
    assert!(assumed.is_empty(), "{assumed:?}\n{text}");
    let [found] = &problems[..] else { panic!("{problems:?}\n{text}") };
    assert!(found.starts_with(problem), "{found}\n{text}");
}

#[test]
fn it_stands_between_statements() {
    accepted("void f(int n) { // anyrank: assume n > 0\n g(); }", &["n > 0"]);
    accepted("void f(int n) { g(); // anyrank: assume n > 0\n}", &["n > 0"]);
    accepted("void f(int n) { /* anyrank: assume  n >\n 0 */ int i = n; }", &["n > 0"]);
    accepted("void f(int n) { if (n) { g(); /* anyrank: assume n > 1 */ } }", &["n > 1"]);
    accepted("void f(int n) { for (;;) { //anyrank:assume n > 1\n} }", &["n > 1"]);
    accepted("void f(int n) { switch (n) { case 1: /* anyrank: assume n > 1 */ g(); } }", &["n > 1"]);
    accepted("void f(int n) { if (n) g(); /* anyrank: assume !n */ h(); }", &["!n"]);
    accepted(
        "void f(int n) {\n// anyrank: assume n > 1\n// anyrank: assume n < 9 // a remark\n}",
        &["n > 1", "n < 9"],
    );
}

#[test]
fn it_stands_nowhere_else() {
    let place = "must stand between two statements";
    for (text, at) in [
        ("// anyrank: assume n > 0\nvoid f(int n) { g(); }", "1:20"),
        ("void f(int n) { if (n) // anyrank: assume n > 0\n g(); }", "1:43"),
        ("void f(int n) { if (n) g(); /* anyrank: assume n > 0 */ else h(); }", "1:48"),
        ("void f(int n) { do g(); /* anyrank: assume n > 0 */ while (n); }", "1:44"),
        ("void f(int n) { for (;;) /* anyrank: assume n > 0 */ { } }", "1:45"),
        ("void f(int n) { g(n, /* anyrank: assume n > 0 */ n); }", "1:41"),
    ] {
        refused(text, &format!("{at} `anyrank: assume` {place}"));
    }
}

#[test]
fn it_is_a_condition_on_what_is_in_scope() {
    let text = |what: &str| {
        format!("enum {{ A = 3 }}; int w;\nvoid f(int n) {{ int i = 1;\n// anyrank: assume {what}\n}}")
    };
    for what in
        ["n == w", "n > A && (i || w)", "n % 2 == 0", "w", "(n) - i", "n == 1 << i", "MPI_ANY_TAG != n"]
    {
        accepted(&text(what), &[what]);
    }
    let problem = |what: &str, problem: &str| refused(&text(what), problem);
    for what in ["n >", "n > 0)(1", "n; w", "> n", "{ n }", "\"n", "n ] [ w"] {
        problem(what, "3:20 what follows `anyrank: assume` is no C expression");
    }
    problem("m == 1", "3:20 `m` in `anyrank: assume` is not declared here");
    problem("n = 1", "3:20 what `anyrank: assume` says must not call a function or change a variable");
    problem("n++", "3:20 what `anyrank: assume` says must not");
    problem("g(n)", "3:20 what `anyrank: assume` says must not");
    problem("n > 0, w > 0", "3:20 `anyrank: assume` takes one condition");
}

#[test]
fn macros_are_expanded_and_inactive_code_is_passed() {
    accepted(
        "#define LEAST(x) ((x) + 1)\nvoid f(int n) {\n#if 0\n// anyrank: assume nonsense here\n#else // anyrank: assume n > LEAST(3)\n#endif\n}",
        &["n > LEAST(3)"],
    );
    // A type of the unit that only the assumption mentions.
    accepted("enum width { WIDTH = 4 };\nvoid f(int n) {\n// anyrank: assume n > WIDTH\n}", &["n > WIDTH"]);
}

#[test]
fn a_lost_function_is_one_problem() {
    let unit = support::unit("void f(int n) {\n// anyrank: assume n > 1\n if (( }\n");
    assert_eq!(unit.problems.len(), 1, "{:?}", unit.problems);
}
