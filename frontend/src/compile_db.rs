//! `compile_commands.json`: how each file of a project is compiled.
//!
//! CMake, Meson, Bear and others write it. Only what preprocessing needs is taken: `-I`, `-iquote`, `-isystem`,
//! `-idirafter`, `-D`, `-U`, `-include`, `-imacros`, `-std`, `-fopenmp`, and response files (`@file`). When the
//! compiler is an MPI wrapper (`mpicc`, `mpiicx`, ...) that [`Programs`] admit, it is asked once what it adds, since
//! codes rely on other headers installed beside `mpi.h`; without an answer nothing is lost, because `mpi.h` is ours.
//! Nothing else that the database names is started, be it a launcher before the compiler or a program in an option.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use serde::Deserialize;

use crate::preprocess::{MacroOption, Request};
use crate::programs::Programs;
use crate::source::{absolute, normalize, read_at_most};

/// The name of the file.
pub const FILE_NAME: &str = "compile_commands.json";

/// How long an MPI wrapper may take to say what it adds.
const WRAPPER_TIMEOUT: Duration = Duration::from_secs(3);

/// Response files may hold response files, this deep.
const MAX_RESPONSE_DEPTH: u32 = 8;

/// So many bytes of response files are read for one command, and for a whole database.
const MAX_RESPONSE_BYTES: u64 = 1 << 20;
const MAX_RESPONSE_BYTES_OF_ALL: u64 = 256 << 20;

/// What a response file counts besides its bytes.
const RESPONSE_BYTES: u64 = 256;

/// How one file is compiled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompileCommand {
    /// The file, absolute.
    pub file: PathBuf,
    /// The directory the compiler runs in, absolute.
    pub directory: PathBuf,
    /// The compiler, and the launchers before it (`ccache gcc`).
    pub compiler: Vec<String>,
    /// `-I`, in order; relative ones are relative to `directory`.
    pub includes: Vec<PathBuf>,
    /// `-iquote`, in order.
    pub quote_includes: Vec<PathBuf>,
    /// `-isystem` and `-idirafter`, in order.
    pub system_includes: Vec<PathBuf>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// `-include` and `-imacros`, in order.
    pub forced_includes: Vec<PathBuf>,
    /// `-std=`.
    pub std: Option<String>,
    /// `-fopenmp`, in any compiler's spelling.
    pub openmp: bool,
}

impl CompileCommand {
    /// Puts the command's options into a request, after those that are there. Include directories below the current
    /// directory become relative to it, so that locations read as the user would write them.
    pub fn apply(&self, request: &mut Request) {
        let here = std::env::current_dir().unwrap_or_default();
        let place = |dir: &PathBuf| {
            let full = normalize(&self.directory.join(dir));
            full.strip_prefix(&here).map_or(full.clone(), |short| {
                if short.as_os_str().is_empty() { PathBuf::from(".") } else { short.to_path_buf() }
            })
        };
        request.includes.extend(self.includes.iter().map(place));
        request.quote_includes.extend(self.quote_includes.iter().map(place));
        request.system_includes.extend(self.system_includes.iter().map(place));
        request.forced_includes.extend(self.forced_includes.iter().map(|file| self.forced(file)));
        request.macros.extend(self.macros.iter().cloned());
        request.std = self.std.clone().or_else(|| request.std.take());
        request.openmp |= self.openmp;
        request.options_known = true;
        if request.compiler.is_none() {
            request.compiler = self.compiler.last().cloned();
        }
    }

    /// A forced include that exists in the command's directory is named by its full path; any other is searched.
    fn forced(&self, file: &Path) -> PathBuf {
        let full = self.directory.join(file);
        if full.is_file() { full } else { file.to_path_buf() }
    }
}

/// The commands of a project, by file.
#[derive(Debug, Clone, Default)]
pub struct CompileDatabase {
    /// The file it was read from.
    pub path: PathBuf,
    commands: BTreeMap<PathBuf, CompileCommand>,
    /// Things that could not be done and cost little: a response file that is gone, a wrapper that gave no answer.
    pub notes: Vec<String>,
}

/// Why a database cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompileDbError {
    /// The file is not there or cannot be read.
    #[error("{path}: cannot be read: {message}")]
    Read {
        /// The file or directory the user named.
        path: String,
        /// What the operating system says.
        message: String,
    },
    /// The file is not JSON of the right form.
    #[error(
        "{path}:{line}:{column}: not a compile database: {message}; write it anew (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear -- make) or name another with -p"
    )]
    Content {
        /// The file.
        path: String,
        /// 1-based line.
        line: usize,
        /// 1-based column.
        column: usize,
        /// What the parser says.
        message: String,
    },
}

#[derive(Deserialize)]
struct RawCommand {
    directory: Option<String>,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl CompileDatabase {
    /// Finds the database by itself: in `directory`, then in its `build`. `None` when there is none.
    ///
    /// # Errors
    ///
    /// As [`CompileDatabase::load`], when there is one and it is broken.
    pub fn find(directory: &Path, programs: &Programs) -> Result<Option<CompileDatabase>, CompileDbError> {
        for candidate in [directory.join(FILE_NAME), directory.join("build").join(FILE_NAME)] {
            // Messages should not say `./build/...`.
            let candidate = normalize(&candidate);
            if candidate.is_file() {
                return CompileDatabase::load(&candidate, programs).map(Some);
            }
        }
        Ok(None)
    }

    /// Reads the database at `path`, which may be the directory it is in. Of `programs`, those that belong to the project of
    /// the database and of its files are not asked either.
    ///
    /// # Errors
    ///
    /// [`CompileDbError`], whose message names file, line, and what to do.
    pub fn load(path: &Path, programs: &Programs) -> Result<CompileDatabase, CompileDbError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() };
        let bytes = std::fs::read(&path).map_err(|error| CompileDbError::Read {
            path: path.display().to_string(),
            message: error.to_string(),
        })?;
        CompileDatabase::parse(&bytes, &path, programs)
    }

    /// Reads the content of a database. `path` is where it is, which need not exist.
    ///
    /// # Errors
    ///
    /// [`CompileDbError::Content`].
    pub fn parse(bytes: &[u8], path: &Path, programs: &Programs) -> Result<CompileDatabase, CompileDbError> {
        let raw: Vec<RawCommand> = serde_json::from_slice(bytes).map_err(|error| {
            let message = error.to_string();
            let message =
                message.rsplit_once(" at line ").map_or(message.as_str(), |(text, _)| text).to_owned();
            CompileDbError::Content {
                path: path.display().to_string(),
                line: error.line(),
                column: error.column(),
                message,
            }
        })?;
        let base = absolute(path.parent().unwrap_or(Path::new(".")));
        let mut machine = Machine::new(programs.clone());
        let mut database = CompileDatabase { path: path.to_path_buf(), ..CompileDatabase::default() };
        machine.programs.add_project(&database.path);
        let place = |raw: &RawCommand| {
            let directory = normalize(&base.join(raw.directory.as_deref().unwrap_or_default()));
            (normalize(&directory.join(&raw.file)), directory)
        };
        // The directory that a command states is no evidence of where the project is.
        let files = raw.iter().filter_map(|raw| place(raw).0.parent().map(Path::to_path_buf));
        files.collect::<BTreeSet<_>>().iter().for_each(|directory| machine.programs.add_project(directory));
        for raw in raw {
            let (file, directory) = place(&raw);
            let arguments = match (raw.arguments, raw.command) {
                (Some(arguments), _) => arguments,
                (None, Some(command)) => match shell_words::split(&command) {
                    Ok(arguments) => arguments,
                    Err(error) => {
                        machine
                            .notes
                            .push(format!("{}: its command cannot be split: {error}", file.display()));
                        continue;
                    }
                },
                (None, None) => continue,
            };
            let command = parse_arguments(&file, &directory, &arguments, &mut machine);
            // The first command of a file counts: the same file is often compiled twice, with and without -fPIC.
            database.commands.entry(file).or_insert(command);
        }
        let mut said = BTreeSet::new();
        database.notes = machine.notes.into_iter().filter(|note| said.insert(note.clone())).collect();
        Ok(database)
    }

    /// How `file` is compiled. The path may be relative to the current directory.
    #[must_use]
    pub fn command(&self, file: &Path) -> Option<&CompileCommand> {
        if self.commands.is_empty() {
            return None;
        }
        self.commands.get(&absolute(file)).or_else(|| self.commands.get(&file.canonicalize().ok()?))
    }

    /// All files, in order.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.commands.keys().map(PathBuf::as_path)
    }
}

/// What reading command lines may use of the machine, and what came of it.
struct Machine {
    /// Which wrappers may be asked.
    programs: Programs,
    /// What they said, by the names that commands give them.
    answers: BTreeMap<String, Result<Vec<String>, String>>,
    /// Bytes of response files that may still be read.
    left: u64,
    /// What was passed over and may matter.
    notes: Vec<String>,
}

impl Machine {
    fn new(programs: Programs) -> Machine {
        Machine { programs, answers: BTreeMap::new(), left: MAX_RESPONSE_BYTES_OF_ALL, notes: Vec::new() }
    }

    fn ask(&mut self, wrapper: &str) -> Result<Vec<String>, String> {
        if let Some(answer) = self.answers.get(wrapper) {
            return answer.clone();
        }
        let answer = ask_wrapper(wrapper, &self.programs);
        self.answers.insert(wrapper.to_owned(), answer.clone());
        answer
    }
}

/// Takes from a compiler's command line what preprocessing needs.
fn parse_arguments(
    file: &Path,
    directory: &Path,
    arguments: &[String],
    machine: &mut Machine,
) -> CompileCommand {
    let mut command = CompileCommand {
        file: file.to_path_buf(),
        directory: directory.to_path_buf(),
        ..CompileCommand::default()
    };
    let share = machine.left.min(MAX_RESPONSE_BYTES);
    let mut left = share;
    let arguments = expand_responses(directory, arguments, 0, &mut left, &mut machine.notes);
    machine.left -= share - left;
    let begin = leading_words(&arguments);
    command.compiler = arguments[..begin].to_vec();
    options(&mut command, &arguments[begin..]);
    if let Some(wrapper) = command.compiler.last().filter(|name| is_mpi_wrapper(name)).cloned() {
        match machine.ask(&wrapper) {
            Ok(added) => {
                // What the wrapper adds comes after what the user said.
                let mut more = CompileCommand::default();
                options(&mut more, &added);
                // Headers of an MPI installation are not the user's text.
                command.system_includes.extend(more.includes);
                command.system_includes.extend(more.system_includes);
                command.macros.extend(more.macros);
            }
            Err(message) => {
                let note =
                    format!("{wrapper} does not say what it adds ({message}); anyrank's own mpi.h is used");
                machine.notes.push(note);
            }
        }
    }
    command
}

/// How many words at the beginning are the compiler: launchers such as `ccache`, and the compiler itself.
pub(crate) fn leading_words(arguments: &[String]) -> usize {
    let launcher = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or(word);
        matches!(name, "ccache" | "sccache" | "distcc" | "icecc" | "env" | "nice" | "time")
            || (name.contains('=') && !name.starts_with('-'))
    };
    let launchers = arguments.iter().take_while(|word| launcher(word)).count();
    (launchers + 1).min(arguments.len())
}

/// Puts the content of `@file` arguments in their place.
fn expand_responses(
    directory: &Path,
    arguments: &[String],
    depth: u32,
    left: &mut u64,
    notes: &mut Vec<String>,
) -> Vec<String> {
    let mut out = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(name) = argument.strip_prefix('@').filter(|_| depth < MAX_RESPONSE_DEPTH) else {
            out.push(argument.clone());
            continue;
        };
        let text = if *left == 0 {
            Err("there are too many, or they are too large".to_owned())
        } else {
            read_at_most(&directory.join(name), *left).map_err(|error| error.to_string())
        };
        // One that cannot be read costs something too.
        *left = left
            .saturating_sub(text.as_ref().map_or(RESPONSE_BYTES, |text| text.len() as u64 + RESPONSE_BYTES));
        match text.and_then(|text| shell_words::split(&text).map_err(|error| error.to_string())) {
            Ok(words) => out.extend(expand_responses(directory, &words, depth + 1, left, notes)),
            Err(message) => notes.push(format!("response file {name} is ignored: {message}")),
        }
    }
    out
}

fn options(command: &mut CompileCommand, arguments: &[String]) {
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        // Each option's value stands in the same word or in the next one.
        let mut value = |option: &str| -> Option<String> {
            let rest = word.strip_prefix(option)?;
            if rest.is_empty() { words.next().map(str::to_owned) } else { Some(rest.to_owned()) }
        };
        if let Some(dir) = value("-iquote") {
            command.quote_includes.push(dir.into());
        } else if let Some(dir) = value("-isystem").or_else(|| value("-idirafter")) {
            command.system_includes.push(dir.into());
        } else if word == "-include" || word == "-imacros" {
            command.forced_includes.extend(words.next().map(PathBuf::from));
        } else if let Some(std) = word.strip_prefix("-std=").or_else(|| word.strip_prefix("--std=")) {
            command.std = Some(std.to_owned());
        } else if word == "-ansi" {
            command.std = Some("c89".to_owned());
        } else if let Some(on) = openmp_option(word) {
            command.openmp = on;
        } else if let Some(dir) = value("-I") {
            command.includes.push(dir.into());
        } else if let Some(definition) = value("-D") {
            command.macros.push(MacroOption::Define(definition));
        } else if let Some(name) = value("-U") {
            command.macros.push(MacroOption::Undef(name));
        } else if matches!(
            word,
            "-o" | "-MF" | "-MT" | "-MQ" | "-x" | "-arch" | "-Xpreprocessor" | "-Xlinker"
        ) {
            words.next();
        }
    }
}

/// Whether an option turns OpenMP on or off; `None` if it is about something else.
fn openmp_option(word: &str) -> Option<bool> {
    match word.split('=').next()? {
        // GCC, Clang, Cray; Intel; NVIDIA; Oracle; Fujitsu.
        "-fopenmp" | "-qopenmp" | "-fiopenmp" | "-openmp" | "-mp" | "-xopenmp" | "-Kopenmp" => Some(true),
        "-fno-openmp" | "-qno-openmp" | "-nomp" | "-Knoopenmp" => Some(false),
        // IBM: `-qsmp=omp` and more words.
        "-qsmp" => Some(true),
        _ => None,
    }
}

/// Whether a compiler is one of the wrappers that MPI installations bring.
pub(crate) fn is_mpi_wrapper(compiler: &str) -> bool {
    let name = compiler.rsplit(['/', '\\']).next().unwrap_or(compiler);
    let base = name.split(['-', '.']).next().unwrap_or(name);
    matches!(
        base,
        "mpicc" | "mpiicc" | "mpiicx" | "mpigcc" | "mpiclang" | "mpcc" | "mpixlc" | "mpifcc" | "hcc"
    )
}

/// What an MPI wrapper adds to a compilation, if it is among `programs`. Each is asked once per process.
///
/// # Errors
///
/// Why there is no answer, in a few words.
fn ask_wrapper(wrapper: &str, programs: &Programs) -> Result<Vec<String>, String> {
    type Answers = BTreeMap<PathBuf, Result<Vec<String>, String>>;
    let wrapper = programs.find(wrapper).map_err(|refusal| refusal.to_string())?;
    static ANSWERS: LazyLock<Mutex<Answers>> = LazyLock::new(Mutex::default);
    // Answers are whole before they go in, so a poisoned lock is still good. It is held while asking, so that
    // concurrent units wait for one answer instead of asking again.
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(answer) = answers.get(wrapper.file()) {
        return answer.clone();
    }
    // Open MPI knows `--showme:compile`, MPICH and its descendants `-show`; each rejects the other's.
    let mut answer = Err("it cannot be run".to_owned());
    for option in ["--showme:compile", "-show"] {
        match wrapper.run([option], &[], WRAPPER_TIMEOUT) {
            Ok(output) if output.success => {
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                answer = shell_words::split(text.trim()).map_err(|error| error.to_string());
                break;
            }
            Ok(_) => answer = Err(format!("it rejects {option}")),
            Err(error) => {
                answer = Err(error.to_string());
                break;
            }
        }
    }
    answers.insert(wrapper.file().to_owned(), answer.clone());
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(json: &str) -> (tempfile::TempDir, Result<CompileDatabase, CompileDbError>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(FILE_NAME), json).unwrap();
        let database = CompileDatabase::load(dir.path(), &Programs::default());
        (dir, database)
    }

    fn parse(directory: &Path, words: &[&str], notes: &mut Vec<String>) -> CompileCommand {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let mut machine = Machine::new(Programs::default());
        let command = parse_arguments(Path::new("/a.c"), directory, &words, &mut machine);
        notes.extend(machine.notes);
        command
    }

    #[test]
    fn both_forms_of_a_command_are_read() {
        let (dir, database) = database(
            r#"[{"directory": "sub", "file": "a.c",
                 "command": "ccache gcc -I inc -Iother -DNAME='\"x y\"' -UOLD -std=c99 -fopenmp -o a.o -c a.c"},
                {"directory": "sub", "file": "b.c",
                 "arguments": ["cc", "-isystem", "/opt/x", "-iquote", "q", "-include", "pre.h", "b.c"]},
                {"directory": "sub", "file": "a.c", "command": "gcc -fPIC a.c"}]"#,
        );
        let database = database.unwrap();
        let a = database.command(&dir.path().join("sub/a.c")).unwrap();
        assert_eq!(a.compiler, ["ccache", "gcc"]);
        assert_eq!(a.includes, [PathBuf::from("inc"), PathBuf::from("other")]);
        let define = MacroOption::Define("NAME=\"x y\"".to_owned());
        assert_eq!(a.macros, [define, MacroOption::Undef("OLD".to_owned())]);
        assert_eq!((a.std.as_deref(), a.openmp), (Some("c99"), true));
        let b = database.command(&dir.path().join("sub/b.c")).unwrap();
        assert_eq!(b.system_includes, [PathBuf::from("/opt/x")]);
        assert_eq!(b.quote_includes, [PathBuf::from("q")]);
        assert_eq!(b.forced_includes, [PathBuf::from("pre.h")]);
        assert_eq!(database.files().count(), 2);
    }

    #[test]
    fn relative_directories_are_relative_to_the_command() {
        let (dir, database) =
            database(r#"[{"directory": "sub", "file": "../a.c", "command": "cc -Iinc ../a.c"}]"#);
        let mut request = Request::new("a.c");
        database.unwrap().command(&dir.path().join("a.c")).unwrap().apply(&mut request);
        assert_eq!(request.includes, [absolute(&dir.path().join("sub/inc"))]);
    }

    #[test]
    fn response_files_are_put_in_their_place() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("flags"), "-DA '-DB=x y' @more").unwrap();
        std::fs::write(dir.path().join("more"), "-Iz").unwrap();
        let mut notes = Vec::new();
        let command = parse(dir.path(), &["cc", "@flags", "@gone"], &mut notes);
        assert_eq!(command.macros.len(), 2);
        assert_eq!(command.includes, [PathBuf::from("z")]);
        assert!(notes[0].starts_with("response file gone is ignored"), "{notes:?}");
        // A file that names itself ends, however often it does.
        std::fs::write(dir.path().join("loop"), "@loop ".repeat(200)).unwrap();
        assert!(parse(dir.path(), &["cc", "@loop"], &mut notes).includes.is_empty());
        // So does what is no file, or never ends.
        for endless in [".", "/dev/zero", "/dev/stdin"] {
            notes.clear();
            parse(dir.path(), &["cc", &format!("@{endless}")], &mut notes);
            assert!(notes[0].contains("is ignored"), "{notes:?}");
        }
    }

    #[test]
    fn broken_json_is_one_clear_error() {
        let (dir, database) = database("[\n  {\"directory\": \"/x\",\n   \"file\" \"a.c\"}\n]");
        let error = database.unwrap_err().to_string();
        let path = dir.path().join(FILE_NAME);
        assert!(error.starts_with(&format!("{}:3:11: not a compile database: ", path.display())), "{error}");
        assert!(error.contains("CMAKE_EXPORT_COMPILE_COMMANDS"), "names the way out: {error}");
        assert!(!error.contains('\n'));
    }

    #[test]
    fn the_database_is_found_in_the_build_directory() {
        let dir = tempfile::tempdir().unwrap();
        assert!(CompileDatabase::find(dir.path(), &Programs::default()).unwrap().is_none());
        std::fs::create_dir(dir.path().join("build")).unwrap();
        std::fs::write(dir.path().join("build").join(FILE_NAME), "[]").unwrap();
        assert!(CompileDatabase::find(dir.path(), &Programs::default()).unwrap().is_some());
    }

    #[cfg(unix)]
    #[test]
    fn mpi_wrappers_are_asked_unless_the_project_brings_them() {
        use std::os::unix::fs::PermissionsExt;
        let (tools, project) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for dir in [tools.path(), project.path()] {
            // As Open MPI does; an MPICH wrapper would reject the option and know `-show`.
            std::fs::write(
                dir.join("mpicc"),
                "#!/bin/sh\n[ \"$1\" = --showme:compile ] && echo -I/opt/mpi/include -DWRAPPED\n",
            )
            .unwrap();
            std::fs::set_permissions(dir.join("mpicc"), std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        // Temporary directories are where everybody may write, so that the user has to trust these tools.
        let programs = Programs::outside([], &[tools.path().to_path_buf()]);
        let load = |dir: &Path| {
            let entry = serde_json::json!([{
                "directory": "/", "file": project.path().join("a.c"),
                "arguments": [dir.join("mpicc"), "-DX"],
            }]);
            std::fs::write(project.path().join(FILE_NAME), entry.to_string()).unwrap();
            CompileDatabase::load(project.path(), &programs).unwrap()
        };
        let database = load(tools.path());
        let command = database.command(&project.path().join("a.c")).unwrap();
        assert_eq!(command.system_includes, [PathBuf::from("/opt/mpi/include")]);
        assert_eq!(command.macros.len(), 2);
        assert!(database.notes.is_empty(), "{:?}", database.notes);
        let database = load(project.path());
        let command = database.command(&project.path().join("a.c")).unwrap();
        assert!(command.system_includes.is_empty());
        assert!(database.notes[0].contains("belongs to the project"), "{:?}", database.notes);
    }
}
