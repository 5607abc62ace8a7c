//! Witnesses are members, the smallest is the least, and all points are all.

use std::collections::BTreeMap;

use presburger::{Context, Error, Pair, Point, Relation, Set};
use proptest::prelude::*;

use super::random::{cases, instance, relation, set};

fn order(point: &Point) -> (i64, Vec<i64>, String) {
    (point.parameters["n"], point.instance.coordinates.clone(), point.instance.name.clone())
}

proptest! {
    #![proptest_config(cases(80))]

    #[test]
    fn witnesses_of_sets(a in set(), b in set()) {
        let context = Context::new()?;
        let x = a.parse(&context);
        let (a, b) = (a.points(), b.points());
        prop_assert!(x.sample()?.map_or(a.is_empty(), |point| a.contains(&point)));
        prop_assert_eq!(x.smallest(&["n"])?, a.iter().min_by_key(|point| order(point)).cloned());
        for point in a.union(&b) {
            prop_assert_eq!(x.contains(point)?, a.contains(point));
        }
        if let Some(less) = a.len().checked_sub(1) {
            prop_assert_eq!(x.points(less), Err(Error::TooMany(less)));
        }
        prop_assert_eq!(x.points(a.len())?, a.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn witnesses_of_relations(a in relation(), b in relation()) {
        let context = Context::new()?;
        let x = a.parse(&context);
        let (a, b) = (a.pairs(), b.pairs());
        prop_assert!(x.sample()?.map_or(a.is_empty(), |pair| a.contains(&pair)));
        let least = a.iter().map(|pair| pair.parameters["n"]).min();
        let smallest = x.smallest(&["n"])?;
        prop_assert_eq!(smallest.as_ref().map(|pair| pair.parameters["n"]), least);
        prop_assert!(smallest.is_none_or(|pair| a.contains(&pair)));
        for pair in a.union(&b) {
            prop_assert_eq!(x.contains(pair)?, a.contains(pair));
        }
        if let Some(less) = a.len().checked_sub(1) {
            prop_assert_eq!(x.pairs(less), Err(Error::TooMany(less)));
        }
        let mut listed = Relation::empty(&context)?;
        for pair in &a {
            let one = Relation::listed(&context, &pair.parameters, [(&pair.from, &pair.to)])?;
            listed = listed.union(&one)?;
        }
        prop_assert!(listed.is_equal(&x)?);
        prop_assert_eq!(x.pairs(a.len())?, a.into_iter().collect::<Vec<_>>());
    }
}

fn of(parameters: &[(&str, i64)], name: &str, coordinates: &[i64]) -> Point {
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    Point { parameters, instance: instance(name, coordinates) }
}

#[test]
fn the_smallest_has_the_named_parameters_first() {
    let context = Context::new().expect("there is memory");
    let set = Set::parse(&context, "[a, np] -> { S[r] : 0 <= r < np and a + np >= 9 and 0 <= a <= 6 }")
        .expect("a set");
    assert_eq!(set.smallest(&["np"]), Ok(Some(of(&[("a", 6), ("np", 3)], "S", &[0]))));
    assert_eq!(set.smallest(&["a"]), Ok(Some(of(&[("a", 0), ("np", 9)], "S", &[0]))));
    let witness = set.smallest(&["np"]).expect("small").expect("there is one");
    assert_eq!(witness.to_string(), "S[0] where a = 6, np = 3");
}

#[test]
fn what_has_no_least_value_is_near_zero() {
    let context = Context::new().expect("there is memory");
    let smallest = |text: &str| {
        let set = Set::parse(&context, text).expect(text);
        set.smallest(&[]).expect("small").map(|point| point.instance.coordinates)
    };
    assert_eq!(smallest("{ S[i] }"), Some(vec![0]));
    assert_eq!(smallest("{ S[i] : i <= -5 }"), Some(vec![-5]));
    assert_eq!(smallest("{ S[i] : i >= 7 or i <= -2 }"), Some(vec![7]));
    assert_eq!(smallest("{ S[i] : i mod 5 = 3 }"), Some(vec![3]));
    assert_eq!(smallest("{ S[i] : 1 = 0 }"), None);
}

#[test]
fn without_bounds_points_are_not_listed() {
    let context = Context::new().expect("there is memory");
    let set = |text: &str| Set::parse(&context, text).expect(text);
    assert_eq!(set("{ S[i] : i >= 0 }").points(10), Err(Error::Unbounded));
    assert_eq!(set("[n] -> { S[0] : n >= 0 }").points(10), Err(Error::Unbounded));
    assert_eq!(set("[n] -> { S[i] : i > n and i < n and i >= 0 }").points(10), Ok(Vec::new()));
    assert_eq!(set("[n] -> { : 3 <= n <= 4 }").points(10).map(|points| points.len()), Ok(2));
    assert_eq!(set("{ : }").points(10).map(|points| points.len()), Ok(1));
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let context = Context::new().expect("there is memory");
    let huge = Set::parse(&context, "{ S[i] : i = 9223372036854775808 }").expect("a set");
    assert_eq!(huge.sample(), Err(Error::Overflow));
    assert_eq!(huge.smallest(&[]), Err(Error::Overflow));
    assert_eq!(huge.points(1), Err(Error::Overflow));
    assert!(huge.to_string().contains("9223372036854775808"), "{huge}");
    let fits = Set::parse(&context, "{ S[i] : i = -9223372036854775808 }").expect("a set");
    assert_eq!(fits.sample(), Ok(Some(of(&[], "S", &[i64::MIN]))));
}

#[test]
fn a_pair_is_told_as_one() {
    let context = Context::new().expect("there is memory");
    let relation = Relation::parse(&context, "[np] -> { send[r] -> recv[r + 1] : 0 <= r < np - 1 }")
        .expect("a relation");
    let pair = relation.smallest(&["np"]).expect("small").expect("there is one");
    assert_eq!(pair.to_string(), "send[0] -> recv[1] where np = 2");
    let parameters = BTreeMap::from([("np".to_owned(), 2)]);
    assert_eq!(pair, Pair { parameters, from: instance("send", &[0]), to: instance("recv", &[1]) });
}
