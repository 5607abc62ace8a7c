//! Which code a team of threads executes: the structured blocks of OpenMP directives.
//!
//! The directives come from the preprocessor as words between two tokens of the text; here each finds the statement that
//! follows it. A *widening* directive (`parallel`, `teams`, `task`) gives its statement to several threads, a *narrowing* one
//! (`master`, `single`) to one thread of the team around it. What is not certain is left to several threads.

use crate::ir::{Construct as Executed, Span};
use crate::preprocess::OpenMpPragma;

use super::lexer::{Tok, Token};
use super::library;
use super::syntax::{Kind, NodeId};
use super::unit::UnitLowerer;

/// So many macros without definition may follow each other as if they were statements, before the one that is the body.
const MAX_MACRO_STATEMENTS: u32 = 8;

/// What a part of a directive's name does to the statement after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// Several threads execute it, each all of it, or a part of it while others execute other parts.
    Several,
    /// The primary thread of the team executes it: always the same one, so such statements of one region are executed in
    /// the order of the program.
    Primary,
    /// One thread of the team executes it, and the others wait for it.
    Any,
}

/// What a directive does to the statement after it, outer parts of a combined directive first (`parallel master`). Empty for
/// the directives that concern no statement or do not change who executes it.
fn effects(directive: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    let has_clause = |clause: &str| directive.split([' ', ',']).any(|word| word == clause);
    for word in directive.split(' ') {
        match word {
            // A task is executed once, but beside its siblings and the code after it.
            "parallel" | "teams" | "task" | "taskloop" => effects.push(Effect::Several),
            "master" => effects.push(Effect::Primary),
            // With a filter, another thread may execute the next block before this one has ended.
            "masked" if !has_clause("filter") => effects.push(Effect::Primary),
            // Without the barrier as well.
            "single" if !has_clause("nowait") => effects.push(Effect::Any),
            // They share out the statement among the threads that execute it.
            "for" | "sections" | "section" | "distribute" | "loop" | "simd" | "target" | "masked"
            | "single" => {}
            // One of its alternatives is chosen by rules of its own.
            "metadirective" => {
                let several = ["parallel", "teams", "task", "taskloop"].into_iter().any(has_clause);
                return if several { vec![Effect::Several] } else { Vec::new() };
            }
            // Clauses begin, or it is a directive of another kind: `barrier`, `cancel parallel`.
            _ => break,
        }
    }
    effects
}

/// Who executes the statement after a directive, outer parts of a combined directive first.
fn executed(directive: &str) -> Vec<Executed> {
    let mut constructs = Vec::new();
    for word in directive.split([' ', '(']) {
        match word {
            "parallel" | "teams" | "task" | "taskloop" => constructs.push(Executed::Parallel),
            "masked" if directive.contains("filter") => constructs.push(Executed::OneByOne),
            "master" | "masked" => constructs.push(Executed::Primary),
            "single" | "critical" | "ordered" => constructs.push(Executed::OneByOne),
            "for" | "sections" | "section" | "distribute" | "loop" | "simd" | "target" => {}
            // Clauses begin, or it is a directive of another kind.
            _ => break,
        }
    }
    constructs
}

/// A directive with its statement.
struct Construct {
    statement: Span,
    effects: Vec<Effect>,
    /// Whether the statement may communicate.
    calls: bool,
}

/// Who executes a place of the program.
#[derive(Clone, Copy, Debug, Default)]
struct Threads {
    /// Several threads execute the innermost widening construct around it, because of those around that.
    outside: bool,
    /// Several threads of the innermost team.
    inside: bool,
}

impl Threads {
    fn several(self) -> bool {
        self.outside || self.inside
    }

    fn after(self, effect: Effect) -> Self {
        match effect {
            Effect::Several => Self { outside: self.several(), inside: true },
            Effect::Primary | Effect::Any => Self { inside: false, ..self },
        }
    }
}

/// Statements that communicate within one widening construct, by who executes them.
#[derive(Clone, Copy, Debug, Default)]
struct Team {
    primary: bool,
    any: bool,
}

impl UnitLowerer<'_> {
    /// The parts of a function's body that several threads execute: disjoint, sorted, none of them empty.
    pub(super) fn threaded(&self, body: NodeId) -> Vec<Span> {
        let whole = self.span(body);
        let first = self.openmp.partition_point(|pragma| pragma.offset <= whole.start);
        let end = self.openmp.partition_point(|pragma| pragma.offset < whole.end);
        let Some(pragmas) = self.openmp.get(first..end).filter(|pragmas| !pragmas.is_empty()) else {
            return Vec::new();
        };
        let statements = self.statements(body);
        let calls = self.calls_that_may_communicate(whole);
        let mut constructs = Vec::new();
        let mut regions = Vec::new();
        for pragma in pragmas {
            let effects = effects(&pragma.directive);
            if effects.is_empty() {
                continue;
            }
            match self.statement_after(pragma, &statements) {
                Some(statement) => {
                    let first = calls.partition_point(|at| *at < statement.start);
                    let calls = calls.get(first).is_some_and(|at| *at < statement.end);
                    constructs.push(Construct { statement, effects, calls });
                }
                // Whatever it is about, it is in here.
                None if effects.contains(&Effect::Several) => regions.push(whole),
                None => {}
            }
        }
        // Outer ones first; several directives before one statement are in order already.
        constructs.sort_by_key(|c| (c.statement.start, std::cmp::Reverse(c.statement.end)));
        regions.extend(sweep(&constructs));
        union(regions)
    }

    /// The statements of a function's body that say which threads execute what is in them, outer ones first; none in a function
    /// without directives.
    pub(super) fn constructs(&self, body: NodeId) -> Vec<(Span, Executed)> {
        let whole = self.span(body);
        let first = self.openmp.partition_point(|pragma| pragma.offset <= whole.start);
        let end = self.openmp.partition_point(|pragma| pragma.offset < whole.end);
        let Some(pragmas) = self.openmp.get(first..end).filter(|pragmas| !pragmas.is_empty()) else {
            return Vec::new();
        };
        let statements = self.statements(body);
        let mut found = Vec::new();
        for pragma in pragmas {
            let Some(statement) = self.statement_after(pragma, &statements) else { continue };
            found.extend(executed(&pragma.directive).into_iter().map(|construct| (statement, construct)));
        }
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            stack.extend(self.syntax.children(node));
            if matches!(self.syntax.kind(node), Kind::If | Kind::Switch | Kind::Conditional) {
                found.push((self.span(node), Executed::Branch));
            }
        }
        found.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        found
    }

    /// Spans of all statements below a body, by their start; of those that start together the outermost only.
    fn statements(&self, body: NodeId) -> Vec<Span> {
        let mut out = Vec::new();
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            stack.extend(self.syntax.children(node));
            let is_statement = matches!(
                self.syntax.kind(node),
                Kind::Compound
                    | Kind::ExpressionStatement
                    | Kind::Declaration
                    | Kind::If
                    | Kind::While
                    | Kind::Do
                    | Kind::For
                    | Kind::Switch
                    | Kind::Case
                    | Kind::Labeled
                    | Kind::Attributed
                    | Kind::Return
                    | Kind::Break
                    | Kind::Continue
                    | Kind::Goto
            );
            if is_statement {
                out.push(self.span(node));
            }
        }
        out.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        out.dedup_by_key(|span| span.start);
        out
    }

    /// The statement that a pragma is about; `None` where none begins.
    fn statement_after(&self, pragma: &OpenMpPragma, statements: &[Span]) -> Option<Span> {
        if pragma.in_arguments {
            return None;
        }
        let mut at = statements.partition_point(|span| span.start < pragma.offset);
        let mut statement = *statements.get(at)?;
        // A block ends before the next statement: the pragma has none.
        if !self.adjacent(pragma.offset, statement.start) {
            return None;
        }
        // A macro without definition that heads a loop is a statement of its own in the tree: its body goes with it.
        for _ in 0..MAX_MACRO_STATEMENTS {
            if self.ends_like_a_statement(statement) {
                break;
            }
            at += statements[at..].partition_point(|span| span.start < statement.end).max(1);
            match statements.get(at) {
                Some(next) if self.adjacent(statement.end, next.start) => statement.end = next.end,
                _ => break,
            }
        }
        Some(statement)
    }

    /// Whether no block and no statement begins or ends between two places.
    fn adjacent(&self, from: u32, to: u32) -> bool {
        let first = self.tokens.partition_point(|token| token.start < from);
        let mut between = self.tokens[first..].iter().take_while(|token| token.start < to);
        !between.any(|token| matches!(token.kind, Tok::P(b'{' | b'}' | b';')))
    }

    fn ends_like_a_statement(&self, span: Span) -> bool {
        let end = self.tokens.partition_point(|token| token.start < span.end);
        let last = end.checked_sub(1).and_then(|last| self.tokens.get(last));
        last.is_none_or(|token| matches!(token.kind, Tok::P(b';' | b'}')))
    }

    /// Where in a span, in order, anything is called but a function that is known not to communicate.
    fn calls_that_may_communicate(&self, span: Span) -> Vec<u32> {
        let first = self.tokens.partition_point(|token| token.start < span.start);
        let end = self.tokens.partition_point(|token| token.start < span.end);
        let is_such = |called: &Token| match called.kind {
            Tok::Ident => {
                let name = &self.text[called.start as usize..called.end as usize];
                library::result(name.strip_prefix("__builtin_").unwrap_or(name)).is_none()
            }
            // Through a pointer: `(*f)(x)`, `table[i](x)`. Perhaps a cast, which costs a little precision.
            Tok::P(b')' | b']') => true,
            _ => false,
        };
        let tokens = &self.tokens[first..end];
        let pairs = tokens.iter().zip(tokens.iter().skip(1));
        pairs
            .filter(|(called, open)| open.kind == Tok::P(b'(') && is_such(called))
            .map(|(called, _)| called.start)
            .collect()
    }
}

/// The regions that several threads execute under well-nested constructs, given outer ones first.
fn sweep(constructs: &[Construct]) -> Vec<Span> {
    let teams = teams(constructs);
    let mut regions = Vec::new();
    // Constructs that are open, with who executes what is left of them.
    let mut open: Vec<(u32, Threads)> = Vec::new();
    let mut at = 0;
    let mut upto = |from: &mut u32, to: u32, threads: Threads| {
        if threads.several() && *from < to {
            regions.push(Span { start: *from, end: to });
        }
        *from = to.max(*from);
    };
    for (construct, team) in constructs.iter().zip(teams) {
        while let Some(&(end, threads)) = open.last().filter(|(end, _)| *end <= construct.statement.start) {
            upto(&mut at, end, threads);
            open.pop();
        }
        let around = open.last().map_or_else(Threads::default, |&(_, threads)| threads);
        upto(&mut at, construct.statement.start, around);
        let threads = construct.effects.iter().fold(around, |threads, &effect| {
            // Nothing orders a block of the primary thread and one of any thread: they may run at the same time.
            let clash = match effect {
                Effect::Several => false,
                Effect::Primary => team.any,
                Effect::Any => team.primary,
            };
            if clash { threads } else { threads.after(effect) }
        });
        let end = open.last().map_or(construct.statement.end, |&(end, _)| end.min(construct.statement.end));
        open.push((end, threads));
    }
    while let Some((end, threads)) = open.pop() {
        upto(&mut at, end, threads);
    }
    regions
}

/// For each construct, what else communicates in the innermost widening construct around it.
fn teams(constructs: &[Construct]) -> Vec<Team> {
    // The widening construct that each narrowing one is in: an index of `constructs`, or one past it outside of all.
    let outside = constructs.len();
    let mut binding = Vec::with_capacity(constructs.len());
    let mut teams = vec![Team::default(); constructs.len() + 1];
    let mut open: Vec<(u32, usize)> = Vec::new();
    for (index, construct) in constructs.iter().enumerate() {
        while open.last().is_some_and(|(end, _)| *end <= construct.statement.start) {
            open.pop();
        }
        let mut team = open.last().map_or(outside, |&(_, team)| team);
        let mut bound = team;
        for effect in &construct.effects {
            match effect {
                Effect::Several => team = index,
                Effect::Primary => {
                    (bound, teams[team].primary) = (team, teams[team].primary | construct.calls)
                }
                Effect::Any => (bound, teams[team].any) = (team, teams[team].any | construct.calls),
            }
        }
        binding.push(bound);
        open.push((construct.statement.end, team));
    }
    binding.into_iter().map(|team| teams[team]).collect()
}

/// The same places as disjoint spans in order.
fn union(mut regions: Vec<Span>) -> Vec<Span> {
    regions.sort_unstable();
    let mut out: Vec<Span> = Vec::new();
    for region in regions {
        match out.last_mut() {
            Some(last) if region.start <= last.end => last.end = last.end.max(region.end),
            _ => out.push(region),
        }
    }
    out
}
