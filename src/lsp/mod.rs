//! `anyrank lsp`: the language server, on standard input and output.
//!
//! Two processes share the work. The server ([`server`]) knows the documents that the editor has open and answers from what is
//! known of them. Whenever a text has changed, it starts a worker ([`worker`]), a process that analyses one document with the unsaved texts
//! of all and hands over a [`view`] of the results. A worker whose texts are out of date is killed: an analysis is
//! cancelled at once wherever it stands, its memory goes with it, and whatever befalls it the editor keeps its server.
//!
//! One file per capability: [`diagnostics`], [`hover`], [`other_side`], [`lenses`], [`hints`], [`actions`].
//! Architecture invariant: no capability looks at anything but views and documents.

mod actions;
mod arms;
mod calls;
mod diagnostics;
mod documents;
mod drift;
mod hints;
mod hover;
mod jobs;
mod lenses;
mod other_side;
mod position;
mod server;
mod transport;
mod uri;
mod view;
mod worker;

use lsp_server::Message;
use serde_json::Value;

use crate::cli::lsp::LanguageServer;
use crate::exit::{Exit, Failure};

/// Serves until the editor says `exit`, or analyses one document as a worker.
///
/// # Errors
/// The standard streams, or what a worker was given, cannot be read.
pub(crate) fn run(options: &LanguageServer) -> Result<Exit, Failure> {
    if options.worker { worker::run(options) } else { server::run(options) }
}

/// What the language server says to an editor that nothing is analysed for.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversation {
    /// Its messages, in order.
    pub said: Vec<Value>,
    /// Whether the editor said `exit`, after which nothing is read.
    pub ended: bool,
}

/// Has the language server take in the bytes of an editor, with all that may be wrong in them. For tests.
#[must_use]
pub fn converse(input: &[u8]) -> Conversation {
    let (said, ended) = server::converse(input);
    let said = said.iter().filter_map(|message| serde_json::to_value(message).ok()).collect();
    Conversation { said, ended }
}

/// Whether the language server takes the body of a message for a request, which has one answer.
#[must_use]
pub fn is_request(body: &[u8]) -> bool {
    matches!(serde_json::from_slice(body), Ok(Message::Request(_)))
}
