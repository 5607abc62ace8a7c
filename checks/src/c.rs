//! Any text as C: it is preprocessed and lowered, and everything in the result has its place in the text.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use frontend::ir::{Span, Unit, dump};
use frontend::lower::{Options, lower};
use frontend::preprocess::{EngineChoice, PreprocessError, Request, preprocess};
use frontend::program::link;

/// As the command gives its threads.
const STACK_BYTES: usize = 64 << 20;

/// No program is longer; hangs are looked for in short ones.
const LONGEST: usize = 1 << 16;

/// What changed programs get words from.
pub const WORDS: &[&str] = &[
    "#if 1\n",
    "#else\n",
    "#endif\n",
    "\n#define f(x) ",
    "\n#include \"fuzz.c\"\n",
    "#",
    "##",
    "\\\n",
    "/*",
    "*/",
    "\"",
    "'",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    "...",
    "= {",
    "struct s { ",
    "union ",
    "enum e { ",
    "typedef ",
    "sizeof(",
    "_Generic(",
    "(int[]){",
    "switch (x) {",
    "case 1 ... 9:",
    "default:",
    "goto l;",
    "l:",
    "do {",
    "} while (0);",
    "for (;;) {",
    "if (x) ",
    "else ",
    "break;",
    "continue;",
    "return ",
    "int ",
    "x",
    "0",
    "-1",
    "99999999999999999999",
    "0x7fffffffffffffff",
    "1e400",
    "? :",
    "?:",
    "({",
    "})",
    "__attribute__((packed)) ",
    "typeof(x) ",
    "MPI_Send(",
    "MPI_COMM_WORLD",
    "MPI_Type_vector(",
    "_Pragma(\"omp parallel\")",
    "\n#pragma omp for collapse(2)\n",
    "// anyrank: assume x == ",
    "int a[-1];",
    "int b[1 << 30][1 << 30];",
    "\u{e9}",
];

/// Checks one text.
///
/// # Panics
///
/// If something is wrong.
pub fn check(data: &[u8]) {
    let text = super::text(&data[..data.len().min(LONGEST)]).into_owned();
    let work = || check_text(&text);
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        thread.expect("there are threads").join().expect("it said why");
    });
}

fn check_text(text: &str) {
    let request = Request { engine: EngineChoice::InProcess, ..Request::new("fuzz.c").with_text(text) };
    let source = match preprocess(&request) {
        Ok(source) => source,
        Err(PreprocessError::Source(error)) => return assert!(!error.to_string().contains('\n')),
        Err(error) => panic!("{error}"),
    };
    for said in &source.diagnostics {
        assert!(1 <= said.line && 1 <= said.column && !said.message.contains('\n'), "{said:?}");
    }
    let code = source.code_end;
    assert!(code as usize <= source.text.len() && source.text.is_char_boundary(code as usize));
    let unit = lower(Path::new("fuzz.c"), source, &Options::default());
    let is_placed = |unit: &Unit, span: Span| {
        let place = unit.locate(span);
        assert!(
            1 <= place.line && (place.line, place.column) <= (place.end_line, place.end_column),
            "{place:?}"
        );
    };
    for problem in &unit.problems {
        assert!(!problem.message.contains('\n'), "{problem:?}");
        is_placed(&unit, problem.span);
    }
    // Whatever there is can be shown.
    let _ = dump::unit(&unit);
    let programs = link(&[Arc::new(unit)]);
    assert!(programs.len() <= 1, "a text has one `main` at most");
}
