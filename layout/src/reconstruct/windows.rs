//! Sequences that are too long for the table of all parts: a tree that need not be the cheapest, and a bound.
//!
//! The sequence is cut into windows, as long as the best period that is found allows; each window gets its cheapest tree, windows that are
//! the same become a repetition, and the rest a struct. The cheapest tree without `strc` is tried as well.

use super::sequence::Sequence;
use super::{Options, Reconstruction, bound, compute, extract, homogeneous};
use crate::cost::CostModel;
use crate::tree::{Element, Tree};

/// Elements of a window, where memory allows as many.
const WINDOW: usize = 1024;

/// The best tree found, with what every tree costs at least.
pub(super) fn reconstruct(
    elements: &[Element],
    sequence: &Sequence<'_>,
    options: &Options,
) -> Reconstruction {
    let cut = cut(elements, sequence, options);
    let whole = homogeneous::tree(sequence, &options.cost);
    let tree = match whole {
        Some(whole) if options.cost.of(&whole) <= options.cost.of(&cut) => whole,
        _ => cut,
    };
    let cost = options.cost.of(&tree);
    let lower_bound = bound::lower_bound(sequence, &options.cost).min(cost);
    Reconstruction { tree, cost, optimal: cost == lower_bound, lower_bound }
}

/// Windows of their cheapest trees, put together.
fn cut(elements: &[Element], sequence: &Sequence<'_>, options: &Options) -> Tree {
    let longest = WINDOW.min((options.memory_limit / 4).isqrt()).max(2);
    let window = longest - longest % period(sequence, longest);
    let mut places: Vec<(i64, Tree)> = Vec::new();
    for part in elements.chunks(window) {
        let at = part[0].displacement;
        match window_tree(part, options) {
            // A struct in a struct costs more than its children do.
            Tree::Strc { indices, children } => {
                places.extend(indices.iter().map(|index| at + index).zip(children.iter().cloned()));
            }
            tree => places.push((at, tree)),
        }
    }
    together(places, &options.cost)
}

/// A cheapest tree for part of the sequence, moved to 0.
fn window_tree(part: &[Element], options: &Options) -> Tree {
    let moved: Vec<Element> =
        part.iter().map(|e| Element::new(e.displacement - part[0].displacement, e.basic)).collect();
    let options = Options {
        // A window is as long as any limit above a few bytes allows.
        memory_limit: options.memory_limit.max(1 << 10),
        ..*options
    };
    // Parts of a sequence are as well-formed as all of it.
    let Ok(sequence) = Sequence::new(&moved) else {
        return each_by_itself(&moved);
    };
    match compute(&sequence, &options) {
        Some(table) => extract::tree(&sequence, &table, &options),
        None => each_by_itself(&moved),
    }
}

/// The tree that every sequence has.
fn each_by_itself(elements: &[Element]) -> Tree {
    let indices: Vec<i64> = elements.iter().map(|e| e.displacement).collect();
    let children: Vec<Tree> = elements.iter().map(|e| Tree::con(1, e.basic)).collect();
    Tree::strc(indices, children)
}

/// One tree of trees at places, with at least one element each: neighbours that are the same become one repetition where that costs less.
pub(crate) fn together(places: Vec<(i64, Tree)>, cost: &CostModel) -> Tree {
    let mut merged: Vec<(i64, Tree)> = Vec::new();
    for run in places.chunk_by(|a, b| a.1 == b.1) {
        let first = run[0].0;
        match repetition(run) {
            Some(tree) if cost.of(&tree) <= apart(run, cost) => merged.push((first, tree)),
            _ => merged.extend(run.iter().cloned()),
        }
    }
    match merged.as_slice() {
        [(0, only)] => only.clone(),
        [(at, only)] => Tree::idx([*at], only.clone()),
        _ => {
            let (indices, children): (Vec<i64>, Vec<Tree>) = merged.into_iter().unzip();
            Tree::strc(indices, children)
        }
    }
}

/// What a struct pays for the same trees one by one, but for what it pays for a single one in their place.
fn apart(run: &[(i64, Tree)], cost: &CostModel) -> u64 {
    let part = 2 * u64::from(cost.lookup);
    run.len() as u64 * (cost.of(&run[0].1) + part) - part
}

/// The same tree at several places, moved so that the first is at 0.
fn repetition(run: &[(i64, Tree)]) -> Option<Tree> {
    let (first, child) = run.first()?;
    let regular = run.windows(3).all(|three| three[1].0 - three[0].0 == three[2].0 - three[1].0);
    match run {
        [_] => None,
        [_, second, ..] if regular => Some(Tree::vec(run.len(), second.0 - first, child.clone())),
        _ => {
            let indices: Vec<i64> = run.iter().map(|(at, _)| at - first).collect();
            Some(Tree::idx(indices, child.clone()))
        }
    }
}

/// The number of elements, at most `longest`, after which the most steps come again; the shortest of those.
fn period(sequence: &Sequence<'_>, longest: usize) -> usize {
    let steps = &sequence.steps;
    // A sample is enough to find a period.
    let sample = &steps[..steps.len().min(16 * longest)];
    let agreeing = |q: usize| sample.iter().zip(&sample[q..]).filter(|(a, b)| a == b).count();
    let mut best = (0, 1);
    for q in 1..=longest.min(sample.len()) {
        let count = agreeing(q);
        // A multiple of a period agrees no less often but for the end.
        if count > best.0 {
            best = (count, q);
        }
    }
    best.1
}
