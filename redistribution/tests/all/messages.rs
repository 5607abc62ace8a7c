//! Messages in closed form are those that dealing out element by element gives.

use std::collections::BTreeMap;

use arbtest::arbtest;
use redistribution::{Cyclic, Dimension, Grid, Message, Order, Processes, Redistribution};

/// Element by element.
fn counted(dimension: &Dimension) -> BTreeMap<(u32, u32), u64> {
    let mut lengths = BTreeMap::new();
    for k in 0..dimension.length() {
        let pair = (
            dimension.from().owner(dimension.from_start() + k),
            dimension.to().owner(dimension.to_start() + k),
        );
        *lengths.entry(pair).or_insert(0) += 1;
    }
    lengths
}

fn of(grid: &Grid) -> BTreeMap<(u32, u32), u64> {
    grid.messages()
        .iter()
        .chain(grid.local())
        .map(|message| ((message.from, message.to), message.length))
        .collect()
}

fn check(dimension: Dimension) {
    let expected = counted(&dimension);
    for p in 0..dimension.from().processes() {
        for q in 0..dimension.to().processes() {
            let expected = expected.get(&(p, q)).copied().unwrap_or(0);
            assert_eq!(dimension.message_length(p, q), expected, "{p} to {q} of {dimension:?}");
        }
    }
    let grid = Redistribution::new(vec![dimension]).unwrap().grid().unwrap();
    assert_eq!(of(&grid), expected, "{dimension:?}");
}

#[test]
fn all_small_parameters_have_the_messages_of_a_period() {
    for p in 1..=6 {
        for q in 1..=6 {
            for r in 1..=7 {
                for s in 1..=7 {
                    check(Dimension::cyclic(p, r, q, s).unwrap());
                }
            }
        }
    }
}

#[test]
fn any_length_any_start_any_first_process() {
    arbtest(|u| {
        let side = |u: &mut arbtest::arbitrary::Unstructured<'_>| {
            let processes = u.int_in_range(1..=9)?;
            let source = u.int_in_range(0..=processes - 1)?;
            Ok(Cyclic::new(processes, u.int_in_range(1..=12)?).unwrap().starting_at(source).unwrap())
        };
        let dimension = Dimension::new(side(u)?, side(u)?).unwrap();
        let length = u.int_in_range(0..=2 * dimension.period() + 40)?;
        let dimension = dimension.with_length(length).unwrap();
        check(dimension.with_starts(u.int_in_range(0..=300)?, u.int_in_range(0..=300)?).unwrap());
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn lengths_of_huge_arrays_add_up() {
    // Nobody could count these; but each process sends what it has, and receives what it will have.
    for (p, r, q, s, length) in [
        (16, 1 << 40, 24, 3 << 38, (1 << 62) + 12345),
        (1000, 3, 1024, 5, 987_654_321_987_654_321),
        (7, 1_000_003, 11, 999_983, 4_000_000_000_000_000_001),
        (3, 1_000_003, 5, 999_983, 77_777_777_777),
    ] {
        let dimension = Dimension::cyclic(p, r, q, s).unwrap().with_length(length).unwrap();
        let grid = Redistribution::new(vec![dimension]).unwrap().grid().unwrap();
        let mut sent = vec![0; p as usize];
        let mut received = vec![0; q as usize];
        for message in grid.messages() {
            sent[message.from as usize] += message.length;
            received[message.to as usize] += message.length;
        }
        assert_eq!(sent, (0..p as u32).map(|p| dimension.from().local_length(length, p)).collect::<Vec<_>>());
        assert_eq!(
            received,
            (0..q as u32).map(|q| dimension.to().local_length(length, q)).collect::<Vec<_>>()
        );
    }
}

#[test]
fn the_grid_of_a_matrix_is_the_product() {
    arbtest(|u| {
        let mut dimensions = Vec::new();
        for _ in 0..u.int_in_range(2..=3)? {
            let cyclic = |u: &mut arbtest::arbitrary::Unstructured<'_>| {
                Ok(Cyclic::new(u.int_in_range(1..=3)?, u.int_in_range(1..=4)?).unwrap())
            };
            let dimension = Dimension::new(cyclic(u)?, cyclic(u)?).unwrap();
            dimensions.push(dimension.with_length(u.int_in_range(0..=12)?).unwrap());
        }
        let order = |u: &mut arbtest::arbitrary::Unstructured<'_>| {
            Ok(if u.arbitrary()? { Order::RowMajor } else { Order::ColumnMajor })
        };
        let (from_order, to_order) = (order(u)?, order(u)?);
        let redistribution =
            Redistribution::new(dimensions.clone()).unwrap().with_orders(from_order, to_order);
        // Element by element, with ranks by Horner's rule.
        let rank = |owners: &[u32], extents: Vec<u32>, order: Order| {
            let pairs: Vec<_> = owners.iter().copied().zip(extents).collect();
            match order {
                Order::RowMajor => pairs.iter().fold(0, |rank, (owner, extent)| rank * extent + owner),
                Order::ColumnMajor => {
                    pairs.iter().rev().fold(0, |rank, (owner, extent)| rank * extent + owner)
                }
            }
        };
        let mut expected = BTreeMap::new();
        let elements: u64 = dimensions.iter().map(Dimension::length).product();
        for mut element in 0..elements {
            let (mut from, mut to) = (Vec::new(), Vec::new());
            for dimension in &dimensions {
                from.push(dimension.from().owner(element % dimension.length()));
                to.push(dimension.to().owner(element % dimension.length()));
                element /= dimension.length();
            }
            let from = rank(&from, dimensions.iter().map(|d| d.from().processes()).collect(), from_order);
            let to = rank(&to, dimensions.iter().map(|d| d.to().processes()).collect(), to_order);
            *expected.entry((from, to)).or_insert(0) += 1;
        }
        let grid = redistribution.grid().unwrap();
        assert_eq!(of(&grid), expected, "{redistribution:?}");
        for message in grid.messages() {
            assert_eq!(redistribution.length(message.from, message.to), message.length);
        }
        let same = redistribution.with_processes(Processes::Same).grid().unwrap();
        assert_eq!(of(&same), expected);
        assert!(same.local().iter().all(|message| message.from == message.to));
        assert!(same.messages().iter().all(|message| message.from != message.to));
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn too_many_messages_are_an_error_before_they_are_made() {
    let huge = Redistribution::cyclic(1 << 20, 1, 1 << 20, (1 << 20) + 1).unwrap();
    let error = huge.grid().unwrap_err();
    assert!(error.to_string().starts_with("there are about 1099511627776 messages"), "{error}");
    // The same processes, but so few elements that there are few messages.
    let dimension = huge.dimensions()[0].with_length(1000).unwrap();
    let grid = Redistribution::new(vec![dimension]).unwrap().grid().unwrap();
    assert_eq!(grid.messages().len(), 1000);
    assert_eq!(grid.messages()[7], Message { from: 7, to: 0, length: 1 });
}
