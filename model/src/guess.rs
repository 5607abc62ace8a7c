//! Guesses of who meets whom: the equations that hold of all that meet for small values of the parameters (their affine hull).
//!
//! Nothing here has to be right. What is guessed is proved afterwards, or not used.

use std::collections::{BTreeMap, BTreeSet};

use presburger::{Instance, Relation, Set};

use crate::error::Result;
use crate::operation::{Operation, Program};

/// Values of parameters that are looked at, at most.
const VALUES: usize = 12;
/// Pairs that are looked at for one choice of the parameters, at most; with more, it is left out.
const PAIRS: usize = 4_000;

/// A choice of the parameters.
pub(crate) type Values = BTreeMap<String, i64>;

/// Small values of the parameters.
pub(crate) fn samples(program: &Program) -> Result<Vec<Values>> {
    let parameters = parameters(program)?;
    let most = match parameters.len() {
        0 | 1 => 9,
        2 => 5,
        3 => 4,
        _ => 3,
    };
    if parameters.is_empty() {
        return Ok(vec![Values::new()]);
    }
    // Parameters as coordinates: then they are enumerated.
    let copies: Vec<String> = parameters.iter().map(|name| format!("of_{name}")).collect();
    let small = parameters
        .iter()
        .zip(&copies)
        .map(|(name, copy)| format!("{copy} = {name} and -1 <= {name} <= {most}"));
    let small = small.collect::<Vec<_>>().join(" and ");
    let text = format!("[{}] -> {{ [{}] : {small} }}", parameters.join(", "), copies.join(", "));
    let small = Set::parse(program.known.context(), &text)?;
    let points = small.intersect_parameters(&program.known)?.points(PAIRS)?;
    let step = points.len().div_ceil(VALUES).max(1);
    let mut values: Vec<Values> =
        points.into_iter().rev().step_by(step).map(|point| point.parameters).collect();
    values.reverse();
    Ok(values)
}

/// The parameters by their names.
fn parameters(program: &Program) -> Result<Vec<String>> {
    let mut parameters = program.known.parameters()?;
    parameters.sort_unstable();
    Ok(parameters)
}

/// The pairs of a relation for one choice of the parameters.
pub(crate) fn at(relation: &Relation, values: &Values) -> Result<Vec<(Instance, Instance)>> {
    let fixed = relation.fix_parameters(values)?;
    Ok(fixed.pairs(PAIRS)?.into_iter().map(|pair| (pair.from, pair.to)).collect())
}

/// A relation that may say who meets whom.
pub(crate) fn guess(
    program: &Program,
    sends: &[&Operation],
    receives: &[&Operation],
    candidates: &Relation,
) -> Result<Relation> {
    let of = |chosen: &[&Operation], relation: &dyn Fn(&Operation) -> Relation| {
        program.all(chosen.iter().copied(), |operation| Ok(relation(operation)))
    };
    let both = [sends, receives].concat();
    let positions = of(&both, &|operation| operation.position.clone())?;
    let processes = of(&both, &|operation| operation.process.clone())?;
    let mut seen = Relation::empty(candidates.context())?;
    for values in samples(program)? {
        let Ok(pairs) = at(candidates, &values) else { continue };
        let places: [BTreeMap<Instance, Vec<i64>>; 2] = [&processes, &positions].map(|relation| {
            at(relation, &values)
                .unwrap_or_default()
                .into_iter()
                .map(|(from, to)| (from, to.coordinates))
                .collect()
        });
        let met = Relation::listed(candidates.context(), &values, paired(&pairs, &places))?;
        seen = seen.union(&met)?.affine_hull()?;
    }
    Ok(seen)
}

/// Sends and receives that meet, where those that can meet any of several do so in order.
fn paired<'a>(
    pairs: &'a [(Instance, Instance)],
    places: &[BTreeMap<Instance, Vec<i64>>; 2],
) -> Vec<(&'a Instance, &'a Instance)> {
    let mut receives_of: BTreeMap<&Instance, BTreeSet<&Instance>> = BTreeMap::new();
    for (send, receive) in pairs {
        receives_of.entry(send).or_default().insert(receive);
    }
    let mut groups: BTreeMap<BTreeSet<&Instance>, Vec<&Instance>> = BTreeMap::new();
    for (send, receives) in receives_of {
        groups.entry(receives).or_default().push(send);
    }
    let place = |instance: &&Instance| places.each_ref().map(|places| places.get(*instance).cloned());
    let mut met = Vec::new();
    for (receives, mut sends) in groups {
        let mut receives: Vec<&Instance> = receives.into_iter().collect();
        sends.sort_by_cached_key(place);
        receives.sort_by_cached_key(place);
        met.extend(sends.into_iter().zip(receives));
    }
    met
}
