//! Every operation of the constraint graph against explicit sets of integer points.
//!
//! A world is a set of points and the graph that should describe it. All operations tested here are exact on differences, so
//! after each of them every bound that the graph states is attained by a point, and the graph is refused exactly when no
//! point is left: over the integers, closed is tight.

use std::collections::BTreeSet;

use lattice::{Constraints, Linear, Symbol, Symbols, Truth};
use proptest::prelude::*;

const COUNT: usize = 3;
const LOW: i64 = -2;
const HIGH: i64 = 2;

#[derive(Clone, Debug)]
struct World {
    /// The symbol of each coordinate.
    names: Vec<Symbol>,
    points: BTreeSet<Vec<i64>>,
    graph: Constraints,
}

#[derive(Clone, Debug)]
enum Op {
    /// `factor * (x - y) <= bound`; `COUNT` is zero.
    Assume {
        x: usize,
        y: usize,
        factor: i64,
        bound: i64,
    },
    /// `x = y + offset`
    Equate {
        x: usize,
        y: usize,
        offset: i64,
    },
    Assign {
        x: usize,
        y: usize,
        offset: i64,
    },
    /// Forget, and bound again so that there are finitely many points.
    Forget {
        x: usize,
    },
    Rename {
        x: usize,
        to: u32,
    },
    /// Copy the coordinates of which the bit is set; then drop the originals, or the copies.
    Split {
        mask: usize,
        fresh: [u32; COUNT],
        drop_originals: bool,
    },
}

fn op() -> impl Strategy<Value = Op> {
    let name = || 2_u32..60;
    prop_oneof![
        5 => (0..=COUNT, 0..=COUNT, 1_i64..4, -3_i64..4)
            .prop_map(|(x, y, factor, bound)| Op::Assume { x, y, factor, bound }),
        2 => (0..=COUNT, 0..=COUNT, -2_i64..3).prop_map(|(x, y, offset)| Op::Equate { x, y, offset }),
        3 => (0..COUNT, 0..=COUNT, -2_i64..3).prop_map(|(x, y, offset)| Op::Assign { x, y, offset }),
        1 => (0..COUNT).prop_map(|x| Op::Forget { x }),
        1 => (0..COUNT, name()).prop_map(|(x, to)| Op::Rename { x, to }),
        1 => (0..1_usize << COUNT, [name(), name(), name()], any::<bool>())
            .prop_map(|(mask, fresh, drop_originals)| Op::Split { mask, fresh, drop_originals }),
    ]
}

impl World {
    fn new() -> Self {
        let names: Vec<Symbol> = (0..COUNT).map(|i| Symbol::of(20 + 7 * i as u32)).collect();
        let mut world = Self { names, points: BTreeSet::from([vec![0; COUNT]]), graph: Constraints::new() };
        for x in 0..COUNT {
            world.free(x);
        }
        world
    }

    /// Lets a coordinate have any value of the box.
    fn free(&mut self, x: usize) {
        let values = |point: &Vec<i64>| {
            let mut point = point.clone();
            (LOW..=HIGH).map(move |value| {
                point[x] = value;
                point.clone()
            })
        };
        self.points = self.points.iter().flat_map(values).collect();
        self.graph.forget(self.names[x]);
        let name = Linear::from(self.names[x]);
        assert_eq!(self.graph.assume_le(&LOW.into(), &name), Some(true));
        assert_eq!(self.graph.assume_le(&name, &HIGH.into()), Some(true));
    }

    fn name(&self, x: usize) -> Linear {
        self.names.get(x).map_or(Linear::zero(), |&s| s.into())
    }

    fn at(point: &[i64], x: usize) -> i64 {
        point.get(x).copied().unwrap_or(0)
    }

    /// False when nothing is left.
    fn apply(&mut self, op: &Op) -> bool {
        match *op {
            Op::Assume { x, y, factor, bound } => {
                self.points.retain(|p| factor * (Self::at(p, x) - Self::at(p, y)) <= bound);
                let left = self.name(x).sub(&self.name(y)).and_then(|d| d.scale(factor)).expect("small");
                let outcome = self.graph.assume_le(&left, &bound.into());
                assert_eq!(outcome, (!self.points.is_empty()).then_some(true));
            }
            Op::Equate { x, y, offset } => {
                self.points.retain(|p| Self::at(p, x) == Self::at(p, y) + offset);
                let right = self.name(y).offset(offset).expect("small");
                let outcome = self.graph.assume_eq(&self.name(x), &right);
                assert_eq!(outcome, (!self.points.is_empty()).then_some(true));
            }
            Op::Assign { x, y, offset } => {
                let assigned = |p: &Vec<i64>| {
                    let mut p = p.clone();
                    p[x] = Self::at(&p, y) + offset;
                    p
                };
                self.points = self.points.iter().map(assigned).collect();
                let value = self.name(y).offset(offset).expect("small");
                assert!(self.graph.assign(self.names[x], &value));
            }
            Op::Forget { x } => self.free(x),
            Op::Rename { x, to } => {
                let to = Symbol::of(8 + to);
                if !self.names.contains(&to) {
                    self.graph.rename(self.names[x], to);
                    self.names[x] = to;
                }
            }
            Op::Split { mask, fresh, drop_originals } => {
                let split: Vec<usize> = (0..COUNT).filter(|x| mask & (1 << x) != 0).collect();
                let pairs: Vec<_> =
                    split.iter().map(|&x| (self.names[x], Symbol::of(8 + fresh[x]))).collect();
                let all: BTreeSet<Symbol> =
                    self.names.iter().copied().chain(pairs.iter().map(|n| n.1)).collect();
                if all.len() < COUNT + pairs.len() {
                    return true;
                }
                self.split(&split, &pairs, drop_originals);
            }
        }
        !self.points.is_empty()
    }

    fn split(&mut self, split: &[usize], pairs: &[(Symbol, Symbol)], drop_originals: bool) {
        let mut both = Self { names: self.names.clone(), points: BTreeSet::new(), graph: self.graph.clone() };
        both.names.extend(pairs.iter().map(|n| n.1));
        for p in &self.points {
            for q in &self.points {
                if (0..COUNT).all(|x| split.contains(&x) || p[x] == q[x]) {
                    both.points.insert(p.iter().copied().chain(split.iter().map(|&x| q[x])).collect());
                }
            }
        }
        both.graph.duplicate(pairs);
        both.check();
        // Copies take the place of their originals, or go.
        let mut order: Vec<usize> = (0..COUNT).collect();
        if drop_originals {
            for (copy, &x) in split.iter().enumerate() {
                order[x] = COUNT + copy;
            }
        }
        self.names = order.iter().map(|&x| both.names[x]).collect();
        self.points = both.points.iter().map(|p| order.iter().map(|&x| p[x]).collect()).collect();
        self.graph = both.graph;
        self.graph.retain(|s| self.names.contains(&s));
    }

    /// Every statement of the graph is the strongest that is true of all points.
    fn check(&self) {
        let ends = 0..=self.names.len();
        for (x, y) in ends.clone().flat_map(|x| ends.clone().map(move |y| (x, y))) {
            let values = || self.points.iter().map(|p| Self::at(p, x) - Self::at(p, y));
            let (left, right) = (self.name(x), self.name(y));
            let difference = left.sub(&right).expect("small");
            assert_eq!(self.graph.upper_bound(&difference), values().max());
            assert_eq!(self.graph.lower_bound(&difference), values().min());
            let truth = |yes: bool, no: bool| match (yes, no) {
                (true, _) => Truth::Yes,
                (_, true) => Truth::No,
                _ => Truth::Open,
            };
            assert_eq!(
                self.graph.le(&left, &right),
                truth(values().all(|d| d <= 0), values().all(|d| d > 0))
            );
            let apart = values().all(|d| d < 0) || values().all(|d| d > 0);
            assert_eq!(self.graph.eq(&left, &right), truth(values().all(|d| d == 0), apart));
            let only = values().next().filter(|&first| values().all(|d| d == first));
            assert_eq!(self.graph.constant(&difference), only);
            let equal = only.map(|d| right.offset(d).expect("small"));
            if x < self.names.len() {
                let shown = |s: Symbol| y < self.names.len() && s == self.names[y];
                let constant = self.graph.constant(&left).map(Linear::from);
                let expected = constant.or(equal.clone().filter(|_| y < self.names.len() && x != y));
                assert_eq!(self.graph.equal_offset(self.names[x], shown), expected);
            }
            if let Some(equal) = equal {
                let set = self.graph.equal_expressions(&left);
                assert!(set.contains(&equal) || y == self.names.len(), "{equal:?} is missing in {set:?}");
                assert!(set.contains(&equal) == set.contains(&left.offset(0).expect("small")));
            }
        }
        // The stored form is the same however the system was learned.
        let mut inequalities: Vec<_> = self.graph.inequalities().collect();
        for _ in 0..2 {
            let mut again = Constraints::new();
            for &(x, y, bound) in &inequalities {
                let end = |s: Option<Symbol>| s.map_or(Linear::zero(), Linear::from);
                let right = end(y).offset(bound).expect("small");
                assert_eq!(again.assume_le(&end(x), &right), Some(true));
            }
            assert_eq!(again, self.graph);
            assert_eq!(again.size(), self.graph.size());
            inequalities.reverse();
        }
    }
}

/// A world in which something is left, with the names of the first one.
fn run(ops: &[Op]) -> Option<World> {
    let mut world = World::new();
    for op in ops {
        if !world.apply(op) {
            return None;
        }
    }
    world.check();
    Some(world)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn operations_are_exact(ops in prop::collection::vec(op(), 0..12)) {
        let mut world = World::new();
        for op in &ops {
            let before = world.clone();
            let satisfiable = world.apply(op);
            // The original of a copy stays as it was.
            before.check();
            if !satisfiable {
                break;
            }
            world.check();
        }
    }

    /// Any other assignment keeps bounds that are true, and says that it lost something.
    #[test]
    fn assigning_a_sum_is_sound(
        ops in prop::collection::vec(op(), 0..8),
        x in 0..COUNT,
        coefficients in prop::array::uniform3(-2_i64..3),
        constant in -3_i64..4,
    ) {
        let Some(mut world) = run(&ops) else { return Ok(()) };
        let mut value = Linear::from(constant);
        for (&name, &k) in world.names.iter().zip(&coefficients) {
            value = value.add_scaled(&name.into(), k).expect("small");
        }
        let plain = value.as_constant().is_some() || value.as_offset().is_some();
        prop_assert_eq!(world.graph.assign(world.names[x], &value), plain);
        for p in &world.points {
            let mut p = p.clone();
            p[x] = constant + p.iter().zip(&coefficients).map(|(v, k)| v * k).sum::<i64>();
            let at = |s: Option<Symbol>| s.map_or(0, |s| p[world.names.iter().position(|&n| n == s).expect("named")]);
            for (x, y, bound) in world.graph.inequalities() {
                prop_assert!(at(x) - at(y) <= bound);
            }
        }
    }

    /// A join is the tightest system of differences around both sets; a widening keeps what holds of both.
    #[test]
    fn join_and_widening(a in prop::collection::vec(op(), 0..10), b in prop::collection::vec(op(), 0..10)) {
        let (Some(a), Some(mut b)) = (run(&a), run(&b)) else { return Ok(()) };
        // The same names on both sides.
        for x in 0..COUNT {
            b.graph.rename(b.names[x], Symbol::of(100 + x as u32));
        }
        for x in 0..COUNT {
            b.graph.rename(Symbol::of(100 + x as u32), a.names[x]);
        }
        b.names.clone_from(&a.names);
        b.check();
        let points: BTreeSet<_> = a.points.union(&b.points).cloned().collect();
        let join = World { names: a.names.clone(), points, graph: a.graph.join(&b.graph) };
        join.check();
        prop_assert_eq!(&join.graph, &b.graph.join(&a.graph));
        prop_assert_eq!(join.graph == a.graph, b.graph.implies(&a.graph));
        prop_assert!(a.graph.implies(&join.graph) && b.graph.implies(&join.graph));

        let wide = a.graph.widen(&b.graph);
        prop_assert_eq!(&wide, &a.graph.widen(&join.graph), "only what holds of both counts");
        prop_assert!(join.graph.implies(&wide));
        for (x, y, bound) in a.graph.inequalities() {
            let end = |s: Option<Symbol>| s.map_or(Linear::zero(), Linear::from);
            let difference = end(x).sub(&end(y)).expect("small");
            if b.graph.upper_bound(&difference).is_some_and(|other| other <= bound) {
                prop_assert_eq!(wide.upper_bound(&difference), Some(bound));
            }
        }
    }

    /// One graph implies another exactly when its points are among those of the other.
    #[test]
    fn entailment_is_inclusion(a in prop::collection::vec(op(), 0..6), b in prop::collection::vec(op(), 0..3)) {
        let keeps = |op: &Op| matches!(op, Op::Assume { .. } | Op::Equate { .. } | Op::Assign { .. } | Op::Forget { .. });
        let plain = |ops: &[Op]| run(&ops.iter().filter(|op| keeps(op)).cloned().collect::<Vec<_>>());
        let (Some(a), Some(b)) = (plain(&a), plain(&b)) else { return Ok(()) };
        prop_assert_eq!(a.graph.implies(&b.graph), a.points.is_subset(&b.points));
        prop_assert_eq!(a.graph.equivalent(&b.graph), a.points == b.points);
    }
}

/// Two hundred variables of which all but ten are constants or copies.
#[test]
fn constants_and_copies_are_small() {
    let mut symbols = Symbols::default();
    let mut graph = Constraints::new();
    let mut name = || Linear::from(symbols.fresh(lattice::SymbolKind::Joined));
    let free: Vec<Linear> = (0..10).map(|_| name()).collect();
    for (i, one) in (0..).zip(&free) {
        assert_eq!(graph.assume_le(&i.into(), one), Some(true));
    }
    for (i, one) in (0..190_i64).zip((0..).map(|i| free[i % 10].clone())) {
        let value = if i % 2 == 0 { i.into() } else { one.offset(i).expect("small") };
        assert_eq!(graph.assume_eq(&name(), &value), Some(true));
    }
    let size = graph.size();
    assert_eq!((size.symbols, size.vertices, size.edges), (200, 10, 0));
    // A chain through all ten relates each pair of them, and none of the others.
    for pair in free.windows(2) {
        assert_eq!(graph.assume_le(&pair[1], &pair[0]), Some(true));
    }
    let size = graph.size();
    assert_eq!((size.symbols, size.vertices, size.edges), (200, 10, 45));
}

/// The bound of a process set as the paper writes it: `[(1, i)..np - 1]`.
#[test]
fn equal_expressions_are_a_set() {
    let mut symbols = Symbols::default();
    let [i, last] = [(); 2].map(|()| symbols.fresh(lattice::SymbolKind::Joined));
    let mut graph = Constraints::new();
    let plus = |s: Symbol, c: i64| Linear::from(s).offset(c).expect("small");
    assert_eq!(graph.assume_eq(&last.into(), &plus(Symbol::NP, -1)), Some(true));
    assert_eq!(graph.equal_expressions(&last.into()), [plus(Symbol::NP, -1), last.into()]);
    assert_eq!(graph.equal_expressions(&i.into()), [Linear::from(i)], "nothing is known of it");
    assert_eq!(graph.assume_eq(&i.into(), &1.into()), Some(true));
    assert_eq!(graph.equal_expressions(&i.into()), [1.into(), i.into()]);
    assert_eq!(graph.equal_expressions(&2.into()), [2.into(), plus(i, 1)]);
    assert_eq!(graph.equal_expressions(&plus(i, 2).scale(2).expect("small")), []);
}
