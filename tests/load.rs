//! The same answer on a loaded machine: what is said of a program does not depend on how fast it is analysed.
//!
//! A sample of the corpus is analysed here, all of it where `ANYRANK_LOAD=all` is set.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Programs that take long, that need other ways than the usual one, that ask Z3, or that are given up after some time.
const SAMPLE: [&str; 5] =
    ["cart_cannon", "fig1_mdcask", "halo_eight_neighbours", "heap_reduce", "sort_odd_even"];

/// Threads that compute for every one that could.
const THREADS: usize = 2;

/// Threads that take most of the time of all processors until they are dropped.
struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<u64>>,
}

impl Load {
    fn new() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let cores = thread::available_parallelism().map_or(2, usize::from);
        let spin = |stop: Arc<AtomicBool>| {
            let mut number = 1_u64;
            while !stop.load(Ordering::Relaxed) {
                for _ in 0..10_000 {
                    number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                }
            }
            number
        };
        let threads = (0..THREADS * cores).map(|_| {
            let stop = Arc::clone(&stop);
            thread::spawn(move || spin(stop))
        });
        Self { threads: threads.collect(), stop }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            assert!(thread.join().is_ok_and(|number| number != 1), "a thread of the load did nothing");
        }
    }
}

fn is_long() -> bool {
    std::env::var_os("ANYRANK_LOAD").is_some_and(|value| value == "all")
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// What the command prints, but for the time that each program took.
fn answer(command: &str, files: &[PathBuf], more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_anyrank"))
        .args([command, "-q", "--format", "json"])
        .args(more)
        .args(files)
        .output()
        .expect("the command starts");
    assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
    without_seconds(&String::from_utf8(output.stdout).expect("JSON is UTF-8"))
}

fn without_seconds(text: &str) -> String {
    let mut parts = text.split("\"seconds\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        let number = |c: char| c.is_ascii_digit() || " .eE+-".contains(c);
        before + "\"seconds\":" + part.trim_start_matches(number)
    })
}

/// The answers are the same without and beside a load, and with another number of threads, which remember other questions.
#[test]
fn answers_do_not_depend_on_the_load() {
    let files: Vec<PathBuf> = if is_long() {
        vec![corpus()]
    } else {
        SAMPLE.iter().map(|name| corpus().join(name).with_extension("c")).collect()
    };
    let commands = ["lint", "topology"];
    let alone = commands.map(|command| answer(command, &files, &["-j", "1"]));
    let load = Load::new();
    // Both at a time: each is load for the other one, and the load computes half as long.
    let beside = thread::scope(|scope| {
        let asked = commands.map(|command| {
            let files = &files;
            scope.spawn(move || answer(command, files, &[]))
        });
        asked.map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    drop(load);
    for (alone, beside) in alone.iter().zip(&beside) {
        assert!(alone.contains("\"verdict\""));
        let different = alone.lines().zip(beside.lines()).find(|(a, b)| a != b);
        assert_eq!(different, None);
        assert!(alone == beside);
    }
}

/// Neither is the place where an analysis is given up.
#[test]
fn what_is_given_up_does_not_depend_on_the_load() {
    let files = ["heap_reduce", "sort_odd_even", "recursion_halving", "pipeline_stop_tag"];
    let files = files.map(|name| corpus().join(name).with_extension("c"));
    for limit in if is_long() { &["0.2", "1"][..] } else { &["0.2"] } {
        let alone = answer("lint", &files, &["-j", "1", "--time-limit", limit]);
        let load = Load::new();
        let beside = answer("lint", &files, &["--time-limit", limit]);
        drop(load);
        // The net may have been reached: then that is said, and nothing else may differ without.
        let is_cut = |text: &str| text.contains("depends on the machine");
        assert!(alone == beside || is_cut(&alone) || is_cut(&beside), "{alone}\n{beside}");
    }
}

#[test]
fn times_are_left_out() {
    let text = "{\"a\":1,\"seconds\": 1.5e-3},{\"seconds\":2}";
    assert_eq!(without_seconds(text), "{\"a\":1,\"seconds\":},{\"seconds\":}");
}
