//! From preprocessed text to the [`crate::ir`].
//!
//! The way of a unit: `lexer` makes tokens, `chunks` cuts them into top-level pieces, `rewrite` turns each piece
//! into what tree-sitter-c parses without doubt, using the names declared so far, `syntax` parses it into a flat tree
//! with original positions, and `unit` with the modules after it give the tree its meaning.
//!
//! Architecture invariant: a piece that cannot be parsed costs itself only. Nothing here returns an error.

mod alignment;
mod arithmetic;
mod assign;
mod assumptions;
mod builtin;
mod call;
mod chunks;
mod cleanup;
mod condition;
mod constant;
mod containment;
mod convert;
mod declarator;
mod expr;
mod flow;
mod function;
mod init;
mod layout;
mod lexer;
mod library;
mod literal;
mod live;
mod local;
mod loops;
mod place;
mod rewrite;
mod scope;
mod spelled;
mod stmt;
mod switch;
mod syntax;
mod threads;
mod types;
mod unit;

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::ir::Unit;
use crate::preprocess::Preprocessed;

/// What the lowering is told from outside.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of functions that stand for MPI functions, from `[mpi.wrappers]` of `anyrank.toml`:
    /// `hypre_MPI_Bcast` to `MPI_Bcast`.
    pub wrappers: FxHashMap<String, String>,
}

/// Lowers one unit. `path` is the file as the user named it.
///
/// What cannot be parsed is in [`Unit::problems`]; the rest is lowered.
#[must_use]
pub fn lower(path: &Path, source: Preprocessed, options: &Options) -> Unit {
    unit::lower(path, source, options)
}

/// Whether the name is that of a function of the C library, POSIX or OpenMP that we know: it does not communicate, and it
/// writes only through pointers it is given.
#[must_use]
pub fn is_library_function(name: &str) -> bool {
    library::result(name.strip_prefix("__builtin_").unwrap_or(name)).is_some()
}
