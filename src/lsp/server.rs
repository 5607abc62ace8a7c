//! The server: documents in, results out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crossbeam_channel::{Sender, at, never, select, unbounded};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, GotoDefinitionResponse,
    HoverProviderCapability, InitializeParams, InitializeResult, LogMessageParams, MessageType, OneOf,
    PublishDiagnosticsParams, Registration, RegistrationParams, ServerCapabilities, ServerInfo,
    ShowMessageParams, TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, Uri, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::{FIX_ALL, actions};
use super::diagnostics::diagnostics;
use super::documents::{Document, Documents, Known};
use super::hints::hints;
use super::hover::hover;
use super::jobs::{Done, Jobs, Urgency};
use super::lenses::lenses;
use super::other_side::{call_at, other_side};
use super::position::Encoding;
use super::transport::{self, Incoming};
use super::uri::path_of;
use super::view::{Job, Lost, Stage};
use crate::cli::lsp::LanguageServer;
use crate::exit::{Exit, Failure};

/// Serves until the editor says `exit` or is gone.
pub(super) fn run(options: &LanguageServer) -> Result<Exit, Failure> {
    let incoming = transport::read_stdin();
    let (outgoing, writer) = transport::write_stdout();
    let mut server = Server::new(outgoing, Jobs::new(options.arguments()));
    let said = server.jobs.said.clone();
    let exit = loop {
        let next = server.jobs.next().map_or_else(never, at);
        select! {
            recv(incoming) -> message => match message {
                Ok(incoming) => {
                    if let Some(exit) = server.take_in(incoming) {
                        break exit;
                    }
                }
                // The editor is gone without a word.
                Err(_) => break Exit::Findings,
            },
            recv(said) -> one => {
                if let Some(done) = one.ok().and_then(|said| server.jobs.take(said)) {
                    server.learn(done);
                }
            }
            recv(next) -> _ => {}
        }
        server.start();
    };
    drop(server);
    // All that was said before the end is written.
    let _ = writer.join();
    Ok(exit)
}

/// What the server says to these bytes, and whether they end with `exit`. Nothing is analysed.
pub(super) fn converse(mut input: &[u8]) -> (Vec<Message>, bool) {
    let (outgoing, said) = unbounded();
    let mut server = Server::new(outgoing, Jobs::new(Vec::new()));
    let mut ended = false;
    // Memory can be read.
    while let Ok(Some(incoming)) = transport::read(&mut input)
        && !ended
    {
        ended = server.take_in(incoming).is_some();
    }
    drop(server);
    (said.iter().collect(), ended)
}

/// What the client can do.
#[derive(Debug, Default)]
struct Client {
    /// Asks for lenses again when told to.
    refreshes_lenses: bool,
    refreshes_hints: bool,
    /// Watches files for us.
    watches: bool,
    /// Has the command of lenses.
    shows: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    New,
    Serving,
    ShutDown,
}

struct Server {
    outgoing: Sender<Message>,
    phase: Phase,
    client: Client,
    folders: Vec<PathBuf>,
    documents: Documents,
    jobs: Jobs,
    /// What the user was told already.
    told: BTreeSet<String>,
    requests: i32,
}

impl Server {
    fn new(outgoing: Sender<Message>, jobs: Jobs) -> Self {
        Self {
            outgoing,
            phase: Phase::New,
            client: Client::default(),
            folders: Vec::new(),
            documents: Documents { encoding: Encoding::Utf16, open: BTreeMap::new() },
            jobs,
            told: BTreeSet::new(),
            requests: 0,
        }
    }

    /// Takes in what came; returns how to exit, if it says so.
    fn take_in(&mut self, incoming: Incoming) -> Option<Exit> {
        match incoming {
            Incoming::Message(message) => self.message(message),
            Incoming::Garbage(what) => {
                self.log(MessageType::ERROR, format!("ignored: {what}"));
                None
            }
        }
    }

    /// Takes in a message; returns how to exit, if it says so.
    fn message(&mut self, message: Message) -> Option<Exit> {
        match message {
            Message::Request(request) => {
                let response = self.respond(request);
                self.send(response);
            }
            Message::Notification(told) if told.method == notification::Exit::METHOD => {
                // The protocol's exit codes: 0 after a shutdown, 1 without.
                return Some(if self.phase == Phase::ShutDown { Exit::Clean } else { Exit::Findings });
            }
            Message::Notification(told) if self.phase == Phase::Serving => {
                let method = told.method.clone();
                if let Err(error) = self.notified(told) {
                    self.log(MessageType::ERROR, format!("ignored: {method}: {error}"));
                }
            }
            // Before `initialize`, after `shutdown`, or an answer to what we asked for, which we do not wait for.
            Message::Notification(_) | Message::Response(_) => {}
        }
        None
    }

    fn respond(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let refused = |code: ErrorCode, why: &str| Response::new_err(id.clone(), code as i32, why.to_owned());
        match (self.phase, method.as_str()) {
            (Phase::New, request::Initialize::METHOD) => answer(id, params, |params| self.initialize(params)),
            (Phase::New, _) => refused(ErrorCode::ServerNotInitialized, "`initialize` comes first"),
            (Phase::ShutDown, _) => refused(ErrorCode::InvalidRequest, "the server is shut down"),
            (Phase::Serving, request::Initialize::METHOD) => {
                refused(ErrorCode::InvalidRequest, "`initialize` came already")
            }
            (Phase::Serving, request::Shutdown::METHOD) => {
                self.phase = Phase::ShutDown;
                self.jobs.stop();
                Response::new_ok(id, Value::Null)
            }
            (Phase::Serving, method) => self.capability(id, method, params),
        }
    }

    fn capability(&self, id: RequestId, method: &str, params: Value) -> Response {
        let documents = &self.documents;
        let at = |params: TextDocumentPositionParams| (path_of(&params.text_document.uri), params.position);
        match method {
            request::HoverRequest::METHOD => answer(id, params, |params: lsp_types::HoverParams| {
                let (path, position) = at(params.text_document_position_params);
                call_at(documents, &path?, position).map(|here| hover(documents, &here))
            }),
            request::GotoDefinition::METHOD => {
                answer(id, params, |params: lsp_types::GotoDefinitionParams| {
                    let (path, position) = at(params.text_document_position_params);
                    call_at(documents, &path?, position)
                        .map(|here| GotoDefinitionResponse::Array(other_side(documents, &here)))
                })
            }
            request::References::METHOD => answer(id, params, |params: lsp_types::ReferenceParams| {
                let (path, position) = at(params.text_document_position);
                call_at(documents, &path?, position).map(|here| other_side(documents, &here))
            }),
            request::CodeLensRequest::METHOD => answer(id, params, |params: lsp_types::CodeLensParams| {
                path_of(&params.text_document.uri).map(|path| lenses(documents, &path, self.client.shows))
            }),
            request::InlayHintRequest::METHOD => answer(id, params, |params: lsp_types::InlayHintParams| {
                path_of(&params.text_document.uri).map(|path| hints(documents, &path, params.range))
            }),
            request::CodeActionRequest::METHOD => {
                answer(id, params, |params: lsp_types::CodeActionParams| {
                    path_of(&params.text_document.uri)
                        .map(|path| actions(documents, &path, params.range, &params.context))
                })
            }
            _ => {
                Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("no method `{method}` here"))
            }
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> InitializeResult {
        self.phase = Phase::Serving;
        let general = params.capabilities.general.as_ref();
        self.documents.encoding =
            Encoding::negotiate(general.and_then(|general| general.position_encodings.as_deref()));
        let workspace = params.capabilities.workspace.unwrap_or_default();
        let told = |name: &str| {
            params.initialization_options.as_ref().and_then(|options| options.get(name)?.as_bool())
        };
        self.client = Client {
            refreshes_lenses: workspace.code_lens.is_some_and(|lens| lens.refresh_support == Some(true)),
            refreshes_hints: workspace.inlay_hint.is_some_and(|hint| hint.refresh_support == Some(true)),
            watches: workspace
                .did_change_watched_files
                .is_some_and(|watch| watch.dynamic_registration == Some(true)),
            shows: told("showOtherSide") == Some(true),
        };
        let folders = params.workspace_folders.unwrap_or_default();
        self.folders = folders.iter().filter_map(|folder| path_of(&folder.uri)).collect();
        #[expect(deprecated, reason = "older clients name their directory by no other means")]
        let root = params.root_uri;
        if self.folders.is_empty() {
            self.folders.extend(root.as_ref().and_then(path_of));
        }
        InitializeResult {
            capabilities: capabilities(self.documents.encoding),
            server_info: Some(ServerInfo {
                name: "anyrank".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        }
    }

    fn notified(&mut self, told: Notification) -> serde_json::Result<()> {
        let Notification { method, params } = told;
        match method.as_str() {
            notification::Initialized::METHOD => self.watch(),
            notification::DidOpenTextDocument::METHOD => {
                let params: lsp_types::DidOpenTextDocumentParams = serde_json::from_value(params)?;
                let lsp_types::TextDocumentItem { uri, language_id, version, text } = params.text_document;
                // What has no path yet is not analysed until it is saved.
                let Some(path) = path_of(&uri) else { return Ok(()) };
                let ends_in = |end: &str| path.extension().is_some_and(|extension| extension == end);
                let is_source = ends_in("c") || language_id == "c" && !ends_in("h");
                let document = Document {
                    uri,
                    version,
                    text: text.into(),
                    is_source,
                    is_saved: true,
                    early: None,
                    known: None,
                };
                self.documents.open.insert(path.clone(), document);
                self.touched(&path);
            }
            notification::DidChangeTextDocument::METHOD => {
                let params: lsp_types::DidChangeTextDocumentParams = serde_json::from_value(params)?;
                let path = path_of(&params.text_document.uri);
                let encoding = self.documents.encoding;
                let Some(path) = path else { return Ok(()) };
                if let Some(document) = self.documents.open.get_mut(&path) {
                    document.version = params.text_document.version;
                    document.edit(params.content_changes, encoding);
                    document.is_saved = false;
                    self.touched(&path);
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                let params: lsp_types::DidCloseTextDocumentParams = serde_json::from_value(params)?;
                let Some(path) = path_of(&params.text_document.uri) else { return Ok(()) };
                let users = self.users(&path);
                if let Some(document) = self.documents.open.remove(&path) {
                    self.jobs.forget(&path);
                    self.publish(document.uri, Vec::new(), None);
                    // What was not saved does not count any more.
                    users.iter().for_each(|user| self.jobs.schedule(user, Urgency::Touched));
                }
            }
            notification::DidSaveTextDocument::METHOD => {
                let params: lsp_types::DidSaveTextDocumentParams = serde_json::from_value(params)?;
                let Some(path) = path_of(&params.text_document.uri) else { return Ok(()) };
                if let Some(document) = self.documents.open.get_mut(&path) {
                    document.is_saved = true;
                }
                // Its text is known, but it may be new on the disk.
                self.touched(&path);
            }
            notification::DidChangeWatchedFiles::METHOD => {
                let sources: Vec<_> = self.sources().collect();
                sources.iter().for_each(|path| self.jobs.schedule(path, Urgency::Touched));
            }
            notification::DidChangeWorkspaceFolders::METHOD => {
                let params: lsp_types::DidChangeWorkspaceFoldersParams = serde_json::from_value(params)?;
                let gone: Vec<_> =
                    params.event.removed.iter().filter_map(|folder| path_of(&folder.uri)).collect();
                self.folders.retain(|folder| !gone.contains(folder));
                self.folders.extend(params.event.added.iter().filter_map(|folder| path_of(&folder.uri)));
                let sources: Vec<_> = self.sources().collect();
                sources.iter().for_each(|path| self.jobs.schedule(path, Urgency::Touched));
            }
            // Nothing that would change an answer.
            _ => {}
        }
        Ok(())
    }

    /// Asks the client to tell of files that change on the disk.
    fn watch(&mut self) {
        if !self.client.watches {
            return;
        }
        let patterns = ["**/compile_commands.json", "**/anyrank.toml", "**/*.{c,h}"];
        let watchers = patterns.map(|pattern| FileSystemWatcher {
            glob_pattern: GlobPattern::String(pattern.to_owned()),
            kind: None,
        });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "files".to_owned(),
            method: notification::DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: Some(json!(options)),
        };
        self.ask::<request::RegisterCapability>(RegistrationParams { registrations: vec![registration] });
    }

    /// A text has changed: the document and those that use it are analysed anew.
    fn touched(&mut self, path: &Path) {
        if self.documents.open.get(path).is_some_and(|document| document.is_source) {
            self.jobs.schedule(path, Urgency::Typed);
        }
        for user in self.users(path) {
            self.jobs.schedule(&user, Urgency::Touched);
        }
        // Findings keep their places while the text around them moves.
        self.publish_known(path);
    }

    /// Other open documents whose results depend on a file. Results do not say which headers they depend on.
    fn users(&self, path: &Path) -> Vec<PathBuf> {
        let is_header = path.extension().is_some_and(|extension| extension == "h");
        let uses = |document: &Document| {
            let files = document.known.as_ref().map(|known| &known.view.files);
            // What is not known yet may depend on anything.
            is_header || files.is_none_or(|files| files.iter().any(|file| file == path))
        };
        let open = self.documents.open.iter();
        let users = open.filter(|(other, document)| *other != path && document.is_source && uses(document));
        users.map(|(other, _)| other.clone()).collect()
    }

    fn sources(&self) -> impl Iterator<Item = PathBuf> {
        self.documents.open.iter().filter(|(_, document)| document.is_source).map(|(path, _)| path.clone())
    }

    /// Starts what is due.
    fn start(&mut self) {
        if self.phase != Phase::Serving || self.jobs.next().is_none_or(|at| Instant::now() < at) {
            return;
        }
        let Some((document, urgency)) = self.jobs.choose() else { return };
        let folder = self
            .folders
            .iter()
            .filter(|folder| document.starts_with(folder))
            .max_by_key(|f| f.as_os_str().len());
        let Some(root) = folder.map(PathBuf::as_path).or_else(|| document.parent()) else { return };
        let named = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
        let texts: BTreeMap<_, _> = self
            .documents
            .open
            .iter()
            .map(|(path, document)| (path.clone(), document.text.clone()))
            .collect();
        let job = Job {
            root: root.to_owned(),
            file: named(&document),
            texts: texts.iter().map(|(path, text)| (named(path), String::from(&**text))).collect(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            edits: urgency == Urgency::Edits,
        };
        let name = document.display().to_string();
        if let Err(error) = self.jobs.start(document, urgency, texts, job) {
            // Its file may have been removed, where that matters.
            let advice = "start the language server again";
            self.tell(format!("{name} is not analysed, for anyrank cannot be started: {error}; {advice}"));
        }
    }

    /// Takes in results.
    fn learn(&mut self, done: Done) {
        let Done { document: path, texts, view } = done;
        let view = match view {
            Ok(view) => *view,
            Err(why) => return self.tell(format!("{}: {why}", path.display())),
        };
        if let Some(failure) = &view.failure {
            return self.tell(failure.clone());
        }
        // A compile database that cannot be read has no place in a document.
        let databases =
            view.lost.iter().filter(|lost| lost.path.extension().is_some_and(|end| end == "json"));
        for lost in databases {
            self.tell(format!("{}: {}", lost.path.display(), lost.message));
        }
        let Some(document) = self.documents.open.get_mut(&path) else { return };
        let stage = view.stage;
        // While somebody types, what the program was before says more than half of what it will be. Who saves has typed it all.
        let is_typed = |before: &Known| !document.is_saved && lost(&before.view.lost) < lost(&view.lost);
        let is_kept = document.known.as_ref().is_some_and(is_typed);
        if view.stage == Stage::Units {
            if !is_kept {
                document.early = Some(Known::new(view, texts));
                self.publish_known(&path);
            }
            return;
        }
        document.early = None;
        if is_kept {
            let here = view.lost.iter().find(|lost| lost.path == path);
            let why = here.map_or("a syntax error", |lost| lost.message.as_str());
            let message = format!("{}: results of the last complete text are kept: {why}", path.display());
            self.log(MessageType::LOG, message);
        } else {
            if !view.problems.is_empty() && view.stage == Stage::Programs {
                self.jobs.schedule_edits(&path);
            }
            document.known = Some(Known::new(view, texts));
        }
        let headers = self.documents.open.iter().filter(|(_, document)| !document.is_source);
        let shown: Vec<_> = headers.map(|(path, _)| path.clone()).chain([path]).collect();
        shown.iter().for_each(|path| self.publish_known(path));
        // Edits change no lens and no hint.
        if stage == Stage::Programs && self.client.refreshes_lenses {
            self.ask::<request::CodeLensRefresh>(());
        }
        if stage == Stage::Programs && self.client.refreshes_hints {
            self.ask::<request::InlayHintRefreshRequest>(());
        }
    }

    /// Publishes what is known of a document; nothing while nothing is.
    fn publish_known(&self, path: &Path) {
        let Some(document) = self.documents.open.get(path) else { return };
        if document.known.is_some() || document.early.is_some() || !document.is_source {
            let found = diagnostics(&self.documents, path);
            self.publish(document.uri.clone(), found, Some(document.version));
        }
    }

    fn publish(&self, uri: Uri, diagnostics: Vec<lsp_types::Diagnostic>, version: Option<i32>) {
        self.notify::<notification::PublishDiagnostics>(PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        });
    }

    /// Shows a message, once.
    fn tell(&mut self, message: String) {
        if self.told.insert(message.clone()) {
            self.notify::<notification::ShowMessage>(ShowMessageParams {
                typ: MessageType::WARNING,
                message,
            });
        }
    }

    fn log(&self, typ: MessageType, message: String) {
        self.notify::<notification::LogMessage>(LogMessageParams { typ, message });
    }

    fn notify<N: notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    /// Asks the client for something whose answer does not matter.
    fn ask<R: request::Request>(&mut self, params: R::Params) {
        self.requests = self.requests.wrapping_add(1);
        self.send(Request::new(self.requests.into(), R::METHOD.to_owned(), params));
    }

    fn send(&self, message: impl Into<Message>) {
        // Without a writer there is no editor; the end of the input says so too.
        let _ = self.outgoing.send(message.into());
    }
}

/// How many parts of files could not be parsed.
fn lost(lost: &[Lost]) -> usize {
    lost.iter().filter(|lost| lost.message.starts_with("syntax error")).count()
}

/// Answers a request, or says what is wrong with its parameters.
fn answer<P: DeserializeOwned, R: Serialize>(
    id: RequestId,
    params: Value,
    work: impl FnOnce(P) -> R,
) -> Response {
    match serde_json::from_value(params) {
        Ok(params) => Response::new_ok(id, work(params)),
        Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, FIX_ALL]),
            ..CodeActionOptions::default()
        })),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: None,
        }),
        ..ServerCapabilities::default()
    }
}
