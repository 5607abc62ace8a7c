//! The simulator of MPI (crate `simulator`) against real runs: generated programs are compiled as strictly as can be and run under
//! the tracer, and their messages and collectives are those that the simulator tells.
//!
//! `ANYRANK_SIMULATED_RUNS=20` chooses how many programs, `ANYRANK_SEED` the first one's seed.

use std::collections::BTreeMap;
use std::fs;

use simulator::generate::{Wish, generate};
use simulator::{Order, Outcome, Setting};

use crate::mpi_run::mpi_trace::Trace;
use crate::mpi_run::{Mpi, Options, compile};

/// Programs in a run of the test suite.
const RUNS: u64 = 4;
/// Numbers of processes, in turn.
const COUNTS: [usize; 4] = [3, 5, 2, 7];

/// Sender, receiver, lines, tag, count, bytes.
type Message = (usize, usize, u32, u32, i64, i64, i64);
/// Operation, ranks, root.
type Collective = (String, Vec<usize>, Option<usize>);
/// How often each is there.
type Picture = (BTreeMap<Message, u32>, BTreeMap<Collective, u32>);

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|n| n.parse().ok())
}

fn simulated(outcome: &Outcome) -> Picture {
    let mut picture = Picture::default();
    for m in &outcome.messages {
        let key = (m.from, m.to, m.send_line, m.recv_line, m.tag, m.count, m.bytes);
        *picture.0.entry(key).or_default() += 1;
    }
    for c in &outcome.collectives {
        *picture.1.entry((c.operation.clone(), c.ranks.clone(), c.root)).or_default() += 1;
    }
    picture
}

fn traced(trace: &Trace) -> Picture {
    let mut picture = Picture::default();
    for m in &trace.messages {
        let key = (m.from, m.to, m.send_line, m.recv_line, m.tag, m.count, m.count * m.type_size);
        *picture.0.entry(key).or_default() += 1;
    }
    for c in &trace.collectives {
        let mut ranks: Vec<usize> = c.calls.iter().map(|call| call.rank).collect();
        ranks.sort_unstable();
        if let Some(call) = c.calls.first() {
            *picture.1.entry((call.operation.clone(), ranks, call.root)).or_default() += 1;
        }
    }
    picture
}

#[test]
fn a_real_run_is_what_the_simulator_says() {
    // Open MPI 4.1 has no partitioned communication.
    let wish = Wish { without: vec!["partitioned".to_owned()] };
    let first = number("ANYRANK_SEED").unwrap_or(40);
    let runs = number("ANYRANK_SIMULATED_RUNS").unwrap_or(RUNS);
    for (seed, np) in (first..first + runs).zip(COUNTS.into_iter().cycle()) {
        let text = generate(seed, &wish).text;
        let executable = simulator::compile(&simulator::parse::parse(&text).unwrap()).unwrap();
        let one = |order| simulator::run(&executable, Setting { np, buffered: true, order });
        let outcome = one(Order::InTurn);
        assert!(outcome.is_right(), "seed {seed}: {:?}\n{text}", outcome.ended);
        let expected = simulated(&outcome);
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("generated.c");
        fs::write(&file, &text).unwrap();
        let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror"];
        let program =
            compile(Mpi::OpenMpi, &[&file], &flags).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        let run = program.run(np, Options::default()).unwrap();
        assert!(run.succeeded(), "seed {seed}, np = {np}: {:?}\n{}\n{text}", run.status, run.stderr);
        assert!(run.trace.unmatched_sends.is_empty(), "seed {seed}: {:?}", run.trace.unmatched_sends);
        assert!(run.trace.unmatched_receives.is_empty(), "seed {seed}: {:?}", run.trace.unmatched_receives);
        if (1..4).any(|s| simulated(&one(Order::Random(s))) != expected) {
            // What a wildcard receives depends on the run.
            continue;
        }
        let seen = traced(&run.trace);
        assert_eq!(expected.0, seen.0, "seed {seed}, np = {np}: messages\n{text}");
        assert_eq!(expected.1, seen.1, "seed {seed}, np = {np}: collectives\n{text}");
    }
}
