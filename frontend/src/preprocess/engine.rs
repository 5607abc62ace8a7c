//! One unit being preprocessed: open files, the macro table, and the stream of tokens that comes out.
//!
//! Everything pulls: [`Unit::next_expanded`] asks the macro contexts for a token, and when they are empty the innermost
//! open file, which runs the directives it passes. Files and contexts are stacks of our own, so nesting in the input
//! never becomes recursion here.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::assumptions::Assumed;
use super::cache::{self, FileKey};
use super::expand::Context;
use super::intern::{Symbol, sym};
use super::lexed::{Depth, Item, LexedFile};
use super::macros::Macro;
use super::map::{MapFile, Origin, Place, SourceMap};
use super::pragma::Mark;
use super::search::{Content, Found, Search};
use super::token::{Kind, LINE_START, MADE, RESPELLED, Tok, punct};
use super::{
    AnyrankComment, Diagnostic, DiagnosticKind, Engine, Preprocessed, Request, Severity, display, emit,
    predefined,
};
use crate::source::{self, SourceError, SourceText};

/// Include directives may nest this deep, as in GCC.
pub(super) const MAX_INCLUDE_DEPTH: usize = 200;
/// Include directives that are followed in one unit.
pub(super) const MAX_INCLUDES: u32 = 100_000;
/// Tokens that macro expansion may look at in one unit. Real units stay below a tenth of it.
pub(super) const MAX_EXPANSION_STEPS: u64 = 6_000_000;
/// Tokens and directives of all files entered in one unit, each time it is entered.
const MAX_FILE_TOKENS: u64 = 60_000_000;
/// Diagnostics kept per unit; more of them say nothing new.
const MAX_DIAGNOSTICS: usize = 500;
/// Number that no file of a unit has.
pub(super) const NO_FILE: u16 = u16::MAX;

/// A macro in the table.
pub(super) struct Entry {
    /// The definition.
    pub(super) definition: Arc<Macro>,
    /// The file its name stands in.
    pub(super) file: u16,
    /// Whether it is being expanded right now, so that its name is not expanded again.
    pub(super) disabled: Cell<bool>,
}

/// A conditional that is open in a file.
pub(super) struct Conditional {
    /// Offset of its `#if`.
    pub(super) start: u32,
    /// Whether a branch has been taken.
    pub(super) taken: bool,
    /// Whether `#else` has been passed.
    pub(super) seen_else: bool,
}

/// A file that is open.
pub(super) struct Frame {
    pub(super) file: Arc<LexedFile>,
    /// Its number in the unit.
    pub(super) index: u16,
    /// The next item.
    pub(super) item: usize,
    /// The next token of the current text item, and its end.
    pub(super) cursor: u32,
    pub(super) end: u32,
    pub(super) conditionals: Vec<Conditional>,
    /// Whether its text is dropped.
    pub(super) system: bool,
    /// Where its quoted includes look first.
    pub(super) directory: PathBuf,
    /// Where its `#include_next` begins to search.
    pub(super) next: usize,
    /// What it is, for `#pragma once`.
    pub(super) key: FileKey,
}

/// The state of one unit.
pub(super) struct Unit<'a> {
    pub(super) request: &'a Request,
    pub(super) search: Search<'a>,
    pub(super) macros: FxHashMap<Symbol, Rc<Entry>>,
    pub(super) saved_macros: FxHashMap<Symbol, Vec<Option<Rc<Entry>>>>,
    pub(super) files: Vec<MapFile>,
    indices: FxHashMap<(FileKey, bool), u16>,
    pub(super) once: FxHashSet<FileKey>,
    pub(super) frames: Vec<Frame>,
    pub(super) contexts: Vec<Context>,
    pub(super) spare: Vec<Vec<Tok>>,
    pub(super) origins: Vec<Origin>,
    /// Spellings of tokens that no file has.
    pub(super) scratch: String,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The tokens of the unit's text.
    pub(super) out: Vec<Tok>,
    /// Pragmas that are kept beside the text: the token they stand before, and what they say.
    pub(super) marks: Vec<(usize, Mark)>,
    /// Assumptions, in order.
    pub(super) assumed: Vec<Assumed>,
    /// The `#pragma pack` in force, and what `push` saved.
    pub(super) pack: (Option<u64>, Vec<Option<u64>>),
    missing: FxHashSet<(u16, String)>,
    pub(super) counter: u32,
    /// Where the last token taken from a file ended.
    pub(super) last_read: (u16, u32),
    /// How many files were open when the innermost argument list being read began.
    pub(super) collecting: Option<usize>,
    pub(super) argument_depth: u32,
    pub(super) steps: u64,
    /// Whether a bound was reached and nothing is expanded any more.
    pub(super) exhausted: bool,
    file_tokens: u64,
    /// How many include directives have been met.
    pub(super) includes: u32,
}

/// Preprocesses a unit in process.
pub(super) fn run(request: &Request) -> Result<Preprocessed, SourceError> {
    let source = main_source(request)?;
    // Not cached: no one includes it.
    let main = Arc::new(LexedFile::new(source.text, source.bom, Depth::Full));
    let mut unit = Unit::new(request);
    unit.out.reserve(main.tokens.len() * 2);
    unit.predefine();
    for header in &request.forced_includes {
        unit.force_include(header);
        unit.drain();
    }
    let key = std::fs::metadata(&request.path).map_or_else(
        |_| FileKey::Name(source::absolute(&request.path)),
        |metadata| FileKey::new(&request.path, &metadata),
    );
    let directory = request.path.parent().map(Path::to_path_buf).unwrap_or_default();
    let index = unit.add_file(key.clone(), display(&request.path), false, main.clone(), None);
    unit.enter(main, index, key, directory, 0, false);
    unit.drain();
    Ok(unit.finish(index))
}

/// The text of the main file: what the request holds, what an editor holds, what is on disk.
pub(super) fn main_source(request: &Request) -> Result<SourceText, SourceError> {
    let overlaid = || request.overlay.get(&request.path).map(|text| text.to_string());
    match request.text.clone().or_else(overlaid) {
        Some(text) => source::decode(&request.path, text.into_bytes()),
        None => source::read(&request.path),
    }
}

impl<'a> Unit<'a> {
    /// A unit without files.
    pub(super) fn new(request: &'a Request) -> Unit<'a> {
        Unit {
            request,
            search: Search::new(request),
            macros: FxHashMap::with_capacity_and_hasher(4096, rustc_hash::FxBuildHasher),
            saved_macros: FxHashMap::default(),
            files: Vec::new(),
            indices: FxHashMap::default(),
            once: FxHashSet::default(),
            frames: Vec::new(),
            contexts: Vec::new(),
            spare: Vec::new(),
            origins: Vec::new(),
            scratch: String::new(),
            diagnostics: Vec::new(),
            out: Vec::new(),
            marks: Vec::new(),
            assumed: Vec::new(),
            pack: (None, Vec::new()),
            missing: FxHashSet::default(),
            counter: 0,
            last_read: (0, 0),
            collecting: None,
            argument_depth: 0,
            steps: 0,
            exhausted: false,
            file_tokens: 0,
            includes: 0,
        }
    }
}

impl Unit<'_> {
    /// Defines what the compiler and the command line define.
    fn predefine(&mut self) {
        let texts = [
            ("<built-in>", predefined::common()),
            ("<dialect>", predefined::dialect(self.request)),
            ("<command-line>", predefined::command_line(&self.request.macros)),
        ];
        for (name, file) in texts {
            let key = FileKey::Name(PathBuf::from(name));
            let index = self.add_file(key.clone(), name.to_owned(), true, file.clone(), None);
            self.enter(file, index, key, PathBuf::new(), usize::MAX, true);
            self.drain();
        }
    }

    fn force_include(&mut self, header: &Path) {
        let name = display(header);
        let directory = self.request.directory.clone();
        match self.search.find(&name, false, Some(&directory), 0) {
            Some(found) => self.open(found, None),
            None => {
                let kind = DiagnosticKind::MissingInclude { header: name.clone() };
                let message = format!("'{name}' (from -include) not found");
                let file = display(&self.request.path);
                self.diagnostics.push(Diagnostic {
                    kind,
                    severity: Severity::Error,
                    message,
                    file,
                    line: 1,
                    column: 1,
                });
            }
        }
    }

    /// Gives a file a number in the unit. The same file has one number however often it is included.
    fn add_file(
        &mut self,
        key: FileKey,
        name: String,
        system: bool,
        lexed: Arc<LexedFile>,
        included_at: Option<(u16, u32)>,
    ) -> u16 {
        if let Some(&index) = self.indices.get(&(key.clone(), system)) {
            return index;
        }
        let index = self.files.len() as u16;
        self.files.push(MapFile { name, system, lexed, presumed: Vec::new(), included_at });
        self.indices.insert((key, system), index);
        index
    }

    /// Gives a file a number without a key.
    pub(super) fn push_file(&mut self, name: String, system: bool, lexed: Arc<LexedFile>) -> u16 {
        let index = self.files.len().min(usize::from(NO_FILE) - 1) as u16;
        self.files.push(MapFile { name, system, lexed, presumed: Vec::new(), included_at: None });
        index
    }

    /// Opens a header that was found. `at` is the directive, `None` for the command line.
    pub(super) fn open(&mut self, found: Found, at: Option<(u16, u32)>) {
        let from_system = self.frames.last().is_some_and(|frame| frame.system);
        let system = found.system || from_system;
        let depth = if system { Depth::Directives } else { Depth::Full };
        let (key, file) = match found.content {
            Content::Disk(metadata) => {
                let key = FileKey::new(&found.path, &metadata);
                if self.once.contains(&key) {
                    return;
                }
                // Skipping a guarded header must not cost a look at its content.
                let known = self
                    .indices
                    .get(&(key.clone(), system))
                    .map(|&i| self.files[usize::from(i)].lexed.clone());
                let file = match known {
                    Some(file) => Ok(file),
                    None => cache::header(&found.path, &key, &metadata, depth),
                };
                match file {
                    Ok(file) => (key, file),
                    Err(error) => {
                        self.report_at(
                            at,
                            DiagnosticKind::UnusableInclude,
                            Severity::Error,
                            error.to_string(),
                        );
                        return;
                    }
                }
            }
            Content::Embedded(text) => {
                (FileKey::Name(found.path.clone()), cache::embedded(&found.name, text, depth))
            }
            Content::Overlay(text) => {
                let key = FileKey::Name(source::absolute(&found.path));
                match source::decode(&found.path, text.as_bytes().to_vec()) {
                    Ok(text) => (key, Arc::new(LexedFile::new(text.text, text.bom, depth))),
                    Err(error) => {
                        self.report_at(
                            at,
                            DiagnosticKind::UnusableInclude,
                            Severity::Error,
                            error.to_string(),
                        );
                        return;
                    }
                }
            }
        };
        if self.once.contains(&key) || file.guard.is_some_and(|guard| self.macros.contains_key(&guard)) {
            return;
        }
        if self.frames.len() >= MAX_INCLUDE_DEPTH || self.files.len() >= usize::from(NO_FILE) - 1 {
            let message =
                format!("includes nest deeper than {MAX_INCLUDE_DEPTH} levels; this one is ignored");
            self.report_at(at, DiagnosticKind::Limit, Severity::Error, message);
            return;
        }
        let index = self.add_file(key.clone(), found.name, system, file.clone(), at);
        let directory = found.path.parent().map(Path::to_path_buf).unwrap_or_default();
        self.enter(file, index, key, directory, found.next, system);
    }

    fn enter(
        &mut self,
        file: Arc<LexedFile>,
        index: u16,
        key: FileKey,
        directory: PathBuf,
        next: usize,
        system: bool,
    ) {
        self.file_tokens += 1 + file.tokens.len() as u64 + file.items.len() as u64;
        if self.file_tokens > MAX_FILE_TOKENS {
            if self.frames.is_empty() {
                return;
            }
            let at = Some((index, 0));
            let message =
                "the files included add up to more than can be analysed; this one is ignored".to_owned();
            self.report_at(at, DiagnosticKind::Limit, Severity::Error, message);
            return;
        }
        if let (Some(start), false) = (file.unterminated_comment, system) {
            let message = "unterminated comment".to_owned();
            self.report_at(Some((index, start)), DiagnosticKind::Directive, Severity::Error, message);
        }
        self.frames.push(Frame {
            file,
            index,
            item: 0,
            cursor: 0,
            end: 0,
            conditionals: Vec::new(),
            system,
            directory,
            next,
            key,
        });
    }

    /// Preprocesses what is open to its end.
    fn drain(&mut self) {
        loop {
            self.copy_plain();
            match self.next_expanded(super::expand::Level::FILE) {
                Some(tok) if tok.kind == Kind::Ident && tok.sym == sym::PRAGMA_OPERATOR => {
                    self.pragma_operator();
                }
                Some(tok) => self.out.push(tok),
                None => break,
            }
        }
    }

    /// Copies tokens of the innermost file up to the next macro or directive: the fast path for most of all text.
    fn copy_plain(&mut self) {
        if !self.contexts.is_empty() {
            return;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let index = frame.index;
        let tokens = &frame.file.tokens[frame.cursor as usize..frame.end as usize];
        let mut taken = 0;
        for token in tokens {
            if token.kind == Kind::Ident
                && (token.sym == sym::PRAGMA_OPERATOR
                    || self.macros.contains_key(&token.sym)
                    || is_builtin(token.sym))
            {
                break;
            }
            self.out.push(Tok::new(token, index));
            taken += 1;
        }
        frame.cursor += taken;
    }

    /// The next token of the open files, running the directives on the way. `None` when all files have ended, or,
    /// while an argument list is read, the file it began in.
    pub(super) fn next_file_token(&mut self) -> Option<Tok> {
        loop {
            let frame = self.frames.last_mut()?;
            if frame.cursor < frame.end {
                let tok = Tok::new(&frame.file.tokens[frame.cursor as usize], frame.index);
                frame.cursor += 1;
                self.last_read = (tok.file, tok.start + tok.len);
                return Some(tok);
            }
            let file = frame.file.clone();
            match file.items.get(frame.item) {
                Some(Item::Text(range)) => {
                    frame.item += 1;
                    if !frame.system {
                        frame.cursor = range.start;
                        frame.end = range.end;
                    }
                }
                Some(Item::Directive(directive)) => {
                    frame.item += 1;
                    self.directive(&file, directive);
                }
                Some(Item::Assumption(comment)) => {
                    frame.item += 1;
                    self.assumption(&file, comment.clone());
                }
                None => {
                    if self.collecting.is_some_and(|open| self.frames.len() <= open) {
                        return None;
                    }
                    self.leave();
                }
            }
        }
    }

    /// Closes the innermost file.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        for conditional in &frame.conditionals {
            if !frame.system {
                let at = Some((frame.index, conditional.start));
                let message = "conditional without #endif".to_owned();
                self.report_at(at, DiagnosticKind::Directive, Severity::Error, message);
            }
        }
    }

    /// Records a diagnostic at an offset of a file of the unit.
    pub(super) fn report_at(
        &mut self,
        at: Option<(u16, u32)>,
        kind: DiagnosticKind,
        severity: Severity,
        message: String,
    ) {
        if self.diagnostics.len() >= MAX_DIAGNOSTICS {
            return;
        }
        let (file, line, column) =
            match at.and_then(|(file, at)| Some((self.files.get(usize::from(file))?, at))) {
                Some((file, at)) => {
                    let (line, column) = file.lexed.position(at);
                    (file.name.clone(), line, column)
                }
                None => (display(&self.request.path), 1, 1),
            };
        self.diagnostics.push(Diagnostic { kind, severity, message, file, line, column });
    }

    /// Records a diagnostic about user code; system headers are not the user's business.
    pub(super) fn report(&mut self, offset: u32, kind: DiagnosticKind, message: String) {
        let Some(frame) = self.frames.last() else { return };
        if !frame.system {
            self.report_at(Some((frame.index, offset)), kind, Severity::Error, message);
        }
    }

    /// Records a header that is nowhere, once per file that asks for it.
    pub(super) fn report_missing(&mut self, offset: u32, header: String) {
        let Some(index) = self.frames.last().map(|frame| frame.index) else { return };
        if self.missing.insert((index, header.clone())) {
            let message = format!("header '{header}' not found; what it would declare is unknown here");
            let kind = DiagnosticKind::MissingInclude { header };
            self.report_at(Some((index, offset)), kind, Severity::Warning, message);
        }
    }

    /// The spelling of a token.
    pub(super) fn text<'t>(&'t self, tok: &Tok, buffer: &'t mut [u8; 4]) -> &'t str {
        let range = tok.start as usize..(tok.start + tok.len) as usize;
        if tok.flags & (MADE | RESPELLED) == 0 {
            return self
                .files
                .get(usize::from(tok.file))
                .and_then(|file| file.lexed.text.get(range))
                .unwrap_or("");
        }
        match tok.kind {
            Kind::Punct => punct::spell(tok.sym.0, buffer),
            _ if tok.sym != Symbol::NONE => tok.sym.as_str(),
            _ => self.scratch.get(range).unwrap_or(""),
        }
    }

    /// The bytes of a token in its file.
    pub(super) fn place(tok: &Tok) -> Place {
        Place { file: tok.file, start: tok.start, end: tok.start + tok.len }
    }

    /// Writes the text.
    pub(super) fn finish(mut self, main: u16) -> Preprocessed {
        let comments = self.comments();
        let mut out = std::mem::take(&mut self.out);
        self.append_assumptions(&mut out);
        let emitted = emit::emit(&mut self, out);
        Preprocessed {
            text: emitted.text,
            code_end: emitted.code_end,
            assumptions: emitted.assumptions,
            map: SourceMap { segments: emitted.segments, origins: self.origins, files: self.files, main },
            diagnostics: self.diagnostics,
            engine: Engine::InProcess,
            comments,
            pack_pragmas: emitted.pack_pragmas,
            openmp_pragmas: emitted.openmp_pragmas,
        }
    }

    fn comments(&self) -> Vec<AnyrankComment> {
        comments(&self.files)
    }
}

/// The `anyrank:` comments of the user files among `files`.
pub(super) fn comments(files: &[MapFile]) -> Vec<AnyrankComment> {
    let mut out = Vec::new();
    for file in files.iter().filter(|file| !file.system) {
        for &(start, end) in &file.lexed.comments {
            let (line, column) = file.lexed.position(start);
            let begin = file.lexed.line_starts()[line as usize - 1] as usize;
            let before = file.lexed.text[begin..start as usize].trim_start();
            let text = file.lexed.slice(start, end - start);
            out.push(AnyrankComment {
                file: file.name.clone(),
                line,
                column,
                text: text.trim_start_matches("anyrank:").trim().trim_end_matches('*').trim_end().to_owned(),
                alone: before.chars().all(|c| matches!(c, '/' | '*' | ' ' | '\t')),
            });
        }
    }
    out
}

/// Whether `name` is a macro whose value depends on the place of its use.
pub(super) fn is_builtin(name: Symbol) -> bool {
    (sym::FILE.0..=sym::TIMESTAMP.0).contains(&name.0)
}

/// `tok` as the first of a line or not, as `model` is.
pub(super) fn spaced_like(mut tok: Tok, model: &Tok) -> Tok {
    let mask = super::token::SPACE | LINE_START;
    tok.flags = (tok.flags & !mask) | (model.flags & mask);
    tok
}
