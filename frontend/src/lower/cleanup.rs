//! `__attribute__((cleanup(f)))`: `f(&x)` is called wherever control leaves the scope of `x`.
//!
//! The variables of the open scopes are kept on a stack. The end of a scope, `break`, `continue` and `return` call the functions of those
//! that they leave, the last one first. A `goto` may come before its label: it goes to a block of its own, into which the calls are put
//! once all labels are known.

use crate::ir::{BlockId, Callee, Expr, InstKind, LocalId, Place, PlaceBase, Span, Terminator};
use crate::mpi;

use super::rewrite::Attribute;
use super::syntax::NodeId;
use super::unit::UnitLowerer;

/// A variable whose end is not silent.
#[derive(Clone, Debug)]
pub(super) struct Cleanup<'t> {
    local: LocalId,
    function: &'t str,
    span: Span,
}

/// A `goto` that leaves scopes with such variables, perhaps.
#[derive(Clone, Debug)]
pub(super) struct Leap<'t> {
    label: &'t str,
    /// The block that it goes through.
    through: BlockId,
    /// The variables where it stands.
    left: Vec<Cleanup<'t>>,
}

impl<'t> UnitLowerer<'t> {
    /// For each declarator of a declaration in a block, the function that is called when the variable goes out of scope.
    pub(super) fn cleanups_of(&self, node: NodeId, declarators: &[NodeId]) -> Vec<Option<&'t str>> {
        let whole = self.span(node);
        let spans: Vec<Span> = declarators.iter().map(|&declarator| self.span(declarator)).collect();
        // What stands in the value of a variable is about variables in there: `int v = ({ CLEANED int t = 6; t; });`
        let values: Vec<Span> =
            declarators.iter().filter_map(|&one| Some(self.span(self.initial_value(one)?))).collect();
        let mut found = vec![None; spans.len()];
        for mark in &self.marks {
            let Attribute::Cleanup(token) = mark.attribute else { continue };
            // What stands in front of a declaration is gone from the tree.
            let in_front = || !self.text[mark.at as usize..whole.start as usize].contains([';', '{', '}']);
            let in_value = values.iter().any(|value| (value.start..value.end).contains(&mark.at));
            if mark.at >= whole.end || (mark.at < whole.start && !in_front()) || in_value {
                continue;
            }
            let Some(token) = self.tokens.get(token as usize) else { continue };
            let function = &self.text[token.start as usize..token.end as usize];
            // The last declarator that begins before it; what stands before the first one is about all.
            match spans.iter().rposition(|span| span.start <= mark.at) {
                Some(one) => found[one] = Some(function),
                None => found.fill(Some(function)),
            }
        }
        found
    }

    /// Has a function called when a variable that was just declared goes out of scope.
    pub(super) fn clean_up_later(&mut self, local: LocalId, function: &'t str, span: Span) {
        self.body.cleanups.push(Cleanup { local, function, span });
    }

    /// Ends the scopes of all but the first `depth` variables.
    pub(super) fn end_scope(&mut self, depth: usize) {
        if !self.is_after_jump() {
            self.clean_up_from(depth);
        }
        self.body.cleanups.truncate(depth);
    }

    /// Calls the functions of all but the first `depth` variables, the last one first.
    pub(super) fn clean_up_from(&mut self, depth: usize) {
        let left = self.body.cleanups.get(depth..).unwrap_or_default().to_vec();
        self.call_cleanups(&left);
    }

    fn call_cleanups(&mut self, left: &[Cleanup<'t>]) {
        for Cleanup { local, function, span } in left.iter().rev() {
            let Some(ty) = self.body.locals.get(local.0 as usize).map(|local| local.ty) else { continue };
            let place = Place { base: PlaceBase::Local(*local), projections: Vec::new(), ty, span: *span };
            let argument: Expr = self.address_of(place, *span);
            let callee = Callee::Direct { name: self.name(function), mpi: mpi::lookup(function) };
            self.emit(InstKind::Call { dest: None, callee, args: vec![argument] }, *span);
        }
    }

    /// `goto label;`
    pub(super) fn leap(&mut self, label: &'t str, target: BlockId) {
        if self.body.cleanups.is_empty() {
            self.terminate(Terminator::Goto(target));
            return;
        }
        let through = self.new_block();
        self.terminate(Terminator::Goto(through));
        let left = self.body.cleanups.clone();
        self.body.leaps.push(Leap { label, through, left });
    }

    /// Notes which variables there are at a label.
    pub(super) fn note_scope_of(&mut self, label: &'t str) {
        let there = self.body.cleanups.iter().map(|cleanup| cleanup.local).collect();
        self.body.scopes_of_labels.insert(label, there);
    }

    /// Finishes the blocks that each `goto` goes through.
    pub(super) fn finish_leaps(&mut self) {
        for Leap { label, through, left } in std::mem::take(&mut self.body.leaps) {
            let there = self.body.scopes_of_labels.get(label).map_or(&[][..], Vec::as_slice);
            let common =
                left.iter().zip(there).take_while(|(cleanup, local)| cleanup.local == **local).count();
            let Some(&target) = self.body.labels.get(label) else { continue };
            self.enter(through);
            self.call_cleanups(&left[common..]);
            self.terminate(Terminator::Goto(target));
        }
    }
}
