//! Communication patterns beyond the paper's, each for any number of processes its assumptions allow.

use std::time::{Duration, Instant};

use hsm::{
    Answer, Assumptions, DigitBox, Endpoint, Exact, Fact, Matching, Obstacle, Polynomial, Prover, Reason,
    Reasoner, Symbol, Term, Truth,
};

fn term(name: &str) -> Term {
    Term::symbol(name)
}

fn p(name: &str) -> Polynomial {
    Polynomial::symbol(name)
}

fn rank() -> Symbol {
    Symbol::new("rank")
}

fn world() -> DigitBox {
    DigitBox::interval(0, p("np"))
}

fn shown(boxes: &[DigitBox]) -> Vec<String> {
    boxes.iter().map(DigitBox::to_string).collect()
}

/// The boxes of a condition on the ranks of the world.
#[track_caller]
fn selected(reasoner: &Reasoner<'_>, condition: &[Fact]) -> Vec<DigitBox> {
    match reasoner.select(&world(), &Fact::all(condition.iter().cloned()), &rank()) {
        Ok(exact) => exact.value.inside,
        Err(failure) => panic!("{failure}\n{}", failure.proof),
    }
}

#[track_caller]
fn matching(reasoner: &Reasoner<'_>, sends: (DigitBox, Term), receives: (DigitBox, Term)) -> Exact<Matching> {
    let end = |(ranks, partner): (DigitBox, Term)| Endpoint { ranks, partner };
    match reasoner.matching(&end(sends), &end(receives), &rank()) {
        Ok(exact) => exact,
        Err(failure) => panic!("{failure}\n{}", failure.proof),
    }
}

/// All of the world match all of it.
#[track_caller]
fn assert_permutation(reasoner: &Reasoner<'_>, there: &Term, back: &Term) {
    let exact = matching(reasoner, (world(), there.clone()), (world(), back.clone()));
    assert!(exact.value.is_complete(), "{:?}", exact.value);
    let count = exact.value.matched.iter().map(|part| part.senders.cardinality().unwrap());
    let sum = count.fold(Polynomial::zero(), |sum, count| sum.add(&count).unwrap());
    assert_eq!(exact.assumptions.normal(&sum), exact.assumptions.normal(&p("np")));
}

fn mesh(dimensions: &[&str]) -> Reasoner<'static> {
    let product = dimensions.iter().skip(1).fold(term(dimensions[0]), |product, name| product * term(name));
    let positive = dimensions.iter().map(|name| Fact::le(1, term(name)));
    Reasoner::new(Assumptions::of([Fact::eq(term("np"), product)].into_iter().chain(positive)))
}

#[test]
fn rows_columns_and_the_parts_of_a_mesh() {
    let reasoner = mesh(&["nrows", "ncols"]);
    let mut two_by_two = reasoner.assumptions().clone();
    two_by_two.assume(&Fact::all([Fact::le(2, term("nrows")), Fact::le(2, term("ncols"))]));
    let reasoner = reasoner.under(two_by_two);
    let (row, column) = (term("rank").floor_div(term("ncols")), term("rank") % term("ncols"));
    let (last_row, last_column) = (term("nrows") - 1, term("ncols") - 1);
    let select = |condition: &[Fact]| shown(&selected(&reasoner, condition));
    assert_eq!(select(&[Fact::eq(&row, 0)]), ["[0..ncols - 1]"]);
    assert_eq!(select(&[Fact::eq(&row, &last_row)]), ["[-ncols + np..np - 1]"]);
    assert_eq!(select(&[Fact::eq(&column, 0)]), ["[0 : nrows, ncols]"]);
    assert_eq!(select(&[Fact::eq(&column, &last_column)]), ["[ncols - 1 : nrows, ncols]"]);
    assert_eq!(select(&[Fact::eq(&column, &last_column), Fact::eq(&row, 0)]), ["[ncols - 1]"]);
    let interior =
        [Fact::lt(0, &row), Fact::lt(&row, &last_row), Fact::lt(0, &column), Fact::lt(&column, &last_column)];
    assert_eq!(select(&interior), ["[[ncols + 1 : ncols - 2, 1] : nrows - 2, ncols]"]);
    // What is not the interior: two rows, and the ends of the others.
    let all = Fact::all(interior);
    let rest = reasoner.select(&world(), &all, &rank()).unwrap().value.outside;
    assert_eq!(rest.len(), 4);
}

#[test]
fn faces_and_edges_of_a_box_of_three_dimensions() {
    let reasoner = mesh(&["nx", "ny", "nz"]);
    let r = term("rank");
    let (x, y) = (&r % term("nx"), r.floor_div(term("nx")) % term("ny"));
    let z = r.floor_div(term("nx") * term("ny"));
    let select = |condition: &[Fact]| shown(&selected(&reasoner, condition));
    assert_eq!(select(&[Fact::eq(&x, 0)]), ["[0 : ny*nz, nx]"]);
    assert_eq!(select(&[Fact::eq(&y, 0)]), ["[[0 : nx, 1] : nz, nx*ny]"]);
    assert_eq!(select(&[Fact::eq(&z, 0)]), ["[0..nx*ny - 1]"]);
    assert_eq!(select(&[Fact::eq(&x, 0), Fact::eq(&y, 0)]), ["[0 : nz, nx*ny]"]);
    assert_eq!(select(&[Fact::eq(&x, 0), Fact::eq(&y, 0), Fact::eq(&z, term("nz") - 1)]), ["[-nx*ny + np]"]);
}

#[test]
fn even_and_odd_ranks_of_any_number() {
    let reasoner = Reasoner::new(Assumptions::of([Fact::le(1, term("np"))]));
    let even = reasoner.select(&world(), &Fact::eq(term("rank") % 2, 0), &rank()).unwrap();
    // The last one of an odd number is alone.
    assert_eq!(shown(&even.value.inside), ["[0 : np/2, 2]", "[2*(np/2)..np%2 + 2*(np/2) - 1]"]);
    assert_eq!(shown(&even.value.outside), ["[1 : np/2, 2]"]);
    let digits =
        reasoner.under(even.assumptions).in_radices(&even.value.inside[0], &[2.into()]).unwrap().value;
    assert_eq!(digits, Some(vec![(0.into(), 1.into()), (0.into(), p("np/2"))]));
}

#[test]
fn red_black_pairs_leave_the_last_of_an_odd_number_alone() {
    let reasoner = Reasoner::new(Assumptions::of([Fact::le(1, term("np"))]));
    let partner = term("rank").flip(1);
    let exact = matching(&reasoner, (world(), partner.clone()), (world(), partner));
    assert_eq!(shown(&exact.value.unmatched_senders), ["[2*(np/2)..np%2 + 2*(np/2) - 1]"]);
    assert_eq!(shown(&exact.value.unmatched_receivers), shown(&exact.value.unmatched_senders));
}

#[test]
fn halo_of_a_periodic_mesh() {
    for dimensions in [&["n0", "n1"][..], &["n0", "n1", "n2"]] {
        let reasoner = mesh(dimensions);
        let r = term("rank");
        let mut weight = Term::constant(1);
        for name in dimensions {
            let (n, above) = (term(name), weight.clone() * term(name));
            let digit = r.floor_div(&weight) % &n;
            let shifted =
                |by: Term| r.floor_div(&above) * &above + (&digit + by) % &n * &weight + &r % &weight;
            assert_permutation(&reasoner, &shifted(1.into()), &shifted(&n - 1));
            weight = above;
        }
    }
}

#[test]
fn halo_of_a_mesh_with_ends() {
    for dimensions in [&["n0", "n1"][..], &["n0", "n1", "n2"]] {
        let reasoner = mesh(dimensions);
        let (r, mut weight) = (term("rank"), Term::constant(1));
        for name in dimensions {
            let digit = r.floor_div(&weight) % term(name);
            let mut complete = 0;
            for answer in reasoner.by_cases(4, |reasoner| {
                let to = reasoner.select(&world(), &Fact::lt(digit.clone(), term(name) - 1), &rank())?;
                let from = reasoner.select(&world(), &Fact::lt(0, digit.clone()), &rank())?;
                let (senders, receivers) = (&to.value.inside, &from.value.inside);
                if senders.is_empty() && receivers.is_empty() {
                    return Ok(from).map(|exact| Exact {
                        value: Matching {
                            matched: vec![],
                            unmatched_senders: vec![],
                            unmatched_receivers: vec![],
                        },
                        assumptions: exact.assumptions,
                        proof: exact.proof,
                        statistics: exact.statistics,
                    });
                }
                let ([senders], [receivers]) = (&senders[..], &receivers[..]) else {
                    panic!("{senders:?} {receivers:?}")
                };
                let end = |ranks: &DigitBox, partner| Endpoint { ranks: ranks.clone(), partner };
                reasoner.matching(&end(senders, &r + &weight), &end(receivers, &r - &weight), &rank())
            }) {
                let exact = answer.unwrap_or_else(|failure| panic!("{name}: {failure}\n{}", failure.proof));
                assert!(exact.value.is_complete(), "{:?}", exact.value);
                complete += 1;
            }
            assert!(complete > 0);
            weight = weight * term(name);
        }
    }
}

/// A corner neighbour of a periodic mesh: both coordinates at once.
#[test]
fn diagonal_neighbours_of_a_torus() {
    let reasoner = mesh(&["nrows", "ncols"]);
    let (nrows, ncols) = (term("nrows"), term("ncols"));
    let (row, column) = (term("rank").floor_div(&ncols), term("rank") % &ncols);
    let there = (&row + 1) % &nrows * &ncols + (&column + 1) % &ncols;
    let back = (&row - 1 + &nrows) % &nrows * &ncols + (&column - 1 + &ncols) % &ncols;
    assert_permutation(&reasoner, &there, &back);
}

#[test]
fn transposes_of_any_mesh() {
    let reasoner = mesh(&["nrows", "ncols"]);
    let (r, nrows, ncols) = (term("rank"), term("nrows"), term("ncols"));
    let there = (&r % &ncols) * &nrows + r.floor_div(&ncols);
    let back = (&r % &nrows) * &ncols + r.floor_div(&nrows);
    assert_permutation(&reasoner, &there, &back);
}

#[test]
fn reversal_and_perfect_shuffle() {
    let any = Reasoner::new(Assumptions::of([Fact::le(1, term("np"))]));
    assert_permutation(&any, &(term("np") - 1 - term("rank")), &(term("np") - 1 - term("rank")));
    let even = Reasoner::new(Assumptions::of([Fact::eq(term("np") % 2, 0), Fact::le(1, term("np"))]));
    let half = term("np").floor_div(2);
    let deal = (term("rank") % &half) * 2 + term("rank").floor_div(&half);
    let gather = (term("rank") % 2) * &half + term("rank").floor_div(2);
    assert_permutation(&even, &deal, &gather);
}

/// Recursive doubling, for every step at once: the mask is any power of two below a number of processes that is one.
#[test]
fn recursive_doubling() {
    let mut assumptions = Assumptions::new();
    assumptions.assume_power_of_two(&Symbol::new("np"), Some(&Symbol::new("k")));
    assumptions.assume_power_of_two(&Symbol::new("mask"), Some(&Symbol::new("j")));
    assumptions.assume(&Fact::lt(term("j"), term("k")));
    let reasoner = Reasoner::new(assumptions);
    assert_permutation(&reasoner, &term("rank").flip(term("mask")), &term("rank").flip(term("mask")));
    // Those whose bit is not set send up.
    let bit = term("rank").bit(term("mask"));
    let low = selected(&reasoner, &[Fact::eq(&bit, 0)]);
    let high = selected(&reasoner, &[Fact::eq(&bit, 1)]);
    let ([low], [high]) = (&low[..], &high[..]) else { panic!("{low:?} {high:?}") };
    let exact = matching(
        &reasoner,
        (low.clone(), term("rank") + term("mask")),
        (high.clone(), term("rank") - term("mask")),
    );
    assert!(exact.value.is_complete());
}

/// A step of a binomial broadcast: who has the data sends it `mask` further, as far as there are ranks.
#[test]
fn binomial_broadcast() {
    let facts = [
        Fact::le(1, term("mask")),
        Fact::lt(term("mask"), term("np")),
        Fact::le(term("np"), term("mask") * 2),
    ];
    let reasoner = Reasoner::new(Assumptions::of(facts));
    let have = DigitBox::interval(0, p("mask"));
    let want = DigitBox::interval(p("mask"), p("np").sub(&p("mask")).unwrap());
    let exact = matching(&reasoner, (have, term("rank") + term("mask")), (want, term("rank") - term("mask")));
    assert!(exact.value.unmatched_receivers.is_empty());
    assert_eq!(
        shown(&exact.value.matched.iter().map(|m| m.senders.clone()).collect::<Vec<_>>()),
        ["[0..-mask + np - 1]"]
    );
}

#[test]
fn dissemination_by_any_distance() {
    let facts = [Fact::le(1, term("d")), Fact::lt(term("d"), term("np"))];
    let reasoner = Reasoner::new(Assumptions::of(facts));
    let (r, d, np) = (term("rank"), term("d"), term("np"));
    assert_permutation(&reasoner, &((&r + &d) % &np), &((&r - &d + &np) % &np));
}

/// A root that hears from one rank after the other: in each round one sender is served.
#[test]
fn a_round_of_a_gather() {
    let facts = [Fact::le(2, term("np")), Fact::le(1, term("i")), Fact::lt(term("i"), term("np"))];
    let reasoner = Reasoner::new(Assumptions::of(facts));
    let others = DigitBox::interval(1, p("np").plus(-1).unwrap());
    let exact = matching(&reasoner, (others, 0.into()), (DigitBox::single(0), term("i")));
    assert_eq!(shown(&exact.value.matched.iter().map(|m| m.senders.clone()).collect::<Vec<_>>()), ["[i]"]);
    assert_eq!(shown(&exact.value.unmatched_senders), ["[1..i - 1]", "[i + 1..np - 1]"]);
    assert!(exact.value.unmatched_receivers.is_empty());
}

/// In a heap, left children hear from their parents.
#[test]
fn left_children_of_a_heap() {
    let reasoner = Reasoner::new(Assumptions::of([Fact::le(3, term("np"))]));
    let left = |r: &Term| r * 2 + 1;
    let odd = reasoner.select(&world(), &Fact::eq(term("rank") % 2, 1), &rank()).unwrap();
    let reasoner = reasoner.under(odd.assumptions);
    let [children] = &odd.value.inside[..] else { panic!("{:?}", odd.value) };
    let parent = (term("rank") - 1).floor_div(2);
    let exact = matching(&reasoner, (world(), left(&term("rank"))), (children.clone(), parent));
    assert!(exact.value.unmatched_receivers.is_empty(), "{:?}", exact.value);
}

#[test]
fn an_open_question_is_the_case_distinction_to_make() {
    let reasoner = Reasoner::new(Assumptions::of([Fact::le(1, term("np"))]));
    let end = |ranks: DigitBox, partner: Term| Endpoint { ranks, partner };
    let sends = end(DigitBox::single(0), 2.into());
    let receives = end(world(), 0.into());
    let failure = reasoner.matching(&sends, &receives, &rank()).unwrap_err();
    assert_eq!(failure.obstacle, Obstacle::Undecided(p("np").plus(-3).unwrap()));
    let answers = reasoner.by_cases(2, |reasoner| reasoner.matching(&sends, &receives, &rank()));
    let matched: Vec<usize> =
        answers.iter().map(|answer| answer.as_ref().unwrap().value.matched.len()).collect();
    assert_eq!(matched, [1, 0]);
}

/// The alignment of Cannon's algorithm: each row is shifted by its number. The digits mix, the identity holds as a whole.
#[test]
fn skewed_shifts() {
    let reasoner =
        Reasoner::new(Assumptions::of([Fact::eq(term("np"), term("n") * term("n")), Fact::le(1, term("n"))]));
    let n = term("n");
    let (row, column) = (term("rank").floor_div(&n), term("rank") % &n);
    let (there, back) = (&row * &n + (&column - &row + &n) % &n, &row * &n + (&column + &row) % &n);
    let exact = matching(&reasoner, (world(), there.clone()), (world(), back.clone()));
    assert!(exact.value.is_complete() && !exact.proof.uses_prover());
    assert_eq!(exact.value.matched[0].pairs, None);
    // However the shape is told, and the ranks.
    let ranges = [(0.into(), p("n")), (0.into(), p("n"))];
    let rows = || DigitBox::in_radices(&[p("n")], &ranges).expect("small");
    assert!(matching(&reasoner, (rows(), there.clone()), (rows(), back.clone())).value.is_complete());
    let mut mesh = mesh(&["n", "columns"]).assumptions().clone();
    mesh.assume(&Fact::eq(term("columns"), term("n")));
    assert!(matching(&Reasoner::new(mesh), (world(), there), (world(), back)).value.is_complete());
    let (up, down) = ((&row - &column + &n) % &n * &n + &column, (&row + &column) % &n * &n + &column);
    assert!(matching(&reasoner, (world(), up.clone()), (world(), down.clone())).value.is_complete());
    // Whatever the smallest mesh is, and what its side is called.
    for side in ["n", "atoi(argv[1])"] {
        for least in [2, 3, 10] {
            let n = term(side);
            let (row, column) = (term("rank").floor_div(&n), term("rank") % &n);
            let up = (&row - &column + &n) % &n * &n + &column;
            let down = (&row + &column) % &n * &n + &column;
            let facts = [Fact::eq(term("np"), &n * &n), Fact::le(least, n)];
            let reasoner = Reasoner::new(Assumptions::of(facts));
            for (there, back) in [(&up, &down), (&down, &up)] {
                let exact = matching(&reasoner, (world(), there.clone()), (world(), back.clone()));
                assert!(exact.value.is_complete() && !exact.proof.uses_prover(), "{side} {least}");
            }
        }
    }
}

/// The square of an unknown is no sum of bounds: this is for Z3.
#[cfg(feature = "z3")]
#[test]
fn z3_settles_signs_that_algebra_leaves_open() {
    let limit = 50_000_000;
    let alone = Reasoner::new(Assumptions::new());
    let with = alone.clone().with_prover(&hsm::Standard, limit, limit);
    let difference = p("x").sub(&p("y")).unwrap();
    let square = difference.mul(&difference).unwrap();
    assert_eq!(alone.is_nonnegative(&square), Truth::Open);
    assert_eq!(with.is_nonnegative(&square), Truth::Yes);
    assert_eq!(with.is_nonnegative(&difference), Truth::Open);
}

/// Proves what it is told to, and remembers nothing else.
struct Told(Fact);

impl Prover for Told {
    fn prove(&self, _: &[Fact], goal: &Fact, _: u64) -> Answer {
        if *goal == self.0 { Answer::Proved } else { Answer::Unknown(Reason::WorkLimit) }
    }
}

/// What is not linear but cancels is for algebra without digits; what is even for a reason of its own, for a prover.
#[test]
fn an_identity_without_digits_is_settled_as_a_whole() {
    let alone = Reasoner::new(Assumptions::of([Fact::le(1, term("np"))]));
    let r = term("rank");
    let squares = &r * &r - (&r - 1) * (&r + 1) - 1 + (term("np") - 1 - &r);
    assert!(matching(&alone, (world(), squares.clone()), (world(), squares)).value.is_complete());

    let even = &r + (&r * (&r + 1)) % 2;
    assert!(alone.is_identity(&world(), &even, &rank()).is_err());
    let told = Told(Fact::eq(even.clone(), r.clone()));
    let limit = 10_000_000;
    let exact = alone.clone().with_prover(&told, limit, limit).is_identity(&world(), &even, &rank()).unwrap();
    assert!(exact.value == Truth::Yes && exact.proof.uses_prover());

    let end = |partner: &Term| Endpoint { ranks: world(), partner: partner.clone() };
    let back = even.substitute(&rank(), &even).unwrap();
    let told = Told(Fact::all([world().membership(&even), Fact::eq(back, r.clone())]));
    let reasoner = alone.clone().with_prover(&told, limit, limit);
    let exact = reasoner.matching(&end(&even), &end(&even), &rank()).unwrap();
    assert!(exact.value.is_complete() && exact.proof.uses_prover());
    assert_eq!((exact.statistics.by_prover, exact.statistics.open), (1, 0));
    let failure = reasoner.matching(&end(&even), &end(&r), &rank()).unwrap_err();
    assert!(matches!(failure.obstacle, Obstacle::NotLinear(_)));
    assert_eq!(failure.statistics.open, 1);
}

/// A range of which it is open whether its end comes before its beginning is no set yet.
#[test]
fn a_box_must_be_one() {
    let reasoner = Reasoner::new(Assumptions::of([Fact::le(1, term("np"))]));
    let inner = || DigitBox::interval(1, p("np").plus(-2).unwrap());
    let end = |ranks: DigitBox, partner: Term| Endpoint { ranks, partner };
    for (sends, receives) in [(inner(), world()), (world(), inner()), (inner(), inner())] {
        let same = reasoner.matching(&end(sends, term("rank")), &end(receives, term("rank")), &rank());
        assert_eq!(same.unwrap_err().obstacle, Obstacle::Undecided(p("np").plus(-2).unwrap()));
    }
    assert!(
        reasoner.intersect(&world(), &inner()).is_err() && reasoner.intersect(&inner(), &world()).is_err()
    );
    assert!(reasoner.canonical_set(&inner().ranks()).is_err());
    // Columns that overlap: two digits for one rank.
    let overlap = DigitBox::in_radices(&[2.into()], &[(0.into(), 3.into()), (0.into(), 2.into())]).unwrap();
    assert_eq!(reasoner.image(&overlap, &term("rank"), &rank()).unwrap_err().obstacle, Obstacle::NotABox);
}

/// Terms near the size limit, without any structure: there is an end, and hardly an answer.
#[test]
fn hopeless_questions_end() {
    let positive = [Fact::le(1, term("np")), Fact::le(1, term("a")), Fact::le(term("a"), term("b"))];
    let any = Reasoner::new(Assumptions::of(positive.clone()));
    let fixed = Reasoner::new(Assumptions::of(positive.into_iter().chain([Fact::eq(term("np"), 10_000)])));
    let (mut quotients, mut folded, mut power) = (term("rank"), term("rank"), term("rank") + term("a"));
    for i in 1_i128.. {
        if power.size() > 1_000 {
            break;
        }
        quotients = (quotients + i).floor_div(2) * 3 + &term("a") * i;
        folded = (folded * 2 + i) % (term("np") + i);
        power = &power * &(term("rank") + term("b") + i);
    }
    for reasoner in [any, fixed] {
        for partner in [&quotients, &folded, &power] {
            let start = Instant::now();
            let end = || Endpoint { ranks: world(), partner: partner.clone() };
            let answer = reasoner.matching(&end(), &end(), &rank());
            println!(
                "{:?}: {:?}",
                start.elapsed(),
                answer.as_ref().map_err(|failure| failure.to_string()).err()
            );
            assert!(answer.is_err());
            assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        }
    }
}
