//! Guesses of who meets whom: what happens for small values of the parameters, as affine relations.
//!
//! Nothing here has to be right. What is guessed is proved afterwards, or not used.

use std::collections::{BTreeMap, BTreeSet};

use presburger::{Constraint, Context, Instance, Names, Relation, Set};

use crate::error::Result;
use crate::operation::{Operation, Program};

/// Values of parameters that are looked at, at most.
const VALUES: usize = 12;
/// Pairs that are looked at for one choice of the parameters, at most; with more, it is left out.
const PAIRS: usize = 4_000;

type Values = BTreeMap<String, i64>;

/// A row of a linear system: what is known of a send (a one, parameters, coordinates), and a coordinate of its receive.
type Row = (Vec<i64>, i64);

/// The systems of the coordinates of the receives that the sends of one operation meet, and how many coordinates such a send has.
struct Systems {
    coordinates: usize,
    of_receive: Vec<Vec<Row>>,
}

/// Small values of the parameters.
fn samples(program: &Program) -> Result<Vec<Values>> {
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

fn at(relation: &Relation, values: &Values) -> Result<Vec<(Instance, Instance)>> {
    let mut fixed = relation.clone();
    for (name, &value) in values {
        fixed = fixed.fix_parameter(name, value)?;
    }
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
    let mut systems: BTreeMap<(String, String), Systems> = BTreeMap::new();
    for values in samples(program)? {
        let Ok(pairs) = at(candidates, &values) else { continue };
        let places: [BTreeMap<Instance, Vec<i64>>; 2] = [&processes, &positions].map(|relation| {
            at(relation, &values)
                .unwrap_or_default()
                .into_iter()
                .map(|(from, to)| (from, to.coordinates))
                .collect()
        });
        for (send, receive) in paired(&pairs, &places) {
            let known: Vec<i64> = [1]
                .into_iter()
                .chain(values.values().copied())
                .chain(send.coordinates.iter().copied())
                .collect();
            let names = (send.name.clone(), receive.name.clone());
            let system = systems.entry(names).or_insert_with(|| Systems {
                coordinates: send.coordinates.len(),
                of_receive: vec![Vec::new(); receive.coordinates.len()],
            });
            for (rows, &coordinate) in system.of_receive.iter_mut().zip(&receive.coordinates) {
                rows.push((known.clone(), coordinate));
            }
        }
    }
    let parameters = parameters(program)?;
    let mut guess = Relation::empty(candidates.context())?;
    for ((send, receive), system) in systems {
        let solved: Option<Vec<(Vec<i64>, i64)>> =
            system.of_receive.iter().map(|rows| solved(rows)).collect();
        let Some(solved) = solved else { continue };
        let part =
            relation(candidates.context(), &parameters, (&send, system.coordinates), &receive, &solved)?;
        guess = guess.union(&part)?;
    }
    Ok(guess)
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

/// Factors and a divisor with `divisor * coordinate = sum of factors * known` in all rows, if there are any.
fn solved(rows: &[Row]) -> Option<(Vec<i64>, i64)> {
    let width = rows.first()?.0.len();
    // Rows in echelon form, without fractions: each is divided by what its numbers have in common.
    let mut echelon: Vec<(usize, Vec<i128>)> = Vec::new();
    for (known, coordinate) in rows {
        let mut row: Vec<i128> = known.iter().chain([coordinate]).map(|&number| number.into()).collect();
        for (pivot, other) in &echelon {
            eliminate(&mut row, other, *pivot)?;
        }
        match row.iter().position(|&number| number != 0) {
            None => {}
            Some(pivot) if pivot == width => return None,
            Some(pivot) => {
                for (_, other) in &mut echelon {
                    eliminate(other, &row, pivot)?;
                }
                echelon.push((pivot, row));
            }
        }
    }
    // What no row says anything about has the factor zero.
    let divisor = echelon.iter().try_fold(1_i128, |divisor, (pivot, row)| {
        let factor = row[*pivot].abs();
        let common = greatest_common_divisor(divisor, factor);
        (divisor / common).checked_mul(factor)
    })?;
    let mut factors = vec![0_i64; width];
    for (pivot, row) in &echelon {
        factors[*pivot] = i64::try_from(row[width].checked_mul(divisor / row[*pivot])?).ok()?;
    }
    Some((factors, i64::try_from(divisor).ok()?))
}

/// Takes so many times another row that a column becomes zero.
fn eliminate(row: &mut [i128], other: &[i128], pivot: usize) -> Option<()> {
    let (ours, theirs) = (row[pivot], other[pivot]);
    if ours == 0 {
        return Some(());
    }
    for (number, other) in row.iter_mut().zip(other) {
        *number = number.checked_mul(theirs)?.checked_sub(other.checked_mul(ours)?)?;
    }
    let common = row.iter().fold(0, |common, &number| greatest_common_divisor(common, number.abs()));
    if common > 1 {
        row.iter_mut().for_each(|number| *number /= common);
    }
    Some(())
}

fn greatest_common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

/// The relation that solved systems are.
fn relation(
    context: &Context,
    parameters: &[String],
    (send, length): (&str, usize),
    receive: &str,
    solved: &[(Vec<i64>, i64)],
) -> Result<Relation> {
    let names =
        |what: &str, count: usize| (0..count).map(|at| format!("{what}_{at}")).collect::<Vec<String>>();
    let (from, to) = (names("from", length), names("to", solved.len()));
    let constraints: Vec<Constraint> = solved
        .iter()
        .enumerate()
        .map(|(at, (factors, divisor))| {
            // The first factor is that of one. Of the coordinates of the receive, the one that is said has a factor.
            let own = (0..solved.len()).map(|other| if other == at { -divisor } else { 0 });
            Constraint {
                is_equation: true,
                factors: factors[1..].iter().copied().chain(own).collect(),
                constant: factors[0],
            }
        })
        .collect();
    let (from, to) = (borrowed(&from), borrowed(&to));
    let from = Names { tuple: send, coordinates: &from };
    let to = Names { tuple: receive, coordinates: &to };
    Ok(Relation::of(context, &borrowed(parameters), &from, &to, 0, &constraints)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_all_rows_is_found_and_nothing_else() {
        let rows = |of: &dyn Fn(i64, i64) -> i64| -> Vec<Row> {
            (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).map(|(a, b)| (vec![1, a, b], of(a, b))).collect()
        };
        assert_eq!(solved(&rows(&|a, b| 2 * a - b + 3)), Some((vec![3, 2, -1], 1)));
        assert_eq!(solved(&rows(&|_, _| 4)), Some((vec![4, 0, 0], 1)));
        assert_eq!(solved(&rows(&|a, b| a * b)), None);
        let halves: Vec<Row> = (0..4).map(|i| (vec![1, 2 * i], i)).collect();
        assert_eq!(solved(&halves), Some((vec![0, 1], 2)));
    }
}
