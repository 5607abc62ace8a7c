//! Assumptions with all their small instances, and things to ask about them: for tests against enumeration.

use hsm::{Assignment, Assumptions, DigitBox, Fact, Hsm, Operator, Polynomial, Symbol, Term};
use proptest::prelude::*;
use proptest::sample::select;

pub(crate) fn term(name: &str) -> Term {
    Term::symbol(name)
}

pub(crate) fn p(name: &str) -> Polynomial {
    Polynomial::symbol(name)
}

pub(crate) fn rank() -> Symbol {
    Symbol::new("rank")
}

/// What may be assumed together about the processes of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// Any number of processes, and a distance less than that.
    Line,
    /// At least two.
    Several,
    /// An even number.
    Even,
    /// `np == nrows * ncols`.
    Mesh,
    /// As many rows as columns.
    Square,
    /// Twice as many columns as rows.
    Rectangle,
    /// `np == nx * ny * nz`
    Space,
    /// A power of two, and a smaller one.
    Hypercube,
    /// Six processes.
    Fixed,
}

pub(crate) const WORLDS: [World; 9] = [
    World::Line,
    World::Several,
    World::Even,
    World::Mesh,
    World::Square,
    World::Rectangle,
    World::Space,
    World::Hypercube,
    World::Fixed,
];

impl World {
    fn facts(self) -> Vec<Fact> {
        let (np, k) = (term("np"), term("k"));
        let positive = |names: &[&str]| names.iter().map(|name| Fact::le(1, term(name))).collect::<Vec<_>>();
        let (nrows, ncols) = (term("nrows"), term("ncols"));
        let mut facts = match self {
            Self::Line => vec![Fact::le(0, &k), Fact::lt(k, &np)],
            Self::Several => vec![Fact::le(2, &np)],
            Self::Even => vec![Fact::eq(&np % 2, 0)],
            Self::Mesh => vec![Fact::eq(&np, &nrows * &ncols)],
            Self::Square => vec![Fact::eq(&np, &nrows * &nrows), Fact::eq(ncols, &nrows)],
            Self::Rectangle => vec![Fact::eq(&np, &nrows * &ncols), Fact::eq(ncols, nrows * 2)],
            Self::Space => vec![Fact::eq(&np, term("nx") * term("ny") * term("nz"))],
            Self::Hypercube => vec![Fact::lt(term("mask"), &np)],
            Self::Fixed => vec![Fact::eq(&np, 6)],
        };
        facts.extend(positive(self.free()));
        facts.push(Fact::le(1, term("np")));
        facts
    }

    pub(crate) fn assumptions(self) -> Assumptions {
        let mut assumptions = Assumptions::new();
        if self == Self::Hypercube {
            assumptions.assume_power_of_two(&Symbol::new("np"), Some(&Symbol::new("d")));
            assumptions.assume_power_of_two(&Symbol::new("mask"), None);
        }
        for fact in self.facts() {
            assumptions.assume(&fact);
        }
        assumptions
    }

    /// Symbols that an expression may use, all positive.
    pub(crate) fn free(self) -> &'static [&'static str] {
        match self {
            Self::Line | Self::Several | Self::Even | Self::Fixed => &["np"],
            Self::Mesh | Self::Square | Self::Rectangle => &["np", "nrows", "ncols"],
            Self::Space => &["np", "nx", "ny", "nz"],
            Self::Hypercube => &["np", "mask"],
        }
    }

    /// All assignments with few processes.
    pub(crate) fn instances(self) -> Vec<Assignment> {
        let assign = |values: &[(&str, i128)]| {
            values.iter().map(|(name, value)| (Symbol::new(name), *value)).collect::<Assignment>()
        };
        let small = 1..=5_i128;
        match self {
            Self::Line => (1..=9)
                .flat_map(|np| (0..np).map(move |k| (np, k)))
                .map(|(np, k)| assign(&[("np", np), ("k", k)]))
                .collect(),
            Self::Several => (2..=11).map(|np| assign(&[("np", np)])).collect(),
            Self::Even => (1..=6).map(|half| assign(&[("np", 2 * half)])).collect(),
            Self::Mesh => small
                .clone()
                .flat_map(|r| small.clone().map(move |c| (r, c)))
                .map(|(r, c)| assign(&[("np", r * c), ("nrows", r), ("ncols", c)]))
                .collect(),
            Self::Square => small.map(|n| assign(&[("np", n * n), ("nrows", n), ("ncols", n)])).collect(),
            Self::Rectangle => {
                small.map(|n| assign(&[("np", 2 * n * n), ("nrows", n), ("ncols", 2 * n)])).collect()
            }
            Self::Space => (0..27)
                .map(|i| (1 + i % 3, 1 + i / 3 % 3, 1 + i / 9))
                .map(|(x, y, z)| assign(&[("np", x * y * z), ("nx", x), ("ny", y), ("nz", z)]))
                .collect(),
            Self::Hypercube => (1..=4_i128)
                .flat_map(|d| (0..d).map(move |j| (d, j)))
                .map(|(d, j)| assign(&[("np", 1 << d), ("d", d), ("mask", 1 << j)]))
                .collect(),
            Self::Fixed => vec![assign(&[("np", 6)])],
        }
    }

    /// Boxes of ranks of this world; none has a negative count in it.
    pub(crate) fn boxes(self) -> Vec<DigitBox> {
        let np = p("np");
        let less = |p: &Polynomial, by: i128| p.plus(-by).unwrap();
        let mut boxes = vec![
            DigitBox::interval(0, np.clone()),
            DigitBox::interval(0, less(&np, 1)),
            DigitBox::interval(1, less(&np, 1)),
            DigitBox::single(0),
            DigitBox::single(less(&np, 1)),
        ];
        let mesh = |radices: &[&str], cut: usize| {
            let radices: Vec<Polynomial> = radices.iter().map(|name| p(name)).collect();
            (0..radices.len()).flat_map(move |digit| {
                let radices = radices.clone();
                [(0, cut), (cut, 0)].map(move |(low, high)| {
                    let range = |(i, radix): (usize, &Polynomial)| {
                        let at = |by: usize| i128::try_from(if i == digit { by } else { 0 }).unwrap();
                        (Polynomial::constant(at(low)), radix.plus(-at(high)).unwrap())
                    };
                    DigitBox::in_radices(&radices, &radices.iter().enumerate().map(range).collect::<Vec<_>>())
                        .unwrap()
                })
            })
        };
        match self {
            Self::Line => {
                boxes.push(DigitBox::interval(p("k"), np.sub(&p("k")).unwrap()));
                boxes.push(DigitBox::interval(0, p("k")));
            }
            Self::Several => boxes.push(DigitBox::interval(1, less(&np, 2))),
            Self::Mesh | Self::Rectangle => boxes.extend(mesh(&["ncols", "nrows"], 1)),
            Self::Square => boxes.extend(mesh(&["nrows", "nrows"], 1)),
            Self::Space => boxes.extend(mesh(&["nx", "ny", "nz"], 1)),
            Self::Even | Self::Hypercube | Self::Fixed => {}
        }
        boxes
    }

    /// Partners that programs of this world compute.
    pub(crate) fn partners(self) -> Vec<Term> {
        let (r, np) = (term("rank"), term("np"));
        let xor = |mask: Term| {
            let bit = r.floor_div(mask.clone()) % 2;
            &r + &mask - bit * mask * 2
        };
        let mut partners = vec![
            r.clone(),
            &r + 1,
            &r - 1,
            (&r + 1) % &np,
            (&r + &np - 1) % &np,
            &np - 1 - &r,
            Term::constant(0),
            r.floor_div(2),
            &r * 2,
            &r * 2 + 1,
            xor(Term::constant(1)),
            (&r + 2) % &np,
        ];
        let mesh = |partners: &mut Vec<Term>, nrows: &Term, ncols: &Term| {
            let (row, column) = (r.floor_div(ncols), &r % ncols);
            partners.extend([
                &r + ncols,
                &r - ncols,
                (&r + ncols) % &np,
                (&r - ncols + &np) % &np,
                &row * ncols + (&column + 1) % ncols,
                &row * ncols + (&column + ncols - 1) % ncols,
                (&row + 1) % nrows * ncols + &column,
                (&row - 1 + nrows) % nrows * ncols + &column,
                &column * nrows + &row,
                (&r % nrows) * ncols + r.floor_div(nrows),
                &row * ncols,
                column,
            ]);
        };
        match self {
            Self::Line => partners.extend([
                (&r + term("k")) % &np,
                (&r - term("k") + &np) % &np,
                &r + term("k"),
                &r - term("k"),
            ]),
            Self::Several | Self::Fixed => partners.push((&r + 3) % &np),
            Self::Even => {
                partners.extend([(&r + np.floor_div(2)) % &np, (&r % 2) * np.floor_div(2) + r.floor_div(2)])
            }
            Self::Mesh => mesh(&mut partners, &term("nrows"), &term("ncols")),
            Self::Square => mesh(&mut partners, &term("nrows"), &term("nrows")),
            Self::Rectangle => {
                mesh(&mut partners, &term("nrows"), &term("ncols"));
                let (half, n) = (r.floor_div(2), term("nrows"));
                partners.push(((&half % &n) * &n + half.floor_div(&n)) * 2 + &r % 2);
            }
            Self::Space => {
                let plane = term("nx") * term("ny");
                partners.extend([
                    &r + term("nx"),
                    &r - term("nx"),
                    &r + &plane,
                    &r - &plane,
                    (&r + &plane) % &np,
                ]);
                partners.push((&r + 1) % term("nx") + r.floor_div(term("nx")) * term("nx"));
            }
            Self::Hypercube => {
                let mask = term("mask");
                partners.extend([
                    xor(mask.clone()),
                    &r + &mask,
                    &r - &mask,
                    (&r + &mask) % &np,
                    (&r - &mask + &np) % &np,
                    &r % &mask,
                ]);
            }
        }
        partners
    }
}

/// Any world.
pub(crate) fn worlds() -> impl Strategy<Value = World> {
    select(WORLDS.to_vec())
}

/// Any world with one of its boxes.
pub(crate) fn sets() -> impl Strategy<Value = (World, DigitBox)> {
    worlds().prop_flat_map(|world| (Just(world), select(world.boxes())))
}

/// A term over the rank and the symbols of a world, with the operators of C on ranks; divisors are positive.
pub(crate) fn terms(world: World) -> impl Strategy<Value = Term> {
    let names = world.free().to_vec();
    let leaf = prop_oneof![
        3 => Just(term("rank")),
        2 => (-2..=3_i128).prop_map(Term::constant),
        2 => select(names.clone()).prop_map(Term::symbol),
    ];
    let divisor =
        prop_oneof![select(names).prop_map(Term::symbol), (1..=4_i128).prop_map(Term::constant)].boxed();
    leaf.prop_recursive(4, 12, 2, move |inner| {
        let sums = [Operator::Add, Operator::Subtract, Operator::Multiply];
        let divisions = [Operator::FloorDivide, Operator::Modulo];
        prop_oneof![
            (select(sums.to_vec()), inner.clone(), inner.clone())
                .prop_map(|(operator, left, right)| Term::apply(operator, &left, &right).unwrap()),
            (select(divisions.to_vec()), inner, divisor.clone())
                .prop_map(|(operator, left, right)| Term::apply(operator, &left, &right).unwrap()),
        ]
    })
}

/// The values of symbols, those of names for divisions included.
pub(crate) fn lookup(
    assumptions: &Assumptions,
    instance: &Assignment,
) -> impl Fn(&Symbol) -> Option<i128> + use<> {
    let complete = assumptions.complete(instance).expect("all symbols have values");
    move |symbol| complete.get(symbol)
}

/// The numbers of a sequence, in order.
pub(crate) fn numbers(sequence: &Hsm, lookup: impl Fn(&Symbol) -> Option<i128>) -> Vec<i128> {
    sequence.enumerate(lookup, 100_000).unwrap_or_else(|| panic!("{sequence} has no value"))
}

/// The members of boxes that must be disjoint, in rising order.
pub(crate) fn members(boxes: &[DigitBox], lookup: impl Fn(&Symbol) -> Option<i128>) -> Vec<i128> {
    let mut all: Vec<i128> = boxes.iter().flat_map(|ranks| numbers(&ranks.ranks(), &lookup)).collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "a rank is in two boxes");
    all
}
