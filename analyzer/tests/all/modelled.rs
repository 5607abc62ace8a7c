//! What integer sets answer where the engine has no answer for any number of processes.

use analyzer::Options;
use analyzer::results::{Lengths, ProgramReport, VerdictKind};
use analyzer::rules::Rule;
use effort::Limits;

use crate::answers::answer_with;

/// A chain on a communicator that is made of a group with the ranks reversed, with some of its messages.
fn reversed_chain(sent: &str, room: &str) -> ProgramReport {
    let text = format!(
        r"
#include <mpi.h>
int main(int argc, char **argv)
{{
    int rank, size, sum, all[64] = {{0}}, range[1][3];
    MPI_Group world, reversed;
    MPI_Comm chain;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    range[0][0] = size - 1;
    range[0][1] = 0;
    range[0][2] = -1;
    MPI_Group_range_incl(world, 1, range, &reversed);
    MPI_Comm_create(MPI_COMM_WORLD, reversed, &chain);
    MPI_Comm_rank(chain, &rank);
    if (rank > 0)
        MPI_Send(all, {sent}, rank - 1, 1, chain);
    if (rank < size - 1)
        MPI_Recv(all, {room}, rank + 1, 1, chain, MPI_STATUS_IGNORE);
    MPI_Reduce(all, &sum, 1, MPI_INT, MPI_SUM, 0, chain);
    MPI_Comm_free(&chain);
    MPI_Group_free(&reversed);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}}
"
    );
    answer_with(&text, &Options { limits: Limits::of_seconds(20), is_checked: true, ..Options::default() })
}

#[test]
fn lengths_of_the_model_are_for_any_number_of_processes() {
    let report = reversed_chain("rank < 12 ? rank : 12, MPI_INT", "12, MPI_INT");
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    assert!(report.is_by_model);
    assert_eq!(report.verdict.lengths, Lengths::Proved);
    assert!(report.findings.is_empty(), "{:?}", report.findings);

    // No exploration of a few processes sees this.
    let report = reversed_chain("rank < 12 ? rank : 12, MPI_INT", "9, MPI_INT");
    let [finding] = report.findings.as_slice() else { panic!("{:?}", report.findings) };
    assert_eq!(finding.rule, Rule::MessageTruncation);
    assert_eq!(finding.message, "has room for 36 bytes, but the message has 40 bytes with np = 11");
    assert_eq!((finding.np.as_str(), finding.ranks.as_str()), ("any np >= 11", "[1..np-10]"));
    assert_ne!(report.verdict.lengths, Lengths::Proved);

    // Longer than the array of 64.
    let report = reversed_chain("rank, MPI_INT", "rank + 1, MPI_INT");
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    let reason = "whether buffers are as long as calls say: compared at np = 2..5 only";
    assert_eq!(report.verdict.lengths, Lengths::NotProved(vec![reason.to_owned()]));
}

/// What the processes of one communicator do in the place of all: rows whose width is a divisor of the size that a loop finds.
#[test]
fn parts_of_different_sizes_are_followed_by_themselves() {
    let text = |colour: &str| {
        format!(
            r"
#include <mpi.h>
int main(int argc, char **argv)
{{
    int world, rank, size, width = 1, number = 0;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_split(MPI_COMM_WORLD, {colour}, 0, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &size);
    for (int d = 1; d * d <= size; d++)
        if (size % d == 0)
            width = d;
    if (rank % width > 0)
        MPI_Send(&number, 1, MPI_INT, rank - 1, 0, part);
    if (rank % width < width - 1)
        MPI_Recv(&number, 1, MPI_INT, rank + 1, 0, part, MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}}
"
        )
    };
    let options = Options {
        limits: Limits::of_seconds(20),
        is_checked: true,
        instance: Some(17),
        ..Options::default()
    };
    // It is compared with explorations of few processes where it is known who is in which part.
    let report = answer_with(&text("world % 2"), &options);
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    assert!(report.is_by_model);
    let channel = &report.topology.channels[0];
    assert!(channel.communicator.ends_with("by ranks in it"), "{channel:?}");
    assert!(report.verdict.reasons.iter().any(|reason| reason.contains("`size` is its number of processes")));
    // Nine even ranks, in three rows, and eight odd ones, in four.
    let mut expected: Vec<(u64, u64)> = Vec::new();
    for (first, size, width) in [(0, 9, 3), (1, 8, 2)] {
        let own = (0..size).filter(|rank| rank % width > 0);
        expected.extend(own.map(|rank| (first + 2 * rank, first + 2 * (rank - 1))));
    }
    expected.sort_unstable();
    let instance = report.topology.instance.expect("the parts are known");
    let said: Vec<(u64, u64)> = instance.messages.iter().map(|message| (message.from, message.to)).collect();
    assert_eq!(said, expected);

    // Nobody knows who is in which part.
    let report = answer_with(&text("number"), &options);
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    let report = answer_with(&text("argc > 1 ? world * world % 7 : 3"), &options);
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
}

/// Processes of a part say with how many of *them* a message is too long: nobody knows with how many of all.
#[test]
fn sizes_of_parts_are_no_numbers_of_processes() {
    let text = r"
#include <mpi.h>
int main(int argc, char **argv)
{
    int world, rank, size, all[64] = {0};
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_split(MPI_COMM_WORLD, argc > 1 ? world * world % 7 : 3, 0, &part);
    MPI_Comm_rank(part, &rank);
    MPI_Comm_size(part, &size);
    if (rank > 0)
        MPI_Send(all, rank < 12 ? rank : 12, MPI_INT, rank - 1, 1, part);
    if (rank < size - 1)
        MPI_Recv(all, 9, MPI_INT, rank + 1, 1, part, MPI_STATUS_IGNORE);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
";
    let options = Options { limits: Limits::of_seconds(20), is_checked: true, ..Options::default() };
    let report = answer_with(text, &options);
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    assert!(report.findings.iter().all(|finding| finding.rule != Rule::MessageTruncation));
    let reasons = report.verdict.lengths.reasons();
    assert!(reasons.iter().any(|reason| reason.contains("may have less room")), "{reasons:?}");
}

/// With more than sixteen processes only: the ranks are found at several numbers of them.
#[test]
fn messages_that_are_too_long_with_many_processes() {
    let report = reversed_chain("rank < 30 ? rank : 30, MPI_INT", "20, MPI_INT");
    let [finding] = report.findings.as_slice() else { panic!("{:?}", report.findings) };
    assert_eq!((finding.np.as_str(), finding.ranks.as_str()), ("any np >= 22", "[1..np-21]"));
}
