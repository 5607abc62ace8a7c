//! The constraint graph against a dense matrix, operation by operation, for 10, 50 and 200 symbols.
//!
//! The peer is what the graph was before: a matrix of all pairs, closed incrementally on each new inequality, copied as a
//! whole, and closed from scratch by the algorithm of Floyd and Warshall where a widening dropped something. Both answer the
//! same questions about the same systems, which is checked before anything is measured. Two shapes of systems:
//!
//! * `program`: what a state of the analysis looks like. One symbol in twenty is free (at least four are), and bounded by its
//!   neighbours; the others are constants or copies of free ones.
//! * `chain`: the worst case for a sparse graph. All symbols are free and each pair of them is related.
//!
//! After the times of each operation comes a table of ratios, dense to sparse, from runs that alternate between both.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use divan::Bencher;
use lattice::{Constraints, Symbol};

const SIZES: [usize; 3] = [10, 50, 200];

fn main() {
    for (shape, size) in SHAPES.into_iter().flat_map(|shape| SIZES.map(|size| (shape, size))) {
        agree(shape, size);
    }
    divan::main();
    // Not when the benches are only listed or tried.
    if !std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        ratios();
    }
}

/// The number of a symbol; none is zero.
type End = Option<usize>;

/// What both sides can do.
trait Graph: Clone {
    fn new() -> Self;
    /// Adds `x - y <= bound`; false when that contradicts what is known.
    fn assume(&mut self, x: End, y: End, bound: i64) -> bool;
    fn bound(&self, x: End, y: End) -> Option<i64>;
    fn implies(&self, other: &Self) -> bool;
    fn join(&self, other: &Self) -> Self;
    fn widen(&self, newer: &Self) -> Self;
}

impl Graph for Constraints {
    fn new() -> Self {
        Self::new()
    }

    fn assume(&mut self, x: End, y: End, bound: i64) -> bool {
        self.assume_difference(x.map(symbol), y.map(symbol), bound).is_some()
    }

    fn bound(&self, x: End, y: End) -> Option<i64> {
        self.difference_bound(x.map(symbol), y.map(symbol))
    }

    fn implies(&self, other: &Self) -> bool {
        self.implies(other)
    }

    fn join(&self, other: &Self) -> Self {
        self.join(other)
    }

    fn widen(&self, newer: &Self) -> Self {
        self.widen(newer)
    }
}

fn symbol(number: usize) -> Symbol {
    Symbol::of(10 + u32::try_from(number).expect("small"))
}

/// All pairs, closed.
#[derive(Clone)]
struct Dense {
    vertices: BTreeMap<usize, usize>,
    bounds: Vec<Vec<Option<i64>>>,
}

impl Dense {
    fn vertex(&mut self, end: End) -> usize {
        let Some(symbol) = end else { return 0 };
        if let Some(&vertex) = self.vertices.get(&symbol) {
            return vertex;
        }
        let vertex = self.bounds.len();
        for row in &mut self.bounds {
            row.push(None);
        }
        self.bounds.push(vec![None; vertex + 1]);
        self.bounds[vertex][vertex] = Some(0);
        self.vertices.insert(symbol, vertex);
        vertex
    }

    /// Closes from scratch.
    fn close(&mut self) {
        let n = self.bounds.len();
        for k in 0..n {
            let through = self.bounds[k].clone();
            for row in &mut self.bounds {
                let Some(to_k) = row[k] else { continue };
                for (known, tail) in row.iter_mut().zip(&through) {
                    let Some(path) = tail.and_then(|tail| to_k.checked_add(tail)) else { continue };
                    if known.is_none_or(|known| path < known) {
                        *known = Some(path);
                    }
                }
            }
        }
    }

    /// Combines the bounds of all pairs that both sides know.
    fn combine(&self, other: &Self, f: impl Fn(i64, i64) -> Option<i64>) -> Self {
        let common =
            self.vertices.keys().filter_map(|s| Some((*s, self.vertices[s], *other.vertices.get(s)?)));
        let ends: Vec<_> = std::iter::once((usize::MAX, 0, 0)).chain(common).collect();
        let row = |&(_, x, u): &(usize, usize, usize)| -> Vec<Option<i64>> {
            ends.iter().map(|&(_, y, v)| f(self.bounds[x][y]?, other.bounds[u][v]?)).collect()
        };
        let vertices = ends.iter().enumerate().skip(1).map(|(vertex, end)| (end.0, vertex)).collect();
        Self { vertices, bounds: ends.iter().map(row).collect() }
    }
}

impl Graph for Dense {
    fn new() -> Self {
        Self { vertices: BTreeMap::new(), bounds: vec![vec![Some(0)]] }
    }

    fn assume(&mut self, x: End, y: End, bound: i64) -> bool {
        let (x, y) = (self.vertex(x), self.vertex(y));
        if self.bounds[x][y].is_some_and(|known| known <= bound) {
            return true;
        }
        if self.bounds[y][x].and_then(|back| back.checked_add(bound)).is_some_and(|cycle| cycle < 0) {
            return false;
        }
        let from_y = self.bounds[y].clone();
        for row in &mut self.bounds {
            let Some(through) = row[x].and_then(|to_x| to_x.checked_add(bound)) else { continue };
            for (known, tail) in row.iter_mut().zip(&from_y) {
                let Some(path) = tail.and_then(|tail| through.checked_add(tail)) else { continue };
                if known.is_none_or(|known| path < known) {
                    *known = Some(path);
                }
            }
        }
        true
    }

    fn bound(&self, x: End, y: End) -> Option<i64> {
        let vertex = |end: End| end.map_or(Some(0), |symbol| self.vertices.get(&symbol).copied());
        self.bounds[vertex(x)?][vertex(y)?]
    }

    fn implies(&self, other: &Self) -> bool {
        let ends = || std::iter::once((None, 0)).chain(other.vertices.iter().map(|(&s, &v)| (Some(s), v)));
        ends().all(|(x, u)| {
            ends().all(|(y, v)| {
                other.bounds[u][v].is_none_or(|bound| self.bound(x, y).is_some_and(|known| known <= bound))
            })
        })
    }

    fn join(&self, other: &Self) -> Self {
        self.combine(other, |a, b| Some(a.max(b)))
    }

    fn widen(&self, newer: &Self) -> Self {
        let mut wide = self.combine(newer, |a, b| (b <= a).then_some(a));
        wide.close();
        wide
    }
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    Program,
    Chain,
}

const SHAPES: [Shape; 2] = [Shape::Program, Shape::Chain];

impl Shape {
    /// How many symbols are free: they come first.
    fn free(self, size: usize) -> usize {
        match self {
            Self::Program => (size / 20).max(4),
            Self::Chain => size,
        }
    }

    /// A system in the given round of a loop: a free symbol in the middle has come nearer to its end, and so have two
    /// constants, which move together.
    fn build<G: Graph>(self, size: usize, round: i64) -> G {
        let free = self.free(size);
        let mut graph = G::new();
        let mut assume = |x: End, y: End, bound: i64| assert!(graph.assume(x, y, bound));
        assume(None, Some(0), -1);
        for x in 1..free {
            // Not transitive to the end: each pair says more than the ranges do.
            assume(Some(x - 1), Some(x), -1);
        }
        assume(Some(free / 2), Some(free - 1), -20 + round);
        for x in free..size {
            let value = i64::try_from(x).expect("small");
            let (base, offset) = if x % 2 == 0 { (None, value) } else { (Some(x % free), value) };
            let moved = offset + if x >= size - 2 { round } else { 0 };
            assume(Some(x), base, moved);
            assume(base, Some(x), -moved);
        }
        graph
    }

    /// An inequality that is news, between symbols that others depend on.
    fn news(self, size: usize) -> (End, End, i64) {
        let free = self.free(size);
        (Some(1), Some(free - 2), -i64::try_from(free).expect("small"))
    }
}

/// Both sides give the same bounds for all pairs after each operation that is measured.
fn agree(shape: Shape, size: usize) {
    let (sparse, dense): (Constraints, Dense) = (shape.build(size, 0), shape.build(size, 0));
    let (newer, dense_newer): (Constraints, Dense) = (shape.build(size, 1), shape.build(size, 1));
    let same = |a: &Constraints, b: &Dense| {
        let ends = || std::iter::once(None).chain((0..size).map(Some));
        assert!(ends().all(|x| ends().all(|y| a.bound(x, y) == b.bound(x, y))), "{shape:?} {size}");
    };
    same(&sparse, &dense);
    same(&sparse.join(&newer), &Graph::join(&dense, &dense_newer));
    same(&sparse.widen(&newer), &Graph::widen(&dense, &dense_newer));
    let (x, y, bound) = shape.news(size);
    let (mut sparse, mut dense) = (sparse, dense);
    assert!(Graph::assume(&mut sparse, x, y, bound) && dense.assume(x, y, bound));
    assert!(sparse.bound(x, y) == Some(bound), "it is news");
    same(&sparse, &dense);
}

/// The operations, each prepared once and then run any number of times.
const OPERATIONS: [&str; 6] = ["query", "assume", "clone+assume", "entailment", "join", "widen"];

/// Time of one run of an operation.
fn time<G: Graph>(operation: &str, shape: Shape, size: usize, runs: u32) -> Duration {
    let (graph, newer): (G, G) = (shape.build(size, 0), shape.build(size, 1));
    let same: G = shape.build(size, 0);
    let (x, y, bound) = shape.news(size);
    let measure = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..runs {
            run();
        }
        start.elapsed() / runs
    };
    match operation {
        "query" => measure(&mut || {
            black_box(graph.bound(black_box(x), black_box(y)));
        }),
        "assume" => {
            // Each on a graph of its own that shares nothing.
            let mut graphs: Vec<G> = (0..runs).map(|_| shape.build(size, 0)).collect();
            let mut next = graphs.iter_mut();
            measure(&mut || {
                black_box(next.next().expect("one for each run").assume(x, y, bound));
            })
        }
        "clone+assume" => measure(&mut || {
            let mut copy = graph.clone();
            black_box(copy.assume(x, y, bound));
            black_box(copy);
        }),
        "entailment" => measure(&mut || {
            black_box(graph.implies(&same));
        }),
        "join" => measure(&mut || {
            black_box(graph.join(&newer));
        }),
        _ => measure(&mut || {
            black_box(graph.widen(&newer));
        }),
    }
}

fn ratios() {
    println!("\ntime of the dense matrix divided by that of the graph (median of 9 alternating runs)");
    println!("{:<9} {:<13} {:>5} {:>12} {:>12} {:>9}", "shape", "operation", "n", "dense", "sparse", "ratio");
    for shape in SHAPES {
        for operation in OPERATIONS {
            for size in SIZES {
                let runs =
                    if operation == "query" { 10_000 } else { u32::try_from(400 / size).expect("small") };
                let median = |mut all: Vec<Duration>| {
                    all.sort_unstable();
                    all[all.len() / 2]
                };
                let pairs = (0..9).map(|_| {
                    (
                        time::<Dense>(operation, shape, size, runs),
                        time::<Constraints>(operation, shape, size, runs),
                    )
                });
                let (dense, sparse): (Vec<_>, Vec<_>) = pairs.unzip();
                let (dense, sparse) = (median(dense), median(sparse));
                let ratio = dense.as_secs_f64() / sparse.as_secs_f64().max(1e-9);
                let (dense, sparse) = (format!("{dense:.2?}"), format!("{sparse:.2?}"));
                let shape = format!("{shape:?}").to_lowercase();
                println!("{shape:<9} {operation:<13} {size:>5} {dense:>12} {sparse:>12} {ratio:>9.2}");
            }
        }
    }
}

#[divan::bench(types = [Dense, Constraints], args = SIZES)]
fn program_clone_and_assume<G: Graph>(bencher: Bencher<'_, '_>, size: usize) {
    let graph: G = Shape::Program.build(size, 0);
    let (x, y, bound) = Shape::Program.news(size);
    bencher.bench_local(|| {
        let mut copy = graph.clone();
        copy.assume(x, y, bound);
        copy
    });
}

#[divan::bench(types = [Dense, Constraints], args = SIZES)]
fn program_assume<G: Graph>(bencher: Bencher<'_, '_>, size: usize) {
    let (x, y, bound) = Shape::Program.news(size);
    let fresh = || Shape::Program.build::<G>(size, 0);
    bencher.with_inputs(fresh).bench_local_refs(|graph| graph.assume(x, y, bound));
}

#[divan::bench(types = [Dense, Constraints], args = SIZES)]
fn program_entailment<G: Graph>(bencher: Bencher<'_, '_>, size: usize) {
    let (a, b): (G, G) = (Shape::Program.build(size, 0), Shape::Program.build(size, 0));
    bencher.bench_local(|| a.implies(&b));
}

#[divan::bench(types = [Dense, Constraints], args = SIZES)]
fn program_join<G: Graph>(bencher: Bencher<'_, '_>, size: usize) {
    let (a, b): (G, G) = (Shape::Program.build(size, 0), Shape::Program.build(size, 1));
    bencher.bench_local(|| a.join(&b));
}

#[divan::bench(types = [Dense, Constraints], args = SIZES)]
fn program_widen<G: Graph>(bencher: Bencher<'_, '_>, size: usize) {
    let (a, b): (G, G) = (Shape::Program.build(size, 0), Shape::Program.build(size, 1));
    bencher.bench_local(|| a.widen(&b));
}
