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

/// Pairs that meet of which a guess is made, for one choice of the parameters, about.
const MEETINGS: usize = 150;

/// Pairs of parts of sends and receives of which guesses are made, at most.
const PARTS: usize = 16;

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
    // Spread over all of them, so that no parameter has the same value in all that are chosen.
    let count = points.len();
    let chosen: BTreeSet<usize> =
        (0..VALUES.min(count)).map(|at| (at * 618 + 382) * count / 1000 % count).collect();
    let is_chosen = |at: &usize| count <= VALUES || chosen.contains(at);
    let values = points.into_iter().enumerate().filter(|(at, _)| is_chosen(at));
    Ok(values.map(|(_, point)| point.parameters).collect())
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

/// Sends and receives in the same rounds of all loops that both are in: whose positions differ in the text first, if at all. A position is
/// text, counter, text and so on.
pub(crate) fn same_rounds(sends: &Relation, receives: &Relation) -> Result<Relation> {
    let context = sends.context();
    let length = sends.parts()?.first().map_or(0, |(_, position, _)| position.length);
    let side = |name: &str| (0..length).map(|at| format!("{name}{at}")).collect::<Vec<_>>();
    let (here, there) = (side("p"), side("q"));
    let mut cases = vec![String::new()];
    cases.extend((0..length).step_by(2).map(|at| format!(" and p{at} != q{at}")));
    let cases = cases.iter().enumerate().map(|(case, differs)| {
        let before = if case == 0 { length } else { 2 * (case - 1) };
        let equal = (0..before).map(|at| format!(" and p{at} = q{at}")).collect::<String>();
        format!("[{}] -> [{}] : 0 = 0{equal}{differs}", here.join(", "), there.join(", "))
    });
    let same = Relation::parse(context, &format!("{{ {} }}", cases.collect::<Vec<_>>().join("; ")))?;
    Ok(sends.apply_range(&same)?.apply_range(&receives.inverse()?)?)
}

/// Sends or receives with what they are about.
pub(crate) struct Calls<'a> {
    pub(crate) chosen: &'a [&'a Operation],
    /// From each instance to its envelopes.
    pub(crate) envelopes: &'a Relation,
}

/// A relation that may say who meets whom, out of `candidates`. `is_certain`: each receive has one envelope. A guess is made of each pair of
/// `parts` of the sends and the receives.
pub(crate) fn guess(
    program: &Program,
    sends: &Calls<'_>,
    receives: &Calls<'_>,
    candidates: &Relation,
    is_certain: bool,
    parts: &[(Set, Set)],
) -> Result<Relation> {
    let of = |chosen: &[&Operation], relation: &dyn Fn(&Operation) -> Relation| {
        program.all(chosen.iter().copied(), |operation| Ok(relation(operation)))
    };
    let both = [sends.chosen, receives.chosen].concat();
    let positions = of(&both, &|operation| operation.position.clone())?;
    let processes = of(&both, &|operation| operation.process.clone())?;
    let mut seen = vec![Relation::empty(candidates.context())?; parts.len()];
    for values in samples(program)? {
        let places: [BTreeMap<Instance, Vec<i64>>; 2] = [&processes, &positions].map(|relation| {
            at(relation, &values)
                .unwrap_or_default()
                .into_iter()
                .map(|(from, to)| (from, to.coordinates))
                .collect()
        });
        let met = if is_certain {
            let (Ok(sent), Ok(received)) = (at(sends.envelopes, &values), at(receives.envelopes, &values))
            else {
                continue;
            };
            let mut met = in_order(&sent, &received, &places);
            // What holds of all of many rounds holds of some of them.
            let step = met.len().div_ceil(MEETINGS).max(1);
            let mut at = 0;
            met.retain(|_| {
                at += 1;
                at % step == 0
            });
            Relation::listed(candidates.context(), &values, met)?
        } else {
            let Ok(pairs) = at(candidates, &values) else { continue };
            Relation::listed(candidates.context(), &values, paired(&pairs, &places))?
        };
        for (seen, (from, to)) in seen.iter_mut().zip(parts) {
            let met = met.intersect_domain(from)?.intersect_range(to)?;
            if !met.is_empty()? {
                *seen = seen.union(&met)?.affine_hull()?;
            }
        }
    }
    let mut all = Relation::empty(candidates.context())?;
    for (seen, (from, to)) in seen.iter().zip(parts) {
        all = all.union(&seen.intersect_domain(from)?.intersect_range(to)?)?;
    }
    Ok(all)
}

/// Pairs of parts of sends and receives that can meet, each part with one conjunction of constraints. `None` where that is one pair, or there
/// are too many.
pub(crate) fn parts(sends: &Set, receives: &Set, candidates: &Relation) -> Result<Option<Vec<(Set, Set)>>> {
    let [sends, receives] = [sends.coalesce()?.conjunctions()?, receives.coalesce()?.conjunctions()?];
    let mut parts = Vec::new();
    for send in &sends {
        let of_it = candidates.intersect_domain(send)?;
        for receive in &receives {
            if !of_it.intersect_range(receive)?.is_empty()? {
                parts.push((send.clone(), receive.clone()));
            }
        }
    }
    Ok((2..=PARTS).contains(&parts.len()).then_some(parts))
}

/// Where an instance is: its process, then its position.
fn place(instance: &Instance, places: &[BTreeMap<Instance, Vec<i64>>; 2]) -> [Option<Vec<i64>>; 2] {
    places.each_ref().map(|places| places.get(instance).cloned())
}

/// Sends and receives with the same envelope, in order.
fn in_order<'a>(
    sent: &'a [(Instance, Instance)],
    received: &'a [(Instance, Instance)],
    places: &[BTreeMap<Instance, Vec<i64>>; 2],
) -> Vec<(&'a Instance, &'a Instance)> {
    let by_envelope = |calls: &'a [(Instance, Instance)]| {
        let mut all: BTreeMap<&Instance, Vec<&Instance>> = BTreeMap::new();
        for (call, envelope) in calls {
            all.entry(envelope).or_default().push(call);
        }
        all.values_mut().for_each(|calls| calls.sort_by_cached_key(|call| place(call, places)));
        all
    };
    let mut receives = by_envelope(received);
    let together = |(envelope, sends): (&Instance, Vec<&'a Instance>)| {
        let receives = receives.remove(envelope).unwrap_or_default();
        sends.into_iter().zip(receives).collect::<Vec<_>>()
    };
    by_envelope(sent).into_iter().flat_map(together).collect()
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
    let mut met = Vec::new();
    for (receives, mut sends) in groups {
        let mut receives: Vec<&Instance> = receives.into_iter().collect();
        sends.sort_by_cached_key(|send| place(send, places));
        receives.sort_by_cached_key(|receive| place(receive, places));
        met.extend(sends.into_iter().zip(receives));
    }
    met
}
