//! Lexed headers, shared by all units and threads of the process.
//!
//! An entry is keyed by what the operating system calls the file and checked against its modification time and length
//! on every use, so a language server sees edits.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use super::lexed::{Depth, LexedFile};
use crate::source::{self, SourceError};

/// What makes two names one file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum FileKey {
    /// Device and inode.
    Inode(u64, u64),
    /// A name, where there is nothing better: embedded headers, unsaved texts, systems without inodes.
    Name(PathBuf),
}

impl FileKey {
    /// The key of the file at `path`, whose metadata is `metadata`.
    #[cfg(unix)]
    pub(super) fn new(_path: &Path, metadata: &Metadata) -> FileKey {
        use std::os::unix::fs::MetadataExt;
        FileKey::Inode(metadata.dev(), metadata.ino())
    }

    /// The key of the file at `path`, whose metadata is `metadata`.
    #[cfg(not(unix))]
    pub(super) fn new(path: &Path, _metadata: &Metadata) -> FileKey {
        FileKey::Name(path.canonicalize().unwrap_or_else(|_| source::absolute(path)))
    }
}

struct Entry {
    modified: Option<SystemTime>,
    bytes: u64,
    file: Arc<LexedFile>,
}

#[derive(Default)]
struct Cache {
    files: FxHashMap<(FileKey, Depth), Entry>,
    /// Bytes of text held.
    bytes: usize,
}

/// Bytes of header text held before the cache starts afresh.
const MAX_BYTES: usize = 256 << 20;

static CACHE: LazyLock<RwLock<Cache>> = LazyLock::new(RwLock::default);

/// The lexed form of the header at `path`.
///
/// # Errors
///
/// What [`source::read`] says.
pub(super) fn header(
    path: &Path,
    key: &FileKey,
    metadata: &Metadata,
    depth: Depth,
) -> Result<Arc<LexedFile>, SourceError> {
    let full_key = (key.clone(), depth);
    let modified = metadata.modified().ok();
    {
        // Entries are whole before they go in, so a poisoned lock is still good.
        let cache = CACHE.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = cache.files.get(&full_key)
            && entry.modified == modified
            && entry.bytes == metadata.len()
        {
            return Ok(entry.file.clone());
        }
    }
    let source = source::read(path)?;
    let file = Arc::new(LexedFile::new(source.text, source.bom, depth));
    store(full_key, modified, metadata.len(), &file);
    Ok(file)
}

/// The lexed form of a header that is part of this program.
pub(super) fn embedded(name: &str, text: &'static str, depth: Depth) -> Arc<LexedFile> {
    let key = (FileKey::Name(PathBuf::from(name)), depth);
    {
        let cache = CACHE.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = cache.files.get(&key)
            && entry.bytes == text.len() as u64
        {
            return entry.file.clone();
        }
    }
    let file = Arc::new(LexedFile::new(text.into(), false, depth));
    store(key, None, text.len() as u64, &file);
    file
}

fn store(key: (FileKey, Depth), modified: Option<SystemTime>, bytes: u64, file: &Arc<LexedFile>) {
    let mut cache = CACHE.write().unwrap_or_else(PoisonError::into_inner);
    if cache.bytes > MAX_BYTES {
        cache.files.clear();
        cache.bytes = 0;
    }
    cache.bytes += file.text.len();
    cache.files.insert(key, Entry { modified, bytes, file: file.clone() });
}
