//! Preprocessing by the compiler's `-E`: the fallback, and the differential test of the in-process preprocessor.
//!
//! The compiler reads the file from its standard input, so unsaved text works as well, with our own headers first on
//! its include path. A missing header, which ends a compiler's run, is replaced by an empty one and the run repeated.
//! Its line markers say which file and line each line of output is from; columns are found by looking for the same
//! token on that line. What cannot be found maps to the whole line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustc_hash::FxHashMap;

use super::engine::Unit;
use super::intern::intern;
use super::lexed::{Depth, Item, LexedFile};
use super::lexer::Lexer;
use super::token::{Kind, LINE_START, RESPELLED, SPACE, Tok, Token, punct};
use super::{
    DiagnosticKind, Engine, MacroOption, PreprocessError, Preprocessed, Request, Severity, display, search,
};
use crate::compile_db::{is_mpi_wrapper, leading_words};
use crate::programs::{Program, Programs, Refusal};
use crate::source::{self, SourceText, absolute};

/// How long one run of the compiler may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Missing headers that are replaced in one unit.
const MAX_MISSING: usize = 64;
/// Lines after the one a marker names in which a token of a macro's arguments is looked for.
const ARGUMENT_LINES: usize = 24;

/// The include directories the compiler searches by itself, as `cc -E -v` prints them. Empty when there is none.
pub(super) fn ask_include_directories(programs: &Programs) -> Vec<PathBuf> {
    let Ok(compiler) = programs.find("cc") else { return Vec::new() };
    let asked = compiler.run(["-E", "-v", "-x", "c", "-"], b"", Duration::from_secs(5));
    let Ok(answer) = asked else { return Vec::new() };
    let text = String::from_utf8_lossy(&answer.stderr);
    text.lines()
        .skip_while(|line| !line.starts_with("#include <...>"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| PathBuf::from(line.trim().trim_end_matches(" (framework directory)")))
        .filter(|dir| dir.is_dir())
        .collect()
}

/// Preprocesses a file with the compiler.
///
/// # Errors
///
/// [`PreprocessError::Source`] when the file cannot be read, [`PreprocessError::Compiler`] when there is no compiler or
/// it gives no output.
pub fn preprocess(request: &Request) -> Result<Preprocessed, PreprocessError> {
    let source = super::engine::main_source(request)?;
    let failed = |message: String| PreprocessError::Compiler { path: display(&request.path), message };
    let headers = tempfile::tempdir().map_err(|error| failed(format!("no temporary directory: {error}")))?;
    let (ours, stubs) = (headers.path().join("ours"), headers.path().join("missing"));
    write_headers(&ours)
        .and_then(|()| std::fs::create_dir_all(&stubs))
        .map_err(|error| failed(error.to_string()))?;
    // `__FILE__`, markers and messages then have the file's name.
    let name = display(&request.path);
    let quoted = |name: &str| format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    // Not by `-include`, which has Clang take a precompiled header that lies beside.
    let forced = request.forced_includes.iter().map(|file| absolute(&request.directory.join(file)));
    let mut input: String = forced.map(|file| format!("#include {}\n", quoted(&display(&file)))).collect();
    input.push_str(&format!("#line 1 {}\n{}", quoted(&name), source.text));
    let directories = Directories::new(request);
    let (compiler, leading) =
        compiler(request).map_err(|refusal| failed(format!("no compiler: {refusal}")))?;
    let mut arguments: Vec<OsString> = leading.into_iter().map(OsString::from).collect();
    arguments.extend(command_line(request, &directories, &ours, &stubs));
    let mut missing = Vec::new();
    let answer = loop {
        let answer = compiler
            .run(&arguments, input.as_bytes(), TIMEOUT)
            .map_err(|error| failed(format!("{}: {error}", compiler.file().display())))?;
        let header =
            (!answer.success).then(|| missing_header(&String::from_utf8_lossy(&answer.stderr))).flatten();
        match header {
            Some(lost) if missing.len() < MAX_MISSING && stand_in(&stubs, &lost.header) => missing.push(lost),
            _ => break answer,
        }
    };
    if !answer.success && answer.stdout.is_empty() {
        let text = String::from_utf8_lossy(&answer.stderr);
        let line = text.lines().find(|line| line.contains("error")).or_else(|| text.lines().next());
        return Err(failed(format!("the compiler cannot preprocess it: {}", line.unwrap_or("no message"))));
    }
    let output = String::from_utf8_lossy(&answer.stdout).into_owned();
    Ok(read_output(request, &source, &output, &directories, headers.path(), &missing))
}

/// A header the compiler did not find: where, and its name.
struct Missing {
    file: String,
    line: u32,
    header: String,
}

/// Writes our headers into a directory of their own.
fn write_headers(directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    search::replacements().try_for_each(|(name, text)| std::fs::write(directory.join(name), text))
}

/// The compiler, and the arguments that the user's environment gives it.
fn compiler(request: &Request) -> Result<(Program, Vec<String>), Refusal> {
    let named =
        request.compiler.iter().filter(|name| is_compiler(name)).map(|name| (name.clone(), Vec::new()));
    // A launcher before it has nothing to do where nothing is compiled.
    let environment =
        std::env::var("CC").ok().and_then(|cc| shell_words::split(&cc).ok()).and_then(|words| {
            let (leading, options) = words.split_at(leading_words(&words));
            Some((leading.last()?.clone(), options.to_vec()))
        });
    let usual = ("cc".to_owned(), Vec::new());
    let mut refusal = Refusal::Missing;
    for (name, options) in named.chain(environment).chain([usual]) {
        match request.programs.find(&name) {
            Ok(program) => return Ok((program, options)),
            Err(other) => refusal = other,
        }
    }
    Err(refusal)
}

/// Whether a program is a C compiler by its name, such as `x86_64-linux-gnu-gcc-12`: what the project names is given
/// options of one.
fn is_compiler(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let is_version = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let kind = name.split('-').rfind(|part| !is_version(part));
    matches!(
        kind,
        Some(
            "cc" | "c89"
                | "c99"
                | "c11"
                | "c17"
                | "gcc"
                | "clang"
                | "icc"
                | "icx"
                | "nvc"
                | "pgcc"
                | "armclang"
                | "xlc"
        )
    ) || is_mpi_wrapper(name)
}

/// The include directories, which the compiler gets by their absolute paths.
struct Directories {
    quoted: Vec<PathBuf>,
    angled: Vec<PathBuf>,
    system: Vec<PathBuf>,
    /// Absolute paths of those that the request names by relative ones, and these.
    relative: Vec<(PathBuf, PathBuf)>,
}

impl Directories {
    fn new(request: &Request) -> Directories {
        // The file comes from standard input, so its directory must be named.
        let own = request.path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut relative = Vec::new();
        let mut place = |spelled: PathBuf| {
            let full = absolute(&spelled);
            if spelled.is_relative() {
                relative.push((full.clone(), spelled));
            }
            full
        };
        let own = place(own.to_path_buf());
        let mut all = |dirs: &[PathBuf]| dirs.iter().map(|dir| place(request.directory.join(dir))).collect();
        let (others, angled, system): (Vec<_>, _, _) =
            (all(&request.quote_includes), all(&request.includes), all(&request.system_includes));
        // The longest is the one that a file was found in.
        relative.sort_by_key(|(full, _)| std::cmp::Reverse(full.components().count()));
        Directories { quoted: std::iter::once(own).chain(others).collect(), angled, system, relative }
    }

    /// The name of a file as it is with the directory as the request spells it.
    fn as_spelled(&self, name: &str) -> String {
        let path = Path::new(name);
        let spelled = self
            .relative
            .iter()
            .find_map(|(full, spelled)| Some(spelled.join(path.strip_prefix(full).ok()?)));
        spelled.map_or_else(|| name.to_owned(), |path| display(&path))
    }
}

/// The compiler's arguments.
fn command_line(request: &Request, directories: &Directories, ours: &Path, stubs: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["-E".into(), "-w".into()];
    arguments.extend(request.std.iter().map(|std| format!("-std={std}").into()));
    arguments.extend(request.openmp.then(|| "-fopenmp".into()));
    for option in &request.macros {
        arguments.push(match option {
            MacroOption::Define(text) => format!("-D{text}").into(),
            MacroOption::Undef(name) => format!("-U{name}").into(),
        });
    }
    let mut name = |option: &str, directory: &Path| {
        arguments.extend([option.into(), directory.into()]);
    };
    name("-I", ours);
    name("-iquote", ours);
    directories.quoted.iter().for_each(|directory| name("-iquote", directory));
    directories.angled.iter().for_each(|directory| name("-I", directory));
    directories.system.iter().for_each(|directory| name("-isystem", directory));
    name("-idirafter", stubs);
    arguments.extend(["-x", "c", "-"].map(OsString::from));
    arguments
}

/// The header that a compiler's message says is missing.
fn missing_header(stderr: &str) -> Option<Missing> {
    stderr.lines().find_map(|line| {
        let (place, message) = line.split_once(" fatal error: ")?;
        // GCC: `x.h: No such file or directory`; Clang: `'x.h' file not found`.
        let header = message
            .strip_suffix(": No such file or directory")
            .or_else(|| message.strip_prefix('\'')?.strip_suffix("' file not found"))?;
        let mut parts = place.trim_end_matches(':').rsplitn(3, ':');
        let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Missing { file: file.to_owned(), line: line.parse().unwrap_or(1), header: header.to_owned() })
    })
}

/// Makes an empty header, unless its name leads out of the directory.
fn stand_in(stubs: &Path, header: &str) -> bool {
    let path = source::normalize(Path::new(header));
    let inside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let path = stubs.join(path);
    inside
        && !path.exists()
        && path.parent().is_some_and(|dir| std::fs::create_dir_all(dir).is_ok())
        && std::fs::write(&path, "").is_ok()
}

/// Builds the unit from the compiler's output.
fn read_output(
    request: &Request,
    source: &SourceText,
    output: &str,
    directories: &Directories,
    temporary: &Path,
    missing: &[Missing],
) -> Preprocessed {
    let mut unit = Unit::new(request);
    let main = Arc::new(LexedFile::new(source.text.clone(), source.bom, Depth::Full));
    let main_name = display(&request.path);
    let mut reader =
        Reader { directories, temporary, files: FxHashMap::default(), current: None, line: 1, found: 0 };
    let index = unit.push_file(main_name.clone(), false, main);
    reader.files.insert(main_name, Some(index));
    for text in output.lines() {
        if let Some(rest) = text.strip_prefix("# ") {
            reader.marker(&mut unit, rest);
        } else if let Some(pragma) = text.trim_start().strip_prefix("#pragma") {
            if reader.current.is_some() {
                kept_pragma(&mut unit, pragma.trim_start());
            }
            reader.line += 1;
        } else {
            reader.text_line(&mut unit, text);
            reader.line += 1;
        }
    }
    for lost in missing {
        unit.diagnostics.push(super::Diagnostic {
            kind: DiagnosticKind::MissingInclude { header: lost.header.clone() },
            severity: Severity::Warning,
            message: format!("header '{}' not found; what it would declare is unknown here", lost.header),
            file: lost.file.clone(),
            line: lost.line,
            column: 1,
        });
    }
    for file in 0..unit.files.len() {
        let lexed = Arc::clone(&unit.files[file].lexed);
        for item in &lexed.items {
            if let Item::Assumption(comment) = item {
                let message = "assumptions are not read where the compiler preprocesses".to_owned();
                let at = Some((file as u16, comment.start));
                unit.report_at(at, DiagnosticKind::Assumption, Severity::Error, message);
            }
        }
    }
    Preprocessed { engine: Engine::Compiler, ..unit.finish(index) }
}

/// Keeps what is to be kept of a pragma, which the compiler has left as it is or made of a `_Pragma`.
fn kept_pragma(unit: &mut Unit<'_>, pragma: &str) {
    if let Some(words) = pragma.strip_prefix("pack") {
        let words: Vec<String> = words.split(['(', ',', ')', ' ']).map(str::to_owned).collect();
        unit.pragma_pack(&words);
    } else if let Some(directive) = pragma.strip_prefix("omp ") {
        let mut lexer = Lexer::new(directive);
        let mut toks = Vec::new();
        while let Some(token) = lexer.next() {
            toks.push(unit.detached(&token, directive));
        }
        unit.openmp_pragma(toks);
    }
}

struct Reader<'a> {
    directories: &'a Directories,
    temporary: &'a Path,
    /// The files named by markers: their number in the unit, or `None` for those whose text is dropped.
    files: FxHashMap<String, Option<u16>>,
    /// The file of the current line, when it is the user's.
    current: Option<u16>,
    /// The current line in that file.
    line: u32,
    /// Index in the file's tokens after the last one found.
    found: usize,
}

impl Reader<'_> {
    /// Reads `LINE "FILE" FLAGS`.
    fn marker(&mut self, unit: &mut Unit<'_>, text: &str) {
        let Some((line, rest)) = text.split_once(' ') else { return };
        let Ok(line) = line.parse() else { return };
        let Some((name, flags)) = rest.strip_prefix('"').and_then(|rest| rest.rsplit_once('"')) else {
            return;
        };
        let name = self.directories.as_spelled(&name.replace("\\\\", "\\").replace("\\\"", "\""));
        let system = flags.split(' ').any(|flag| flag == "3");
        self.line = line;
        self.found = 0;
        self.current = match self.files.get(&name) {
            Some(&known) => known,
            None => {
                let path = Path::new(&name);
                let drop = system
                    || name.starts_with('<')
                    || path.starts_with(self.temporary)
                    || search::is_installed(
                        path,
                        &search::system_directories(&unit.request.programs).directories,
                    );
                let index = if drop { None } else { self.open(unit, path) };
                self.files.insert(name, index);
                index
            }
        };
    }

    /// Reads a user's header, for the columns and comments in it.
    fn open(&self, unit: &mut Unit<'_>, path: &Path) -> Option<u16> {
        let text = match unit.request.overlay.get(path) {
            Some(text) => source::decode(path, text.as_bytes().to_vec()),
            None => source::read(path),
        };
        // A name that only a `#line` invents has no text: everything in it maps to its first line.
        let text = text.unwrap_or_else(|_| SourceText { text: "".into(), replaced_bytes: 0, bom: false });
        let lexed = Arc::new(LexedFile::new(text.text, text.bom, Depth::Full));
        Some(unit.push_file(display(&source::normalize(path)), false, lexed))
    }

    /// Lexes a line of output and gives every token a place.
    fn text_line(&mut self, unit: &mut Unit<'_>, text: &str) {
        let Some(index) = self.current else { return };
        let file = unit.files[usize::from(index)].lexed.clone();
        let mut lexer = Lexer::new(text);
        let mut flags = LINE_START;
        while let Some(token) = lexer.next() {
            let spelling = &text[token.start as usize..(token.start + token.len) as usize];
            let mut tok = self.place(&file, &token, spelling);
            tok.file = index;
            tok.flags = (tok.flags & RESPELLED) | flags | (token.flags & SPACE);
            flags = 0;
            unit.out.push(tok);
        }
    }

    /// The token of the source that `token` is, or one that stands for its whole line.
    fn place(&mut self, file: &LexedFile, token: &Token, spelling: &str) -> Tok {
        let begin = self.line_start(file, self.line as usize);
        let end = self.line_start(file, self.line as usize + 1);
        let first = file.tokens.partition_point(|t| t.start < begin).max(self.found);
        let same = |t: &Token| {
            t.kind == token.kind
                && match token.kind {
                    Kind::Ident | Kind::Punct => t.sym == token.sym,
                    _ => t.flags & RESPELLED == 0 && file.slice(t.start, t.len) == spelling,
                }
        };
        let until =
            |limit: u32| file.tokens[first..].iter().take_while(move |t| t.start < limit).position(same);
        // Names and literals may stand on later lines of the same macro call; punctuation is everywhere.
        let far = || {
            let limit = if matches!(token.kind, Kind::Ident | Kind::Str) {
                self.call_end(file, begin, end)
            } else {
                end
            };
            until(limit)
        };
        match until(end).or_else(far) {
            Some(at) => {
                self.found = first + at + 1;
                Tok::new(&file.tokens[first + at], 0)
            }
            None => {
                let text = file.slice(begin, end - begin);
                let indent = (text.len() - text.trim_start().len()) as u32;
                let sym = match token.kind {
                    Kind::Ident | Kind::Punct => token.sym,
                    _ => intern(spelling),
                };
                let len = (text.trim().len() as u32).max(1);
                Tok {
                    sym,
                    start: begin + indent.min(end - begin),
                    len,
                    node: 0,
                    file: 0,
                    kind: token.kind,
                    flags: RESPELLED,
                }
            }
        }
    }

    /// Where the parentheses that are open at the end of a line close: the compiler puts a whole macro call on the line
    /// it begins on. The end of the line when there are none.
    fn call_end(&self, file: &LexedFile, begin: u32, end: u32) -> u32 {
        let reach = self.line_start(file, self.line as usize + ARGUMENT_LINES);
        let first = file.tokens.partition_point(|t| t.start < begin);
        let mut depth = 0_i32;
        for token in file.tokens[first..].iter().take_while(|t| t.start < reach) {
            if token.start >= end && depth <= 0 {
                return token.start;
            }
            if token.kind == Kind::Punct {
                match token.sym.0 {
                    punct::OPEN => depth += 1,
                    punct::CLOSE => depth -= 1,
                    _ => {}
                }
            }
        }
        end
    }

    fn line_start(&self, file: &LexedFile, line: usize) -> u32 {
        let end = file.text.len() as u32;
        file.line_starts().get(line.saturating_sub(1)).copied().unwrap_or(end)
    }
}
