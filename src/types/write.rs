//! Writing what was generated, without ever overwriting what somebody wrote by hand.

use std::fs;
use std::path::{Component, Path, PathBuf};

use frontend::source::absolute;

use crate::exit::Failure;
use crate::output;

/// How every generated file begins, behind the `/* `.
pub(super) const MADE_BY: &str = "Written by `anyrank types";

/// The directory of the library AutoLink in the output directory. Nobody else keeps files of these names there.
const LIBRARY: &str = "autolink";

/// A file to be written.
#[derive(Debug)]
pub(super) struct Output {
    /// Path in the output directory.
    path: PathBuf,
    text: String,
    /// Words that an older version of the file has in it.
    known_by: &'static str,
}

impl Output {
    /// A file that begins with [`MADE_BY`].
    pub(super) fn generated(name: &str, text: String) -> Self {
        Self { path: name.into(), text, known_by: MADE_BY }
    }

    /// A file of the library.
    pub(super) fn library(file: &autolink_runtime::File) -> Self {
        Self { path: Path::new(LIBRARY).join(file.name), text: file.text.to_owned(), known_by: "/*" }
    }
}

/// Writes all files below a directory, which is made if it is not there.
pub(super) fn write(directory: &Path, files: &[Output]) -> Result<(), Failure> {
    for file in files {
        let path = directory.join(&file.path);
        match fs::read(&path) {
            Ok(old) if !is_ours(&old, file.known_by) => {
                return Err(Failure::new(format!(
                    "{} is there and was not written by anyrank; move it away, or choose another directory with -o",
                    path.display()
                )));
            }
            _ => {}
        }
    }
    for file in files {
        let path = directory.join(&file.path);
        if fs::read(&path).is_ok_and(|old| old == file.text.as_bytes()) {
            // Unchanged: its time stays, and nothing has to be compiled again.
            continue;
        }
        let parent = path.parent().unwrap_or(directory);
        fs::create_dir_all(parent).map_err(|error| {
            Failure::new(format!("cannot make the directory {}: {error}", parent.display()))
        })?;
        output::replace_file(&path, file.text.as_bytes())
            .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

fn is_ours(old: &[u8], known_by: &str) -> bool {
    let beginning = &old[..old.len().min(4096)];
    old.is_empty() || String::from_utf8_lossy(beginning).contains(known_by)
}

/// How a file in `directory` includes the header, so that it compiles wherever the compiler is started: by a relative path if
/// both lie below one directory, else by an absolute one.
///
/// # Errors
///
/// If the path cannot be written between quotes.
pub(super) fn include_path(header: &Path, directory: &Path) -> Result<String, String> {
    let resolved = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| absolute(path));
    let parent = header.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (parent, directory) = (resolved(parent), resolved(directory));
    let name = header.file_name().ok_or_else(|| "is not the name of a file".to_owned())?;
    let common = parent.components().zip(directory.components()).take_while(|(a, b)| a == b).count();
    // The root alone is not something in common.
    let path = if common < 2 && parent != directory {
        parent.join(name)
    } else {
        let up = directory.components().skip(common).map(|_| Component::ParentDir);
        up.chain(parent.components().skip(common)).collect::<PathBuf>().join(name)
    };
    let text = path.to_str().filter(|text| !text.contains(['"', '\n', '\\'])).map(str::to_owned);
    text.ok_or_else(|| "its path has characters in it that #include does not take; rename it".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_included_by_the_shortest_path() {
        let include = |header: &str, directory: &str| include_path(Path::new(header), Path::new(directory));
        assert_eq!(include("/no/where/a.h", "/no/where").as_deref(), Ok("a.h"));
        assert_eq!(include("/no/where/a.h", "/no/where/out/c").as_deref(), Ok("../../a.h"));
        assert_eq!(include("/no/include/a.h", "/no/src").as_deref(), Ok("../include/a.h"));
        assert_eq!(include("/no/include/a.h", "/other/src").as_deref(), Ok("/no/include/a.h"));
        assert_eq!(include("a.h", ".").as_deref(), Ok("a.h"));
        assert!(include("/no/\"/a.h", "/other").is_err());
    }
}
