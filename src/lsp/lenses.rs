//! Code lenses: above each call, whom it communicates with.

use std::path::Path;

use lsp_types::{CodeLens, Command};
use serde_json::json;

use super::documents::Documents;
use super::other_side::{calls, name_range, other_side};

/// The command that our extension for VS Code has: shows places, as a list or a peek.
pub(super) const SHOW: &str = "anyrank.showOtherSide";

/// The lenses of a document. `can_show` tells whether the client has the command [`SHOW`]; otherwise a lens is text only.
pub(super) fn lenses(documents: &Documents, path: &Path, can_show: bool) -> Vec<CodeLens> {
    let Some(document) = documents.open.get(path) else { return Vec::new() };
    let mut lenses: Vec<CodeLens> = Vec::new();
    for here in calls(documents, path) {
        let range = name_range(documents, &here);
        let places = other_side(documents, &here);
        for partner in &here.call.partners {
            let command = if can_show && !places.is_empty() {
                let arguments = vec![json!(document.uri), json!(range.start), json!(places)];
                Command::new(partner.short.clone(), SHOW.to_owned(), Some(arguments))
            } else {
                Command::new(partner.short.clone(), String::new(), None)
            };
            let lens = CodeLens { range, command: Some(command), data: None };
            if !lenses.contains(&lens) {
                lenses.push(lens);
            }
        }
    }
    lenses
}
