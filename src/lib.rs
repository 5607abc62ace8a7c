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
mod interrupt;
mod journal;
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
#[cfg(unix)]
mod supervisor;
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
/// Results go to standard output, everything else to standard error. What analyses programs is done by another process, which is this
/// program again, so that what kills it costs one program only.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(unix)]
    if let Some(arguments) = supervisor::worker_arguments(&arguments) {
        supervisor::become_worker();
        return run_here(arguments, false);
    }
    run_here(arguments, true)
}

/// Runs the command in this process, unless it `may_start` another one and should.
fn run_here(arguments: Vec<OsString>, may_start: bool) -> Exit {
    #[cfg(unix)]
    let again = arguments.clone();
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are errors to clap, but not to the user. Who does not listen needs no message.
            let _ = error.print();
            return if error.use_stderr() { Exit::Failed } else { Exit::Clean };
        }
    };
    #[cfg(unix)]
    if let Some(common) = cli.command.analysis() {
        if may_start && let Some(exit) = supervisor::supervise(&again) {
            return exit;
        }
        supervisor::limit_memory(common.memory_limit, common.jobs);
    }
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
    if let Some(signal) = interrupt::caught() {
        let signal = interrupt::name(signal);
        output::complain(&format!("error: interrupted by {signal}; what was not done by then is missing\n"));
    }
    match result.unwrap_or_else(|message| Err(Failure::new(message))) {
        Ok(exit) => interrupt::caught().map_or(exit, Exit::Interrupted),
        Err(failure) => {
            output::complain(&format!("error: {failure}\n"));
            interrupt::caught().map_or(Exit::Failed, Exit::Interrupted)
        }
    }
}
