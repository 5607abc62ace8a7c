//! From a C file as the user wrote it to text that needs no header, with a way back.
//!
//! [`preprocess`] runs translation phases 1 to 4 in process and returns [`Preprocessed`]: the user's text with every
//! macro expanded and every conditional decided, and a [`SourceMap`]. What is particular about it:
//!
//! * **Only the user's text is in the output.** System headers (those found in system include directories, with
//!   `-isystem`, below `/usr/include` ..., and everything they include) contribute their macros, nothing else. Their
//!   text is not even lexed. User headers (`#include "..."`, `-I`) are included as usual. There are no line markers
//!   and no pragmas in the text.
//! * **Our own `mpi.h`** ([`crate::mpi::HEADERS`]) answers every include of one of its names, wherever another one may
//!   be installed, so no MPI installation is needed and MPI constants stay plain identifiers. So does our own
//!   `assert.h`, which expands to `((e) ? (void)0 : __assert_fail(...))`; and stand-ins for the C library's
//!   headers answer when the machine has none.
//! * **A missing header, an `#error`, a broken directive** is a [`Diagnostic`]; the rest is preprocessed.
//! * **GNU words stay as they are** (`__attribute__`, `__builtin_va_arg`, `typeof` ...): [`crate::lower`] gives them a
//!   meaning. Only pragmas go; `#pragma pack` is kept in [`Preprocessed::pack_pragmas`], `#pragma omp` in
//!   [`Preprocessed::openmp_pragmas`].
//! * **No input makes it panic, hang or overflow the stack**: no recursion follows the input, include depth, macro
//!   expansion and output are bounded, and what is over a bound is reported.
//!
//! It is our own because nothing existing fits: the one crate for it (`rucc-pp`) does not hand out its expansion
//! chains, overflows the stack on nested parentheses in `#if`, takes gigabytes on nested invocations, and must lex
//! and expand all system text, which is most of the time of a unit. A compiler's `-E` (see [`compiler`]) is the
//! fallback and the differential test.

mod assumptions;
mod cache;
pub mod compiler;
mod condition;
mod directives;
mod emit;
mod engine;
mod expand;
mod intern;
mod lexed;
mod lexer;
mod macros;
mod map;
mod pragma;
mod predefined;
mod search;
mod stringify;
mod token;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

pub use map::{Location, MacroUse, Presumed, SourceFile, SourceMap, Spot};
pub use search::{SystemDirectories, system_directories};

use crate::programs::Programs;
use crate::source::{Overlay, SourceError};

/// What to preprocess, and how it is compiled.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The file, as the user named it. Locations repeat this spelling.
    pub path: PathBuf,
    /// Text to use instead of the file's content on disk.
    pub text: Option<String>,
    /// Directory that relative include directories and forced includes are relative to; empty means the current one.
    pub directory: PathBuf,
    /// `-I` directories, in order.
    pub includes: Vec<PathBuf>,
    /// `-iquote` directories, in order.
    pub quote_includes: Vec<PathBuf>,
    /// `-isystem` (and `-idirafter`) directories, in order. Text found there is dropped.
    pub system_includes: Vec<PathBuf>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// `-include` files, in order.
    pub forced_includes: Vec<PathBuf>,
    /// `-std=`: `c99`, `gnu11`, ... `None` is the dialect of current compilers, `gnu17`.
    pub std: Option<String>,
    /// Whether `-fopenmp` is on, which defines `_OPENMP`.
    pub openmp: bool,
    /// Whether the options here are those that the file is really compiled with, as a compile database says. If they
    /// are not, `openmp` says nothing: OpenMP pragmas count all the same, because a build that drops them on purpose
    /// is rare and a linter that is given no options is not.
    pub options_known: bool,
    /// The compiler that the project names, for the fallback. If it is not known to be one, or may not be started, it is
    /// `$CC`, then `cc`.
    pub compiler: Option<String>,
    /// Which compilers may be started. None at all unless set.
    pub programs: Programs,
    /// Which preprocessor to use.
    pub engine: EngineChoice,
    /// Texts of unsaved files.
    pub overlay: Overlay,
}

impl Request {
    /// A request for the file `path`, compiled without any option.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Request {
        Request { path: path.into(), ..Request::default() }
    }

    /// The same with `text` in place of the file's content. The file need not exist.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Request {
        self.text = Some(text.into());
        self
    }
}

/// `-D` or `-U`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MacroOption {
    /// `-D`: `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`.
    Define(String),
    /// `-U`: the name.
    Undef(String),
}

/// Which preprocessor a [`Request`] wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineChoice {
    /// In process; the compiler if that fails.
    #[default]
    Auto,
    /// In process only.
    InProcess,
    /// `cc -E` only.
    Compiler,
}

/// Which preprocessor made a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Ours: exact columns, macro chains.
    InProcess,
    /// `cc -E`: exact lines, columns where the token could be found on its line, no macro chains.
    Compiler,
}

/// A unit after preprocessing.
#[derive(Debug, Clone)]
pub struct Preprocessed {
    /// The text: user code only, macros expanded, without directives.
    pub text: String,
    /// Where the code in the text ends. What follows are the expressions of `assumptions`.
    pub code_end: u32,
    /// The `// anyrank: assume EXPR` comments of user files, in the order of `offset`.
    pub assumptions: Vec<Assumption>,
    /// The way back to the user's files.
    pub map: SourceMap,
    /// What went wrong on the way, in the order met.
    pub diagnostics: Vec<Diagnostic>,
    /// Which preprocessor ran.
    pub engine: Engine,
    /// The `anyrank:` comments of all user files of the unit, in file order.
    pub comments: Vec<AnyrankComment>,
    /// The `#pragma pack` lines of user files, which are not in the text, by offset.
    pub pack_pragmas: Vec<PackPragma>,
    /// The OpenMP pragmas of user files, which are not in the text, by offset. None where the file is known to be
    /// compiled without OpenMP, see [`Request::options_known`].
    pub openmp_pragmas: Vec<OpenMpPragma>,
}

/// A `#pragma omp` line, or a `_Pragma("omp ...")`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenMpPragma {
    /// Where it stands: an offset in the text, between two tokens.
    pub offset: u32,
    /// The directive and its clauses: what follows `omp`, with macros expanded, a blank between any two tokens.
    pub directive: String,
    /// Whether it stands among the arguments of a macro. `offset` is then before the whole use of the macro.
    pub in_arguments: bool,
}

/// A `#pragma pack` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackPragma {
    /// Where it stands: an offset in the text, between two tokens.
    pub offset: u32,
    /// From there on no member of a struct is aligned to more than this many bytes; `None` is no limit.
    pub limit: Option<u64>,
}

/// What a comment `// anyrank: assume EXPR` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// Where it stands: an offset in the code, between two tokens.
    pub offset: u32,
    /// The expression with macros expanded: a range of the text behind the code.
    pub expression: std::ops::Range<u32>,
    /// The expression as the user wrote it, with single blanks.
    pub text: String,
}

/// A comment that speaks to anyrank: `// anyrank: ignore[RULE] reason`, `// anyrank: assume EXPR`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnyrankComment {
    /// The file, as in [`Location::file`].
    pub file: String,
    /// 1-based line of the comment.
    pub line: u32,
    /// 1-based column of the word `anyrank`.
    pub column: u32,
    /// What follows `anyrank:`, without blanks at its ends.
    pub text: String,
    /// Whether nothing but the comment stands on its line, so that it is about the next line.
    pub alone: bool,
}

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// For information.
    Note,
    /// The result may not be what the compiler sees.
    Warning,
    /// The compiler would stop here.
    Error,
}

/// What a [`Diagnostic`] is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// A header that is nowhere. Recorded once per including file and header.
    MissingInclude {
        /// The name between the quotes or angle brackets.
        header: String,
    },
    /// A header that is there and cannot be used (unreadable, binary, too large).
    UnusableInclude,
    /// `#error` or `#warning` in the code.
    UserMessage,
    /// A directive or conditional that is malformed or out of place.
    Directive,
    /// A definition or use of a macro that is malformed.
    Macro,
    /// A bound against hostile input was reached; the text is not complete.
    Limit,
    /// The in-process preprocessor failed and the compiler was used.
    Fallback,
    /// A comment `// anyrank: assume` that says nothing, or where nothing can be assumed.
    Assumption,
}

/// Something that went wrong on the way. The text is there all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub kind: DiagnosticKind,
    /// How bad it is.
    pub severity: Severity,
    /// One line for the user.
    pub message: String,
    /// The file, as in [`Location::file`].
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column.
    pub column: u32,
}

/// Why there is no preprocessed text at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreprocessError {
    /// The file itself cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The compiler was asked for, or was the last resort, and did not deliver.
    #[error("{path}: {message}")]
    Compiler {
        /// The file as the user named it.
        path: String,
        /// What happened.
        message: String,
    },
    /// The in-process preprocessor failed on something it should handle: a bug in anyrank.
    #[error("{path}: internal error in the preprocessor: {message}")]
    Internal {
        /// The file as the user named it.
        path: String,
        /// What the panic said.
        message: String,
    },
}

/// Preprocesses one file.
///
/// # Errors
///
/// [`PreprocessError::Source`] when the file itself is missing, unreadable, binary or too large. With
/// [`EngineChoice::Compiler`], [`PreprocessError::Compiler`] when there is no compiler or it says nothing useful.
pub fn preprocess(request: &Request) -> Result<Preprocessed, PreprocessError> {
    if request.engine == EngineChoice::Compiler {
        return compiler::preprocess(request);
    }
    // The engine keeps no state that outlives the call except caches that are only ever added to.
    let error = match catch_unwind(AssertUnwindSafe(|| engine::run(request))) {
        Ok(Ok(unit)) => return Ok(unit),
        Ok(Err(error)) => return Err(error.into()),
        Err(panic) => {
            let message = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("unknown")
                .to_owned();
            PreprocessError::Internal { path: request.path.display().to_string(), message }
        }
    };
    if request.engine == EngineChoice::InProcess {
        return Err(error);
    }
    let mut unit = compiler::preprocess(request).map_err(|_| error.clone())?;
    unit.diagnostics.insert(
        0,
        Diagnostic {
            kind: DiagnosticKind::Fallback,
            severity: Severity::Note,
            message: format!("preprocessed by the compiler instead: {error}"),
            file: request.path.display().to_string(),
            line: 1,
            column: 1,
        },
    );
    Ok(unit)
}

/// `path` as locations show it.
fn display(path: &Path) -> String {
    path.display().to_string()
}
