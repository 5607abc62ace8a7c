//! The command line of `anyrank lsp`.

use std::ffi::{OsStr, OsString};

use clap::Args;

use super::{Color, Common, Inputs};

/// `anyrank lsp`.
#[derive(Debug, Args)]
pub struct LanguageServer {
    /// What is read.
    #[command(flatten)]
    pub inputs: Inputs,

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
            inputs: self.inputs.clone(),
            np: None,
            jobs: None,
            memory_limit: None,
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
        let Inputs { compile_commands, define, include, time_limit } = &self.inputs;
        compile_commands.iter().for_each(|path| say("-p", path.as_os_str()));
        define.iter().for_each(|define| say("-D", define.as_ref()));
        include.iter().for_each(|path| say("-I", path.as_os_str()));
        time_limit.iter().for_each(|limit| say("--time-limit", limit.as_secs_f64().to_string().as_ref()));
        arguments
    }
}
