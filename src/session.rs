//! What the command does with its inputs: load, analyse, collect.
//!
//! Units are loaded and programs analysed in parallel, each guarded against panics; what comes out does not depend on how
//! many at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analyzer::results::{Finding, ProgramReport, Severity, Suggestion};
use analyzer::rules::Rule;
use analyzer::{FlowQuery, NpChoice, Options, Without};
use effort::Limits;
use frontend::ir::Unit;
use frontend::program::Program;
use frontend::source::Overlay;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use report::text::{self, Detail};
use report::{InputError, Outcome};
use rewrite::{Files, SourceFile};

use crate::exit::{Exit, Failure};
use crate::guard::guard;
use crate::load::{self, Loaded};
use crate::{fix, output, progress};

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
const STACK_BYTES: usize = 64 << 20;

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
    in_pool(request, || analyse_here(request, early))
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
    let pool = ThreadPoolBuilder::new()
        .num_threads(request.jobs.unwrap_or(0))
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| Failure::new(format!("cannot start threads: {error}")))?;
    pool.install(work)
}

fn analyse_here(
    request: &Request,
    early: impl FnOnce(Vec<Finding>, &[InputError]),
) -> Result<Answer, Failure> {
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
        for result in units.par_iter().map(|unit| check_unit(unit)).collect::<Vec<_>>() {
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
    early(of_units.iter().filter(|finding| !suppressions.silence(finding)).cloned().collect(), &errors);

    let bar = progress::bar(programs.len(), "programs", request.quiet);
    let reports: Vec<_> = programs
        .par_iter()
        .map(|program| {
            let report = analyse_program(program, request);
            bar.inc(1);
            report
        })
        .collect();
    bar.finish_and_clear();
    for report in reports {
        match report {
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
    Ok(Answer { outcome, suppressed, files, program_files })
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
    guard(work).map_err(|message| InputError { file: load::entry_name(program), message, fatal: true })
}

/// What is suggested about files, whatever program they are part of.
fn about_files(files: &BTreeSet<String>, request: &Request) -> Vec<Result<Vec<Suggestion>, InputError>> {
    if request.suggest.is_empty() {
        return Vec::new();
    }
    let names: Vec<&String> = files.iter().collect();
    let wanted = |rule| request.suggest.contains(&rule);
    let only = |name: &&&String| request.only.as_ref().is_none_or(|only| only.contains(**name));
    let of_file = |file: &SourceFile| rewrite::of_file(file, wanted);
    let suggestions = |name: &str| text_of(name, &request.overlay).iter().flat_map(of_file).collect();
    let guarded = |name: &&String| {
        guard(|| suggestions(name)).map_err(|message| InputError {
            file: (*name).clone(),
            message,
            fatal: true,
        })
    };
    names.par_iter().filter(only).map(guarded).collect()
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
    guard(|| analyzer::rules::check_unit(unit)).map_err(|message| InputError {
        file: unit.path.display().to_string(),
        message,
        fatal: true,
    })
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
