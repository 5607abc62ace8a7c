//! Linking of units into programs.

use std::sync::Arc;

use frontend::ir::{GlobalId, Unit};
use frontend::program::{FunctionRef, LoadOptions, Program, Resolution, link, load};

use crate::support;

fn units(files: &[(&str, &str)]) -> Vec<Arc<Unit>> {
    files.iter().map(|(path, text)| Arc::new(support::named(path, text))).collect()
}

fn file(program: &Program, name: &str) -> Option<String> {
    match program.resolve(0, name) {
        Resolution::Defined(FunctionRef { unit, .. }) => Some(program.units[unit].path.display().to_string()),
        Resolution::External => None,
    }
}

fn reached(program: &Program) -> Vec<String> {
    program.reachable().into_iter().map(|f| program.function(f).name.to_string()).collect()
}

#[test]
fn a_static_function_comes_first_then_the_nearest() {
    let all = units(&[
        (
            "a/main.c",
            "static int own(void) { return 1; } int near(void); int main(void) { return own() + near() + puts(\"\"); }",
        ),
        ("a/lib.c", "int own(void) { return 2; } int near(void) { return 3; }"),
        ("b/lib.c", "int near(void) { return 4; }"),
    ]);
    let programs = link(&all);
    assert_eq!(programs.len(), 1);
    assert_eq!(file(&programs[0], "own").as_deref(), Some("a/main.c"));
    assert_eq!(file(&programs[0], "near").as_deref(), Some("a/lib.c"));
    assert_eq!(programs[0].units.len(), 2, "b/lib.c is not needed");
    assert_eq!(programs[0].externals().iter().map(|n| &**n).collect::<Vec<_>>(), ["puts"]);
    assert!(programs[0].ambiguities.is_empty());
}

#[test]
fn another_program_lends_its_functions_only_if_nobody_else_has_them() {
    let all = units(&[
        ("one.c", "int help(void); int rare(void); int main(void) { return help() + rare(); }"),
        (
            "two.c",
            "int help(void) { return 1; } int rare(void) { return 1; } int main(void) { return help(); }",
        ),
        ("lib/help.c", "int help(void) { return 2; }"),
    ]);
    let programs = link(&all);
    assert_eq!(programs.len(), 2);
    assert_eq!(file(&programs[0], "help").as_deref(), Some("lib/help.c"));
    assert_eq!(file(&programs[0], "rare").as_deref(), Some("two.c"));
    assert_eq!(file(&programs[1], "help").as_deref(), Some("two.c"));
}

#[test]
fn equally_near_definitions_are_an_ambiguity() {
    let all = units(&[
        ("main.c", "int f(void); int main(void) { return f() + f(); }"),
        ("x.c", "int f(void) { return 1; }"),
        ("y.c", "int f(void) { return 2; }"),
    ]);
    let programs = link(&all);
    let ambiguities = &programs[0].ambiguities;
    assert_eq!(ambiguities.len(), 1);
    assert_eq!((&*ambiguities[0].name, ambiguities[0].chosen.display().to_string().as_str()), ("f", "x.c"));
}

#[test]
fn variables_of_one_name_are_one_variable() {
    let all = units(&[
        (
            "main.c",
            "extern int size; int common; static int mine; int set(void); int main(void) { return size + common + mine + set(); }",
        ),
        (
            "vars.c",
            "static int mine = 5; int common; int size = 3; int set(void) { common = mine; return size; }",
        ),
    ]);
    let program = &link(&all)[0];
    let find = |unit: usize, name: &str| {
        let index = program.units[unit].globals.iter().position(|g| &*g.name == name).expect("a global");
        program.resolve_global(unit, GlobalId(index as u32))
    };
    assert_eq!(find(0, "size"), find(1, "size"));
    assert_eq!(find(0, "common"), find(1, "common"));
    assert_ne!(find(0, "mine"), find(1, "mine"));
    let (unit, id) = find(0, "size");
    assert!(program.global(unit, id).init.is_some(), "the one with the value stands for all");
}

#[test]
fn pointers_reach_functions_that_fit() {
    let all = units(&[(
        "main.c",
        "#include <stdlib.h>\nstatic int fits(int x) { return x; } static int also(int x) { return -x; } static double wrong(double d) { return d; }\n\
         static int unused(int x) { return x; } static int by(const void *a, const void *b) { return a != b; }\n\
         static int (*table[])(int) = { also }; static double (*other)(double) = wrong;\n\
         static int call(int (*f)(int)) { return f(1); }\n\
         int main(void) { int v[2] = { 0 }; qsort(v, 2, 4, by); return call(fits) + table[0](2) + (other != 0); }",
    )]);
    let program = &link(&all)[0];
    let reached = reached(program);
    for name in ["main", "call", "fits", "also", "by"] {
        assert!(reached.iter().any(|r| r == name), "{name} in {reached:?}");
    }
    for name in ["wrong", "unused"] {
        assert!(reached.iter().all(|r| r != name), "{name} not in {reached:?}");
    }
    let order = program.bottom_up();
    let place = |name: &str| {
        order.iter().position(|c| c.functions.iter().any(|f| &*program.function(*f).name == name))
    };
    assert!(place("fits") < place("call") && place("call") < place("main"));
}

#[test]
fn loading_reports_what_it_cannot_take_in() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(directory.path().join("main.c"), "int f(void); int main(void) { return f(); }")
        .expect("a file");
    std::fs::write(directory.path().join("f.c"), "int f(void) { return 0; }").expect("a file");
    std::fs::write(directory.path().join("binary.c"), [0_u8; 100]).expect("a file");
    let options = LoadOptions { paths: vec![directory.path().to_owned()], ..LoadOptions::default() };
    let loaded = load(&options);
    assert_eq!(loaded.units.len(), 2);
    assert_eq!(loaded.programs.len(), 1);
    assert_eq!(loaded.errors.len(), 1);
    assert!(loaded.errors[0].message.contains("binary"), "{:?}", loaded.errors);
}
