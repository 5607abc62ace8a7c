//! Where ranks are drawn: on a star, a grid, a tree, a line or a ring, whichever their messages look like.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::f64::consts::TAU;

use super::round;

/// A form that ranks are laid out in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All messages have one rank at one of their ends.
    Star(u64),
    /// Messages go to the next rank or a row further; this many ranks in a row.
    Grid(u64),
    /// From this root, each other rank has one path.
    Tree(u64),
    Ring,
}

impl Form {
    /// Its name, as a title has it.
    pub(super) fn name(self) -> String {
        match self {
            Self::Star(hub) => format!("a star around rank {hub}"),
            Self::Grid(width) => format!("a grid with {width} ranks in a row"),
            Self::Tree(root) => format!("a tree from rank {root}"),
            Self::Ring => "a ring".to_owned(),
        }
    }

    /// The form that these messages have between ranks `0..np`.
    pub(super) fn of(np: u64, pairs: &[(u64, u64)]) -> Self {
        let links: BTreeSet<(u64, u64)> =
            pairs.iter().filter(|(a, b)| a != b).map(|&(a, b)| (a.min(b), a.max(b))).collect();
        star(&links).or_else(|| tree(np, &links, pairs)).or_else(|| grid(np, &links)).unwrap_or(Self::Ring)
    }

    /// A place for each rank, and the size of the picture.
    pub(super) fn places(self, np: u64, pairs: &[(u64, u64)]) -> (Vec<(f64, f64)>, f64, f64) {
        match self {
            Self::Star(hub) => {
                let radius = radius(np);
                let centre = radius + EDGE;
                let others = np.saturating_sub(1).max(1) as f64;
                let place = |rank: u64| match rank {
                    rank if rank == hub => (round(centre), round(centre)),
                    rank => {
                        let index = if rank < hub { rank } else { rank - 1 };
                        on_circle(centre, radius, index as f64 / others)
                    }
                };
                ((0..np).map(place).collect(), 2.0 * centre, 2.0 * centre)
            }
            Self::Ring => {
                let radius = radius(np);
                let centre = radius + EDGE;
                let place = |rank: u64| on_circle(centre, radius, rank as f64 / np.max(1) as f64);
                ((0..np).map(place).collect(), 2.0 * centre, 2.0 * centre)
            }
            Self::Grid(width) => {
                let rows = np.div_ceil(width);
                // A narrow grid is drawn wider than it is, or its columns could not be told apart.
                let step = |length: u64| (LARGEST / length.max(2) as f64).min(86.0);
                let (across, down) = (step(width), step(rows));
                let at = |index: u64, step: f64| round(EDGE + step * index as f64);
                let places = (0..np).map(|rank| (at(rank % width, across), at(rank / width, down))).collect();
                (places, at(width - 1, across) + EDGE, at(rows - 1, down) + EDGE)
            }
            Self::Tree(root) => tree_places(np, root, pairs),
        }
    }
}

/// Room around the outermost ranks, and what the places of ranks may take.
const EDGE: f64 = 40.0;
const LARGEST: f64 = 460.0;

fn radius(np: u64) -> f64 {
    (np as f64 * 11.0).clamp(80.0, LARGEST / 2.0)
}

/// A share of the way around, from the top and clockwise.
fn on_circle(centre: f64, radius: f64, share: f64) -> (f64, f64) {
    let angle = share * TAU;
    (round(centre + radius * angle.sin()), round(centre - radius * angle.cos()))
}

fn star(links: &BTreeSet<(u64, u64)>) -> Option<Form> {
    let &(a, b) = links.first()?;
    // Two links have at most one end in common, and one link is a line.
    let hub = |hub: u64| 2 < links.len() && links.iter().all(|&(x, y)| x == hub || y == hub);
    [a, b].into_iter().find(|&rank| hub(rank)).map(Form::Star)
}

/// A grid whose rows are as long as the only distance but 1, without regard to what goes around its ends.
fn grid(np: u64, links: &BTreeSet<(u64, u64)>) -> Option<Form> {
    let mut often: BTreeMap<u64, u64> = BTreeMap::new();
    for (a, b) in links {
        *often.entry(b - a).or_insert(0) += 1;
    }
    let width =
        often.iter().filter(|(distance, _)| 1 < **distance).max_by_key(|(d, n)| (**n, u64::MAX - **d));
    let (&width, _) = width?;
    let rows = np / width;
    // In a small grid that is closed to a torus all are near each other; all-to-all is not meant.
    let is_complete = links.len() as u64 == np * (np - 1) / 2;
    if rows * width != np || rows < 2 || is_complete {
        return None;
    }
    // Next to each other, in a row or a column, or at the two ends of one; the eight neighbours of a stencil too.
    let near = |a: u64, b: u64, length: u64| a.abs_diff(b) <= 1 || a.abs_diff(b) == length - 1;
    let fits = |&(a, b): &(u64, u64)| {
        let (columns, lines) = ((a % width, b % width), (a / width, b / width));
        near(columns.0, columns.1, width) && near(lines.0, lines.1, rows)
    };
    links.iter().all(fits).then_some(Form::Grid(width))
}

fn neighbours(np: u64, pairs: &[(u64, u64)]) -> Vec<BTreeSet<u64>> {
    let mut near = vec![BTreeSet::new(); usize::try_from(np).unwrap_or(0)];
    for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
        for (here, there) in [(a, b), (b, a)] {
            if let Some(near) = usize::try_from(here).ok().and_then(|here| near.get_mut(here)) {
                near.insert(there);
            }
        }
    }
    near
}

/// How far each rank is from `root`, those first that are near; ranks that cannot be reached are not there.
fn by_distance(near: &[BTreeSet<u64>], root: u64) -> Vec<(u64, Option<u64>, usize)> {
    let mut seen = BTreeSet::from([root]);
    let mut queue = VecDeque::from([(root, None, 0)]);
    let mut order = Vec::new();
    while let Some((rank, parent, depth)) = queue.pop_front() {
        order.push((rank, parent, depth));
        let next = usize::try_from(rank).ok().and_then(|rank| near.get(rank)).into_iter().flatten();
        for &next in next {
            if seen.insert(next) {
                queue.push_back((next, Some(rank), depth + 1));
            }
        }
    }
    order
}

/// A tree that branches, from the rank where its messages start or end.
fn tree(np: u64, links: &BTreeSet<(u64, u64)>, pairs: &[(u64, u64)]) -> Option<Form> {
    if np < 4 || links.len() as u64 + 1 != np {
        return None;
    }
    let near = neighbours(np, pairs);
    if near.iter().all(|near| near.len() <= 2) {
        return None;
    }
    let (senders, receivers): (BTreeSet<u64>, BTreeSet<u64>) = pairs.iter().copied().unzip();
    let root = senders.difference(&receivers).next().filter(|_| senders.difference(&receivers).count() == 1);
    let sink = receivers.difference(&senders).next().filter(|_| receivers.difference(&senders).count() == 1);
    let root = root.or(sink).copied().unwrap_or(0);
    (by_distance(&near, root).len() as u64 == np).then_some(Form::Tree(root))
}

/// Levels from the root downwards; each rank is above the middle of those below it.
fn tree_places(np: u64, root: u64, pairs: &[(u64, u64)]) -> (Vec<(f64, f64)>, f64, f64) {
    let order = by_distance(&neighbours(np, pairs), root);
    let mut children: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for &(rank, parent, _) in &order {
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(rank);
        }
    }
    // The leaves from left to right: depth first.
    let mut leaves = Vec::new();
    let mut stack = vec![root];
    while let Some(rank) = stack.pop() {
        match children.get(&rank) {
            Some(below) => stack.extend(below.iter().rev()),
            None => leaves.push(rank),
        }
    }
    let step = (900.0 / leaves.len().max(1) as f64).min(46.0);
    let mut x: BTreeMap<u64, f64> =
        leaves.iter().enumerate().map(|(index, &rank)| (rank, EDGE + step * index as f64)).collect();
    for &(rank, _, _) in order.iter().rev() {
        if let Some(below) = children.get(&rank) {
            let places = below.iter().filter_map(|below| x.get(below));
            let middle = places.sum::<f64>() / below.len() as f64;
            x.insert(rank, middle);
        }
    }
    let depth: BTreeMap<u64, usize> = order.iter().map(|&(rank, _, depth)| (rank, depth)).collect();
    let deepest = depth.values().max().copied().unwrap_or(0);
    let place = |rank: u64| {
        let level = depth.get(&rank).copied().unwrap_or(0) as f64;
        (round(x.get(&rank).copied().unwrap_or(EDGE)), round(EDGE + 64.0 * level))
    };
    let width = EDGE * 2.0 + step * leaves.len().saturating_sub(1) as f64;
    ((0..np).map(place).collect(), width, EDGE * 2.0 + 64.0 * deepest as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(np: i64, next: impl Fn(i64) -> Vec<i64>) -> Vec<(u64, u64)> {
        let legal = |to: &i64| 0 <= *to && *to < np;
        (0..np)
            .flat_map(|from| next(from).into_iter().filter(legal).map(move |to| (from as u64, to as u64)))
            .collect()
    }

    #[test]
    fn forms_are_told_apart_by_the_messages() {
        let form = |np: i64, next: &dyn Fn(i64) -> Vec<i64>| Form::of(np as u64, &pairs(np, next));
        assert_eq!(form(8, &|r| vec![(r + 1) % 8]), Form::Ring);
        assert_eq!(form(8, &|r| vec![r + 1, r - 1]), Form::Ring);
        assert_eq!(form(8, &|r| if r == 0 { (1..8).collect() } else { vec![] }), Form::Star(0));
        assert_eq!(form(8, &|r| if r == 7 { vec![] } else { vec![7] }), Form::Star(7));
        assert_eq!(form(7, &|r| vec![2 * r + 1, 2 * r + 2]), Form::Tree(0));
        assert_eq!(form(7, &|r| if r == 0 { vec![] } else { vec![(r - 1) / 2] }), Form::Tree(0));
        let mesh = |r: i64| {
            let mut next = vec![r + 4, r - 4];
            next.extend((r % 4 < 3).then_some(r + 1));
            next.extend((0 < r % 4).then_some(r - 1));
            next
        };
        assert_eq!(form(12, &mesh), Form::Grid(4));
        assert_eq!(form(12, &|_| vec![]), Form::Ring);
        assert_eq!(form(6, &|r| (0..6).filter(|to| *to != r).collect()), Form::Ring);
    }

    #[test]
    fn every_rank_has_a_place_of_its_own_inside_the_picture() {
        for np in [1_u64, 2, 7, 12, 100, 1000] {
            for form in [Form::Ring, Form::Star(0), Form::Grid(np.clamp(1, 4)), Form::Tree(0)] {
                let links: Vec<(u64, u64)> = (1..np).map(|rank| ((rank - 1) / 2, rank)).collect();
                let (places, width, height) = form.places(np, &links);
                assert_eq!(places.len() as u64, np);
                assert!(places.iter().all(|(x, y)| 0.0 < *x && *x < width && 0.0 < *y && *y < height));
                let distinct: BTreeSet<String> = places.iter().map(|place| format!("{place:?}")).collect();
                assert_eq!(distinct.len() as u64, np, "{form:?}");
            }
        }
    }
}
