//! The worker: one document, analysed with the texts that the editor has, a job on standard input to views on standard output.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use analyzer::results::{Edit, Finding, Fix, Lengths, ProgramReport, Suggestion, VerdictKind};
use report::{InputError, Outcome};

use super::arms::arms;
use super::calls::{BRANCH, calls};
use super::view::{Arm, Grade, Job, Lost, Place, Problem, Repair, Stage, View};
use crate::cli::lsp::LanguageServer;
use crate::exit::{Exit, Failure};
use crate::session::{self, Answer, Request};
use crate::settings::Settings;
use crate::suggest::{Left, Proofs};
use crate::{fix, output};

/// In a directory with more C files, a program that a document belongs to is looked for near the document only.
const MOST_FILES: usize = 2_000;

/// Does the job: says what is known early, and then everything.
pub(super) fn run(options: &LanguageServer) -> Result<Exit, Failure> {
    let job: Job = serde_json::from_reader(io::stdin().lock())
        .map_err(|error| Failure::new(format!("the job on standard input cannot be read: {error}")))?;
    let stage = if job.edits { Stage::Rewrites } else { Stage::Programs };
    let view = view(&job, options)
        .unwrap_or_else(|failure| View { failure: Some(failure.to_string()), ..View::default() });
    say(&View { stage, ..view })?;
    Ok(Exit::Clean)
}

fn say(view: &View) -> Result<(), Failure> {
    output::stdout(&format!("{}\n", session::json(serde_json::to_string(view))?))
}

fn view(job: &Job, options: &LanguageServer) -> Result<View, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    if job.version != version {
        let said = "start the language server again";
        return Err(Failure::new(format!(
            "anyrank {} was replaced by version {version}: {said}",
            job.version
        )));
    }
    // Not where the process is started: a directory of the project is no place to look for libraries in.
    std::env::set_current_dir(&job.root)
        .map_err(|error| Failure::new(format!("{}: {error}", job.root.display())))?;
    let paths = [job.file.clone()];
    let root = &job.root;
    let settings = Settings::find(&paths)?;
    let selection = settings.selection(&[], &[], None)?;
    let mut request = Request {
        uniformity: true,
        quiet: true,
        suggest: settings.opportunities(&selection),
        ..settings.request(&paths, &options.common())
    };
    for (path, text) in &job.texts {
        request.overlay.insert(path, text.as_str());
    }
    let shown = |mut findings: Vec<Finding>| {
        findings.retain_mut(|finding| settings.regrade(finding) && selection.admits(finding));
        findings
    };
    let mut known_early = BTreeSet::new();
    let mut answer = session::analyse_in_stages(&request, |findings, errors| {
        known_early.extend(findings.iter().map(|finding| (finding.rule, finding.range.clone())));
        if !job.edits {
            let problems = shown(findings).iter().map(|finding| problem(root, finding, true)).collect();
            let lost = errors.iter().map(|error| lost(root, error)).collect();
            // If nobody listens, the view says so at the end.
            let _ = say(&View { problems, lost, stage: Stage::Units, ..View::default() });
        }
    })?;
    if answer.outcome.programs.is_empty() {
        // The document defines no `main`: it is part of another's program, or of none.
        let name = job.file.display().to_string();
        let wide = Request {
            paths: vec![surroundings(job, &request)?],
            only: Some([name].into()),
            ..request.clone()
        };
        let wider = session::analyse(&wide)?;
        if !wider.outcome.programs.is_empty() {
            (request, answer) = (wide, wider);
        }
    }
    let mut findings = shown(answer.outcome.findings.clone());
    let is_early = |finding: &Finding| known_early.contains(&(finding.rule, finding.range.clone()));
    let problems =
        |findings: &[Finding]| findings.iter().map(|f| problem(root, f, is_early(f))).collect::<Vec<_>>();
    findings.iter_mut().for_each(|finding| finding.fix = None);
    let Answer { outcome, .. } = &answer;
    let mut view = View {
        problems: problems(&findings),
        lost: outcome.errors.iter().map(|error| lost(root, error)).collect(),
        calls: calls(root, &outcome.programs),
        arms: arms_of(job, &outcome.programs),
        verdicts: outcome.programs.iter().map(verdict).collect(),
        files: files(root, &answer),
        stage: Stage::Fixes,
        ..View::default()
    };
    if job.edits {
        fix::attach(&request, &answer, &mut findings)?;
        view.problems = problems(&findings);
        // Each suggestion takes an analysis, and nobody should wait for all of them to see a fix.
        say(&view)?;
        add_rewrites(root, &request, outcome, &findings, &mut view.problems)?;
    }
    Ok(view)
}

/// Adds what to write instead to the notes that say so. `problems` are those of `findings`, in their order.
fn add_rewrites(
    root: &Path,
    request: &Request,
    outcome: &Outcome,
    findings: &[Finding],
    problems: &mut [Problem],
) -> Result<(), Failure> {
    let shown: BTreeMap<_, _> =
        findings.iter().enumerate().map(|(index, f)| ((f.rule, f.range.clone()), index)).collect();
    let index = |suggestion: &Suggestion| shown.get(&(suggestion.rule, suggestion.range.clone()));
    let mut suggestions = outcome.suggestions.clone();
    suggestions.retain(|suggestion| index(suggestion).is_some());
    let left = Left::of(request);
    let mut proofs = Proofs::new(request, outcome, &left);
    // What is not tried in time is left out here, too.
    proofs.attempt(&mut suggestions)?;
    for suggestion in suggestions {
        let Some(&index) = index(&suggestion) else { continue };
        problems[index].rewrite = suggestion.edit.ok().map(|edit| repair(root, &edit));
    }
    Ok(())
}

/// Where the program of a document without `main` is looked for.
fn surroundings(job: &Job, request: &Request) -> Result<PathBuf, Failure> {
    let near = job.file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let near = near.map_or_else(|| PathBuf::from("."), Path::to_owned);
    if job.file.is_absolute() {
        return Ok(near);
    }
    let here = PathBuf::from(".");
    let found = frontend::discover::discover(std::slice::from_ref(&here), &request.exclude, &request.root)
        .map_err(|error| Failure::new(error.to_string()))?;
    Ok(if found.files.len() <= MOST_FILES { here } else { near })
}

/// The files of the programs that were analysed.
fn files(root: &Path, answer: &Answer) -> Vec<PathBuf> {
    let absolute = |file: &PathBuf| frontend::source::normalize(&root.join(file));
    answer.program_files.iter().map(absolute).collect::<BTreeSet<_>>().into_iter().collect()
}

fn problem(root: &Path, finding: &Finding, is_early: bool) -> Problem {
    let mut message = finding.message.clone();
    let where_ = [finding.np.as_str(), &finding.ranks].into_iter().filter(|text| !text.is_empty());
    let where_ = where_.collect::<Vec<_>>().join(", ranks ");
    if !where_.is_empty() {
        message.push_str(&format!(" ({where_})"));
    }
    Problem {
        place: Place::new(root, &finding.range),
        grade: Grade::from(finding.severity),
        rule: finding.rule.id().to_owned(),
        message,
        related: finding.related.iter().map(|r| (Place::new(root, &r.range), r.message.clone())).collect(),
        fix: finding.fix.as_ref().map(|fix| repair(root, fix)),
        rewrite: None,
        is_early,
    }
}

fn repair(root: &Path, fix: &Fix) -> Repair {
    let edit = |edit: &Edit| (Place::new(root, &edit.range), edit.text.clone());
    Repair { description: fix.description.clone(), edits: fix.edits.iter().map(edit).collect() }
}

fn lost(root: &Path, error: &InputError) -> Lost {
    let path = frontend::source::normalize(&root.join(&error.file));
    let number = |text: &str| text.parse::<u32>().ok().filter(|&number| 0 < number);
    let place = error.message.strip_prefix("line ").and_then(|rest| {
        let (place, message) = rest.split_once(": ")?;
        let (line, column) = place.split_once(", column ").unwrap_or((place, "1"));
        Some((number(line)?, number(column)?, message))
    });
    match place {
        Some((line, column, message)) => Lost { path, at: Some((line, column)), message: message.to_owned() },
        None => Lost { path, at: None, message: error.message.clone() },
    }
}

fn arms_of(job: &Job, programs: &[ProgramReport]) -> Vec<Arm> {
    let Some((_, text)) = job.texts.iter().find(|(path, _)| *path == job.file) else { return Vec::new() };
    let document = frontend::source::normalize(&job.root.join(&job.file));
    let mut ranks: BTreeMap<(u32, u32), String> = BTreeMap::new();
    let mut branches = false;
    for uniform in programs.iter().flat_map(|program| program.uniformity.iter().flatten()) {
        if frontend::source::normalize(&job.root.join(&uniform.range.file)) == document {
            branches |= uniform.operation == BRANCH;
            // Of several programs with the document in them, the first has the say.
            ranks.entry((uniform.range.line, uniform.range.column)).or_insert_with(|| uniform.ranks.clone());
        }
    }
    if branches { arms(text, &ranks) } else { Vec::new() }
}

/// One sentence about a program.
fn verdict(program: &ProgramReport) -> String {
    let verdict = &program.verdict;
    let reason = verdict.reasons.first().map_or_else(String::new, |reason| format!(": {reason}"));
    let lengths = match &verdict.lengths {
        Lengths::Proved => String::new(),
        Lengths::NotProved(reasons) => {
            let reason = reasons.first().map_or_else(String::new, |reason| format!(", {reason}"));
            format!("; lengths: not proved{reason}")
        }
    };
    match verdict.kind {
        VerdictKind::Exact => format!("exact for {}{lengths}", verdict.np),
        VerdictKind::Bounded => format!("explored for np = {} only{reason}{lengths}", verdict.np),
        VerdictKind::Unknown => format!("not decided{reason}"),
    }
}
