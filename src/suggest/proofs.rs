//! Proofs that edits keep what a program does: the edited program is analysed, and compared with the one before.
//!
//! Edits that bring in collectives, and those of datatypes, are tried together, since an analysis of the program shows of each of them
//! whether its own call does what its messages did, and whether all else is as before; halves of them where that fails.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use analyzer::results::{Edit, Fix, Instance, SourceRange, Suggestion};
use analyzer::rules::Rule;
use report::{InputError, Outcome};
use rewrite::{Shift, SourceFile, apply, idle_variables, overlaps};

use super::compare::{
    Exchange, agree_on_numbers, are_collectives_instead, bytes, calls_instead, is_as_well_known, is_in,
    messages, same_topology,
};
use crate::exit::Failure;
use crate::fix::{Trial, read};
use crate::interrupt;
use crate::session::{self, Request};

/// Numbers of processes at which the messages of an edited program are compared one by one.
const COMPARED: [u64; 5] = [1, 2, 3, 4, 7];
/// The same for exchanges in grids, which then have one direction, or two or three.
const OF_GRIDS: [u64; 7] = [1, 2, 3, 4, 6, 7, 8];
/// Why an edit is not made.
const OTHERWISE: &str = "it is not proved that the edited program communicates as this one does";
/// Trying edits takes at most so many times the work that a program may take.
const LIMIT: u64 = 3;

/// Texts of files, before and after.
pub(super) type Edited = BTreeMap<String, (String, String)>;

/// Texts that are proved, or why they are not.
type Proof = Result<Edited, String>;

/// Messages of all programs at one number of processes.
type Listed = Vec<Option<Instance>>;

/// The work that may still be done to try edits, in units of crate `effort`. It is counted: which edits are tried does not depend on
/// the machine.
pub(crate) struct Left(Cell<u64>);

impl Left {
    /// As much as may be done for a request.
    pub(crate) fn of(request: &Request) -> Self {
        Self(Cell::new(request.limits.work.saturating_mul(LIMIT)))
    }

    fn is_none(&self) -> bool {
        self.0.get() == 0
    }

    /// Counts the work that an outcome took.
    fn count(&self, outcome: &Outcome) {
        let work = outcome.programs.iter().map(|program| program.work).sum::<u64>();
        self.0.set(self.0.get().saturating_sub(work));
    }
}

/// Proofs about one version of the files.
pub(crate) struct Proofs<'a> {
    request: &'a Request,
    before: &'a Outcome,
    left: &'a Left,
    /// Messages of this version, by the number of processes and the files that were asked about.
    listed: BTreeMap<(u64, BTreeSet<String>), Listed>,
    /// How many suggestions were not tried, by the files that they are about.
    late: BTreeMap<String, usize>,
}

/// Edits that are made at the same time.
struct Change<'s> {
    parts: Vec<(&'s Suggestion, &'s Fix)>,
    texts: Edited,
    shifts: BTreeMap<String, Shift>,
}

impl<'a> Proofs<'a> {
    /// Proofs about the files of `request`, of which `before` is known.
    pub(crate) fn new(request: &'a Request, before: &'a Outcome, left: &'a Left) -> Self {
        Self { request, before, left, listed: BTreeMap::new(), late: BTreeMap::new() }
    }

    /// Tries the edits of suggestions, and takes back those that are not proved. Leaves out the suggestions that there was no work
    /// left for, and returns what is to be said of them.
    ///
    /// # Errors
    /// See [`session::analyse`].
    pub(crate) fn attempt(&mut self, suggestions: &mut Vec<Suggestion>) -> Result<Vec<InputError>, Failure> {
        let mut outcomes: Vec<Option<Result<(), String>>> = vec![None; suggestions.len()];
        let joint = self.together(&suggestions.iter().collect::<Vec<_>>());
        let index = |wanted: &Suggestion| suggestions.iter().position(|s| std::ptr::eq(s, wanted));
        let mut parts: Vec<Vec<&Suggestion>> = vec![joint];
        while let Some(part) = parts.pop() {
            if part.len() < 2 {
                continue;
            }
            if self.trial(&part, false)?.is_some_and(|proof| proof.is_ok()) {
                part.iter().filter_map(|s| index(s)).for_each(|at| outcomes[at] = Some(Ok(())));
            } else {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second.to_vec(), first.to_vec()]);
            }
        }
        for (at, suggestion) in suggestions.iter().enumerate() {
            if outcomes[at].is_none() {
                outcomes[at] = match &suggestion.edit {
                    Err(why) => Some(Err(why.clone())),
                    Ok(_) => self.one(suggestion)?.map(|proof| proof.map(drop)),
                };
            }
        }
        let mut outcomes = outcomes.into_iter();
        suggestions.retain_mut(|suggestion| match outcomes.next().flatten() {
            None => false,
            Some(outcome) => {
                if let Err(why) = outcome {
                    suggestion.edit = Err(why);
                }
                true
            }
        });
        Ok(self.late())
    }

    /// What is to be said of suggestions that there was no work left for.
    pub(crate) fn late(&mut self) -> Vec<InputError> {
        let interrupted = interrupt::caught().map(interrupt::name);
        let said = |(file, number): (String, usize)| {
            let what = if number == 1 { "1 suggestion is" } else { &format!("{number} suggestions are") };
            if let Some(signal) = &interrupted {
                let message = format!("{what} left out: interrupted by {signal}");
                return InputError { file, message, fatal: false };
            }
            let message = format!(
                "{what} left out: trying their edits takes more than {LIMIT} times the work that a program may take; --time-limit raises it"
            );
            InputError { file, message, fatal: false }
        };
        std::mem::take(&mut self.late).into_iter().map(said).collect()
    }

    /// Those that may be tried together: each edit tells by its place what it does, and none touches another.
    pub(super) fn together<'s>(&self, suggestions: &[&'s Suggestion]) -> Vec<&'s Suggestion> {
        let mut taken: Vec<&Edit> = Vec::new();
        let mut all = Vec::new();
        for suggestion in suggestions {
            let is_fit = matches!(suggestion.rule, Rule::UseCollective | Rule::SimplifyDatatype);
            let Ok(fix) = &suggestion.edit else { continue };
            if is_fit && !fix.edits.iter().any(|edit| taken.iter().any(|other| overlaps(edit, other))) {
                taken.extend(&fix.edits);
                all.push(*suggestion);
            }
        }
        all
    }

    /// The texts after all these edits, if they are proved together and leave no variable over.
    ///
    /// # Errors
    /// See [`session::analyse`].
    pub(super) fn joint(&mut self, suggestions: &[&Suggestion]) -> Result<Option<Edited>, Failure> {
        Ok(self.trial(suggestions, true)?.and_then(Result::ok))
    }

    /// The texts after one edit, or why it is not proved; `None` where no work may be done any more.
    ///
    /// # Errors
    /// See [`session::analyse`].
    pub(super) fn one(&mut self, suggestion: &Suggestion) -> Result<Option<Proof>, Failure> {
        let proof = self.trial(&[suggestion], false)?;
        if proof.is_none() {
            *self.late.entry(suggestion.range.file.clone()).or_default() += 1;
        }
        Ok(proof)
    }

    /// Tries edits together; `tidy` asks that they leave no variable over. `None` where no work may be done any more.
    fn trial(&mut self, suggestions: &[&Suggestion], tidy: bool) -> Result<Option<Proof>, Failure> {
        if interrupt::is_due() || self.left.is_none() {
            return Ok(None);
        }
        let Some(change) = self.change(suggestions) else {
            return Ok(Some(Err("the edit does not fit into the text".to_owned())));
        };
        // A variable that is broadcast may be one that nothing else reads.
        let is_tidy = tidy || suggestions.iter().any(|suggestion| suggestion.rule == Rule::ShareConstant);
        if is_tidy && change.leaves_variables() {
            return Ok(Some(Err("a variable would be left over".to_owned())));
        }
        let proof = self.judge(change)?;
        // What was compared may not be complete.
        Ok((!interrupt::is_due()).then_some(proof))
    }

    /// The edits of suggestions; `None` where one does not fit into the text.
    fn change<'s>(&self, suggestions: &[&'s Suggestion]) -> Option<Change<'s>> {
        let mut parts = Vec::new();
        let mut edits: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
        for &suggestion in suggestions {
            let Ok(fix) = &suggestion.edit else { return None };
            parts.push((suggestion, fix));
            for edit in &fix.edits {
                edits.entry(&edit.range.file).or_default().push(edit.clone());
            }
        }
        let mut change = Change { parts, texts: Edited::new(), shifts: BTreeMap::new() };
        for (&file, edits) in &edits {
            let path = Path::new(file);
            let old = self.request.overlay.get(path).map(|text| text.to_string()).or_else(|| read(path))?;
            let new = apply(&old, edits)?;
            change.shifts.insert(file.to_owned(), Shift::new(&old, &new, edits));
            change.texts.insert(file.to_owned(), (old, new));
        }
        Some(change)
    }

    fn judge(&mut self, change: Change<'_>) -> Result<Proof, Failure> {
        let Change { parts, texts, shifts } = change;
        let is_of_grid = parts.iter().any(|(suggestion, _)| suggestion.rule == Rule::UseNeighborCollective);
        // What could be written instead of the edited text is no defect of it.
        let mut trial = Request {
            quiet: true,
            uniformity: true,
            instances: if is_of_grid { OF_GRIDS.to_vec() } else { Vec::new() },
            suggest: BTreeSet::new(),
            only: Some(texts.keys().cloned().collect()),
            ..self.request.clone()
        };
        for (file, (_, new)) in &texts {
            trial.overlay.insert(Path::new(file), new.as_str());
        }
        let after = session::analyse(&trial)?.outcome;
        self.left.count(&after);
        let is_collective = |rule| {
            !matches!(
                rule,
                Rule::UseSendrecv
                    | Rule::OverlapCommunication
                    | Rule::UseDatatype
                    | Rule::SimplifyDatatype
                    | Rule::ShareConstant
                    | Rule::UseNeighborCollective
            )
        };
        let exchanges: Vec<Exchange<'_>> = parts
            .iter()
            .filter(|(suggestion, _)| is_collective(suggestion.rule))
            .map(|(suggestion, fix)| {
                Exchange::new(suggestion, fix, |edit| shifts.get(&edit.range.file)?.brought(edit))
            })
            .collect();
        let mut same = true;
        for new in &after.programs {
            let Some(old) = self.before.programs.iter().find(|old| old.entry == new.entry) else { continue };
            if !is_as_well_known(&old.verdict, &new.verdict) {
                return Ok(Err("less is known about the edited program".to_owned()));
            }
            same &= match parts.as_slice() {
                [(Suggestion { rule: Rule::UseSendrecv | Rule::OverlapCommunication, .. }, _)] => {
                    self.same_messages(&trial, messages)?
                }
                [(Suggestion { rule: Rule::UseDatatype, .. }, _)] => self.same_messages(&trial, bytes)?,
                // All programs together are looked at below.
                [(Suggestion { rule: Rule::UseNeighborCollective, .. }, _)] => true,
                [(Suggestion { rule: Rule::ShareConstant, .. }, fix)] => same_topology(old, new, &fix.edits),
                _ if exchanges.is_empty() => same_topology(old, new, &[]),
                _ => are_collectives_instead(old, new, &exchanges),
            };
        }
        if !Trial::new(self.before, &after, shifts).is_clean() {
            return Ok(Err("the edited program has findings that this one does not have".to_owned()));
        }
        if let [(suggestion, fix)] = parts.as_slice()
            && suggestion.rule == Rule::UseNeighborCollective
            && let Err(why) = self.calls_instead(&trial, &after, (suggestion, fix))?
        {
            return Ok(Err(why));
        }
        if !same {
            return Ok(Err(OTHERWISE.to_owned()));
        }
        Ok(Ok(texts))
    }

    /// Whether an edited version of the programs exchanges the same messages, for some numbers of processes.
    fn same_messages(
        &mut self,
        after: &Request,
        said: fn(&Instance) -> Vec<String>,
    ) -> Result<bool, Failure> {
        let only = after.only.clone().unwrap_or_default();
        for np in COMPARED {
            let key = (np, only.clone());
            if !self.listed.contains_key(&key) {
                let before = Request { only: after.only.clone(), ..self.request.clone() };
                self.listed.insert(key.clone(), listed(&before, np, self.left)?);
            }
            let told = |all: &Listed| all.iter().map(|one| one.as_ref().map(said)).collect::<Vec<_>>();
            if told(&self.listed[&key]) != told(&listed(after, np, self.left)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the edited programs exchange the same messages as before by calls that an edit brings in, for some numbers of processes, at
    /// one of which there are such calls. All processes must have the same numbers of elements in the calls that the edit takes away, and
    /// in those that the suggestion names, which make datatypes: in a collective call both ends of a message are equally long. An error
    /// says what is not proved.
    fn calls_instead(
        &self,
        trial: &Request,
        after: &Outcome,
        (suggestion, fix): (&Suggestion, &Fix),
    ) -> Result<Result<(), String>, Failure> {
        let words =
            fix.edits.iter().flat_map(|edit| edit.text.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let mut calls =
            words.filter(|word| frontend::mpi::lookup(word).is_some_and(|f| f.class.communicates()));
        let operation = calls.next().unwrap_or_default();
        let before =
            session::analyse(&Request { overlay: self.request.overlay.clone(), ..trial.clone() })?.outcome;
        self.left.count(&before);
        let mut all = 0;
        for new in &after.programs {
            let Some(old) = before.programs.iter().find(|old| old.entry == new.entry) else { continue };
            let pairs = old.instances.iter().zip(&new.instances);
            let made: Option<usize> = pairs.map(|(old, new)| calls_instead(old, new, operation)).sum();
            match made.filter(|_| old.instances.len() == new.instances.len()) {
                Some(made) => all += made,
                None => return Ok(Err(OTHERWISE.to_owned())),
            }
        }
        let is_there = |range: &SourceRange| {
            suggestion.related.iter().any(|related| related.range == *range)
                || fix.edits.iter().any(|edit| is_in(range, &edit.range))
        };
        let why = if all == 0 {
            "the calls are made for no number of processes that was looked at"
        } else if before.programs.iter().all(|program| agree_on_numbers(program, is_there)) {
            return Ok(Ok(()));
        } else {
            "it is not proved that all processes have the same numbers of elements, so that both ends of each message are equally long"
        };
        Ok(Err(why.to_owned()))
    }
}

impl Change<'_> {
    /// Whether a variable would be left that nothing reads, and was read before.
    fn leaves_variables(&self) -> bool {
        let idle = |text: &str| SourceFile::new("", text).map(|file| idle_variables(&file));
        self.texts.values().any(|(old, new)| match (idle(old), idle(new)) {
            (Some(old), Some(new)) => !new.is_subset(&old),
            _ => true,
        })
    }
}

/// The messages of all programs that a request is about, at one number of processes.
fn listed(request: &Request, np: u64, left: &Left) -> Result<Listed, Failure> {
    let request =
        Request { quiet: true, unit_rules: false, uniformity: false, instance: Some(np), ..request.clone() };
    let outcome = session::analyse(&request)?.outcome;
    left.count(&outcome);
    Ok(outcome.programs.into_iter().map(|program| program.topology.instance).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where no work may be done to try edits, their suggestions are left out, and it is said how many of which file; advice needs none.
    #[test]
    fn what_is_not_tried_in_time_is_left_out_and_told() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/constant_broadcast.c");
        let request = Request { quiet: true, ..Request::new(vec![file.clone()]) };
        let outcome = session::analyse(&request).expect("it is analysed").outcome;
        let mut suggestions: Vec<Suggestion> =
            outcome.suggestions.iter().filter(|s| s.rule == Rule::ShareConstant).cloned().collect();
        let [tried] = &suggestions[..] else { panic!("{suggestions:?}") };
        assert!(tried.edit.is_ok(), "{tried:?}");
        let advice = Suggestion { edit: Err("for some reason".to_owned()), ..tried.clone() };
        suggestions.push(advice.clone());

        let mut in_time = suggestions.clone();
        let said = Proofs::new(&request, &outcome, &Left::of(&request)).attempt(&mut in_time);
        assert!(said.expect("it is analysed").is_empty());
        assert_eq!(in_time, suggestions);

        let mut late = suggestions;
        let said =
            Proofs::new(&request, &outcome, &Left(Cell::new(0))).attempt(&mut late).expect("it is analysed");
        assert_eq!(late, [advice]);
        let [said] = &said[..] else { panic!("{said:?}") };
        assert!(said.file.ends_with("constant_broadcast.c") && !said.fatal, "{said:?}");
        assert!(said.message.starts_with("1 suggestion is left out"), "{said:?}");
    }
}
