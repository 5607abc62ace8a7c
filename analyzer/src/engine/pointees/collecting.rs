//! What the instructions of a program and the initial values of its variables have pointers point to.

use frontend::ir::{
    Callee, Expr, GlobalId, Initializer, Inst, InstKind, LocalId, Place, PlaceBase, Span, Terminator, TypeId,
};
use frontend::program::{FunctionRef, Resolution};

use super::addresses::{AddressPart, addresses_in, may_be_address};
use super::solving::{Solver, Source};
use super::{Named, Node};
use crate::engine::aliasing::Stored;
use crate::engine::environment;

impl Solver<'_> {
    /// All that an expression may hold, as one node.
    fn value(&mut self, function: FunctionRef, expr: &Expr) -> Node {
        let mut sources = Vec::new();
        self.sources(function, expr, &mut sources);
        if let [Source::Content(node)] = sources[..] {
            return node;
        }
        let node = self.node();
        sources.into_iter().for_each(|source| self.include(source, node));
        node
    }

    fn sources(&mut self, function: FunctionRef, expr: &Expr, sources: &mut Vec<Source>) {
        let program = self.program;
        let mut parts = Vec::new();
        addresses_in(program, function, expr, &mut |part| parts.push(part));
        for part in parts {
            sources.push(match part {
                AddressPart::Variable(base) => match self.variable(function, base) {
                    Some(node) => Source::Address(node),
                    None => continue,
                },
                AddressPart::Held(place) => Source::Content(match &place.base {
                    PlaceBase::Deref(pointer) => {
                        let pointer = self.value(function, pointer);
                        self.load(pointer)
                    }
                    base => match self.variable(function, base) {
                        Some(node) => node,
                        None => continue,
                    },
                }),
                AddressPart::Function(name) => match program.resolve(function.unit, name) {
                    Resolution::Defined(target) => {
                        let node = self.named(Named::Function(target));
                        self.functions.insert(node, target);
                        Source::Address(node)
                    }
                    Resolution::External => {
                        self.foreign = true;
                        continue;
                    }
                },
                AddressPart::Anywhere => Source::Address(Node::ANYTHING),
            });
        }
    }

    fn variable(&mut self, function: FunctionRef, base: &PlaceBase) -> Option<Node> {
        Some(self.named(match base {
            PlaceBase::Local(local) => Named::Local(function, *local),
            PlaceBase::Global(global) => {
                let (unit, global) = self.program.resolve_global(function.unit, *global);
                Named::Global(unit, global)
            }
            PlaceBase::Deref(_) => return None,
        }))
    }

    /// Something is stored in a place.
    fn assign(&mut self, function: FunctionRef, place: &Place, value: Node) {
        match &place.base {
            PlaceBase::Deref(pointer) => {
                let pointer = self.value(function, pointer);
                self.store(pointer, value);
            }
            base => {
                if let Some(node) = self.variable(function, base) {
                    self.copy(value, node);
                }
            }
        }
    }

    pub(super) fn collect(&mut self, functions: &[FunctionRef]) -> Option<()> {
        let program = self.program;
        self.include(Source::Address(Node::ANYTHING), Node::ANYTHING);
        self.find_allocations(functions);
        for (unit, number) in (0..program.units.len()).map(|unit| (unit, program.units[unit].globals.len())) {
            for id in (0..number).filter_map(|id| u32::try_from(id).ok()).map(GlobalId) {
                self.global(unit, id);
            }
        }
        for &function in functions {
            let code = program.function(function);
            let cfg = code.body.as_ref()?;
            for (index, local) in (0..).zip(&code.locals) {
                if let Some(Some(init)) = &local.static_init {
                    let node = self.named(Named::Local(function, LocalId(index)));
                    let ty = local.ty;
                    self.initial(function, init, ty, node);
                }
            }
            for block in cfg.graph.node_weights() {
                for inst in &block.insts {
                    self.inst(function, inst);
                }
                if let Terminator::Return(Some(value), _) = &block.terminator {
                    let (value, result) = (self.value(function, value), self.named(Named::Result(function)));
                    self.copy(value, result);
                }
            }
            if self.is_too_large() {
                return None;
            }
        }
        if self.foreign {
            for (values, result) in std::mem::take(&mut self.indirect) {
                self.outside(&values, result);
            }
        }
        Some(())
    }

    fn global(&mut self, unit: usize, id: GlobalId) {
        let program = self.program;
        let (home, resolved) = program.resolve_global(unit, id);
        let node = self.named(Named::Global(home, resolved));
        let global = program.global(unit, id);
        if let Some(init) = &global.init {
            self.initial(FunctionRef { unit, function: program.entry.function }, init, global.ty, node);
        }
        if &*global.name == "optarg" {
            self.copy(Node::OPTIONS, node);
        } else if !program.global(home, resolved).defined
            && environment::library_variable(&global.name).is_none()
        {
            self.include(Source::Address(node), Node::OUTSIDE);
        }
    }

    /// The initial value of a variable of a unit.
    fn initial(&mut self, within: FunctionRef, init: &Initializer, ty: TypeId, node: Node) {
        match init {
            Initializer::Scalar(value) => {
                let value = self.value(within, value);
                self.copy(value, node);
            }
            Initializer::Aggregate(parts) => {
                parts.iter().for_each(|(_, part)| self.initial(within, part, ty, node));
            }
            Initializer::Unknown => {
                if Stored::of(&self.program.units[within.unit].types, ty).may_lead_on() {
                    self.include(Source::Address(Node::ANYTHING), node);
                }
            }
        }
    }

    pub(super) fn targets(&self, function: FunctionRef, callee: &Callee, args: usize) -> Vec<FunctionRef> {
        let program = self.program;
        match callee {
            Callee::Direct { mpi: Some(_), .. } => Vec::new(),
            Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                Resolution::Defined(target) => vec![target],
                Resolution::External => Vec::new(),
            },
            Callee::Indirect(pointer) => program.call_targets(function, pointer, args),
        }
    }

    fn inst(&mut self, function: FunctionRef, inst: &Inst) {
        match &inst.kind {
            InstKind::Declare(_) => {}
            InstKind::Assign(place, value) => {
                let value = self.value(function, value);
                self.assign(function, place, value);
            }
            InstKind::Opaque { writes: Some(places), .. } => {
                for place in places {
                    let value = self.node();
                    if may_be_address(&self.program.units[function.unit].types, place.ty) {
                        self.include(Source::Address(Node::ANYTHING), value);
                    }
                    self.assign(function, place, value);
                }
            }
            InstKind::Opaque { writes: None, .. } => {
                // Anything may be anywhere: this is given up at the end.
                self.include(Source::Address(Node::ANYTHING), Node::ASTRAY);
            }
            InstKind::Call { dest, callee, args } => {
                let result = self.node();
                self.call(function, callee, args, (function.unit, inst.span), result);
                if let Some(dest) = dest {
                    self.assign(function, dest, result);
                }
            }
        }
    }

    fn call(
        &mut self,
        function: FunctionRef,
        callee: &Callee,
        args: &[Expr],
        call: (usize, Span),
        result: Node,
    ) {
        let program = self.program;
        let values: Vec<Node> = args.iter().map(|arg| self.value(function, arg)).collect();
        for target in self.targets(function, callee, args.len()) {
            let params = program.function(target).params;
            for (index, &value) in (0..).zip(&values) {
                let param = match index < params {
                    true => self.named(Named::Local(target, LocalId(index))),
                    false => Node::VARIADIC,
                };
                self.copy(value, param);
            }
            // What it passes on has just been allocated for this call.
            if !self.found.passed_on.contains_key(&target) {
                let returned = self.named(Named::Result(target));
                self.copy(returned, result);
            }
        }
        let allocated = self.allocated(call, result);
        match callee {
            Callee::Direct { mpi: Some(mpi), .. } => self.mpi(mpi, &values),
            Callee::Direct { name, mpi: None } => {
                if program.resolve(function.unit, name) == Resolution::External {
                    self.library(function, name, &values, &allocated, result);
                }
            }
            Callee::Indirect(_) => self.indirect.push((values, result)),
        }
    }
}
