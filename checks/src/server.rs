//! Any messages for the language server: each request has one answer, and the server goes on.

use serde_json::json;

/// What changed messages get words from.
pub const WORDS: &[&str] = &[
    "\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "-1",
    "4294967295",
    "4294967296",
    "1e9",
    "\"id\":",
    "\"method\":",
    "\"params\":",
    "\"textDocument\":",
    "\"position\":",
    "\"range\":",
    "\"start\":",
    "\"end\":",
    "\"line\":",
    "\"character\":",
    "\"text\":",
    "\"uri\":",
    "file:///a/%00.c",
    "file://",
    "untitled:x",
    "%",
    "\\ud83d\\ude00",
    "\u{1d11e}",
    "\\r\\n",
    "\\n",
    "shutdown",
    "exit",
    "initialize",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/hover",
    "workspace/didChangeWorkspaceFolders",
];

/// Checks messages, one a line. Those that begin with a header are taken as they are instead.
///
/// # Panics
///
/// If something is wrong.
pub fn check(data: &[u8]) {
    if data.starts_with(b"Content-Length") {
        // Whatever it says, it ends.
        let _ = anyrank::converse(data);
        return;
    }
    let mut input = Vec::new();
    let mut say = |body: &[u8]| {
        input.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        input.extend_from_slice(body);
    };
    let mut asked = 0;
    let last =
        json!({ "jsonrpc": "2.0", "id": "the last one", "method": "textDocument/inlayHint", "params": {} })
            .to_string();
    for line in data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).chain([last.as_bytes()]) {
        say(line);
        asked += usize::from(anyrank::is_request(line));
    }
    let conversation = anyrank::converse(&input);
    let answers = conversation.said.iter().filter(|said| said.get("method").is_none());
    let (count, is_last) =
        answers.fold((0, false), |(count, _), answer| (count + 1, answer["id"] == "the last one"));
    assert!(conversation.ended || (count == asked && is_last), "{count} answers to {asked} requests");
}
