//! `switch` and its labels, wherever they stand in its body.

use crate::ir::{BinaryOp, BlockId, Terminator};

use super::flow::SwitchDraft;
use super::literal::wrap;
use super::rewrite::Special;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

impl UnitLowerer<'_> {
    pub(super) fn switch_statement(&mut self, node: NodeId) {
        let value = match self.part(node, FieldName::Condition) {
            Some(condition) => self.expr(condition),
            None => return,
        };
        let value = self.promote(value);
        let ty = match self.int_kind(value.ty) {
            Some(kind) => self.int_type(super::convert::promoted(kind)),
            None => self.basic.int,
        };
        let exit = self.new_block();
        let dispatch = self.body.current;
        // The dispatch is put in place when all labels are known; code before the first label is not reached.
        let body_start = self.new_block();
        self.enter(body_start);
        self.body.switches.push(SwitchDraft { cases: Vec::new(), unknown: Vec::new(), default: None, ty });
        let depth = self.body.cleanups.len();
        self.body.breaks.push((exit, depth));
        if let Some(body) = self.part(node, FieldName::Body) {
            self.statement(body);
        }
        self.goto_and_enter(exit);
        self.body.breaks.pop();
        let Some(SwitchDraft { cases, unknown, default, .. }) = self.body.switches.pop() else { return };
        let mut default = default.unwrap_or(exit);
        // Cases whose value is not known (its header is missing) are compared with one by one after all others.
        for (constant, target) in unknown.into_iter().rev() {
            let test = self.new_block();
            self.enter(test);
            let span = constant.span;
            let condition = self.binary(BinaryOp::Eq, value.clone(), constant, span);
            self.branch(condition, target, default);
            default = test;
        }
        if let Some(draft) = self.body.blocks.get_mut(dispatch)
            && draft.terminator.is_none()
        {
            draft.terminator = Some(Terminator::Switch { value, cases, default });
        }
        self.enter(exit);
    }

    pub(super) fn case_statement(&mut self, node: NodeId) {
        let span = self.span(node);
        let block = self.new_block();
        self.goto_and_enter(block);
        let value = self.part(node, FieldName::Value);
        let range = value.and_then(|v| self.case_range(v));
        let ty = self.body.switches.last().map(|s| s.ty);
        match (value, ty.and_then(|ty| self.int_kind(ty))) {
            (_, None) => self.problem(span, "a case outside of any switch"),
            (Some(value), Some(kind)) => match range {
                Some((low, high)) => {
                    if let Some(switch) = self.body.switches.last_mut() {
                        switch.cases.push((wrap(low, kind), wrap(high, kind), block));
                    }
                }
                None => self.unknown_case(value, block),
            },
            (None, Some(_)) => {
                if let Some(switch) = self.body.switches.last_mut() {
                    switch.default = Some(block);
                }
            }
        }
        let mut done = span.start;
        let mut child = self.syntax.first(node);
        while let Some(n) = child {
            child = self.syntax.next(n);
            let info = self.syntax.get(n);
            self.assumptions_between(done, info.span.start);
            done = info.span.end;
            if info.field != FieldName::Value && !matches!(info.kind, Kind::Other | Kind::DefaultWord) {
                self.statement(n);
            }
        }
    }

    /// A case whose value is an expression that we cannot evaluate.
    fn unknown_case(&mut self, node: NodeId, block: BlockId) {
        let (value, pure) = self.scratch(|this| this.expr(node));
        let value =
            if pure { value } else { self.unknown("value of a case", self.basic.int, self.span(node)) };
        if let Some(switch) = self.body.switches.last_mut() {
            switch.unknown.push((value, block));
        }
    }

    /// The values of a case label: one, or GNU's range.
    fn case_range(&mut self, node: NodeId) -> Option<(i128, i128)> {
        if self.syntax.kind(node) == Kind::Binary
            && let Some(operator) = self.part(node, FieldName::Operator)
            && self.syntax.get(operator).special == Some(Special::CaseRange)
        {
            let low = self.constant_value(self.part(node, FieldName::Left)?)?;
            let high = self.constant_value(self.part(node, FieldName::Right)?)?;
            return Some((low, high));
        }
        let value = self.constant_value(node)?;
        Some((value, value))
    }
}
