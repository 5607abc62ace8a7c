//! What a worker tells the server about one document: results as an editor shows them, with absolute paths.

use std::path::{Path, PathBuf};

use analyzer::results::{Severity, SourceRange};
use serde::{Deserialize, Serialize};

/// A range of a text: lines and columns from 1, columns in bytes, the end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
}

/// A range of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Absolute.
    pub(crate) path: PathBuf,
    pub(crate) span: Span,
}

impl Place {
    /// A range of the results, whose files are relative to `root`.
    pub(crate) fn new(root: &Path, range: &SourceRange) -> Self {
        let SourceRange { ref file, line, column, end_line, end_column } = *range;
        let path = frontend::source::normalize(&root.join(file));
        Self { path, span: Span { line, column, end_line, end_column } }
    }
}

/// What a document is analysed with.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The version of the server, which the worker must have, too.
    pub(crate) version: String,
    /// The directory that names are relative to, as the editor spells it; the worker runs in it.
    pub(crate) root: PathBuf,
    /// The document, relative to `root` if it is below.
    pub(crate) file: PathBuf,
    /// The texts of all open documents, with paths like that of `file`.
    pub(crate) texts: Vec<(PathBuf, String)>,
    /// Whether edits that remove findings or follow suggestions are looked for, which takes longer than finding them.
    pub(crate) edits: bool,
}

/// What was found out about a document.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct View {
    /// Why nothing could be found out, for the user.
    pub(crate) failure: Option<String>,
    /// All findings of the programs that the document is part of.
    pub(crate) problems: Vec<Problem>,
    /// What could not be taken in.
    pub(crate) lost: Vec<Lost>,
    /// MPI calls that somebody comes to, by place.
    pub(crate) calls: Vec<Call>,
    /// Who comes to the arms of branches in the document.
    pub(crate) arms: Vec<Arm>,
    /// How far the answers go, program by program.
    pub(crate) verdicts: Vec<String>,
    /// All files of all programs that the document is part of.
    pub(crate) files: Vec<PathBuf>,
    /// How far the analysis has come.
    pub(crate) stage: Stage,
}

impl View {
    /// Whether its job is done: the worker says no more.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self.stage, Stage::Programs | Stage::Rewrites)
    }
}

/// Each says what those before it say, and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// Findings of the rules that need no whole program, and what could not be taken in.
    #[default]
    Units,
    /// Everything but edits.
    Programs,
    /// Edits that remove findings, too.
    Fixes,
    /// Everything: what could be written instead, too.
    Rewrites,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Problem {
    pub(crate) place: Place,
    pub(crate) grade: Grade,
    /// Id of the rule.
    pub(crate) rule: String,
    pub(crate) message: String,
    pub(crate) related: Vec<(Place, String)>,
    pub(crate) fix: Option<Repair>,
    /// For a note, what to write instead.
    pub(crate) rewrite: Option<Repair>,
    /// Whether a rule that needs no whole program found it.
    pub(crate) is_early: bool,
}

/// [`Severity`], to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Grade {
    Note,
    Warning,
    Error,
}

impl From<Severity> for Grade {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// Edits that together remove a finding, or say the same with less, and were seen to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Repair {
    pub(crate) description: String,
    pub(crate) edits: Vec<(Place, String)>,
}

/// A part of a file that could not be taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lost {
    pub(crate) path: PathBuf,
    /// Line and column from 1, where known.
    pub(crate) at: Option<(u32, u32)>,
    pub(crate) message: String,
}

/// An MPI call.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) place: Place,
    /// The MPI operation.
    pub(crate) operation: String,
    /// Ranks that come there, where known.
    pub(crate) ranks: Option<String>,
    /// Arguments that are equal on all ranks or known not to be: a name and what is known.
    pub(crate) arguments: Vec<(String, String)>,
    /// What the datatypes consist of that it makes, or is given on all ranks, in Markdown.
    pub(crate) datatypes: Vec<String>,
    pub(crate) partners: Vec<Partner>,
}

/// Who a call communicates with through one other call.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Partner {
    /// For a lens: who and where, shortly.
    pub(crate) short: String,
    /// For a hover, in Markdown, without the places.
    pub(crate) long: String,
    /// The other calls.
    pub(crate) places: Vec<Place>,
}

/// An arm of a branch.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Arm {
    /// Line from 1.
    pub(crate) line: u32,
    /// Column from 1 that the hint stands before.
    pub(crate) column: u32,
    /// The ranks that come there.
    pub(crate) ranks: String,
}
