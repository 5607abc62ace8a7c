//! Trees are right (they flatten to what was given) and cheapest (against all trees, and against the paper's listing).

use std::collections::{BTreeSet, HashMap};

use arbtest::arbtest;
use layout::reconstruct::{Constructors, Options, reconstruct, reconstruct_displacements};
use layout::{Basic, CostModel, Element, Tree};

use crate::support::listing;

/// Uniform ones, one in which nearly all is free, and one in which each node has its own price.
fn models() -> [CostModel; 5] {
    [
        CostModel::default(),
        CostModel::uniform(1, 1),
        CostModel { con: 0, vec: 9, idx: 0, strc: 0, vecbuc: 0, idxbuc: 3, lookup: 1 },
        CostModel::uniform(3, 2),
        CostModel { con: 2, vec: 5, idx: 3, strc: 9, vecbuc: 4, idxbuc: 1, lookup: 2 },
    ]
}

fn options(cost: CostModel, constructors: Constructors) -> Options {
    Options { cost, constructors, ..Options::default() }
}

/// Where sequences may begin: wherever those of the test do, and at some other places that nothing suggests.
const ORIGINS: [i64; 8] = [-3, -2, 0, 1, 2, 3, 5, 8];

/// All trees by definition: what a sequence costs, given nothing but the constructors, with any shift of children.
///
/// Independent of the theory in the paper: a child whose place the node above chooses may begin at any of [`ORIGINS`], and so may one that
/// is moved by a node of count 1.
struct AllTrees<'a> {
    cost: &'a CostModel,
    constructors: Constructors,
    known: HashMap<Vec<i64>, u32>,
    /// The least cost of a sequence that begins at 0 over all places where it may begin.
    anywhere: HashMap<Vec<i64>, u32>,
}

impl<'a> AllTrees<'a> {
    fn new(cost: &'a CostModel, constructors: Constructors) -> Self {
        Self { cost, constructors, known: HashMap::new(), anywhere: HashMap::new() }
    }

    /// The least cost of a tree for exactly that sequence.
    fn least(&mut self, d: &[i64]) -> u32 {
        let single = if self.constructors == Constructors::Homogeneous {
            self.cost.idx + self.cost.lookup
        } else {
            (self.cost.idx + self.cost.lookup).min(self.cost.strc + 2 * self.cost.lookup)
        };
        // Several nodes of count 1 move no further than one does.
        self.without_moving(d).min(self.least_anywhere(d).saturating_add(single))
    }

    /// The least cost of a tree for that sequence or the same moved to some other place.
    fn least_anywhere(&mut self, d: &[i64]) -> u32 {
        let origin: Vec<i64> = d.iter().map(|x| x - d[0]).collect();
        if let Some(known) = self.anywhere.get(&origin) {
            return *known;
        }
        let moved = |to: i64| -> Vec<i64> { origin.iter().map(|x| x + to).collect() };
        let least = ORIGINS.iter().map(|to| self.without_moving(&moved(*to))).min().unwrap_or(u32::MAX / 4);
        self.anywhere.insert(origin.clone(), least);
        least
    }

    /// The least cost of a tree whose root moves nothing.
    fn without_moving(&mut self, d: &[i64]) -> u32 {
        if let Some(known) = self.known.get(d) {
            return *known;
        }
        let n = d.len();
        let mut least = u32::MAX / 4;
        if d.iter().zip(0..).all(|(x, i)| *x == i) {
            least = self.cost.con;
        }
        for q in (1..n).filter(|q| n.is_multiple_of(*q)) {
            let block = &d[..q];
            let starts: Vec<i64> = d.iter().step_by(q).map(|x| x - d[0]).collect();
            let repeated = d
                .chunks(q)
                .zip(&starts)
                .all(|(chunk, start)| chunk.iter().zip(block).all(|(x, y)| x - start == *y));
            if !repeated {
                continue;
            }
            // The child may begin anywhere if the indices make up for it.
            let anywhere = self.least_anywhere(block);
            let count = starts.len() as u32;
            least = least.min(anywhere + self.cost.idx + count * self.cost.lookup);
            if starts.windows(2).all(|pair| pair[1] - pair[0] == starts[1]) {
                least = least.min(self.least(block) + self.cost.vec);
            }
            if self.constructors == Constructors::Extended {
                for step in steps(&starts) {
                    let buckets =
                        1 + starts.windows(2).filter(|pair| pair[1] - pair[0] != step).count() as u32;
                    least = least.min(anywhere + self.cost.idxbuc + 2 * buckets * self.cost.lookup);
                    for stride in steps(&starts) {
                        if let Some(buckets) = fewest_buckets(&starts, stride, step) {
                            least =
                                least.min(self.least(block) + self.cost.vecbuc + buckets * self.cost.lookup);
                        }
                    }
                }
            }
        }
        // Every way to cut the sequence into at least two pieces.
        let cuts = if self.constructors == Constructors::Homogeneous { 1 } else { 1_u32 << (n - 1) };
        for cuts in 1..cuts {
            let mut sum = self.cost.strc;
            let mut from = 0;
            for to in 1..=n {
                if to == n || cuts >> (to - 1) & 1 == 1 {
                    sum += self.least_anywhere(&d[from..to]) + 2 * self.cost.lookup;
                    from = to;
                }
            }
            least = least.min(sum);
        }
        self.known.insert(d.to_vec(), least);
        least
    }
}

/// All differences of two starts.
fn steps(starts: &[i64]) -> Vec<i64> {
    starts.iter().flat_map(|a| starts.iter().map(move |b| b - a)).collect()
}

/// All ways to read starts as buckets, by trying both at each start.
fn fewest_buckets(starts: &[i64], stride: i64, step: i64) -> Option<u32> {
    fn rest(starts: &[i64], i: usize, bucket: i64, stride: i64, step: i64) -> Option<u32> {
        if i == starts.len() {
            return Some(bucket as u32 + 1);
        }
        let same =
            (starts[i] - starts[i - 1] == step).then(|| rest(starts, i + 1, bucket, stride, step)).flatten();
        let next = (starts[i] == (bucket + 1) * stride)
            .then(|| rest(starts, i + 1, bucket + 1, stride, step))
            .flatten();
        same.into_iter().chain(next).min()
    }
    rest(starts, 1, 0, stride, step)
}

/// The same for each prefix, of long sequences too: by keeping all buckets that its last start may belong to.
fn bucket_counts(starts: &[i64], stride: i64, step: i64) -> Vec<Option<u32>> {
    let mut buckets = vec![0];
    let mut counts = vec![None; starts.len()];
    counts[0] = Some(1);
    for i in 1..starts.len() {
        let begun = buckets.iter().map(|b| b + 1).filter(|b| starts[i] - starts[0] == *b * stride);
        let same = buckets.iter().copied().filter(|_| starts[i] - starts[i - 1] == step);
        let all: BTreeSet<i64> = begun.chain(same).collect();
        let Some(fewest) = all.first() else { break };
        counts[i] = Some(*fewest as u32 + 1);
        buckets = all.into_iter().collect();
    }
    counts
}

/// What repetitions of the blocks of a sequence take in buckets, whatever they cost.
struct Repetitions {
    length: usize,
    /// For each place, length of block and number of blocks that are equal.
    known: HashMap<(usize, usize, usize), Buckets>,
}

/// The fewest buckets of some blocks.
struct Buckets {
    /// Whether the blocks are equally far apart.
    regular: bool,
    /// Of an `idxbuc`.
    indexed: u32,
    /// Of a `vecbuc`, if there are any.
    strided: Option<u32>,
}

impl Repetitions {
    fn of(d: &[i64]) -> Self {
        let mut known = HashMap::new();
        for i in 0..d.len() {
            for q in 1..=(d.len() - i) / 2 {
                let block = |k: usize| d[k..k + q].iter().map(move |x| x - d[k]);
                let starts: Vec<i64> = (d[i..].chunks_exact(q).zip((i..).step_by(q)))
                    .take_while(|(_, k)| block(*k).eq(block(i)))
                    .map(|(chunk, _)| chunk[0])
                    .collect();
                let steps: BTreeSet<i64> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
                let strides: BTreeSet<i64> = starts.iter().map(|start| start - starts[0]).collect();
                let mut strided = vec![None; starts.len()];
                for step in &steps {
                    for stride in &strides {
                        for (least, count) in strided.iter_mut().zip(bucket_counts(&starts, *stride, *step)) {
                            *least = (*least).into_iter().chain(count).min();
                        }
                    }
                }
                for c in 2..=starts.len() {
                    let pairs = || starts[..c].windows(2).map(|pair| pair[1] - pair[0]);
                    let regular = pairs().all(|distance| distance == starts[1] - starts[0]);
                    let buckets = |step: &i64| 1 + pairs().filter(|distance| distance != step).count() as u32;
                    let indexed = steps.iter().map(buckets).min().unwrap();
                    known.insert((i, q, c), Buckets { regular, indexed, strided: strided[c - 1] });
                }
            }
        }
        Self { length: d.len(), known }
    }

    /// The least cost of a tree for a sequence of bytes that begins at 0: what each part is as a leaf, a repetition, or a struct.
    fn least(&self, d: &[i64], cost: &CostModel) -> u32 {
        let n = self.length;
        let mut least = HashMap::new();
        for length in 1..=n {
            for i in 0..=n - length {
                let leaf = (1..length).all(|k| d[i + k] - d[i] == k as i64);
                let mut found = if leaf { cost.con } else { u32::MAX / 4 };
                for q in (1..length).filter(|q| length.is_multiple_of(*q)) {
                    let Some(Buckets { regular, indexed, strided }) = self.known.get(&(i, q, length / q))
                    else {
                        continue;
                    };
                    let block: u32 = least[&(i, i + q)];
                    found = found.min(block + cost.idx + (length / q) as u32 * cost.lookup);
                    found = found.min(block + cost.idxbuc + 2 * indexed * cost.lookup);
                    if *regular {
                        found = found.min(block + cost.vec);
                    }
                    if let Some(strided) = strided {
                        found = found.min(block + cost.vecbuc + strided * cost.lookup);
                    }
                }
                // The least sums of parts, none of which is all.
                let mut sums = vec![0];
                for end in 1..=length {
                    let parts = (0..end).filter(|start| end - start < length);
                    let sum = parts.map(|start| sums[start] + least[&(i + start, i + end)] + 2 * cost.lookup);
                    let sum = sum.min().unwrap_or(u32::MAX / 4);
                    if end < length {
                        sums.push(sum);
                    } else {
                        found = found.min(sum + cost.strc);
                    }
                }
                least.insert((i, i + length), found);
            }
        }
        least[&(0, n)]
    }
}

/// Compares with all trees, and what the tree says with what was asked.
fn check(d: &[i64], cost: CostModel, constructors: Constructors, all: &mut AllTrees<'_>) {
    let found = reconstruct_displacements(d, Basic::Byte, &options(cost, constructors)).unwrap();
    let flat: Vec<i64> = found.tree.flatten().iter().map(|e| e.displacement).collect();
    assert_eq!(flat, d, "{}", found.tree);
    assert_eq!(found.cost, cost.of(&found.tree), "{}", found.tree);
    assert_eq!(found.cost, u64::from(all.least(d)), "{d:?} {cost:?}: {}", found.tree);
    assert!(found.optimal);
}

/// Every sequence of that length over the alphabet.
fn sequences(length: usize, alphabet: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..alphabet.len().pow(length as u32)).map(move |number| {
        (0..length).map(|i| alphabet[number / alphabet.len().pow(i as u32) % alphabet.len()]).collect()
    })
}

#[test]
fn cheapest_of_all_trees() {
    for cost in models() {
        for constructors in [Constructors::Homogeneous, Constructors::Basic, Constructors::Extended] {
            let mut all = AllTrees::new(&cost, constructors);
            for (most, alphabet) in [(7, &[0, 1, 2][..]), (5, &[0, 1, 3, -2]), (6, &[5, 6, 8])] {
                for length in 1..=most {
                    for d in sequences(length, alphabet) {
                        check(&d, cost, constructors, &mut all);
                    }
                }
            }
        }
    }
}

/// Sequences with structure: repetitions of repetitions, disturbed now and then.
fn structured(u: &mut arbtest::arbitrary::Unstructured<'_>) -> arbtest::arbitrary::Result<Vec<i64>> {
    let mut d = vec![0_i64];
    for _ in 0..u.int_in_range(1..=3)? {
        let count = u.int_in_range(1..=4)?;
        let stride = u.int_in_range(-3..=12)?;
        let base = d.clone();
        for i in 1..count {
            let jitter = if u.ratio(1, 6)? { u.int_in_range(0..=3)? } else { 0 };
            d.extend(base.iter().map(|x| x + i * stride + jitter));
        }
        if u.ratio(1, 4)? {
            d.push(u.int_in_range(-5..=30)?);
        }
    }
    d.truncate(60);
    Ok(d)
}

/// In one half of all cases several basic datatypes, in turn.
#[test]
fn as_cheap_as_the_listing_finds() {
    const BASICS: [Basic; 3] = [Basic::Byte, Basic::Short, Basic::Char];
    arbtest(|u| {
        let d = structured(u)?;
        let (kinds, period) = (if u.arbitrary()? { 1 } else { 3 }, u.int_in_range(1..=4)?);
        let elements: Vec<Element> =
            (d.iter().enumerate()).map(|(i, x)| Element::new(x - d[0], BASICS[i / period % kinds])).collect();
        for cost in models() {
            let found = reconstruct(&elements, &options(cost, Constructors::Basic)).unwrap();
            assert_eq!(found.tree.flatten(), elements, "{:#}", found.tree);
            assert_eq!(
                found.cost,
                u64::from(listing::least_cost(&elements, &cost)),
                "{elements:?} {cost:?}: {:#}",
                found.tree
            );
        }
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn without_table_right_and_bounded() {
    arbtest(|u| {
        let d = structured(u)?;
        let cost = models()[u.choose_index(5)?];
        let constructors = *u.choose(&[Constructors::Basic, Constructors::Extended])?;
        let exact = reconstruct_displacements(&d, Basic::Int, &options(cost, constructors)).unwrap();
        let small = Options { memory_limit: 200, ..options(cost, constructors) };
        let found = reconstruct_displacements(&d, Basic::Int, &small).unwrap();
        assert_eq!(found.tree.flatten(), exact.tree.flatten());
        assert_eq!(found.cost, cost.of(&found.tree));
        assert!(found.lower_bound <= exact.cost && exact.cost <= found.cost, "{d:?}: {found:?} {exact:?}");
        assert!(!found.optimal || found.cost == exact.cost);
        let elements = exact.tree.flatten();
        let simple = reconstruct(&elements, &options(cost, Constructors::Homogeneous)).unwrap();
        assert_eq!(simple.tree.flatten(), elements);
        assert!(exact.cost <= simple.cost);
        Ok(())
    })
    .budget_ms(1000);
}

/// With buckets, against the definition of what each part costs.
#[test]
fn buckets_as_cheap_as_by_definition() {
    arbtest(|u| {
        let mut d = structured(u)?;
        d.truncate(32);
        let first = d[0];
        d.iter_mut().for_each(|x| *x -= first);
        let repetitions = Repetitions::of(&d);
        for cost in models() {
            let found =
                reconstruct_displacements(&d, Basic::Byte, &options(cost, Constructors::Extended)).unwrap();
            let flat: Vec<i64> = found.tree.flatten().iter().map(|e| e.displacement).collect();
            assert_eq!(flat, d, "{}", found.tree);
            assert_eq!(found.cost, u64::from(repetitions.least(&d, &cost)), "{d:?} {cost:?}: {}", found.tree);
            assert!(found.optimal);
        }
        Ok(())
    })
    .budget_ms(4000);
}

#[test]
fn basic_types_are_told_apart() {
    let pair = |at: i64| [Element::new(at, Basic::Int), Element::new(at + 8, Basic::Double)];
    let elements: Vec<Element> = (0..10).flat_map(|i| pair(16 * i)).collect();
    let found = reconstruct(&elements, &Options::default()).unwrap();
    assert_eq!(found.tree.flatten(), elements);
    let record = Tree::strc([0, 8], [Tree::con(1, Basic::Int), Tree::con(1, Basic::Double)]);
    assert_eq!(found.tree, Tree::vec(10, 16, record));
}

/// Figure 1 of the paper: its tree is the cheapest where a node costs 4 words, and not where it costs 6.
#[test]
fn figure_1() {
    let d = [0, 1, 2, 3, 4, 60, 56, 67, 50, 46, 57, 40, 36, 47, 30, 26, 37, 20, 16, 27];
    let cost = |k: u32| {
        reconstruct_displacements(&d, Basic::Byte, &options(CostModel::uniform(k, 1), Constructors::Basic))
            .unwrap()
            .cost
    };
    assert_eq!(cost(4), 27);
    assert_eq!(cost(6), 32);
}

/// A node that carries the shift below a `vec`: the paper's lemma 5 gives 25.
#[test]
fn shift_below_a_vec() {
    let d: Vec<i64> = (0..10).flat_map(|i| [5 + 100 * i, 8 + 100 * i]).collect();
    let found = reconstruct_displacements(&d, Basic::Byte, &Options::default()).unwrap();
    assert_eq!(found.cost, 20);
    assert_eq!(found.tree, Tree::vec(10, 100, Tree::idx([5, 8], Tree::con(1, Basic::Byte))));
}

#[test]
fn what_cannot_be_done_is_said() {
    let of =
        |d: &[i64]| reconstruct_displacements(d, Basic::Double, &Options::default()).unwrap_err().to_string();
    assert!(of(&[]).contains("no displacements"));
    assert!(of(&[0, i64::MAX]).contains("too far"));
    assert!(of(&[i64::MIN / 8]).contains("too far"));
    let dear = options(CostModel::uniform(u32::MAX, 1), Constructors::Basic);
    assert!(
        reconstruct_displacements(&[0], Basic::Byte, &dear).unwrap_err().to_string().contains("cost model")
    );
}

/// The paper reads a first bucket as long as it can, or of one element: neither finds these buckets of 2, 1, 1 and 2 elements.
#[test]
fn buckets_that_both_ways_of_the_paper_miss() {
    let d = [0, 1, 2, 4, 6, 7];
    let cheap = CostModel { vecbuc: 1, ..CostModel::default() };
    let found = reconstruct_displacements(&d, Basic::Byte, &options(cheap, Constructors::Extended)).unwrap();
    assert_eq!(found.tree.to_string(), "vecbuc(4,2,1,<2,1,1,2>,con(1))");
}
