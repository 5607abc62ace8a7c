//! The different steps from one element to the next, without flattening.

use rustc_hash::FxHashSet;

use crate::basic::Basic;
use crate::tree::{Element, Tree};

/// What the bound on costs needs to know of a sequence.
pub(super) struct Steps {
    pub(super) first: Element,
    pub(super) last: Element,
    /// The distances from elements of a basic datatype to the next element.
    pub(super) distances: FxHashSet<(Basic, i64)>,
}

/// Those of a tree; none if it has no elements.
pub(super) fn of(tree: &Tree) -> Option<Steps> {
    if let Tree::Con { count, basic } = tree {
        let last = (*count as i64).checked_sub(1).filter(|last| *last >= 0)? * basic.size();
        let distances =
            if last > 0 { FxHashSet::from_iter([(*basic, basic.size())]) } else { FxHashSet::default() };
        return Some(Steps { first: Element::new(0, *basic), last: Element::new(last, *basic), distances });
    }
    let below: Vec<Option<Steps>> = tree.children().iter().map(of).collect();
    let mut all: Option<Steps> = None;
    for Run { start, count, step, child } in runs(tree).into_iter().filter(|run| run.count > 0) {
        let Some(child) = below.get(child).and_then(Option::as_ref) else { continue };
        let moved = |e: Element, by: i64| Element::new(e.displacement + by, e.basic);
        let last = moved(child.last, start + (count as i64 - 1) * step);
        let first = moved(child.first, start);
        let between = |from: Element, to: i64| (from.basic, to - from.displacement);
        let all = match &mut all {
            None => all.insert(Steps { first, last: first, distances: FxHashSet::default() }),
            Some(before) => {
                before.distances.insert(between(before.last, first.displacement));
                before
            }
        };
        if count > 1 {
            all.distances.insert(between(child.last, child.first.displacement + step));
        }
        all.distances.extend(&child.distances);
        all.last = last;
    }
    all
}

/// Copies of a child, equally far apart.
struct Run {
    start: i64,
    count: usize,
    step: i64,
    child: usize,
}

fn runs(tree: &Tree) -> Vec<Run> {
    let single = |(child, start): (usize, &i64)| Run { start: *start, count: 1, step: 0, child };
    match tree {
        Tree::Con { .. } => Vec::new(),
        Tree::Vec { count, stride, .. } => vec![Run { start: 0, count: *count, step: *stride, child: 0 }],
        Tree::Idx { indices, .. } => indices.iter().map(|index| single((0, index))).collect(),
        Tree::Strc { indices, .. } => indices.iter().enumerate().map(single).collect(),
        Tree::VecBuc { stride, step, buckets, .. } => (buckets.iter().zip(0_i64..))
            .map(|(count, i)| Run { start: i * stride, count: *count, step: *step, child: 0 })
            .collect(),
        Tree::IdxBuc { step, indices, buckets, .. } => (buckets.iter().zip(indices.iter()))
            .map(|(count, start)| Run { start: *start, count: *count, step: *step, child: 0 })
            .collect(),
    }
}
