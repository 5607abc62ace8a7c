//! Reading C files without trusting them.
//!
//! A source file may be anything: Latin-1, empty, a core dump with a `.c` name, 50 MB of generated tables, a directory
//! nobody may read. Each of these is one typed error with one clear message, or is read in a way that keeps every
//! column exact:
//!
//! * Bytes that are not UTF-8 are replaced one for one by `?`, so offsets and columns are those of the user's bytes.
//!   Real HPC codes carry Latin-1 in comments and strings only, where the replacement cannot change the meaning.
//! * A byte order mark becomes three spaces; [`SourceText::bom`] says so, and columns of the first line do not count it.
//! * `\r\n` stays as it is: the preprocessor treats `\r` as white space.
//! * A file with a NUL byte is binary.
//! * A file above [`MAX_FILE_BYTES`] is refused: no one writes that by hand, and its analysis would starve the rest.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Largest file that is read, in bytes (32 MiB). Larger ones are reported as [`SourceError::TooLarge`].
pub const MAX_FILE_BYTES: u64 = 32 << 20;

/// Why a file cannot be used. Each message names the file and stands alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// There is no such file or directory.
    #[error("{path}: no such file or directory")]
    NotFound {
        /// The file as the user named it.
        path: String,
    },
    /// The operating system denies access.
    #[error("{path}: permission denied")]
    PermissionDenied {
        /// The file as the user named it.
        path: String,
    },
    /// A directory (or a device, a pipe) where a file is needed.
    #[error("{path}: not a regular file")]
    NotAFile {
        /// The file as the user named it.
        path: String,
    },
    /// The file has a NUL byte.
    #[error("{path}: binary file (NUL byte at offset {offset}), not C source")]
    Binary {
        /// The file as the user named it.
        path: String,
        /// Offset of the first NUL, in bytes from the start.
        offset: usize,
    },
    /// The file is above [`MAX_FILE_BYTES`].
    #[error("{path}: {} MB, above the limit of {} MB for one source file; it is skipped", .bytes / 1_000_000, MAX_FILE_BYTES / 1_000_000)]
    TooLarge {
        /// The file as the user named it.
        path: String,
        /// Its size in bytes.
        bytes: u64,
    },
    /// Any other error of the operating system.
    #[error("{path}: cannot be read: {message}")]
    Io {
        /// The file as the user named it.
        path: String,
        /// What the operating system says.
        message: String,
    },
}

impl SourceError {
    /// The typed form of an [`io::Error`] met while reading `path`.
    #[must_use]
    pub fn from_io(path: &Path, error: &io::Error) -> SourceError {
        let path = path.display().to_string();
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SourceError::NotFound { path },
            io::ErrorKind::PermissionDenied => SourceError::PermissionDenied { path },
            io::ErrorKind::IsADirectory => SourceError::NotAFile { path },
            _ => SourceError::Io { path, message: error.to_string() },
        }
    }

    /// The file the error is about, as the user named it.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            SourceError::NotFound { path }
            | SourceError::PermissionDenied { path }
            | SourceError::NotAFile { path }
            | SourceError::Binary { path, .. }
            | SourceError::TooLarge { path, .. }
            | SourceError::Io { path, .. } => path,
        }
    }
}

/// The text of one source file, offset for offset the bytes on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The text. As many bytes as the file has.
    pub text: Arc<str>,
    /// How many bytes were not UTF-8 and stand as `?` in [`SourceText::text`].
    pub replaced_bytes: usize,
    /// Whether the file began with a byte order mark, which stands as three spaces.
    pub bom: bool,
}

/// Reads a C file from disk.
///
/// # Errors
///
/// [`SourceError`], whose message names `path`.
pub fn read(path: &Path) -> Result<SourceText, SourceError> {
    let metadata = std::fs::metadata(path).map_err(|error| SourceError::from_io(path, &error))?;
    // Opening a pipe or a terminal would wait for a writer that never comes.
    if !metadata.is_file() {
        return Err(SourceError::NotAFile { path: path.display().to_string() });
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(SourceError::TooLarge { path: path.display().to_string(), bytes: metadata.len() });
    }
    let bytes = std::fs::read(path).map_err(|error| SourceError::from_io(path, &error))?;
    decode(path, bytes)
}

/// Reads a regular file of UTF-8 that is no C, and of no more than `limit` bytes.
pub(crate) fn read_at_most(path: &Path, limit: u64) -> io::Result<String> {
    // Opening a pipe or a terminal would wait for a writer that never comes.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut text = String::new();
    std::fs::File::open(path)?.take(limit.saturating_add(1)).read_to_string(&mut text)?;
    if text.len() as u64 > limit {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("above the limit of {limit} bytes")));
    }
    Ok(text)
}

/// Decodes the bytes of a C file. `path` only names it in errors.
///
/// # Errors
///
/// [`SourceError::Binary`] for a NUL byte, [`SourceError::TooLarge`] above [`MAX_FILE_BYTES`].
pub fn decode(path: &Path, bytes: Vec<u8>) -> Result<SourceText, SourceError> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(SourceError::TooLarge { path: path.display().to_string(), bytes: bytes.len() as u64 });
    }
    if let Some(offset) = memchr::memchr(0, &bytes) {
        return Err(SourceError::Binary { path: path.display().to_string(), offset });
    }
    let mut replaced_bytes = 0;
    let mut text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let bytes = error.into_bytes();
            let mut text = String::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                replaced_bytes += chunk.invalid().len();
                text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
            }
            text
        }
    };
    let bom = text.starts_with('\u{feff}');
    if bom {
        text.replace_range(0..'\u{feff}'.len_utf8(), "   ");
    }
    Ok(SourceText { text: text.into(), replaced_bytes, bom })
}

/// Texts that stand in for files on disk: what an editor has open and not saved.
///
/// Cheap to clone. A path is looked up after [`normalize`] against the current directory, so any spelling finds it.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    files: Arc<BTreeMap<PathBuf, Arc<str>>>,
}

impl Overlay {
    /// An overlay with nothing in it.
    #[must_use]
    pub fn new() -> Overlay {
        Overlay::default()
    }

    /// Sets the text that stands for `path`, replacing any earlier one.
    pub fn insert(&mut self, path: &Path, text: impl Into<Arc<str>>) {
        Arc::make_mut(&mut self.files).insert(absolute(path), text.into());
    }

    /// Takes the text for `path` away; the file on disk counts again.
    pub fn remove(&mut self, path: &Path) {
        Arc::make_mut(&mut self.files).remove(&absolute(path));
    }

    /// The text that stands for `path`, if there is one.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&Arc<str>> {
        if self.files.is_empty() { None } else { self.files.get(&absolute(path)) }
    }

    /// Whether nothing stands in for anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// `path` made absolute against the current directory, and [`normalize`]d.
#[must_use]
pub fn absolute(path: &Path) -> PathBuf {
    normalize(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// `path` without `.` components and with `a/..` taken out, by its spelling alone (no symbolic link is followed).
#[must_use]
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(out.components().next_back(), Some(Component::Normal(_))) {
                    out.pop();
                } else if !matches!(out.components().next_back(), Some(Component::RootDir)) {
                    out.push("..");
                }
            }
            other => out.push(other),
        }
    }
    if out.as_os_str().is_empty() { PathBuf::from(".") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin1_bytes_keep_every_column() {
        let source = decode(Path::new("a.c"), b"/* caf\xe9 */ int x;\n".to_vec()).unwrap();
        assert_eq!(&*source.text, "/* caf? */ int x;\n");
        assert_eq!(source.replaced_bytes, 1);
    }

    #[test]
    fn a_truncated_utf8_sequence_is_replaced_byte_for_byte() {
        let source = decode(Path::new("a.c"), b"\"\xe2\x82\" \xf0\x9f\x98\x80 x".to_vec()).unwrap();
        assert_eq!(&*source.text, "\"??\" \u{1f600} x");
    }

    #[test]
    fn a_byte_order_mark_becomes_space() {
        let source = decode(Path::new("a.c"), b"\xef\xbb\xbfint x;".to_vec()).unwrap();
        assert!(source.bom);
        assert_eq!(&*source.text, "   int x;");
    }

    #[test]
    fn binary_and_huge_files_are_named_in_one_clear_message() {
        let error = decode(Path::new("x.c"), b"\x7fELF\0\0".to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "x.c: binary file (NUL byte at offset 4), not C source");
        let error = decode(Path::new("x.c"), vec![b' '; 50_000_000]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "x.c: 50 MB, above the limit of 33 MB for one source file; it is skipped"
        );
    }

    #[test]
    fn missing_files_and_directories_are_told_apart() {
        let dir = std::env::temp_dir();
        assert!(matches!(read(&dir), Err(SourceError::NotAFile { .. })));
        assert!(matches!(read(&dir.join("anyrank-no-such-file.c")), Err(SourceError::NotFound { .. })));
    }

    #[test]
    fn paths_are_normalized_by_spelling() {
        for (from, to) in
            [("./a/../b.c", "b.c"), ("../a.c", "../a.c"), ("/../x", "/x"), ("a/./b", "a/b"), (".", ".")]
        {
            assert_eq!(normalize(Path::new(from)), PathBuf::from(to), "{from}");
        }
    }

    #[test]
    fn an_overlay_answers_to_every_spelling() {
        let mut overlay = Overlay::new();
        overlay.insert(Path::new("src/a.c"), "int x;");
        assert_eq!(overlay.get(Path::new("./src/../src/a.c")).map(|t| &**t), Some("int x;"));
        overlay.remove(Path::new("src/a.c"));
        assert!(overlay.is_empty());
    }
}
