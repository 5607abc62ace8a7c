//! `anyrank completions`: a completion script for a shell.

use clap::CommandFactory;

use crate::cli::{Cli, Completions};
use crate::exit::{Exit, Failure};
use crate::output;

/// Prints the script.
pub(crate) fn run(options: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "anyrank", &mut script);
    output::stdout_bytes(&script)?;
    Ok(Exit::Clean)
}
