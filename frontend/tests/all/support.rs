//! What the tests of the lowering share.

use std::path::Path;

use frontend::ir::Unit;
use frontend::lower::{Options, lower};
use frontend::preprocess::{EngineChoice, Request, preprocess};

/// Preprocesses and lowers a text.
#[allow(dead_code, reason = "each test uses what it needs")]
pub(crate) fn unit(text: &str) -> Unit {
    named("test.c", text)
}

/// The same under a name of its own.
pub(crate) fn named(path: &str, text: &str) -> Unit {
    let mut request = Request::new(path).with_text(text);
    request.engine = EngineChoice::InProcess;
    let source = preprocess(&request).expect("a text can be preprocessed");
    let options =
        Options { wrappers: [("my_bcast".to_owned(), "MPI_Bcast".to_owned())].into_iter().collect() };
    lower(Path::new(path), source, &options)
}
