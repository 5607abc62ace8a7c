//! The programs that anyrank starts, and those it never starts.
//!
//! Reading a project must not run anything of it. What is asked are compilers and MPI wrappers of the machine: what
//! they add to a compilation, or, where our own preprocessor fails, for their `-E`. The project may say which one by
//! its name; whether that one is started is decided here, and nowhere else is a process started.
//!
//! * The project is everything below the *tops* of the files that are read, of the compile database, and of the current
//!   directory, with links resolved. A top is the outermost directory above that holds a version control directory, an
//!   `anyrank.toml` or a compile database, or else the directory of the file itself.
//! * A program is a name that is found in an absolute directory of `PATH`, or an absolute path. Neither its file nor
//!   any link on the way to it is part of the project.
//! * A path that is not on `PATH` and where everybody may write, as below `/tmp`, is not trusted.
//! * What the user's own settings list as trusted is started all the same. Settings of the project cannot say that.
//! * A program is started in the root directory, with the absolute directories of `PATH` that are not the project's, so
//!   that what it starts in its turn is no more the project's than itself.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::source::absolute;

/// What the outermost directory of a project has in it.
const MARKS: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".bzr",
    "_darcs",
    ".fslckout",
    crate::config::FILE_NAME,
    crate::compile_db::FILE_NAME,
];

/// More links than this lead from a name to no file, for the operating system as for us.
const MOST_LINKS: usize = 40;

/// Which programs may be started. [`Programs::default`] is none at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// Whether any program may be started.
    any: bool,
    /// The tops of the project, with links resolved.
    project: BTreeSet<PathBuf>,
    /// The absolute directories of `PATH`, in order.
    path: Vec<PathBuf>,
    /// What the user trusts: programs, and directories of programs, with links resolved.
    trusted: Vec<PathBuf>,
}

/// Why a program is not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    /// There is none of that name.
    #[error("there is no such program")]
    Missing,
    /// A name with a directory that is relative.
    #[error("it is not named by an absolute path, so it is not run")]
    Relative,
    /// It is the project's own, or a link of the project leads to it.
    #[error("it belongs to the project, so it is not run")]
    Project,
    /// Anybody may have put it there.
    #[error("everybody may write where it is, so it is not run")]
    Shared,
}

impl Programs {
    /// The programs that are not part of the project which these files and directories, and the current directory, belong
    /// to; and in any case those in `trusted`, which are absolute paths of programs or of directories.
    #[must_use]
    pub fn outside<'p>(project: impl IntoIterator<Item = &'p Path>, trusted: &[PathBuf]) -> Programs {
        let real = |path: &PathBuf| path.is_absolute().then(|| path.canonicalize().ok()).flatten();
        let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
        let mut programs = Programs {
            any: true,
            project: BTreeSet::new(),
            path: std::env::split_paths(&path).filter(|directory| directory.is_absolute()).collect(),
            trusted: trusted.iter().filter_map(real).collect(),
        };
        // Who starts us in the root directory, as services do, is not in a project.
        let here = tops(&absolute(Path::new("."))).into_iter();
        let here = here.filter(|top| top.parent().is_some() || is_marked(top));
        programs.project.extend(here);
        for path in project {
            programs.add_project(path);
        }
        programs
    }

    /// Nothing of the project that this file or directory belongs to is started from now on.
    pub fn add_project(&mut self, path: &Path) {
        let spelled = absolute(path);
        // Above a top there is no mark, so that what is below it has no other, unless a link led there.
        if self.any && !(self.is_of_project(&spelled) && real(&spelled) == spelled) {
            self.project.extend(tops(&spelled));
        }
    }

    /// Which file a program is that something of the project has named, if it may be started.
    pub(crate) fn find(&self, program: &str) -> Result<Program, Refusal> {
        let named = Path::new(program);
        if !self.any || program.is_empty() {
            return Err(Refusal::Missing);
        }
        let file = if named.is_absolute() {
            self.judge(named)?
        } else if named.components().count() != 1 || named.file_name() != Some(OsStr::new(program)) {
            return Err(Refusal::Relative);
        } else {
            let name = format!(
                "{program}{}",
                if program.ends_with(".exe") { "" } else { std::env::consts::EXE_SUFFIX }
            );
            let mut answers = self.path.iter().map(|directory| self.judge(&directory.join(&name)));
            let mut refusal = Refusal::Missing;
            loop {
                match answers.next() {
                    Some(Ok(file)) => break file,
                    Some(Err(Refusal::Missing)) => {}
                    Some(Err(other)) => refusal = other,
                    None => return Err(refusal),
                }
            }
        };
        let directories = self.path.iter().filter(|directory| {
            directory.canonicalize().is_ok_and(|real| self.is_trusted(&real) || !self.is_of_project(&real))
        });
        // A directory with a colon in its name cannot have come out of `PATH`.
        let search = std::env::join_paths(directories).unwrap_or_default();
        Ok(Program { file, search })
    }

    /// The file that an absolute path names, with its directory resolved, if it may be started.
    fn judge(&self, path: &Path) -> Result<PathBuf, Refusal> {
        let real = path.canonicalize().map_err(|_| Refusal::Missing)?;
        if !is_executable(&real) {
            return Err(Refusal::Missing);
        }
        let on_the_way = links(path).ok_or(Refusal::Missing)?;
        let first = on_the_way.first().cloned().ok_or(Refusal::Missing)?;
        if self.is_trusted(&real) {
            return Ok(first);
        }
        if on_the_way.iter().chain([&real]).any(|file| self.is_of_project(file)) {
            return Err(Refusal::Project);
        }
        let on_path =
            path.parent().is_some_and(|parent| self.path.iter().any(|directory| directory == parent));
        if !on_path && on_the_way.iter().chain([&real]).any(|file| is_shared(file)) {
            return Err(Refusal::Shared);
        }
        Ok(first)
    }

    fn is_of_project(&self, real: &Path) -> bool {
        self.project.iter().any(|top| real.starts_with(top))
    }

    fn is_trusted(&self, real: &Path) -> bool {
        self.trusted.iter().any(|trusted| real.starts_with(trusted))
    }
}

/// The tops of an absolute path: as it is spelled, and as it is with all links resolved.
fn tops(spelled: &Path) -> BTreeSet<PathBuf> {
    let real = real(spelled);
    let mut tops = BTreeSet::new();
    for path in [spelled, &real] {
        let own = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let outermost = own.ancestors().filter(|directory| is_marked(directory)).last();
        tops.insert(self::real(own));
        tops.extend(outermost.map(self::real));
    }
    tops
}

fn is_marked(directory: &Path) -> bool {
    MARKS.iter().any(|mark| directory.join(mark).symlink_metadata().is_ok())
}

/// A path with its links resolved as far as it exists.
fn real(path: &Path) -> PathBuf {
    let existing = path.ancestors().find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
    existing.map_or_else(
        || path.to_path_buf(),
        |(ancestor, real)| path.strip_prefix(ancestor).map_or(real.clone(), |rest| real.join(rest)),
    )
}

/// The names that lead to a file: the path itself, and what each link says, all in directories whose own links are
/// resolved. `None` if they do not come to an end.
fn links(path: &Path) -> Option<Vec<PathBuf>> {
    let mut names = Vec::new();
    let mut next = path.to_path_buf();
    while names.len() < MOST_LINKS {
        let directory = next.parent()?.canonicalize().ok()?;
        let name = directory.join(next.file_name()?);
        let target = name.read_link();
        names.push(name);
        match target {
            Ok(target) => next = directory.join(target),
            Err(_) => return Some(names),
        }
    }
    None
}

#[cfg(unix)]
fn is_executable(real: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    real.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(real: &Path) -> bool {
    real.is_file()
}

/// Whether everybody may write into a directory above.
#[cfg(unix)]
fn is_shared(real: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let mut above = real.ancestors().skip(1);
    above.any(|directory| {
        directory.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o002 != 0)
    })
}

#[cfg(not(unix))]
fn is_shared(_: &Path) -> bool {
    false
}

/// A program that may be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// The file. Its directory has no links in it; the file may be one, since wrappers look at their own name.
    file: PathBuf,
    /// The `PATH` it gets.
    search: OsString,
}

/// What a program said.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Whether it exited with status 0.
    pub(crate) success: bool,
    /// Its standard output.
    pub(crate) stdout: Vec<u8>,
    /// Its standard error.
    pub(crate) stderr: Vec<u8>,
}

/// Bytes of output that are kept of a program.
const MAX_OUTPUT: u64 = 256 << 20;

impl Program {
    /// Its file, for messages.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Runs it in the root directory, so that all paths in `arguments` are absolute, with `input` on its standard input and
    /// messages in English, and kills it when it takes longer than `limit`.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or with [`io::ErrorKind::TimedOut`].
    pub(crate) fn run<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        input: &[u8],
        limit: Duration,
    ) -> io::Result<Answer> {
        let mut command = Command::new(&self.file);
        command.args(arguments).current_dir("/").env("PATH", &self.search).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let deadline = Instant::now() + limit;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            // A program that does not read its input breaks the pipe, which is its affair.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
            let out = scope.spawn(move || read_all(stdout));
            let err = scope.spawn(move || read_all(stderr));
            let status = loop {
                if let Some(status) = child.try_wait()? {
                    break status;
                }
                if Instant::now() >= deadline {
                    child.kill()?;
                    child.wait()?;
                    return Err(io::Error::new(
                        io::ErrorKind::TimedOut,
                        format!("no answer within {} s", limit.as_secs()),
                    ));
                }
                std::thread::sleep(Duration::from_millis(1));
            };
            // The readers return whatever came before a failure.
            let (stdout, stderr) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
            Ok(Answer { success: status.success(), stdout, stderr })
        })
    }
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(pipe) = pipe {
        // A read error ends the output; the exit status tells the rest.
        let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut out);
    }
    out
}

/// This very program, to be started once more.
#[derive(Debug)]
pub struct Itself {
    file: PathBuf,
}

impl Itself {
    /// This program, as it was found when it started. On Linux it is found even where the file was replaced by another
    /// version since; elsewhere the other version is started.
    ///
    /// # Errors
    ///
    /// The operating system does not say where it is.
    pub fn find() -> io::Result<Itself> {
        let itself = Path::new("/proc/self/exe");
        let is_there = cfg!(target_os = "linux") && itself.exists();
        Ok(Itself { file: if is_there { itself.to_owned() } else { std::env::current_exe()? } })
    }

    /// Starts it, with pipes for its input and output, and in the same directory: a process that is started in a project's
    /// directory may take its libraries from there.
    ///
    /// # Errors
    ///
    /// No process could be started.
    pub fn start<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> io::Result<Child> {
        let mut command = Command::new(&self.file);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
    }

    /// Starts it with a file as its input, where our output goes, in the same directory, and under the name by which we were started.
    ///
    /// # Errors
    ///
    /// No process could be started.
    pub fn start_in_our_place<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        input: File,
    ) -> io::Result<Child> {
        let mut command = Command::new(&self.file);
        #[cfg(unix)]
        if let Some(name) = std::env::args_os().next() {
            std::os::unix::process::CommandExt::arg0(&mut command, name);
        }
        command.args(arguments).stdin(Stdio::from(input)).spawn()
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn anything() -> Programs {
        Programs::outside([], &[])
    }

    /// Puts a program that does nothing into a directory.
    fn tool(directory: &Path, name: &str) -> String {
        let file = directory.join(name);
        std::fs::write(&file, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        file.display().to_string()
    }

    #[test]
    fn output_of_both_kinds_arrives() {
        let shell = anything().find("sh").unwrap();
        let answer =
            shell.run(["-c", "cat; pwd; echo no >&2; exit 3"], b"yes\n", Duration::from_secs(10)).unwrap();
        assert!(!answer.success);
        assert_eq!((&*answer.stdout, &*answer.stderr), (&b"yes\n/\n"[..], &b"no\n"[..]));
    }

    #[test]
    fn a_program_that_does_not_answer_is_ended() {
        let sleep = anything().find("sleep").unwrap();
        let begin = Instant::now();
        let error = sleep.run(["30"], b"", Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn by_default_nothing_is_started() {
        assert_eq!(Programs::default().find("sh"), Err(Refusal::Missing));
        assert_eq!(Programs::default().find("/bin/sh"), Err(Refusal::Missing));
    }

    #[test]
    fn names_are_found_on_the_path_and_relative_paths_are_not_programs() {
        let programs = anything();
        assert!(programs.find("sh").is_ok() && programs.find("/bin/sh").is_ok());
        assert_eq!(programs.find("anyrank-no-such-program"), Err(Refusal::Missing));
        assert_eq!(programs.find("/bin"), Err(Refusal::Missing));
        for relative in ["./sh", "bin/sh", "../bin/sh", "sh/", "sh/.", ".", "..", ""] {
            assert!(programs.find(relative).is_err(), "{relative}");
        }
    }

    #[test]
    fn nothing_below_the_top_of_a_project_is_started_whatever_leads_to_it() {
        let (clone, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let sub = clone.path().join("src/deep");
        std::fs::create_dir_all(&sub).unwrap();
        std::fs::create_dir(clone.path().join(".git")).unwrap();
        let own = tool(clone.path(), "mpicc");
        let other = tool(elsewhere.path(), "mpicc");
        let trusted = [elsewhere.path().to_path_buf()];
        let programs = Programs::outside([sub.join("a.c").as_path()], &trusted);
        assert_eq!(programs.find(&own), Err(Refusal::Project));
        assert_eq!(programs.find(&format!("{}/src/../mpicc", clone.path().display())), Err(Refusal::Project));
        assert!(programs.find(&other).is_ok());
        // A link into the project, and one out of it, over another.
        let into = elsewhere.path().join("into");
        symlink(&own, &into).unwrap();
        assert_eq!(programs.find(into.to_str().unwrap()), Err(Refusal::Project));
        let out = clone.path().join("out");
        symlink("/bin/sh", &out).unwrap();
        assert_eq!(programs.find(out.to_str().unwrap()), Err(Refusal::Project));
        let through = elsewhere.path().join("through");
        symlink(&out, &through).unwrap();
        assert_eq!(programs.find(through.to_str().unwrap()), Err(Refusal::Project));
        // Links that lead nowhere.
        symlink("round", elsewhere.path().join("round")).unwrap();
        assert_eq!(programs.find(elsewhere.path().join("round").to_str().unwrap()), Err(Refusal::Missing));
    }

    #[test]
    fn a_project_that_is_reached_over_a_link_is_one_at_both_ends() {
        let (spelled, real) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir(spelled.path().join(".hg")).unwrap();
        std::fs::create_dir(real.path().join("src")).unwrap();
        std::fs::write(real.path().join("anyrank.toml"), "").unwrap();
        symlink(real.path().join("src"), spelled.path().join("src")).unwrap();
        let programs = Programs::outside([spelled.path().join("src/a.c").as_path()], &[]);
        assert_eq!(programs.find(&tool(spelled.path(), "cc")), Err(Refusal::Project));
        assert_eq!(programs.find(&tool(real.path(), "cc")), Err(Refusal::Project));
    }

    #[test]
    fn where_everybody_may_write_nothing_is_started_unless_the_user_says_so() {
        let everybodys = tempfile::tempdir().unwrap();
        std::fs::set_permissions(everybodys.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        let program = tool(everybodys.path(), "mpicc");
        assert_eq!(anything().find(&program), Err(Refusal::Shared));
        let trusted = |path: &str| Programs::outside([], &[PathBuf::from(path)]);
        assert!(trusted(&program).find(&program).is_ok());
        assert!(trusted(everybodys.path().to_str().unwrap()).find(&program).is_ok());
        assert_eq!(trusted("/nowhere").find(&program), Err(Refusal::Shared));
    }

    #[test]
    fn what_is_found_keeps_the_name_of_its_link() {
        let tools = tempfile::tempdir().unwrap();
        let wrapper = tool(tools.path(), "wrapper");
        symlink(wrapper, tools.path().join("mpicc")).unwrap();
        let programs = Programs::outside([], &[tools.path().to_path_buf()]);
        let found = programs.find(tools.path().join("mpicc").to_str().unwrap()).unwrap();
        assert_eq!(found.file().file_name(), Some(OsStr::new("mpicc")));
    }
}
