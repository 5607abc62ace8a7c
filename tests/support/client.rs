//! An editor for tests: `anyrank lsp` over pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Nothing takes so long, even on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server, and what it has said.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    said: Receiver<Value>,
    requests: i64,
    versions: i64,
}

impl Client {
    /// Starts a server that knows nothing yet.
    pub(crate) fn new() -> Self {
        Self::of(Path::new(env!("CARGO_BIN_EXE_anyrank")))
    }

    /// Starts the server that a file is.
    pub(crate) fn of(command: &Path) -> Self {
        Self::started(Command::new(command).arg("lsp"))
    }

    /// Starts the server that a command is.
    pub(crate) fn started(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
        let stdin = child.stdin.take();
        let mut output = BufReader::new(child.stdout.take().expect("it was asked for"));
        let (sender, said) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, said, requests: 0, versions: 1 }
    }

    /// Starts a server for a directory, with columns in `encoding`.
    pub(crate) fn serving(directory: &Path, encoding: &str) -> Self {
        let mut client = Self::new();
        client.serve(directory, encoding);
        client
    }

    /// Has the server serve a directory, with columns in `encoding`.
    pub(crate) fn serve(&mut self, directory: &Path, encoding: &str) {
        let folder = json!({ "uri": uri(directory), "name": "test" });
        let params = json!({
            "processId": null,
            "capabilities": {
                "general": { "positionEncodings": [encoding] },
                "workspace": { "codeLens": { "refreshSupport": true } },
            },
            "workspaceFolders": [folder],
        });
        let result = self.ask("initialize", params);
        assert_eq!(result["result"]["capabilities"]["positionEncoding"], encoding, "{result}");
        self.tell("initialized", json!({}));
    }

    /// The id of the server's process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("it is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the server listens");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and waits for its response.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// Waits for a message; others are dropped.
    pub(crate) fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.said.recv_timeout(left).expect("the server says it in time");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Waits for diagnostics of a file that are as `are_they` says.
    pub(crate) fn diagnostics(&mut self, file: &Path, are_they: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let uri = uri(file);
        let message = self.wait(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri.as_str()
                && params["diagnostics"].as_array().is_some_and(|all| are_they(all))
        });
        message["params"]["diagnostics"].as_array().expect("just looked at").clone()
    }

    /// Waits until whole programs are known anew.
    pub(crate) fn programs(&mut self) {
        self.wait(|message| message["method"] == "workspace/codeLens/refresh");
    }

    pub(crate) fn open(&mut self, file: &Path, text: &str) {
        let document = json!({ "uri": uri(file), "languageId": "c", "version": self.versions, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn close(&mut self, file: &Path) {
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri(file) } }));
    }

    /// Replaces the whole text.
    pub(crate) fn replace(&mut self, file: &Path, text: &str) {
        self.versions += 1;
        let document = json!({ "uri": uri(file), "version": self.versions });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Asks something about a position from 0.
    pub(crate) fn at(&mut self, method: &str, file: &Path, line: usize, character: usize) -> Value {
        let params = json!({
            "textDocument": { "uri": uri(file) },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
        });
        self.ask(method, params)["result"].clone()
    }

    /// Asks something about all lines of a file.
    pub(crate) fn all(&mut self, method: &str, file: &Path) -> Vec<Value> {
        let range =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
        let params = json!({
            "textDocument": { "uri": uri(file) },
            "range": range,
            "context": { "diagnostics": [] },
        });
        self.ask(method, params)["result"].as_array().cloned().unwrap_or_default()
    }

    /// Asks for the code actions of a file until they are as `are_they` says: edits are looked for later.
    pub(crate) fn actions(&mut self, file: &Path, are_they: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let end = Instant::now() + PATIENCE;
        loop {
            let actions = self.all("textDocument/codeAction", file);
            if are_they(&actions) {
                return actions;
            }
            assert!(Instant::now() < end, "these are not all: {actions:#?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Says good-bye as the protocol wants.
    pub(crate) fn end(mut self) -> ExitStatus {
        let answer = self.ask("shutdown", Value::Null);
        assert!(answer["error"].is_null(), "{answer}");
        self.tell("exit", Value::Null);
        self.exited()
    }

    /// Closes the server's input, and waits for its end.
    pub(crate) fn exited(mut self) -> ExitStatus {
        drop(self.stdin.take());
        self.child.wait().expect("the server can be waited for")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file as a URI.
pub(crate) fn uri(path: &Path) -> String {
    let path = path.to_str().expect("temporary directories have plain names");
    format!("file://{}", path.replace(' ', "%20"))
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|&read| 0 < read)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.parse().ok();
        }
    }
    let mut bytes = vec![0; length?];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}
