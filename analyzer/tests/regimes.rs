//! The two regimes of the engine against each other: on generated programs, what the symbolic analysis calls exact must be, at
//! every small number of processes, what an exploration of that number finds: the same messages, collectives and findings.
//!
//! The fixed regime decides every question by comparing numbers; it has no use for process sets, relations between ranges or widening.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use analyzer::engine::explore_at;
use analyzer::results::{CollectiveInstance, Message, ProgramReport, VerdictKind};
use analyzer::{NpChoice, Options, analyze_program};
use frontend::preprocess::{Request, preprocess};
use frontend::program::{Program, link};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// One phase of a generated program; all processes go through all phases in order.
#[derive(Clone, Debug)]
enum Phase {
    /// Every rank sends to `rank + k` where that exists, then receives.
    Shift(i64),
    /// Every rank receives from `rank - k` where that exists, then sends on: a chain of dependences.
    Pipeline(i64),
    /// Every rank sends to `(rank + k) % np`.
    Ring(i64),
    /// `Sendrecv` with `np - 1 - rank`.
    Mirror,
    /// A loop at rank 0 that sends to all others, upwards or downwards.
    FanOut { down: bool },
    /// A loop at rank 0 that receives from all others.
    Gather { down: bool },
    /// A loop at rank 0 that asks each of the others and waits for the answer.
    Ask,
    /// The last rank sends to the first.
    LastToFirst,
    /// A broadcast.
    Bcast,
    /// A phase repeated a constant number of times.
    Repeat(u32, Box<Phase>),
    /// A phase on all ranks only if there are at least so many.
    AtLeast(u32, Box<Phase>),
}

/// What is wrong with one phase, if anything.
#[derive(Clone, Copy, Debug)]
enum Slip {
    None,
    /// The receiving side uses another tag.
    Tag,
    /// The receive is left out.
    NoReceive,
    /// The send is left out.
    NoSend,
}

impl Phase {
    fn code(&self, tag: u32, slip: Slip) -> String {
        let wanted = if matches!(slip, Slip::Tag) { tag + 1000 } else { tag };
        let send = |to: &str| match slip {
            Slip::NoSend => String::new(),
            _ => format!("MPI_Send(&x, 1, MPI_INT, {to}, {tag}, MPI_COMM_WORLD);\n"),
        };
        let recv = |from: &str| match slip {
            Slip::NoReceive => String::new(),
            _ => format!("MPI_Recv(&y, 1, MPI_INT, {from}, {wanted}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"),
        };
        let all = |down: bool, body: &str| {
            if down {
                format!("for (int i = np - 1; i >= 1; i--) {{\n{body}}}\n")
            } else {
                format!("for (int i = 1; i < np; i++) {{\n{body}}}\n")
            }
        };
        match self {
            Self::Shift(k) => format!(
                "if (rank + {k} < np) {{ {} }}\nif (rank - {k} >= 0) {{ {} }}\n",
                send(&format!("rank + {k}")),
                recv(&format!("rank - {k}"))
            ),
            Self::Pipeline(k) => format!(
                "if (rank >= {k}) {{ {} }}\nif (rank < np - {k}) {{ {} }}\n",
                recv(&format!("rank - {k}")),
                send(&format!("rank + {k}"))
            ),
            Self::Ring(k) => {
                format!("{}{}", send(&format!("(rank + {k}) % np")), recv(&format!("(rank - {k} + np) % np")))
            }
            Self::Mirror => format!(
                "MPI_Sendrecv(&x, 1, MPI_INT, np - 1 - rank, {tag}, &y, 1, MPI_INT, np - 1 - rank, {wanted}, MPI_COMM_WORLD, \
                 MPI_STATUS_IGNORE);\n"
            ),
            Self::FanOut { down } => {
                format!("if (rank == 0) {{\n{}}} else {{\n{}}}\n", all(*down, &send("i")), recv("0"))
            }
            Self::Gather { down } => {
                format!("if (rank == 0) {{\n{}}} else {{\n{}}}\n", all(*down, &recv("i")), send("0"))
            }
            Self::Ask => format!(
                "if (rank == 0) {{\n{}}} else {{\n{}{}}}\n",
                all(false, &format!("{}{}", send("i"), recv("i"))),
                recv("0"),
                send("0")
            ),
            Self::LastToFirst => {
                format!(
                    "if (np > 1) {{\nif (rank == np - 1) {{ {} }}\nif (rank == 0) {{ {} }}\n}}\n",
                    send("0"),
                    recv("np - 1")
                )
            }
            Self::Bcast => "MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);\n".to_owned(),
            Self::Repeat(times, phase) => {
                format!("for (int t{tag} = 0; t{tag} < {times}; t{tag}++) {{\n{}}}\n", phase.code(tag, slip))
            }
            Self::AtLeast(least, phase) => format!("if (np >= {least}) {{\n{}}}\n", phase.code(tag, slip)),
        }
    }
}

fn phase() -> impl Strategy<Value = Phase> {
    let simple = prop_oneof![
        (1_i64..3).prop_map(Phase::Shift),
        (1_i64..3).prop_map(Phase::Pipeline),
        (1_i64..3).prop_map(Phase::Ring),
        Just(Phase::Mirror),
        any::<bool>().prop_map(|down| Phase::FanOut { down }),
        any::<bool>().prop_map(|down| Phase::Gather { down }),
        Just(Phase::Ask),
        Just(Phase::LastToFirst),
        Just(Phase::Bcast),
    ];
    simple.prop_flat_map(|phase| {
        prop_oneof![
            4 => Just(phase.clone()),
            // Both a count that is unrolled and one that is generalised.
            1 => prop_oneof![2_u32..4, 45_u32..50]
                .prop_map({ let phase = phase.clone(); move |n| Phase::Repeat(n, Box::new(phase.clone())) }),
            1 => (2_u32..4).prop_map(move |n| Phase::AtLeast(n, Box::new(phase.clone()))),
        ]
    })
}

fn slip() -> impl Strategy<Value = Slip> {
    prop_oneof![
        12 => Just(Slip::None),
        1 => Just(Slip::Tag),
        1 => Just(Slip::NoReceive),
        1 => Just(Slip::NoSend),
    ]
}

fn source(phases: &[(Phase, Slip, u32)]) -> String {
    let body: String = phases.iter().map(|(phase, slip, tag)| phase.code(*tag, *slip)).collect();
    format!(
        "#include <mpi.h>\nint main(int argc, char **argv)\n{{\nint rank, np, x = 0, y = 0;\nMPI_Init(&argc, &argv);\n\
         MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &np);\n{body}MPI_Finalize();\nreturn 0;\n}}\n"
    )
}

fn program(text: &str) -> Program {
    let request = Request::new("generated.c").with_text(text);
    let preprocessed = preprocess(&request).expect("a generated program has nothing to stumble over");
    let unit =
        frontend::lower::lower(Path::new("generated.c"), preprocessed, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    link(&[Arc::new(unit)]).remove(0)
}

const LIMIT: Duration = Duration::from_secs(2);

fn instance(report: &ProgramReport) -> Option<(Vec<Message>, Vec<CollectiveInstance>)> {
    let instance = report.topology.instance.clone()?;
    let mut messages = instance.messages;
    messages.sort();
    let mut collectives = instance.collectives;
    collectives.sort_by_key(|c| (c.line, c.operation.clone()));
    Some((messages, collectives))
}

/// Whether a symbolic instance says what the exploration found. A number that it leaves open agrees with any.
fn agrees(
    symbolic: &(Vec<Message>, Vec<CollectiveInstance>),
    explored: &(Vec<Message>, Vec<CollectiveInstance>),
) -> bool {
    let open = |a: Option<i64>, b: Option<i64>| a.is_none() || a == b;
    let mut left = explored.0.clone();
    let messages = symbolic.0.iter().all(|m| {
        let found = left.iter().position(|e| {
            (m.from, m.to, m.send_line, m.recv_line) == (e.from, e.to, e.send_line, e.recv_line)
                && open(m.tag, e.tag)
                && open(m.count, e.count)
                && open(m.repeat, e.repeat)
        });
        found.map(|index| left.remove(index)).is_some()
    });
    let collectives = symbolic.1.len() == explored.1.len()
        && symbolic.1.iter().zip(&explored.1).all(|(a, b)| {
            a.operation == b.operation
                && a.line == b.line
                && a.ranks == b.ranks
                && a.root == b.root
                && open(a.repeat, b.repeat)
        });
    messages && left.is_empty() && collectives
}

/// Rules and lines. When processes wait forever, which of them is named first may differ between ranges and single ranks.
fn defects(report: &ProgramReport) -> BTreeSet<(&'static str, u32)> {
    let one = |f: &analyzer::results::Finding| match f.rule.id() {
        "deadlock" | "unmatched-recv" => ("hang", 0),
        rule => (rule, f.range.line),
    };
    report.findings.iter().map(one).collect()
}

/// Compares both regimes; returns whether the symbolic one was exact.
fn compare(text: &str) -> Result<bool, TestCaseError> {
    let program = program(text);
    let mut exact = true;
    // The engine itself compares 1 to 5 before it answers.
    for np in [2, 6, 7, 8] {
        let options = Options {
            np: NpChoice::Fixed(vec![np]),
            time_limit: LIMIT,
            instance: Some(np),
            ..Options::default()
        };
        let symbolic = analyze_program(&program, &options);
        if symbolic.verdict.kind != VerdictKind::Exact {
            exact = false;
            break;
        }
        let explored = explore_at(&program, np, LIMIT);
        prop_assert_eq!(
            explored.verdict.kind,
            VerdictKind::Bounded,
            "np {}: {:?}\n{}",
            np,
            &explored.verdict,
            text
        );
        prop_assert_eq!(defects(&symbolic), defects(&explored), "np {}\n{}", np, text);
        match instance(&symbolic) {
            Some(instantiated) => {
                let found = instance(&explored).unwrap_or_default();
                prop_assert!(
                    agrees(&instantiated, &found),
                    "np {}\n{}\n{:?}\n{:?}",
                    np,
                    text,
                    instantiated,
                    found
                );
            }
            // No answer at this np is only right where the program is in error there.
            None => prop_assert!(!explored.findings.is_empty(), "np {}\n{}", np, text),
        }
    }
    Ok(exact)
}

#[test]
fn symbolic_and_fixed_agree() {
    let wanted = std::env::var("ANYRANK_CASES").ok().and_then(|n| n.parse().ok());
    let cases = wanted.unwrap_or(60);
    // The same programs in every run of the test suite; others with each run of a chosen number of cases.
    let rng_seed = if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(2009) };
    let mut runner =
        TestRunner::new(Config { cases, rng_seed, failure_persistence: None, ..Config::default() });
    let programs = prop::collection::vec((phase(), slip(), 0_u32..3), 1..5);
    let exact = std::cell::Cell::new((0, 0));
    let result = runner.run(&programs, |phases| {
        let is_exact = compare(&source(&phases))?;
        let (yes, all) = exact.get();
        exact.set((yes + u32::from(is_exact), all + 1));
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    let (yes, all) = exact.get();
    println!("{yes} of {all} programs were exact");
    // A guard against an engine that agrees by never answering.
    assert!(yes * 3 >= all, "only {yes} of {all} programs were exact");
}
