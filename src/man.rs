//! `anyrank man`: the manual page, one section per subcommand.

use clap::CommandFactory;

use crate::cli::Cli;
use crate::exit::{Exit, Failure};
use crate::output;

/// Prints the page as roff, for `man -l -`.
pub(crate) fn run() -> Result<Exit, Failure> {
    let page = page().map_err(|error| Failure::new(format!("cannot render the manual page: {error}")))?;
    output::stdout_bytes(&page)?;
    Ok(Exit::Clean)
}

fn page() -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        let name = format!("anyrank {}", subcommand.get_name());
        page.extend_from_slice(format!(".SH \"{}\"\n", name.to_uppercase()).as_bytes());
        let man = clap_mangen::Man::new(subcommand.clone());
        man.render_description_section(&mut page)?;
        man.render_synopsis_section(&mut page)?;
        man.render_options_section(&mut page)?;
    }
    Ok(page)
}
