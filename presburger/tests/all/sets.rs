//! Operations on sets against their definitions, point by point.

use std::collections::{BTreeMap, BTreeSet};

use presburger::{Context, Pair, Point, Set};
use proptest::prelude::*;

use super::random::{SIDE, cases, pairs_of, points_of, relation, set};

fn n(point: &Point) -> i64 {
    point.parameters["n"]
}

/// Pairs of points for the same value of the parameter that something is true of.
fn pairs(a: &BTreeSet<Point>, b: &BTreeSet<Point>, holds: impl Fn(&Point, &Point) -> bool) -> BTreeSet<Pair> {
    let of = |x: &Point, y: &Point| Pair {
        parameters: x.parameters.clone(),
        from: x.instance.clone(),
        to: y.instance.clone(),
    };
    let all = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    all.filter(|(x, y)| n(x) == n(y) && holds(x, y)).map(|(x, y)| of(x, y)).collect()
}

fn is_same_tuple(x: &Point, y: &Point) -> bool {
    x.instance.name == y.instance.name
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn boolean_operations(a in set(), b in set()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.points(), b.points());
        prop_assert_eq!(&points_of(&x), &a);
        prop_assert_eq!(points_of(&x.union(&y)?), &a | &b);
        prop_assert_eq!(points_of(&x.intersect(&y)?), &a & &b);
        prop_assert_eq!(points_of(&x.subtract(&y)?), &a - &b);
        prop_assert_eq!(x.is_empty()?, a.is_empty());
        prop_assert_eq!(x.is_subset(&y)?, a.is_subset(&b));
        prop_assert_eq!(x.is_equal(&y)?, a == b);
        prop_assert_eq!(x.is_disjoint(&y)?, a.is_disjoint(&b));
        prop_assert!(x.union(&y)?.is_equal(&y.union(&x)?)?);
        prop_assert!(x.subtract(&x)?.is_empty()?);
    }

    #[test]
    fn other_spellings_of_a_set(a in set(), b in set()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let a = a.points();
        prop_assert!(x.coalesce()?.is_equal(&x)?);
        prop_assert!(x.gist(&y)?.intersect(&y)?.is_equal(&x.intersect(&y)?)?);
        let known = y.parameter_domain()?;
        prop_assert!(x.gist_parameters(&known)?.intersect_parameters(&known)?.is_equal(&x.intersect_parameters(&known)?)?);
        prop_assert!(a.is_subset(&points_of(&x.simple_hull()?)));
        let text = x.to_string();
        prop_assert!(Set::parse(&context, &text)?.is_equal(&x)?, "{}", text);
        let mut all = Set::empty(&context)?;
        for (tuple, part) in x.parts()? {
            prop_assert!(points_of(&part).iter().all(|p| p.instance.name == tuple.name && p.instance.coordinates.len() == tuple.length));
            all = all.union(&part)?;
        }
        prop_assert!(all.is_equal(&x)?);
    }

    #[test]
    fn orders(a in set(), b in set()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.points(), b.points());
        let is_less = |x: &Point, y: &Point| is_same_tuple(x, y) && x.instance < y.instance;
        prop_assert_eq!(pairs_of(&x.lex_lt(&y)?), pairs(&a, &b, is_less));
        prop_assert_eq!(pairs_of(&x.lex_le(&y)?), pairs(&a, &b, |x, y| is_less(x, y) || x.instance == y.instance));
        let has_less = |x: &&Point| a.iter().any(|y| n(x) == n(y) && is_less(y, x));
        let has_more = |x: &&Point| a.iter().any(|y| n(x) == n(y) && is_less(x, y));
        prop_assert_eq!(points_of(&x.lexicographic_minimum()?), a.iter().filter(|x| !has_less(x)).cloned().collect());
        prop_assert_eq!(points_of(&x.lexicographic_maximum()?), a.iter().filter(|x| !has_more(x)).cloned().collect());
        prop_assert_eq!(pairs_of(&x.identity()?), pairs(&a, &a, |x, y| x == y));
        prop_assert_eq!(pairs_of(&x.cross(&y)?), pairs(&a, &b, |_, _| true));
    }

    #[test]
    fn parameters(a in set(), b in set(), value in 0..SIDE) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.points(), b.points());
        let values = |points: &BTreeSet<Point>| points.iter().map(n).collect::<BTreeSet<i64>>();
        prop_assert_eq!(values(&points_of(&x.parameter_domain()?)), values(&a));
        let known = values(&b);
        prop_assert_eq!(points_of(&x.intersect_parameters(&y)?), a.iter().filter(|x| known.contains(&n(x))).cloned().collect());
        prop_assert_eq!(points_of(&x.fix_parameters(&BTreeMap::from([("n".to_owned(), value)]))?), a.iter().filter(|x| n(x) == value).cloned().collect());
        let instances = |points: &BTreeSet<Point>| points.iter().map(|p| p.instance.clone()).collect::<BTreeSet<_>>();
        let without = x.project_out_parameter("n")?;
        prop_assert!(!without.parameters()?.contains(&"n".to_owned()));
        prop_assert_eq!(instances(&without.points(super::random::MANY)?.into_iter().collect()), instances(&a));
        prop_assert!(x.project_out_parameter("unknown")?.is_equal(&x)?);
    }

    #[test]
    fn projection_and_image(a in set(), r in relation()) {
        let context = Context::new()?;
        let (x, map) = (a.parse(&context), r.parse(&context));
        let (a, r) = (a.points(), r.pairs());
        let mut short = BTreeSet::new();
        for mut point in a.clone() {
            point.instance.coordinates.remove(0);
            short.insert(point);
        }
        prop_assert_eq!(points_of(&x.project_out(0..1)?), short);
        prop_assert!(x.is_empty()? || x.project_out(0..5).is_err());
        let is_of = |pair: &&Pair| a.iter().any(|p| p.instance == pair.from && p.parameters == pair.parameters);
        let image = r.iter().filter(is_of).map(|pair| Point { parameters: pair.parameters.clone(), instance: pair.to.clone() });
        prop_assert_eq!(points_of(&x.apply(&map)?), image.collect());
    }
}

#[test]
fn sets_of_parameters_alone_are_conditions() {
    let context = Context::new().expect("there is memory");
    let set = |text: &str| Set::parse(&context, text).expect(text);
    let ring = set("[np] -> { S[r] : 0 <= r < np }");
    let is_empty = |set: presburger::Result<Set>| set.and_then(|set| set.is_empty());
    for never in ["{ }", "[np] -> { : 2 <= np <= 1 }", "[np] -> { S[r] : r < r }"] {
        let known = set(never);
        assert_eq!(is_empty(ring.intersect_parameters(&known)), Ok(true), "{never}");
        assert_eq!(is_empty(known.parameter_domain()), Ok(true), "{never}");
        assert_eq!(
            ring.count_where(&known).map(|count| count.map(|count| count.to_string())),
            Ok(Some("0".to_owned()))
        );
    }
    let few = set("[np] -> { : np <= 2 }");
    assert_eq!(
        ring.intersect_parameters(&few).expect("small").to_string(),
        "[np] -> { S[r] : np <= 2 and 0 <= r < np }"
    );
    assert_eq!(ring.intersect_parameters(&set("{ : }")).and_then(|same| same.is_equal(&ring)), Ok(true));
    let many = set("[np] -> { : }").subtract(&few).expect("small");
    assert_eq!(many.to_string(), "[np] -> { : 3 <= np }");
    assert_eq!(ring.parameter_domain().expect("small").to_string(), "[np] -> { : 1 <= np }");
    assert_eq!(
        ring.gist_parameters(&set("[np] -> { : np >= 1 }")).expect("small").to_string(),
        ring.to_string()
    );
}

#[test]
fn a_set_is_the_union_of_its_conjunctions() {
    let context = Context::new().expect("there is memory");
    let set = Set::parse(&context, "[np] -> { S[r] : 0 <= r < np and (r < 3 or 5 < r); T[r] : r = np }")
        .expect("a set");
    let parts = set.conjunctions().expect("small");
    assert_eq!(parts.len(), 3);
    let empty = Set::empty(&context).expect("there is memory");
    let all = parts.iter().try_fold(empty, |all, part| all.union(part)).expect("small");
    assert_eq!(all.is_equal(&set), Ok(true));
}

#[test]
fn without_an_end_there_is_no_extreme() {
    let context = Context::new().expect("there is memory");
    let set = Set::parse(&context, "{ S[i] : i <= 0 }").expect("a set");
    assert!(matches!(set.lexicographic_minimum(), Err(presburger::Error::Refused(_))));
    assert_eq!(set.lexicographic_maximum().expect("it ends").to_string(), "{ S[0] }");
    let relation = set.cross(&set).expect("small");
    assert!(matches!(relation.lexicographic_minimum(), Err(presburger::Error::Refused(_))));
}
