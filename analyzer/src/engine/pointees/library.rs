//! What functions without source have pointers point to: those of the C library, of MPI, and others.
//!
//! Functions of which nothing is known keep what they have been given, and all that they get to from there; they store it wherever they
//! get to, return it, and call functions with it. They have memory of their own, which holds the same.
//!
//! What is written to files, to the environment or as text may be read again: an address that is printed is an address still
//! (C11 7.21.6.2 paragraph 12 has `%p` read what `%p` has written).

use frontend::ir::{Expr, ExprKind};
use frontend::mpi::{Function as MpiFunction, Param, Role};
use frontend::program::FunctionRef;

use super::Node;
use super::solving::{Call, Passed, Solver, Source};
use crate::engine::environment::{self, Model, Resource, Returns, Use};
use crate::engine::files::concerns_file;
use crate::engine::library::{self, Effect};

impl Solver<'_> {
    /// A function without source.
    pub(super) fn outside(&mut self, values: &[Node], result: Node) {
        values.iter().for_each(|&value| self.copy(value, Node::OUTSIDE));
        self.copy(Node::OUTSIDE, result);
    }

    /// What one holds the other holds too.
    pub(super) fn same(&mut self, one: Node, other: Node) {
        self.copy(one, other);
        self.copy(other, one);
    }

    pub(super) fn library(
        &mut self,
        function: FunctionRef,
        name: &str,
        args: &[Expr],
        values: &[Node],
        allocated: &[Node],
        result: Node,
    ) {
        if let Some(model) = environment::model(name) {
            return self.modelled(function, name, &model, args, values, result);
        }
        match (name, library::effect(name)) {
            ("va_arg", _) => self.copy(Node::VARIADIC, result),
            ("va_start" | "va_copy", _) => {
                values.iter().take(1).for_each(|&list| self.store(list, Node::VARIADIC));
            }
            ("va_end", _) => {}
            ("qsort" | "bsearch", _) => {
                // Elements are compared by functions of the program, and keep what they hold.
                let compared = self.node();
                let arrays = if name == "qsort" { 1 } else { 2 };
                values.iter().take(arrays).for_each(|&value| self.copy(value, compared));
                if let Some(&comparison) = values.last() {
                    let order = self.node();
                    self.call_all(comparison, Call { passed: Passed::Any(compared), result: order });
                }
                if name == "bsearch" {
                    self.copy(compared, result);
                }
            }
            ("free", _)
            | (_, Some(Effect::Exits | Effect::Jumps | Effect::Marks | Effect::Owns(_) | Effect::Signal)) => {
            }
            (_, Some(Effect::Reads)) => {
                let written = self.printed(function, name, args, values);
                written.into_iter().for_each(|node| self.copy(node, Node::FILES));
            }
            (_, Some(Effect::Allocates { .. })) => {}
            (_, Some(Effect::Reallocates | Effect::Copies)) => {
                for &old in values.iter().take(1) {
                    let held = self.load(old);
                    allocated.iter().for_each(|&object| self.copy(held, object));
                }
            }
            (_, Some(Effect::Line)) => {
                let line = self.node();
                for &object in allocated {
                    self.include(Source::Address(object), line);
                    self.copy(Node::FILES, object);
                }
                values.iter().take(1).for_each(|&holder| self.store(holder, line));
            }
            (_, Some(Effect::Writes) | None) => self.outside(values, result),
        }
    }

    /// What a function writes that is given some values: the values, unless they are only where strings are, and what is behind them.
    fn printed(&mut self, function: FunctionRef, name: &str, args: &[Expr], values: &[Node]) -> Vec<Node> {
        let format = format_of(name).and_then(|index| args.get(index));
        let as_addresses = match format.map(|format| &format.strip_casts().kind) {
            Some(ExprKind::Str(format)) => prints_addresses(format),
            _ => true,
        };
        let types = &self.program.units[function.unit].types;
        let mut written = Vec::new();
        for (arg, &value) in args.iter().zip(values) {
            if as_addresses || types.pointee(arg.ty).is_none() {
                written.push(value);
            }
            let held = self.load(value);
            written.push(held);
        }
        written
    }

    /// A function of the C library that stores what it has found behind some argument, or where it has stopped to read.
    fn modelled(
        &mut self,
        function: FunctionRef,
        name: &str,
        model: &Model,
        args: &[Expr],
        values: &[Node],
        result: Node,
    ) {
        let mut stored = Vec::new();
        for (index, &value) in values.iter().enumerate() {
            match model.uses(index) {
                Use::Read | Use::Update => stored.push(self.load(value)),
                Use::Value => stored.push(value),
                Use::Write | Use::Ignore => {}
            }
        }
        match name {
            "sprintf" | "snprintf" => stored.extend(self.printed(function, name, args, values)),
            "vsprintf" | "vsnprintf" => {
                stored.push(Node::VARIADIC);
                let behind = self.load(Node::VARIADIC);
                stored.push(behind);
            }
            "putenv" => stored.extend(values),
            _ => {}
        }
        match model.resource {
            Some((Resource::File(_) | Resource::Files | Resource::Variables, _)) => {
                stored.iter().for_each(|&node| self.copy(node, Node::FILES));
                stored.push(Node::FILES);
            }
            Some((Resource::Options, _)) => {
                stored.iter().for_each(|&node| self.copy(node, Node::OPTIONS));
            }
            Some((Resource::Tokens, _)) => {
                values.iter().take(1).for_each(|&value| self.copy(value, Node::TOKENS));
                self.copy(Node::TOKENS, result);
            }
            Some((Resource::Texts, _)) | None => {}
        }
        match model.returns {
            Returns::First | Returns::FirstOrNull | Returns::Inside => {
                values.iter().take(1).for_each(|&value| self.copy(value, result));
            }
            Returns::Integer | Returns::Order | Returns::Other | Returns::Text => {
                stored.iter().for_each(|&node| self.copy(node, result));
            }
        }
        if ends_in_argument(name) {
            stored.extend(values.first());
        }
        for (index, &value) in values.iter().enumerate() {
            if matches!(model.uses(index), Use::Write | Use::Update) {
                stored.iter().for_each(|&node| self.store(value, node));
            }
        }
    }

    pub(super) fn mpi(&mut self, mpi: &MpiFunction, values: &[Node], result: Node) {
        if concerns_file(mpi.class) {
            self.same(Node::MESSAGES, Node::FILES);
        }
        for (param, &value) in mpi.params.iter().zip(values) {
            match param.role {
                Role::SendBuffer | Role::RecvBuffer | Role::InOutBuffer | Role::PackedBuffer => {
                    self.copy(value, Node::BUFFERS);
                    if param.direction.reads() {
                        let held = self.load(value);
                        self.copy(held, Node::MESSAGES);
                    }
                    if param.direction.writes() {
                        self.store(value, Node::MESSAGES);
                    }
                }
                Role::WindowMemory => {
                    let held = self.load(value);
                    self.copy(held, Node::MESSAGES);
                    self.store(value, Node::MESSAGES);
                    self.copy(value, Node::OUTSIDE);
                }
                Role::AllocatedMemory => {
                    // It may be that of a window.
                    self.same(Node::MESSAGES, Node::OUTSIDE);
                    self.copy(value, Node::OUTSIDE);
                }
                Role::Location => self.copy(value, Node::TOLD),
                _ if param.ctype.starts_with("void") || param.ctype.starts_with("const void") => {
                    self.copy(value, Node::OUTSIDE);
                }
                // It may be called with whatever MPI works on.
                _ if param.ctype.contains("function") => {
                    self.copy(value, Node::OUTSIDE);
                    self.copy(Node::BUFFERS, Node::OUTSIDE);
                }
                _ if may_tell(param) => self.told(param, value),
                _ => {}
            }
        }
        if mpi.ret != "int" {
            self.copy(Node::TOLD, result);
        }
    }

    /// Numbers and strings that MPI is given, which it may give back.
    fn told(&mut self, param: &Param, value: Node) {
        if !param.is_pointer() {
            return self.copy(value, Node::TOLD);
        }
        if param.direction.reads() {
            let held = self.load(value);
            self.copy(held, Node::TOLD);
        }
        if param.direction.writes() {
            self.store(value, Node::TOLD);
        }
    }

    /// Functions without source may be called through pointers.
    pub(super) fn call_foreign(&mut self) {
        for (values, result) in std::mem::take(&mut self.indirect) {
            self.outside(&values, result);
        }
        for node in [Node::MESSAGES, Node::TOLD, Node::TOKENS, Node::OPTIONS, Node::FILES] {
            self.same(node, Node::OUTSIDE);
        }
    }
}

/// Whether a function of the C library tells where in its first argument it has stopped to read, where its second argument points to.
fn ends_in_argument(name: &str) -> bool {
    name.starts_with("strto") && environment::model(name).is_some_and(|model| model.uses(1) == Use::Write)
}

/// Which argument tells how the others are printed.
fn format_of(name: &str) -> Option<usize> {
    match name {
        "printf" => Some(0),
        "fprintf" | "sprintf" => Some(1),
        "snprintf" => Some(2),
        _ => None,
    }
}

/// Whether a string that tells how something is printed has addresses printed as such.
fn prints_addresses(format: &[u8]) -> bool {
    format.split(|&c| c == b'%').skip(1).any(|rest| {
        let modifies = |c: &&u8| c.is_ascii_digit() || b" -+#.*'hlLqjzt".contains(c);
        rest.iter().find(|c| !modifies(c)).is_some_and(|&c| c == b'p')
    })
}

/// Whether an argument may have an address in it, as a number or a string.
fn may_tell(param: &Param) -> bool {
    !param.ctype.contains("**")
        && ["MPI_Aint", "MPI_Offset", "MPI_Count", "char"].iter().any(|ty| param.ctype.contains(ty))
}
