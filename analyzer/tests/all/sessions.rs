//! The sessions model (MPI-4.1 section 11.3). The programs are here and not in the corpus, as Open MPI 4.1, which compiles that, has no
//! sessions.

use std::path::Path;
use std::sync::Arc;

use analyzer::results::{ProgramReport, VerdictKind};
use analyzer::rules::check_program;
use analyzer::{Options, analyze_program};
use frontend::preprocess::{Request, preprocess};
use frontend::program::link;

/// What is found in a `main` with these statements after `MPI_Session_init`: rules with the statements' numbers; and the answer.
fn check(statements: &[&str]) -> (Vec<(String, usize)>, ProgramReport) {
    let before = "#include <mpi.h>
int main(void) {
int rank, size, sum = 0;
MPI_Session session;
MPI_Group group;
MPI_Comm comm;
MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
";
    let text = format!("{before}{}\nreturn sum < 0;\n}}\n", statements.join("\n"));
    let source =
        preprocess(&Request::new("program.c").with_text(text)).expect("the text has nothing to stumble over");
    let unit = frontend::lower::lower(Path::new("program.c"), source, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}", unit.problems);
    let program = link(&[Arc::new(unit)]).remove(0);
    let report = analyze_program(&program, &Options::default());
    let all = check_program(&program).into_iter().chain(report.findings.iter().cloned());
    let place = |line: u32| usize::try_from(line).expect("few lines") - before.lines().count();
    let mut found: Vec<_> = all.map(|f| (f.rule.id().to_owned(), place(f.range.line))).collect();
    found.sort();
    found.dedup();
    (found, report)
}

const GROUP: &str = "MPI_Group_from_session_pset(session, \"mpi://WORLD\", &group);";
const COMM: &str =
    "MPI_Comm_create_from_group(group, \"org.example.sum\", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);";
const RANK: &str = "MPI_Comm_rank(comm, &rank); MPI_Comm_size(comm, &size);";
const FREE_GROUP: &str = "MPI_Group_free(&group);";
const FREE_COMM: &str = "MPI_Comm_free(&comm);";
const END: &str = "MPI_Session_finalize(&session);";

#[test]
fn communicators_of_a_session_are_followed() {
    let sum = "MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);";
    let (found, report) = check(&[GROUP, COMM, FREE_GROUP, RANK, sum, FREE_COMM, END]);
    assert_eq!(found, []);
    assert_eq!(report.verdict.kind, VerdictKind::Exact);
    let calls: Vec<_> = report.topology.collectives.iter().map(|c| c.operation.as_str()).collect();
    assert_eq!(calls, ["MPI_Comm_create_from_group", "MPI_Allreduce"]);
}

#[test]
fn what_goes_wrong_on_them_is_found() {
    let sum = "if (rank + 1 < size || size == 1) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);";
    let (found, _) = check(&[GROUP, COMM, FREE_GROUP, RANK, sum, FREE_COMM, END]);
    assert_eq!(found, [("missing-collective".to_owned(), 5)]);
}

#[test]
fn what_is_left_at_the_end_of_a_session_is_found() {
    let (found, _) = check(&[GROUP, COMM, FREE_GROUP, RANK, END]);
    assert_eq!(found, [("communicator-leak".to_owned(), 2)]);
    let (found, _) = check(&[GROUP, COMM, RANK, FREE_COMM, END]);
    assert_eq!(found, [("group-leak".to_owned(), 1)]);
}

#[test]
fn a_session_is_finalised_once() {
    let (found, _) = check(&[GROUP, FREE_GROUP]);
    assert_eq!(found, [("missing-finalize".to_owned(), 0)]);
    let (found, _) = check(&[GROUP, FREE_GROUP, END, END]);
    assert_eq!(found, [("double-free".to_owned(), 4)]);
}

#[test]
fn a_session_gives_no_world() {
    let (found, _) = check(&["MPI_Comm_size(MPI_COMM_WORLD, &size);", END]);
    assert_eq!(found, [("missing-init".to_owned(), 1)]);
    let world = "MPI_Init(NULL, NULL); MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Finalize();";
    assert_eq!(check(&[world, END]).0, [], "it may be there as well, and the session ends after it");
}
