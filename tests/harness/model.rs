//! What the model says about a program, for any number of processes, against an exploration process by process.

use std::collections::BTreeMap;

use analyzer::results::{ProgramReport, Severity, VerdictKind};
use extraction::{Extracted, extract};
use frontend::program::Program;
use model::{How, Matching};
use presburger::Context;

/// What the model may take, in operations of integer sets.
const BUDGET: u64 = 300_000;
/// Messages that are listed, at most.
const MOST: usize = 20_000;

/// A program that the model has an answer for: every send meets one receive, and nobody waits for ever.
pub struct Decided {
    found: Extracted,
    matching: Matching,
}

/// The answer of the model, if it has one that depends on the number of processes alone.
///
/// # Errors
///
/// Where the model contradicts itself.
pub fn decided(program: &Program) -> Result<Option<Decided>, String> {
    let Ok(context) = Context::with_budget(BUDGET) else { return Ok(None) };
    let Ok(found) = extract(program, &context) else { return Ok(None) };
    if found.program.known().parameters().is_ok_and(|names| names != ["np"]) {
        return Ok(None);
    }
    let of_program = &found.program;
    let (Ok(matching), Ok(Some(together))) = (of_program.matching(), of_program.collectives()) else {
        return Ok(None);
    };
    if matching.how == How::AnyOrder || !matching.is_whole().is_ok_and(|is_whole| is_whole) {
        return Ok(None);
    }
    let ends = matches!(of_program.clock(&matching, &together, false), Ok(Some(_)));
    Ok(ends.then_some(Decided { found, matching }))
}

impl Decided {
    /// What differs at this number of processes.
    ///
    /// # Errors
    ///
    /// That something differs.
    pub fn compare(&self, program: &Program, np: u64, run: &ProgramReport) -> Result<(), String> {
        let Some(explored) = &run.topology.instance else { return Ok(()) };
        // The model is only told of communication: a program that breaks a rule elsewhere ends there.
        let breaks = run.findings.iter().any(|finding| finding.severity == Severity::Error);
        if run.verdict.kind == VerdictKind::Unknown || breaks {
            return Ok(());
        }
        let values = BTreeMap::from([("np".to_owned(), i64::try_from(np).unwrap_or(i64::MAX))]);
        let said = self.found.messages(&self.matching, &values, MOST).map_err(|error| error.to_string())?;
        let mut of_model: BTreeMap<(i64, i64, u32, u32), i64> = BTreeMap::new();
        for message in said {
            let line = |site: &extraction::CallSite| program.units[site.function.unit].locate(site.span).line;
            let key = (message.from, message.to, line(message.send), line(message.receive));
            *of_model.entry(key).or_default() += 1;
        }
        let mut of_run: BTreeMap<(i64, i64, u32, u32), i64> = BTreeMap::new();
        for message in &explored.messages {
            let rank = |rank: u64| i64::try_from(rank).unwrap_or(i64::MAX);
            let key = (rank(message.from), rank(message.to), message.send_line, message.recv_line);
            let Some(repeat) = message.repeat else { return Ok(()) };
            *of_run.entry(key).or_default() += repeat;
        }
        if of_model == of_run {
            return Ok(());
        }
        Err(format!("np = {np}, (from, to, line, line): number\nmodel {of_model:?}\nexplored {of_run:?}"))
    }
}
