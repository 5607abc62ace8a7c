//! Whole programs: an entry point with the units that define what it reaches.
//!
//! An entry point is a `main`. [`link`] follows calls and variables from it as a linker would, with the difference that
//! it is not told which objects belong together: of several definitions the nearest one by directory wins, and a unit
//! with a `main` of its own is another program, whose functions are taken only where nothing else defines them. Within
//! one program a name means one thing.

mod compatible;
mod graph;
mod link;
mod load;
mod summary;

use std::path::PathBuf;
use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::ir::{Expr, Function, FunctionId, Global, GlobalId, Unit};

pub use link::link;
pub use load::{LoadError, LoadOptions, Loaded, load};

/// A function of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionRef {
    /// Index in [`Program::units`].
    pub unit: usize,
    /// The function in that unit.
    pub function: FunctionId,
}

/// What a name that is called means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// A function of the program (its body may be lost to a syntax error).
    Defined(FunctionRef),
    /// Not among the units: a library's, or missing.
    External,
}

/// A function, or all those that call each other in turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The functions.
    pub functions: Vec<FunctionRef>,
    /// Whether one may call itself, by way of the others perhaps.
    pub recursive: bool,
}

/// Several units define a name and are equally near.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguity {
    /// The function's or variable's name.
    pub name: Arc<str>,
    /// The file whose definition was taken.
    pub chosen: PathBuf,
    /// The others.
    pub others: Vec<PathBuf>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its `main`; always in unit 0.
    pub entry: FunctionRef,
    /// The unit with the entry point, then the others in the order in which they were found to be needed.
    pub units: Vec<Arc<Unit>>,
    /// Names that several units define, equally near; sorted.
    pub ambiguities: Vec<Ambiguity>,
    /// Functions that run before `main`, in their order.
    pub before_main: Vec<FunctionRef>,
    /// Functions that run after `main`, or when `exit` is called.
    pub after_main: Vec<FunctionRef>,
    functions: FxHashMap<Arc<str>, FunctionRef>,
    globals: FxHashMap<Arc<str>, (usize, GlobalId)>,
    externals: Vec<Arc<str>>,
    calls: DiGraph<FunctionRef, ()>,
    targets: FxHashMap<FunctionRef, Vec<FunctionRef>>,
}

impl Program {
    /// What `name` means when unit `from` calls it: its own definition, static or not, then that of another unit.
    #[must_use]
    pub fn resolve(&self, from: usize, name: &str) -> Resolution {
        if let Some(&function) = self.units.get(from).and_then(|unit| unit.by_name.get(name)) {
            return Resolution::Defined(FunctionRef { unit: from, function });
        }
        match self.functions.get(name) {
            Some(&function) => Resolution::Defined(function),
            None => Resolution::External,
        }
    }

    /// The one variable that a declaration of a unit stands for. Variables of one name that are not `static` are one
    /// variable, also where several units define it without an initialiser.
    #[must_use]
    pub fn resolve_global(&self, unit: usize, global: GlobalId) -> (usize, GlobalId) {
        let Some(declared) = self.units.get(unit).and_then(|u| u.globals.get(global.0 as usize)) else {
            return (unit, global);
        };
        if declared.is_static {
            return (unit, global);
        }
        self.globals.get(&declared.name).copied().unwrap_or((unit, global))
    }

    /// A function.
    #[must_use]
    pub fn function(&self, function: FunctionRef) -> &Function {
        self.units[function.unit].function(function.function)
    }

    /// A variable of file scope.
    #[must_use]
    pub fn global(&self, unit: usize, global: GlobalId) -> &Global {
        self.units[unit].global(global)
    }

    /// All functions that the entry point may reach, itself first, in the order of a breadth-first walk. Those that run before and after
    /// `main`, and what they reach, are among them.
    #[must_use]
    pub fn reachable(&self) -> Vec<FunctionRef> {
        self.calls.node_weights().copied().collect()
    }

    /// The functions that calls through pointers in `function` may reach: those whose address is taken somewhere in the
    /// reached part of the program and whose type fits such a call; and those it passes to library functions.
    #[must_use]
    pub fn indirect_targets(&self, function: FunctionRef) -> Vec<FunctionRef> {
        self.targets.get(&function).cloned().unwrap_or_default()
    }

    /// Those that one of these calls may reach: through a pointer, with so many arguments.
    #[must_use]
    pub fn call_targets(&self, function: FunctionRef, pointer: &Expr, args: usize) -> Vec<FunctionRef> {
        let mut targets = self.indirect_targets(function);
        targets.retain(|&target| {
            let (caller, callee) = (&self.units[function.unit], &self.units[target.unit]);
            compatible::may_call(caller, pointer.ty, args, callee, self.function(target).ty)
        });
        targets
    }

    /// The reached functions, callees before callers; functions that call each other stand together.
    #[must_use]
    pub fn bottom_up(&self) -> Vec<Together> {
        let component = |nodes: Vec<NodeIndex>| Together {
            recursive: nodes.len() > 1 || self.calls.contains_edge(nodes[0], nodes[0]),
            functions: nodes.into_iter().map(|node| self.calls[node]).collect(),
        };
        petgraph::algo::tarjan_scc(&self.calls).into_iter().map(component).collect()
    }

    /// Names that are called and defined nowhere, MPI's not counted; sorted.
    #[must_use]
    pub fn externals(&self) -> &[Arc<str>] {
        &self.externals
    }
}
