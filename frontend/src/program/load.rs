//! From paths to programs in one call.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::{Program, link};
use crate::compile_db::CompileDatabase;
use crate::discover::discover;
use crate::ir::Unit;
use crate::lower::{self, lower};
use crate::preprocess::{Diagnostic, MacroOption, Request, preprocess};
use crate::programs::Programs;
use crate::source::Overlay;

/// What to load, and how it is compiled.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Files and directories; directories are walked for `*.c`.
    pub paths: Vec<PathBuf>,
    /// Patterns of files to leave out, relative to `root`.
    pub exclude: Vec<String>,
    /// What patterns are relative to; empty is the current directory.
    pub root: PathBuf,
    /// How the files are compiled, where that is known.
    pub database: Option<CompileDatabase>,
    /// Further include directories.
    pub includes: Vec<PathBuf>,
    /// Further macros.
    pub macros: Vec<MacroOption>,
    /// Which compilers may be started.
    pub programs: Programs,
    /// Texts of unsaved files.
    pub overlay: Overlay,
    /// How to lower.
    pub lower: lower::Options,
}

/// A file or path that could not be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The file as the user named it.
    pub path: PathBuf,
    /// One line for the user.
    pub message: String,
}

/// Everything that could be taken in.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The units in the order of discovery, each with what went wrong in it.
    pub units: Vec<Arc<Unit>>,
    /// What the preprocessor had to say about each unit.
    pub diagnostics: Vec<Vec<Diagnostic>>,
    /// One for each `main`.
    pub programs: Vec<Program>,
    /// Files that gave no unit.
    pub errors: Vec<LoadError>,
}

/// Finds, preprocesses, lowers and links, in parallel; the order of the result does not depend on that.
#[must_use]
pub fn load(options: &LoadOptions) -> Loaded {
    let mut loaded = Loaded::default();
    let found = match discover(&options.paths, &options.exclude, &options.root) {
        Ok(found) => found,
        Err(error) => {
            loaded.errors.push(LoadError { path: options.root.clone(), message: error.to_string() });
            return loaded;
        }
    };
    loaded.errors.extend(
        found.errors.iter().map(|e| LoadError { path: PathBuf::from(e.path()), message: e.to_string() }),
    );
    let results: Vec<Result<(Unit, Vec<Diagnostic>), LoadError>> =
        found.files.par_iter().map(|path| one(path, options)).collect();
    for result in results {
        match result {
            Ok((unit, diagnostics)) => {
                loaded.units.push(Arc::new(unit));
                loaded.diagnostics.push(diagnostics);
            }
            Err(error) => loaded.errors.push(error),
        }
    }
    loaded.programs = link(&loaded.units);
    loaded
}

fn one(path: &Path, options: &LoadOptions) -> Result<(Unit, Vec<Diagnostic>), LoadError> {
    let mut request = Request::new(path);
    if let Some(command) = options.database.as_ref().and_then(|database| database.command(path)) {
        command.apply(&mut request);
    }
    request.includes.extend(options.includes.iter().cloned());
    request.macros.extend(options.macros.iter().cloned());
    request.programs = options.programs.clone();
    request.overlay = options.overlay.clone();
    let mut source =
        preprocess(&request).map_err(|e| LoadError { path: path.to_owned(), message: e.to_string() })?;
    let diagnostics = std::mem::take(&mut source.diagnostics);
    Ok((lower(path, source, &options.lower), diagnostics))
}
