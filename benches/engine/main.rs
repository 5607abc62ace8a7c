//! The engine: time for each program of the corpus, and growth with the size of a program.
//!
//! What is timed is [`analyze_program`] alone, in this process: programs are read, parsed and lowered before. That is
//! the symbolic attempt with the comparison that follows it, and the exploration of 2 to 5 processes where the attempt
//! gives up; `fixed` explores 2 to 5 processes at once. Generated programs are those of `synthetic.rs`.
//!
//! At the end, what is slower than it should be is listed. There the fastest run of each counts, and where the system
//! tells it, the time that it was on a processor: the machine may be busy with other things.

mod synthetic;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use analyzer::results::{ProgramReport, VerdictKind};
use analyzer::{NpChoice, Options, analyze_program};
use anyrank::session::{self, Request};
use divan::Bencher;
use frontend::program::Program;

fn main() {
    divan::main();
    targets();
}

/// Far above what any program should need: what takes too long is to be measured, not cut off.
const TIME_LIMIT: Duration = Duration::from_secs(100);

/// Every program of the corpus, by its name.
static CORPUS: LazyLock<BTreeMap<String, Program>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let programs = session::programs(&Request::new(vec![root.clone()])).expect("the corpus is there");
    let name = |program: &Program| {
        let entry = program.units[program.entry.unit].path.clone();
        let below = entry.strip_prefix(&root).unwrap_or(&entry).to_owned();
        // A program in several files is named as its directory.
        match below.parent() {
            Some(parent) if parent != Path::new("") => parent.display().to_string(),
            _ => below.with_extension("").display().to_string(),
        }
    };
    programs.into_iter().map(|program| (name(&program), program)).collect()
});

fn names() -> impl Iterator<Item = &'static String> {
    CORPUS.keys()
}

/// Any number of processes: what `anyrank topology` does.
#[divan::bench(args = names(), sample_size = 1, max_time = 2)]
fn symbolic(bencher: Bencher, name: &String) {
    measure(bencher, format!("symbolic {name}"), corpus_limit(name), &CORPUS[name], NpChoice::Any);
}

/// 2, 3, 4 and 5 processes: what `anyrank topology --np 2..5` does.
#[divan::bench(args = names(), sample_size = 1, max_time = 2)]
fn fixed(bencher: Bencher, name: &String) {
    let limit = Duration::from_secs(1);
    measure(bencher, format!("fixed {name}"), limit, &CORPUS[name], NpChoice::Fixed((2..=5).collect()));
}

fn corpus_limit(name: &str) -> Duration {
    if name == "fanout_broadcast" { Duration::from_millis(5) } else { Duration::from_secs(1) }
}

/// Growth with the number of process sets that wait at different places at a time.
#[divan::bench(args = [1, 2, 4, 8, 16, 32], sample_size = 1, max_time = 5)]
fn sets(bencher: Bencher, sets: usize) {
    generated(bencher, "sets", sets, &synthetic::chain(sets));
}

/// Growth with the number of phases, each of which splits one more rank off.
#[divan::bench(args = [1, 2, 4, 8, 16, 32], sample_size = 1, max_time = 5)]
fn phases(bencher: Bencher, phases: usize) {
    generated(bencher, "phases", phases, &synthetic::phases(phases));
}

/// Growth with the number of variables of each set that live across communication.
#[divan::bench(args = [10, 25, 50, 100, 200], sample_size = 1, max_time = 5)]
fn variables(bencher: Bencher, variables: usize) {
    generated(bencher, "variables", variables, &synthetic::variables(variables));
}

/// Growth with the depth of the call that communicates.
#[divan::bench(args = [1, 2, 4, 8, 16, 32], sample_size = 1, max_time = 5)]
fn call_depth(bencher: Bencher, depth: usize) {
    generated(bencher, "call_depth", depth, &synthetic::calls(depth));
}

/// 500 lines, 200 variables in each set.
#[divan::bench(sample_size = 1, max_time = 10)]
fn large(bencher: Bencher) {
    let program = program_of(&synthetic::large());
    measure(bencher, "large, 500 lines".to_owned(), Duration::from_secs(2), &program, NpChoice::Any);
}

fn generated(bencher: Bencher, what: &str, size: usize, text: &str) {
    let program = program_of(text);
    measure(bencher, format!("{what} {size:>3}"), Duration::MAX, &program, NpChoice::Any);
}

/// Reads and lowers a generated program.
fn program_of(text: &str) -> Program {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("generated.c");
    std::fs::write(&file, text).expect("the directory can be written to");
    let programs = session::programs(&Request::new(vec![file])).expect("the file is there");
    programs.into_iter().next().expect("every generated program has a main")
}

/// What is known about one thing measured.
struct Measured {
    /// Of the fastest run, on a processor.
    fastest: Duration,
    limit: Duration,
    verdict: VerdictKind,
    /// Why it is not exact.
    reason: Option<String>,
}

static MEASURED: Mutex<BTreeMap<String, Measured>> = Mutex::new(BTreeMap::new());

fn measure(bencher: Bencher, what: String, limit: Duration, program: &Program, np: NpChoice) {
    let options = Options { np, time_limit: TIME_LIMIT, ..Options::default() };
    bencher.bench_local(|| {
        let (start, start_on_processor) = (Instant::now(), on_processor());
        let report = analyze_program(divan::black_box(program), &options);
        let took = match (start_on_processor, on_processor()) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => start.elapsed(),
        };
        note(&what, limit, took, &report);
        report
    });
}

/// How long this thread has been on a processor; the engine works in the thread that calls it.
#[cfg(unix)]
fn on_processor() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).ok()
}

/// Not known here; wall time has to do.
#[cfg(not(unix))]
fn on_processor() -> Option<Duration> {
    None
}

fn note(what: &str, limit: Duration, took: Duration, report: &ProgramReport) {
    let mut measured = MEASURED.lock().expect("nothing panics while it holds the lock");
    let now = Measured {
        fastest: took,
        limit,
        verdict: report.verdict.kind,
        reason: report.verdict.reasons.first().cloned(),
    };
    let known = measured.entry(what.to_owned()).or_insert(now);
    known.fastest = known.fastest.min(took);
}

/// Says which measurements are above their limit, and how the generated programs fared. The time of one that is not
/// exact says little.
fn targets() {
    let measured = MEASURED.lock().expect("nothing panics while it holds the lock");
    let (limited, growth): (Vec<_>, Vec<_>) =
        measured.iter().partition(|(_, one)| one.limit != Duration::MAX);
    let over: Vec<_> = limited.iter().filter(|(_, one)| one.limit < one.fastest).collect();
    println!("\n{} of {} above their limit", over.len(), limited.len());
    for (what, one) in over {
        println!("  {what}: {:.3} s, limit {} s", one.fastest.as_secs_f64(), one.limit.as_secs_f64());
    }
    println!("growth");
    for (what, one) in growth {
        let doubt = match one.verdict {
            VerdictKind::Exact => String::new(),
            _ => format!(", not exact: {}", one.reason.as_deref().unwrap_or("no reason is given")),
        };
        println!("  {what}: {:.5} s{doubt}", one.fastest.as_secs_f64());
    }
}
