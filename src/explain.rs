//! `anyrank explain`: a rule's page.

use std::fmt::Write as _;

use analyzer::rules::Rule;

use crate::cli::Explain;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::selection::rule_named;

/// Prints the page of a rule, or the list of all rules.
pub(crate) fn run(options: &Explain) -> Result<Exit, Failure> {
    let text = match &options.rule {
        Some(id) => rule_named(id)?.explanation().to_owned(),
        None => list(),
    };
    output::stdout(&text)?;
    Ok(Exit::Clean)
}

fn list() -> String {
    let width = Rule::ALL.iter().map(|rule| rule.id().len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in Rule::ALL {
        let _ = writeln!(text, "{:width$}  {}", rule.id(), rule.summary());
    }
    text
}
