//! Generated programs in the style of ordinary C, right ones and ones with one mistake, as the analysis sees them and as a simulator of
//! MPI runs them (crate `simulator`, which shares nothing with the analysis): messages, collectives and defects at 1 to 7 processes.
//!
//! `ANYRANK_SIMULATED=2000` chooses how many programs, `ANYRANK_SEED` the first one's seed; `ANYRANK_FAILURES=N` goes on until so many
//! disagreements are found; `ANYRANK_WITHOUT=grid,cart` leaves out features of the generator; `ANYRANK_TRIES=0` shows programs as they
//! are, not made smaller.
//!
//! Disagreements that are known stand in `known.txt`, by seed and kind, with their reasons. One that is gone is a failure, too: it has
//! to go from the list; `ANYRANK_BLESS=1` takes it out. Not so where no number of programs is chosen: an answer gets less work then,
//! and some disagreements are with answers that need more.

mod judge;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use simulator::ast::Program;
use simulator::fault::{self, Fault};
use simulator::generate::{Wish, generate};
use simulator::parse::parse;
use simulator::print::print;
use simulator::random::Random;
use simulator::shrink::shrink;

use effort::Limits;
use judge::{Agreement, Failure, LIMIT, SHORT_LIMIT, judge};

/// Programs in a run of the test suite.
const CASES: u64 = 150;
/// The seed of the first.
const SEED: u64 = 1;
/// Programs after which disagreements are told.
const CHUNK: usize = 10;
/// Programs that are tried while one is made smaller.
const TRIES: usize = 200;
/// Seeds, and the kinds of their disagreements.
const KNOWN: &str = include_str!("known.txt");
/// Bytes of a thread's stack: programs may be deep.
const STACK: usize = 64 << 20;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|n| n.parse().ok())
}

/// Two programs of three have a mistake.
struct Case {
    seed: u64,
    program: Program,
    fault: Option<Fault>,
}

impl Case {
    fn new(seed: u64, wish: &Wish) -> Self {
        let text = generate(seed, wish).text;
        let program = parse(&text).expect("generated programs are parsed");
        let faulty = if seed.is_multiple_of(3) { None } else { fault::put(&program, &mut Random::new(seed)) };
        match faulty {
            Some((program, fault)) => Self { seed, program, fault: Some(fault) },
            None => Self { seed, program, fault: None },
        }
    }
}

/// Work for an answer.
fn limits() -> Limits {
    if number("ANYRANK_SIMULATED").is_some() { LIMIT } else { SHORT_LIMIT }
}

fn checked(program: &Program, was_right: bool) -> Result<Agreement, Failure> {
    let text = print(program);
    catch_unwind(AssertUnwindSafe(|| judge(&text, was_right, limits()))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Err(Failure { kind: "a panic".to_owned(), details: text.unwrap_or_default() })
    })
}

/// The smallest program that fails in the same way.
fn reported(case: &Case, failure: &Failure) -> String {
    let again = |program: &Program| {
        let text = print(program);
        let is_program = parse(&text).is_ok_and(|program| simulator::compile(&program).is_ok());
        is_program && checked(program, false).err().is_some_and(|other| other.kind == failure.kind)
    };
    let tries = number("ANYRANK_TRIES").and_then(|n| usize::try_from(n).ok()).unwrap_or(TRIES);
    let smallest = shrink(&case.program, again, tries);
    let details = checked(&smallest, false).err().map_or(failure.details.clone(), |other| other.details);
    let fault = case.fault.map_or("right", Fault::text);
    format!("{} (seed {}, {fault})\n{}\n{details}", failure.kind, case.seed, numbered(&print(&smallest)))
}

fn numbered(text: &str) -> String {
    (1..).zip(text.lines()).map(|(number, line)| format!("{number:3} {line}\n")).collect()
}

/// The known disagreements: seed and kind.
fn known() -> BTreeMap<u64, &'static str> {
    let entries = KNOWN.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    entries
        .map(|line| {
            let (seed, kind) = line.split_once(' ').expect("an entry is a seed and a kind");
            (seed.parse().expect("a seed is a number"), kind.trim())
        })
        .collect()
}

/// Writes the list without those that are gone.
fn take_out(gone: &[u64]) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/simulated/known.txt");
    let is_gone = |line: &&str| {
        line.split_once(' ').and_then(|(seed, _)| seed.parse().ok()).is_some_and(|seed| gone.contains(&seed))
    };
    let left: String = KNOWN.lines().filter(|line| !is_gone(line)).map(|line| format!("{line}\n")).collect();
    std::fs::write(path, left).expect("the list can be written");
}

#[test]
fn what_is_said_is_what_a_simulator_does() {
    let cases = number("ANYRANK_SIMULATED").unwrap_or(CASES);
    let first = number("ANYRANK_SEED").unwrap_or(SEED);
    let enough = number("ANYRANK_FAILURES").unwrap_or(1);
    let mut wish = Wish::default();
    let mut known = known();
    let mut gone: Vec<u64> = Vec::new();
    let mut met = 0;
    if let Ok(without) = std::env::var("ANYRANK_WITHOUT") {
        wish.without.extend(without.split(',').map(str::to_owned));
        // The same seeds are other programs then.
        known.clear();
    }
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().expect("threads can be started");
    let mut failures: Vec<String> = Vec::new();
    let (mut right, mut exact, mut answered) = (0, 0, 0);
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    let mut slowest = (Duration::ZERO, 0);
    let seeds: Vec<u64> = (first..first + cases).collect();
    for some in seeds.chunks(CHUNK) {
        let judged: Vec<_> = pool.install(|| {
            let one = |seed: &u64| {
                let start = Instant::now();
                let case = Case::new(*seed, &wish);
                let result = checked(&case.program, case.fault.is_none());
                (case, result, start.elapsed())
            };
            some.par_iter().with_max_len(1).map(one).collect()
        });
        for (case, result, time) in judged {
            if slowest.0 < time {
                slowest = (time, case.seed);
            }
            match result {
                Err(failure) if known.get(&case.seed) == Some(&failure.kind.as_str()) => met += 1,
                Ok(agreement) => {
                    if known.contains_key(&case.seed) {
                        gone.push(case.seed);
                    }
                    if agreement.is_right {
                        right += 1;
                        exact += u64::from(agreement.is_exact);
                        answered += u64::from(agreement.is_answered);
                    }
                    for reason in &agreement.reasons {
                        let mut kind =
                            reason.split_once(": ").map_or(reason.as_str(), |(_, kind)| kind).to_owned();
                        kind.retain(|c| !c.is_ascii_digit());
                        *reasons.entry(kind).or_default() += 1;
                    }
                }
                Err(failure) => {
                    let report = pool.install(|| reported(&case, &failure));
                    println!("DISAGREEMENT: {report}\n----");
                    failures.push(report);
                }
            }
        }
        if enough <= failures.len() as u64 {
            break;
        }
    }
    println!("{met} known disagreements");
    println!("{exact} of {right} right programs were exact, {answered} decided at 1 to 7 processes");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in reasons.iter().take(30) {
        println!("{count:6} {reason}");
    }
    println!("the slowest took {:?}: seed {}", slowest.0, slowest.1);
    if std::env::var_os("ANYRANK_BLESS").is_some() {
        take_out(&gone);
    } else if limits() == LIMIT {
        assert!(gone.is_empty(), "known disagreements that are gone, to be taken out of known.txt: {gone:?}");
    }
    assert!(failures.is_empty(), "{} disagreements, the first:\n{}", failures.len(), failures[0]);
}
