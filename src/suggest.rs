//! `anyrank suggest`: what could be written instead.
//!
//! Crate `rewrite` says what, and with which edit. Here each edit is tried in memory first: it is shown or made only where the program
//! that it makes, analysed again, is decided as well as before, has no new finding, and communicates as before but for the calls that
//! the edit takes away.

use std::collections::BTreeMap;
use std::path::Path;

use analyzer::results::{
    Agreement, Channel, Collective, Edit, Fix, Instance, Message, Pairing, ProgramReport, SourceRange,
    Suggestion, Verdict, VerdictKind,
};
use analyzer::rules::Rule;
use report::text::{self, Detail};
use report::{Outcome, Sources, json};
use rewrite::{Shift, apply};

use crate::cli::{Suggest, SuggestFormat};
use crate::exit::{Exit, Failure};
use crate::fix::{Fixed, Trial, read};
use crate::session::{self, Request};
use crate::settings::Settings;
use crate::{excerpts, output};

/// Edits are made one after the other, as one may change what another is about; so many at most in one run.
const ROUNDS: usize = 64;
/// Numbers of processes at which the messages of an edited program are compared one by one.
const COMPARED: [u64; 5] = [1, 2, 3, 4, 7];

/// Analyses and prints.
pub(crate) fn run(options: &Suggest) -> Result<Exit, Failure> {
    let common = &options.common;
    let settings = Settings::find(&options.paths)?;
    let selection = settings.selection(&options.select, &options.ignore, None)?;
    let request = Request { unit_rules: true, ..settings.request(&options.paths, common) };
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
    let mut made = None;
    if options.apply || options.format == SuggestFormat::Diff {
        let (mut changes, number) = follow(&request, &answer.outcome, wanted)?;
        if options.format == SuggestFormat::Diff {
            session::complain(&answer.outcome.errors, common.detail());
            output::write(&changes.patch(), file, common.color)?;
            return Ok(exit(&answer.outcome));
        }
        let unwritten = changes.write();
        if number > 0 {
            answer = session::analyse(&request)?;
        }
        answer.outcome.errors.extend(unwritten);
        made = Some((number, changes.numbers().1));
    }
    let outcome = &answer.outcome;
    let mut suggestions = outcome.suggestions.clone();
    suggestions.retain(wanted);
    for suggestion in &mut suggestions {
        prove(&request, outcome, suggestion)?;
    }
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

/// Makes the edits that are proved, one after the other, in memory. Returns how many.
fn follow(
    request: &Request,
    outcome: &Outcome,
    wanted: impl Fn(&Suggestion) -> bool,
) -> Result<(Fixed, usize), Failure> {
    let mut request = Request { quiet: true, ..request.clone() };
    let mut outcome = outcome.clone();
    let mut changes = Fixed::default();
    let mut refused: Vec<(Rule, String, Vec<String>)> = Vec::new();
    let mut number = 0;
    for _ in 0..ROUNDS {
        let mut next = None;
        for mut suggestion in outcome.suggestions.iter().filter(|suggestion| wanted(suggestion)).cloned() {
            let Ok(fix) = &suggestion.edit else { continue };
            // Where it is changes with each edit.
            let texts = fix.edits.iter().map(|edit| edit.text.clone()).collect();
            let key = (suggestion.rule, suggestion.message.clone(), texts);
            if refused.contains(&key) {
                continue;
            }
            match prove(&request, &outcome, &mut suggestion)? {
                Some(texts) => {
                    next = Some(texts);
                    break;
                }
                None => refused.push(key),
            }
        }
        let Some(texts) = next else { break };
        for (file, (old, new)) in texts {
            request.overlay.insert(Path::new(&file), new.as_str());
            changes.change(&file, &old, new);
        }
        number += 1;
        outcome = session::analyse(&request)?.outcome;
    }
    Ok((changes, number))
}

/// Texts of files, before and after.
pub(crate) type Edited = BTreeMap<String, (String, String)>;

/// Tries the edit of a suggestion, and takes it back where it is not proved. Returns the texts that it makes.
///
/// # Errors
/// See [`session::analyse`].
pub(crate) fn prove(
    request: &Request,
    before: &Outcome,
    suggestion: &mut Suggestion,
) -> Result<Option<Edited>, Failure> {
    let Ok(fix) = &suggestion.edit else { return Ok(None) };
    match try_out(request, before, suggestion, fix)? {
        Ok(texts) => Ok(Some(texts)),
        Err(why) => {
            suggestion.edit = Err(why);
            Ok(None)
        }
    }
}

fn try_out(
    request: &Request,
    before: &Outcome,
    suggestion: &Suggestion,
    fix: &Fix,
) -> Result<Result<Edited, String>, Failure> {
    let unfit = || Ok(Err("the edit does not fit into the text".to_owned()));
    let mut edits: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
    for edit in &fix.edits {
        edits.entry(&edit.range.file).or_default().push(edit.clone());
    }
    let only = edits.keys().map(|&file| file.to_owned()).collect();
    let mut trial = Request { quiet: true, uniformity: true, only: Some(only), ..request.clone() };
    let (mut texts, mut shifts) = (Edited::new(), BTreeMap::new());
    for (&file, edits) in &edits {
        let path = Path::new(file);
        let old = request.overlay.get(path).map(|text| text.to_string()).or_else(|| read(path));
        let Some(old) = old else { return unfit() };
        let Some(new) = apply(&old, edits) else { return unfit() };
        shifts.insert(file.to_owned(), Shift::new(&old, &new, edits));
        trial.overlay.insert(path, new.as_str());
        texts.insert(file.to_owned(), (old, new));
    }
    let after = session::analyse(&trial)?.outcome;
    if !Trial::new(before, &after, shifts).is_clean() {
        return Ok(Err("the edited program has findings that this one does not have".to_owned()));
    }
    let calls: Vec<&SourceRange> =
        std::iter::once(&suggestion.range).chain(suggestion.related.iter().map(|r| &r.range)).collect();
    for new in &after.programs {
        let Some(old) = before.programs.iter().find(|old| old.entry == new.entry) else { continue };
        if !is_as_well_known(&old.verdict, &new.verdict) {
            return Ok(Err("less is known about the edited program".to_owned()));
        }
        let same = match suggestion.rule {
            Rule::UseSendrecv | Rule::OverlapCommunication => same_messages(request, &trial, messages)?,
            Rule::UseDatatype => same_messages(request, &trial, bytes)?,
            Rule::SimplifyDatatype => same_topology(old, new),
            _ => is_collective_instead(old, new, &calls, operation_of(fix)),
        };
        if !same {
            return Ok(Err(
                "it is not proved that the edited program communicates as this one does".to_owned()
            ));
        }
    }
    Ok(Ok(texts))
}

/// Whether a verdict says as much as an earlier one, of as many numbers of processes and assuming no more.
fn is_as_well_known(old: &Verdict, new: &Verdict) -> bool {
    // Where a line is has changed.
    let words = |assumption: &String| match assumption.split_once(": ") {
        Some((place, words)) if place.contains("line ") => words.to_owned(),
        _ => assumption.clone(),
    };
    let before: Vec<String> = old.assumptions.iter().map(words).collect();
    let assumed = new.assumptions.iter().map(words).all(|assumption| before.contains(&assumption));
    new.kind == VerdictKind::Exact && assumed && (new.np == old.np || new.np == "any np >= 1")
}

/// The operation that an edit brings in.
fn operation_of(fix: &Fix) -> &str {
    let words = fix.edits.iter().flat_map(|edit| edit.text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.into_iter().find(|word| frontend::mpi::lookup(word).is_some()).unwrap_or_default()
}

/// Whether a program communicates as an earlier one, but for the channels of some calls, in place of which there is one collective of
/// all processes; and whether all of these say that its blocks have the same length.
fn is_collective_instead(
    old: &ProgramReport,
    new: &ProgramReport,
    calls: &[&SourceRange],
    operation: &str,
) -> bool {
    let is_gone =
        |channel: &&Channel| calls.contains(&&channel.send.range) || calls.contains(&&channel.recv.range);
    let gone: Vec<&Channel> = old.topology.channels.iter().filter(is_gone).collect();
    let left = old.topology.channels.iter().filter(|channel| !is_gone(channel)).map(channel_text);
    if sorted(left) != sorted(new.topology.channels.iter().map(channel_text)) {
        return false;
    }
    let mut added: Vec<&Collective> = new.topology.collectives.iter().collect();
    for collective in &old.topology.collectives {
        match added.iter().position(|other| collective_text(other) == collective_text(collective)) {
            Some(at) => drop(added.remove(at)),
            None => return false,
        }
    }
    let Some(first) = gone.first() else {
        // Another program of the same file, which does not come there.
        return added.is_empty();
    };
    // Of one channel it is known how often all pairs communicate, and with whom.
    let (root, repeat) = match (gone.as_slice(), &first.pairing) {
        ([_], Pairing::RootToOthers(root) | Pairing::OthersToRoot(root)) => (Some(root), Some(&first.repeat)),
        // Statements that all processes come to equally often.
        _ => (None, None),
    };
    let is_meant = |collective: &&Collective| {
        collective.operation == operation
            && root.is_none_or(|root| collective.root.as_ref() == Some(root))
            && gone.iter().all(|channel| channel.communicator == collective.communicator)
            && repeat.is_none_or(|repeat| collective.repeat == *repeat)
            && (!has_counts(operation) || agrees_on_counts(new, collective))
    };
    // A process that is alone makes the call of the root only.
    let mut ranks: Vec<&str> = added.iter().map(|collective| collective.ranks.as_str()).collect();
    ranks.sort_unstable();
    let everyone: [&[&str]; 2] = [&["[0..np-1]"], &["[0..np-1] for np = 1", "[0..np-1] for np >= 2"]];
    everyone.contains(&ranks.as_slice()) && added.iter().all(is_meant)
}

/// Whether a program communicates as an earlier one.
fn same_topology(old: &ProgramReport, new: &ProgramReport) -> bool {
    let channels = |program: &ProgramReport| sorted(program.topology.channels.iter().map(channel_text));
    let collectives =
        |program: &ProgramReport| sorted(program.topology.collectives.iter().map(collective_text));
    channels(old) == channels(new) && collectives(old) == collectives(new)
}

/// Whether an operation is told how many elements there are.
fn has_counts(operation: &str) -> bool {
    frontend::mpi::lookup(operation)
        .is_some_and(|function| function.params.iter().any(|param| param.role == frontend::mpi::Role::Count))
}

/// Whether all calls of a collective name one number of elements for all processes.
fn agrees_on_counts(program: &ProgramReport, collective: &Collective) -> bool {
    let Some(uniform) = &program.uniformity else { return false };
    let counts = uniform.iter().filter(|argument| {
        argument.argument.ends_with("count")
            && collective.sites.iter().any(|site| site.range == argument.range)
    });
    let mut forms = Vec::new();
    for count in counts {
        match &count.agreement {
            Agreement::Same(Some(form)) => forms.push((&count.range, form)),
            _ => return false,
        }
    }
    let all_sites = collective.sites.iter().all(|site| forms.iter().any(|(range, _)| **range == site.range));
    all_sites && forms.windows(2).all(|pair| pair[0].1 == pair[1].1)
}

/// Whether two versions of a program exchange the same messages, for some numbers of processes.
fn same_messages(
    before: &Request,
    after: &Request,
    listed: fn(&Instance) -> Vec<String>,
) -> Result<bool, Failure> {
    for np in COMPARED {
        let at = |request: &Request| -> Result<Vec<Option<Vec<String>>>, Failure> {
            let request = Request {
                quiet: true,
                unit_rules: false,
                uniformity: false,
                instance: Some(np),
                only: after.only.clone(),
                ..request.clone()
            };
            let outcome = session::analyse(&request)?.outcome;
            Ok(outcome
                .programs
                .iter()
                .map(|program| program.topology.instance.as_ref().map(listed))
                .collect())
        };
        if at(before)? != at(after)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Messages and collectives without the places of the calls.
fn messages(instance: &Instance) -> Vec<String> {
    listed(instance, |m| format!("{} {:?} {}", without_datatype(m), m.count, m.datatype))
}

/// Messages without the places of the calls and without how their bytes are described, and collectives.
fn bytes(instance: &Instance) -> Vec<String> {
    listed(instance, without_datatype)
}

fn without_datatype(m: &Message) -> String {
    format!("{} {} {} {:?} {:?} {:?}", m.from, m.to, m.communicator, m.tag, m.bytes, m.repeat)
}

fn listed(instance: &Instance, message: impl Fn(&Message) -> String) -> Vec<String> {
    let collectives = instance
        .collectives
        .iter()
        .map(|c| format!("{} {:?} {:?} {:?}", c.operation, c.ranks, c.root, c.repeat));
    sorted(instance.messages.iter().map(message).chain(collectives))
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = texts.collect();
    all.sort_unstable();
    all
}

/// What a channel says apart from the places of its calls.
fn channel_text(c: &Channel) -> String {
    [
        &c.send.operation,
        &c.recv.operation,
        &c.senders,
        &c.partner,
        &c.receivers,
        &c.source,
        &c.communicator,
        &c.tag,
        &c.count,
        &c.datatype,
        &c.repeat,
    ]
    .map(String::as_str)
    .join("|")
}

fn collective_text(c: &Collective) -> String {
    let root = c.root.as_deref().unwrap_or("-");
    [c.operation.as_str(), &c.ranks, root, &c.communicator, &c.repeat].join("|")
}

/// The files that suggestions show.
fn sources_of(suggestions: &[Suggestion]) -> Sources {
    excerpts::read(suggestions.iter().flat_map(|suggestion| {
        let edits = suggestion.edit.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.range);
        let related = suggestion.related.iter().map(|related| &related.range);
        std::iter::once(&suggestion.range).chain(related).chain(edits)
    }))
}
