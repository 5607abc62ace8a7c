//! Any text as `anyrank.toml`, of a project and of a user: it is read, or one line says where it is wrong.

use std::path::Path;

use frontend::config::{ConfigError, parse, parse_user};

/// What changed settings get words from.
pub const WORDS: &[&str] = &[
    "select",
    "ignore",
    "exclude",
    "include",
    "define",
    "[severity]\n",
    "[mpi.wrappers]\n",
    "trusted-programs",
    " = ",
    "[",
    "]",
    "\"",
    "'",
    "'''",
    "\"\"\"",
    "{",
    "}",
    ",",
    "\n",
    "\r\n",
    "#",
    ".",
    "\"error\"",
    "\"MPI_Send\"",
    "1979-05-27T07:32:00Z",
    "0x1",
    "inf",
    "true",
    "\\u0000",
    "\u{e9}",
];

/// Checks one text.
///
/// # Panics
///
/// If something is wrong.
pub fn check(data: &[u8]) {
    let text = super::text(data);
    let path = Path::new("anyrank.toml");
    is_clear(&text, parse(&text, path).err());
    if let Err(error) = parse_user(&text, path) {
        is_clear(&text, Some(error));
    }
}

fn is_clear(text: &str, error: Option<ConfigError>) {
    let Some(error) = error else { return };
    let said = error.to_string();
    assert!(!said.contains('\n') && said.starts_with("anyrank.toml:"), "{said:?}");
    let ConfigError::Content { line, column, .. } = error else { panic!("nothing is read: {said}") };
    let lines: Vec<&str> = text.split('\n').collect();
    assert!(1 <= line && line <= lines.len(), "{said:?} in {text:?}");
    assert!(1 <= column && column <= lines[line - 1].len() + 1, "{said:?} in {text:?}");
}
