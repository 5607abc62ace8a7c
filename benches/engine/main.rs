//! The engine: time for each program of the corpus, and growth with the size of a program.
//!
//! Programs are read, parsed and lowered before. `symbolic` is [`analyze_program`] for any number of processes: the
//! symbolic attempt with the comparison that follows it, and the exploration of 2 to 5 processes where the attempt gives
//! up. `fixed` explores 2, 3, 4 and 5 processes one after the other, without a symbolic attempt. Generated programs are
//! those of `synthetic.rs`.
//!
//! At the end come what is slower than it should be, and how time grows; with `ANYRANK_TIMES=FILE` they are written to a
//! page, which is what `make engine-times` does. There the fastest run of each counts, and where the system tells it, the
//! time that it was on a processor: the machine may be busy with other things.

mod page;
mod synthetic;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use analyzer::engine::explore_at;
use analyzer::results::VerdictKind;
use analyzer::{Options, analyze_program};
use anyrank::session::{self, Request};
use divan::Bencher;
use effort::Limits;
use frontend::program::Program;

fn main() {
    divan::main();
    let measured = MEASURED.lock().expect("nothing panics while it holds the lock");
    // Nothing is, when the benches are only listed or tried.
    if measured.is_empty() {
        return;
    }
    let text = page::page(&measured);
    match std::env::var_os("ANYRANK_TIMES") {
        Some(file) => std::fs::write(&file, text).expect("the page can be written"),
        None => print!("\n{text}"),
    }
}

/// Far above what any program should need: what takes too long is to be measured, not cut off.
const LIMITS: Limits = Limits::of_seconds(40);

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
#[divan::bench(args = names(), sample_size = 1, max_time = 0.5)]
fn symbolic(bencher: Bencher, name: &String) {
    measure(bencher, Subject::Symbolic(name.clone()), || any_np(&CORPUS[name]));
}

/// 2, 3, 4 and 5 processes, each by itself.
#[divan::bench(args = names(), sample_size = 1, max_time = 0.5)]
fn fixed(bencher: Bencher, name: &String) {
    measure(bencher, Subject::Fixed(name.clone()), || {
        let reports = (2..=5).map(|np| explore_at(&CORPUS[name], np, LIMITS));
        let worst =
            reports.map(|report| Answer::of(report.verdict)).max_by_key(|answer| answer.reason.is_some());
        worst.expect("there are four")
    });
}

/// Growth with the number of process sets that wait at different places at a time.
#[divan::bench(args = [1, 2, 4, 8, 16, 32], sample_size = 1, max_time = 1)]
fn sets(bencher: Bencher, sets: usize) {
    generated(bencher, "process sets", sets, &synthetic::chain(sets));
}

/// Growth with the number of phases, each of which splits one more rank off.
#[divan::bench(args = [1, 2, 4, 8, 16, 32], sample_size = 1, max_time = 1)]
fn phases(bencher: Bencher, phases: usize) {
    generated(bencher, "phases", phases, &synthetic::phases(phases));
}

/// Growth with the number of variables of each set that live across communication.
#[divan::bench(args = [12, 25, 50, 100, 200, 400], sample_size = 1, max_time = 2)]
fn variables(bencher: Bencher, variables: usize) {
    generated(bencher, "variables", variables, &synthetic::variables(variables));
}

/// Growth with the depth of the call that communicates.
#[divan::bench(args = [1, 2, 4, 8, 16, 32], sample_size = 1, max_time = 1)]
fn call_depth(bencher: Bencher, depth: usize) {
    generated(bencher, "call depth", depth, &synthetic::calls(depth));
}

/// 500 lines, 200 variables in each set.
#[divan::bench(sample_size = 1, max_time = 10)]
fn large(bencher: Bencher) {
    let program = program_of(&synthetic::large());
    measure(bencher, Subject::Large, || any_np(&program));
}

fn generated(bencher: Bencher, what: &'static str, size: usize, text: &str) {
    let program = program_of(text);
    measure(bencher, Subject::Grown(what, size), || any_np(&program));
}

/// Reads and lowers a generated program.
fn program_of(text: &str) -> Program {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("generated.c");
    std::fs::write(&file, text).expect("the directory can be written to");
    let programs = session::programs(&Request::new(vec![file])).expect("the file is there");
    programs.into_iter().next().expect("every generated program has a main")
}

/// What is measured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    /// A program of the corpus, for any number of processes.
    Symbolic(String),
    /// A program of the corpus, for 2 to 5 processes.
    Fixed(String),
    /// The large generated program.
    Large,
    /// A generated program with so many of something.
    Grown(&'static str, usize),
}

/// What an analysis answers, as far as it matters here.
#[derive(Debug)]
struct Answer {
    kind: VerdictKind,
    /// Why it is not exact.
    reason: Option<String>,
}

impl Answer {
    fn of(verdict: analyzer::results::Verdict) -> Self {
        Self { kind: verdict.kind, reason: verdict.reasons.into_iter().next() }
    }
}

fn any_np(program: &Program) -> Answer {
    let options = Options { limits: LIMITS, ..Options::default() };
    Answer::of(analyze_program(divan::black_box(program), &options).verdict)
}

/// What is known about one thing measured.
#[derive(Debug)]
struct Measured {
    /// Of the fastest run, on a processor.
    fastest: Duration,
    answer: Answer,
}

static MEASURED: Mutex<BTreeMap<Subject, Measured>> = Mutex::new(BTreeMap::new());

fn measure(bencher: Bencher, subject: Subject, work: impl Fn() -> Answer) {
    bencher.bench_local(|| {
        let (start, start_on_processor) = (Instant::now(), on_processor());
        let answer = work();
        let took = match (start_on_processor, on_processor()) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => start.elapsed(),
        };
        let mut measured = MEASURED.lock().expect("nothing panics while it holds the lock");
        let known = measured.entry(subject.clone()).or_insert(Measured { fastest: took, answer });
        known.fastest = known.fastest.min(took);
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
