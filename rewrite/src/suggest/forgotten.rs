//! Whether what some statements leave in a variable is given up before anybody looks at it.

use analyzer::results::ProgramReport;
use frontend::mpi::{Class, Completion, Role};
use tree_sitter::Node;

use super::aliases::is_private;
use super::scope::{Scope, Shape, Variable, decimal, names};
use super::sweep::start_of;
use crate::text::{Call, descendants, function_of, statements};

/// What was received in a loop.
pub(super) struct Received<'s, 't> {
    pub(super) scope: &'s Scope<'t>,
    pub(super) report: &'s ProgramReport,
    /// The variable that each message was received in, from its beginning on.
    pub(super) variable: Variable<'t>,
    /// Elements of a message, as the channel says.
    pub(super) count: &'s str,
    /// The loop.
    pub(super) region: Node<'t>,
}

impl<'t> Received<'_, 't> {
    /// Whether nobody looks at the last message after the loop: each other use of the variable finds something newer, or older.
    pub(super) fn is_forgotten(&self) -> bool {
        let (scope, variable) = (self.scope, &self.variable);
        let Some(uses) = scope.uses(variable) else { return false };
        let outside: Vec<Node<'t>> =
            uses.into_iter().filter(|node| !self.region.byte_range().contains(&node.start_byte())).collect();
        if outside.is_empty() {
            return true;
        }
        let jumps = function_of(self.region)
            .is_none_or(|function| descendants(function).iter().any(|node| node.kind() == "goto_statement"));
        let is_own = matches!(variable.shape, Shape::Plain | Shape::Array(_))
            && !scope.is_in_macro(scope.text(variable.name))
            && is_private(scope, variable);
        if jumps || !is_own {
            return false;
        }
        outside.into_iter().all(|name| match self.round() {
            _ if self.region.end_byte() <= name.start_byte() => self.is_newer(name, self.region.end_byte()),
            Some(round) if round.byte_range().contains(&name.start_byte()) => {
                self.is_newer(name, round.start_byte())
            }
            // What is static is there when the function is called again.
            _ => !scope.has_storage(variable.declaration, "static"),
        })
    }

    /// The outermost loop around the region that keeps the variable from one round to the next.
    fn round(&self) -> Option<Node<'t>> {
        let (mut node, mut round) = (self.region, None);
        while let Some(parent) = node.parent() {
            if parent.byte_range().contains(&self.variable.name.start_byte()) {
                break;
            }
            if matches!(parent.kind(), "for_statement" | "while_statement" | "do_statement") {
                round = Some(parent);
            }
            node = parent;
        }
        round
    }

    /// Whether a statement behind a place, which comes before a use whenever that is come to, gives the variable a value.
    fn is_newer(&self, name: Node<'t>, place: usize) -> bool {
        let mut node = name;
        while let Some(parent) = node.parent() {
            if parent.kind() == "compound_statement" {
                let before = statements(parent).unwrap_or_default();
                let before =
                    before.into_iter().take_while(|statement| statement.end_byte() <= node.end_byte());
                let mut behind = before.filter(|statement| place <= statement.start_byte());
                if behind.any(|statement| self.is_given_by(statement)) {
                    return true;
                }
            }
            if parent.kind() == "function_definition" {
                return false;
            }
            node = parent;
        }
        false
    }

    /// Whether a statement gives the variable a value without a look at the one before, wherever a message was.
    fn is_given_by(&self, statement: Node<'t>) -> bool {
        let (scope, name) = (self.scope, self.scope.text(self.variable.name));
        if let Some(call) = Call::in_statement(scope.file, statement) {
            return self.is_received_by(&call)
                && names(scope.file, call.node).iter().filter(|other| **other == name).count() == 1;
        }
        let assignment = statement.named_child(0).filter(|_| statement.kind() == "expression_statement");
        let Some(assignment) = assignment.filter(|node| node.kind() == "assignment_expression") else {
            return false;
        };
        let side = |field| assignment.child_by_field_name(field);
        self.variable.shape == Shape::Plain
            && side("operator").is_some_and(|operator| operator.kind() == "=")
            && side("left").is_some_and(|left| self.is_variable(left))
            && side("right").is_some_and(|right| !names(scope.file, right).contains(&name))
    }

    /// Whether a call certainly receives as many elements, into the same place.
    fn is_received_by(&self, call: &Call<'t>) -> bool {
        let scope = self.scope;
        let is_receive =
            matches!(call.mpi.class, Class::Receive { completion: Completion::Blocking, matched: false });
        let argument = |role| call.argument(role);
        let place = argument(Role::RecvBuffer).and_then(|buffer| match self.variable.shape {
            Shape::Array(_) => Some(buffer),
            _ if scope.text(buffer).starts_with('&') => buffer.child_by_field_name("argument"),
            _ => None,
        });
        let range = scope.file.range(call.node);
        let number = |count: &str| count.parse::<u64>().ok();
        let mut messages =
            self.report.topology.channels.iter().filter(|channel| channel.recv.range == range).peekable();
        is_receive
            && place.is_some_and(|place| self.is_variable(place))
            && argument(Role::Datatype)
                .is_some_and(|datatype| scope.has_elements(&self.variable, scope.text(datatype)))
            && argument(Role::Source).is_some_and(|source| is_process(scope, source))
            && messages.peek().is_some()
            && number(self.count).is_some_and(|least| {
                messages.all(|channel| number(&channel.count).is_some_and(|count| least <= count))
            })
    }

    fn is_variable(&self, node: Node<'t>) -> bool {
        let name = self.scope.text(self.variable.name);
        node.kind() == "identifier"
            && self.scope.text(node) == name
            && self.scope.variable(node, name).is_some_and(|found| found.name == self.variable.name)
    }
}

/// Whether an expression is no `MPI_PROC_NULL`, from which nothing is received: a number, or the variable of a loop that counts up from one.
fn is_process<'t>(scope: &Scope<'t>, source: Node<'t>) -> bool {
    if source.kind() != "identifier" {
        return decimal(scope.text(source)).is_some();
    }
    let name = scope.text(source);
    let mut node = source;
    while let Some(parent) = node.parent() {
        if parent.kind() == "for_statement" {
            let initializer = parent.child_by_field_name("initializer");
            let start = initializer.and_then(|initializer| start_of(scope, initializer, name));
            let update = parent.child_by_field_name("update");
            if let Some(start) = start {
                let counts = update.is_some_and(|update| {
                    update.kind() == "update_expression"
                        && scope.text(update).contains("++")
                        && update.child_by_field_name("argument").is_some_and(|of| scope.text(of) == name)
                });
                let body = parent.child_by_field_name("body");
                let changes = body.is_none_or(|body| {
                    let mut uses = descendants(body)
                        .into_iter()
                        .filter(|node| node.kind() == "identifier" && scope.text(*node) == name);
                    uses.any(|node| !scope.only_reads(node))
                });
                return counts && !changes && decimal(scope.text(start)).is_some();
            }
        }
        node = parent;
    }
    false
}
