//! The programs on the pages of the rules: what a page shows as failing is found, and what it shows as corrected is right.
//!
//! One test per rule and aspect: `cargo test --test pages unsafe-send`, `cargo test --test pages ::corrected`.

#![allow(unreachable_pub, reason = "nothing is reachable from outside of a test program")]

#[path = "support/held.rs"]
mod held;
#[path = "support/mpi_run.rs"]
mod mpi_run;

use std::fs;
use std::process::ExitCode;

use analyzer::results::{Finding, Severity};
use analyzer::rules::Rule;
use anyrank::session::{self, Request};
use held::Key;
use libtest_mimic::{Arguments, Failed, Trial};
use mpi_run::{Mpi, compile};
use tempfile::TempDir;

/// The text that makes and judges the runs.
const HOW: [&str; 2] = [include_str!("pages.rs"), include_str!("support/mpi_run.rs")];

/// Number of ranks that corrected programs are run with.
const RANKS: usize = 4;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials = Rule::ALL.iter().flat_map(|&rule| {
        let trial = |aspect: &str, check: fn(Rule) -> Result<(), String>| {
            Trial::test(format!("{rule}::{aspect}"), move || {
                check(rule).map_err(|message| Failed::from(format!("\n{message}")))
            })
        };
        [trial("failing", failing), trial("corrected", corrected), trial("run-mpich", runs)]
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    print!("{}", held::summary());
    conclusion.exit_code()
}

/// The program of a section, in a file of its own.
fn program(rule: Rule, section: &str) -> Result<(TempDir, std::path::PathBuf), String> {
    let text = rule.section(section).ok_or_else(|| format!("no section `{section}`"))?;
    let text = text.split("```c\n").nth(1).ok_or_else(|| format!("`{section}` has no program"))?;
    let text = text.split("```").next().unwrap_or(text);
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("page.c");
    fs::write(&file, text).map_err(|error| error.to_string())?;
    Ok((directory, file))
}

/// What is found in the program of a section, apart from notes.
fn findings(rule: Rule, section: &str) -> Result<Vec<Finding>, String> {
    let (_directory, file) = program(rule, section)?;
    let request = Request { jobs: Some(1), ..Request::new(vec![file]) };
    let answer = session::analyse(&request).map_err(|failure| failure.to_string())?;
    if !answer.outcome.errors.is_empty() {
        return Err(format!("{:#?}", answer.outcome.errors));
    }
    let mut findings = answer.outcome.findings;
    findings.retain(|finding| finding.rule == rule || finding.severity != Severity::Note);
    Ok(findings)
}

fn failing(rule: Rule) -> Result<(), String> {
    let found = findings(rule, "A failing program")?;
    if !found.is_empty() && found.iter().all(|finding| finding.rule == rule) {
        return Ok(());
    }
    Err(format!("{rule} and nothing else was to be found in the failing program: {found:#?}"))
}

fn corrected(rule: Rule) -> Result<(), String> {
    let found = findings(rule, "A corrected program")?;
    if found.is_empty() { Ok(()) } else { Err(format!("found in the corrected program: {found:#?}")) }
}

fn runs(rule: Rule) -> Result<(), String> {
    let (_directory, file) = program(rule, "A corrected program")?;
    let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"];
    let text = fs::read(&file).map_err(|error| error.to_string())?;
    let key = Key::new(&HOW).and_commands([Mpi::Mpich.mpicc(), Mpi::Mpich.launcher()]).and(text);
    held::check(&key, || {
        let compiled = compile(Mpi::Mpich, &[&file], &flags)?;
        let options = mpi_run::Options { trace: false, ..mpi_run::Options::default() };
        let outcome = compiled.run(RANKS, options)?;
        if outcome.succeeded() { Ok(()) } else { Err(format!("{:?}\n{}", outcome.status, outcome.stderr)) }
    })
}
