//! Three answers about generated programs: what the symbolic analysis calls exact must be, at each number of processes, what an
//! exploration of that number finds, and both must be what the program does by construction: the same messages, collectives and
//! findings.
//!
//! The fixed regime decides every question by comparing numbers; it has no use for process sets, relations between ranges or
//! widening. The construction shares nothing with the engine: each phase states its messages as a list of pairs of ranks. A
//! program with a deliberate mistake is compared in both regimes only.
//!
//! `ANYRANK_CASES=10000` chooses how many programs are generated, other ones with each run; `ANYRANK_SEED` repeats a run;
//! `ANYRANK_FAILURES=N` goes on until so many disagreements are found; `ANYRANK_WITHOUT=Split,Probed` leaves out programs whose
//! description has one of these words; `ANYRANK_SHOW=TEXT` prints those for which a reason with this text is given.

mod collective;
mod compare;
mod effects;
mod exchange;
mod fan;
mod near;
mod phase;
mod progress;
mod rounds;
mod writer;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use effort::Limits;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use rayon::prelude::*;

use self::compare::{Agreement, Failure, compare};
use self::phase::{Generated, Kinds, generated};

/// Programs in a run of the test suite, and how many of them are loops of rounds.
const CASES: u32 = 100;
const ROUNDS: u32 = 5;
/// The same where `ANYRANK_REGIMES=all` asks for the long run.
const ALL_CASES: u32 = 500;
const ALL_ROUNDS: u32 = 24;
/// Programs after which a run tells how far it is.
const TOLD: u32 = 500;
/// Programs that are written before they are analysed, as many at a time as there are cores: some take a thousand times as long as others.
const WRITTEN: usize = 100;
/// A program that takes longer is taken for one on which the engine does not end.
const HANG: Duration = Duration::from_secs(240);
/// Pages of memory that all programs at a time may take: 8 GiB. Known on Linux only.
const PAGES: u64 = 1 << 21;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|n| n.parse().ok())
}

/// Whether the long run is asked for.
fn is_long() -> bool {
    std::env::var("ANYRANK_REGIMES").is_ok_and(|value| value == "all")
}

/// Pages of memory that this process takes; zero where that is not known.
fn pages_in_use() -> u64 {
    let known = || std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok();
    known().unwrap_or(0)
}

type Case = (Generated, [i64; 2]);

fn case(kinds: Kinds) -> impl Strategy<Value = Case> {
    (generated(kinds), 1_i64..6, 6_i64..9).prop_map(|(program, few, more)| (program, [few, more]))
}

/// Ends the test when one program takes too long, or too much memory.
#[derive(Clone, Default)]
struct Watch(Arc<Mutex<Option<(Instant, String)>>>);

impl Watch {
    fn start() -> Self {
        let watch = Self::default();
        let watched = watch.clone();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let current = watched.0.lock().expect("nobody panics while holding it");
                let Some((since, text)) = &*current else { continue };
                if since.elapsed() > HANG {
                    eprintln!("no answer within {HANG:?}:\n{text}");
                    std::process::abort();
                }
                if PAGES < pages_in_use() {
                    eprintln!("memory is short, perhaps because of this one:\n{text}");
                    // The others say what they are at.
                    std::thread::sleep(Duration::from_secs(3));
                    std::process::abort();
                }
            }
        });
        watch
    }

    fn now(&self, text: Option<&str>) {
        *self.0.lock().expect("nobody panics while holding it") =
            text.map(|text| (Instant::now(), text.to_owned()));
    }
}

fn run(case: &Case, watch: &Watch) -> Result<Agreement, Failure> {
    let written = case.0.write();
    watch.now(Some(&written.text));
    let result = catch_unwind(AssertUnwindSafe(|| compare(&written, &case.1, limits())));
    watch.now(None);
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        let details = text.unwrap_or_default();
        Err(Failure { kind: "panic".to_owned(), np: 0, details })
    })
}

/// Work for an answer: less where only some programs are tried.
fn limits() -> Limits {
    if is_long() || number("ANYRANK_CASES").is_some() {
        Limits::of_seconds(2)
    } else {
        Limits::of_work(Limits::RATE / 4)
    }
}

/// The smallest case that fails in the same way.
fn shrink(mut tree: impl ValueTree<Value = Case>, failure: Failure, watch: &Watch) -> (Case, Failure) {
    let mut smallest = (tree.current(), failure);
    let fails = |case: &Case, kind: &str| run(case, watch).err().filter(|f| f.kind == kind);
    let mut tries = 0;
    let mut goes_on = tree.simplify();
    while goes_on && tries < 400 {
        tries += 1;
        let case = tree.current();
        goes_on = match fails(&case, &smallest.1.kind) {
            Some(failure) => {
                smallest = (case, failure);
                tree.simplify()
            }
            None => tree.complicate(),
        };
    }
    smallest
}

/// What the programs of a run were like.
#[derive(Default)]
struct Statistics {
    exact: u32,
    explored: u32,
    /// Exact for any number of processes, but neither explored nor known by the definition: answers that nothing was compared with.
    alone: u32,
    all: u32,
    open: u32,
    /// Reasons for giving up, how often each, and the shortest program with it.
    reasons: BTreeMap<String, (u32, String)>,
    slowest: (Duration, String),
}

impl Statistics {
    fn add(&mut self, agreement: &Agreement, case: &Case, time: Duration) {
        self.all += 1;
        self.exact += u32::from(agreement.exact);
        self.explored += u32::from(agreement.explored);
        self.alone += u32::from(agreement.exact && agreement.alone);
        self.open += u32::from(agreement.left_open > 0);
        let text = format!("{case:?}");
        let show = std::env::var("ANYRANK_SHOW").ok();
        for reason in &agreement.reasons {
            if show.as_ref().is_some_and(|show| reason.contains(show)) {
                println!("{reason}\n{}", case.0.write().text);
            }
            // The place says nothing about how frequent it is.
            let mut reason = reason.split_once(": ").map_or(reason.as_str(), |(_, reason)| reason).to_owned();
            reason.retain(|c| !c.is_ascii_digit());
            let (count, example) = self.reasons.entry(reason).or_insert((0, text.clone()));
            *count += 1;
            if text.len() < example.len() {
                example.clone_from(&text);
            }
        }
        if time > self.slowest.0 {
            self.slowest = (time, text);
        }
    }

    fn print(&self) {
        let Self { exact, explored, alone, all, open, slowest, .. } = self;
        println!(
            "{exact} of {all} programs were exact, {open} of them with open numbers; {explored} were explored, and {alone} exact ones compared with nothing"
        );
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
        for (reason, (count, example)) in reasons {
            println!("{count:6} {reason}\n         {example}");
        }
        println!("the slowest took {:?}: {}", slowest.0, slowest.1);
    }
}

#[test]
fn all_answers_agree() {
    let wanted = number("ANYRANK_CASES").and_then(|n| u32::try_from(n).ok());
    // The same programs in every run of the test suite; others with each run of a chosen number of cases.
    let rng_seed = match (number("ANYRANK_SEED"), wanted) {
        (Some(seed), _) => RngSeed::Fixed(seed),
        (None, Some(_)) => RngSeed::Random,
        (None, None) => RngSeed::Fixed(2009),
    };
    match wanted {
        Some(cases) => agree(Kinds::All, cases, rng_seed),
        None => {
            let (cases, rounds) = if is_long() { (ALL_CASES, ALL_ROUNDS) } else { (CASES, ROUNDS) };
            agree(Kinds::Rounds, rounds, rng_seed);
            agree(Kinds::Fast, cases - rounds, rng_seed);
        }
    }
}

fn agree(kinds: Kinds, cases: u32, rng_seed: RngSeed) {
    let mut runner = TestRunner::new(Config { rng_seed, failure_persistence: None, ..Config::default() });
    let enough = number("ANYRANK_FAILURES").unwrap_or(1);
    let (strategy, mut statistics) = (case(kinds), Statistics::default());
    let mut failures: Vec<String> = Vec::new();
    let without = std::env::var("ANYRANK_WITHOUT").unwrap_or_default();
    let is_left_out = |case: &Case| {
        let text = format!("{case:?}");
        without.split(',').any(|word| !word.is_empty() && text.contains(word))
    };
    let watches: Vec<Watch> = (0..rayon::current_num_threads()).map(|_| Watch::start()).collect();
    let mut left = cases as usize;
    let mut told = 0;
    while 0 < left && (failures.len() as u64) < enough {
        if TOLD <= statistics.all - told {
            told = statistics.all;
            println!("{told} of {cases} programs, {} disagreements", failures.len());
        }
        let trees: Vec<_> = (0..left.min(WRITTEN))
            .map(|_| strategy.new_tree(&mut runner).expect("no case is rejected"))
            .filter(|tree| !is_left_out(&tree.current()))
            .collect();
        left = left.saturating_sub(WRITTEN);
        let cases: Vec<Case> = trees.iter().map(ValueTree::current).collect();
        let timed = |case| {
            let start = Instant::now();
            (run(case, &watches[rayon::current_thread_index().unwrap_or(0)]), start.elapsed())
        };
        // One at a time each, lest a thread keeps several that take long.
        let results: Vec<_> = cases.par_iter().with_max_len(1).map(timed).collect();
        for ((tree, case), (result, time)) in trees.into_iter().zip(&cases).zip(results) {
            match result {
                Ok(agreement) => statistics.add(&agreement, case, time),
                Err(failure) => {
                    let (case, Failure { kind, np, details }) = shrink(tree, failure, &watches[0]);
                    let report = format!("{kind} (np = {np})\n{}\n{details}\n{case:?}", case.0.write().text);
                    println!("DISAGREEMENT: {report}\n----");
                    failures.push(report);
                }
            }
        }
    }
    statistics.print();
    assert!(failures.is_empty(), "{} disagreements, the first:\n{}", failures.len(), failures[0]);
    // A guard against an engine that agrees by never answering.
    assert!(statistics.exact * 3 >= statistics.all, "only {} programs were exact", statistics.exact);
    assert!(statistics.explored * 20 >= statistics.all * 17, "only {} were explored", statistics.explored);
    assert!(statistics.alone * 50 <= statistics.all, "{} exact answers had no other", statistics.alone);
}
