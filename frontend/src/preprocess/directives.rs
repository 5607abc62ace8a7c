//! The directives (C11 6.10, and the GNU ones).

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use super::engine::{Conditional, Entry, MAX_INCLUDES, Unit};
use super::expand::Level;
use super::lexed::{Directive, DirectiveKind, Item, LexedFile};
use super::token::{Kind, Tok, Token};
use super::{DiagnosticKind, Severity};

impl Unit<'_> {
    /// Runs one directive of the innermost file, which is `file`.
    pub(super) fn directive(&mut self, file: &Arc<LexedFile>, directive: &Directive) {
        let operands = &file.tokens[directive.operands.start as usize..directive.operands.end as usize];
        match &directive.kind {
            DirectiveKind::If | DirectiveKind::Ifdef(_) => self.open_conditional(file, directive, operands),
            DirectiveKind::Elif | DirectiveKind::Elifdef(_) | DirectiveKind::Else => {
                // Reached from a branch that was taken: pass over all others.
                let is_else = matches!(directive.kind, DirectiveKind::Else);
                let Some(conditional) = self.conditionals().and_then(|list| list.last_mut()) else {
                    self.report(
                        directive.start,
                        DiagnosticKind::Directive,
                        "#else or #elif without #if".to_owned(),
                    );
                    return;
                };
                let repeated = conditional.seen_else;
                conditional.seen_else |= is_else;
                if repeated {
                    let message = "#else or #elif after #else".to_owned();
                    self.report(directive.start, DiagnosticKind::Directive, message);
                }
                self.next_branch(file, directive);
            }
            DirectiveKind::Endif => {
                if self.conditionals().and_then(Vec::pop).is_none() {
                    self.report(directive.start, DiagnosticKind::Directive, "#endif without #if".to_owned());
                }
            }
            DirectiveKind::Define(Ok(definition)) => {
                let Some(frame) = self.frames.last() else { return };
                let file = frame.index;
                let entry = Entry { definition: definition.clone(), file, disabled: Cell::new(false) };
                self.define(directive.start, entry);
            }
            DirectiveKind::Define(Err(error)) => {
                self.report(directive.start, DiagnosticKind::Macro, error.to_string());
            }
            DirectiveKind::Undef => {
                if let Some(name) = operands.first().filter(|name| name.kind == Kind::Ident) {
                    self.macros.remove(&name.sym);
                }
            }
            DirectiveKind::Include => self.include(directive, operands, false),
            DirectiveKind::IncludeNext => self.include(directive, operands, true),
            DirectiveKind::Error | DirectiveKind::Warning => {
                let (word, severity) = match directive.kind {
                    DirectiveKind::Error => ("#error", Severity::Error),
                    _ => ("#warning", Severity::Warning),
                };
                let text = match (operands.first(), operands.last()) {
                    (Some(first), Some(last)) => file.slice(first.start, last.start + last.len - first.start),
                    _ => "",
                };
                let Some(frame) = self.frames.last() else { return };
                // A #warning in a system header is for its maintainers; an #error stops every compiler.
                if !frame.system || severity == Severity::Error {
                    let at = Some((frame.index, directive.start));
                    self.report_at(at, DiagnosticKind::UserMessage, severity, format!("{word}: {text}"));
                }
            }
            DirectiveKind::Line => self.line(file, directive, operands),
            DirectiveKind::Pragma => self.pragma(file, operands),
            DirectiveKind::Ignored => {}
            DirectiveKind::Unknown => {
                self.report(
                    directive.start,
                    DiagnosticKind::Directive,
                    "unknown preprocessing directive".to_owned(),
                );
            }
        }
    }

    fn conditionals(&mut self) -> Option<&mut Vec<Conditional>> {
        Some(&mut self.frames.last_mut()?.conditionals)
    }

    fn define(&mut self, at: u32, entry: Entry) {
        let name = entry.definition.name;
        if let Some(old) = self.macros.get(&name)
            && !Arc::ptr_eq(&old.definition, &entry.definition)
            && self.frames.last().is_some_and(|frame| !frame.system)
        {
            let spell = |file: u16| {
                let file = self.files.get(usize::from(file)).map(|file| file.lexed.clone());
                move |token: &Token| file.as_ref().map(|file| file.spell(token)).unwrap_or_default()
            };
            if !old.definition.same(&entry.definition, spell(old.file), spell(entry.file)) {
                let message = format!("macro '{}' is defined again, differently", name.as_str());
                let index = self.frames.last().map(|frame| (frame.index, at));
                self.report_at(index, DiagnosticKind::Macro, Severity::Note, message);
            }
        }
        self.macros.insert(name, Rc::new(entry));
    }

    fn open_conditional(&mut self, file: &Arc<LexedFile>, directive: &Directive, operands: &[Token]) {
        let taken = self.holds(directive, operands);
        if let Some(list) = self.conditionals() {
            list.push(Conditional { start: directive.start, taken, seen_else: false });
        }
        if !taken {
            self.next_branch(file, directive);
        }
    }

    /// Goes on at the first branch after `from` that is to be taken, or at the `#endif`.
    fn next_branch(&mut self, file: &Arc<LexedFile>, from: &Directive) {
        let mut next = from.next_branch as usize;
        loop {
            let Some(Item::Directive(branch)) = file.items.get(next) else {
                // No `#endif`: the rest of the file is skipped.
                next = file.items.len();
                break;
            };
            let taken = self.conditionals().and_then(|list| list.last()).is_none_or(|c| c.taken);
            let operands = &file.tokens[branch.operands.start as usize..branch.operands.end as usize];
            match branch.kind {
                DirectiveKind::Endif => break,
                _ if taken => {}
                DirectiveKind::Else => {
                    if let Some(conditional) = self.conditionals().and_then(|list| list.last_mut()) {
                        conditional.taken = true;
                        conditional.seen_else = true;
                    }
                    next += 1;
                    break;
                }
                _ => {
                    if self.holds(branch, operands) {
                        if let Some(conditional) = self.conditionals().and_then(|list| list.last_mut()) {
                            conditional.taken = true;
                        }
                        next += 1;
                        break;
                    }
                }
            }
            if branch.next_branch as usize <= next {
                break;
            }
            next = branch.next_branch as usize;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.item = next;
        }
    }

    /// Whether the condition of a directive holds.
    fn holds(&mut self, directive: &Directive, operands: &[Token]) -> bool {
        match directive.kind {
            DirectiveKind::Ifdef(wanted) | DirectiveKind::Elifdef(wanted) => match operands.first() {
                Some(name) if name.kind == Kind::Ident => self.is_defined(name.sym) == wanted,
                _ => {
                    let message = "a macro name is missing".to_owned();
                    self.report(directive.start, DiagnosticKind::Directive, message);
                    false
                }
            },
            _ => match self.condition(operands) {
                Ok(value) => value,
                Err(message) => {
                    self.report(directive.start, DiagnosticKind::Directive, message);
                    false
                }
            },
        }
    }

    fn include(&mut self, directive: &Directive, operands: &[Token], next: bool) {
        self.includes += 1;
        if self.includes > MAX_INCLUDES {
            if self.includes == MAX_INCLUDES + 1 {
                let at = self.frames.last().map(|frame| (frame.index, directive.start));
                let message = format!("more than {MAX_INCLUDES} includes; this and later ones are ignored");
                self.report_at(at, DiagnosticKind::Limit, Severity::Error, message);
            }
            return;
        }
        let Some((header, angled)) = self.header_name(operands) else {
            self.report(
                directive.start,
                DiagnosticKind::Directive,
                "#include needs <FILE> or \"FILE\"".to_owned(),
            );
            return;
        };
        let Some(frame) = self.frames.last() else { return };
        let at = (frame.index, directive.start);
        let from = if next { frame.next } else { 0 };
        let directory = (!next).then(|| frame.directory.clone());
        match self.search.find(&header, angled || next, directory.as_deref(), from) {
            Some(found) => self.open(found, Some(at)),
            // Past our own headers there is nothing, and they need nothing.
            None if from == usize::MAX => {}
            None => self.report_missing(directive.start, header),
        }
    }

    /// The header that the operands of an include name, and whether in angle brackets.
    pub(super) fn header_name(&mut self, operands: &[Token]) -> Option<(String, bool)> {
        let frame = self.frames.last()?;
        if let Some(first) = operands.first().filter(|first| first.kind == Kind::Str) {
            return unquote(frame.file.slice(first.start, first.len));
        }
        // A computed include: the spellings of the expansion, run together.
        let index = frame.index;
        let toks = operands.iter().map(|token| Tok::new(token, index)).collect();
        let level = Level { floor: self.contexts.len(), file: false };
        self.push_context(toks, None);
        let mut text = String::new();
        while let Some(tok) = self.next_expanded(level) {
            if tok.spaced() && !text.is_empty() {
                text.push(' ');
            }
            let mut buffer = [0; 4];
            text.push_str(self.text(&tok, &mut buffer));
        }
        unquote(text.trim())
    }

    fn line(&mut self, file: &LexedFile, directive: &Directive, operands: &[Token]) {
        let Some(index) = self.frames.last().map(|frame| frame.index) else { return };
        let level = Level { floor: self.contexts.len(), file: false };
        self.push_context(operands.iter().map(|token| Tok::new(token, index)).collect(), None);
        let mut words = Vec::new();
        while let Some(tok) = self.next_expanded(level) {
            let mut buffer = [0; 4];
            words.push(self.text(&tok, &mut buffer).to_owned());
        }
        let Some(line) = words.first().and_then(|word| word.parse::<u32>().ok()) else {
            self.report(directive.start, DiagnosticKind::Directive, "#line needs a line number".to_owned());
            return;
        };
        let name: Option<Arc<str>> = words.get(1).and_then(|word| Some(unquote(word)?.0.into()));
        // It is about the next line.
        let from = (directive.end + 1).min(file.text.len() as u32);
        let presumed = &mut self.files[usize::from(index)].presumed;
        if presumed.last().is_none_or(|&(last, ..)| last < from) {
            let name = name.or_else(|| presumed.last().and_then(|(.., name)| name.clone()));
            presumed.push((from, line, name));
        }
    }
}

/// The text between the quotes or angle brackets of a header name or string, and whether these were brackets.
pub(super) fn unquote(text: &str) -> Option<(String, bool)> {
    let (inside, angled) = match text.strip_prefix('"') {
        Some(rest) => (rest.strip_suffix('"')?, false),
        None => (text.strip_prefix('<')?.strip_suffix('>')?, true),
    };
    (!inside.is_empty()).then(|| (inside.to_owned(), angled))
}
