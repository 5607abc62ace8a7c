//! Each check on a fixed number of changed examples, about a second's worth. `ANYRANK_INPUTS=100` checks a hundred times as
//! many; `fuzz/` goes on from there.

use std::fs;
use std::path::Path;

use fuzz_checks::mutate::Numbers;
use fuzz_checks::{c, database, datatypes, schedules, settings};

/// Checks so many changed examples, and each example as it is. What is being checked when one fails is printed.
fn changed(examples: &[Vec<u8>], words: &[&str], count: usize, check: impl Fn(&[u8])) {
    let mut numbers = Numbers::new(0x0005_EED0_FA11);
    examples.iter().for_each(|example| told(example, &check));
    for round in 0..count * times() {
        let other = &examples[numbers.below(examples.len())];
        let data = numbers.mutate(&examples[round % examples.len()], other, words);
        told(&data, &check);
    }
}

/// Checks so many inputs without any form.
fn formless(count: usize, check: impl Fn(&[u8])) {
    let mut numbers = Numbers::new(0xF0_12_3E_55);
    for _ in 0..count * times() {
        let length = 1 + numbers.below(400);
        told(&numbers.bytes(length), &check);
    }
}

/// How many times as many inputs are wanted.
fn times() -> usize {
    std::env::var("ANYRANK_INPUTS").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

fn told(data: &[u8], check: impl Fn(&[u8])) {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(data)));
    if let Err(panic) = result {
        eprintln!("the input was {:?}", String::from_utf8_lossy(data));
        std::panic::resume_unwind(panic);
    }
}

/// The files of a directory here, of every `step`th one.
fn examples(directory: &str, extension: &str, step: usize) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let entries = fs::read_dir(directory).expect("it is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it is there").path()).collect();
    files.retain(|file| file.extension().is_some_and(|own| own == extension));
    files.sort();
    files.iter().step_by(step).map(|file| fs::read(file).expect("examples can be read")).collect()
}

#[test]
fn changed_programs() {
    changed(&examples("../corpus", "c", 10), c::WORDS, 200, c::check);
}

#[test]
fn changed_settings() {
    changed(&examples("seeds/settings", "toml", 1), settings::WORDS, 10_000, settings::check);
}

#[test]
fn changed_databases() {
    changed(&examples("seeds/database", "json", 1), database::WORDS, 6_000, database::check);
}

#[test]
fn datatypes_at_random() {
    formless(10_000, datatypes::check);
}

#[test]
fn redistributions_at_random() {
    formless(800, schedules::check);
}

#[cfg(feature = "server")]
#[test]
fn changed_messages() {
    use fuzz_checks::server;

    changed(&examples("seeds/server", "txt", 1), server::WORDS, 2_000, server::check);
}
