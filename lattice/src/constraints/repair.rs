//! Closing again the rows that a widening has torn.
//!
//! Before the widening the graph was closed. So the distance of a pair is what it was unless its own bound was dropped: what
//! could have led to it in another way was no shorter. Only pairs that lost their bound need a search.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::graph::{Way, plus, tighter};

/// Bounds over indices of classes.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Bounds over zero, by way.
    pub(super) zero: [Vec<Option<i64>>; 2],
    /// Edges, by way, as in a vertex; of several for one pair the least counts.
    pub(super) edges: [Vec<Vec<(usize, i64)>>; 2],
    /// The classes that lost a bound over zero, by way; with it they lost the bounds of pairs that followed from it.
    pub(super) lost_zero: [Vec<bool>; 2],
    /// The pairs that lost a bound of their own.
    pub(super) lost_edges: Vec<(usize, usize)>,
    /// Whether edges were added that may be out of order, or bounds that others follow from.
    untidy: bool,
}

impl Rows {
    pub(super) fn new(count: usize) -> Self {
        Self {
            zero: [vec![None; count], vec![None; count]],
            edges: [vec![Vec::new(); count], vec![Vec::new(); count]],
            lost_zero: [vec![false; count], vec![false; count]],
            lost_edges: Vec::new(),
            untidy: false,
        }
    }

    /// Adds a bound of `x - y`, unless it follows from bounds over zero. Pairs come in order, each once.
    pub(super) fn add(&mut self, x: usize, y: usize, bound: i64) {
        if !self.follows(x, y, bound) {
            self.edges[Way::Out as usize][x].push((y, bound));
            self.edges[Way::Into as usize][y].push((x, bound));
        }
    }

    /// Adds bounds to those that are there, in any order and of the same pairs.
    pub(super) fn add_more(&mut self, bounds: impl IntoIterator<Item = (usize, usize, i64)>) {
        for (x, y, bound) in bounds {
            self.untidy = true;
            self.add(x, y, bound);
        }
    }

    pub(super) fn add_zero(&mut self, way: Way, index: usize, bound: i64) {
        self.untidy = true;
        let known = &mut self.zero[way as usize][index];
        *known = tighter(*known, Some(bound));
    }

    fn follows(&self, x: usize, y: usize, bound: i64) -> bool {
        let [out, into] = &self.zero;
        plus(out[x], into[y]).is_some_and(|implied| implied <= bound)
    }

    /// A row in order, without what follows from bounds over zero.
    pub(super) fn pruned(&self, way: Way, index: usize) -> Cow<'_, [(usize, i64)]> {
        let row = &self.edges[way as usize][index];
        if !self.untidy {
            return row.into();
        }
        let mut row = row.clone();
        row.sort_unstable();
        // Of several bounds of one pair the first is the least.
        row.dedup_by_key(|edge| edge.0);
        row.retain(|&(other, bound)| match way {
            Way::Out => !self.follows(index, other, bound),
            Way::Into => !self.follows(other, index, bound),
        });
        row.into()
    }
}

/// Finds again what follows from the bounds that stayed.
pub(super) fn repair(rows: &mut Rows) {
    // Rows, where a bound over zero went and what followed from it.
    let mut search = Search::new(rows.lost_zero[0].len());
    let mut found: Vec<(usize, usize, i64)> = Vec::new();
    let mut ranges: Vec<(Way, usize, i64)> = Vec::new();
    for way in Way::BOTH {
        for start in (0..rows.lost_zero[0].len()).filter(|&i| rows.lost_zero[way as usize][i]) {
            for &(other, distance) in search.run(&rows.edges[way as usize], start) {
                found.push(match way {
                    Way::Out => (start, other, distance),
                    Way::Into => (other, start, distance),
                });
                let beyond = plus(Some(distance), rows.zero[way as usize][other]);
                ranges.extend(beyond.map(|bound| (way, start, bound)));
            }
        }
    }
    for (way, index, bound) in ranges {
        rows.add_zero(way, index, bound);
    }
    rows.add_more(found);
    // Single pairs, by the vertex that they lead to.
    let mut lost = std::mem::take(&mut rows.lost_edges);
    lost.retain(|&(x, y)| !rows.lost_zero[Way::Out as usize][x] && !rows.lost_zero[Way::Into as usize][y]);
    lost.sort_unstable_by_key(|&(x, y)| (y, x));
    let mut distance: Vec<Option<i64>> = vec![None; rows.zero[0].len()];
    for column in lost.chunk_by(|a, b| a.1 == b.1) {
        let to = column[0].1;
        let into = &rows.edges[Way::Into as usize][to];
        for &(from, bound) in into {
            distance[from] = tighter(distance[from], Some(bound));
        }
        // Of those that lost their bound one may lead over another.
        for _ in column {
            let mut changed = false;
            for &(from, _) in column {
                let through = |&(over, bound): &(usize, i64)| plus(Some(bound), distance[over]);
                let best = rows.edges[Way::Out as usize][from].iter().filter_map(through).min();
                if best.is_some() && tighter(best, distance[from]) != distance[from] {
                    distance[from] = best;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for from in into.iter().map(|e| e.0).chain(column.iter().map(|c| c.0)).collect::<Vec<_>>() {
            if let Some(bound) = distance[from].take()
                && column.binary_search_by_key(&from, |c| c.0).is_ok()
            {
                rows.add_more([(from, to, bound)]);
            }
        }
    }
}

/// Shortest paths from one vertex by correcting labels (Bellman and Ford), in memory that is used again.
struct Search {
    distance: Vec<Option<i64>>,
    waiting: Vec<bool>,
    visits: Vec<usize>,
    found: Vec<(usize, i64)>,
}

impl Search {
    fn new(count: usize) -> Self {
        Self {
            distance: vec![None; count],
            waiting: vec![false; count],
            visits: vec![0; count],
            found: Vec::new(),
        }
    }

    /// All other vertices reached, with their distances.
    fn run(&mut self, edges: &[Vec<(usize, i64)>], start: usize) -> &[(usize, i64)] {
        self.found.clear();
        if edges[start].is_empty() {
            return &self.found;
        }
        let mut queue = VecDeque::from([start]);
        let mut reached = vec![start];
        self.distance[start] = Some(0);
        while let Some(vertex) = queue.pop_front() {
            self.waiting[vertex] = false;
            self.visits[vertex] += 1;
            // There is no negative cycle in a satisfiable system; one that was missed because a bound was not representable
            // must not keep us here. Any path is a sound bound.
            if self.visits[vertex] > edges.len() {
                continue;
            }
            for &(next, bound) in &edges[vertex] {
                let Some(path) = plus(self.distance[vertex], Some(bound)) else { continue };
                if self.distance[next].is_some_and(|known| known <= path) {
                    continue;
                }
                if self.distance[next].replace(path).is_none() {
                    reached.push(next);
                }
                if !std::mem::replace(&mut self.waiting[next], true) {
                    queue.push_back(next);
                }
            }
        }
        for vertex in reached {
            let distance = self.distance[vertex].take();
            (self.waiting[vertex], self.visits[vertex]) = (false, 0);
            if vertex != start {
                self.found.extend(distance.map(|distance| (vertex, distance)));
            }
        }
        &self.found
    }
}
