//! Loops as the engine runs them: forks as nodes, everything below the last fork as one [`Nest`].

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::loops::Loop;
use super::nest::{Body, Dim, FEW_BLOCKS, FEW_RUNS, Nest, Piece, Place};

/// Nodes, children before parents; the last is the root.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Bytes of data.
    pub(super) size: u64,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Leaf(Nest),
    /// One child, repeated.
    Repeat {
        dim: Dim,
        child: usize,
    },
    /// Blocks of one child, each with the bytes of data before it.
    Blocks {
        offsets: Arc<[i64]>,
        before: Box<[u64]>,
        step: i64,
        child: usize,
    },
    /// Several children, each with the bytes of data before it.
    Fork {
        offsets: Arc<[i64]>,
        before: Box<[u64]>,
        children: Box<[usize]>,
    },
}

impl Program {
    pub(super) fn new(code: &Loop) -> Self {
        let mut lowering = Lowering::default();
        lowering.add(code);
        Self { nodes: lowering.nodes }
    }

    /// Whether it is all one nest, in which no byte occurs twice.
    pub(super) fn disjoint(&self) -> bool {
        matches!(&self.nodes[self.root()].kind, Kind::Leaf(nest) if nest.disjoint)
    }

    pub(super) fn root(&self) -> usize {
        self.nodes.len() - 1
    }
}

#[derive(Default)]
struct Lowering {
    nodes: Vec<Node>,
    /// Loops are shared, as the children of trees are. By address: comparing would walk every path.
    known: FxHashMap<*const Loop, usize>,
}

impl Lowering {
    /// Depth is bounded where loops are built, so this may call itself.
    fn add(&mut self, code: &Loop) -> usize {
        if let Some(known) = self.known.get(&std::ptr::from_ref(code)) {
            return *known;
        }
        let node = match nest(code) {
            Some(nest) => Node { size: nest.size, kind: Kind::Leaf(nest) },
            None => self.inner(code),
        };
        self.nodes.push(node);
        self.known.insert(std::ptr::from_ref(code), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn inner(&mut self, code: &Loop) -> Node {
        match code {
            Loop::Contig { .. } => unreachable!("a run is a nest"),
            Loop::Vector { count, stride, child } => self.repeat(*count, Place::Stride(*stride), child),
            Loop::BlockIndexed { offsets, child } => {
                self.repeat(offsets.len() as u64, listed(offsets), child)
            }
            Loop::Indexed { offsets, counts, step, child } => {
                let child = self.add(child);
                let size = self.nodes[child].size;
                let (before, size) = running_sum(counts.iter().map(|count| count * size));
                Node { size, kind: Kind::Blocks { offsets: offsets.clone(), before, step: *step, child } }
            }
            Loop::Struct { offsets, children } => {
                let children: Box<[usize]> = children.iter().map(|child| self.add(child)).collect();
                let (before, size) = running_sum(children.iter().map(|child| self.nodes[*child].size));
                Node { size, kind: Kind::Fork { offsets: offsets.clone(), before, children } }
            }
        }
    }

    fn repeat(&mut self, count: u64, place: Place, child: &Loop) -> Node {
        let child = self.add(child);
        let size = self.nodes[child].size;
        Node { size: count * size, kind: Kind::Repeat { dim: Dim { count, size, place }, child } }
    }
}

/// The loop as a nest, if there is no fork in it.
fn nest(code: &Loop) -> Option<Nest> {
    let mut dims = Vec::new();
    let mut rest = code;
    let (body, body_size, unit) = loop {
        match rest {
            Loop::Contig { bytes, unit } => break (Body::Run, *bytes, *unit),
            Loop::Vector { count, stride, child } => {
                dims.push(Dim { count: *count, size: 0, place: Place::Stride(*stride) });
                rest = child;
            }
            Loop::BlockIndexed { offsets, child } => {
                dims.push(Dim { count: offsets.len() as u64, size: 0, place: listed(offsets) });
                rest = child;
            }
            Loop::Indexed { offsets, counts, step, child } => {
                let Loop::Contig { bytes, unit } = **child else {
                    return None;
                };
                if u64::try_from(*step) != Ok(bytes) {
                    return None;
                }
                let blocks = few_blocks(offsets, counts, bytes).or_else(|| as_blocks(offsets, counts, bytes));
                if let Some((places, size)) = blocks {
                    dims.push(Dim { count: places.len() as u64, size: 0, place: listed(&places.into()) });
                    break (Body::Run, size, unit);
                }
                let (before, size) = running_sum(counts.iter().map(|count| count * bytes));
                let runs = offsets.iter().zip(counts.iter()).zip(&before);
                let runs = runs.map(|((offset, count), before)| Piece {
                    offset: *offset,
                    bytes: count * bytes,
                    before: *before,
                });
                break (Body::Runs(runs.collect()), size, unit);
            }
            Loop::Struct { .. } => return None,
        }
    };
    let mut size = body_size;
    for dim in dims.iter_mut().rev() {
        dim.size = size;
        size *= dim.count;
    }
    let covered = covered(&body, body_size);
    let disjoint = covered.is_some_and(|covered| disjoint(&dims, covered));
    Some(Nest { dims: dims.into(), body, body_size, unit, size, disjoint })
}

/// A long list of short runs as blocks of one size, which are processed without looking at each one's length: their places and size.
///
/// Only if there are not many more blocks than runs.
pub(super) fn as_blocks(offsets: &[i64], counts: &[u64], bytes: u64) -> Option<(Vec<i64>, u64)> {
    if offsets.len() <= FEW_RUNS { None } else { equal_blocks(offsets, counts, bytes) }
}

/// The same for a list that is as short as what [`super::kernels::pattern`] keeps in registers.
fn few_blocks(offsets: &[i64], counts: &[u64], bytes: u64) -> Option<(Vec<i64>, u64)> {
    equal_blocks(offsets, counts, bytes).filter(|(places, _)| places.len() <= FEW_BLOCKS)
}

fn equal_blocks(offsets: &[i64], counts: &[u64], bytes: u64) -> Option<(Vec<i64>, u64)> {
    let common = counts.iter().fold(0, |a, b| gcd(a, *b));
    let blocks: u64 = counts.iter().map(|count| count / common).sum();
    if blocks > 2 * offsets.len() as u64 {
        return None;
    }
    let size = common * bytes;
    let runs = offsets.iter().zip(counts);
    let places =
        runs.flat_map(|(offset, count)| (0..count / common).map(move |i| offset + (i * size) as i64));
    Some((places.collect(), size))
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// From the first byte of a body to the last one, if it is known that none occurs twice.
fn covered(body: &Body, body_size: u64) -> Option<u64> {
    let Body::Runs(runs) = body else {
        return Some(body_size);
    };
    if runs.len() > FEW_RUNS {
        return None;
    }
    let mut runs: Vec<(i64, i64)> =
        runs.iter().map(|run| (run.offset, run.offset + run.bytes as i64)).collect();
    runs.sort_unstable();
    let apart = runs.windows(2).all(|pair| pair[0].1 <= pair[1].0);
    apart.then(|| (runs[runs.len() - 1].1 - runs[0].0).unsigned_abs())
}

/// Whether regular dimensions around a run certainly have no byte twice: sorted by stride, each strides over all below.
fn disjoint(dims: &[Dim], body: u64) -> bool {
    let mut strides = Vec::new();
    for dim in dims {
        let Place::Stride(stride) = dim.place else {
            return false;
        };
        strides.push((stride.unsigned_abs(), dim.count));
    }
    strides.sort_unstable();
    let mut covered = u128::from(body);
    for (stride, count) in strides {
        if u128::from(stride) < covered {
            return false;
        }
        covered += u128::from(stride) * u128::from(count - 1);
    }
    true
}

fn listed(offsets: &Arc<[i64]>) -> Place {
    match offsets.iter().map(|offset| i32::try_from(*offset)).collect() {
        Ok(near) => Place::Near(near),
        Err(_) => Place::Far(offsets.clone()),
    }
}

/// For each of the sizes the sum of those before it, and the sum of all.
fn running_sum(sizes: impl Iterator<Item = u64>) -> (Box<[u64]>, u64) {
    let mut sum = 0;
    let before = sizes
        .map(|size| {
            sum += size;
            sum - size
        })
        .collect();
    (before, sum)
}
