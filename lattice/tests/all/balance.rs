//! Equalities `x + y = z + c` through whole loops, against explicit sets of integer points: what is found when states are generalised
//! holds in each of them, and what goes up stays tied to what goes down.

use std::collections::BTreeSet;

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Symbol, SymbolKind, Symbols, Truth, Unifier};
use proptest::prelude::*;

/// The number of processes and three counters.
const COUNT: usize = 4;
const LOW: i64 = -1;
const HIGH: i64 = 3;

type Point = [i64; COUNT];

/// Coefficients and constant.
type Affine = (Point, i64);

fn value((coefficients, constant): &Affine, point: &Point) -> i64 {
    coefficients.iter().zip(point).map(|(k, x)| k * x).sum::<i64>() + constant
}

/// Points, and a description that holds in all of them.
struct World {
    symbols: Symbols,
    /// The symbol of each coordinate.
    names: [Symbol; COUNT],
    points: BTreeSet<Point>,
    facts: Constraints,
}

#[derive(Clone, Debug)]
enum Op {
    /// An expression is at most zero.
    Assume(Affine),
    /// `x + y = z + constant`; `COUNT` is zero.
    Equate { x: usize, y: usize, z: usize, constant: i64 },
    /// Forget, and bound again so that there are finitely many points.
    Forget(usize),
    /// Another name.
    Rename(usize),
    /// Once more through a loop, after which the counters are these.
    Loop { body: [Affine; COUNT - 1], how: Combine },
}

fn counter() -> impl Strategy<Value = usize> {
    1..COUNT
}

/// What a loop makes of the counters: it moves some of one to another, or anything.
fn body() -> impl Strategy<Value = [Affine; COUNT - 1]> {
    let moved = (counter(), counter(), prop::array::uniform4(-1_i64..2), -2_i64..3);
    let moving = moved.prop_map(|(from, to, step, constant)| {
        std::array::from_fn(|i| {
            let index = i + 1;
            let sign = i64::from(index == to) - i64::from(index == from);
            let itself: Point = std::array::from_fn(|i| i64::from(i == index));
            (std::array::from_fn(|i| itself[i] + sign * step[i]), sign * constant)
        })
    });
    let affine = || (prop::array::uniform4(-1_i64..2), -2_i64..3);
    prop_oneof![3 => moving, 1 => [affine(), affine(), affine()]]
}

fn op() -> impl Strategy<Value = Op> {
    let how = prop_oneof![Just(Combine::Join), Just(Combine::Widen)];
    prop_oneof![
        2 => (prop::array::uniform4(-1_i64..2), -3_i64..2).prop_map(Op::Assume),
        3 => (counter(), counter(), 0..=COUNT, -1_i64..3)
            .prop_map(|(x, y, z, constant)| Op::Equate { x, y, z, constant }),
        1 => counter().prop_map(Op::Forget),
        1 => counter().prop_map(Op::Rename),
        4 => (body(), how).prop_map(|(body, how)| Op::Loop { body, how }),
    ]
}

impl World {
    fn new() -> Self {
        let mut symbols = Symbols::default();
        let names = std::array::from_fn(|i| match i {
            0 => Symbol::NP,
            _ => symbols.fresh(SymbolKind::Joined),
        });
        let mut world =
            Self { symbols, names, points: BTreeSet::from([[0; COUNT]]), facts: Constraints::new() };
        (0..COUNT).for_each(|x| world.free(x));
        world
    }

    /// Lets a coordinate have any value of the box.
    fn free(&mut self, x: usize) {
        let values = |&point: &Point| {
            (LOW..=HIGH).map(move |value| std::array::from_fn(|i| if i == x { value } else { point[i] }))
        };
        self.points = self.points.iter().flat_map(values).collect();
        self.facts.forget(self.names[x]);
        let name = self.names[x].into();
        assert_eq!(self.facts.assume_le(&LOW.into(), &name), Some(true));
        assert_eq!(self.facts.assume_le(&name, &HIGH.into()), Some(true));
    }

    fn linear(&self, (coefficients, constant): &Affine) -> Linear {
        let sum = |sum: Linear, (&name, &k): (&Symbol, &i64)| sum.add_scaled(&name.into(), k).expect("small");
        self.names.iter().zip(coefficients).fold(Linear::from(*constant), sum)
    }

    /// False when nothing is left.
    fn apply(&mut self, op: &Op) -> bool {
        let learned = match op {
            Op::Assume(affine) => {
                self.points.retain(|p| value(affine, p) <= 0);
                self.facts.assume_nonpositive(&self.linear(affine)).is_some()
            }
            &Op::Equate { x, y, z, constant } => {
                let is = |i: usize| std::array::from_fn(|j| i64::from(i == j));
                let left: Affine = (std::array::from_fn(|i| i64::from(i == x) + i64::from(i == y)), 0);
                let right: Affine = (is(z), constant);
                self.points.retain(|p| value(&left, p) == value(&right, p));
                self.facts.assume_eq(&self.linear(&left), &self.linear(&right)).is_some()
            }
            Op::Forget(x) => {
                self.free(*x);
                true
            }
            Op::Rename(x) => {
                let to = self.symbols.fresh(SymbolKind::Joined);
                self.facts.rename(self.names[*x], to);
                self.names[*x] = to;
                true
            }
            Op::Loop { body, how } => {
                self.once_more(body, *how);
                true
            }
        };
        assert!(learned || self.points.is_empty(), "what has solutions is refused");
        learned && !self.points.is_empty()
    }

    /// The state before a loop and that after its body, as one.
    fn once_more(&mut self, body: &[Affine; COUNT - 1], how: Combine) {
        let after = |p: &Point| std::array::from_fn(|i| if i == 0 { p[0] } else { value(&body[i - 1], p) });
        self.points = self.points.iter().flat_map(|p| [*p, after(p)]).collect();
        let news: Vec<Linear> = body.iter().map(|affine| self.linear(affine)).collect();
        let old = self.facts.clone();
        let mut unifier = Unifier::new(&mut self.symbols, &old, &old);
        assert_eq!(unifier.pair(&Linear::np(), &Linear::np()), Some(Linear::np()));
        let pairs = self.names[1..].iter().zip(&news);
        let general: Vec<Linear> =
            pairs.map(|(&x, new)| unifier.pair(&x.into(), new).expect("small")).collect();
        self.facts = unifier.finish(how).0;
        // Each counter gets a name of its own again.
        for (x, general) in (1..).zip(&general) {
            self.names[x] = self.symbols.fresh(SymbolKind::Joined);
            let told = self.facts.assume_eq(&self.names[x].into(), general);
            assert!(told.is_some(), "a name of which nothing is known may be anything");
        }
    }

    /// All that is said holds in every point.
    fn check(&self) -> Result<(), TestCaseError> {
        for code in 0..3_usize.pow(4) {
            let coefficient = |i: u32| [-1, 0, 1][code / 3_usize.pow(i) % 3];
            let affine: Affine = (std::array::from_fn(|i| coefficient(i as u32)), 0);
            let linear = self.linear(&affine);
            let values = || self.points.iter().map(|p| value(&affine, p));
            if let Some(most) = self.facts.upper_bound(&linear) {
                prop_assert!(values().all(|v| v <= most), "{affine:?} <= {most}");
            }
            if let Some(constant) = self.facts.constant(&linear) {
                prop_assert!(values().all(|v| v == constant), "{affine:?} == {constant}");
            }
            match self.facts.eq(&linear, &Linear::zero()) {
                Truth::Yes => prop_assert!(values().all(|v| v == 0), "{affine:?} == 0"),
                Truth::No => prop_assert!(values().all(|v| v != 0), "{affine:?} != 0"),
                Truth::Open => {}
            }
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_said_holds(ops in prop::collection::vec(op(), 1..8)) {
        let mut world = World::new();
        for op in &ops {
            if !world.apply(op) {
                break;
            }
            world.check()?;
        }
    }

    /// Of two counters one goes up by what the other goes down, by a number or by something unknown, which may differ each time:
    /// their sum stays what it was. Where it does not, nobody says so.
    #[test]
    fn sums_stay(
        total in prop_oneof![Just(None), (-3_i64..4).prop_map(Some)],
        steps in prop::collection::vec((prop_oneof![Just(None), (1_i64..4).prop_map(Some)], any::<bool>()), 1..5),
        lost in prop_oneof![Just(None), (0..4_usize, 1_i64..3).prop_map(Some)],
    ) {
        let mut symbols = Symbols::default();
        let total = total.map_or(Linear::np(), Linear::from);
        let mut facts = Constraints::new();
        prop_assert_eq!(facts.assume_le(&1.into(), &Linear::np()), Some(true));
        let (mut up, mut down) = (Linear::zero(), total.clone());
        for (round, &(step, widen)) in steps.iter().enumerate() {
            let mut new = facts.clone();
            let by = step.map_or_else(|| symbols.fresh(SymbolKind::Joined).into(), Linear::from);
            prop_assert_eq!(new.assume_le(&Linear::zero(), &by), Some(true));
            let after = [up.add(&by).expect("small"), down.sub(&by).expect("small")];
            let after = match lost {
                Some((at, number)) if at == round => [after[0].offset(number).expect("small"), after[1].clone()],
                _ => after,
            };
            let mut unifier = Unifier::new(&mut symbols, &facts, &new);
            prop_assert!(unifier.pair(&Linear::np(), &Linear::np()).is_some());
            up = unifier.pair(&up, &after[0]).expect("small");
            down = unifier.pair(&down, &after[1]).expect("small");
            facts = unifier.finish(if widen { Combine::Widen } else { Combine::Join }).0;
            let sum = up.add(&down).expect("small");
            let expected = match lost {
                Some((at, _)) if at <= round => Truth::Open,
                _ => Truth::Yes,
            };
            prop_assert_eq!(facts.eq(&sum, &total), expected);
        }
    }
}
