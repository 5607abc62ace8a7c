//! Where an analysis ends, and what it says then.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use analyzer::results::{ProgramReport, VerdictKind};
use analyzer::{Options, analyze_program};
use effort::Limits;
use frontend::preprocess::{Request, preprocess};
use frontend::program::{Program, link};

/// Rounds of a ring, and another exchange that goes on for as long as some number says.
const ROUNDS: &str = "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    int rank, np, x = 0;\n\
    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &np);\n\
    for (int i = 0; i < argc; i++) {\n        if (rank > 0) MPI_Recv(&x, 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
        if (rank < np - 1) MPI_Send(&x, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);\n    }\n    MPI_Finalize();\n    return 0;\n}\n";

fn program() -> Program {
    let request = Request::new("rounds.c").with_text(ROUNDS);
    let preprocessed = preprocess(&request).expect("there is nothing to stumble over");
    let unit =
        frontend::lower::lower(Path::new("rounds.c"), preprocessed, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}", unit.problems);
    link(&[Arc::new(unit)]).remove(0)
}

fn report(limits: Limits) -> ProgramReport {
    analyze_program(&program(), &Options { limits, ..Options::default() })
}

fn says(report: &ProgramReport, words: &str) -> bool {
    report.verdict.reasons.iter().any(|reason| reason.contains(words))
}

/// An answer, how much work it took, and where it was given up are the same whenever it is asked for, on any thread, and whatever that
/// thread did before.
#[test]
fn the_same_work_gives_the_same_answer() {
    let all = report(Limits::of_work(3_000_000));
    assert!(all.work > 1_000, "{}", all.work);
    for work in [0, 500, all.work / 3, all.work] {
        let told = |report: &ProgramReport| (report.verdict.clone(), report.topology.clone(), report.work);
        let here = told(&report(Limits::of_work(work)));
        assert!(here == told(&report(Limits::of_work(work))), "{work}");
        let other = std::thread::spawn(move || told(&report(Limits::of_work(work)))).join();
        assert!(here == other.expect("it does not panic"), "{work}");
    }
}

/// Where the counted work is done, that is said, and nothing of the machine.
#[test]
fn where_the_work_is_done_is_no_matter_of_the_machine() {
    let report = report(Limits::of_work(500));
    assert_eq!(report.verdict.kind, VerdictKind::Unknown);
    assert!(says(&report, "the limit on work was reached"), "{:?}", report.verdict.reasons);
    assert!(!says(&report, "depends on the machine"), "{:?}", report.verdict.reasons);
}

/// Where the net strikes, the answer says that it depends on the machine.
#[test]
fn what_the_net_has_cut_says_so() {
    let report = report(Limits { work: u64::MAX, time: Duration::from_nanos(1) });
    assert!(says(&report, "depends on the machine"), "{:?}", report.verdict.reasons);
}
