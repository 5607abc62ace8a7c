//! Where headers are: GCC's search order, our own headers first, stand-ins last.

use std::cell::OnceCell;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustc_hash::{FxHashMap, FxHashSet};

use super::compiler;
use super::{Request, display};
use crate::programs::Programs;
use crate::source::{Overlay, normalize};

/// The directory our own headers appear to be in. No real directory is spelled like that.
pub(super) const EMBEDDED: &str = "<anyrank>";

/// Our headers that replace the machine's for every include, whatever the search path says.
static REPLACED: &[(&str, &str)] = &[("assert.h", include_str!("headers/assert.h"))];

/// Headers that stand in when the machine has none of that name: enough macros for user code to make sense.
static STAND_INS: &[(&str, &str)] = &[
    ("stdarg.h", include_str!("headers/stdarg.h")),
    ("stdbool.h", include_str!("headers/stdbool.h")),
    ("stddef.h", include_str!("headers/stddef.h")),
    ("limits.h", include_str!("headers/limits.h")),
    ("float.h", include_str!("headers/float.h")),
    ("stdint.h", include_str!("headers/stdint.h")),
    ("inttypes.h", include_str!("headers/inttypes.h")),
    ("iso646.h", include_str!("headers/iso646.h")),
    ("stdalign.h", "#define alignas _Alignas\n#define alignof _Alignof\n"),
    ("stdnoreturn.h", "#define noreturn _Noreturn\n"),
    ("stdio.h", include_str!("headers/stdio.h")),
    ("stdlib.h", include_str!("headers/stdlib.h")),
    ("math.h", include_str!("headers/math.h")),
    (
        "complex.h",
        "#define complex _Complex\n#define _Complex_I (__extension__ 1.0iF)\n#define I _Complex_I\n",
    ),
    ("errno.h", "#define errno (*__errno_location ())\n"),
    ("string.h", "#include <stddef.h>\n"),
    ("strings.h", ""),
    ("time.h", "#include <stddef.h>\n#define CLOCKS_PER_SEC ((clock_t) 1000000)\n"),
    ("sys/time.h", ""),
    ("sys/types.h", ""),
    ("sys/stat.h", ""),
    ("unistd.h", "#include <stddef.h>\n"),
    ("ctype.h", ""),
    ("signal.h", ""),
    ("memory.h", ""),
    ("malloc.h", ""),
];

/// The directories compilers search by themselves, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemDirectories {
    /// The directories; all exist.
    pub directories: Vec<PathBuf>,
    /// Whether the compiler had to be asked (`cc -E -v`), because the usual places have no C library.
    pub asked_compiler: bool,
}

/// The system include directories of this machine, found once per process.
///
/// The usual places of Linux and macOS are looked at first, which takes microseconds; the compiler is only asked when
/// none of them has a `stdio.h`, and if it is among `programs`. Empty on a machine without C headers: our stand-ins
/// answer then.
pub fn system_directories(programs: &Programs) -> &'static SystemDirectories {
    static FOUND: OnceLock<SystemDirectories> = OnceLock::new();
    FOUND.get_or_init(|| {
        let usual = usual_directories();
        if usual.iter().any(|dir| dir.join("stdio.h").is_file()) {
            return SystemDirectories { directories: usual, asked_compiler: false };
        }
        let asked = compiler::ask_include_directories(programs);
        if asked.is_empty() {
            SystemDirectories { directories: usual, asked_compiler: true }
        } else {
            SystemDirectories { directories: asked, asked_compiler: true }
        }
    })
}

fn usual_directories() -> Vec<PathBuf> {
    let mut out = Vec::new();
    // The compiler's own headers: the highest version of any GCC, else of any Clang.
    let gcc = newest(Path::new("/usr/lib/gcc"), 2, "include");
    let clang = || {
        newest(Path::new("/usr/lib/clang"), 1, "include")
            .or_else(|| newest(Path::new("/usr/lib64/clang"), 1, "include"))
    };
    out.extend(gcc.or_else(clang));
    if cfg!(target_os = "macos") {
        let tools = Path::new("/Library/Developer/CommandLineTools");
        out.extend(newest(&tools.join("usr/lib/clang"), 1, "include"));
        out.push(tools.join("SDKs/MacOSX.sdk/usr/include"));
    }
    out.push("/usr/local/include".into());
    for arch in [std::env::consts::ARCH, "x86_64", "aarch64"] {
        out.push(format!("/usr/include/{arch}-linux-gnu").into());
    }
    out.push("/usr/include".into());
    out.retain(|dir| dir.is_dir());
    let mut seen = Vec::new();
    out.retain(|dir| {
        !seen.contains(dir) && {
            seen.push(dir.clone());
            true
        }
    });
    out
}

/// The directory `leaf` below the highest-numbered directory `levels` below `root`.
fn newest(root: &Path, levels: u32, leaf: &str) -> Option<PathBuf> {
    let mut best: Option<(Vec<u32>, PathBuf)> = None;
    let mut level = vec![root.to_path_buf()];
    for _ in 0..levels {
        level = level
            .iter()
            .filter_map(|dir| std::fs::read_dir(dir).ok())
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
    }
    for dir in level {
        let version: Vec<u32> = dir
            .file_name()
            .map(|name| name.to_string_lossy().split('.').filter_map(|part| part.parse().ok()).collect())
            .unwrap_or_default();
        let found = dir.join(leaf);
        if !version.is_empty()
            && found.is_dir()
            && best.as_ref().is_none_or(|(v, p)| (&version, &found) > (v, p))
        {
            best = Some((version, found));
        }
    }
    best.map(|(_, dir)| dir)
}

/// The directories one unit searches.
pub(super) struct Search<'a> {
    /// All directories in order.
    directories: Vec<Directory>,
    /// How many of them are for quoted includes only.
    quote_only: usize,
    overlay: &'a Overlay,
    /// The directories that compilers search by themselves.
    system: &'static [PathBuf],
}

/// A directory on the search path.
struct Directory {
    path: PathBuf,
    /// Whether headers found there are system headers.
    system: bool,
    /// What is in it; looked at when first needed. `None` when it cannot be listed.
    names: OnceCell<Option<Arc<Names>>>,
}

/// The names in a directory, in lower case, so that file systems that ignore case are served too.
type Names = FxHashSet<String>;

impl Directory {
    fn new(path: PathBuf, system: bool) -> Directory {
        Directory { path, system, names: OnceCell::new() }
    }

    /// Whether `header` may be in it. Most looks into most directories are in vain; this answers them without asking
    /// the operating system again and again.
    fn may_have(&self, header: &str) -> bool {
        let first = header.split('/').next().unwrap_or(header);
        if first == "." || first == ".." || !first.is_ascii() {
            return true;
        }
        match self.names.get_or_init(|| listing(&self.path)) {
            Some(names) if first.bytes().any(|b| b.is_ascii_uppercase()) => {
                names.contains(&first.to_ascii_lowercase())
            }
            Some(names) => names.contains(first),
            None => true,
        }
    }
}

/// The names in a directory, kept for the process as long as its modification time does not change.
fn listing(path: &Path) -> Option<Arc<Names>> {
    type Listings = FxHashMap<PathBuf, (SystemTime, Arc<Names>)>;
    static LISTINGS: LazyLock<RwLock<Listings>> = LazyLock::new(RwLock::default);
    let Ok(metadata) = std::fs::metadata(path) else { return Some(Arc::default()) };
    let modified = metadata.modified().ok()?;
    {
        // Entries are whole before they go in, so a poisoned lock is still good.
        let listings = LISTINGS.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, names)) = listings.get(path)
            && *at == modified
        {
            return Some(names.clone());
        }
    }
    let mut names = Names::default();
    for entry in std::fs::read_dir(path).ok()? {
        names.insert(entry.ok()?.file_name().to_str()?.to_ascii_lowercase());
    }
    let names = Arc::new(names);
    // A directory changed within the clock's resolution may change again under the same time.
    if modified.elapsed().is_ok_and(|age| age > Duration::from_secs(2)) {
        let mut listings = LISTINGS.write().unwrap_or_else(PoisonError::into_inner);
        listings.insert(path.to_path_buf(), (modified, names.clone()));
    }
    Some(names)
}

/// A header that was found.
pub(super) struct Found {
    /// Its name for locations.
    pub(super) name: String,
    /// Where to read it.
    pub(super) path: PathBuf,
    /// Whether its directory is a system directory.
    pub(super) system: bool,
    /// Where an `#include_next` in it goes on searching.
    pub(super) next: usize,
    /// Its content.
    pub(super) content: Content,
}

/// Where a header's text is.
pub(super) enum Content {
    /// On disk.
    Disk(Metadata),
    /// In this program.
    Embedded(&'static str),
    /// In an editor.
    Overlay(Arc<str>),
}

impl<'a> Search<'a> {
    pub(super) fn new(request: &'a Request) -> Search<'a> {
        let full = |dir: &PathBuf| request.directory.join(dir);
        let system = system_directories(&request.programs).directories.as_slice();
        let mut directories: Vec<Directory> = Vec::new();
        directories.extend(request.quote_includes.iter().map(|dir| Directory::new(full(dir), false)));
        let quote_only = directories.len();
        for dir in &request.includes {
            let dir = full(dir);
            // GCC ignores a -I that names a system directory. Libraries installed below one are not the user's text.
            if !system.contains(&dir) {
                let installed = is_installed(&dir, system);
                directories.push(Directory::new(dir, installed));
            }
        }
        directories.extend(request.system_includes.iter().map(|dir| Directory::new(full(dir), true)));
        directories.extend(system.iter().map(|dir| Directory::new(dir.clone(), true)));
        Search { directories, quote_only, overlay: &request.overlay, system }
    }

    /// Our header for `header`, if it is one that we replace.
    pub(super) fn replaced(&self, header: &str, angled: bool) -> Option<Found> {
        // `<mpich/mpi.h>` and `"stubs/mpi.h"` mean MPI too.
        let name = header.rsplit(['/', '\\']).next().unwrap_or(header);
        let text = mpi_header(name)
            .or_else(|| REPLACED.iter().find(|(own, _)| angled && *own == header).map(|&(_, text)| text))?;
        Some(embedded(name, text))
    }

    /// Looks `header` up. `includer` is the directory of the including file, `from` where to begin.
    pub(super) fn find(
        &self,
        header: &str,
        angled: bool,
        includer: Option<&Path>,
        from: usize,
    ) -> Option<Found> {
        if from == 0
            && let Some(found) = self.replaced(header, angled)
        {
            return Some(found);
        }
        let relative = Path::new(header);
        if relative.is_absolute() {
            let system = is_installed(relative, self.system);
            return self.open(relative.to_path_buf(), system, 0);
        }
        if !angled
            && let Some(dir) = includer
            && let Some(found) = self.open(dir.join(relative), false, 0)
        {
            return Some(found);
        }
        let begin = if angled { from.max(self.quote_only) } else { from };
        for (at, dir) in self.directories.iter().enumerate().skip(begin) {
            if !self.overlay.is_empty() || dir.may_have(header) {
                let path = dir.path.join(relative);
                if let Some(found) = self.open(path, dir.system, at + 1) {
                    return Some(found);
                }
            }
        }
        let stand_in = STAND_INS.iter().find(|(name, _)| *name == header && from < usize::MAX);
        stand_in.map(|&(name, text)| embedded(name, text))
    }

    fn open(&self, path: PathBuf, system: bool, next: usize) -> Option<Found> {
        if let Some(text) = self.overlay.get(&path) {
            let content = Content::Overlay(text.clone());
            return Some(Found { name: tidy(&path, None), path, system, next, content });
        }
        let metadata = std::fs::metadata(&path).ok()?;
        if !metadata.is_file() {
            return None;
        }
        let name = tidy(&path, Some(&metadata));
        Some(Found { name, path, system, next, content: Content::Disk(metadata) })
    }
}

fn embedded(name: &str, text: &'static str) -> Found {
    let path = PathBuf::from(format!("{EMBEDDED}/{name}"));
    // No `#include_next` leads out of our headers.
    Found { name: display(&path), path, system: true, next: usize::MAX, content: Content::Embedded(text) }
}

/// The text of the header of ours that replaces any `mpi.h`.
fn mpi_header(name: &str) -> Option<&'static str> {
    crate::mpi::HEADERS.iter().find(|(own, _)| *own == name).map(|&(_, text)| text)
}

/// All headers of ours that replace the machine's, for a compiler that should see them too.
pub(super) fn replacements() -> impl Iterator<Item = (&'static str, &'static str)> {
    crate::mpi::HEADERS.iter().copied().chain(REPLACED.iter().copied())
}

/// Whether `path` lies inside a system include directory or another place that only installers write to.
pub(super) fn is_installed(path: &Path, system: &[PathBuf]) -> bool {
    let path = normalize(path);
    system.iter().any(|dir| path.starts_with(dir))
        || ["/usr/include", "/usr/lib", "/opt/homebrew", "/Library"].iter().any(|dir| path.starts_with(dir))
}

/// A name for locations: `path` without `.` and `a/..` when that names the same file.
fn tidy(path: &Path, metadata: Option<&Metadata>) -> String {
    let text = path.to_string_lossy();
    if !text.contains("./") {
        return text.into_owned();
    }
    let short = normalize(path);
    let same = match metadata {
        None => true,
        Some(metadata) => std::fs::metadata(&short).is_ok_and(|other| {
            super::cache::FileKey::new(&short, &other) == super::cache::FileKey::new(path, metadata)
        }),
    };
    if same { display(&short) } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_system_directories_or_none_at_all() {
        for dir in &system_directories(&Programs::default()).directories {
            assert!(dir.is_dir(), "{}", dir.display());
        }
    }

    #[test]
    fn every_spelling_of_mpi_h_is_ours() {
        let request = Request::new("a.c");
        let search = Search::new(&request);
        for (name, angled) in [("mpi.h", true), ("mpi.h", false), ("mpich/mpi.h", true)] {
            let found = search.find(name, angled, None, 0).unwrap();
            assert_eq!(found.name, "<anyrank>/mpi.h");
            assert!(found.system);
        }
    }

    #[test]
    fn installed_libraries_are_system_headers_even_with_a_dash_i() {
        let system = [PathBuf::from("/usr/include")];
        assert!(is_installed(Path::new("/usr/include/hdf5/serial"), &system));
        assert!(is_installed(Path::new("/usr/lib/x86_64-linux-gnu/openmpi/include"), &system));
        assert!(!is_installed(Path::new("/home/me/include"), &system));
    }
}
