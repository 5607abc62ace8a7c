//! Which calls a team of OpenMP threads executes.

use std::path::Path;

use frontend::compile_db::CompileDatabase;
use frontend::ir::{Callee, InstKind, Unit};
use frontend::lower::{Options, lower};
use frontend::preprocess::{EngineChoice, MacroOption, Request, preprocess};
use frontend::programs::Programs;

use crate::support;

/// The names of the functions called in `f`, by whether several threads execute the call; in source order.
fn calls(unit: &Unit) -> (Vec<String>, Vec<String>) {
    let function = unit.functions.iter().find(|f| &*f.name == "f").expect("f is defined");
    let body = function.body.as_ref().unwrap_or_else(|| panic!("f is lost: {:?}", unit.problems));
    let mut found = Vec::new();
    for inst in body.graph.node_weights().flat_map(|block| &block.insts) {
        if let InstKind::Call { callee: Callee::Direct { name, .. }, .. } = &inst.kind {
            let threads = function.executed_by_several_threads(inst.span);
            found.push((inst.span.start, threads, name.to_string()));
        }
    }
    found.sort();
    let of = |wanted| found.iter().filter(|c| c.1 == wanted).map(|c| c.2.clone()).collect();
    (of(true), of(false))
}

#[track_caller]
fn check(text: &str, several: &str, one: &str) {
    let unit = support::unit(text);
    let (found_several, found_one) = calls(&unit);
    assert_eq!(
        (found_several.join(" "), found_one.join(" ")),
        (several.to_owned(), one.to_owned()),
        "\n{text}"
    );
}

#[test]
fn without_pragmas_one_thread_executes_everything() {
    let unit =
        support::unit("#include <mpi.h>\nvoid f(int n) { for (int i = 0; i < n; i++) { a(i); } b(); }");
    assert!(unit.functions.iter().all(|f| f.threaded.is_empty()));
    check("#pragma once\nvoid f(void) { a(); _Pragma(\"GCC ivdep\") b(); }", "", "a b");
}

#[test]
fn the_statement_after_parallel_is_a_region() {
    check("void f(void) { a();\n#pragma omp parallel\n{ b(); { c(); } }\nd(); }", "b c", "a d");
    check(
        "void f(int n) { a();\n#pragma omp parallel for\nfor (int i = g(); i < n; i++) b(i);\nc(); }",
        "g b",
        "a c",
    );
    check("void f(void) {\n#pragma omp parallel num_threads(4) default(none)\na(); b(); }", "a", "b");
    check("void f(int x) {\n#pragma omp parallel\nif (x) a(); else { b(); }\nwhile (x) c(); }", "a b", "c");
    check("void f(int x) { if (x)\n#pragma omp parallel\na(); else b();\nc(); }", "a", "b c");
    check("void f(int x) {\n#pragma omp parallel\nl: a(); b(); do c(); while (x); }", "a", "b c");
    check("void f(int x) {\n#pragma omp parallel\ndo a(); while (g());\nb(); }", "a g", "b");
    check(
        "void f(int x) { switch (x) { case 1:\n#pragma omp parallel\na(); b(); break; case 2: c(); } }",
        "a",
        "b c",
    );
}

#[test]
fn each_construct_that_makes_threads_or_tasks_counts() {
    for directive in [
        "parallel sections",
        "parallel for simd schedule(static, 4)",
        "teams",
        "target teams distribute parallel for map(to: x)",
        "task untied",
        "taskloop grainsize(8)",
        "parallel loop",
        "parallel master taskloop simd",
        "metadirective when(user={condition(1)}: parallel for) default(simd)",
    ] {
        check(&format!("void f(int x) {{\n#pragma omp {directive}\nfor (;x;) a();\nb(); }}"), "a", "b");
    }
}

#[test]
fn other_directives_make_no_region() {
    for directive in [
        "for",
        "sections",
        "single",
        "single nowait",
        "master",
        "masked filter(2)",
        "critical(name)",
        "simd",
        "target data map(x)",
        "barrier",
        "taskwait",
        "flush(x)",
        "cancel parallel",
        "cancellation point taskgroup",
        "atomic",
        "declare reduction(parallel: int: task)",
        "ordered",
        "",
    ] {
        check(&format!("void f(int x) {{\n#pragma omp {directive}\nfor (;x;) a();\nb(); }}"), "", "a b");
    }
    check("#pragma omp declare simd\nvoid f(int x) { a(); }", "", "a");
    check("#pragma omp parallel\nvoid f(int x) { a(); }", "", "a");
}

#[test]
fn single_and_master_are_executed_by_one_thread() {
    for directive in ["single", "single private(x)", "master", "masked", "single copyprivate(x)"] {
        check(
            &format!(
                "void f(int x) {{\n#pragma omp parallel\n{{ a();\n#pragma omp {directive}\n{{ b(); b(); }}\nc(); }} d(); }}"
            ),
            "a c",
            "b b d",
        );
    }
    check("void f(void) {\n#pragma omp parallel master\n{ a(); }\nb(); }", "", "a b");
    // Both directives are about the same statement.
    check("void f(void) {\n#pragma omp parallel\n#pragma omp single\na(); b(); }", "", "a b");
}

#[test]
fn all_threads_execute_a_critical_section_and_share_a_loop() {
    check("void f(void) {\n#pragma omp parallel\n{\n#pragma omp critical\na(); } }", "a", "");
    check(
        "void f(int n) {\n#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < n; i++) a();\n} b(); }",
        "a",
        "b",
    );
    check(
        "void f(void) {\n#pragma omp parallel sections\n{\n#pragma omp section\na();\n#pragma omp section\nb(); } }",
        "a b",
        "",
    );
}

#[test]
fn what_nothing_waits_for_stays_with_several_threads() {
    check("void f(void) {\n#pragma omp parallel\n{\n#pragma omp single nowait\na(); } b(); }", "a", "b");
    check("void f(void) {\n#pragma omp parallel\n{\n#pragma omp masked filter(1)\na(); } b(); }", "a", "b");
    check(
        "void f(void) {\n#pragma omp parallel\n#pragma omp single\n{ a();\n#pragma omp task\nb();\nc(); } }",
        "b",
        "a c",
    );
}

#[test]
fn master_and_single_in_one_region_are_not_ordered_if_both_communicate() {
    let program = |first: &str, second: &str| {
        format!(
            "void f(void) {{\n#pragma omp parallel\n{{\n#pragma omp master\n{{ {first} }}\n#pragma omp single\n{{ {second} }} }}\n\
             #pragma omp parallel\n{{\n#pragma omp master\nx();\n#pragma omp master\ny(); }} }}"
        )
    };
    check(&program("a();", "b();"), "a b", "x y");
    check(&program("printf(\"%d\", (1));", "b();"), "printf", "b x y");
    check(&program("a();", "int n = sizeof(int); n += abs(n);"), "abs", "a x y");
}

#[test]
fn teams_within_teams() {
    let nested = |outer: &str, inner: &str| {
        format!(
            "void f(void) {{\n#pragma omp parallel\n{{\n#pragma omp {outer}\n{{ a();\n#pragma omp parallel\n{{ b();\n#pragma omp {inner}\nc(); }} d(); }} }} }}"
        )
    };
    check(&nested("single", "critical"), "b c", "a d");
    check(&nested("single", "single"), "b", "a c d");
    // Each thread of the outer team has a team of its own, and each of those a single thread here.
    check(&nested("critical", "single"), "a b c d", "");
}

#[test]
fn pragmas_come_out_of_macros_and_over_several_lines() {
    check(
        "#define PARALLEL _Pragma(\"omp parallel\")\n#define DO(x) _Pragma(#x)\n\
         void f(int n) { a(); PARALLEL { b(); DO(omp single) { c(); } } d(); DO(omp parallel for schedule(static, 1)) for (; n;) e(); }",
        "b e",
        "a c d",
    );
    check(
        "#define LOOP(i, n) _Pragma(\"omp parallel for\") for (int i = 0; i < n; i++)\n#define BODY(x) { pre(); x; }\n\
         void f(int n) { LOOP(i, n) BODY(a(i)) b(); }",
        "pre a",
        "b",
    );
    check("void f(void) {\n#pragma omp \\\n  parallel \\\n  shared(a)\n{\n  a();\n}\nb(); }", "a", "b");
    check(
        "#define WIDE parallel for\n#define HOW num_threads(2)\nvoid f(int n) {\n#pragma omp WIDE HOW\nfor (; n;) a();\nb(); }",
        "a",
        "b",
    );
    check(
        "#define G(x) x\nvoid f(int n) {\n#pragma omp parallel\nG(a());\nG(b()); _Pragma(\"omp parallel\") G({ c(); }) d(); }",
        "a c",
        "b d",
    );
    check("#define G(x) x\nvoid f(int n) { G({ a(); _Pragma(\"omp parallel\") b(); c(); }) }", "b", "a c");
}

#[test]
fn what_is_uncertain_is_left_to_several_threads() {
    // Among the arguments of a macro a directive has no place in the text.
    check("#define G(x) x\nvoid f(void) { a(); G(\n#pragma omp parallel\n{ b(); }\n) c(); }", "a b c", "");
    check(
        "#define G(x) x\nvoid f(void) {\n#pragma omp parallel\n{ a(); G(\n#pragma omp single\n{ b(); }\n) c(); } }",
        "a b c",
        "",
    );
    // No statement follows.
    check("void f(void) { a(); {\n#pragma omp parallel\n} b(); }", "a b", "");
    check("void f(void) {\n#pragma omp parallel\n{ a(); {\n#pragma omp single\n} b(); } }", "a b", "");
    // A loop whose head is a macro that is not defined here.
    check("void f(int n) {\n#pragma omp parallel for\nFOR_EACH(i, n)\n{ a(i); }\nb(); }", "FOR_EACH a", "b");
}

#[test]
fn only_a_compile_database_turns_openmp_off() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a.c");
    let text = "void f(void) {\n#pragma omp parallel\na();\nb(); }";
    std::fs::write(&path, text).expect("written");
    let several = |request: &Request| {
        let source = preprocess(request).expect("preprocessed");
        calls(&lower(&path, source, &Options::default())).0
    };
    let with = |option: &str| {
        let json =
            format!("[{{\"directory\": \".\", \"file\": \"a.c\", \"command\": \"cc {option} -c a.c\"}}]");
        std::fs::write(dir.path().join("compile_commands.json"), json).expect("written");
        let database = CompileDatabase::load(dir.path(), &Programs::default()).expect("read");
        let mut request = Request::new(&path);
        database.command(&path).expect("a command").apply(&mut request);
        request
    };
    assert_eq!(several(&Request::new(&path)), ["a"]);
    assert!(several(&with("")).is_empty());
    assert!(several(&with("-fopenmp -fno-openmp")).is_empty());
    assert!(several(&with("-fopenmp-simd")).is_empty());
    for option in
        ["-fopenmp", "-qopenmp", "-openmp", "-fopenmp=libomp", "-mp=multicore", "-qsmp=omp", "-D_OPENMP"]
    {
        assert_eq!(several(&with(option)), ["a"], "{option}");
    }
    // A file that the database does not know is as without one, and `_OPENMP` says it all.
    let defined = vec![MacroOption::Define("_OPENMP=201511".to_owned())];
    assert_eq!(several(&Request { macros: defined, options_known: true, ..Request::new(&path) }), ["a"]);
}

#[test]
fn the_compilers_preprocessor_leaves_the_same_regions() {
    // Without a compiler there is nothing to compare with.
    if std::process::Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: no cc");
        return;
    }
    let text = "#define DO(x) _Pragma(#x)\nvoid f(int n) {\n#pragma omp parallel \\\n  private(n)\n{ a();\n#pragma omp single\nb(); }\n\
                c(); DO(omp parallel for) for (; n;) d(); e(); }\n";
    let programs = Programs::outside([], &[]);
    let request = Request { engine: EngineChoice::Compiler, programs, ..Request::new("a.c").with_text(text) };
    let source = preprocess(&request).expect("preprocessed");
    let unit = lower(Path::new("a.c"), source, &Options::default());
    assert_eq!(calls(&unit), calls(&support::named("a.c", text)));
    assert_eq!(calls(&unit).0, ["a", "d"]);
}

#[test]
fn a_flood_of_pragmas_costs_no_more_than_its_length() {
    let count = 60_000;
    let same = format!(
        "void f(void) {{\n{}a();\nb(); }}",
        "#pragma omp parallel\n#pragma omp single\n".repeat(count)
    );
    check(&same, "", "a b");
    let after = format!("void f(void) {{ {} b(); }}", "\n#pragma omp parallel\n;".repeat(count));
    let unit = support::unit(&after);
    assert_eq!(calls(&unit).1, ["b"]);
    assert_eq!(unit.functions[0].threaded.len(), count);
}
