//! Writes `docs/compositions.md`: whether programs of `corpus/` that are exact stay so in other surroundings: `make compositions`.
//!
//! Which programs are chosen does not depend on the machine, nor does what is answered: two runs write the same.

mod surroundings;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use analyzer::results::{Severity, VerdictKind};
use anyrank::session::{self, Request};
use effort::Limits;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use surroundings::{Kind, ONCE, SURROUNDINGS, may_take_others, pair};

#[path = "../../tests/harness"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the corpus use more of it")]
mod harness {
    pub mod expectation;
    pub mod marks;
    pub mod program;
}

use harness::expectation::NpSet;
use harness::program::{self, Program};

/// The page.
const PAGE: &str = "docs/compositions.md";
/// Where programs are written.
const DIRECTORY: &str = "target/compositions";
/// Bytes of the stack of each thread.
const STACK: usize = 64 << 20;
/// Programs that are put into each of the surroundings, at most.
const PROGRAMS: usize = 8;
/// The seed of what is drawn.
const SEED: u64 = 37;

fn main() -> ExitCode {
    // Deep programs need deep stacks, as those of the command.
    let pool = ThreadPoolBuilder::new().stack_size(STACK).build();
    match pool.map_err(|error| error.to_string()).and_then(|pool| pool.install(write)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A program in other surroundings.
struct Composition {
    /// The program, or both.
    of: String,
    files: Vec<PathBuf>,
}

/// What comes out of one.
enum Outcome {
    Exact,
    /// Why it is not exact.
    Not(String),
    /// It is no right program any more: a compiler refuses it, or an exploration of 2 to 5 processes finds an error.
    Wrong(String),
}

/// One of the surroundings, with what comes out of each program in it.
struct Row {
    name: String,
    kind: Kind,
    outcomes: Vec<(String, Outcome)>,
}

/// The programs that are exact for any number of processes, with their texts.
fn exact() -> Result<Vec<(Program, String)>, String> {
    let mut all = Vec::new();
    for program in program::collect(Path::new("corpus"))? {
        let is_exact =
            program.expectation.answer.iter().any(|line| line.starts_with("verdict: exact for any np >= 1"));
        let is_for_all = matches!(program.expectation.np, NpSet::From(0..=2));
        let [file] = program.files.as_slice() else { continue };
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let has_arguments = text.contains("int main(int argc, char **argv)")
            || text.contains("int main(int argc, char *argv[])");
        if is_exact
            && is_for_all
            && program.is_right()
            && has_arguments
            && program.expectation.compile_flags.is_empty()
            && program.expectation.run.is_none()
            && !ONCE.iter().any(|word| text.contains(word))
        {
            all.push((program, text));
        }
    }
    Ok(all)
}

/// Numbers that follow each other without an order that one sees (a linear congruential generator).
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end.max(1)
    }

    /// Some of these, in an order that is drawn.
    fn some<T>(&mut self, mut all: Vec<T>, most: usize) -> Vec<T> {
        let count = all.len();
        for at in 0..most.min(count) {
            let other = at + self.below(count - at);
            all.swap(at, other);
        }
        all.truncate(most);
        all
    }
}

fn write() -> Result<(), String> {
    let programs = exact()?;
    fs::create_dir_all(DIRECTORY).map_err(|error| format!("{DIRECTORY}: {error}"))?;
    let mut rows: Vec<Row> = Vec::new();
    for (number, surrounding) in (0..).zip(SURROUNDINGS) {
        let mut draw = Draw(SEED + number);
        let mut all = Vec::new();
        for (program, text) in &programs {
            let file = absolute(&program.files[0])?;
            if let Some(around) = surrounding.put_around(text, &file) {
                all.push((program.name.clone(), around));
            }
        }
        let mut chosen = draw.some(all, PROGRAMS);
        chosen.sort();
        let mut compositions = Vec::new();
        for (of, texts) in chosen {
            let name = format!("{number}_{}", of.replace('/', "_"));
            let files = written(&name, &[("program", &texts[0]), ("main", &texts[1])])?;
            compositions.push(Composition { of, files });
        }
        let (name, kind) = (surrounding.name.to_owned(), surrounding.kind);
        rows.push(Row { name, kind, outcomes: outcomes(compositions)? });
        eprintln!("{}", surrounding.name);
    }
    let (name, kind) = ("after another program".to_owned(), Kind::Surroundings);
    rows.push(Row { name, kind, outcomes: outcomes(pairs(&programs)?)? });
    fs::write(PAGE, page(&rows, programs.len())).map_err(|error| format!("{PAGE}: {error}"))
}

/// Pairs of programs, one after the other.
fn pairs(programs: &[(Program, String)]) -> Result<Vec<Composition>, String> {
    let mut draw = Draw(SEED);
    let mut all = Vec::new();
    let mut tried = 0;
    while all.len() < PROGRAMS && tried < 4 * PROGRAMS {
        tried += 1;
        let [first, second] = [0; 2].map(|_: i32| &programs[draw.below(programs.len())]);
        if may_take_others(&first.1) || may_take_others(&second.1) {
            continue;
        }
        let texts = pair(&absolute(&first.0.files[0])?, &absolute(&second.0.files[0])?);
        let parts = [("first", &*texts[0]), ("second", &texts[1]), ("main", &texts[2])];
        let files = written(&format!("pair{tried}"), &parts)?;
        all.push(Composition { of: format!("{}, {}", first.0.name, second.0.name), files });
    }
    Ok(all)
}

/// Writes the files of a program.
fn written(name: &str, parts: &[(&str, &str)]) -> Result<Vec<PathBuf>, String> {
    let one = |(part, text): &(&str, &str)| {
        let file = Path::new(DIRECTORY).join(format!("{name}_{part}.c"));
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(file)
    };
    parts.iter().map(one).collect()
}

fn absolute(file: &Path) -> Result<String, String> {
    let path = fs::canonicalize(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(path.display().to_string())
}

fn outcomes(all: Vec<Composition>) -> Result<Vec<(String, Outcome)>, String> {
    all.into_par_iter().map(|one| Ok((one.of.clone(), outcome(&one)?))).collect()
}

fn outcome(of: &Composition) -> Result<Outcome, String> {
    // What no compiler takes is no program: names that both of a pair have, for example.
    let mut compiler = Command::new("mpicc");
    let object = of.files[0].with_extension("out");
    compiler.arg("-w").args(&of.files).arg("-o").arg(&object).arg("-lm");
    let compiled = compiler.output().map_err(|error| format!("mpicc: {error}"))?;
    if !compiled.status.success() {
        return Ok(Outcome::Wrong("a compiler refuses it".to_owned()));
    }
    fs::remove_file(&object).map_err(|error| format!("{}: {error}", object.display()))?;
    let limits = Limits::default();
    let request = Request { unit_rules: false, jobs: Some(1), limits, ..Request::new(of.files.clone()) };
    let outcome = session::analyse(&request).map_err(|failure| failure.to_string())?.outcome;
    if let Some(error) = outcome.errors.first() {
        return Err(format!("{}: {}", error.file, error.message));
    }
    let [report] = outcome.programs.as_slice() else {
        return Err(format!("{}: {} programs where one was expected", of.of, outcome.programs.len()));
    };
    if let Some(finding) = report.findings.iter().find(|finding| finding.severity == Severity::Error) {
        return Ok(Outcome::Wrong(finding.rule.id().to_owned()));
    }
    Ok(match report.verdict.kind {
        VerdictKind::Exact => Outcome::Exact,
        _ => {
            let reason = report.verdict.reasons.first().cloned().unwrap_or_default();
            // Wherever the project lies.
            let here = std::env::current_dir().map_err(|error| error.to_string())?;
            Outcome::Not(reason.replace(&format!("{}/", here.display()), ""))
        }
    })
}

fn page(rows: &[Row], programs: usize) -> String {
    let mut text = format!(
        "# Compositions\n\n\
         Whether an answer stays what it is where a program is put into other surroundings, or is written otherwise.\n\
         The {programs} programs of [corpus/](../corpus/README.md) that are exact for any number of processes and may be part of another\n\
         program are included by programs around them, up to {PROGRAMS} for each of the surroundings, drawn with a fixed seed.\n\
         Those that are no right programs there are left out: a compiler refuses them, or an exploration of 2 to 5 processes finds an error\n\
         (a program that needs three processes does not run on half of them).\n\
         `make compositions` writes this page.\n"
    );
    for (kind, title) in
        [(Kind::Surroundings, "Surroundings"), (Kind::Modes, "Calls"), (Kind::Spelling, "Spelling")]
    {
        let _ = writeln!(text, "\n## {title}\n\n| program | right | exact | share |\n|---|---|---|---|");
        for Row { name, outcomes, .. } in rows.iter().filter(|row| row.kind == kind) {
            let exact = outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Exact)).count();
            let wrong = outcomes.iter().filter(|(_, outcome)| matches!(outcome, Outcome::Wrong(_))).count();
            let right = outcomes.len() - wrong;
            let share = (100 * exact).checked_div(right).unwrap_or(0);
            let _ = writeln!(text, "| {name} | {right} | {exact} | {share} % |");
        }
    }
    let _ = writeln!(text, "\n## What is left\n\n| where | program | because |\n|---|---|---|");
    for Row { name, outcomes, .. } in rows {
        for (of, outcome) in outcomes {
            if let Outcome::Not(reason) = outcome {
                let of = of.replace('_', " ");
                let _ = writeln!(text, "| {name} | {of} | {} |", reason.replace('|', "\\|"));
            }
        }
    }
    let mut wrong: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for Row { name, outcomes, .. } in rows {
        for (_, outcome) in outcomes {
            if let Outcome::Wrong(why) = outcome {
                *wrong.entry((name, why)).or_default() += 1;
            }
        }
    }
    let _ = writeln!(text, "\n## What is left out\n\n| where | why | programs |\n|---|---|---|");
    for ((name, why), count) in wrong {
        let _ = writeln!(text, "| {name} | {why} | {count} |");
    }
    text
}
