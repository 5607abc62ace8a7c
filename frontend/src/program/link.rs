//! Finds the units of each program.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Reached;
use super::summary::{Summary, UnitSummary};
use super::{Ambiguity, FunctionRef, Program};
use crate::ir::{FunctionId, GlobalId, Startup, Unit};
use crate::source::absolute;

/// All programs among the units: one for each `main`, in the order of the units.
#[must_use]
pub fn link(units: &[Arc<Unit>]) -> Vec<Program> {
    let index = Index::new(units);
    (0..units.len()).into_par_iter().filter_map(|unit| Linker::new(&index, unit)?.run()).collect()
}

/// Who defines what, over all units.
pub(super) struct Index<'u> {
    pub(super) units: &'u [Arc<Unit>],
    pub(super) summaries: Vec<UnitSummary>,
    directories: Vec<PathBuf>,
    functions: FxHashMap<&'u str, Vec<usize>>,
    globals: FxHashMap<&'u str, Vec<usize>>,
}

impl<'u> Index<'u> {
    fn new(units: &'u [Arc<Unit>]) -> Self {
        let mut functions: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let mut globals: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (index, unit) in units.iter().enumerate() {
            for function in unit.functions.iter().filter(|f| !f.is_static) {
                let units = functions.entry(&function.name).or_default();
                if units.last() != Some(&index) {
                    units.push(index);
                }
            }
            for global in unit.globals.iter().filter(|g| g.defined && !g.is_static) {
                globals.entry(&global.name).or_default().push(index);
            }
        }
        Self {
            units,
            summaries: units.par_iter().map(|unit| UnitSummary::new(unit)).collect(),
            directories: units.iter().map(|u| directory(&u.path)).collect(),
            functions,
            globals,
        }
    }
}

fn directory(path: &Path) -> PathBuf {
    let mut path = absolute(path);
    path.pop();
    path
}

/// Steps from one directory to another: up to the common one and down again.
fn distance(a: &Path, b: &Path) -> usize {
    let (a, b): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (a.components().collect(), b.components().collect());
    let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    a.len() - common + b.len() - common
}

/// One program being put together.
struct Linker<'i, 'u> {
    index: &'i Index<'u>,
    entry: usize,
    /// Units taken, by index over all units, in order; their position is the unit number within the program.
    taken: Vec<usize>,
    number: FxHashMap<usize, usize>,
    functions: FxHashMap<Arc<str>, FunctionRef>,
    externals: BTreeSet<Arc<str>>,
    ambiguities: Vec<Ambiguity>,
    /// Variables looked at, by unit number.
    globals_seen: FxHashSet<(usize, GlobalId)>,
    reached: Reached,
    before_main: Vec<(u32, FunctionRef)>,
    after_main: Vec<FunctionRef>,
    /// Units of which it is known which functions run by themselves, by position.
    started: usize,
}

impl<'i, 'u> Linker<'i, 'u> {
    fn new(index: &'i Index<'u>, entry: usize) -> Option<Self> {
        let main = *index.units[entry].by_name.get("main")?;
        let mut linker = Self {
            index,
            entry,
            taken: vec![entry],
            number: FxHashMap::from_iter([(entry, 0)]),
            functions: FxHashMap::default(),
            externals: BTreeSet::new(),
            ambiguities: Vec::new(),
            globals_seen: FxHashSet::default(),
            reached: Reached::default(),
            before_main: Vec::new(),
            after_main: Vec::new(),
            started: 0,
        };
        linker.reached.add(FunctionRef { unit: 0, function: main });
        Some(linker)
    }

    fn run(mut self) -> Option<Program> {
        loop {
            while let Some(function) = self.reached.next() {
                self.visit(function);
            }
            // What pointers may reach depends on all addresses taken so far.
            let units: Vec<&Unit> = self.taken.iter().map(|&u| &*self.index.units[u]).collect();
            let (index, taken) = (self.index, &self.taken);
            let summary = |f: FunctionRef| &index.summaries[taken[f.unit]].functions[f.function.0 as usize];
            if !self.reached.follow_pointers(&units, summary) && !self.start_units() {
                break;
            }
        }
        self.before_main.sort_by_key(|&(order, _)| order);
        let entry = *self.reached.functions().first()?;
        let units: Vec<Arc<Unit>> = self.taken.iter().map(|&u| Arc::clone(&self.index.units[u])).collect();
        let globals = one_of_each(&units);
        let (calls, targets) = self.reached.graph();
        self.ambiguities.sort_by(|a, b| a.name.cmp(&b.name));
        Some(Program {
            entry,
            units,
            ambiguities: self.ambiguities,
            before_main: self.before_main.into_iter().map(|(_, function)| function).collect(),
            after_main: self.after_main,
            functions: self.functions,
            globals,
            externals: self.externals.into_iter().collect(),
            calls,
            targets,
        })
    }

    /// Takes in the functions of new units that run by themselves; says whether there was one.
    fn start_units(&mut self) -> bool {
        let mut new = false;
        while let Some(&over_all) = self.taken.get(self.started) {
            for (index, function) in self.index.units[over_all].functions.iter().enumerate() {
                let Ok(index) = u32::try_from(index) else { break };
                let this = FunctionRef { unit: self.started, function: FunctionId(index) };
                let startup = function.startup;
                if let Some(order) = startup.before_main {
                    self.before_main.push((order, this));
                }
                if startup.after_main {
                    self.after_main.push(this);
                }
                if startup != Startup::default() {
                    self.reached.add(this);
                    new = true;
                }
            }
            self.started += 1;
        }
        new
    }

    fn summary(&self, function: FunctionRef) -> &'i Summary {
        &self.index.summaries[self.taken[function.unit]].functions[function.function.0 as usize]
    }

    fn visit(&mut self, function: FunctionRef) {
        let summary = self.summary(function);
        for name in &summary.calls {
            if let Some(callee) = self.resolve(function.unit, name) {
                self.reached.call(function, callee);
            }
        }
        self.addresses(function.unit, summary);
        for (to, passed) in &summary.passed {
            let outside = to.as_ref().is_none_or(|name| self.resolve(function.unit, name).is_none());
            if outside && let Some(callback) = self.resolve(function.unit, passed) {
                self.reached.callback(function, callback);
            }
        }
        self.globals(function.unit, summary);
    }

    fn addresses(&mut self, unit: usize, summary: &'i Summary) {
        for name in &summary.addresses {
            if let Some(target) = self.resolve(unit, name) {
                self.reached.address_taken(target);
            }
        }
    }

    /// Variables that are used bring in what they are initialised with, and the units that define them.
    fn globals(&mut self, unit: usize, summary: &'i Summary) {
        let mut work: Vec<(usize, GlobalId)> = summary.globals.iter().map(|&g| (unit, g)).collect();
        while let Some((unit, global)) = work.pop() {
            if !self.globals_seen.insert((unit, global)) {
                continue;
            }
            let over_all = self.taken[unit];
            let declared = self.index.units[over_all].global(global);
            if !declared.defined {
                if let Some(definer) = self.choose(over_all, &declared.name, &self.index.globals) {
                    let number = self.take(definer);
                    let defined =
                        self.index.units[definer].globals.iter().position(|g| g.name == declared.name);
                    work.extend(defined.and_then(|p| u32::try_from(p).ok()).map(|p| (number, GlobalId(p))));
                }
                continue;
            }
            let inner = &self.index.summaries[over_all].globals[global.0 as usize];
            self.addresses(unit, inner);
            work.extend(inner.globals.iter().map(|&g| (unit, g)));
        }
    }

    /// The definition that a name stands for when the unit calls it.
    fn resolve(&mut self, unit: usize, name: &Arc<str>) -> Option<FunctionRef> {
        let over_all = self.taken[unit];
        if let Some(&function) = self.index.units[over_all].by_name.get(name) {
            return Some(FunctionRef { unit, function });
        }
        if let Some(&known) = self.functions.get(name) {
            return Some(known);
        }
        if self.externals.contains(name) {
            return None;
        }
        let found = self.choose(over_all, name, &self.index.functions).and_then(|definer| {
            let function: FunctionId = *self.index.units[definer].by_name.get(name)?;
            Some(FunctionRef { unit: self.take(definer), function })
        });
        match found {
            Some(function) => {
                self.functions.insert(Arc::clone(name), function);
            }
            None => {
                self.externals.insert(Arc::clone(name));
            }
        }
        found
    }

    /// The unit whose definition of a name is the nearest to the unit `from` (then to the entry point).
    fn choose(
        &mut self,
        from: usize,
        name: &Arc<str>,
        definers: &FxHashMap<&str, Vec<usize>>,
    ) -> Option<usize> {
        let candidates = definers.get(&**name)?;
        let key = |&unit: &usize| {
            let other_program = unit != self.entry && self.index.summaries[unit].has_main;
            let near = |to: usize| distance(&self.index.directories[unit], &self.index.directories[to]);
            // A unit of the program already, as a linker would have it; then the nearest.
            (other_program, !self.number.contains_key(&unit), near(from), near(self.entry))
        };
        let chosen = *candidates.iter().min_by_key(|u| (key(u), **u))?;
        let best = key(&chosen);
        let equal = |unit: &&usize| **unit != chosen && key(unit) == best;
        let others: Vec<PathBuf> =
            candidates.iter().filter(equal).map(|&u| self.index.units[u].path.clone()).collect();
        if !others.is_empty() && !self.ambiguities.iter().any(|a| a.name == *name) {
            let chosen = self.index.units[chosen].path.clone();
            self.ambiguities.push(Ambiguity { name: Arc::clone(name), chosen, others });
        }
        Some(chosen)
    }

    /// Makes a unit part of the program; the result is its number.
    fn take(&mut self, unit: usize) -> usize {
        *self.number.entry(unit).or_insert_with(|| {
            self.taken.push(unit);
            self.taken.len() - 1
        })
    }
}

/// For each variable that is not `static`, the declaration that stands for all: one with an initial value, else one that
/// defines it, else the first.
fn one_of_each(units: &[Arc<Unit>]) -> FxHashMap<Arc<str>, (usize, GlobalId)> {
    let mut chosen: FxHashMap<Arc<str>, (u8, usize, GlobalId)> = FxHashMap::default();
    for (number, unit) in units.iter().enumerate() {
        for (index, global) in unit.globals.iter().enumerate().filter(|(_, g)| !g.is_static) {
            let rank = if global.init.is_some() { 0 } else { u8::from(!global.defined) + 1 };
            let id = GlobalId(u32::try_from(index).unwrap_or(u32::MAX));
            let entry = chosen.entry(Arc::clone(&global.name)).or_insert((rank, number, id));
            if rank < entry.0 {
                *entry = (rank, number, id);
            }
        }
    }
    chosen.into_iter().map(|(name, (_, number, id))| (name, (number, id))).collect()
}
