//! The programs of the corpus.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::expectation::Expectation;
use super::marks::{self, Mark, MarkKind};

/// A program: one file, or the C files of one directory.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its path below `corpus/`, without `.c`.
    pub name: String,
    /// What it is: the first sentence of the comment that it begins with.
    pub sentence: String,
    /// What anyrank and the compiler are given, relative to the repository.
    pub files: Vec<PathBuf>,
    /// The file with the expectations.
    pub head: PathBuf,
    /// The block at its head.
    pub expectation: Expectation,
    /// The marks on its lines.
    pub marks: Vec<Mark>,
    /// How its lines are named.
    pub places: Places,
}

/// How lines are named in an expect block.
#[derive(Debug, Clone)]
pub struct Places {
    /// Names that `//@ NAME` gives to lines, by file.
    labels: BTreeMap<(String, u32), String>,
    /// The file with the block.
    pub head: String,
    /// The last line of the block.
    block_end: u32,
}

impl Places {
    /// `@label`, if the line has one.
    pub fn label(&self, file: &str, line: u32) -> Option<String> {
        self.labels.get(&(file.to_owned(), line)).map(|label| format!("@{label}"))
    }

    /// `line +3`: the third line behind the block. In another file, its name and the line.
    pub fn line(&self, file: &str, line: u32) -> String {
        match line.checked_sub(self.block_end) {
            Some(behind) if file == self.head => format!("line +{behind}"),
            _ => {
                let name = Path::new(file).file_name().unwrap_or_default();
                format!("{}:{line}", name.to_string_lossy())
            }
        }
    }
}

impl Program {
    /// Whether nothing is wrong with it.
    pub fn is_right(&self) -> bool {
        self.marks.iter().all(|mark| mark.kind != MarkKind::Must)
    }
}

/// All programs below `root`, by name. What cannot be read as a program is an error: a fixture that is skipped tests
/// nothing.
pub fn collect(root: &Path) -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    walk(root, root, &mut programs)?;
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

fn walk(root: &Path, directory: &Path, programs: &mut Vec<Program>) -> Result<(), String> {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(|error| format!("{}: {error}", directory.display()))?;
    entries.sort();
    let (directories, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
    let sources: Vec<_> =
        files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    if directory == root {
        for source in sources {
            programs.push(read(root, &source.with_extension(""), vec![source])?);
        }
    } else if !sources.is_empty() {
        programs.push(read(root, directory, sources)?);
    }
    directories.iter().try_for_each(|directory| walk(root, directory, programs))
}

fn read(root: &Path, path: &Path, files: Vec<PathBuf>) -> Result<Program, String> {
    let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
    let mut expectation = None;
    let mut found = Vec::new();
    let mut labels = BTreeMap::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let shown = file.display().to_string();
        found.extend(marks::marks(&shown, &text)?);
        for (line, label) in marks::labels(&text) {
            if labels.values().any(|known: &String| *known == label) {
                return Err(format!("{shown}:{line}: the label `{label}` is taken"));
            }
            labels.insert((shown.clone(), line), label);
        }
        if let Some(block) = Expectation::parse(&shown, &text)?
            && let Some((first, _)) = expectation.replace((file.clone(), block))
        {
            return Err(format!("{} and {shown} both have an expect block", first.display()));
        }
    }
    let (head, expectation) =
        expectation.ok_or_else(|| format!("{name}: no `/* expect:` block, see corpus/README.md"))?;
    let text = fs::read_to_string(&head).map_err(|error| format!("{}: {error}", head.display()))?;
    let sentence = first_sentence(&text)
        .ok_or_else(|| format!("{} does not begin with a comment that says what it is", head.display()))?;
    let places = Places { labels, head: head.display().to_string(), block_end: expectation.last_line };
    Ok(Program { name, sentence, files, head, expectation, marks: found, places })
}

/// The first sentence of the comment that the text begins with.
pub fn first_sentence(text: &str) -> Option<String> {
    let (comment, _) = text.strip_prefix("/*")?.split_once("*/")?;
    let lines = comment.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim()
    });
    // A paragraph ends at an empty line.
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if paragraph.starts_with("expect:") {
        return None;
    }
    // `Fig. 1` goes on.
    let end = paragraph
        .match_indices(". ")
        .find(|(at, _)| paragraph[at + 2..].starts_with(|c: char| c.is_uppercase()))
        .map_or(paragraph.len(), |(at, _)| at);
    let sentence = paragraph[..end].trim_end_matches('.');
    (!sentence.is_empty()).then(|| sentence.to_owned())
}
