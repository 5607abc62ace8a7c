//! Constant propagation across processes (Fig. 2 of the paper).
//!
//! That a message carries its content from one process set to another, is in the values that the engine keeps anyway, for it needs
//! them to know partners and branches. This client notes where a constant arrives: at the arguments of output calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use frontend::ir::{Callee, Expr, ExprKind, Function, Inst, InstKind, Span, Type};
use frontend::program::{FunctionRef, Program, Resolution};
use lattice::{Constraints, Ranks};

use super::ranks::RankList;
use super::{At, Client, Step};
use crate::engine::Engine;
use crate::engine::join::Join;
use crate::engine::library;
use crate::engine::state::SiteId;
use crate::results::Fact;

/// The client: constant arguments by output call; `None` of a call with too many different visits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    found: BTreeMap<SiteId, Option<Vec<Visit>>>,
    /// The output calls that a function may reach.
    outputs: BTreeMap<FunctionRef, Rc<[Output]>>,
}

/// Where an output call is, and what it calls.
type Output = (FunctionRef, Span, Arc<str>);

/// Some processes at an output call.
#[derive(Clone, Debug)]
struct Visit {
    ranks: Ranks,
    facts: Constraints,
    /// Arguments that are constant, with their values.
    values: Vec<(String, i64)>,
}

/// Different visits of a call that are kept.
const VISITS: usize = 32;

impl Client for Constants {
    type Set = ();
    type Cargo = ();
    type Path = ();
    type Shape = ();

    fn transfer(&mut self, at: &mut At<'_, '_, '_>, (): &mut (), step: &Step<'_>) {
        let (name, args, values, span) = match *step {
            Step::Library { name, args, values, span } => (name, args, values, span),
            Step::Skip { cfg, blocks, .. } => {
                let insts = blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
                let calls = calls_of(at.scope.engine.program, at.scope.function, insts);
                return self.pass_over(at, calls);
            }
            Step::Passed { ref targets, .. } => {
                return self.pass_over(at, Calls { targets: targets.clone(), ..Calls::default() });
            }
            _ => return,
        };
        if !library::is_output(name) {
            return;
        }
        let scope = &*at.scope;
        let function = scope.engine.program.function(scope.function);
        let constants: Vec<(String, i64)> = args
            .iter()
            .zip(values)
            .filter(|(arg, _)| {
                matches!(scope.unit().types.get(arg.ty), Type::Int(_))
                    && !matches!(arg.strip_casts().kind, ExprKind::Int(_) | ExprKind::Constant { .. })
            })
            .filter_map(|(arg, value)| {
                let value = value.as_int()?;
                if !value.is_uniform() {
                    return None;
                }
                Some((describe(arg, function)?, scope.facts.constant(value)?))
            })
            .collect();
        let visit = Visit { ranks: scope.ranks.clone(), facts: scope.facts.clone(), values: constants };
        let site = at.scope.engine.site(at.scope.function, span, name);
        self.note(site, visit);
    }

    fn generalise(&mut self, (): &(), (): &(), _join: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}
}

/// The calls of some code.
#[derive(Default)]
struct Calls {
    /// Of functions of the program.
    targets: Vec<FunctionRef>,
    outputs: Vec<Output>,
}

fn calls_of<'a>(program: &Program, function: FunctionRef, insts: impl Iterator<Item = &'a Inst>) -> Calls {
    let mut calls = Calls::default();
    for inst in insts {
        match &inst.kind {
            InstKind::Call { callee: Callee::Direct { name, mpi: None }, .. } => {
                match program.resolve(function.unit, name) {
                    Resolution::Defined(target) => calls.targets.push(target),
                    Resolution::External if library::is_output(name) => {
                        calls.outputs.push((function, inst.span, Arc::clone(name)));
                    }
                    Resolution::External => {}
                }
            }
            InstKind::Call { callee: Callee::Indirect(_), .. } => {
                calls.targets.extend(program.indirect_targets(function));
            }
            _ => {}
        }
    }
    calls
}

impl Constants {
    fn note(&mut self, site: SiteId, visit: Visit) {
        let noted = self.found.entry(site).or_insert_with(|| Some(Vec::new()));
        let Some(visits) = noted else { return };
        if visits.iter().any(|known| known.ranks == visit.ranks && known.values == visit.values) {
            return;
        }
        if visits.len() < VISITS {
            visits.push(visit);
        } else {
            *noted = None;
        }
    }

    /// Notes visits of the output calls in code that is passed over: what these have as arguments is not known.
    fn pass_over(&mut self, at: &mut At<'_, '_, '_>, calls: Calls) {
        let scope = &mut *at.scope;
        let mut outputs = calls.outputs;
        for target in calls.targets {
            outputs.extend_from_slice(&self.reached(scope.engine.program, target));
        }
        for (function, span, name) in outputs {
            let site = scope.engine.site(function, span, &name);
            let visit = Visit { ranks: scope.ranks.clone(), facts: scope.facts.clone(), values: Vec::new() };
            self.note(site, visit);
        }
    }

    /// The output calls that a function may reach.
    fn reached(&mut self, program: &Program, function: FunctionRef) -> Rc<[Output]> {
        if let Some(known) = self.outputs.get(&function) {
            return Rc::clone(known);
        }
        let (mut work, mut seen, mut outputs) = (vec![function], BTreeSet::from([function]), Vec::new());
        while let Some(next) = work.pop() {
            let Some(cfg) = &program.function(next).body else { continue };
            let calls = calls_of(program, next, cfg.graph.node_weights().flat_map(|block| &block.insts));
            outputs.extend(calls.outputs);
            work.extend(calls.targets.into_iter().filter(|&target| seen.insert(target)));
        }
        let outputs: Rc<[Output]> = outputs.into();
        self.outputs.insert(function, Rc::clone(&outputs));
        outputs
    }

    /// What was noted, by place.
    pub(crate) fn facts(&self, engine: &Engine<'_>) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self
            .found
            .iter()
            .filter_map(|(&site, noted)| {
                let (ranks, values) = constant(engine, noted.as_ref()?)?;
                let (function, span) = engine.site_place(site);
                Some(Fact {
                    range: engine.range_of(function.unit, span),
                    function: engine.sites[site.0 as usize].operation.clone(),
                    ranks: ranks.text(engine),
                    values,
                })
            })
            .collect();
        facts.sort_by(|a, b| a.range.cmp(&b.range));
        facts
    }
}

/// The arguments that have one value whenever the processes come that have it at some time, and these.
fn constant(engine: &Engine<'_>, visits: &[Visit]) -> Option<(RankList, Vec<(String, i64)>)> {
    let has = |visit: &Visit, value: &(String, i64)| visit.values.contains(value);
    let always = |value: &(String, i64)| {
        let (with, without): (Vec<&Visit>, Vec<&Visit>) = visits.iter().partition(|visit| has(visit, value));
        without.iter().all(|other| {
            with.iter().all(|visit| {
                other.ranks.disjoint(&visit.ranks, &visit.facts)
                    && other.ranks.disjoint(&visit.ranks, &other.facts)
            })
        })
    };
    let mut values: Vec<(String, i64)> = visits.iter().flat_map(|visit| &visit.values).cloned().collect();
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()) && always(value));
    let first = values.first()?.clone();
    // Of several, those that the same processes have.
    let with =
        |value: &(String, i64)| -> Vec<bool> { visits.iter().map(|visit| has(visit, value)).collect() };
    values.retain(|value| with(value) == with(&first));
    let mut ranks = RankList::default();
    for visit in visits.iter().filter(|visit| has(visit, &first)) {
        ranks.add(engine, &visit.ranks, &visit.facts);
    }
    Some((ranks, values))
}

/// The name of the variable that an expression reads.
fn describe(expr: &Expr, function: &Function) -> Option<String> {
    match &expr.strip_casts().kind {
        ExprKind::Load(place) => function.local(place.as_local()?).name.as_ref().map(ToString::to_string),
        _ => None,
    }
}
