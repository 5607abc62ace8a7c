//! Files as URIs, and back.

use std::path::{Path, PathBuf};

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is escaped in a path: all but what RFC 3986 calls unreserved, and what separates its parts.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The path of a document that is a file of this machine, without `.` and `..`.
///
/// `None` for all others, and for names that are not UTF-8, which do not get through JSON.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let (scheme, rest) = uri.as_str().split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    // A query or fragment is part of no path; what is left of an authority is another machine.
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let path = percent_decode_str(path).decode_utf8().ok().filter(|path| !path.contains('\0'))?;
    Some(frontend::source::normalize(Path::new(&*path)))
}

/// The URI of a file. `None` if its path is relative or not UTF-8.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str().filter(|path| path.starts_with('/'))?;
    format!("file://{}", utf8_percent_encode(path, ESCAPED)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(uri: &str) -> Option<PathBuf> {
        path_of(&uri.parse().expect("a URI"))
    }

    #[test]
    fn paths_are_escaped_and_read_back() {
        for name in ["/tmp/a.c", "/a b/%41#?&+=;:@[\u{e9}\u{1d11e}].c", "/-._~/x"] {
            let uri = uri_of(Path::new(name)).expect("the path is absolute");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(name)), "{}", uri.as_str());
        }
        assert_eq!(uri_of(Path::new("a.c")), None);
    }

    #[test]
    fn only_files_of_this_machine_have_paths() {
        assert_eq!(path("file:///tmp/a%20b/./c.c"), Some(PathBuf::from("/tmp/a b/c.c")));
        assert_eq!(path("file://localhost/a.c#L3"), Some(PathBuf::from("/a.c")));
        assert_eq!(path("FILE:/a.c"), Some(PathBuf::from("/a.c")));
        for other in
            ["untitled:Untitled-1", "file://elsewhere/a.c", "http://x/a.c", "file:///%ff.c", "file:///%00"]
        {
            assert_eq!(path(other), None, "{other}");
        }
    }
}
