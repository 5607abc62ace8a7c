//! The command line of `anyrank lsp`.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::{Color, Common, parse_seconds};

/// `anyrank lsp`.
#[derive(Debug, Args)]
pub struct LanguageServer {
    /// Compile database (compile_commands.json), or its directory [default: looked for in . and build/ of the workspace]
    #[arg(short = 'p', long, value_name = "FILE|DIR", value_hint = ValueHint::AnyPath)]
    pub compile_commands: Option<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Look for headers in this directory too, relative to the workspace
    #[arg(short = 'I', value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub include: Vec<PathBuf>,

    /// Give up on an entry point after this time, in seconds [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,

    /// What clients pass that could speak by other means too; it is the only one
    #[arg(long)]
    pub stdio: bool,

    /// Analyse one document for a server.
    #[arg(long, hide = true)]
    pub worker: bool,
}

impl LanguageServer {
    /// These options as those of every analysis.
    #[must_use]
    pub fn common(&self) -> Common {
        Common {
            compile_commands: self.compile_commands.clone(),
            define: self.define.clone(),
            include: self.include.clone(),
            np: None,
            time_limit: self.time_limit,
            jobs: None,
            output: None,
            color: Color::Never,
            quiet: true,
            verbose: false,
        }
    }

    /// The arguments that say the same.
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = Vec::new();
        let mut say = |name: &str, value: &OsStr| {
            arguments.push(name.into());
            arguments.push(value.to_owned());
        };
        self.compile_commands.iter().for_each(|path| say("-p", path.as_os_str()));
        self.define.iter().for_each(|define| say("-D", define.as_ref()));
        self.include.iter().for_each(|path| say("-I", path.as_os_str()));
        self.time_limit
            .iter()
            .for_each(|limit| say("--time-limit", limit.as_secs_f64().to_string().as_ref()));
        arguments
    }
}
