//! Files that the user did not name and that define what the named ones call (design section 2): those of the compile
//! database, and those below the directories of the named files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use frontend::compile_db::CompileDatabase;
use frontend::discover::discover;
use frontend::lower::is_library_function;
use frontend::program::Program;
use frontend::source;
use rayon::prelude::*;

use crate::session::Request;

/// More files than this are not searched for a definition: who names one file of a very large tree means that file.
const MOST_CANDIDATES: usize = 5_000;

/// The files that may define what is missing, by their absolute path. They are looked for when something is missing:
/// most programs need none, and a directory can be large.
pub(crate) struct Neighbours<'a> {
    request: &'a Request,
    database: Option<&'a CompileDatabase>,
    /// The files that are loaded: what is not among them is a candidate.
    loaded: &'a [PathBuf],
    candidates: Option<Vec<PathBuf>>,
}

impl<'a> Neighbours<'a> {
    /// Files that are not among `loaded`.
    pub(crate) fn new(
        request: &'a Request,
        database: Option<&'a CompileDatabase>,
        loaded: &'a [PathBuf],
    ) -> Self {
        Self { request, database, loaded, candidates: None }
    }

    fn look(&self) -> Vec<PathBuf> {
        let mut candidates: Vec<PathBuf> =
            self.database.into_iter().flat_map(CompileDatabase::files).map(as_user_would).collect();
        let directories: BTreeSet<PathBuf> =
            self.request.paths.iter().filter(|path| path.is_file()).map(|file| directory_of(file)).collect();
        let directories: Vec<_> = directories.into_iter().collect();
        if !directories.is_empty()
            && let Ok(found) = discover(&directories, &self.request.exclude, &self.request.root)
        {
            candidates.extend(found.files);
        }
        let mut seen: BTreeSet<_> = self.loaded.iter().map(|file| source::absolute(file)).collect();
        candidates.retain(|file| seen.insert(source::absolute(file)));
        candidates.truncate(MOST_CANDIDATES);
        candidates
    }

    /// Takes out the files whose text holds the name of a function that these programs call and that nothing defines.
    /// They may only mention it; loading them shows.
    pub(crate) fn take_for<'p>(&mut self, programs: impl IntoIterator<Item = &'p Program>) -> Vec<PathBuf> {
        let missing: BTreeSet<&str> = programs
            .into_iter()
            .flat_map(Program::externals)
            .map(AsRef::as_ref)
            .filter(|name| !is_library_function(name))
            .collect();
        if missing.is_empty() {
            return Vec::new();
        }
        let candidates = self.candidates.take().unwrap_or_else(|| self.look());
        let (wanted, others): (Vec<_>, Vec<_>) = candidates.into_par_iter().partition(|file| {
            source::read(file).is_ok_and(|source| words(&source.text).any(|word| missing.contains(word)))
        });
        self.candidates = Some(others);
        wanted
    }
}

/// The identifiers of a text, and whatever looks like one in a comment.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c == '_' || c.is_ascii_alphanumeric())).filter(|word| !word.is_empty())
}

/// Relative to the current directory where it is below.
fn as_user_would(file: &Path) -> PathBuf {
    let here = source::absolute(Path::new("."));
    file.strip_prefix(here).unwrap_or(file).to_owned()
}

fn directory_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_identifiers() {
        let found: Vec<_> = words("int f_1(x)+g(/*h*/2);").collect();
        assert_eq!(found, ["int", "f_1", "x", "g", "h", "2"]);
    }
}
