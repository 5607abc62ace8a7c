//! Where the elements of messages are in memory, against dealing out arrays element by element.

use std::collections::BTreeMap;

use arbtest::arbtest;
use layout::{Basic, Tree};
use redistribution::{Cyclic, Dimension, Order, Redistribution};

/// Where an element with these indices is in the memory of its process, in bytes of doubles.
fn place(sides: &[(Cyclic, u64)], indices: &[u64], storage: Order) -> i64 {
    let mut axes: Vec<usize> = (0..sides.len()).collect();
    if storage == Order::ColumnMajor {
        axes.reverse();
    }
    let mut place = 0;
    for axis in axes {
        let (cyclic, end) = sides[axis];
        let owner = cyclic.owner(indices[axis]);
        let extent = (0..end).filter(|index| cyclic.owner(*index) == owner).count() as u64;
        let before = (0..indices[axis]).filter(|index| cyclic.owner(*index) == owner).count() as u64;
        place = place * extent + before;
    }
    8 * place as i64
}

#[test]
fn trees_list_the_elements_of_each_message_in_order() {
    arbtest(|u| {
        let mut dimensions = Vec::new();
        for _ in 0..u.int_in_range(1..=3)? {
            let side = |u: &mut arbtest::arbitrary::Unstructured<'_>| {
                let processes = u.int_in_range(1..=3)?;
                let source = u.int_in_range(0..=processes - 1)?;
                Ok(Cyclic::new(processes, u.int_in_range(1..=4)?).unwrap().starting_at(source).unwrap())
            };
            let dimension = Dimension::new(side(u)?, side(u)?).unwrap();
            let dimension = dimension.with_length(u.int_in_range(0..=14)?).unwrap();
            dimensions.push(dimension.with_starts(u.int_in_range(0..=5)?, u.int_in_range(0..=5)?).unwrap());
        }
        let storage = if u.arbitrary()? { Order::RowMajor } else { Order::ColumnMajor };
        let redistribution = Redistribution::new(dimensions.clone()).unwrap();
        // All elements, the ones next to each other in memory last.
        let mut axes: Vec<usize> = (0..dimensions.len()).collect();
        if storage == Order::ColumnMajor {
            axes.reverse();
        }
        let from: Vec<_> = dimensions.iter().map(|d| (d.from(), d.from_start() + d.length())).collect();
        let to: Vec<_> = dimensions.iter().map(|d| (d.to(), d.to_start() + d.length())).collect();
        let total: u64 = dimensions.iter().map(Dimension::length).product();
        let mut expected: BTreeMap<(u32, u32), [Vec<i64>; 2]> = BTreeMap::new();
        for element in 0..total {
            let (mut rest, mut source, mut target) =
                (element, vec![0; dimensions.len()], vec![0; dimensions.len()]);
            for axis in axes.iter().rev() {
                let dimension = &dimensions[*axis];
                source[*axis] = dimension.from_start() + rest % dimension.length();
                target[*axis] = dimension.to_start() + rest % dimension.length();
                rest /= dimension.length();
            }
            let owners = |sides: &[(Cyclic, u64)], indices: &[u64]| -> Vec<u32> {
                sides.iter().zip(indices).map(|((cyclic, _), index)| cyclic.owner(*index)).collect()
            };
            let pair = (
                redistribution.sender_rank(&owners(&from, &source)),
                redistribution.receiver_rank(&owners(&to, &target)),
            );
            let lists = expected.entry(pair).or_default();
            lists[0].push(place(&from, &source, storage));
            lists[1].push(place(&to, &target, storage));
        }
        let displacements = |tree: Option<Tree>| -> Vec<i64> {
            tree.map_or_else(Vec::new, |tree| tree.flatten().iter().map(|one| one.displacement).collect())
        };
        for p in 0..redistribution.senders() {
            for q in 0..redistribution.receivers() {
                let [sent, received] = expected.remove(&(p, q)).unwrap_or_default();
                let trees = [
                    redistribution.send_tree(p, q, storage, Basic::Double),
                    redistribution.receive_tree(p, q, storage, Basic::Double),
                ];
                let [send, receive] = trees.map(displacements);
                assert_eq!(send, sent, "{p} to {q} of {redistribution:?}");
                assert_eq!(receive, received, "{p} to {q} of {redistribution:?}");
            }
        }
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn a_tree_is_as_long_as_a_period() {
    let dimension = Dimension::cyclic(2, 3, 2, 1).unwrap().with_length(6_000_003).unwrap();
    let redistribution = Redistribution::new(vec![dimension]).unwrap();
    let tree = redistribution.send_tree(0, 1, Order::RowMajor, Basic::Int).unwrap();
    // One element of three in each block of the period; the last block is begun anew.
    assert_eq!(
        tree.to_string(),
        "strc(2,<0,12000000>,<vec(1000000,12,idx(1,<4>,con(1))),idx(1,<4>,con(1))>)"
    );
}
