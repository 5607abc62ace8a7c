//! What the command does with its inputs: load, analyse, collect.
//!
//! Units are loaded and programs analysed in parallel, each guarded against panics; what comes out does not depend on how
//! many at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use analyzer::results::{Finding, ProgramReport, Severity, Suggestion};
use analyzer::rules::Rule;
use analyzer::{FlowQuery, NpChoice, Options, Without};
use crossbeam_channel::unbounded;
use effort::Limits;
use frontend::ir::Unit;
use frontend::program::Program;
use frontend::source::Overlay;
use rayon::{ThreadPool, ThreadPoolBuilder};
use report::text::{self, Detail};
use report::{InputError, Outcome};
use rewrite::{Files, SourceFile};

use crate::exit::{Exit, Failure};
use crate::guard::{each, watch};
use crate::journal::Task;
use crate::load::{self, Loaded};
use crate::suppress::Suppressions;
use crate::{fix, interrupt, journal, output, progress};

/// What to analyse, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// Files, and directories that are walked for `*.c`.
    pub paths: Vec<PathBuf>,
    /// Compile database, or its directory; looked for in `.` and `build/` if not given.
    pub compile_commands: Option<PathBuf>,
    /// `NAME` or `NAME=VALUE`, after those of the compile database.
    pub define: Vec<String>,
    /// Include directories, after those of the compile database.
    pub include: Vec<PathBuf>,
    /// Globs that walks of directories leave out, relative to `root`.
    pub exclude: Vec<String>,
    /// The project's directory.
    pub root: PathBuf,
    /// Functions that are MPI calls under another name: their name to the MPI name.
    pub wrappers: BTreeMap<String, String>,
    /// Numbers of processes.
    pub np: NpChoice,
    /// Number of processes at which topologies are instantiated.
    pub instance: Option<u64>,
    /// Numbers of processes whose messages are listed besides, see [`Options::instances`].
    pub instances: Vec<u64>,
    /// Between which functions and variables information flow is looked for.
    pub flow: FlowQuery,
    /// Whether to say what is equal on all ranks.
    pub uniformity: bool,
    /// Whether to prove matches once more, to be shown.
    pub proofs: bool,
    /// Whether the analysis looks for contradictions in its own answers, see [`Options::is_checked`].
    pub is_checked: bool,
    /// What to do without, to see what it is good for.
    pub without: Option<Without>,
    /// What the analysis of each entry point may take.
    pub limits: Limits,
    /// How many units or programs at a time; the number of cores if not given.
    pub jobs: Option<usize>,
    /// Whether the rules run that need no whole program.
    pub unit_rules: bool,
    /// The rules whose suggestions are looked for, if those rules run.
    pub suggest: BTreeSet<Rule>,
    /// No progress bar.
    pub quiet: bool,
    /// Programs, and directories of programs, that may be started although they are the project's own.
    pub trusted_programs: Vec<PathBuf>,
    /// Texts to take instead of what is on disk.
    pub overlay: Overlay,
    /// Only programs with one of these files in them are analysed, and only these files.
    pub only: Option<BTreeSet<String>>,
}

impl Request {
    /// Everything about these paths with default settings.
    #[must_use]
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            compile_commands: None,
            define: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
            root: PathBuf::new(),
            wrappers: BTreeMap::new(),
            np: NpChoice::Any,
            instance: None,
            instances: Vec::new(),
            flow: FlowQuery::default(),
            uniformity: false,
            proofs: false,
            is_checked: false,
            without: None,
            limits: Limits::default(),
            jobs: None,
            unit_rules: true,
            suggest: Rule::ALL.iter().copied().collect(),
            quiet: true,
            trusted_programs: Vec::new(),
            overlay: Overlay::default(),
            only: None,
        }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Answer {
    /// Everything found out, in the order in which it is printed. Suppressed findings are gone.
    pub outcome: Outcome,
    /// How many findings a comment suppressed.
    pub suppressed: usize,
    /// The files that were named, or found in directories that were.
    pub files: BTreeSet<String>,
    /// The files of all programs that were analysed, as results name them.
    pub program_files: BTreeSet<PathBuf>,
}

/// Stack of the threads that analyse. The analysis bounds its recursion; this is for the debug build's large frames.
pub(crate) const STACK_BYTES: usize = 64 << 20;

/// Loads and analyses. What goes wrong with one input is in [`Outcome::errors`].
///
/// # Errors
/// Nothing could be started: a pattern in the configuration is malformed, or no thread could be made.
pub fn analyse(request: &Request) -> Result<Answer, Failure> {
    analyse_in_stages(request, |_, _| {})
}

/// Like [`analyse`], but calls `early` as soon as the rules that need no whole program are through, which takes much less time than
/// whole programs: with their findings, and with what could not be taken in.
///
/// # Errors
/// See [`analyse`].
pub fn analyse_in_stages(
    request: &Request,
    early: impl FnOnce(Vec<Finding>, &[InputError]) + Send,
) -> Result<Answer, Failure> {
    let pool = pool(request)?;
    let read = pool.install(|| read(request))?;
    let answer = analyse_programs(&pool, request, read, early);
    journal::first_is_over();
    Ok(answer)
}

/// Loads only: every entry point with the units that define what it calls.
///
/// # Errors
/// See [`analyse`].
pub fn programs(request: &Request) -> Result<Vec<Program>, Failure> {
    in_pool(request, || load::load(request).map(|loaded| loaded.programs))
}

/// Loads only: every file that is named, by itself.
///
/// # Errors
/// See [`analyse`].
pub fn units(request: &Request) -> Result<Vec<Arc<Unit>>, Failure> {
    in_pool(request, || load::load(request).map(|loaded| loaded.units))
}

fn in_pool<T: Send>(
    request: &Request,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    pool(request)?.install(work)
}

/// The threads that analyse.
fn pool(request: &Request) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new()
        .num_threads(request.jobs.unwrap_or(0))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))
}

/// What was read, with what the rules say that need no whole program.
struct Read {
    files: BTreeSet<String>,
    programs: Vec<Program>,
    program_files: BTreeSet<PathBuf>,
    of_units: Vec<Finding>,
    /// The suggestions about files only.
    outcome: Outcome,
    errors: Vec<InputError>,
    suppressions: Suppressions,
}

/// Reads all inputs.
fn read(request: &Request) -> Result<Read, Failure> {
    let Loaded { mut units, mut programs, mut errors, suppressions } = load::load(request)?;
    let files = units.iter().map(|unit| unit.path.display().to_string()).collect();
    if let Some(only) = &request.only {
        let is_in = |unit: &Unit| only.contains(&unit.path.display().to_string());
        programs.retain(|program| program.units.iter().any(|unit| is_in(unit)));
        units.retain(|unit| is_in(unit));
    }
    let program_files = programs.iter().flat_map(|program| &program.units).map(|unit| unit.path.clone());
    let program_files = program_files.collect();
    let mut of_units = Vec::new();
    let mut outcome = Outcome::default();
    if request.unit_rules {
        for result in
            each(&units, |unit| Task::new("rules", &unit.path.display().to_string()), |unit| check_unit(unit))
        {
            match result {
                Ok(findings) => of_units.extend(findings),
                Err(error) => errors.push(error),
            }
        }
        for result in about_files(&files, request) {
            match result {
                Ok(suggestions) => outcome.suggestions.extend(suggestions),
                Err(error) => errors.push(error),
            }
        }
        of_units.extend(outcome.suggestions.iter().map(Suggestion::note));
    }
    Ok(Read { files, programs, program_files, of_units, outcome, errors, suppressions })
}

/// Analyses the programs that were read.
fn analyse_programs(
    pool: &ThreadPool,
    request: &Request,
    read: Read,
    early: impl FnOnce(Vec<Finding>, &[InputError]),
) -> Answer {
    let Read { files, programs, program_files, of_units, mut outcome, mut errors, suppressions } = read;
    early(of_units.iter().filter(|finding| !suppressions.silence(finding)).cloned().collect(), &errors);

    let bar = progress::bar(programs.len(), "programs", request.quiet);
    let names: Vec<String> = programs.iter().map(load::entry_name).collect();
    let reports = in_turn(pool, programs, request, || bar.inc(1));
    bar.finish_and_clear();
    for (name, report) in names.into_iter().zip(reports) {
        match report.unwrap_or_else(|| Err(interrupted(name))) {
            Ok(Analysed { report, findings, suggestions }) => {
                outcome.findings.extend(findings);
                outcome.findings.extend(suggestions.iter().map(Suggestion::note));
                outcome.suggestions.extend(suggestions);
                outcome.programs.push(report);
            }
            Err(error) => errors.push(error),
        }
    }
    // What is wrong with a call in every program needs not be said again for one of them.
    let known: BTreeSet<_> = of_units.iter().map(|finding| (finding.rule, finding.range.clone())).collect();
    outcome.findings.retain(|finding| !known.contains(&(finding.rule, finding.range.clone())));
    outcome.findings.extend(of_units);

    let before = outcome.findings.len();
    outcome.findings.retain(|finding| !suppressions.silence(finding));
    outcome.suggestions.retain(|suggestion| !suppressions.silence(&suggestion.note()));
    let suppressed = before - outcome.findings.len();
    outcome.errors = errors;
    outcome.sort();
    Answer { outcome, suppressed, files, program_files }
}

/// What is said of an input that was not analysed because somebody asked for an end.
pub(crate) fn interrupted(file: String) -> InputError {
    let signal = interrupt::caught().map_or_else(|| "a signal".to_owned(), interrupt::name);
    InputError { file, message: format!("not analysed: interrupted by {signal}"), fatal: false }
}

/// How often it is looked whether somebody asked for an end.
const PATIENCE: Duration = Duration::from_millis(20);

/// Analyses all programs; the results are in their order. There is none where somebody asked for an end before it was known: what is
/// under way then is abandoned.
fn in_turn(
    pool: &ThreadPool,
    programs: Vec<Program>,
    request: &Request,
    done: impl Fn(),
) -> Vec<Option<Result<Analysed, InputError>>> {
    let mut results: Vec<_> = programs.iter().map(|_| None).collect();
    let tasks: Vec<Task> = programs.iter().map(task).collect();
    let (alone, others): (Vec<usize>, Vec<usize>) =
        (0..programs.len()).partition(|&index| tasks[index].is_suspect());
    let shared = Arc::new((programs, request.clone()));
    // One after the other those that must be alone, and then all others.
    let stages = alone.into_iter().map(|index| vec![index]).chain([others]);
    for stage in stages {
        let mut open = stage.len();
        let (sender, receiver) = unbounded();
        for index in stage {
            let (shared, sender) = (Arc::clone(&shared), sender.clone());
            pool.spawn(move || {
                if !interrupt::is_due() {
                    let (programs, request) = &*shared;
                    let result = analyse_program(&programs[index], request);
                    // Nobody waits for it any more: somebody asked for an end.
                    let _ = sender.send((index, result));
                }
            });
        }
        while 0 < open && !interrupt::is_due() {
            if let Ok((index, result)) = receiver.recv_timeout(PATIENCE) {
                results[index] = Some(result);
                open -= 1;
                done();
            }
        }
        for (index, result) in receiver.try_iter() {
            results[index] = Some(result);
        }
    }
    results
}

/// A program in the journal.
fn task(program: &Program) -> Task {
    Task::new("program", &load::entry_name(program))
}

/// What was found out about a program.
struct Analysed {
    report: ProgramReport,
    /// The report's, and those of the rules about whole programs.
    findings: Vec<Finding>,
    suggestions: Vec<Suggestion>,
}

fn analyse_program(program: &Program, request: &Request) -> Result<Analysed, InputError> {
    let options = Options {
        np: request.np.clone(),
        limits: request.limits,
        instance: request.instance,
        instances: request.instances.clone(),
        flow: request.flow.clone(),
        uniformity: request.uniformity,
        proofs: request.proofs,
        is_checked: request.is_checked,
        without: request.without,
    };
    let work = || {
        let mut report = analyzer::analyze_program(program, &options);
        let mut suggestions = Vec::new();
        if request.unit_rules {
            report.findings.extend(analyzer::rules::check_program(program));
            if !request.suggest.is_empty() {
                let wanted = |rule| request.suggest.contains(&rule);
                suggestions = rewrite::suggestions(&report, &texts(&report, &request.overlay), wanted);
            }
        }
        let findings = std::mem::take(&mut report.findings);
        Analysed { report, findings, suggestions }
    };
    watch(&task(program), work).map_err(|message| InputError {
        file: load::entry_name(program),
        message,
        fatal: true,
    })
}

/// What is suggested about files, whatever program they are part of.
fn about_files(files: &BTreeSet<String>, request: &Request) -> Vec<Result<Vec<Suggestion>, InputError>> {
    if request.suggest.is_empty() {
        return Vec::new();
    }
    let names: Vec<&String> = files.iter().collect();
    let wanted = |rule| request.suggest.contains(&rule);
    let only = |name: &&String| request.only.as_ref().is_none_or(|only| only.contains(*name));
    let of_file = |file: &SourceFile| rewrite::of_file(file, wanted);
    let suggestions = |name: &str| text_of(name, &request.overlay).iter().flat_map(of_file).collect();
    let guarded = |name: &&String| {
        watch(&Task::new("text", name), || suggestions(name)).map_err(|message| InputError {
            file: (*name).clone(),
            message,
            fatal: true,
        })
    };
    let names: Vec<&String> = names.into_iter().filter(|name| only(name)).collect();
    each(&names, |name| Task::new("text", name), guarded)
}

/// The files that suggestions about a program read.
fn texts(report: &ProgramReport, overlay: &Overlay) -> Files {
    let names = rewrite::files_of(report).into_iter();
    names.filter_map(|name| Some((name.to_owned(), text_of(name, overlay)?))).collect()
}

/// A file that can be edited.
pub(crate) fn text_of(name: &str, overlay: &Overlay) -> Option<SourceFile> {
    let path = Path::new(name);
    let text = overlay.get(path).map(|text| text.to_string()).or_else(|| fix::read(path))?;
    SourceFile::new(name, &text)
}

fn check_unit(unit: &Unit) -> Result<Vec<Finding>, InputError> {
    let file = unit.path.display().to_string();
    watch(&Task::new("rules", &file), || analyzer::rules::check_unit(unit)).map_err(|message| InputError {
        file,
        message,
        fatal: true,
    })
}

/// An error if somebody asked for an end: what was compared with others is not complete then.
pub(crate) fn unless_interrupted() -> Result<(), Failure> {
    match interrupt::caught() {
        Some(signal) => {
            Err(Failure::new(format!("interrupted by {}; no file was changed", interrupt::name(signal))))
        }
        None => Ok(()),
    }
}

/// The exit code that an outcome deserves.
#[must_use]
pub fn exit(outcome: &Outcome) -> Exit {
    if outcome.errors.iter().any(|error| error.fatal) {
        Exit::Failed
    } else if outcome.findings.iter().any(|finding| Severity::Warning <= finding.severity) {
        Exit::Findings
    } else {
        Exit::Clean
    }
}

/// Errors that cost little are numerous in a project whose headers are elsewhere; so many are printed without `-v`.
const FEW: usize = 10;

/// Prints what could not be taken in to standard error.
pub(crate) fn complain(errors: &[InputError], detail: Detail) {
    journal::finish();
    let (fatal, slight): (Vec<_>, Vec<_>) = errors.iter().partition(|error| error.fatal);
    let shown = match detail {
        Detail::Quiet => 0,
        Detail::Normal => FEW.min(slight.len()),
        Detail::Verbose => slight.len(),
    };
    let mut said: String = slight[..shown].iter().map(|error| text::error(error)).collect();
    if detail == Detail::Normal && shown < slight.len() {
        said.push_str(&format!("... and {} more like these (-v shows them)\n", slight.len() - shown));
    }
    said.extend(fatal.iter().map(|error| text::error(error)));
    output::complain(&said);
}

/// Rendered JSON, or why there is none.
pub(crate) fn json<E: std::fmt::Display>(rendered: Result<String, E>) -> Result<String, Failure> {
    rendered.map_err(|error| Failure::new(format!("cannot render JSON: {error}")))
}
