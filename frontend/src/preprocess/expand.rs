//! Macro expansion (C11 6.10.3.1 to 6.10.3.4), the way GCC does it.
//!
//! The result of an invocation is pushed as a *context* and read again from there. A macro is disabled while its
//! context is on the stack; a name met then is painted `NO_EXPAND` for good. This gives the same tokens as GCC where
//! the standard leaves room. The only recursion is expansion of arguments, which is limited in depth.

use std::rc::Rc;

use super::engine::{Entry, MAX_EXPANSION_STEPS, NO_FILE, Unit, is_builtin, spaced_like};
use super::intern::{Symbol, sym};
use super::macros::{Macro, Role};
use super::map::{Origin, Place};
use super::token::{Kind, LINE_START, MADE, NO_EXPAND, SPACE, Tok, punct};
use super::{DiagnosticKind, Severity};

/// How deep invocations in arguments of invocations are expanded. Real code stays below 20.
const MAX_ARGUMENT_DEPTH: u32 = 200;

/// Bytes of tokens that macros make (`#`, `##`, `__FILE__`) in one unit.
const MAX_SCRATCH_BYTES: usize = 64 << 20;

/// Tokens waiting to be read again.
pub(super) struct Context {
    toks: Vec<Tok>,
    pos: usize,
    /// The macro they came from, disabled until they are used up.
    entry: Option<Rc<Entry>>,
}

/// What a reader may read: contexts above a floor, and then perhaps the files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    pub(super) floor: usize,
    pub(super) file: bool,
}

impl Level {
    /// Everything.
    pub(super) const FILE: Level = Level { floor: 0, file: true };
}

/// The argument list of an invocation.
struct Arguments {
    lists: Vec<Vec<Tok>>,
    /// Whether the variable arguments were left out, which is not the same as empty.
    omitted: bool,
    /// Where the closing parenthesis ends, when it stands in the same place as the macro's name.
    close: Tok,
}

impl Unit<'_> {
    /// Pushes tokens to be read next.
    pub(super) fn push_context(&mut self, toks: Vec<Tok>, entry: Option<Rc<Entry>>) {
        if let Some(entry) = &entry {
            entry.disabled.set(true);
        }
        self.contexts.push(Context { toks, pos: 0, entry });
    }

    /// Drops the innermost context, which has been read to its end.
    fn pop_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            if let Some(entry) = context.entry {
                entry.disabled.set(false);
            }
            self.give_back(context.toks);
        }
    }

    /// Drops what is left of the contexts above a level.
    pub(super) fn drop_contexts(&mut self, level: Level) {
        while self.contexts.len() > level.floor {
            self.pop_context();
        }
    }

    /// An empty list with room in it.
    pub(super) fn list(&mut self) -> Vec<Tok> {
        self.spare.pop().unwrap_or_default()
    }

    /// Keeps a list's room for later.
    pub(super) fn give_back(&mut self, mut list: Vec<Tok>) {
        if self.spare.len() < 64 && list.capacity() < 1 << 16 {
            list.clear();
            self.spare.push(list);
        }
    }

    /// The next token without expansion.
    pub(super) fn next_raw(&mut self, level: Level) -> Option<Tok> {
        while self.contexts.len() > level.floor {
            // The loop condition says that there is a last context.
            let context = self.contexts.last_mut()?;
            if let Some(&tok) = context.toks.get(context.pos) {
                context.pos += 1;
                self.steps += 1;
                return Some(tok);
            }
            self.pop_context();
        }
        if level.file { self.next_file_token() } else { None }
    }

    /// Whether the next token is `(`. Leaves used-up contexts, as reading on would.
    pub(super) fn peek_paren(&mut self, level: Level) -> bool {
        while self.contexts.len() > level.floor {
            let Some(context) = self.contexts.last() else { break };
            if let Some(tok) = context.toks.get(context.pos) {
                return tok.is(punct::OPEN);
            }
            self.pop_context();
        }
        if !level.file {
            return false;
        }
        // A directive between a name and its parenthesis ends the search: undefined in the standard.
        self.frames.last().is_some_and(|frame| {
            frame.cursor < frame.end && {
                let token = &frame.file.tokens[frame.cursor as usize];
                token.kind == Kind::Punct && token.sym.0 == punct::OPEN
            }
        })
    }

    /// The next token after expansion.
    pub(super) fn next_expanded(&mut self, level: Level) -> Option<Tok> {
        loop {
            let mut tok = self.next_raw(level)?;
            if tok.kind != Kind::Ident || tok.flags & NO_EXPAND != 0 {
                return Some(tok);
            }
            if is_builtin(tok.sym) && !self.macros.contains_key(&tok.sym) {
                return Some(self.builtin(&tok));
            }
            let Some(entry) = self.macros.get(&tok.sym) else { return Some(tok) };
            if entry.disabled.get() {
                tok.flags |= NO_EXPAND;
                return Some(tok);
            }
            if self.steps > MAX_EXPANSION_STEPS || self.exhausted {
                self.stop_expanding(tok.sym);
                return Some(tok);
            }
            let entry = entry.clone();
            if !self.invoke(&tok, entry, level) {
                return Some(tok);
            }
        }
    }

    /// Stops all expansion in this unit.
    fn stop_expanding(&mut self, name: Symbol) {
        if !self.exhausted {
            self.exhausted = true;
            let message = format!(
                "macro expansion in this unit takes more than {MAX_EXPANSION_STEPS} steps; \
                 '{}' and later macros are not expanded",
                name.as_str()
            );
            self.report_at(Some(self.last_read), DiagnosticKind::Limit, Severity::Error, message);
        }
    }

    /// Expands one invocation into a new context. `false` when the name stands for itself.
    fn invoke(&mut self, name: &Tok, entry: Rc<Entry>, level: Level) -> bool {
        let definition = entry.definition.clone();
        let (lists, omitted, close) = if definition.parameters.is_some() {
            if !self.peek_paren(level) {
                return false;
            }
            match self.arguments(name, &definition, level) {
                Some(arguments) => (arguments.lists, arguments.omitted, Some(arguments.close)),
                None => return false,
            }
        } else {
            (Vec::new(), false, None)
        };
        let origin = self.body_origin(name, &entry, close.as_ref());
        let mut toks = self.list();
        if definition.pastes || definition.parameters.is_some() {
            let lists = self.relabel(lists, origin);
            self.substitute(&definition, &lists, omitted, origin, &mut toks);
            for list in lists {
                self.give_back(list);
            }
        } else {
            toks.extend(definition.body.iter().map(|element| {
                let mut tok = Tok::new(&element.token, entry.file);
                tok.node = origin;
                tok
            }));
        }
        if let Some(first) = toks.first_mut() {
            *first = spaced_like(*first, name);
        }
        self.push_context(toks, Some(entry));
        true
    }

    fn body_origin(&mut self, name: &Tok, entry: &Entry, close: Option<&Tok>) -> u32 {
        let mut usage = Self::place(name);
        if name.flags & MADE != 0 {
            // A name pasted together stands nowhere; what made it does.
            usage = self.origin_usage(name.node).unwrap_or(usage);
        }
        if let Some(close) = close
            && close.file == usage.file
            && close.node == name.node
            && close.start > usage.start
        {
            usage.end = close.start + close.len;
        }
        let (start, len) = entry.definition.name_at;
        self.origins.push(Origin::Body {
            name: entry.definition.name,
            definition: Place { file: entry.file, start, end: start + len },
            usage,
            usage_origin: name.node,
        });
        self.origins.len() as u32
    }

    fn origin_usage(&self, origin: u32) -> Option<Place> {
        match self.origins.get((origin as usize).checked_sub(1)?)? {
            Origin::Body { usage, .. } => Some(*usage),
            Origin::Argument { .. } => None,
        }
    }

    /// Marks argument tokens as having come through the invocation `through`.
    fn relabel(&mut self, mut lists: Vec<Vec<Tok>>, through: u32) -> Vec<Vec<Tok>> {
        let mut last: Option<(u32, u32)> = None;
        for tok in lists.iter_mut().flatten() {
            let label = match last {
                Some((outer, label)) if outer == tok.node => label,
                _ => {
                    self.origins.push(Origin::Argument { through, outer: tok.node });
                    let label = self.origins.len() as u32;
                    last = Some((tok.node, label));
                    label
                }
            };
            tok.node = label;
        }
        lists
    }

    /// Reads the arguments of an invocation. The `(` is next. `None`, with a report, when they do not fit.
    fn arguments(&mut self, name: &Tok, definition: &Macro, level: Level) -> Option<Arguments> {
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let before = self.collecting.replace(self.frames.len());
        self.next_raw(level);
        let mut lists: Vec<Vec<Tok>> = Vec::new();
        let mut current = self.list();
        let mut depth = 0_u32;
        let close = loop {
            let Some(tok) = self.next_raw(level) else { break None };
            self.steps += 1;
            if tok.kind == Kind::Punct {
                match tok.sym.0 {
                    punct::OPEN => depth += 1,
                    punct::CLOSE if depth == 0 => break Some(tok),
                    punct::CLOSE => depth -= 1,
                    punct::COMMA
                        if depth == 0 && !(definition.variadic && lists.len() + 1 >= parameters.len()) =>
                    {
                        lists.push(std::mem::replace(&mut current, self.spare.pop().unwrap_or_default()));
                        continue;
                    }
                    _ => {}
                }
            }
            current.push(tok);
        };
        self.collecting = before;
        lists.push(current);
        let Some(close) = close else {
            self.report_macro(name, format!("unterminated argument list of macro '{}'", name.sym.as_str()));
            self.unread(name, lists);
            return None;
        };
        // `f()` has no argument for a macro without parameters, and an empty one otherwise.
        if parameters.is_empty() && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        // The variable arguments may be left out with their comma. In GNU dialects `f()` leaves them out as well when
        // there are no other parameters.
        let mut omitted = false;
        if definition.variadic && lists.len() + 1 == parameters.len() {
            lists.push(Vec::new());
            omitted = true;
        } else if definition.variadic && parameters.len() == 1 && lists[0].is_empty() {
            omitted = self.request.std.as_deref().is_none_or(|std| std.starts_with("gnu"));
        }
        if lists.len() != parameters.len() {
            self.report_macro(
                name,
                format!(
                    "macro '{}' takes {} argument{}, {} given",
                    name.sym.as_str(),
                    parameters.len(),
                    if parameters.len() == 1 { "" } else { "s" },
                    lists.len()
                ),
            );
            return None;
        }
        Some(Arguments { lists, omitted, close })
    }

    /// Puts back what was read as arguments that never end, so that the text is not lost. Only a few times: each may
    /// read to the end of the file.
    fn unread(&mut self, name: &Tok, lists: Vec<Vec<Tok>>) {
        if self.argument_depth > 0 || self.diagnostics.len() > 16 {
            return;
        }
        let mut toks = self.list();
        for (at, list) in lists.into_iter().enumerate() {
            let mut separator = *name;
            separator.kind = Kind::Punct;
            separator.sym = Symbol(if at == 0 { punct::OPEN } else { punct::COMMA });
            separator.flags = MADE;
            toks.push(separator);
            toks.extend(list);
        }
        // Without this, an outer name that is a macro would collect the same tokens again and again.
        for tok in &mut toks {
            if tok.sym == name.sym && tok.kind == Kind::Ident {
                tok.flags |= NO_EXPAND;
            }
        }
        self.push_context(toks, None);
    }

    fn report_macro(&mut self, name: &Tok, message: String) {
        if name.file != NO_FILE && name.flags & MADE == 0 {
            self.report_at(Some((name.file, name.start)), DiagnosticKind::Macro, Severity::Error, message);
        } else {
            self.report_at(Some(self.last_read), DiagnosticKind::Macro, Severity::Error, message);
        }
    }

    /// Expands an argument by itself.
    fn expand_argument(&mut self, argument: &[Tok]) -> Vec<Tok> {
        let mut out = self.list();
        let plain = |tok: &Tok| {
            tok.kind != Kind::Ident || !(self.macros.contains_key(&tok.sym) || is_builtin(tok.sym))
        };
        if argument.iter().all(plain) {
            self.steps += argument.len() as u64;
            out.extend_from_slice(argument);
            return out;
        }
        if self.argument_depth >= MAX_ARGUMENT_DEPTH {
            let message = format!("macro invocations nest deeper than {MAX_ARGUMENT_DEPTH} levels");
            if self.diagnostics.last().is_none_or(|last| last.message != message) {
                self.report_at(Some(self.last_read), DiagnosticKind::Limit, Severity::Error, message);
            }
            out.extend_from_slice(argument);
            return out;
        }
        self.argument_depth += 1;
        let level = Level { floor: self.contexts.len(), file: false };
        let mut toks = self.list();
        toks.extend_from_slice(argument);
        self.push_context(toks, None);
        while let Some(tok) = self.next_expanded(level) {
            out.push(tok);
        }
        self.argument_depth -= 1;
        out
    }

    /// The replacement list with arguments put in.
    fn substitute(
        &mut self,
        definition: &Macro,
        lists: &[Vec<Tok>],
        omitted: bool,
        origin: u32,
        out: &mut Vec<Tok>,
    ) {
        let Origin::Body { definition: Place { file, .. }, .. } = self.origins[origin as usize - 1] else {
            return;
        };
        let mut expanded: Vec<Option<Vec<Tok>>> = vec![None; lists.len()];
        let mut at = 0;
        // Where the operand of a following `##` begins in `out`.
        let mut operand = 0;
        let mut carried_paste = false;
        while let Some(element) = definition.body.get(at) {
            at += 1;
            let pasted = element.pasted || std::mem::take(&mut carried_paste);
            let pasted_next = definition.body.get(at).is_some_and(|next| next.pasted);
            let mut own = [Tok::new(&element.token, file)];
            own[0].node = origin;
            let last_parameter = |index: u16| definition.variadic && usize::from(index) + 1 == lists.len();
            let list: &[Tok] = match element.role {
                Role::Plain => &own,
                Role::Stringify(index) => {
                    own[0] = self.stringify(&lists[usize::from(index)], own[0]);
                    &own
                }
                Role::VaOpt(inside) => {
                    let last = lists.len() - 1;
                    let list = match expanded[last].take() {
                        Some(list) => list,
                        None => self.expand_argument(&lists[last]),
                    };
                    let present = !list.is_empty();
                    expanded[last] = Some(list);
                    if present {
                        carried_paste = pasted;
                    } else {
                        at += inside as usize;
                    }
                    continue;
                }
                Role::Parameter(index) => {
                    let index_usize = usize::from(index);
                    let comma =
                        pasted && last_parameter(index) && out.last().is_some_and(|tok| tok.is(punct::COMMA));
                    if comma && operand + 1 == out.len() {
                        // GNU: `, ## __VA_ARGS__` is nothing without arguments, and no paste with them.
                        if omitted {
                            out.pop();
                            operand = out.len();
                        } else {
                            operand = out.len();
                            append(out, &lists[index_usize], element.token.flags & SPACE);
                        }
                        continue;
                    }
                    if pasted || pasted_next {
                        &lists[index_usize]
                    } else {
                        if expanded[index_usize].is_none() {
                            let list = self.expand_argument(&lists[index_usize]);
                            expanded[index_usize] = Some(list);
                        }
                        // Filled in the line above.
                        expanded[index_usize].as_deref().unwrap_or(&[])
                    }
                }
            };
            self.steps += list.len() as u64;
            if pasted && out.len() > operand {
                if let Some((first, rest)) = list.split_first() {
                    // `out` is longer than `operand`, so there is a left operand.
                    if let Some(left) = out.pop() {
                        match self.paste(&left, first, origin) {
                            Some(tok) => out.push(tok),
                            None => out.extend([left, *first]),
                        }
                    }
                    out.extend_from_slice(rest);
                }
            } else {
                if !pasted {
                    operand = out.len();
                }
                append(out, list, element.token.flags & SPACE);
            }
        }
        for list in expanded.into_iter().flatten() {
            self.give_back(list);
        }
    }

    /// The value of a macro that depends on the place of its use.
    fn builtin(&mut self, tok: &Tok) -> Tok {
        // As GCC has it: the line where the outermost invocation begins.
        let Place { file, start: offset, .. } = self.outermost_use(tok);
        let presumed = |unit: &Self| unit.files.get(usize::from(file)).and_then(|f| f.presumed(offset));
        let file_name = |unit: &Self| match presumed(unit) {
            Some(presumed) => presumed.file,
            None => unit.files.get(usize::from(file)).map(|file| file.name.clone()).unwrap_or_default(),
        };
        let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let text = match tok.sym {
            sym::LINE_NUMBER => {
                let physical =
                    |unit: &Self| Some(unit.files.get(usize::from(file))?.lexed.position(offset).0);
                presumed(self).map(|p| p.line).or_else(|| physical(self)).unwrap_or(1).to_string()
            }
            sym::FILE => quote(&file_name(self)),
            sym::FILE_NAME => {
                let name = file_name(self);
                quote(name.rsplit(['/', '\\']).next().unwrap_or(&name))
            }
            sym::BASE_FILE => quote(&super::display(&self.request.path)),
            sym::INCLUDE_LEVEL => self.frames.len().saturating_sub(1).to_string(),
            sym::COUNTER => {
                self.counter = self.counter.wrapping_add(1);
                self.counter.wrapping_sub(1).to_string()
            }
            // Fixed, so that the same input always gives the same text.
            sym::DATE => "\"Jan  1 1970\"".to_owned(),
            sym::TIME => "\"00:00:00\"".to_owned(),
            _ => "\"Thu Jan  1 00:00:00 1970\"".to_owned(),
        };
        let kind = if text.starts_with('"') { Kind::Str } else { Kind::Number };
        let origin = {
            let usage = Self::place(tok);
            let definition = Place { file: NO_FILE, start: 0, end: 0 };
            self.origins.push(Origin::Body { name: tok.sym, definition, usage, usage_origin: tok.node });
            self.origins.len() as u32
        };
        let made = self.made(kind, &text, origin);
        spaced_like(made, tok)
    }

    /// Where the outermost invocation whose body `tok` comes from is written; where `tok` is, when there is none.
    fn outermost_use(&self, tok: &Tok) -> Place {
        let (mut place, mut origin) = (Self::place(tok), tok.node);
        // Origins point to earlier ones only, so this ends.
        while let Some(step) = (origin as usize).checked_sub(1).and_then(|at| self.origins.get(at)) {
            match *step {
                Origin::Body { usage, usage_origin, .. } => (place, origin) = (usage, usage_origin),
                Origin::Argument { outer, .. } => origin = outer,
            }
        }
        place
    }

    /// A token with a spelling of its own.
    pub(super) fn made(&mut self, kind: Kind, text: &str, origin: u32) -> Tok {
        let start = self.scratch.len() as u32;
        if self.scratch.len() + text.len() > MAX_SCRATCH_BYTES {
            self.stop_expanding(Symbol::NONE);
            return Tok { sym: Symbol::NONE, start, len: 0, node: origin, file: NO_FILE, kind, flags: MADE };
        }
        self.scratch.push_str(text);
        Tok {
            sym: Symbol::NONE,
            start,
            len: text.len() as u32,
            node: origin,
            file: NO_FILE,
            kind,
            flags: MADE,
        }
    }
}

/// Appends `list`, whose first token gets the white space `space`; line starts become white space.
fn append(out: &mut Vec<Tok>, list: &[Tok], space: u8) {
    let begin = out.len();
    out.extend(list.iter().map(|tok| {
        let mut tok = *tok;
        if tok.flags & LINE_START != 0 {
            tok.flags = (tok.flags & !LINE_START) | SPACE;
        }
        tok
    }));
    if let Some(first) = out.get_mut(begin) {
        first.flags = (first.flags & !SPACE) | space;
    }
}
