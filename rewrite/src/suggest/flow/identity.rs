//! Variables that hold the rank of a process, the number of processes, or a number, whatever way the program goes.

use frontend::mpi::{Class, Query};
use tree_sitter::Node;

use super::super::scope::{Scope, Shape, Variable, decimal};
use super::code::Identity;
use super::lower::{SMALL, inside};
use crate::text::{Call, descendants, function_of};

/// How far names are followed from function to function.
const DEEP: usize = 4;

/// Where values of variables come from.
#[derive(Clone, Copy)]
pub(super) struct Origins<'s, 't> {
    pub(super) scope: &'s Scope<'t>,
    /// The communicator of the messages, as it is written.
    pub(super) communicator: &'t str,
    /// Whether that is `MPI_COMM_WORLD`, by whatever name.
    pub(super) is_world: bool,
    /// Whether the program is in this file only.
    pub(super) is_whole: bool,
}

impl<'t> Origins<'_, 't> {
    /// Whether ranks in a communicator are those of the messages.
    pub(super) fn is_same_communicator(&self, text: &str) -> bool {
        text == self.communicator || self.is_world && text == "MPI_COMM_WORLD"
    }

    /// Whether a variable keeps one value: that of its declaration, or what a question about a communicator has given it.
    pub(super) fn is_settled(&self, variable: &Variable<'t>) -> bool {
        if function_of(variable.declaration).is_some() {
            return self.scope.is_settled(variable);
        }
        let is_own = self.is_whole || self.scope.has_storage(variable.declaration, "static");
        is_own
            && variable.shape == Shape::Plain
            && self.uses(variable).into_iter().all(|name| self.scope.only_reads(name))
    }

    /// All uses of a variable in the file.
    fn uses(&self, variable: &Variable<'t>) -> Vec<Node<'t>> {
        let name = self.scope.text(variable.name);
        let is_use = |node: &Node<'t>| {
            node.kind() == "identifier"
                && self.scope.text(*node) == name
                && *node != variable.name
                && self.scope.variable(*node, name).is_some_and(|found| found.name == variable.name)
        };
        let root = function_of(variable.declaration).unwrap_or_else(|| self.scope.file.root());
        descendants(root).into_iter().filter(is_use).collect()
    }

    /// The questions that a variable is the answer to: whether about ranks, and of which communicator.
    fn questions(&self, variable: &Variable<'t>) -> Vec<(Identity, &'t str)> {
        let asked = |name: Node<'t>| {
            let parent = name.parent().filter(|parent| parent.kind() == "pointer_expression")?;
            let list = parent.parent().filter(|list| list.kind() == "argument_list")?;
            let call = Call::around_loosely(self.scope.file, list)?;
            let identity = match call.mpi.class {
                Class::Query(Query::CommRank) => Identity::Rank,
                Class::Query(Query::CommSize) => Identity::Size,
                _ => return None,
            };
            Some((identity, self.scope.text(*call.arguments()?.first()?)))
        };
        self.uses(variable).into_iter().filter_map(asked).collect()
    }

    /// Whether a variable is the answer to a question about some communicator.
    pub(super) fn is_asked_for(&self, variable: &Variable<'t>) -> bool {
        !self.questions(variable).is_empty()
    }

    /// What a settled variable is.
    pub(super) fn identity(&self, variable: &Variable<'t>) -> Option<Identity> {
        self.identity_within(variable, DEEP)
    }

    fn identity_within(&self, variable: &Variable<'t>, deep: usize) -> Option<Identity> {
        let questions = self.questions(variable);
        if let Some((first, _)) = questions.first() {
            let same = questions.iter().all(|(what, of)| what == first && self.is_same_communicator(of));
            return same.then(|| first.clone());
        }
        if variable.declaration.kind() == "parameter_declaration" {
            return self.argument(variable, deep.checked_sub(1)?);
        }
        None
    }

    /// What all calls of its function pass for a parameter.
    fn argument(&self, variable: &Variable<'t>, deep: usize) -> Option<Identity> {
        let function = function_of(variable.declaration)?;
        let is_own = self.is_whole || self.scope.has_storage(function, "static");
        let list = variable.declaration.parent().filter(|_| is_own)?;
        let mut cursor = list.walk();
        let parameters = list.named_children(&mut cursor).filter(|n| n.kind() == "parameter_declaration");
        let index = parameters.into_iter().position(|parameter| parameter == variable.declaration)?;
        let declarator = list.parent().filter(|parent| parent.kind() == "function_declarator")?;
        let name = self.scope.text(declarator.child_by_field_name("declarator")?);
        let mut found = None;
        for node in descendants(self.scope.file.root()) {
            if node.kind() != "identifier" || self.scope.text(node) != name {
                continue;
            }
            let parent = node.parent()?;
            match parent.kind() {
                "function_declarator" => continue,
                "call_expression" if parent.child_by_field_name("function") == Some(node) => {}
                // Somebody may call it by another name.
                _ => return None,
            }
            let arguments = parent.child_by_field_name("arguments")?;
            let mut cursor = arguments.walk();
            let mut all = arguments.named_children(&mut cursor).filter(|n| n.kind() != "comment");
            let passed = self.passed(all.nth(index)?, deep)?;
            if *found.get_or_insert_with(|| passed.clone()) != passed {
                return None;
            }
        }
        found
    }

    fn passed(&self, node: Node<'t>, deep: usize) -> Option<Identity> {
        let node = inside(node);
        match node.kind() {
            "number_literal" => {
                decimal(self.scope.text(node)).filter(|number| *number < SMALL).map(Identity::Number)
            }
            "identifier" => {
                let variable = self.scope.variable(node, self.scope.text(node))?;
                self.is_settled(&variable).then(|| self.identity_within(&variable, deep))?
            }
            _ => None,
        }
    }
}
