//! `anyrank suggest`: what could be written instead.
//!
//! Crate `rewrite` says what, and with which edit. Here each edit is tried in memory first: it is shown or made only where the program
//! that it makes, analysed again, is decided as well as before, has no new finding, and communicates as before but for the calls that
//! the edit takes away.

mod compare;
mod proofs;

use std::path::Path;

use analyzer::results::Suggestion;
use analyzer::rules::Rule;
use report::text::{self, Detail};
use report::{InputError, Outcome, Sources, json};

use crate::cli::{Suggest, SuggestFormat};
use crate::exit::{Exit, Failure};
use crate::fix::Fixed;
use crate::session::{self, Request};
use crate::settings::Settings;
use crate::{excerpts, output};
use proofs::Edited;
pub(crate) use proofs::{Left, Proofs};

/// Edits are made one after the other, as one may change what another is about; so many at most in one run.
const ROUNDS: usize = 64;

/// Analyses and prints.
pub(crate) fn run(options: &Suggest) -> Result<Exit, Failure> {
    let common = &options.common;
    let settings = Settings::find(&options.paths)?;
    let selection = settings.selection(&options.select, &options.ignore, None)?;
    let request = Request {
        unit_rules: true,
        suggest: settings.opportunities(&selection),
        ..settings.request(&options.paths, common)
    };
    let wanted = |suggestion: &Suggestion| {
        let mut note = suggestion.note();
        settings.regrade(&mut note) && selection.admits(&note)
    };
    let mut answer = session::analyse(&request)?;
    if answer.outcome.programs.is_empty() && answer.outcome.errors.iter().all(|error| !error.fatal) {
        session::complain(&answer.outcome.errors, common.detail());
        return Err(Failure::new("no program here: none of the files defines `main`"));
    }
    let file = common.output.as_deref();
    let left = Left::of(&request);
    let mut made = None;
    if options.apply || options.format == SuggestFormat::Diff {
        let Followed { mut changes, number, late } = follow(&request, &answer.outcome, wanted, &left)?;
        if options.format == SuggestFormat::Diff {
            answer.outcome.errors.extend(late);
            session::complain(&answer.outcome.errors, common.detail());
            output::write(&changes.patch(), file, common.color)?;
            return Ok(exit(&answer.outcome));
        }
        session::unless_interrupted()?;
        let unwritten = changes.write();
        if number > 0 {
            answer = session::analyse(&request)?;
        }
        answer.outcome.errors.extend(unwritten);
        made = Some((number, changes.numbers().1));
    }
    let mut suggestions = answer.outcome.suggestions.clone();
    suggestions.retain(wanted);
    let late = Proofs::new(&request, &answer.outcome, &left).attempt(&mut suggestions)?;
    answer.outcome.errors.extend(late);
    let outcome = &answer.outcome;
    session::complain(&outcome.errors, common.detail());
    match options.format {
        SuggestFormat::Json => {
            let text = session::json(json::suggestions(outcome, &suggestions))?;
            output::write_bytes(text.as_bytes(), file)?;
        }
        SuggestFormat::Text | SuggestFormat::Diff => {
            let sources = sources_of(&suggestions);
            let width = output::width(file);
            let mut text: String =
                suggestions.iter().map(|suggestion| text::suggestion(suggestion, &sources, width)).collect();
            if common.detail() != Detail::Quiet {
                text.push_str(&text::suggestions_summary(outcome, &suggestions, made));
            }
            output::write(&text, file, common.color)?;
        }
    }
    Ok(exit(outcome))
}

/// Suggestions are no defects; inputs that could not be read are.
fn exit(outcome: &Outcome) -> Exit {
    if outcome.errors.iter().any(|error| error.fatal) { Exit::Failed } else { Exit::Clean }
}

/// What has become of the edits that are proved.
struct Followed {
    changes: Fixed,
    /// How many were made.
    number: usize,
    /// What is said of those that were not tried.
    late: Vec<InputError>,
}

/// A suggestion wherever it is, as that changes with each edit: its rule, its message and the texts of its edit.
type Key = (Rule, String, Vec<String>);

fn key(suggestion: &Suggestion) -> Key {
    let edits = suggestion.edit.iter().flat_map(|fix| &fix.edits);
    (suggestion.rule, suggestion.message.clone(), edits.map(|edit| edit.text.clone()).collect())
}

/// Makes the edits that are proved, in memory: those of collectives together as far as that leaves nothing over, others one by one.
fn follow(
    request: &Request,
    outcome: &Outcome,
    wanted: impl Fn(&Suggestion) -> bool,
    left: &Left,
) -> Result<Followed, Failure> {
    let mut request = Request { quiet: true, ..request.clone() };
    let mut outcome = outcome.clone();
    let mut followed = Followed { changes: Fixed::default(), number: 0, late: Vec::new() };
    let mut refused: Vec<Key> = Vec::new();
    for _ in 0..ROUNDS {
        let mut open: Vec<Suggestion> = outcome.suggestions.clone();
        open.retain(|s| s.edit.is_ok() && wanted(s) && !refused.contains(&key(s)));
        let mut proofs = Proofs::new(&request, &outcome, left);
        let Some((texts, number)) = next(&mut proofs, open, &mut refused)? else {
            followed.late = proofs.late();
            break;
        };
        for (file, (old, new)) in texts {
            request.overlay.insert(Path::new(&file), new.as_str());
            followed.changes.change(&file, &old, new);
        }
        followed.number += number;
        outcome = session::analyse(&request)?.outcome;
        session::unless_interrupted()?;
    }
    Ok(followed)
}

/// The texts after the next edits, and how many these are.
fn next(
    proofs: &mut Proofs<'_>,
    open: Vec<Suggestion>,
    refused: &mut Vec<Key>,
) -> Result<Option<(Edited, usize)>, Failure> {
    // A variable that all of them share is left to the last of them, which takes it away.
    let together = proofs.together(&open.iter().collect::<Vec<_>>());
    for number in [together.len(), together.len().saturating_sub(1)] {
        if 1 < number
            && let Some(texts) = proofs.joint(&together[..number])?
        {
            return Ok(Some((texts, number)));
        }
    }
    for suggestion in open {
        match proofs.one(&suggestion)? {
            Some(Ok(texts)) => return Ok(Some((texts, 1))),
            Some(Err(_)) => refused.push(key(&suggestion)),
            None => {}
        }
    }
    Ok(None)
}

/// The files that suggestions show.
fn sources_of(suggestions: &[Suggestion]) -> Sources {
    excerpts::read(suggestions.iter().flat_map(|suggestion| {
        let edits = suggestion.edit.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.range);
        let related = suggestion.related.iter().map(|related| &related.range);
        std::iter::once(&suggestion.range).chain(related).chain(edits)
    }))
}
