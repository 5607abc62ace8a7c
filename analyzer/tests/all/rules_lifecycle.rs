//! The rules about MPI's life on small programs, through the whole frontend.
//!
//! Lines with findings are marked `// ! RULE`; everything else must be silent. A program may have several files, each
//! begun by a line `// file NAME`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use analyzer::results::{Finding, Severity};
use analyzer::rules::{Rule, check_program};
use frontend::lower::{Options, lower};
use frontend::preprocess::{Request, preprocess};
use frontend::program::link;

fn findings(files: &[(&str, String)]) -> Vec<Finding> {
    let units: Vec<_> = files
        .iter()
        .map(|(name, text)| {
            let source =
                preprocess(&Request::new(*name).with_text(text.clone())).expect("text needs no file");
            let unit = lower(Path::new(name), source, &Options::default());
            assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
            Arc::new(unit)
        })
        .collect();
    let found: Vec<Finding> = link(&units).iter().flat_map(check_program).collect();
    for finding in &found {
        let places = &finding.related;
        let is_again = |(index, place)| places[..index].contains(place);
        assert!(!places.iter().enumerate().any(is_again), "a place is named twice: {finding:#?}");
    }
    found
}

fn split(text: &str) -> Vec<(&str, String)> {
    let mut files: Vec<(&str, String)> = vec![("main.c", String::new())];
    for line in text.lines() {
        match line.strip_prefix("// file ") {
            Some(name) => files.push((name, String::new())),
            None => {
                let (_, last) = files.last_mut().expect("begins with one");
                last.push_str(line);
                last.push('\n');
            }
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    files
}

fn check(text: &str) -> Vec<Finding> {
    let prelude = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n";
    let files: Vec<_> =
        split(text).into_iter().map(|(name, text)| (name, format!("{prelude}{text}"))).collect();
    let mut expected = BTreeSet::new();
    for (name, text) in &files {
        for (number, line) in (1_u32..).zip(text.lines()) {
            if let Some((_, id)) = line.split_once("// ! ") {
                assert!(Rule::from_id(id).is_some(), "no rule {id}");
                expected.insert(((*name).to_owned(), number, id.to_owned()));
            }
        }
    }
    let found = findings(&files);
    let places: BTreeSet<_> =
        found.iter().map(|f| (f.range.file.clone(), f.range.line, f.rule.id().to_owned())).collect();
    assert_eq!(places, expected, "\n{text}\n{found:#?}");
    found
}

#[test]
fn a_straight_program_is_silent() {
    check(
        "int main(int c, char **v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; }",
    );
    check("int main(void) { printf(\"no MPI here\\n\"); return 0; }");
    check("int main(void) { MPI_Init(NULL, NULL); MPI_Abort(MPI_COMM_WORLD, 1); return 0; }");
}

#[test]
fn calls_before_initialisation() {
    check(
        "int main(int c, char **v) {
    int rank, version, sub;
    MPI_Get_version(&version, &sub);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // ! missing-init
    MPI_Comm_size(MPI_COMM_WORLD, &rank);
    MPI_Init(&c, &v);
    MPI_Finalize();
}",
    );
    let found = check(
        "static double now(void) { return MPI_Wtime(); } // ! missing-init
int main(void) { double start = now(); printf(\"%g\\n\", now() - start); return 0; }",
    );
    assert!(found[0].message.contains("never calls MPI_Init"), "{}", found[0].message);
    // A library that programs without MPI use as well.
    check(
        "static void begin(MPI_Comm comm, int *rank) { if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, rank); }
int main(void) { int rank = 0; begin(MPI_COMM_NULL, &rank); return rank; }",
    );
    check(
        "int main(void) {
    MPI_Finalize(); // ! missing-init
    return 0;
}",
    );
}

#[test]
fn initialisation_in_helpers_wrappers_and_other_files() {
    check(
        "void start(int *, char ***); void stop(void); int rank(void);
int main(int c, char **v) { start(&c, &v); printf(\"%d\\n\", rank()); stop(); return 0; }
// file lib.c
void start(int *c, char ***v) { MPI_Init(c, v); }
void stop(void) { MPI_Finalize(); }
int rank(void) { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }",
    );
    check(
        "void stop(void); int rank(void);
int main(int c, char **v) { printf(\"%d\\n\", rank()); MPI_Init(&c, &v); stop(); return 0; }
// file lib.c
void stop(void) { MPI_Finalize(); }
int rank(void) {
    int r;
    MPI_Comm_rank(MPI_COMM_WORLD, &r); // ! missing-init
    return r;
}",
    );
    // A library that is not seen may do it.
    check(
        "void toolkit_init(void); int main(void) { toolkit_init(); MPI_Barrier(MPI_COMM_WORLD); return 0; }",
    );
    check("void toolkit_finish(void); int main(void) { MPI_Init(0, 0); toolkit_finish(); return 0; }");
}

#[test]
fn sessions_need_no_initialisation() {
    check(
        "int main(void) {
    MPI_Session session; MPI_Group group; MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, \"mpi://WORLD\", &group);
    MPI_Comm_create_from_group(group, \"tag\", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}",
    );
}

#[test]
fn returns_without_finalisation() {
    let found = check(
        "int main(int c, char **v) {
    if (c > 5) return 1;
    MPI_Init(&c, &v);
    if (c > 4) { fprintf(stderr, \"usage\\n\"); return 1; } // ! missing-finalize
    if (c > 3) exit(1);
    if (c > 2) exit(0); // ! missing-finalize
    if (c > 1) MPI_Abort(MPI_COMM_WORLD, 3);
    if (c > 0) {
        return 0; // ! missing-finalize
    }
    MPI_Finalize();
    return 0;
}",
    );
    assert_eq!(
        found.iter().map(|f| f.severity).collect::<Vec<_>>(),
        [Severity::Warning, Severity::Warning, Severity::Error]
    );
    check(
        "int main(int c, char **v) {
    MPI_Init(&c, &v);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0; // ! missing-finalize
}",
    );
    // One finding where nothing finalises at all.
    check(
        "int main(int c, char **v) {
    MPI_Init(&c, &v);
    if (c > 2) return 1;
    if (c > 1) return 0;
    return 0; // ! missing-finalize
}",
    );
    check(
        "static void stop(void) { MPI_Finalize(); }
int main(int c, char **v) { MPI_Init(&c, &v); atexit(stop); return 0; }",
    );
    check(
        "static int finish(int code) { MPI_Finalize(); return code; }
int main(int c, char **v) { MPI_Init(&c, &v); if (c > 1) return finish(1); return finish(0); }",
    );
}

#[test]
fn a_failed_start_is_not_a_missing_finalisation() {
    check(
        "int main(int c, char **v) {
    int error;
    if (MPI_Init(&c, &v) != MPI_SUCCESS) return 1;
    error = MPI_Barrier(MPI_COMM_WORLD);
    if (error) return 2;
    MPI_Finalize();
    return 0;
}",
    );
}

#[test]
fn calls_after_finalisation() {
    check(
        "int main(int c, char **v) {
    int rank;
    MPI_Init(&c, &v);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank == 0) printf(\"%g\\n\", MPI_Wtime()); // ! call-after-finalize
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}",
    );
    check(
        "static void stop(void) { MPI_Finalize(); }
int main(int c, char **v) {
    int over;
    MPI_Init(&c, &v);
    stop();
    MPI_Finalized(&over);
    if (!over) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize(); // ! call-after-finalize
    return 0;
}",
    );
    check(
        "int main(int c, char **v) {
    MPI_Init(&c, &v);
    if (c > 1) { MPI_Finalize(); return 0; }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}",
    );
}

#[test]
fn second_initialisation() {
    check(
        "static void setup(void) { int p; MPI_Init_thread(0, 0, MPI_THREAD_SINGLE, &p); } // ! double-init
int main(int c, char **v) { MPI_Init(&c, &v); setup(); MPI_Finalize(); return 0; }",
    );
    check(
        "int main(int c, char **v) {
    MPI_Init(&c, &v);
    MPI_Finalize();
    MPI_Init(&c, &v); // ! double-init
    MPI_Finalize();
    return 0;
}",
    );
}

#[test]
fn guards_are_understood_or_respected() {
    // The answer of MPI_Initialized, directly, through a return value and through a pointer.
    check(
        "static int running(void) { int flag; MPI_Initialized(&flag); return flag; }
static void ask(int *flag) { MPI_Initialized(flag); }
static void start(void) { int flag; MPI_Initialized(&flag); if (!flag) MPI_Init(0, 0); }
int main(void) {
    int flag;
    start();
    start();
    if (!running()) MPI_Init(0, 0);
    ask(&flag);
    if (flag == 0) MPI_Init(0, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}",
    );
    // A flag of the program's own.
    check(
        "static int started;
static void start(void) { if (started) return; MPI_Init(0, 0); started = 1; }
static void stop(void) { if (started) { MPI_Finalize(); started = 0; } }
static void wait_for_all(void) { if (started) MPI_Barrier(MPI_COMM_WORLD); }
int main(void) { wait_for_all(); start(); start(); wait_for_all(); stop(); stop(); wait_for_all(); return 0; }",
    );
    // An option that decides whether MPI is used at all.
    check(
        "int main(int c, char **v) {
    int parallel = c > 1;
    if (parallel) MPI_Init(&c, &v);
    if (parallel) MPI_Barrier(MPI_COMM_WORLD);
    if (parallel) MPI_Finalize();
    return 0;
}",
    );
}

#[test]
fn recursion_and_function_pointers_end() {
    check(
        "static void down(int n) { if (n > 0) down(n - 1); else MPI_Barrier(MPI_COMM_WORLD); }
static void start(void) { MPI_Init(0, 0); }
static void stop(void) { MPI_Finalize(); }
int main(int c, char **v) {
    void (*steps[2])(void) = {start, stop};
    steps[0]();
    down(c);
    steps[1]();
    return v == 0;
}",
    );
}

#[test]
fn what_always_returns_the_same_is_known_to_the_caller() {
    // Nothing of this ever fails.
    check(
        "static int inner(int n) { if (n > 3) return 0; printf(\"%d\", n); return 0; }
static int outer(int n) { int code = inner(n); if (code) return code; code = inner(n + 1); return code; }
static int ping(int n); static int pong(int n) { return n > 0 ? ping(n - 1) : 0; }
static int again(int n) { if (n > 0) return again(n - 1); return 0; }
int main(int c, char **v) {
    int code;
    MPI_Init(&c, &v);
    code = outer(c);
    if (code) return code;
    MPI_Finalize();
    return 0;
}
static int ping(int n) { return pong(n); }",
    );
    // These do: one by another value, one through its argument, one by a pointer to what it returns.
    let fails = [
        "static int fails(int n) { if (n > 3) return 1; return 0; }",
        "static int fails(int n) { return n; }",
        "static void set(int *n); static int fails(int n) { int code = 0; if (n) set(&code); return code; }
static void set(int *n) { *n = getchar(); }",
    ];
    for fails in fails {
        check(&format!(
            "{fails}
int main(int c, char **v) {{
    int code;
    MPI_Init(&c, &v);
    code = fails(c);
    if (code)
        return code; // ! missing-finalize
    MPI_Finalize();
    return 0;
}}"
        ));
    }
}
