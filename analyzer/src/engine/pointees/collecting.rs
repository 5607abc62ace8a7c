//! What the instructions of a program and the initial values of its variables have pointers point to.

use frontend::ir::visit::{Part, walk_expr, walk_inst, walk_terminator};
use frontend::ir::{
    Block, Callee, Expr, ExprKind, GlobalId, Initializer, Inst, InstKind, LocalId, Place, PlaceBase, Span,
    Terminator, TypeId,
};
use frontend::program::{FunctionRef, Resolution};

use super::addresses::{AddressPart, addresses_in, is_number, may_be_address};
use super::solving::{Call, Passed, Solver, Source};
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
            PlaceBase::Deref(_) if is_number(place) => self.copy(value, Node::ASTRAY),
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
        let functions = &self.all_that_may_be_called(functions);
        self.find_allocations(functions);
        for (unit, number) in (0..program.units.len()).map(|unit| (unit, program.units[unit].globals.len())) {
            for id in (0..number).filter_map(|id| u32::try_from(id).ok()).map(GlobalId) {
                self.global(unit, id);
            }
        }
        let entry = program.function(program.entry);
        for param in (0..entry.params).map(LocalId) {
            let param = self.named(Named::Local(program.entry, param));
            self.include(Source::Address(Node::COMMAND_LINE), param);
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
            self.call_foreign();
        }
        Some(())
    }

    /// Something may be stored anywhere.
    fn give_up(&mut self) {
        self.include(Source::Address(Node::ANYTHING), Node::ASTRAY);
    }

    /// Functions that are reached, and those that other code may call which knows their address.
    fn all_that_may_be_called(&mut self, reachable: &[FunctionRef]) -> Vec<FunctionRef> {
        let program = self.program;
        let mut all = reachable.to_vec();
        self.reachable.extend(reachable);
        let mut seen = self.reachable.clone();
        let mut add = |unit: usize, name: &str, all: &mut Vec<FunctionRef>| {
            if let Resolution::Defined(function) = program.resolve(unit, name)
                && seen.insert(function)
            {
                all.push(function);
            }
        };
        for (number, unit) in program.units.iter().enumerate() {
            for init in unit.globals.iter().filter_map(|global| global.init.as_ref()) {
                addressed_in(init, &mut |name| add(number, name, &mut all));
            }
        }
        let mut next = 0;
        while let Some(&function) = all.get(next) {
            next += 1;
            let code = program.function(function);
            for init in code.locals.iter().filter_map(|local| local.static_init.as_ref()?.as_ref()) {
                addressed_in(init, &mut |name| add(function.unit, name, &mut all));
            }
            for block in code.body.iter().flat_map(|cfg| cfg.graph.node_weights()) {
                named_in(block, &mut |name| add(function.unit, name, &mut all));
            }
        }
        all
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
                self.give_up();
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
            self.pass(target, &values);
            // What it passes on has just been allocated for this call.
            if !self.found.passed_on.contains_key(&target) {
                let returned = self.named(Named::Result(target));
                self.copy(returned, result);
            }
        }
        let allocated = self.allocated(call, result);
        match callee {
            Callee::Direct { mpi: Some(mpi), .. } => self.mpi(mpi, &values, result),
            Callee::Direct { name, mpi: None } => {
                if program.resolve(function.unit, name) == Resolution::External {
                    self.library(function, name, args, &values, &allocated, result);
                }
            }
            Callee::Indirect(pointer) => {
                if !self.reachable.contains(&function) {
                    let pointer = self.value(function, pointer);
                    self.call_all(pointer, Call { passed: Passed::Each(values.clone()), result });
                }
                self.indirect.push((values, result));
            }
        }
    }
}

/// Functions whose address is in an initial value.
fn addressed_in(init: &Initializer, found: &mut dyn FnMut(&str)) {
    match init {
        Initializer::Scalar(value) => walk_expr(value, &mut |part| addressed(part, found)),
        Initializer::Aggregate(parts) => parts.iter().for_each(|(_, part)| addressed_in(part, found)),
        Initializer::Unknown => {}
    }
}

/// Functions that are called in a block, or whose address is taken.
fn named_in(block: &Block, found: &mut dyn FnMut(&str)) {
    for inst in &block.insts {
        walk_inst(inst, &mut |part| addressed(part, found));
        if let InstKind::Call { callee: Callee::Direct { name, mpi: None }, .. } = &inst.kind {
            found(name);
        }
    }
    walk_terminator(&block.terminator, &mut |part| addressed(part, found));
}

fn addressed(part: Part<'_>, found: &mut dyn FnMut(&str)) {
    if let Part::Expr(Expr { kind: ExprKind::FunctionAddress(name), .. }) = part {
        found(name);
    }
}
