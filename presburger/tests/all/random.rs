//! Random sets and relations of a small box, as text and as the list of their points.

use std::collections::{BTreeMap, BTreeSet};

use presburger::{Context, Instance, Pair, Point, Relation, Set};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Coordinates are 0, 1, ..., and so is the parameter.
pub(crate) const SIDE: i64 = 3;
/// More points than any set here has.
pub(crate) const MANY: usize = 10_000;

/// The same inputs every time: so many, or as many times as `ANYRANK_INPUTS` says.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let times = std::env::var("ANYRANK_INPUTS").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    ProptestConfig {
        cases: cases.saturating_mul(times),
        rng_seed: RngSeed::Fixed(0x15),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A condition on up to three coordinates and the parameter.
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// Factors of the coordinates, of the parameter, a constant: the sum is not negative.
    Least([i64; 3], i64, i64),
    /// The sum is zero.
    Zero([i64; 3], i64, i64),
    /// The sum leaves this remainder when it is divided by a number.
    Remainder([i64; 3], i64, i64, i64),
    /// The quotient of the sum and a number is not greater than the first coordinate.
    Quotient([i64; 3], i64, i64),
}

/// Tuples by their number of coordinates: two of them have one.
pub(crate) const TUPLES: [(&str, usize); 3] = [("A", 1), ("B", 2), ("C", 1)];

/// Conjunctions, each of a tuple.
#[derive(Clone, Debug)]
pub(crate) struct RandomSet(pub(crate) Vec<(usize, Vec<Condition>)>);

/// Conjunctions, each of two tuples.
#[derive(Clone, Debug)]
pub(crate) struct RandomRelation(pub(crate) Vec<(usize, usize, Vec<Condition>)>);

fn condition() -> impl Strategy<Value = Condition> {
    let factors = || prop::array::uniform3(-2_i64..3);
    prop_oneof![
        3 => (factors(), -1_i64..2, -2_i64..4).prop_map(|(f, n, c)| Condition::Least(f, n, c)),
        1 => (factors(), -1_i64..2, -2_i64..3).prop_map(|(f, n, c)| Condition::Zero(f, n, c)),
        1 => (factors(), -1_i64..2, 2_i64..4).prop_flat_map(|(f, n, m)| {
            (0..m).prop_map(move |rest| Condition::Remainder(f, n, m, rest))
        }),
        1 => (factors(), -1_i64..3, 2_i64..4).prop_map(|(f, c, d)| Condition::Quotient(f, c, d)),
    ]
}

pub(crate) fn set() -> impl Strategy<Value = RandomSet> {
    let conjunct = (0..TUPLES.len(), prop::collection::vec(condition(), 0..3));
    prop::collection::vec(conjunct, 0..4).prop_map(RandomSet)
}

pub(crate) fn relation() -> impl Strategy<Value = RandomRelation> {
    let conjunct = (0..TUPLES.len(), 0..TUPLES.len(), prop::collection::vec(condition(), 0..3));
    prop::collection::vec(conjunct, 0..3).prop_map(RandomRelation)
}

/// A relation into one tuple of two coordinates without a name: a schedule.
pub(crate) fn schedule() -> impl Strategy<Value = RandomRelation> {
    let conjunct =
        (prop_oneof![Just(0_usize), Just(2)], Just(SCHEDULE), prop::collection::vec(condition(), 0..3));
    prop::collection::vec(conjunct, 1..3).prop_map(RandomRelation)
}

/// Stands for the tuple of positions.
const SCHEDULE: usize = TUPLES.len();

fn tuple(at: usize) -> (&'static str, usize) {
    if at == SCHEDULE { ("", 2) } else { TUPLES[at] }
}

impl Condition {
    fn holds(&self, x: &[i64], n: i64) -> bool {
        let sum = |f: &[i64; 3], k: i64, c: i64| f.iter().zip(x).map(|(f, x)| f * x).sum::<i64>() + k * n + c;
        match self {
            Self::Least(f, k, c) => 0 <= sum(f, *k, *c),
            Self::Zero(f, k, c) => sum(f, *k, *c) == 0,
            Self::Remainder(f, k, m, rest) => sum(f, *k, 0).rem_euclid(*m) == *rest,
            Self::Quotient(f, c, d) => sum(f, 0, *c).div_euclid(*d) <= x[0],
        }
    }

    fn text(&self, length: usize) -> String {
        let sum = |f: &[i64; 3], k: i64, c: i64| {
            let terms = f.iter().take(length).enumerate().map(|(at, f)| format!("{f}*x{at}"));
            format!("{} + {k}*n + {c}", terms.collect::<Vec<_>>().join(" + ")).replace("+ -", "- ")
        };
        match self {
            Self::Least(f, k, c) => format!("{} >= 0", sum(f, *k, *c)),
            Self::Zero(f, k, c) => format!("{} = 0", sum(f, *k, *c)),
            Self::Remainder(f, k, m, rest) => format!("({}) mod {m} = {rest}", sum(f, *k, 0)),
            Self::Quotient(f, c, d) => format!("floor(({})/{d}) <= x0", sum(f, 0, *c)),
        }
    }
}

/// All lists of so many coordinates of the box.
fn lists(length: usize) -> Vec<Vec<i64>> {
    let mut lists = vec![Vec::new()];
    for _ in 0..length {
        lists = lists.iter().flat_map(|list| (0..SIDE).map(|x| [&list[..], &[x]].concat())).collect();
    }
    lists
}

fn conditions_text(conditions: &[Condition], length: usize) -> String {
    let mut all: Vec<String> = (0..length).map(|at| format!("0 <= x{at} < {SIDE}")).collect();
    all.push(format!("0 <= n < {SIDE}"));
    all.extend(conditions.iter().map(|condition| condition.text(length)));
    all.join(" and ")
}

fn tuple_text((name, length): (&str, usize), first: usize) -> String {
    let coordinates: Vec<String> = (first..first + length).map(|at| format!("x{at}")).collect();
    format!("{name}[{}]", coordinates.join(", "))
}

fn parameters(n: i64) -> BTreeMap<String, i64> {
    BTreeMap::from([("n".to_owned(), n)])
}

pub(crate) fn instance(name: &str, coordinates: &[i64]) -> Instance {
    Instance { name: name.to_owned(), coordinates: coordinates.to_vec() }
}

impl RandomSet {
    pub(crate) fn text(&self) -> String {
        let part = |(at, conditions): &(usize, Vec<Condition>)| {
            format!("{} : {}", tuple_text(TUPLES[*at], 0), conditions_text(conditions, TUPLES[*at].1))
        };
        format!("[n] -> {{ {} }}", self.0.iter().map(part).collect::<Vec<_>>().join("; "))
    }

    pub(crate) fn parse(&self, context: &Context) -> Set {
        Set::parse(context, &self.text()).expect("the text is a set")
    }

    pub(crate) fn points(&self) -> BTreeSet<Point> {
        let mut points = BTreeSet::new();
        for (at, conditions) in &self.0 {
            let (name, length) = TUPLES[*at];
            for x in lists(length) {
                for n in (0..SIDE).filter(|n| conditions.iter().all(|condition| condition.holds(&x, *n))) {
                    points.insert(Point { parameters: parameters(n), instance: instance(name, &x) });
                }
            }
        }
        points
    }
}

impl RandomRelation {
    pub(crate) fn text(&self) -> String {
        let part = |(from, to, conditions): &(usize, usize, Vec<Condition>)| {
            let (from, to) = (tuple(*from), tuple(*to));
            let (left, right) = (tuple_text(from, 0), tuple_text(to, from.1));
            format!("{left} -> {right} : {}", conditions_text(conditions, from.1 + to.1))
        };
        format!("[n] -> {{ {} }}", self.0.iter().map(part).collect::<Vec<_>>().join("; "))
    }

    pub(crate) fn parse(&self, context: &Context) -> Relation {
        Relation::parse(context, &self.text()).expect("the text is a relation")
    }

    pub(crate) fn pairs(&self) -> BTreeSet<Pair> {
        let mut pairs = BTreeSet::new();
        for (from, to, conditions) in &self.0 {
            let (from, to) = (tuple(*from), tuple(*to));
            for x in lists(from.1 + to.1) {
                for n in (0..SIDE).filter(|n| conditions.iter().all(|condition| condition.holds(&x, *n))) {
                    let (left, right) = x.split_at(from.1);
                    pairs.insert(Pair {
                        parameters: parameters(n),
                        from: instance(from.0, left),
                        to: instance(to.0, right),
                    });
                }
            }
        }
        pairs
    }
}

/// The points of a set of isl's. Parameters that it does not have may have any value of the box.
pub(crate) fn points_of(set: &Set) -> BTreeSet<Point> {
    let all = Set::parse(set.context(), &format!("[n] -> {{ : 0 <= n < {SIDE} }}")).expect("it is a set");
    let set = set.intersect_parameters(&all).expect("small");
    set.points(MANY).expect("it is bounded").into_iter().collect()
}

pub(crate) fn pairs_of(relation: &Relation) -> BTreeSet<Pair> {
    let all =
        Set::parse(relation.context(), &format!("[n] -> {{ : 0 <= n < {SIDE} }}")).expect("it is a set");
    let relation = relation.intersect_parameters(&all).expect("small");
    relation.pairs(MANY).expect("it is bounded").into_iter().collect()
}
