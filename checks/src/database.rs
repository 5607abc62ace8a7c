//! Any bytes as `compile_commands.json`: it is read, or one line says where it is wrong; and nothing is started.

use std::path::Path;

use frontend::compile_db::CompileDatabase;
use frontend::preprocess::Request;
use frontend::programs::Programs;

/// What changed databases get words from.
pub const WORDS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\\"",
    "\\\\",
    "\\u0000",
    "\\ud800",
    "null",
    "-1e999",
    "\"directory\": ",
    "\"file\": ",
    "\"command\": ",
    "\"arguments\": ",
    "\"cc -c a.c\"",
    "\"mpicc\"",
    "/",
    "..",
    "@",
    "@/dev/zero",
    "@.",
    "'",
    " ",
    "-I",
    "-D",
    "-U",
    "-include ",
    "-isystem",
    "-std=",
    "-fopenmp",
    "ccache ",
    "env A=B ",
    "\u{e9}",
];

/// Checks one database.
///
/// # Panics
///
/// If something is wrong.
pub fn check(data: &[u8]) {
    let path = Path::new("/anyrank-fuzz/compile_commands.json");
    let database = match CompileDatabase::parse(data, path, &Programs::default()) {
        Ok(database) => database,
        Err(error) => {
            let said = error.to_string();
            assert!(
                !said.contains('\n') && said.starts_with("/anyrank-fuzz/compile_commands.json:"),
                "{said:?}"
            );
            return;
        }
    };
    for file in database.files() {
        assert!(file.is_absolute(), "{}", file.display());
        let command = database.command(file).unwrap_or_else(|| panic!("{} has a command", file.display()));
        let mut request = Request::new(file);
        command.apply(&mut request);
        assert!(request.options_known);
    }
}
