//! Which files the user means by a list of paths.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};

use crate::source::SourceError;

/// The files to analyse, and what could not be looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    /// The files, in the order of the paths given and sorted within each directory; no file twice. Spelled as the
    /// user would: below the path given, without a leading `./`.
    pub files: Vec<PathBuf>,
    /// Paths that do not exist or cannot be read. The rest is analysed all the same.
    pub errors: Vec<SourceError>,
}

/// Why an exclusion pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{pattern}' is not a valid pattern: {message}")]
pub struct PatternError {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub message: String,
}

/// Finds the C files that `paths` name.
///
/// A file named explicitly is taken whatever its extension. A directory is walked for `*.c`, honouring `.gitignore`
/// (also outside of a git repository), `.ignore`, and leaving hidden directories out. Without paths, the current
/// directory is walked. `exclude` holds globs in the syntax of `.gitignore`, relative to `root`; explicitly named
/// files are never excluded.
///
/// # Errors
///
/// [`PatternError`] when a pattern of `exclude` is malformed. Everything else is in [`Discovery::errors`].
pub fn discover(paths: &[PathBuf], exclude: &[String], root: &Path) -> Result<Discovery, PatternError> {
    let exclude = exclusions(exclude, root)?;
    let here = [PathBuf::from(".")];
    let mut found = Discovery::default();
    for path in if paths.is_empty() { &here } else { paths } {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => walk(path, &exclude, &mut found),
            // A pipe or device is refused when it is read, with a better message.
            Ok(_) => found.files.push(path.clone()),
            Err(error) => found.errors.push(SourceError::from_io(path, &error)),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    found.files.retain(|file| seen.insert(crate::source::absolute(file)));
    Ok(found)
}

fn exclusions(patterns: &[String], root: &Path) -> Result<Override, PatternError> {
    let mut builder = OverrideBuilder::new(root);
    for pattern in patterns {
        // In overrides a pattern selects, and `!` excludes: the reverse of `.gitignore`.
        let reversed = pattern.strip_prefix('!').map_or_else(|| format!("!{pattern}"), str::to_owned);
        builder
            .add(&reversed)
            .map_err(|error| PatternError { pattern: pattern.clone(), message: error.to_string() })?;
    }
    builder.build().map_err(|error| PatternError { pattern: patterns.join(", "), message: error.to_string() })
}

fn walk(directory: &Path, exclude: &Override, found: &mut Discovery) {
    let walk = WalkBuilder::new(directory)
        .require_git(false)
        .follow_links(false)
        .overrides(exclude.clone())
        .sort_by_file_path(|a, b| a.cmp(b))
        .build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let path = entry.path();
                let is_c = path.extension().is_some_and(|extension| extension == "c");
                // A symbolic link to a file is a file the user put there.
                if is_c && entry.file_type().is_some_and(|kind| !kind.is_dir()) && path.is_file() {
                    found.files.push(tidy(path));
                }
            }
            Err(error) => found.errors.push(walk_error(directory, &error)),
        }
    }
}

/// `./a.c` as `a.c`.
fn tidy(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_path_buf()
}

fn walk_error(directory: &Path, error: &ignore::Error) -> SourceError {
    let mut path = directory.to_path_buf();
    let mut cause = error;
    loop {
        cause = match cause {
            ignore::Error::WithPath { path: inner, err } => {
                path = tidy(inner);
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            ignore::Error::Io(error) => return SourceError::from_io(&path, error),
            other => return SourceError::Io { path: path.display().to_string(), message: other.to_string() },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        dir
    }

    fn names(found: &Discovery, root: &Path) -> Vec<String> {
        found.files.iter().map(|file| file.strip_prefix(root).unwrap().display().to_string()).collect()
    }

    #[test]
    fn directories_are_walked_in_order_for_c_files() {
        let dir = tree(&[
            ("b.c", ""),
            ("a.c", ""),
            ("sub/x.c", ""),
            ("sub/x.h", ""),
            ("build/gen.c", ""),
            (".hidden/h.c", ""),
            (".gitignore", "build/\n"),
            ("third_party/t.c", ""),
        ]);
        let found =
            discover(&[dir.path().to_path_buf()], &["third_party/**".to_owned()], dir.path()).unwrap();
        assert_eq!(names(&found, dir.path()), ["a.c", "b.c", "sub/x.c"]);
        assert!(found.errors.is_empty());
    }

    #[test]
    fn named_files_are_taken_whatever_they_are_called_and_once() {
        let dir = tree(&[("a.txt", ""), ("a.c", "")]);
        let (txt, c) = (dir.path().join("a.txt"), dir.path().join("a.c"));
        let paths = [txt, c.clone(), dir.path().to_path_buf(), c];
        let found = discover(&paths, &[], dir.path()).unwrap();
        assert_eq!(names(&found, dir.path()), ["a.txt", "a.c"]);
    }

    #[test]
    fn a_path_that_is_not_there_is_one_error_and_the_rest_is_found() {
        let dir = tree(&[("a.c", "")]);
        let gone = dir.path().join("gone");
        let found = discover(&[gone.clone(), dir.path().to_path_buf()], &[], dir.path()).unwrap();
        assert_eq!(found.errors, [SourceError::NotFound { path: gone.display().to_string() }]);
        assert_eq!(found.files.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_without_permission_is_one_error_and_the_rest_is_found() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tree(&[("a.c", ""), ("secret/b.c", "")]);
        let secret = dir.path().join("secret");
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
        let found = discover(&[dir.path().to_path_buf()], &[], dir.path()).unwrap();
        let readable_anyway = std::fs::read_dir(&secret).is_ok();
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o755)).unwrap();
        // The superuser may read everything; everybody else gets the error.
        if readable_anyway {
            assert_eq!(names(&found, dir.path()), ["a.c", "secret/b.c"]);
        } else {
            assert_eq!(names(&found, dir.path()), ["a.c"]);
            assert_eq!(found.errors, [SourceError::PermissionDenied { path: secret.display().to_string() }]);
        }
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let error = discover(&[], &["a[".to_owned()], Path::new(".")).unwrap_err();
        assert!(error.to_string().starts_with("'a[' is not a valid pattern"), "{error}");
    }
}
