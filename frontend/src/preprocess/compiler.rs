//! Preprocessing by the compiler's `-E`: the fallback, and the differential test of the in-process preprocessor.

use std::path::PathBuf;

use super::{PreprocessError, Preprocessed, Request};

/// The include directories the compiler searches by itself, as `cc -E -v` prints them. Empty when there is none.
pub(super) fn ask_include_directories() -> Vec<PathBuf> {
    Vec::new()
}

/// Preprocesses a file with the compiler.
///
/// # Errors
///
/// [`PreprocessError::Compiler`] when there is no compiler, or it gives no output.
pub fn preprocess(request: &Request) -> Result<Preprocessed, PreprocessError> {
    Err(PreprocessError::Compiler {
        path: request.path.display().to_string(),
        message: "not there yet".to_owned(),
    })
}
