//! `anyrank.toml`: what a project tells anyrank about itself.
//!
//! ```toml
//! select = ["deadlock", "unmatched-send"]   # only these rules
//! ignore = ["use-collective"]               # not these
//! exclude = ["third_party/**"]              # not these files (as in .gitignore)
//! include = ["include"]                     # -I directories, relative to this file
//! define = ["USE_MPI", "DIM=3"]             # -D
//!
//! [severity]
//! unsafe-send = "error"
//!
//! [mpi.wrappers]                            # functions that are MPI calls under another name
//! hypre_MPI_Bcast = "MPI_Bcast"
//! ```
//!
//! Users have a file of the same name of their own, `~/.config/anyrank/anyrank.toml`, see [`UserConfig`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::source::read_at_most;

/// The name of the file.
pub const FILE_NAME: &str = "anyrank.toml";

/// A larger one is not read.
const MAX_BYTES: u64 = 16 << 20;

/// The content of an `anyrank.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Rules to run; empty means all.
    #[serde(default)]
    pub select: Vec<String>,
    /// Rules not to run.
    #[serde(default)]
    pub ignore: Vec<String>,
    /// The severity of rules, in place of their own.
    #[serde(default)]
    pub severity: BTreeMap<String, Level>,
    /// Globs of files that directory walks leave out, in the syntax of `.gitignore`, relative to [`Config::root`].
    #[serde(default)]
    pub exclude: Vec<String>,
    /// `-I` directories. Relative ones are relative to [`Config::root`]; [`load`] has joined them.
    #[serde(default)]
    pub include: Vec<PathBuf>,
    /// `-D` macros: `NAME` or `NAME=VALUE`.
    #[serde(default)]
    pub define: Vec<String>,
    /// What concerns MPI.
    #[serde(default)]
    pub mpi: MpiConfig,
    /// The directory of the file; empty when there is none.
    #[serde(skip)]
    pub root: PathBuf,
}

/// The table `[mpi]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MpiConfig {
    /// Functions and macros that are an MPI call under another name, with the same parameters: wrapper to MPI name.
    #[serde(default)]
    pub wrappers: BTreeMap<String, String>,
}

/// A severity as the configuration spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Never reported.
    Off,
    /// An opportunity.
    Note,
    /// May happen.
    Warning,
    /// Proved or witnessed.
    Error,
}

/// Why a configuration cannot be used. One message, with the line and the way out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{path}: cannot be read: {message}")]
    Read {
        /// The file.
        path: String,
        /// What the operating system says.
        message: String,
    },
    /// The file is not TOML, or says something that is not known.
    #[error("{path}:{line}:{column}: {message}")]
    Content {
        /// The file.
        path: String,
        /// 1-based line.
        line: usize,
        /// 1-based column in bytes.
        column: usize,
        /// What is wrong, with what would be right.
        message: String,
    },
}

/// Finds and reads the configuration that applies to `path`: the nearest `anyrank.toml` in its directory or one above,
/// up to the root of its git repository or of the file system. The default configuration when there is none.
///
/// # Errors
///
/// [`ConfigError`] when the file is there and cannot be used.
pub fn find(path: &Path) -> Result<Config, ConfigError> {
    let absolute = crate::source::absolute(path);
    let start = if absolute.is_dir() { Some(absolute.as_path()) } else { absolute.parent() };
    for directory in start.into_iter().flat_map(Path::ancestors) {
        let candidate = directory.join(FILE_NAME);
        if candidate.is_file() {
            return load(&candidate);
        }
        if directory.join(".git").exists() {
            break;
        }
    }
    Ok(Config::default())
}

/// Reads the configuration file at `path`.
///
/// # Errors
///
/// [`ConfigError`] when it cannot be read, is not TOML, or holds a key or value that is not known.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = read(path)?;
    let mut config = parse(&text, path)?;
    config.root = path.parent().map(Path::to_path_buf).unwrap_or_default();
    for directory in &mut config.include {
        *directory = config.root.join(&*directory);
    }
    Ok(config)
}

/// Reads configuration text. `path` only names it in errors.
///
/// # Errors
///
/// [`ConfigError::Content`].
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    let config: Config = toml::from_str(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        let message = if error.message().contains(&format!("`{TRUSTED_PROGRAMS}`, expected")) {
            format!("{TRUSTED_PROGRAMS} is for the user's own settings, {USUAL_PLACE}: a project cannot have its programs run")
        } else {
            error.message().to_owned()
        };
        content_error(text, path, offset, &message)
    })?;
    for (wrapper, target) in &config.mpi.wrappers {
        if !target.starts_with("MPI_") && !target.starts_with("PMPI_") {
            let offset = text.find(wrapper.as_str()).unwrap_or(0);
            let message = format!("'{target}' is no MPI function; a wrapper is written NAME = \"MPI_...\"");
            return Err(content_error(text, path, offset, &message));
        }
    }
    Ok(config)
}

fn read(path: &Path) -> Result<String, ConfigError> {
    read_at_most(path, MAX_BYTES)
        .map_err(|error| ConfigError::Read { path: path.display().to_string(), message: error.to_string() })
}

/// The key of [`UserConfig::trusted_programs`].
const TRUSTED_PROGRAMS: &str = "trusted-programs";

/// Where the user's settings are, unless the environment says otherwise.
const USUAL_PLACE: &str = "~/.config/anyrank/anyrank.toml";

/// What a user tells anyrank about the machine, whatever is analysed.
///
/// ```toml
/// trusted-programs = ["/home/me/code/tools/mpicc"]   # and directories of programs
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UserConfig {
    /// Absolute paths of compilers and MPI wrappers, or of directories of them, that may be started although they belong
    /// to a project that is analysed, or everybody may write where they are.
    #[serde(default)]
    pub trusted_programs: Vec<PathBuf>,
}

/// Reads the user's own settings: `anyrank/anyrank.toml` in `$XDG_CONFIG_HOME`, or in `~/.config`. The default ones when
/// there are none. Nothing else is looked at, least of all the current directory.
///
/// # Errors
///
/// [`ConfigError`] when the file is there and cannot be used.
pub fn user() -> Result<UserConfig, ConfigError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let Some(directory) = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))
    else {
        return Ok(UserConfig::default());
    };
    let path = directory.join("anyrank").join(FILE_NAME);
    if path.is_file() { parse_user(&read(&path)?, &path) } else { Ok(UserConfig::default()) }
}

/// Reads the text of a user's settings. `path` only names it in errors.
///
/// # Errors
///
/// [`ConfigError::Content`].
pub fn parse_user(text: &str, path: &Path) -> Result<UserConfig, ConfigError> {
    let config: UserConfig = toml::from_str(text).map_err(|error| {
        content_error(text, path, error.span().map_or(0, |span| span.start), error.message())
    })?;
    for program in &config.trusted_programs {
        if !program.is_absolute() {
            let program = program.display().to_string();
            let offset = text.find(&program).unwrap_or(0);
            let message = format!("'{program}' is no absolute path of a program or a directory");
            return Err(content_error(text, path, offset, &message));
        }
    }
    Ok(config)
}

fn content_error(text: &str, path: &Path, offset: usize, message: &str) -> ConfigError {
    let before = text.get(..offset).unwrap_or(text);
    ConfigError::Content {
        path: path.display().to_string(),
        line: before.matches('\n').count() + 1,
        column: before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1,
        message: message.lines().collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        parse(text, Path::new("anyrank.toml")).unwrap_err().to_string()
    }

    #[test]
    fn the_documented_example_is_read() {
        let config = parse(
            "select = [\"deadlock\"]\nignore = [\"use-collective\"]\nexclude = [\"third_party/**\"]\n\
             include = [\"include\"]\ndefine = [\"DIM=3\"]\n[severity]\nunsafe-send = \"error\"\n\
             [mpi.wrappers]\nhypre_MPI_Bcast = \"MPI_Bcast\"\n",
            Path::new("anyrank.toml"),
        )
        .unwrap();
        assert_eq!(config.mpi.wrappers["hypre_MPI_Bcast"], "MPI_Bcast");
        assert_eq!(config.severity["unsafe-send"], Level::Error);
        assert_eq!(config.define, ["DIM=3"]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        assert!(error("select = [\n\"a\"\n\nselct = 1\n").starts_with("anyrank.toml:"));
        let message = error("select = []\nselct = []\n");
        assert!(message.starts_with("anyrank.toml:2:1: ") && message.contains("selct"), "{message}");
        assert!(message.contains("select"), "names what is known: {message}");
        let message = error("[severity]\nunsafe-send = \"fatal\"\n");
        assert!(message.starts_with("anyrank.toml:2:15: ") && message.contains("warning"), "{message}");
        let message = error("[mpi.wrappers]\nmy_send = \"send\"\n");
        assert!(message.starts_with("anyrank.toml:2:1: 'send' is no MPI function"), "{message}");
    }

    #[test]
    fn programs_are_trusted_by_the_user_and_not_by_the_project() {
        let text = "select = []\ntrusted-programs = [\"/clone/mpicc\"]\n";
        let message = error(text);
        assert!(
            message.starts_with("anyrank.toml:2:1: trusted-programs is for the user's own settings"),
            "{message}"
        );
        let user = |text: &str| parse_user(text, Path::new("user.toml")).map_err(|error| error.to_string());
        let config = user("trusted-programs = [\"/opt/mpicc\"]\n").unwrap();
        assert_eq!(config.trusted_programs, [PathBuf::from("/opt/mpicc")]);
        assert!(
            user("trusted-programs = [\"./mpicc\"]\n")
                .unwrap_err()
                .starts_with("user.toml:1:22: './mpicc' is no")
        );
        assert!(user("select = []\n").unwrap_err().contains("trusted-programs"));
    }
}
