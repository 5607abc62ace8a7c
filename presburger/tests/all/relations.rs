//! Operations on relations against their definitions, pair by pair.

use std::collections::{BTreeMap, BTreeSet};

use presburger::{Context, Instance, Pair, Point, Relation, Set};
use proptest::prelude::*;

use super::random::{MANY, cases, pairs_of, points_of, relation, schedule, set};

type Pairs = BTreeSet<Pair>;

fn pair(parameters: &BTreeMap<String, i64>, from: &Instance, to: &Instance) -> Pair {
    Pair { parameters: parameters.clone(), from: from.clone(), to: to.clone() }
}

/// What becomes of two pairs for the same value of the parameter.
fn joined(a: &Pairs, b: &Pairs, join: impl Fn(&Pair, &Pair) -> Option<(Instance, Instance)>) -> Pairs {
    let all =
        a.iter().flat_map(|x| b.iter().map(move |y| (x, y))).filter(|(x, y)| x.parameters == y.parameters);
    all.filter_map(|(x, y)| join(x, y).map(|(from, to)| pair(&x.parameters, &from, &to))).collect()
}

fn points(pairs: &Pairs, of: impl Fn(&Pair) -> Instance) -> BTreeSet<Point> {
    pairs.iter().map(|pair| Point { parameters: pair.parameters.clone(), instance: of(pair) }).collect()
}

fn same_name(x: &Instance, y: &Instance) -> bool {
    x.name == y.name
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn boolean_operations(a in relation(), b in relation()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.pairs(), b.pairs());
        prop_assert_eq!(&pairs_of(&x), &a);
        prop_assert_eq!(pairs_of(&x.union(&y)?), &a | &b);
        prop_assert_eq!(pairs_of(&x.intersect(&y)?), &a & &b);
        prop_assert_eq!(pairs_of(&x.subtract(&y)?), &a - &b);
        prop_assert_eq!(x.is_empty()?, a.is_empty());
        prop_assert_eq!(x.is_subset(&y)?, a.is_subset(&b));
        prop_assert_eq!(x.is_equal(&y)?, a == b);
        prop_assert_eq!(x.is_disjoint(&y)?, a.is_disjoint(&b));
    }

    #[test]
    fn composition(a in relation(), b in relation()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.pairs(), b.pairs());
        let then = joined(&a, &b, |x, y| (x.to == y.from).then(|| (x.from.clone(), y.to.clone())));
        prop_assert_eq!(pairs_of(&x.apply_range(&y)?), then);
        let renamed = joined(&a, &b, |x, y| (x.from == y.from).then(|| (y.to.clone(), x.to.clone())));
        prop_assert_eq!(pairs_of(&x.apply_domain(&y)?), renamed);
        let inverse = a.iter().map(|x| pair(&x.parameters, &x.to, &x.from)).collect();
        prop_assert_eq!(pairs_of(&x.inverse()?), inverse);
        prop_assert!(x.inverse()?.inverse()?.is_equal(&x)?);
        // Names are lost where tuples are joined.
        let flat = |x: &Pair, y: &Pair| {
            let coordinates = [&x.to.coordinates[..], &y.to.coordinates[..]].concat();
            (x.from == y.from).then(|| (x.from.clone(), Instance { name: String::new(), coordinates }))
        };
        prop_assert_eq!(pairs_of(&x.flat_range_product(&y)?), joined(&a, &b, flat));
    }

    #[test]
    fn domain_and_range(a in relation(), s in set()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), s.parse(&context));
        let (a, s) = (a.pairs(), s.points());
        prop_assert_eq!(points_of(&x.domain()?), points(&a, |pair| pair.from.clone()));
        prop_assert_eq!(points_of(&x.range()?), points(&a, |pair| pair.to.clone()));
        let has = |pair: &Pair, instance: &Instance| s.contains(&Point { parameters: pair.parameters.clone(), instance: instance.clone() });
        let kept = |keeps: &dyn Fn(&Pair) -> bool| a.iter().filter(|pair| keeps(pair)).cloned().collect::<Pairs>();
        prop_assert_eq!(pairs_of(&x.intersect_domain(&y)?), kept(&|pair| has(pair, &pair.from)));
        prop_assert_eq!(pairs_of(&x.intersect_range(&y)?), kept(&|pair| has(pair, &pair.to)));
        prop_assert_eq!(pairs_of(&x.subtract_domain(&y)?), kept(&|pair| !has(pair, &pair.from)));
        prop_assert_eq!(pairs_of(&x.subtract_range(&y)?), kept(&|pair| !has(pair, &pair.to)));
        let within: Pairs = kept(&|pair| same_name(&pair.from, &pair.to));
        let difference = |pair: &Pair| {
            let coordinates = pair.from.coordinates.iter().zip(&pair.to.coordinates).map(|(x, y)| y - x);
            Instance { name: pair.from.name.clone(), coordinates: coordinates.collect() }
        };
        prop_assert_eq!(points_of(&x.deltas()?), points(&within, difference));
        prop_assert!(x.wrap()?.unwrap_pairs()?.is_equal(&x)?);
        prop_assert_eq!(points_of(&x.wrap()?).len(), a.len());
    }

    #[test]
    fn functions(a in relation()) {
        let context = Context::new()?;
        let x = a.parse(&context);
        let a = a.pairs();
        let sources = points(&a, |pair| pair.from.clone()).len();
        let targets = points(&a, |pair| pair.to.clone()).len();
        prop_assert_eq!(x.is_single_valued()?, sources == a.len());
        prop_assert_eq!(x.is_injective()?, targets == a.len());
        prop_assert_eq!(x.is_bijective()?, sources == a.len() && targets == a.len());
        let beside = |x: &Pair, y: &Pair| x.parameters == y.parameters && x.from == y.from && same_name(&x.to, &y.to);
        let least = a.iter().filter(|x| !a.iter().any(|y| beside(x, y) && y.to < x.to)).cloned().collect();
        let greatest = a.iter().filter(|x| !a.iter().any(|y| beside(x, y) && x.to < y.to)).cloned().collect();
        prop_assert_eq!(pairs_of(&x.lexicographic_minimum()?), least);
        prop_assert_eq!(pairs_of(&x.lexicographic_maximum()?), greatest);
    }

    #[test]
    fn other_spellings_of_a_relation(a in relation(), b in relation()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let a = a.pairs();
        prop_assert!(x.coalesce()?.is_equal(&x)?);
        prop_assert!(x.gist(&y)?.intersect(&y)?.is_equal(&x.intersect(&y)?)?);
        let known = y.parameter_domain()?;
        prop_assert!(x.gist_parameters(&known)?.intersect_parameters(&known)?.is_equal(&x.intersect_parameters(&known)?)?);
        prop_assert!(a.is_subset(&pairs_of(&x.simple_hull()?)));
        prop_assert!(x.is_subset(&x.affine_hull()?)?);
        let text = x.to_string();
        prop_assert!(Relation::parse(&context, &text)?.is_equal(&x)?, "{}", text);
        let mut all = Relation::empty(&context)?;
        for (from, to, part) in x.parts()? {
            prop_assert!(part.pairs(MANY)?.iter().all(|pair| pair.from.name == from.name && pair.to.name == to.name));
            all = all.union(&part)?;
        }
        prop_assert!(all.is_equal(&x)?);
        let fixed = a.iter().filter(|pair| pair.parameters["n"] == 1).cloned().collect();
        prop_assert_eq!(pairs_of(&x.fix_parameters(&BTreeMap::from([("n".to_owned(), 1)]))?), fixed);
        let shorter = |cut: &dyn Fn(&mut Pair)| a.iter().cloned().map(|mut pair| { cut(&mut pair); pair }).collect::<Pairs>();
        prop_assert_eq!(pairs_of(&x.project_out_domain(0..1)?), shorter(&|pair| { pair.from.coordinates.remove(0); }));
        prop_assert_eq!(pairs_of(&x.project_out_range(0..1)?), shorter(&|pair| { pair.to.coordinates.remove(0); }));
        let anywhere = |pairs: Pairs| pairs.into_iter().map(|pair| (pair.from, pair.to)).collect::<BTreeSet<_>>();
        prop_assert_eq!(anywhere(x.project_out_parameter("n")?.pairs(MANY)?.into_iter().collect()), anywhere(a));
    }
}

proptest! {
    #![proptest_config(cases(30))]

    #[test]
    fn positions(a in schedule(), b in schedule()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.pairs(), b.pairs());
        let ends = |x: &Pair, y: &Pair| (x.from.clone(), y.from.clone());
        prop_assert_eq!(pairs_of(&x.lex_lt(&y)?), joined(&a, &b, |x, y| (x.to < y.to).then(|| ends(x, y))));
        prop_assert_eq!(pairs_of(&x.lex_le(&y)?), joined(&a, &b, |x, y| (x.to <= y.to).then(|| ends(x, y))));
        prop_assert_eq!(pairs_of(&x.same_position(&y)?), joined(&a, &b, |x, y| (x.to == y.to).then(|| ends(x, y))));
    }
}

#[test]
fn positions_of_different_lengths_are_not_compared() {
    let context = Context::new().expect("there is memory");
    let schedule = Relation::parse(&context, "{ A[i] -> [i]; B[i] -> [i, 0] }").expect("it is a relation");
    assert!(schedule.lex_lt(&schedule).is_err());
    assert!(schedule.lex_le(&schedule).is_err());
}

#[test]
fn contexts_are_kept_apart() {
    let (here, there) = (Context::new().expect("there is memory"), Context::new().expect("there is memory"));
    let (a, b) =
        (Set::parse(&here, "{ A[0] }").expect("a set"), Set::parse(&there, "{ A[0] }").expect("a set"));
    assert_eq!(a.union(&b).err(), Some(presburger::Error::Contexts));
    assert_eq!(a.is_equal(&b).err(), Some(presburger::Error::Contexts));
    assert_eq!(a.cross(&b).err(), Some(presburger::Error::Contexts));
    assert_eq!(a.identity().and_then(|a| a.intersect_domain(&b)).err(), Some(presburger::Error::Contexts));
}

#[test]
fn what_is_simplified_is_the_same() {
    let context = Context::new().expect("there is memory");
    let text =
        "[n] -> { A[i] -> B[j] : exists (a, b : i = 2a + j and i = 2b + j and 0 <= i < n and 0 <= j <= i) }";
    let relation = Relation::parse(&context, text).expect("it is a relation");
    let simplified = relation.simplified().expect("it is small");
    assert!(simplified.is_equal(&relation).expect("it is small"));
    assert_eq!(
        simplified.to_string(),
        "[n] -> { A[i] -> B[j] : 0 <= i < n and 0 <= j <= i and (i + j) mod 2 = 0 }"
    );
}
