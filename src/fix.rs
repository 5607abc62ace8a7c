//! Edits that make findings go away: proposed by crate `rewrite`, tried in memory, and only then shown or written.
//!
//! An edit is right where the edited program, analysed again, no longer has the finding and has no other that it had not before, and
//! where its verdict is no worse: what is not decided any more has no findings either.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use analyzer::results::{Edit, Finding, Fix, Severity, VerdictKind};
use analyzer::rules::Rule;
use report::{InputError, Outcome};
use rewrite::{Shift, SourceFile, apply, candidates, defines_function, overlaps};
use similar::TextDiff;

use crate::exit::Failure;
use crate::session::{self, Answer, Request};
use crate::{journal, output};

/// How often programs are analysed again to find out which edits are right, in one round.
const TRIALS: usize = 24;
/// Edits that touch one another are made one after the other, in so many rounds.
const ROUNDS: usize = 8;

/// Texts of files by their names.
pub(crate) type Texts = BTreeMap<String, String>;

/// What becomes of the files.
#[derive(Debug, Default)]
pub(crate) struct Fixed {
    files: BTreeMap<String, Changed>,
}

/// A file before and after all edits.
#[derive(Debug, Default)]
struct Changed {
    old: String,
    new: String,
    /// How many findings the edits made go away, or how many suggestions were followed.
    findings: usize,
}

/// Finds edits for all findings that `shown` picks from an outcome.
///
/// # Errors
/// See [`session::analyse`].
pub(crate) fn fix(
    request: &Request,
    answer: &Answer,
    shown: impl Fn(&Outcome) -> Vec<Finding>,
) -> Result<Fixed, Failure> {
    let mut fixed = Fixed::default();
    let mut request = Request { quiet: true, suggest: BTreeSet::new(), ..request.clone() };
    let mut outcome = answer.outcome.clone();
    for _ in 0..ROUNDS {
        let texts = fixed.files.iter().map(|(file, changed)| (file.clone(), changed.new.clone())).collect();
        let mut trials = Trials::new(&request, &answer.files, texts);
        let proven = trials.run(&outcome, &shown(&outcome))?;
        if proven.is_empty() {
            break;
        }
        let texts = trials.texts;
        let mut fixes: BTreeMap<String, Vec<Fix>> = BTreeMap::new();
        for (_, fix) in proven {
            let Some(edit) = fix.edits.first() else { continue };
            fixes.entry(edit.range.file.clone()).or_default().push(fix);
        }
        for (file, fixes) in fixes {
            let findings = fixes.len();
            let edits: Vec<Edit> = fixes.into_iter().flat_map(|fix| fix.edits).collect();
            let Some(old) = texts.get(&file) else { continue };
            let Some(new) = apply(old, &edits) else { continue };
            request.overlay.insert(Path::new(&file), new.as_str());
            let first = || Changed { old: old.clone(), ..Changed::default() };
            let changed = fixed.files.entry(file).or_insert_with(first);
            changed.new = new;
            changed.findings += findings;
        }
        outcome = session::analyse(&request)?.outcome;
        session::unless_interrupted()?;
    }
    Ok(fixed)
}

/// Adds the edits to the findings that they make go away.
///
/// # Errors
/// See [`session::analyse`].
pub(crate) fn attach(request: &Request, answer: &Answer, findings: &mut [Finding]) -> Result<(), Failure> {
    let request = Request { quiet: true, suggest: BTreeSet::new(), ..request.clone() };
    let proven = Trials::new(&request, &answer.files, Texts::new()).run(&answer.outcome, findings)?;
    findings.iter_mut().for_each(|finding| finding.fix = None);
    for (index, fix) in proven {
        findings[index].fix = Some(fix);
    }
    Ok(())
}

impl Fixed {
    /// How many findings go away, in how many files.
    pub(crate) fn numbers(&self) -> (usize, usize) {
        (self.files.values().map(|changed| changed.findings).sum(), self.files.len())
    }

    /// Takes in a further edited text of a file.
    pub(crate) fn change(&mut self, file: &str, old: &str, new: String) {
        let first = || Changed { old: old.to_owned(), ..Changed::default() };
        self.files.entry(file.to_owned()).or_insert_with(first).new = new;
    }

    /// All changes as one patch.
    pub(crate) fn patch(&self) -> String {
        let mut patch = String::new();
        for (file, Changed { old, new, .. }) in &self.files {
            let diff = TextDiff::from_lines(old.as_str(), new.as_str());
            let _ = write!(patch, "{}", diff.unified_diff().header(file, file));
        }
        patch
    }

    /// Writes all files, each whole or not at all. Leaves those that were written, and returns why others were not.
    pub(crate) fn write(&mut self) -> Vec<InputError> {
        journal::finish();
        let mut errors = Vec::new();
        self.files.retain(|file, Changed { old, new, .. }| match write(Path::new(file), old, new) {
            Ok(()) => true,
            Err(message) => {
                errors.push(InputError { file: file.clone(), message, fatal: true });
                false
            }
        });
        errors
    }
}

/// Replaces a file, unless somebody else has changed it or it must not be changed.
fn write(path: &Path, old: &str, new: &str) -> Result<(), String> {
    let metadata = fs::metadata(path).map_err(|error| format!("not changed: {error}"))?;
    if metadata.permissions().readonly() {
        return Err("not changed: the file is read-only".to_owned());
    }
    let now = fs::read(path).map_err(|error| format!("not changed: {error}"))?;
    if now != old.as_bytes() {
        return Err("not changed: the file was changed in the meantime; run the command again".to_owned());
    }
    output::replace_file(path, new.as_bytes()).map_err(|error| format!("not changed: {error}"))
}

/// Where a finding is, for telling findings apart.
type Key = (Rule, String, (u32, u32));

/// A finding whose fix is looked for.
struct Wanted {
    index: usize,
    /// Edits that have not been tried, the best last.
    left: Vec<Fix>,
}

/// What is being tried in one file.
#[derive(Default)]
struct Desk {
    wanted: Vec<Wanted>,
    proven: Vec<(usize, Fix)>,
    /// Whether all were tried together already, and did not pass.
    one_by_one: bool,
    /// What is tried now: indices of `wanted`.
    tried: Vec<usize>,
}

impl Desk {
    /// Chooses what is tried next.
    fn choose(&mut self) {
        self.tried.clear();
        let mut edits: Vec<Edit> = self.proven.iter().flat_map(|(_, fix)| fix.edits.clone()).collect();
        let mut defines = self.proven.iter().any(|(_, fix)| defines_function(fix));
        for (number, wanted) in self.wanted.iter_mut().enumerate() {
            let fits = |fix: &Fix| {
                let touches = fix.edits.iter().any(|a| edits.iter().any(|b| overlaps(a, b)));
                !(touches || defines && defines_function(fix))
            };
            let Some(fix) = wanted.left.last() else { continue };
            if !fits(fix) {
                if self.one_by_one {
                    // It is for the next round.
                    wanted.left.pop();
                }
                continue;
            }
            edits.extend(fix.edits.iter().cloned());
            defines |= defines_function(fix);
            self.tried.push(number);
            if self.one_by_one {
                break;
            }
        }
    }

    fn edits(&self) -> Vec<Edit> {
        let tried = self.tried.iter().filter_map(|&number| self.wanted[number].left.last());
        self.proven.iter().map(|(_, fix)| fix).chain(tried).flat_map(|fix| fix.edits.clone()).collect()
    }

    /// Takes in how it went; `passed` tells whether nothing else has changed, `is_gone` whether a finding is gone.
    fn judge(&mut self, passed: bool, is_gone: impl Fn(usize) -> bool) {
        let passed = passed && self.tried.iter().all(|&number| is_gone(self.wanted[number].index));
        if passed {
            for &number in &self.tried {
                let wanted = &mut self.wanted[number];
                let fix = wanted.left.pop().expect("what is tried is there");
                wanted.left.clear();
                self.proven.push((wanted.index, fix));
            }
        } else if self.one_by_one {
            for &number in &self.tried {
                self.wanted[number].left.pop();
            }
        } else if let &[number] = self.tried.as_slice() {
            self.wanted[number].left.pop();
        }
        self.one_by_one = true;
    }
}

/// Tries edits of some texts.
struct Trials<'a> {
    request: &'a Request,
    files: &'a BTreeSet<String>,
    texts: Texts,
}

impl<'a> Trials<'a> {
    fn new(request: &'a Request, files: &'a BTreeSet<String>, texts: Texts) -> Self {
        Self { request, files, texts }
    }

    /// Edits that make findings go away, by the index of the finding; all of them may be made together.
    fn run(&mut self, before: &Outcome, findings: &[Finding]) -> Result<Vec<(usize, Fix)>, Failure> {
        let mut desks = self.desks(findings);
        for _ in 0..TRIALS {
            desks.values_mut().for_each(Desk::choose);
            let edited: BTreeMap<&String, Vec<Edit>> = desks
                .iter()
                .filter(|(_, desk)| !desk.tried.is_empty())
                .map(|(file, desk)| (file, desk.edits()))
                .collect();
            if edited.is_empty() {
                break;
            }
            let Some(trial) = self.try_out(before, &edited)? else { break };
            let only: BTreeSet<String> = edited.keys().map(|&file| file.clone()).collect();
            for file in &only {
                let Some(desk) = desks.get_mut(file) else { continue };
                desk.judge(trial.passed(file), |index| trial.is_gone(&findings[index]));
            }
        }
        Ok(desks.into_values().flat_map(|desk| desk.proven).collect())
    }

    /// What may be tried, file by file.
    fn desks(&mut self, findings: &[Finding]) -> BTreeMap<String, Desk> {
        let mut desks: BTreeMap<String, Desk> = BTreeMap::new();
        let mut sources: BTreeMap<String, Option<SourceFile>> = BTreeMap::new();
        for (index, finding) in findings.iter().enumerate() {
            let file = &finding.range.file;
            if !self.files.contains(file) {
                continue;
            }
            let source = sources.entry(file.clone()).or_insert_with(|| {
                let unsaved = || self.request.overlay.get(Path::new(file)).map(|text| text.to_string());
                let text =
                    self.texts.get(file).cloned().or_else(unsaved).or_else(|| read(Path::new(file)))?;
                SourceFile::new(file, &text)
            });
            let Some(source) = source else { continue };
            let mut left = candidates(finding, source);
            left.retain(|fix| fix.edits.iter().all(|edit| edit.range.file == *file));
            left.reverse();
            if !left.is_empty() {
                self.texts.entry(file.clone()).or_insert_with(|| source.text().to_owned());
                desks.entry(file.clone()).or_default().wanted.push(Wanted { index, left });
            }
        }
        desks
    }

    /// Analyses the programs of some files with edits; `None` where an edit does not fit.
    fn try_out(
        &self,
        before: &Outcome,
        edited: &BTreeMap<&String, Vec<Edit>>,
    ) -> Result<Option<Trial>, Failure> {
        let only: BTreeSet<String> = edited.keys().map(|&file| file.clone()).collect();
        let mut request = Request { only: Some(only), ..self.request.clone() };
        let mut shifts = BTreeMap::new();
        for (&file, edits) in edited {
            let Some(old) = self.texts.get(file) else { return Ok(None) };
            let Some(new) = apply(old, edits) else { return Ok(None) };
            shifts.insert(file.clone(), Shift::new(old, &new, edits));
            request.overlay.insert(Path::new(file), new);
        }
        let after = session::analyse(&request)?.outcome;
        session::unless_interrupted()?;
        Ok(Some(Trial::new(before, &after, shifts)))
    }
}

/// How a program is after some edits.
pub(crate) struct Trial {
    shifts: BTreeMap<String, Shift>,
    found: BTreeSet<Key>,
    /// Files in which, or in whose program, something is worse than before; `None` where it cannot be told whose edit is to blame.
    worse: BTreeSet<Option<String>>,
}

impl Trial {
    pub(crate) fn new(before: &Outcome, after: &Outcome, shifts: BTreeMap<String, Shift>) -> Self {
        let known: BTreeSet<Key> = before.findings.iter().filter_map(|f| moved(f, &shifts)).collect();
        // A note about text that is replaced may be one about the new text.
        let lost = before.findings.iter().filter(|f| moved(f, &shifts).is_none());
        let notes: BTreeSet<_> = lost.filter_map(note).collect();
        let is_new = |f: &&Finding| !known.contains(&key(f)) && note(f).is_none_or(|n| !notes.contains(&n));
        let blame = |file: &str| shifts.contains_key(file).then(|| file.to_owned());
        let mut worse: BTreeSet<Option<String>> =
            after.findings.iter().filter(is_new).map(|f| blame(&f.range.file)).collect();
        let found: BTreeSet<Key> = after.findings.iter().map(key).collect();
        for program in &after.programs {
            let old = before.programs.iter().find(|old| old.entry == program.entry);
            if old.is_none_or(|old| trust(old.verdict.kind) < trust(program.verdict.kind)) {
                worse.insert(blame(&program.entry));
            }
        }
        let number = |outcome: &Outcome, file: &str| outcome.errors.iter().filter(|e| e.file == file).count();
        for error in &after.errors {
            if number(before, &error.file) < number(after, &error.file) {
                worse.insert(blame(&error.file));
            }
        }
        Self { shifts, found, worse }
    }

    /// Whether nothing is worse anywhere.
    pub(crate) fn is_clean(&self) -> bool {
        self.worse.is_empty()
    }

    /// Whether nothing is worse in a file.
    fn passed(&self, file: &str) -> bool {
        !self.worse.contains(&None) && !self.worse.contains(&Some(file.to_owned()))
    }

    fn is_gone(&self, finding: &Finding) -> bool {
        moved(finding, &self.shifts).is_none_or(|key| !self.found.contains(&key))
    }
}

fn key(finding: &Finding) -> Key {
    (finding.rule, finding.range.file.clone(), (finding.range.line, finding.range.column))
}

fn note(finding: &Finding) -> Option<(Rule, &str)> {
    (finding.severity == Severity::Note).then_some((finding.rule, finding.range.file.as_str()))
}

/// Where a finding is after some edits; `None` where its text is replaced.
fn moved(finding: &Finding, shifts: &BTreeMap<String, Shift>) -> Option<Key> {
    let (rule, file, place) = key(finding);
    let place = shifts.get(&file).map_or(Some(place), |shift| shift.start(&finding.range))?;
    Some((rule, file, place))
}

/// The less, the better.
fn trust(verdict: VerdictKind) -> u8 {
    match verdict {
        VerdictKind::Exact => 0,
        VerdictKind::Bounded => 1,
        VerdictKind::Unknown => 2,
    }
}

/// The text of a file that can be edited: what is not UTF-8 throughout is left alone.
pub(crate) fn read(path: &Path) -> Option<String> {
    let source = frontend::source::read(path).ok()?;
    (source.replaced_bytes == 0 && !source.bom).then(|| source.text.to_string())
}
