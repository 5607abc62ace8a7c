//! Section VIII of the paper on communication-sensitive dataflow: what it matches comes out matched, with a proof that
//! shows how, by algebra alone.

use hsm::{
    Assumptions, DigitBox, Endpoint, Exact, Fact, Matching, Polynomial, Reasoner, Rule, Step, Symbol, Term,
};

fn term(name: &str) -> Term {
    Term::symbol(name)
}

fn p(name: &str) -> Polynomial {
    Polynomial::symbol(name)
}

fn rank() -> Symbol {
    Symbol::new("id")
}

/// `np` processes, for every `np`.
fn world() -> DigitBox {
    DigitBox::interval(0, p("np"))
}

#[track_caller]
fn matching(facts: &[Fact], sends: (DigitBox, Term), receives: (DigitBox, Term)) -> Exact<Matching> {
    let reasoner = Reasoner::new(Assumptions::of(facts.iter().cloned()));
    let end = |(ranks, partner): (DigitBox, Term)| Endpoint { ranks, partner };
    match reasoner.matching(&end(sends), &end(receives), &rank()) {
        Ok(exact) => {
            println!("{}", exact.proof);
            assert!(!exact.proof.uses_prover());
            exact
        }
        Err(failure) => panic!("{failure}\n{}", failure.proof),
    }
}

#[track_caller]
fn assert_shows(exact: &Exact<Matching>, rules: &[Rule]) {
    for rule in rules {
        assert!(exact.proof.uses(*rule), "{rule} in\n{}", exact.proof);
    }
    assert!(exact.proof.0.iter().any(|step| matches!(step, Step::Maps { .. })));
}

/// Fig. 6, first branch.
#[test]
fn the_square_transpose_of_nas_cg() {
    let (id, n) = (term("id"), term("nrows"));
    let partner = (&id % &n) * &n + id.floor_div(&n);
    let facts = [
        Fact::eq(term("np"), term("nrows") * term("ncols")),
        Fact::eq(term("ncols"), term("nrows")),
        Fact::le(1, &n),
    ];
    let exact = matching(&facts, (world(), partner.clone()), (world(), partner));
    assert!(exact.value.is_complete());
    assert_eq!(exact.value.matched.len(), 1);
    assert_shows(&exact, &[Rule::Rows, Rule::Quotient, Rule::Counting]);
}

/// Fig. 6, second branch.
#[test]
fn the_rectangular_transpose_of_nas_cg() {
    let (id, n) = (term("id"), term("nrows"));
    let half = id.floor_div(2);
    let partner = ((&half % &n) * &n + half.floor_div(&n)) * 2 + &id % 2;
    let facts = [
        Fact::eq(term("np"), term("ncols") * term("nrows")),
        Fact::eq(term("ncols"), term("nrows") * 2),
        Fact::le(1, &n),
    ];
    let exact = matching(&facts, (world(), partner.clone()), (world(), partner));
    assert!(exact.value.is_complete());
    assert_eq!(exact.value.matched.len(), 1);
    assert_shows(&exact, &[Rule::Rows, Rule::Quotient, Rule::Counting]);
}

/// Fig. 7: the senders and the receivers of Fig. 8 at once, and what is left over of the middle.
#[test]
fn the_shift_along_a_mesh() {
    let id = term("id");
    let facts = [Fact::le(3, term("np"))];
    let (right, left) = (&id + 1, &id - 1);
    let inner = || DigitBox::interval(1, p("np").plus(-2).unwrap());
    let first = matching(&facts, (DigitBox::single(0), right.clone()), (inner(), left.clone()));
    assert_eq!(first.value.matched[0].senders.to_string(), "[0]");
    assert_eq!(first.value.matched[0].receivers.to_string(), "[1]");
    assert_eq!(first.value.unmatched_receivers[0].to_string(), "[2..np - 2]");
    let middle = matching(&facts, (inner(), right.clone()), (inner(), left.clone()));
    assert_eq!(middle.value.matched[0].senders.to_string(), "[1..np - 3]");
    assert_eq!(middle.value.matched[0].receivers.to_string(), "[2..np - 2]");
    assert_eq!(middle.value.unmatched_senders[0].to_string(), "[np - 2]");
    assert_eq!(middle.value.unmatched_receivers[0].to_string(), "[1]");
    let last = DigitBox::single(p("np").plus(-1).unwrap());
    let last = matching(&facts, (inner(), right), (last, left));
    assert_eq!(last.value.matched[0].senders.to_string(), "[np - 2]");
    assert_eq!(last.value.unmatched_senders[0].to_string(), "[1..np - 3]");
    assert!(last.value.unmatched_receivers.is_empty());
}

/// The case the paper leaves to the reader: a halo exchange along one dimension of a mesh of two.
#[test]
fn the_halo_of_a_mesh_of_two_dimensions() {
    let id = term("id");
    let (nrows, ncols) = (p("nrows"), p("ncols"));
    let facts = [
        Fact::eq(term("np"), term("nrows") * term("ncols")),
        Fact::le(1, term("nrows")),
        Fact::le(1, term("ncols")),
    ];
    let columns = |low: Polynomial, high: Polynomial| {
        DigitBox::in_radices(
            std::slice::from_ref(&ncols),
            &[(low, high), (Polynomial::zero(), nrows.clone())],
        )
        .unwrap()
    };
    let all_but_last = columns(Polynomial::zero(), ncols.plus(-1).unwrap());
    let all_but_first = columns(1.into(), ncols.clone());
    let exact = matching(&facts, (all_but_last, &id + 1), (all_but_first, &id - 1));
    assert!(exact.value.is_complete(), "{:?}", exact.value);
    let rows = |low: Polynomial, high: Polynomial| {
        DigitBox::in_radices(
            std::slice::from_ref(&ncols),
            &[(Polynomial::zero(), ncols.clone()), (low, high)],
        )
        .unwrap()
    };
    let (upper, lower) = (rows(Polynomial::zero(), nrows.plus(-1).unwrap()), rows(1.into(), nrows.clone()));
    let exact = matching(&facts, (upper, &id + term("ncols")), (lower, &id - term("ncols")));
    assert!(exact.value.is_complete(), "{:?}", exact.value);
}

#[test]
fn a_periodic_shift_by_any_distance() {
    let (id, np, k) = (term("id"), term("np"), term("k"));
    let facts = [Fact::le(1, &np), Fact::le(0, &k), Fact::lt(&k, &np)];
    let there = (&id + &k) % &np;
    let back = (&id + &np - &k) % &np;
    let exact = matching(&facts, (world(), there), (world(), back));
    assert!(exact.value.is_complete(), "{:?}", exact.value);
    assert_eq!(exact.value.matched.len(), 2);
}
