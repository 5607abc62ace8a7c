//! Uniformity: which arguments of MPI calls and which branch conditions have one value on every rank that comes there.
//!
//! Whether the members of one process set agree is in their values. Sets that come to a place one after the other agree when they
//! bring the same expression over quantities that do not change: numbers, the number of processes, inputs of the program.

use std::collections::BTreeMap;
use std::sync::Arc;

use frontend::mpi::Direction;
use lattice::{Constraints, Linear, Ranks, Truth};

use super::ranks::RankList;
use super::{At, Client, Step};
use crate::engine::Engine;
use crate::engine::eval::Scope;
use crate::engine::join::Join;
use crate::engine::process_counts::Counts;
use crate::engine::state::SiteId;
use crate::engine::value::Value;
use crate::results::{Agreement, Uniform};

/// The client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uniformity {
    wanted: bool,
    /// By call or branch, and index of the argument.
    found: BTreeMap<(SiteId, usize), Noted>,
}

/// One argument or condition.
#[derive(Clone, Debug)]
struct Noted {
    name: &'static str,
    /// What each process set has brought.
    visits: Vec<Visit>,
}

#[derive(Clone, Debug)]
struct Visit {
    ranks: Ranks,
    facts: Constraints,
    saw: Saw,
}

/// The values of one argument on the members of one set, over all its visits.
#[derive(Clone, Debug, PartialEq)]
enum Saw {
    /// Always this.
    Always(Linear),
    /// Always this object.
    Object(Arc<str>),
    /// One value for all members at each visit.
    Shared,
    /// Different values on different members.
    Different,
    Unknown,
}

impl Uniformity {
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, ..Self::default() }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted
    }

    fn note(&mut self, scope: &Scope<'_, '_>, key: (SiteId, usize), name: &'static str, value: &Value) {
        let saw = seen(scope, value);
        let facts: &Constraints = scope.facts;
        let noted = self.found.entry(key).or_insert_with(|| Noted { name, visits: Vec::new() });
        let known = noted
            .visits
            .iter_mut()
            .find(|visit| visit.ranks == *scope.ranks || visit.ranks.same(scope.ranks, scope.facts));
        match known {
            Some(visit) if visit.saw == saw => {}
            Some(visit) => {
                visit.saw = match (&visit.saw, &saw) {
                    (Saw::Different, _) | (_, Saw::Different) => Saw::Different,
                    (Saw::Unknown, _) | (_, Saw::Unknown) => Saw::Unknown,
                    (Saw::Always(a), Saw::Always(b)) if facts.eq(a, b) == Truth::Yes => return,
                    _ => Saw::Shared,
                };
            }
            None => {
                let (ranks, facts) = (scope.ranks.clone(), scope.facts.clone());
                noted.visits.push(Visit { ranks, facts, saw });
            }
        }
    }

    /// What was found, by place and argument; `None` if nobody has asked.
    pub(crate) fn report(&self, engine: &Engine<'_>) -> Option<Vec<Uniform>> {
        if !self.wanted {
            return None;
        }
        let mut report: Vec<(usize, Uniform)> = self
            .found
            .iter()
            .map(|(&(site, index), noted)| {
                let (function, span) = engine.site_place(site);
                let mut ranks = RankList::default();
                noted.visits.iter().for_each(|visit| ranks.add(engine, &visit.ranks, &visit.facts));
                let uniform = Uniform {
                    range: engine.range_of(function.unit, span),
                    operation: engine.sites[site.0 as usize].operation.clone(),
                    argument: noted.name.to_owned(),
                    ranks: ranks.text(engine),
                    agreement: agreement(engine, &noted.visits),
                };
                (index, uniform)
            })
            .collect();
        report.sort_by(|(i, a), (j, b)| (&a.range, &a.operation, i).cmp(&(&b.range, &b.operation, j)));
        Some(report.into_iter().map(|(_, uniform)| uniform).collect())
    }
}

/// What the members of a set have in common in a value.
fn seen(scope: &Scope<'_, '_>, value: &Value) -> Saw {
    let engine = &*scope.engine;
    let expression = match value {
        Value::Int(value) => engine.presentable(value, scope.facts),
        Value::Same(symbol) => (*symbol).into(),
        Value::Name(name) => return Saw::Object(Arc::clone(name)),
        Value::Comm(communicator) => return Saw::Object(Arc::clone(&communicator.name)),
        _ if value.is_uniform() => return Saw::Shared,
        _ => return Saw::Unknown,
    };
    if !expression.is_uniform() {
        let several = scope.ranks.digits().iter().any(|digit| {
            digit.lo.offset(1).is_some_and(|next| scope.facts.le(&next, &digit.hi) == Truth::Yes)
        });
        return if several { Saw::Different } else { Saw::Unknown };
    }
    if expression.symbols().all(|symbol| engine.symbols.is_stable(symbol)) {
        Saw::Always(expression)
    } else {
        Saw::Shared
    }
}

/// Whether all sets that came to a place brought the same.
fn agreement(engine: &Engine<'_>, visits: &[Visit]) -> Agreement {
    let any = |saw: &Saw| visits.iter().any(|visit| visit.saw == *saw);
    if any(&Saw::Different) {
        return Agreement::Differs;
    }
    if any(&Saw::Unknown) {
        return Agreement::Unknown;
    }
    let pairs = || visits.iter().enumerate().flat_map(|(i, a)| visits[..i].iter().map(move |b| (a, b)));
    if pairs().any(|(a, b)| is_different(a, b)) {
        return Agreement::Differs;
    }
    if pairs().all(|(a, b)| is_equal(a, b)) {
        let value = match visits.first().map(|visit| &visit.saw) {
            Some(Saw::Always(value)) => engine.symbols.display(value),
            Some(Saw::Object(name)) => Some(name.to_string()),
            _ => None,
        };
        // One set that changes its value from visit to visit still agrees with itself; of several nobody can tell.
        return Agreement::Same(value);
    }
    let is_world = |visit: &Visit| Ranks::world().same(&visit.ranks, &visit.facts);
    if visits.iter().all(is_world) { Agreement::Same(None) } else { Agreement::Unknown }
}

fn is_equal(a: &Visit, b: &Visit) -> bool {
    match (&a.saw, &b.saw) {
        (Saw::Always(x), Saw::Always(y)) => {
            x == y || a.facts.eq(x, y) == Truth::Yes || b.facts.eq(x, y) == Truth::Yes
        }
        (Saw::Object(x), Saw::Object(y)) => x == y,
        _ => false,
    }
}

/// Whether two sets of one run have always brought different values.
fn is_different(a: &Visit, b: &Visit) -> bool {
    let (mine, theirs) = (Counts::of(&a.facts), Counts::of(&b.facts));
    let reaches =
        |a: &Counts, b: &Counts| a.most().is_none_or(|most| b.least().is_some_and(|least| least <= most));
    let overlap = reaches(&mine, &theirs) && reaches(&theirs, &mine);
    let apart = a.ranks.disjoint(&b.ranks, &a.facts) || a.ranks.disjoint(&b.ranks, &b.facts);
    match (&a.saw, &b.saw) {
        (Saw::Always(x), Saw::Always(y)) => {
            overlap && apart && a.facts.eq(x, y) == Truth::No && b.facts.eq(x, y) == Truth::No
        }
        (Saw::Object(x), Saw::Object(y)) => overlap && apart && x != y,
        _ => false,
    }
}

impl Client for Uniformity {
    type Set = ();
    type Cargo = ();
    type Path = ();
    type Shape = ();

    fn transfer(&mut self, at: &mut At<'_, '_, '_>, (): &mut (), step: &Step<'_>) {
        if !self.wanted {
            return;
        }
        match step {
            Step::Mpi { call, .. } => {
                let function = at.scope.function;
                let site = at.scope.engine.site(function, call.span, call.mpi.name);
                for (index, (param, value)) in call.mpi.params.iter().zip(call.values).enumerate() {
                    if param.direction == Direction::In && !param.is_pointer() && !param.is_array() {
                        self.note(at.scope, (site, index), param.name, value);
                    }
                }
            }
            Step::Branch { value, .. } => {
                let site = at.scope.engine.site(at.scope.function, at.span, "branch");
                self.note(at.scope, (site, 0), "condition", value);
            }
            _ => {}
        }
    }

    fn generalise(&mut self, (): &(), (): &(), _join: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}
}
