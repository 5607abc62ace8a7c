//! The cheapest nodes `vec` and `idx` for repetitions of repetitions, without flattening them.
//!
//! A tree without `strc` is a chain of levels, each of which repeats what is below it. Every node of a cheapest chain describes a prefix, and
//! a prefix worth looking at ends at a level, or within a level of a list where its starts repeat. Between two such prefixes an `idx` is
//! possible always, a `vec` where all levels between them fit together.

use crate::cost::CostModel;
use crate::tree::Tree;

/// Levels of repetition, the innermost first.
#[derive(Default)]
pub(super) struct Chain {
    levels: Vec<Level>,
    /// Where the first element is moved to from where it is below all levels.
    shift: i64,
}

/// Where the copies of what is below start; the first is at 0.
enum Level {
    Regular { count: usize, stride: i64 },
    List(Vec<i64>),
}

/// A prefix: `within` copies of what level `level` repeats, where 1 is what is below the level.
#[derive(Clone, Copy)]
struct Prefix {
    level: usize,
    within: usize,
    /// How many times what is below all levels.
    length: u128,
}

/// The root of the cheapest chain for a prefix; the number is that of the prefix that it repeats.
#[derive(Clone, Copy)]
enum Root {
    /// What is below all levels, as a leaf of that many elements if it is one.
    End,
    Vec(usize, i64),
    Idx(usize),
    /// An `idx` of one place, which moves what is not moved.
    Move,
}

/// The cheapest chain for each prefix, unmoved and moved.
type Known = Vec<[Option<(u64, Root)>; 2]>;

impl Level {
    fn of(indices: &[i64]) -> Self {
        let list: Vec<i64> = indices.iter().map(|index| index - indices[0]).collect();
        match list.get(1) {
            Some(stride) if list.windows(2).all(|pair| pair[1] - pair[0] == *stride) => {
                Self::Regular { count: list.len(), stride: *stride }
            }
            _ => Self::List(list),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Regular { count, .. } => *count,
            Self::List(list) => list.len(),
        }
    }

    fn start(&self, i: usize) -> i64 {
        match self {
            Self::Regular { stride, .. } => i as i64 * stride,
            Self::List(list) => list[i],
        }
    }

    /// The stride, if the first `total` starts, in blocks of `block`, begin equally far apart.
    fn stride(&self, block: usize, total: usize) -> Option<i64> {
        match self {
            Self::Regular { stride, .. } => Some(block as i64 * stride),
            Self::List(list) => {
                let stride = list[block];
                (block..total).step_by(block).all(|i| list[i] - list[i - block] == stride).then_some(stride)
            }
        }
    }

    /// How many copies a prefix that ends within this level may have.
    fn ends(&self) -> Vec<usize> {
        match self {
            Self::Regular { count, .. } => vec![*count],
            Self::List(list) => {
                let n = list.len();
                let repeats = |q: &usize| {
                    n.is_multiple_of(*q) && (*q..n).all(|i| list[i] - list[i - i % q] == list[i % q])
                };
                (2..=n / 2).filter(repeats).chain([n]).collect()
            }
        }
    }
}

impl Chain {
    /// The levels of the nodes `vec` and `idx` from the root on, and the first other node; a leaf of several elements is a level, too,
    /// above [`cheapest`](Self::cheapest)'s end.
    pub(super) fn above(tree: &Tree) -> (Self, &Tree) {
        let (mut levels, mut shift, mut node) = (Vec::new(), 0, tree);
        loop {
            match node {
                Tree::Vec { count, stride, child } => {
                    if *count > 1 {
                        levels.push(Level::Regular { count: *count, stride: *stride });
                    }
                    node = child;
                }
                Tree::Idx { indices, child } => {
                    shift += indices[0];
                    if indices.len() > 1 {
                        levels.push(Level::of(indices));
                    }
                    node = child;
                }
                _ => break,
            }
        }
        levels.reverse();
        (Self { levels, shift }, node)
    }

    /// Adds levels below all others.
    pub(super) fn extend(&mut self, below: Self) {
        self.levels.splice(0..0, below.levels);
        self.shift += below.shift;
    }

    /// The cheapest tree of these levels, or fewer or more, above `end`.
    pub(super) fn cheapest(mut self, end: &Tree, cost: &CostModel) -> Tree {
        let mut end = end.clone();
        if let Tree::Con { count, basic } = &mut end
            && *count > 1
        {
            self.levels.insert(0, Level::Regular { count: *count, stride: basic.size() });
            *count = 1;
        }
        let prefixes = self.prefixes();
        let search = Search { chain: &self, end: &end, cost, prefixes: &prefixes };
        let mut known: Known = Vec::new();
        for number in 0..prefixes.len() {
            let unmoved = search.best(number, false, &known);
            known.push([unmoved, None]);
            known[number][1] = search.best(number, true, &known);
        }
        search.build(prefixes.len() - 1, self.shift != 0, &known)
    }

    /// All prefixes that are worth looking at, the shortest first.
    fn prefixes(&self) -> Vec<Prefix> {
        let mut all = vec![Prefix { level: 0, within: 1, length: 1 }];
        let mut below = 1;
        for (number, level) in self.levels.iter().enumerate() {
            for within in level.ends() {
                // A whole level is what the next one repeats.
                let (level, copies) =
                    if within == level.count() { (number + 1, 1) } else { (number, within) };
                all.push(Prefix { level, within: copies, length: below * within as u128 });
            }
            below *= level.count() as u128;
        }
        all
    }
}

struct Search<'a> {
    chain: &'a Chain,
    end: &'a Tree,
    cost: &'a CostModel,
    prefixes: &'a [Prefix],
}

impl Search<'_> {
    /// The cheapest root for a prefix, given those of shorter ones.
    fn best(&self, number: usize, moved: bool, known: &Known) -> Option<(u64, Root)> {
        let whole = self.prefixes[number];
        let [vec, idx, lookup] = [self.cost.vec, self.cost.idx, self.cost.lookup].map(u64::from);
        let mut best: Option<(u64, Root)> = None;
        let mut consider = |cost: u64, root: Root| {
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, root));
            }
        };
        if !moved && self.is_end(number) {
            consider(self.cost.of(self.end), Root::End);
        }
        for (shorter, part) in self.prefixes[..number].iter().enumerate() {
            if !whole.length.is_multiple_of(part.length) {
                continue;
            }
            // Longer lists than anybody writes down are not worth having, even where their elements are free.
            if let Some((below, _)) = known[shorter][0]
                && let Ok(count) = u32::try_from(whole.length / part.length)
            {
                consider(below + idx + u64::from(count) * lookup, Root::Idx(shorter));
            }
            if let Some((below, _)) = known[shorter][usize::from(moved)]
                && let Some(stride) = self.stride(*part, whole)
            {
                consider(below + vec, Root::Vec(shorter, stride));
            }
        }
        if moved && let Some((below, _)) = known[number][0] {
            consider(below + idx + lookup, Root::Move);
        }
        best
    }

    /// Whether a prefix is what is below all levels, or elements that follow each other.
    fn is_end(&self, number: usize) -> bool {
        let first = self.prefixes[0];
        match self.end {
            _ if number == 0 => true,
            Tree::Con { basic, .. } => self.stride(first, self.prefixes[number]) == Some(basic.size()),
            _ => false,
        }
    }

    /// The blocks and copies of each level that the copies of `part` in `whole` go through, the innermost level first.
    fn between(
        &self,
        part: Prefix,
        whole: Prefix,
    ) -> impl DoubleEndedIterator<Item = (&Level, usize, usize)> {
        let last = if whole.within > 1 { whole.level + 1 } else { whole.level };
        (part.level..last).map(move |number| {
            let level = &self.chain.levels[number];
            let block = if number == part.level { part.within } else { 1 };
            let total = if number == whole.level { whole.within } else { level.count() };
            (level, block, total)
        })
    }

    /// The stride, if the copies of `part` in `whole` are equally far apart.
    fn stride(&self, part: Prefix, whole: Prefix) -> Option<i64> {
        let mut found: Option<(i64, usize)> = None;
        for (level, block, total) in self.between(part, whole).filter(|(_, block, total)| block < total) {
            let stride = level.stride(block, total)?;
            let copies = total / block;
            found = match found {
                None => Some((stride, copies)),
                Some((first, before)) if first.checked_mul(before as i64) == Some(stride) => {
                    Some((first, before.checked_mul(copies)?))
                }
                Some(_) => return None,
            };
        }
        found.map(|(stride, _)| stride)
    }

    /// Where the copies of `part` in `whole` start.
    fn starts(&self, part: Prefix, whole: Prefix) -> Vec<i64> {
        let mut starts = vec![0];
        for (level, block, total) in self.between(part, whole).rev() {
            starts = (starts.iter())
                .flat_map(|start| (0..total).step_by(block).map(move |i| start + level.start(i)))
                .collect();
        }
        starts
    }

    fn build(&self, number: usize, moved: bool, known: &Known) -> Tree {
        let whole = self.prefixes[number];
        let shift = if moved { self.chain.shift } else { 0 };
        let list = |part: usize| -> Vec<i64> {
            self.starts(self.prefixes[part], whole).into_iter().map(|start| start + shift).collect()
        };
        match known[number][usize::from(moved)] {
            Some((_, Root::Vec(part, stride))) => {
                let count = (whole.length / self.prefixes[part].length) as usize;
                Tree::vec(count, stride, self.build(part, moved, known))
            }
            Some((_, Root::Idx(part))) => Tree::idx(list(part), self.build(part, false, known)),
            Some((_, Root::Move)) => Tree::idx([shift], self.build(number, false, known)),
            // The end has a tree, so that every prefix has one.
            Some((_, Root::End)) | None => match self.end {
                Tree::Con { basic, .. } => Tree::con(whole.length as usize, *basic),
                end => end.clone(),
            },
        }
    }
}
