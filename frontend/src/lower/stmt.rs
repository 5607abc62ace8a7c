//! Statements.

use crate::ir::{BlockId, Expr, ExprKind, Span, Terminator};

use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

impl<'t> UnitLowerer<'t> {
    /// One statement or declaration of a block.
    pub(super) fn statement(&mut self, node: NodeId) {
        let done = self.deeper(|this| this.statement_inner(node));
        if done.is_none() {
            let span = self.span(node);
            self.opaque("statement nested too deeply", None, span);
            self.problem(span, "statement nested too deeply to be modelled");
        }
    }

    fn statement_inner(&mut self, node: NodeId) {
        match self.syntax.kind(node) {
            Kind::ExpressionStatement => {
                if let Some(inner) = self.syntax.first(node) {
                    self.effects(inner);
                }
            }
            Kind::Declaration => self.block_declaration(node),
            Kind::Compound => self.block(node),
            Kind::If => self.if_statement(node),
            Kind::While => self.while_statement(node),
            Kind::Do => self.do_statement(node),
            Kind::For => self.for_statement(node),
            Kind::Switch => self.switch_statement(node),
            Kind::Case => self.case_statement(node),
            Kind::Return => self.return_statement(node),
            Kind::Break => {
                self.jump(self.body.breaks.last().copied(), node, "`break` outside of a loop or switch")
            }
            Kind::Continue => {
                self.jump(self.body.continues.last().copied(), node, "`continue` outside of a loop")
            }
            Kind::Goto => {
                let span = self.span(node);
                if let Some(label) = self.part(node, FieldName::Label) {
                    let name = self.node_text(label);
                    let block = self.label(name, span);
                    self.body.wanted.push((name, span));
                    self.leap(name, block);
                }
            }
            Kind::Labeled => self.labeled_statement(node),
            Kind::Attributed => {
                if let Some(inner) = self.syntax.children(node).last() {
                    self.statement(inner);
                }
            }
            Kind::TypeDefinition => self.type_definition(node),
            Kind::StructSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier => {
                self.type_specifier(node);
            }
            Kind::FunctionDefinition => {
                let span = self.span(node);
                self.opaque("nested function", Some(Vec::new()), span);
                self.nested_function(node);
            }
            Kind::PrimitiveType | Kind::SizedType | Kind::TypeIdentifier | Kind::MacroType => {}
            _ => {
                let span = self.span(node);
                self.opaque("statement not modelled", None, span);
            }
        }
    }

    fn jump(&mut self, target: Option<(BlockId, usize)>, node: NodeId, message: &str) {
        match target {
            Some((target, depth)) => {
                self.clean_up_from(depth);
                self.terminate(Terminator::Goto(target));
            }
            None => self.problem(self.span(node), message),
        }
    }

    /// `{ ... }` with a scope of its own.
    pub(super) fn block(&mut self, node: NodeId) {
        self.scopes.open();
        let depth = self.body.cleanups.len();
        self.statements_in(node);
        self.end_scope(depth);
        self.scopes.close();
    }

    /// What stands between braces, assumptions included.
    pub(super) fn statements_in(&mut self, node: NodeId) {
        let Span { start: mut done, end } = self.span(node);
        let mut child = self.syntax.first(node);
        while let Some(n) = child {
            let span = self.span(n);
            self.assumptions_between(done, span.start);
            self.statement(n);
            done = span.end;
            child = self.syntax.next(n);
        }
        self.assumptions_between(done, end);
    }

    /// `({ ... })`: its value is that of the last statement, if that is an expression.
    pub(super) fn statement_expression(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        self.scopes.open();
        let depth = self.body.cleanups.len();
        let mut value = Expr { kind: ExprKind::Int(0), ty: self.basic.void, span };
        let mut child = self.syntax.first(node);
        while let Some(n) = child {
            child = self.syntax.next(n);
            let last = child.is_none();
            match self.syntax.first(n) {
                Some(inner) if last && self.syntax.kind(n) == Kind::ExpressionStatement => {
                    value = self.expr(inner)
                }
                _ => self.statement(n),
            }
        }
        if self.body.cleanups.len() > depth && value.ty != self.basic.void {
            value = self.kept(value);
        }
        self.end_scope(depth);
        self.scopes.close();
        value
    }

    fn if_statement(&mut self, node: NodeId) {
        // A chain of `else if` is as long as the programmer likes: walk along it without recursion.
        let join = self.new_block();
        let mut at = node;
        loop {
            let alternative = self.part(at, FieldName::Alternative).and_then(|clause| {
                if self.syntax.kind(clause) == Kind::ElseClause {
                    self.syntax.children(clause).find(|&n| self.syntax.kind(n) != Kind::Other)
                } else {
                    Some(clause)
                }
            });
            let then = self.new_block();
            let otherwise = if alternative.is_some() { self.new_block() } else { join };
            if let Some(condition) = self.part(at, FieldName::Condition) {
                self.condition(condition, then, otherwise);
            }
            self.enter(then);
            if let Some(body) = self.part(at, FieldName::Consequence) {
                self.statement(body);
            }
            self.goto_and_enter(join);
            let Some(alternative) = alternative else { break };
            self.enter(otherwise);
            if self.syntax.kind(alternative) == Kind::If {
                at = alternative;
                continue;
            }
            self.statement(alternative);
            self.goto_and_enter(join);
            break;
        }
        self.enter(join);
    }

    fn loop_body(&mut self, body: Option<NodeId>, break_to: BlockId, continue_to: BlockId) {
        let depth = self.body.cleanups.len();
        self.body.breaks.push((break_to, depth));
        self.body.continues.push((continue_to, depth));
        if let Some(body) = body {
            self.statement(body);
        }
        self.body.breaks.pop();
        self.body.continues.pop();
    }

    fn while_statement(&mut self, node: NodeId) {
        let (head, body, exit) = (self.new_block(), self.new_block(), self.new_block());
        self.goto_and_enter(head);
        match self.part(node, FieldName::Condition) {
            Some(condition) => self.condition(condition, body, exit),
            None => self.terminate(Terminator::Goto(body)),
        }
        self.enter(body);
        self.loop_body(self.part(node, FieldName::Body), exit, head);
        self.goto_and_enter(head);
        self.enter(exit);
    }

    fn do_statement(&mut self, node: NodeId) {
        let (body, test, exit) = (self.new_block(), self.new_block(), self.new_block());
        self.goto_and_enter(body);
        self.loop_body(self.part(node, FieldName::Body), exit, test);
        self.goto_and_enter(test);
        if let Some(condition) = self.part(node, FieldName::Condition) {
            self.condition(condition, body, exit);
        }
        self.enter(exit);
    }

    fn for_statement(&mut self, node: NodeId) {
        self.scopes.open();
        let depth = self.body.cleanups.len();
        if let Some(init) = self.part(node, FieldName::Initializer) {
            if self.syntax.kind(init) == Kind::Declaration {
                self.block_declaration(init);
            } else {
                self.effects(init);
            }
        }
        let (head, body, step, exit) =
            (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.goto_and_enter(head);
        match self.part(node, FieldName::Condition) {
            Some(condition) => self.condition(condition, body, exit),
            None => self.terminate(Terminator::Goto(body)),
        }
        self.enter(body);
        self.loop_body(self.part(node, FieldName::Body), exit, step);
        self.goto_and_enter(step);
        if let Some(update) = self.part(node, FieldName::Update) {
            self.effects(update);
        }
        self.goto_and_enter(head);
        self.enter(exit);
        self.end_scope(depth);
        self.scopes.close();
    }

    fn return_statement(&mut self, node: NodeId) {
        let span = self.span(node);
        // The first child is the word itself.
        let value = self.syntax.children(node).find(|&n| self.syntax.kind(n) != Kind::Other);
        let value = match (value, self.body.result) {
            (Some(value), Some(result)) if result == self.basic.void => {
                // GNU: `return f();` in a void function.
                self.effects(value);
                None
            }
            (Some(value), Some(result)) => {
                let value = self.expr(value);
                Some(self.convert(value, result))
            }
            (Some(value), None) => Some(self.expr(value)),
            (None, _) => None,
        };
        let value = match value {
            Some(value) if !self.body.cleanups.is_empty() => Some(self.kept(value)),
            value => value,
        };
        self.clean_up_from(0);
        self.terminate(Terminator::Return(value, span));
    }

    /// A value as it is now, whatever is changed later.
    fn kept(&mut self, value: Expr) -> Expr {
        let span = value.span;
        let place = self.temporary(value.ty, span);
        self.emit_assign(place.clone(), value, span);
        self.load(place)
    }

    /// The block of a label, which may come later.
    pub(super) fn label(&mut self, name: &'t str, _use: Span) -> BlockId {
        if let Some(&block) = self.body.labels.get(name) {
            return block;
        }
        let block = self.new_block();
        self.body.labels.insert(name, block);
        block
    }

    fn labeled_statement(&mut self, node: NodeId) {
        let Some(label) = self.part(node, FieldName::Label) else { return };
        let name = self.node_text(label);
        let span = self.span(label);
        let block = self.label(name, span);
        if self.body.placed.contains(&name) {
            self.problem(span, format!("label `{name}` stands twice"));
        } else {
            self.body.placed.push(name);
            self.note_scope_of(name);
            self.goto_and_enter(block);
        }
        let mut child = self.syntax.next(label);
        while let Some(n) = child {
            child = self.syntax.next(n);
            if self.syntax.kind(n) != Kind::Other {
                self.statement(n);
            }
        }
    }
}
