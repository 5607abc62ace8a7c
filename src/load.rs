//! From the paths the user named to units and programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontend::compile_db::CompileDatabase;
use frontend::discover::{Discovery, discover};
use frontend::ir::Unit;
use frontend::lower::{self, lower};
use frontend::preprocess::{
    self, AnyrankComment, Diagnostic, DiagnosticKind, MacroOption, Severity, preprocess,
};
use frontend::program::{Program, link};
use frontend::programs::Programs;
use frontend::source::SourceError;
use report::InputError;

use crate::exit::Failure;
use crate::guard::{each, watch};
use crate::journal::Task;
use crate::neighbours::Neighbours;
use crate::session::{self, Request};
use crate::suppress::Suppressions;
use crate::{interrupt, progress};

/// All inputs, as far as they could be taken in.
pub(crate) struct Loaded {
    /// Every unit the user named, in the order of discovery.
    pub(crate) units: Vec<Arc<Unit>>,
    /// Every entry point with the units that define what it calls.
    pub(crate) programs: Vec<Program>,
    /// What could not be taken in.
    pub(crate) errors: Vec<InputError>,
    /// Comments that silence findings.
    pub(crate) suppressions: Suppressions,
}

/// Loads everything.
pub(crate) fn load(request: &Request) -> Result<Loaded, Failure> {
    let Discovery { files, errors: unfound } = discover(&request.paths, &request.exclude, &request.root)
        .map_err(|error| Failure::new(error.to_string()))?;
    let named = |path: &str| request.paths.iter().any(|named| named.as_os_str() == path);
    let mut errors: Vec<InputError> =
        unfound.iter().map(|error| source_error(error, named(error.path()))).collect();
    if files.is_empty() && errors.is_empty() {
        let paths: Vec<_> = request.paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::new(format!("no C files in {}", paths.join(", "))));
    }
    let programs = programs(request, &files);
    let database = database(request, &programs, &mut errors);
    let mut units = Vec::new();
    let mut suppressions = Suppressions::default();
    let bar = progress::bar(files.len(), "files", request.quiet);
    let machine = Machine { database: database.as_ref(), programs: &programs };
    for (file, result) in files.iter().zip(load_files(&files, request, machine, || bar.inc(1))) {
        match result {
            Ok(one) => {
                suppressions.add(&one.comments, &mut errors);
                errors.extend(one.errors);
                units.push(Arc::new(one.unit));
            }
            Err(mut error) => {
                error.fatal |= request.paths.contains(file);
                errors.push(error);
            }
        }
    }
    bar.finish_and_clear();
    if units.is_empty() {
        // Nothing at all could be done.
        errors.iter_mut().for_each(|error| error.fatal = true);
    }
    let mut neighbours = Neighbours::new(request, database.as_ref(), &files);
    let mut unread = Vec::new();
    let (programs, others) = link_with(&units, &mut neighbours, |files| {
        let mut all = Vec::new();
        for result in load_files(files, request, machine, || {}) {
            match result {
                Ok(file) => all.push(file),
                // A neighbour that cannot be read is as good as none; one that is left out is missing.
                Err(error) => unread.extend(error.fatal.then_some(error)),
            }
        }
        all
    });
    errors.extend(unread);
    for other in others {
        suppressions.add(&other.comments, &mut errors);
        errors.extend(other.errors);
    }
    errors.extend(programs.iter().flat_map(ambiguities));
    Ok(Loaded { units, programs, errors, suppressions })
}

/// Links the named units, and as long as a program lacks a definition, brings in neighbours that may have it. Returns the
/// programs whose `main` is in a named unit, and what else is known about the neighbours that they use.
fn link_with(
    named: &[Arc<Unit>],
    neighbours: &mut Neighbours<'_>,
    mut load: impl FnMut(&[PathBuf]) -> Vec<File>,
) -> (Vec<Program>, Vec<Notes>) {
    let mut units = named.to_vec();
    let mut notes: Vec<Notes> = Vec::new();
    loop {
        let mut programs = link(&units);
        programs.retain(|program| {
            let entry = &program.units[program.entry.unit];
            named.iter().any(|unit| Arc::ptr_eq(unit, entry))
        });
        let files = neighbours.take_for(&programs);
        if files.is_empty() {
            let used =
                |unit: &Arc<Unit>| programs.iter().flat_map(|p| &p.units).any(|used| Arc::ptr_eq(used, unit));
            notes.retain(|notes| used(&notes.unit));
            return (programs, notes);
        }
        for File { unit, comments, errors } in load(&files) {
            let unit = Arc::new(unit);
            notes.push(Notes { unit: Arc::clone(&unit), comments, errors });
            units.push(unit);
        }
    }
}

/// What is known about a neighbour besides its unit.
struct Notes {
    unit: Arc<Unit>,
    comments: Vec<AnyrankComment>,
    errors: Vec<InputError>,
}

/// Names that several files define, equally near to the program that uses them.
fn ambiguities(program: &Program) -> impl Iterator<Item = InputError> {
    program.ambiguities.iter().map(|ambiguity| {
        let others: Vec<_> = ambiguity.others.iter().map(|file| file.display().to_string()).collect();
        InputError {
            file: ambiguity.chosen.display().to_string(),
            message: format!(
                "`{}` is defined in {} too; the definition in this file is taken",
                ambiguity.name,
                others.join(", ")
            ),
            fatal: false,
        }
    })
}

/// The file of an entry point, as the user named it.
pub(crate) fn entry_name(program: &Program) -> String {
    program.units[program.entry.unit].path.display().to_string()
}

/// One file, taken in.
struct File {
    unit: Unit,
    comments: Vec<AnyrankComment>,
    errors: Vec<InputError>,
}

/// How files are compiled, and what may be started to find out more.
#[derive(Clone, Copy)]
struct Machine<'a> {
    database: Option<&'a CompileDatabase>,
    programs: &'a Programs,
}

/// The programs that are not part of what is analysed.
fn programs(request: &Request, files: &[PathBuf]) -> Programs {
    let directories: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let named = request.paths.iter().chain([&request.root]).chain(&request.compile_commands);
    let project = named.map(PathBuf::as_path).chain(directories);
    Programs::outside(project.filter(|path| !path.as_os_str().is_empty()), &request.trusted_programs)
}

/// Takes files in, in parallel; the results are in the order of the files. `done` is called after each.
fn load_files(
    files: &[PathBuf],
    request: &Request,
    machine: Machine<'_>,
    done: impl Fn() + Sync,
) -> Vec<Result<File, InputError>> {
    let one = |file: &PathBuf| {
        let result = load_file(file, request, machine);
        done();
        result
    };
    each(files, |file| file_task(&file.display().to_string()), one)
}

/// A file in the journal.
fn file_task(name: &str) -> Task {
    Task::new("file", name)
}

fn load_file(path: &Path, request: &Request, machine: Machine<'_>) -> Result<File, InputError> {
    let name = path.display().to_string();
    if interrupt::is_due() {
        return Err(session::interrupted(name));
    }
    watch(&file_task(&name), || take_in(path, &name, request, machine))
        .unwrap_or_else(|message| Err(InputError { file: name.clone(), message, fatal: true }))
}

fn take_in(path: &Path, name: &str, request: &Request, machine: Machine<'_>) -> Result<File, InputError> {
    let mut how = preprocess::Request::new(path);
    how.overlay = request.overlay.clone();
    how.programs = machine.programs.clone();
    if let Some(command) = machine.database.and_then(|database| database.command(path)) {
        command.apply(&mut how);
    }
    how.includes.extend(request.include.iter().map(|directory| absolute_unless(&how.directory, directory)));
    how.macros.extend(request.define.iter().cloned().map(MacroOption::Define));
    let mut source = preprocess(&how).map_err(|error| {
        let message = error.to_string();
        InputError { file: name.to_owned(), message: without_path(&message, name), fatal: false }
    })?;
    let comments = std::mem::take(&mut source.comments);
    let mut errors: Vec<_> = source.diagnostics.iter().filter_map(diagnostic).collect();
    if request.overlay.get(path).is_none()
        && std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0)
    {
        errors.push(InputError {
            file: name.to_owned(),
            message: "the file is empty".to_owned(),
            fatal: false,
        });
    }
    let options = lower::Options {
        wrappers: request.wrappers.iter().map(|(name, mpi)| (name.clone(), mpi.clone())).collect(),
    };
    let unit = lower(path, source, &options);
    for problem in &unit.problems {
        let place = unit.locate(problem.span);
        let cost =
            problem.function.as_ref().map_or_else(String::new, |name| format!("; `{name}` is not analysed"));
        let message = format!("line {}, column {}: {}{cost}", place.line, place.column, problem.message);
        errors.push(InputError { file: place.file.to_string(), message, fatal: false });
    }
    Ok(File { unit, comments, errors })
}

/// The compiler's working directory is not always ours; directories on our command line are relative to ours.
fn absolute_unless(working: &Path, directory: &Path) -> PathBuf {
    if working.as_os_str().is_empty() { directory.to_owned() } else { frontend::source::absolute(directory) }
}

/// The compile database that was named, or that is there. What is wrong with it is reported; the files are analysed
/// without it.
fn database(request: &Request, programs: &Programs, errors: &mut Vec<InputError>) -> Option<CompileDatabase> {
    let found = match &request.compile_commands {
        Some(path) => CompileDatabase::load(path, programs).map(Some),
        None => CompileDatabase::find(Path::new("."), programs),
    };
    let mut report = |file: String, message: &str, fatal| {
        errors.push(InputError { message: without_path(message, &file), file, fatal });
    };
    match found {
        Ok(database) => {
            let database = database?;
            let file = database.path.display().to_string();
            database.notes.iter().for_each(|note| report(file.clone(), note, false));
            Some(database)
        }
        Err(error) => {
            let named = request.compile_commands.as_ref();
            let file =
                named.map_or_else(|| "compile_commands.json".to_owned(), |path| path.display().to_string());
            report(file, &error.to_string(), named.is_some());
            None
        }
    }
}

/// Messages of the frontend begin with the file; ours keep it apart.
fn without_path(message: &str, path: &str) -> String {
    message.strip_prefix(path).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(message).to_owned()
}

fn source_error(error: &SourceError, fatal: bool) -> InputError {
    let file = error.path().to_owned();
    InputError { message: without_path(&error.to_string(), &file), file, fatal }
}

fn diagnostic(diagnostic: &Diagnostic) -> Option<InputError> {
    // What the code says to its own compiler is not for our user, unless it stops the compiler.
    let chatter = diagnostic.kind == DiagnosticKind::UserMessage && diagnostic.severity < Severity::Error;
    (!chatter && Severity::Warning <= diagnostic.severity).then(|| InputError {
        file: diagnostic.file.clone(),
        message: format!("line {}, column {}: {}", diagnostic.line, diagnostic.column, diagnostic.message),
        fatal: false,
    })
}
