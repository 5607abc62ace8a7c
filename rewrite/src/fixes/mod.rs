//! From a finding to edits that may remove it. One file per kind of edit.

mod exchange;
mod insert;
mod rebuild;
mod redundant;
mod sequence;

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
        Rule::StructLayout => rebuild::datatype(finding, file),
        Rule::Deadlock | Rule::UnsafeSend => exchange::sendrecv(finding, file),
        _ => None,
    };
    let mut all: Vec<Fix> = own.into_iter().chain(made.unwrap_or_default()).collect();
    // A datatype that is wrong in several places is built anew rather than mended.
    if finding.rule == Rule::StructLayout {
        all.sort_by_key(|fix| !defines_function(fix) && rebuild::mended(fix) > 1);
    }
    all
}

/// Whether edits put a function into the file. The names in it are chosen so that the file does not have them: no other edit of the file
/// may do so at the same time.
#[must_use]
pub fn defines_function(fix: &Fix) -> bool {
    fix.edits.iter().any(|edit| edit.text.contains("\n{"))
}

fn fix(description: String, edits: Vec<Edit>) -> Fix {
    Fix { description, edits }
}
