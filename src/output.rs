//! Where results go: standard output, or a file that is replaced whole or not at all.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

use crate::cli::Color;
use crate::exit::Failure;
use crate::journal;

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// Writes `text`, whose colours are ANSI sequences, to `file` or to standard output. Colours stay where `color` says.
pub(crate) fn write(text: &str, file: Option<&Path>, color: Color) -> Result<(), Failure> {
    journal::finish();
    match file {
        None => {
            let stdout = io::stdout().lock();
            finish(AutoStream::new(stdout, color.into()).write_all(text.as_bytes()))
        }
        // A file is no terminal: it gets colours only if they were asked for by name.
        Some(path) if color == Color::Always => write_file(path, text.as_bytes()),
        Some(path) => write_file(path, anstream::adapter::strip_str(text).to_string().as_bytes()),
    }
}

/// Writes text without colours to standard output.
pub(crate) fn stdout(text: &str) -> Result<(), Failure> {
    stdout_bytes(text.as_bytes())
}

/// Writes bytes to standard output.
pub(crate) fn stdout_bytes(bytes: &[u8]) -> Result<(), Failure> {
    finish(io::stdout().lock().write_all(bytes))
}

/// Writes bytes to `file` or to standard output as they are.
pub(crate) fn write_bytes(bytes: &[u8], file: Option<&Path>) -> Result<(), Failure> {
    journal::finish();
    match file {
        None => stdout_bytes(bytes),
        Some(path) => write_file(path, bytes),
    }
}

/// Writes text, whose colours are ANSI sequences, to standard error. If nobody listens there, nothing can be done about it.
pub(crate) fn complain(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Width of the terminal that text goes to, in columns.
pub(crate) fn width(file: Option<&Path>) -> usize {
    if file.is_some() || !io::stdout().is_terminal() {
        return report::text::DEFAULT_WIDTH;
    }
    terminal_size::terminal_size()
        .map_or(report::text::DEFAULT_WIDTH, |(width, _)| usize::from(width.0).max(20))
}

/// A reader who has seen enough (`| head`) is no failure.
fn finish(result: io::Result<()>) -> Result<(), Failure> {
    match result.and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Replaces a file: a reader sees the old content or the new, never half of it. What is no regular file (a pipe,
/// `/dev/null`) is written to.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    let result = if special { fs::write(path, bytes) } else { replace_file(path, bytes) };
    match result {
        Err(error) if !(special && error.kind() == io::ErrorKind::BrokenPipe) => {
            Err(Failure::new(format!("cannot write {}: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Replaces a regular file whole or not at all. It keeps its permissions.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Where the file is reached through a symbolic link, its target is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".anyrank-");
    #[cfg(unix)]
    {
        // As a newly created file would have them; the default of temporary files is for secrets.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory).map_err(|error| {
        // The error names the temporary file, which means nothing to the user.
        io::Error::from(error.kind())
    })?;
    file.write_all(bytes)?;
    if let Ok(replaced) = fs::metadata(&target) {
        file.as_file().set_permissions(replaced.permissions())?;
    }
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}
