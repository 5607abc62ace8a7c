//! From a finding to edits that may remove it. One file per kind of edit.

mod exchange;
mod insert;
mod redundant;

use analyzer::results::{Edit, Finding, Fix};
use analyzer::rules::Rule;

use crate::text::SourceFile;

/// Edits of a file that may remove a finding in it, the best first.
#[must_use]
pub fn candidates(finding: &Finding, file: &SourceFile) -> Vec<Fix> {
    let own = finding.fix.clone();
    let made = match finding.rule {
        Rule::DatatypeLeak
        | Rule::CommunicatorLeak
        | Rule::GroupLeak
        | Rule::OpLeak
        | Rule::WindowLeak
        | Rule::FileLeak => insert::free(finding, file),
        Rule::RequestMissingWait => insert::wait(finding, file),
        Rule::RequestLeak => insert::free_request(finding, file),
        Rule::DatatypeUncommitted => insert::commit(finding, file),
        Rule::MissingFinalize => insert::finalize(finding, file),
        Rule::DoubleInit | Rule::DoubleFree => redundant::remove(finding, file),
        Rule::Deadlock | Rule::UnsafeSend => exchange::sendrecv(finding, file),
        _ => None,
    };
    own.into_iter().chain(made.unwrap_or_default()).collect()
}

fn fix(description: String, edits: Vec<Edit>) -> Fix {
    Fix { description, edits }
}
