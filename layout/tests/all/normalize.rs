//! Normalised trees describe the same elements, never cost more, and are the cheapest where they say so.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use layout::normalize::{Way, normalize};
use layout::reconstruct::{Constructors, Options, reconstruct};
use layout::{Basic, CostModel, Tree};

use crate::support::random;

fn models() -> [CostModel; 5] {
    [
        CostModel::default(),
        CostModel::uniform(1, 1),
        CostModel { con: 0, vec: 9, idx: 0, strc: 0, vecbuc: 0, idxbuc: 3, lookup: 1 },
        CostModel::uniform(3, 2),
        CostModel { con: 2, vec: 5, idx: 3, strc: 9, vecbuc: 4, idxbuc: 1, lookup: 2 },
    ]
}

fn options(u: &mut Unstructured<'_>) -> Result<Options> {
    Ok(Options { cost: models()[u.choose_index(5)?], ..Options::default() })
}

/// A tree of `con`, `vec` and `idx` whose steps often fit together.
fn chain(u: &mut Unstructured<'_>) -> Result<Tree> {
    let mut tree = Tree::con(u.int_in_range(1..=4)?, Basic::Int);
    for _ in 0..u.int_in_range(0..=4)? {
        let count = u.int_in_range(1..=4)?;
        tree = if u.arbitrary()? {
            Tree::vec(count, 4 * u.int_in_range(-2..=12)?, tree)
        } else {
            let mut indices = vec![4 * u.int_in_range(-3..=3)?];
            for _ in 1..count {
                indices.push(indices[indices.len() - 1] + 4 * u.int_in_range(1..=3)?);
            }
            Tree::idx(indices, tree)
        };
    }
    Ok(tree)
}

#[test]
fn without_flattening_as_cheap_as_the_flattened_sequence_allows() {
    arbtest(|u| {
        let (tree, options) = (chain(u)?, options(u)?);
        let found = normalize(&tree, &options, false).expect("it is small");
        let elements = tree.flatten();
        assert_eq!(found.tree.flatten(), elements, "{tree} {}", found.tree);
        assert_eq!(found.way, Way::Structural);
        let homogeneous = Options { constructors: Constructors::Homogeneous, ..options };
        let best = reconstruct(&elements, &homogeneous).expect("there is one");
        assert_eq!(found.cost, best.cost, "{tree}: {} and {}", found.tree, best.tree);
        assert_eq!(found.tree, normalize(&tree, &homogeneous, true).expect("there is one").tree);
        let least = reconstruct(&elements, &options).expect("it is small").cost;
        assert!(found.lower_bound <= least, "{tree}: {} and {least}", found.lower_bound);
        assert!(!found.optimal || found.cost == least);
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn never_dearer_and_the_cheapest_where_it_fits() {
    arbtest(|u| {
        let options = options(u)?;
        let tree = random::datatype(u, 3)?.layout().expect("it is small").tree;
        let whole = normalize(&tree, &options, true).expect("it is small");
        assert_eq!(whole.tree.flatten(), tree.flatten());
        assert!(whole.cost <= whole.given_cost || tree.nodes().any(is_bucket), "{tree}: {}", whole.tree);
        assert!(!whole.tree.nodes().any(is_bucket), "{tree}: {}", whole.tree);
        if !tree.is_empty() {
            let least = reconstruct(&tree.flatten(), &options).expect("it is small").cost;
            assert_eq!((whole.cost, whole.optimal), (least, true));
            // Room for the table of a few elements only.
            let small = Options { memory_limit: u.int_in_range(20..=2000)?, ..options };
            let parts = normalize(&tree, &small, true).expect("it is small");
            assert_eq!(parts.tree.flatten(), tree.flatten(), "{tree}: {}", parts.tree);
            assert!(parts.cost <= parts.given_cost || tree.nodes().any(is_bucket), "{tree}: {}", parts.tree);
            assert!(!parts.tree.nodes().any(is_bucket), "{tree}: {}", parts.tree);
            assert!(parts.lower_bound <= least && least <= parts.cost);
            assert!(!parts.optimal || parts.cost == least);
            // With the constructors for buckets, those that are there may stay.
            let extended = Options { constructors: Constructors::Extended, ..small };
            let kept = normalize(&tree, &extended, false).expect("it is small");
            assert_eq!(kept.tree.flatten(), tree.flatten(), "{tree}: {}", kept.tree);
            assert!(kept.cost <= kept.given_cost, "{tree}: {}", kept.tree);
        }
        Ok(())
    })
    .budget_ms(2000);
}

fn is_bucket(node: &Tree) -> bool {
    matches!(node, Tree::VecBuc { .. } | Tree::IdxBuc { .. })
}

/// Trees whose elements would fill any memory.
#[test]
fn lengths_do_not_matter() {
    let long = Tree::vec(1 << 30, 1 << 24, Tree::vec(1 << 20, 8, Tree::con(2, Basic::Int)));
    let found = normalize(&long, &Options::default(), true).expect("it has a tree");
    assert_eq!(found.tree, Tree::vec(1 << 30, 1 << 24, Tree::con(1 << 21, Basic::Int)));
    assert!(found.optimal && found.way == Way::Structural);
    let record = Tree::strc([0, 4, 8], [(); 3].map(|()| Tree::con(1, Basic::Int)));
    let found = normalize(&Tree::vec(1 << 40, 12, record), &Options::default(), true).expect("it has a tree");
    assert_eq!(found.tree, Tree::con(3 << 40, Basic::Int));
    assert!(found.optimal && found.way == Way::Partly);
}
