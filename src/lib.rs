//! The `anyrank` command as a library: [`run`] is the command, [`session`] what it does with its inputs.
//!
//! One file per subcommand; the analysis itself is in the crates below. Architecture invariant: only this crate prints,
//! and only it decides an exit code.

mod baseline;
pub mod cli;
mod completions;
mod excerpts;
mod exit;
mod explain;
mod fix;
mod guard;
mod layout_command;
mod lint;
mod load;
mod lsp;
mod man;
mod neighbours;
mod output;
mod progress;
mod redistribute;
pub mod selection;
pub mod session;
mod settings;
mod suggest;
pub mod suppress;
mod topology;
mod types;
mod version;

use std::ffi::OsString;

use clap::Parser;

use cli::{Cli, Command};
pub use exit::{Exit, Failure};
pub use lsp::{Conversation, converse, is_request};

/// Runs the command with these arguments, the first of which is its name.
///
/// Results go to standard output, everything else to standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are errors to clap, but not to the user. Who does not listen needs no message.
            let _ = error.print();
            return if error.use_stderr() { Exit::Failed } else { Exit::Clean };
        }
    };
    let result = guard::guard(|| match &cli.command {
        Command::Lint(options) => lint::run(options),
        Command::Topology(options) => topology::run(options),
        Command::Suggest(options) => suggest::run(options),
        Command::Types(options) => types::run(options),
        Command::Layout(options) => layout_command::run(options),
        Command::Redistribute(options) => redistribute::run(options),
        Command::Lsp(options) => lsp::run(options),
        Command::Explain(options) => explain::run(options),
        Command::Completions(options) => completions::run(options),
        Command::Man => man::run(),
    });
    match result.unwrap_or_else(|message| Err(Failure::new(message))) {
        Ok(exit) => exit,
        Err(failure) => {
            output::complain(&format!("error: {failure}\n"));
            Exit::Failed
        }
    }
}
