//! One package: which processes are started for it, and what they answer.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::child::{self, Death, Limits};
use crate::packages::Package;

/// How all packages are analysed.
#[derive(Debug)]
pub(crate) struct Surveyor {
    pub(crate) anyrank: PathBuf,
    pub(crate) sources: PathBuf,
    pub(crate) time_limit: u64,
    pub(crate) jobs: usize,
    pub(crate) limits: Limits,
}

/// What came of an entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Fate {
    Exact,
    Bounded,
    Unknown,
    /// anyrank caught a panic of its own.
    Panic,
    /// The process died.
    Died(Death),
}

/// One entry point.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Its file, below the package's directory.
    pub(crate) file: String,
    pub(crate) fate: Fate,
    /// For which numbers of processes.
    pub(crate) np: String,
    /// Why it is not better.
    pub(crate) reasons: Vec<String>,
    /// Time of its analysis, without that of reading the sources.
    pub(crate) seconds: f64,
    /// Channels and collectives of its topology, where the answer is exact.
    pub(crate) operations: Option<usize>,
    /// Whether its file names a function that communicates.
    pub(crate) names_communication: bool,
    /// The most memory that it took by itself with the sources it needs, if that was measured.
    pub(crate) peak: Option<u64>,
}

/// A finding that is no note.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Serious {
    /// Its file, below the package's directory, and its line.
    pub(crate) place: String,
    pub(crate) rule: String,
    /// `error` or `warning`.
    pub(crate) severity: String,
    pub(crate) message: String,
}

/// What is known about a package.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// Which anyrank it was that answered, see [`state_of`]; empty where that is not known.
    #[serde(default)]
    pub(crate) state: String,
    /// Seconds that each entry point had.
    pub(crate) time_limit: u64,
    /// Debian's version, if scripts/fetch-sources left it.
    pub(crate) version: Option<String>,
    /// Why there is no more.
    pub(crate) failure: Option<String>,
    pub(crate) entries: Vec<Entry>,
    /// Findings of `lint` by severity: errors, warnings, notes.
    pub(crate) findings: [usize; 3],
    /// The errors and warnings.
    #[serde(default)]
    pub(crate) serious: Vec<Serious>,
    /// Functions that were lost to a syntax error.
    pub(crate) lost_functions: usize,
    /// The most memory that the process for the whole package used.
    pub(crate) peak: Option<u64>,
}

/// From this much memory for a package on, its entry points are measured one by one.
const MUCH: u64 = 2 << 30;

/// A number that tells one state of the command from another; empty if there is none.
pub(crate) fn state_of(command: &Path) -> String {
    // FNV-1a.
    let digest = |bytes: Vec<u8>| {
        bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |digest: u64, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    fs::read(command).map_or_else(|_| String::new(), |bytes| format!("{:016x}", digest(bytes)))
}

impl Report {
    /// Reads what was kept; `None` if there is nothing of use.
    pub(crate) fn load(file: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(file).ok()?).ok()
    }

    /// Keeps it.
    pub(crate) fn save(&self, file: &Path) -> io::Result<()> {
        fs::write(file, serde_json::to_vec_pretty(self)?)
    }
}

impl Surveyor {
    /// Analyses one package.
    pub(crate) fn survey(&self, package: &'static Package) -> Report {
        let directory = self.sources.join(package.name);
        let mut report = Report {
            state: state_of(&self.anyrank),
            time_limit: self.time_limit,
            version: fs::read_to_string(directory.join(".anyrank-version"))
                .ok()
                .map(|text| text.trim().to_owned()),
            failure: None,
            entries: Vec::new(),
            findings: [0; 3],
            serious: Vec::new(),
            lost_functions: 0,
            peak: None,
        };
        if !directory.is_dir() {
            report.failure = Some("its source package could not be fetched".to_owned());
            return report;
        }
        if let Err(error) = self.fill(package, &mut report) {
            report.failure = Some(error.to_string());
        }
        report
    }

    fn fill(&self, package: &Package, report: &mut Report) -> io::Result<()> {
        let scratch = tempfile::tempdir()?;
        let work = Work { surveyor: self, package, scratch: scratch.path() };
        work.write_database()?;
        let (whole, peak) = work.run("lint", &work.flags(), &work.parts(), self.time_limit)?;
        report.peak = peak;
        let died = whole.is_err();
        if let Ok(answer) = &whole {
            work.take_in(answer, report);
        }
        if died || peak.is_some_and(|peak| MUCH < peak) {
            work.one_by_one(report, died)?;
        }
        work.count_operations(report)?;
        for entry in &mut report.entries {
            entry.names_communication =
                names_communication(&self.sources.join(package.name).join(&entry.file));
        }
        report.entries.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(())
    }
}

/// A package at work.
struct Work<'a> {
    surveyor: &'a Surveyor,
    package: &'a Package,
    scratch: &'a Path,
}

impl Work<'_> {
    fn parts(&self) -> Vec<PathBuf> {
        self.package.parts.iter().map(|part| self.below(part)).collect()
    }

    /// A path inside the package, as anyrank is given it.
    fn below(&self, path: &str) -> PathBuf {
        let package = Path::new(self.package.name);
        if path == "." { package.to_owned() } else { package.join(path) }
    }

    /// `-D` and `-I`, both relative to the directory of all sources.
    fn flags(&self) -> Vec<OsString> {
        let mut flags: Vec<OsString> =
            self.package.define.iter().flat_map(|name| ["-D".into(), (*name).into()]).collect();
        let mut directories = BTreeSet::new();
        for root in self.package.headers {
            walk(&self.surveyor.sources, &self.below(root), &mut |path| {
                if path.extension().is_some_and(|extension| extension == "h") {
                    directories.extend(path.parent().map(Path::to_owned));
                }
            });
        }
        if !self.package.templates.is_empty() {
            directories.insert(self.scratch.to_owned());
        }
        flags.extend(directories.into_iter().flat_map(|directory| ["-I".into(), directory.into_os_string()]));
        flags
    }

    /// The headers of `templates`, and a compile database of all parts: with it, anyrank finds what one entry point
    /// needs without reading the whole package.
    fn write_database(&self) -> io::Result<()> {
        for (template, name) in self.package.templates {
            fs::copy(self.surveyor.sources.join(self.below(template)), self.scratch.join(name))?;
        }
        let mut arguments = vec!["cc".to_owned()];
        arguments.extend(self.flags().iter().map(|flag| flag.to_string_lossy().into_owned()));
        let commands: Vec<Value> = self
            .files()
            .iter()
            .map(|file| {
                let mut arguments = arguments.clone();
                arguments.extend(["-c".to_owned(), file.display().to_string()]);
                json!({ "directory": self.surveyor.sources, "file": file, "arguments": arguments })
            })
            .collect();
        fs::write(self.database(), Value::from(commands).to_string())
    }

    /// All C files of the parts, as anyrank is given them.
    fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        for part in self.parts() {
            let mut take = |path: &Path| {
                if path.extension().is_some_and(|extension| extension == "c") {
                    files.insert(path.to_owned());
                }
            };
            if self.surveyor.sources.join(&part).is_file() {
                take(&part);
            } else {
                walk(&self.surveyor.sources, &part, &mut take);
            }
        }
        files
    }

    /// The files whose text has a `main`, by their path below the package. The macros may say that it is not compiled.
    fn files_with_main(&self) -> Vec<String> {
        let has_main = |path: &&PathBuf| {
            let bytes = fs::read(self.surveyor.sources.join(path)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).match_indices("main").any(|(at, _)| {
                let (before, after) = (&bytes[..at], &bytes[at + "main".len()..]);
                before.last().is_none_or(u8::is_ascii_whitespace)
                    && after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(')
            })
        };
        self.files().iter().filter(has_main).map(|path| self.strip(&path.to_string_lossy())).collect()
    }

    fn database(&self) -> PathBuf {
        self.scratch.join("compile_commands.json")
    }

    /// Runs a subcommand on some paths: its JSON, or how it died; and how much memory it used.
    fn run(
        &self,
        subcommand: &str,
        flags: &[OsString],
        paths: &[PathBuf],
        time_limit: u64,
    ) -> io::Result<(Result<Value, Death>, Option<u64>)> {
        let result = self.scratch.join("answer.json");
        let mut arguments: Vec<OsString> =
            [subcommand, "--quiet", "--format", "json", "--color", "never", "-j"]
                .map(OsString::from)
                .to_vec();
        arguments.push(self.surveyor.jobs.to_string().into());
        arguments.extend(["--time-limit".into(), time_limit.to_string().into(), "-o".into()]);
        arguments.push(result.clone().into_os_string());
        arguments.extend_from_slice(flags);
        arguments.extend(paths.iter().map(|path| path.clone().into_os_string()));
        if result.exists() {
            fs::remove_file(&result)?;
        }
        let Surveyor { anyrank, sources, limits, .. } = self.surveyor;
        let ended = child::run(anyrank, &arguments, sources, *limits, self.scratch)?;
        // A process that died may have left a part of a file.
        let answer = fs::read(&result).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Ok((answer.ok_or_else(|| ended.death()), ended.peak))
    }

    /// What `lint` says about the whole package.
    fn take_in(&self, answer: &Value, report: &mut Report) {
        for program in list(answer, "programs") {
            report.entries.push(self.entry(program));
        }
        for finding in list(answer, "findings") {
            let severity = text(finding, "severity");
            let degree = ["error", "warning"].iter().position(|degree| *degree == severity);
            report.findings[degree.unwrap_or(2)] += 1;
            if degree.is_some() {
                report.serious.push(Serious {
                    place: format!("{}:{}", self.strip(&text(finding, "file")), finding["line"]),
                    rule: text(finding, "rule"),
                    severity,
                    message: text(finding, "message"),
                });
            }
        }
        for error in list(answer, "errors") {
            let message = text(error, "message");
            report.lost_functions += usize::from(message.ends_with("is not analysed"));
            if message.contains("internal error") {
                report.entries.push(Entry {
                    fate: Fate::Panic,
                    reasons: vec![message],
                    ..Entry::of(self.strip(&text(error, "file")))
                });
            }
        }
    }

    fn entry(&self, program: &Value) -> Entry {
        let verdict = &program["verdict"];
        Entry {
            fate: match text(verdict, "kind").as_str() {
                "exact" => Fate::Exact,
                "bounded" => Fate::Bounded,
                _ => Fate::Unknown,
            },
            np: text(verdict, "np"),
            reasons: list(verdict, "reasons")
                .filter_map(Value::as_str)
                .map(|reason| reason.replace(&format!("{}/", self.package.name), ""))
                .collect(),
            seconds: program["seconds"].as_f64().unwrap_or(0.0),
            ..Entry::of(self.strip(&text(program, "entry")))
        }
    }

    fn strip(&self, file: &str) -> String {
        Path::new(file).strip_prefix(self.package.name).unwrap_or(Path::new(file)).display().to_string()
    }

    /// A process for each entry point. Measures memory; if there is nothing about the package yet, fates as well.
    fn one_by_one(&self, report: &mut Report, fates_too: bool) -> io::Result<()> {
        let files = if fates_too {
            self.files_with_main()
        } else {
            report.entries.iter().map(|entry| entry.file.clone()).collect()
        };
        let database = ["-p".into(), self.database().into_os_string()];
        for file in files {
            let (answer, peak) =
                self.run("lint", &database, &[self.below(&file)], self.surveyor.time_limit)?;
            if fates_too {
                match &answer {
                    Ok(answer) => self.take_in(answer, report),
                    Err(death) => report.entries.push(Entry {
                        fate: Fate::Died(death.clone()),
                        reasons: vec![death.sentence()],
                        ..Entry::of(file.clone())
                    }),
                }
            }
            report.entries.iter_mut().filter(|entry| entry.file == file).for_each(|entry| entry.peak = peak);
        }
        Ok(())
    }

    /// How many channels and collectives the exact entry points have, from `topology`.
    fn count_operations(&self, report: &mut Report) -> io::Result<()> {
        let exact = || report.entries.iter().filter(|entry| entry.fate == Fate::Exact);
        let files: Vec<_> = exact().map(|entry| self.below(&entry.file)).collect();
        if files.is_empty() {
            return Ok(());
        }
        let database = ["-p".into(), self.database().into_os_string()];
        let (Ok(answer), _) = self.run("topology", &database, &files, self.surveyor.time_limit)? else {
            return Ok(());
        };
        let mut counts = BTreeMap::new();
        for program in list(&answer, "programs") {
            let count = list(program, "channels").count() + list(program, "collectives").count();
            counts.insert(self.strip(&text(program, "entry")), count);
        }
        for entry in &mut report.entries {
            entry.operations = counts.get(&entry.file).copied();
        }
        Ok(())
    }
}

impl Entry {
    fn of(file: String) -> Self {
        Self {
            file,
            fate: Fate::Unknown,
            np: String::new(),
            reasons: Vec::new(),
            seconds: 0.0,
            operations: None,
            names_communication: false,
            peak: None,
        }
    }
}

impl Death {
    /// The end of a sentence about the process.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Time => "was stopped: its time was up".to_owned(),
            Self::Memory => "ended because its memory was used up".to_owned(),
            Self::Stack => "ended in a stack overflow".to_owned(),
            Self::Other(said) => format!("ended with {said}"),
        }
    }
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Whether a file names an MPI function that communicates, be it in a comment.
fn names_communication(file: &Path) -> bool {
    let Ok(bytes) = fs::read(file) else { return false };
    String::from_utf8_lossy(&bytes)
        .split(|c: char| !(c == '_' || c.is_ascii_alphanumeric()))
        .filter_map(frontend::mpi::lookup)
        .any(|function| function.class.communicates())
}

/// All files below `root`/`directory`, by their path below `root`. Symbolic links are not followed.
fn walk(root: &Path, directory: &Path, visit: &mut impl FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(root.join(directory)) else { return };
    for entry in entries.flatten() {
        let path = directory.join(entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(root, &path, visit),
            Ok(kind) if kind.is_file() => visit(&path),
            _ => {}
        }
    }
}
