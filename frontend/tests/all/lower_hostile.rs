//! No text makes the lowering panic, hang or overflow the stack; and one broken function costs one function.

use std::time::{Duration, Instant};

use frontend::ir::{Type, TypeId, Unit};

use crate::support;

/// Lowers on a thread with the small stack that worker threads have.
fn lowered(text: String) -> Unit {
    let worker = std::thread::Builder::new().stack_size(2 << 20).spawn(move || support::unit(&text));
    worker.expect("a thread").join().expect("no panic")
}

fn names_with_body(unit: &Unit) -> Vec<&str> {
    unit.functions.iter().filter(|f| f.body.is_some()).map(|f| &*f.name).collect()
}

#[test]
fn deep_nesting_is_no_harm() {
    let n = 100_000;
    let texts = [
        format!("int f(void) {{ return {}1{}; }}", "(".repeat(n), ")".repeat(n)),
        format!("int f(void) {{ {} {} }}", "{".repeat(n), "}".repeat(n)),
        format!("int f(int x) {{ return {}x; }}", "-~".repeat(n)),
        format!("int f(int x) {{ return {}x; }}", "(int)".repeat(n / 5)),
        format!("int f(int x) {{ return 1{}; }}", " + x".repeat(n / 5)),
        format!("int f(int x) {{ return {}0; }}", "x ? 1 : ".repeat(n / 20)),
        format!("int f(int x) {{ {}; }}", "if (x) x++; else ".repeat(n / 20)),
        format!("int f(int x) {{ {}; }}", "if (x) ".repeat(n / 20)),
        format!("int {}p;", "*".repeat(n)),
        format!("int a{};", "[1]".repeat(n / 20)),
        format!("int a = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!("int f(int x) {{ {}; }}", "x = ".repeat(n / 20) + "1"),
        format!("int f(int **x) {{ {}x; }}", "*".repeat(n)),
        format!("int f(int x) {{ x{}; }}", ".a".repeat(n / 20)),
        format!("int f(int x) {{ x{}; }}", "[0]".repeat(n / 20)),
        format!("{} int x; {}", "struct {".repeat(n / 10), "} s;".repeat(n / 10)),
        "typedef int T0[2];".to_owned()
            + &(1..2000).map(|i| format!("typedef T{} T{i}[1];", i - 1)).collect::<String>()
            + "T1999 x;",
        "(".repeat(n),
        "{".repeat(n),
        "}".repeat(n),
        "int f(".repeat(n / 5),
        "a b c ".repeat(n / 5),
    ];
    for text in texts {
        let start = Instant::now();
        let head: String = text.chars().take(40).collect();
        lowered(text);
        assert!(start.elapsed() < Duration::from_secs(60), "{head} took {:?}", start.elapsed());
    }
}

/// How deep records are nested by value in an object of a type, or a panic where there is no end.
fn depth(unit: &Unit, ty: TypeId, limit: usize) -> usize {
    assert!(0 < limit, "a record holds itself");
    match unit.types.get(ty) {
        Type::Array(element, _) => depth(unit, *element, limit),
        Type::Record(record) => {
            let fields = unit.types.record(*record).fields.as_deref().unwrap_or_default();
            1 + fields.iter().map(|field| depth(unit, field.ty, limit - 1)).max().unwrap_or(0)
        }
        _ => 0,
    }
}

#[test]
fn no_record_holds_itself() {
    for (text, said) in [
        ("struct a { int n; struct a x; } g;", "struct `a` contains itself"),
        ("struct a { struct a x[2][3]; int n; } g;", "struct `a` contains itself"),
        ("union u { int n; union u v; } g;", "union `u` contains itself"),
        ("typedef struct t T; struct t { T x; } g;", "struct `t` contains itself"),
        ("struct s { __typeof__(*(struct s *)0) x; int n; } g;", "struct `s` contains itself"),
        (
            "struct o { struct i { struct o x; int n; } y; } g;",
            "struct `o` contains itself, within struct `i`",
        ),
        ("struct b; struct a { struct b x; }; struct b { struct a y; } g;", "`b` is a member of another"),
        (
            "struct c { struct { struct c x; } y; } g;",
            "struct `c` contains itself, within a struct without a name",
        ),
    ] {
        let unit = lowered(text.to_owned());
        depth(&unit, unit.globals.last().expect("a variable").ty, 100);
        assert!(
            unit.problems.iter().any(|problem| problem.message.contains(said)),
            "{text}: {:?}",
            unit.problems
        );
    }
    // Pointers to itself, and the same struct twice, are right.
    let unit = lowered(
        "struct p { struct p *next, *(*all)[3]; struct p (*f)(struct p); }; struct q { struct p a, b[2]; } g;".to_owned(),
    );
    assert!(unit.problems.is_empty(), "{:?}", unit.problems);
    assert_eq!(depth(&unit, unit.globals[0].ty, 100), 2);
}

#[test]
fn records_do_not_hold_too_much() {
    let deep: String = (1..3000).map(|i| format!("struct s{i} {{ struct s{} a; }};", i - 1)).collect();
    let unit = lowered(format!("struct s0 {{ int a; }};{deep} struct s2999 g;"));
    assert!(depth(&unit, unit.globals[0].ty, 1000) <= 201);
    assert!(unit.problems.iter().any(|problem| problem.message.contains("deeper than 200 levels")));
    // The definitions in the other order, each of which is too late.
    let early: String = (1..3000).rev().map(|i| format!("struct s{i} {{ struct s{} a; }};", i - 1)).collect();
    let unit = lowered(format!("{early} struct s2999 g;"));
    depth(&unit, unit.globals[0].ty, 1000);
    // Each level holds four of the one below: 4^40 members.
    let wide: String = (1..40).map(|i| format!("struct w{i} {{ struct w{} a, b, c, d; }};", i - 1)).collect();
    let start = Instant::now();
    let unit = lowered(format!("struct w0 {{ int a; }};{wide} struct w39 g = {{1, 2}};"));
    assert!(unit.problems.iter().any(|problem| problem.message.contains("more than 65536 members")));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_syntax_error_costs_one_function() {
    let unit = lowered(
        "int a(void) { return 1; }\nint b(void) { return ) 2; }\nint c(void) { return 3; }\n\
         int d(void) { if (1) { return 4; }\nint e(void) { return 5; }\n"
            .to_owned(),
    );
    assert_eq!(names_with_body(&unit), ["a", "c", "e"]);
    let lost: Vec<_> = unit.problems.iter().filter_map(|p| p.function.as_deref()).collect();
    assert_eq!(lost, ["b", "d"]);
    let place = unit.locate(unit.problems[0].span);
    assert_eq!((place.line, place.column), (2, 22));
}

#[test]
fn unknown_macros_are_no_syntax_errors() {
    let unit = lowered(
        "EXPORT int a(void) { return 1; }\nDECLARE_THING(x)\nEXPORT thing_t *b(thing_t *t) { return (thing_t *)t->next; }\n\
         static INLINE int c(int x) UNUSED;\nmain() { return a() + (size_t)-1; }\n"
            .to_owned(),
    );
    assert!(unit.problems.is_empty(), "{:?}", unit.problems);
    assert_eq!(names_with_body(&unit), ["a", "b", "main"]);
}

#[test]
fn macros_of_a_missing_header_are_statements_and_loops() {
    let unit = lowered(
        "int f(int n) {\n  int i = 0;\n  START_TRACE\n  CHECK(i)\n  if (n > 3) FAIL(n)\n  else CHECK(n)\n  IF (n) i = 2;\n  FOR_ALL(i, n) {\n    i++;\n  }\n  END_TRACE\n  return i;\n}\n".to_owned(),
    );
    assert_eq!(names_with_body(&unit), ["f"]);
    assert_eq!(unit.problems.len(), 1, "it is said that something was guessed");
    let cfg = unit.functions[0].body.as_ref().expect("a body");
    assert_eq!(cfg.loops.len(), 2, "a macro before a statement or block may be a loop");
}

/// A small deterministic random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

#[test]
fn mutated_programs_do_no_harm() {
    let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> =
        std::fs::read_dir(programs).expect("the programs").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let rounds = std::env::var("ANYRANK_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(15);
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        ";",
        ",",
        "*",
        "&&",
        "int",
        "T",
        "struct s",
        "=",
        "[",
        "]",
        "typedef",
        "case 1:",
        "...",
        "\"",
        "sizeof",
        "goto",
        "_Generic",
        "__attribute__((",
        "typeof",
        "?",
        ":",
        "->",
        "'",
        "0x",
        "else",
        "return",
        "\n#pragma omp parallel for\n",
        "\n#pragma omp single\n",
        " _Pragma(\"omp task\") ",
    ];
    let mut random = Random(7);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a text");
        for _ in 0..rounds {
            let mut words: Vec<String> =
                text.split_inclusive(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
            for _ in 0..=random.below(4) {
                let (a, b) = (random.below(words.len()), random.below(words.len()));
                match random.below(4) {
                    0 => {
                        words.remove(a);
                    }
                    1 => words.swap(a, b),
                    2 => words.insert(a, pieces[random.below(pieces.len())].to_owned()),
                    _ => words[a] = words[b].clone(),
                }
            }
            let unit = lowered(words.concat());
            for function in &unit.functions {
                check(function);
            }
        }
    }
}

/// The invariants that the documentation of the graph states.
fn check(function: &frontend::ir::Function) {
    for (index, region) in function.threaded.iter().enumerate() {
        assert!(region.start < region.end && function.span.cover(*region) == function.span);
        assert!(index == 0 || function.threaded[index - 1].end < region.start, "sorted and disjoint");
    }
    let Some(cfg) = &function.body else { return };
    assert!(function.params as usize <= function.locals.len());
    let mut reached = vec![false; cfg.graph.node_count()];
    let mut stack = vec![cfg.entry];
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut reached[at.index()], true) {
            stack.extend(cfg.graph.neighbors(at));
        }
    }
    assert!(reached.iter().all(|r| *r), "every block is reachable");
    for block in cfg.graph.node_indices() {
        let mut targets = cfg.graph[block].terminator.targets();
        let mut successors: Vec<_> = cfg.graph.neighbors(block).collect();
        targets.sort_unstable();
        successors.sort_unstable();
        assert_eq!(targets, successors, "edges are the terminator's targets");
    }
    for (index, natural) in cfg.loops.iter().enumerate() {
        assert!(natural.blocks.binary_search(&natural.header).is_ok());
        assert!(
            natural
                .parent
                .is_none_or(|p| p < index && natural.blocks.iter().all(|b| cfg.loops[p].blocks.contains(b)))
        );
        assert!(natural.latches.iter().all(|l| natural.blocks.binary_search(l).is_ok()));
    }
}
