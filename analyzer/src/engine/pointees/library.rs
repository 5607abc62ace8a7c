//! What functions without source have pointers point to: those of the C library, of MPI, and others.
//!
//! Functions of which nothing is known keep what they have been given, and all that they get to from there; they store it wherever they
//! get to, return it, and call functions with it.

use frontend::mpi::{Function as MpiFunction, Role};
use frontend::program::FunctionRef;

use super::Node;
use super::solving::{Solver, Source};
use crate::engine::environment::{self, Resource, Returns, Use};
use crate::engine::library::{self, Effect};

impl Solver<'_> {
    /// A function without source.
    pub(super) fn outside(&mut self, values: &[Node], result: Node) {
        values.iter().for_each(|&value| self.copy(value, Node::OUTSIDE));
        self.copy(Node::OUTSIDE, result);
    }

    pub(super) fn library(
        &mut self,
        function: FunctionRef,
        name: &str,
        values: &[Node],
        allocated: &[Node],
        result: Node,
    ) {
        let Some(model) = environment::model(name) else {
            return match (name, library::effect(name)) {
                ("va_arg", _) => self.copy(Node::VARIADIC, result),
                ("va_start" | "va_copy" | "va_end", _) => {}
                ("qsort" | "bsearch", _) => {
                    // Elements are compared by functions of the program, and keep what they hold.
                    let compared = self.node();
                    let arrays = if name == "qsort" { 1 } else { 2 };
                    values.iter().take(arrays).for_each(|&value| self.copy(value, compared));
                    self.pass_to_all(&self.program.indirect_targets(function), compared);
                    if name == "bsearch" {
                        self.copy(compared, result);
                    }
                }
                (_, Some(Effect::Reads | Effect::Exits | Effect::Owns(_) | Effect::Signal)) => {}
                (_, Some(Effect::Allocates { .. })) => {}
                (_, Some(Effect::Reallocates | Effect::Copies)) => {
                    for &old in values.iter().take(1) {
                        let held = self.load(old);
                        allocated.iter().for_each(|&object| self.copy(held, object));
                    }
                }
                (_, Some(Effect::Line)) => {
                    let line = self.node();
                    allocated.iter().for_each(|&object| self.include(Source::Address(object), line));
                    values.iter().take(1).for_each(|&holder| self.store(holder, line));
                }
                (_, Some(Effect::Writes) | None) => self.outside(values, result),
            };
        };
        // What it stores it has found behind some argument, or it is where it has stopped to read.
        let mut stored = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            if matches!(model.uses(index), Use::Read | Use::Update) {
                stored.push(self.load(value));
            }
        }
        if let Some((Resource::Options, _)) = model.resource {
            stored.iter().for_each(|&node| self.copy(node, Node::OPTIONS));
        }
        if ends_in_argument(name) {
            stored.extend(values.first());
        }
        for (index, &value) in values.iter().enumerate() {
            if matches!(model.uses(index), Use::Write | Use::Update) && name != "memset" {
                stored.iter().for_each(|&node| self.store(value, node));
            }
        }
        if let Some((Resource::Tokens, _)) = model.resource {
            values.iter().take(1).for_each(|&value| self.copy(value, Node::TOKENS));
            self.copy(Node::TOKENS, result);
        }
        if matches!(model.returns, Returns::First | Returns::FirstOrNull | Returns::Inside) {
            values.iter().take(1).for_each(|&value| self.copy(value, result));
        }
    }

    pub(super) fn mpi(&mut self, mpi: &MpiFunction, values: &[Node]) {
        for (param, &value) in mpi.params.iter().zip(values) {
            let (reads, writes) = (param.direction.reads(), param.direction.writes());
            match param.role {
                Role::SendBuffer | Role::RecvBuffer | Role::InOutBuffer | Role::PackedBuffer => {
                    self.copy(value, Node::BUFFERS);
                    if reads {
                        let held = self.load(value);
                        self.copy(held, Node::MESSAGES);
                    }
                    if writes {
                        self.store(value, Node::MESSAGES);
                    }
                }
                Role::WindowMemory => {
                    let held = self.load(value);
                    self.copy(held, Node::MESSAGES);
                    self.store(value, Node::MESSAGES);
                    self.copy(value, Node::OUTSIDE);
                }
                Role::Location => self.copy(value, Node::LOCATIONS),
                Role::Address if writes => self.store(value, Node::LOCATIONS),
                _ if param.ctype.starts_with("void") || param.ctype.starts_with("const void") => {
                    self.copy(value, Node::OUTSIDE);
                }
                // It may be called with whatever MPI works on.
                _ if param.ctype.contains("function") => {
                    self.copy(value, Node::OUTSIDE);
                    self.copy(Node::BUFFERS, Node::OUTSIDE);
                }
                _ => {}
            }
        }
    }
}

/// Whether a function of the C library tells where in its first argument it has stopped to read, where its second argument points to.
fn ends_in_argument(name: &str) -> bool {
    name.starts_with("strto") && environment::model(name).is_some_and(|model| model.uses(1) == Use::Write)
}
