//! Identities of communication patterns, for every number of processes.

use hsm::{Answer, Fact, Reason, Symbol, Term, prove};

/// In units of work.
const LIMIT: u64 = 100_000_000;

fn term(name: &str) -> Term {
    Term::symbol(name)
}

/// `low <= name < high`.
fn within(low: i128, name: &str, high: impl Into<Term>) -> Fact {
    Fact::all([Fact::le(low, term(name)), Fact::lt(term(name), high)])
}

/// The outer expression applied to what the inner one gives for `id`.
fn after(outer: &Term, inner: &Term) -> Term {
    outer.substitute(&Symbol::new("id"), inner).expect("a few dozen steps")
}

/// Proved by algebra or Z3, at least not refuted without that.
#[track_caller]
fn assert_proved(facts: &[Fact], goal: &Fact) {
    let answer = prove(facts, goal, LIMIT);
    if cfg!(feature = "z3") {
        assert_eq!(answer, Answer::Proved, "{goal}");
    } else {
        assert!(matches!(answer, Answer::Proved | Answer::Unknown(Reason::WithoutZ3)), "{answer:?}");
    }
}

#[track_caller]
fn assert_refuted(facts: &[Fact], goal: &Fact) {
    let Answer::Refuted(assignment) = prove(facts, goal, LIMIT) else { panic!("{goal} is not refuted") };
    assert!(facts.iter().all(|fact| fact.evaluate(&assignment) == Ok(true)), "{assignment}");
    assert_ne!(goal.evaluate(&assignment), Ok(true), "{assignment}");
}

#[cfg(feature = "z3")]
#[test]
fn the_library_is_recent_enough() {
    let version = hsm::z3_version().expect("built with Z3");
    let major: u32 = version.split('.').next().unwrap().parse().unwrap();
    assert!(major >= 5, "linked with Z3 {version}: is it the system's?");
}

/// Fig. 6 of the paper on communication-sensitive dataflow, first branch: NAS CG's transpose partner on n x n processes.
#[test]
fn square_transpose_is_its_own_inverse() {
    let (id, n) = (term("id"), term("n"));
    let partner = (&id % &n) * &n + id.floor_div(&n);
    let facts = [Fact::le(1, &n), within(0, "id", &n * &n)];
    assert_proved(&facts, &Fact::eq(after(&partner, &partner), &id));
    assert_proved(&facts, &Fact::all([Fact::le(0, &partner), Fact::lt(&partner, &n * &n)]));
}

#[test]
fn square_transpose_with_the_number_of_processes_named() {
    let (id, n, np) = (term("id"), term("n"), term("np"));
    let partner = (&id % &n) * &n + id.floor_div(&n);
    let facts = [Fact::le(1, &n), Fact::eq(&np, &n * &n), within(0, "id", np)];
    assert_proved(&facts, &Fact::eq(after(&partner, &partner), &id));
}

#[test]
fn rectangular_transpose_has_the_other_transpose_as_inverse() {
    let (id, n, m) = (term("id"), term("n"), term("m"));
    // On n rows of m columns; the inverse is the same with n and m exchanged.
    let there = (&id % &m) * &n + id.floor_div(&m);
    let back = (&id % &n) * &m + id.floor_div(&n);
    let facts = [Fact::le(1, &n), Fact::le(1, &m), within(0, "id", &n * &m)];
    assert_proved(&facts, &Fact::eq(after(&back, &there), &id));
    // The transpose is no involution unless n == m.
    assert_refuted(&facts, &Fact::eq(after(&there, &there), &id));
}

#[test]
fn periodic_shifts_cancel() {
    let (id, np) = (term("id"), term("np"));
    let right = (&id + 1) % &np;
    let left = (&id - 1 + &np) % &np;
    let facts = [Fact::le(1, &np), within(0, "id", &np)];
    assert_proved(&facts, &Fact::eq(after(&left, &right), &id));
    assert_proved(&facts, &Fact::eq(after(&right, &left), &id));
    assert_proved(&facts, &Fact::all([Fact::le(0, &right), Fact::lt(&right, &np)]));
    assert_refuted(&facts, &Fact::eq(after(&right, &right), &id));
    // Only on two processes are both neighbours the same.
    assert_refuted(&facts, &Fact::eq(right, left));
}

#[test]
fn a_shift_by_any_distance_is_undone() {
    let (id, np, k) = (term("id"), term("np"), term("k"));
    let there = (&id + &k) % &np;
    let back = (&id + &np - &k) % &np;
    let facts = [Fact::le(1, &np), within(0, "id", &np), within(0, "k", &np)];
    assert_proved(&facts, &Fact::eq(after(&back, &there), &id));
}

#[test]
fn pairs_of_even_and_odd_ranks() {
    let id = term("id");
    // rank XOR 1, as codes without the operator write it.
    let partner = &id + 1 - (&id % 2) * 2;
    let facts = [Fact::le(0, &id)];
    assert_proved(&facts, &Fact::eq(after(&partner, &partner), &id));
    // On an odd number of processes the last one's partner does not exist.
    let np = term("np");
    assert_refuted(&[Fact::le(1, &np), within(0, "id", &np)], &Fact::lt(&partner, &np));
}

#[test]
fn a_counterexample_too_large_for_enumeration_is_found_and_checked() {
    let (x, y) = (term("x"), term("y"));
    let facts = [Fact::le(40, &x), Fact::le(&x, &y), Fact::eq((&x + &y) % 7, 3)];
    let goal = Fact::ne(&y - &x, 17);
    if cfg!(feature = "z3") {
        assert_refuted(&facts, &goal)
    } else {
        assert!(!matches!(prove(&facts, &goal, LIMIT), Answer::Proved))
    }
}

#[test]
fn a_divisor_must_be_shown_not_to_be_zero() {
    let (x, n) = (term("x"), term("n"));
    let identity = Fact::eq(x.floor_div(&n) * &n + &x % &n, &x);
    assert_refuted(&[], &identity);
    assert_proved(&[Fact::ne(&n, 0)], &identity);
    assert_proved(&[Fact::lt(&n, 0)], &identity);
    // A fact that divides by n says itself that n is not zero.
    assert_proved(&[Fact::eq(&x % &n, 0)], &identity);
    // Zero is excluded here only through the search for factors of a prime above what enumeration tries.
    let facts = [Fact::eq(&n * &term("m"), 10_007)];
    assert!(!matches!(prove(&facts, &Fact::eq(x.floor_div(&n), x.floor_div(&n)), LIMIT), Answer::Refuted(_)));
}

#[test]
fn contradictory_facts_prove_anything() {
    let x = term("x");
    assert_proved(&[Fact::lt(&x, 0), Fact::lt(0, &x)], &Fact::eq(0, 1));
    assert_proved(&[Fact::eq(x.floor_div(0), 0)], &Fact::eq(&x, 1));
}

#[test]
fn the_limit_is_kept() {
    // Fermat's last theorem for exponent 3: true, and out of reach.
    let cube = |name: &str| term(name) * term(name) * term(name);
    let facts: Vec<Fact> = ["a", "b", "c"].map(|name| Fact::le(1, term(name))).to_vec();
    let answer = prove(&facts, &Fact::ne(cube("a") + cube("b"), cube("c")), 3_000_000);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

/// Questions at the size limit: as text harmless, expanded into monomials beyond any memory.
#[test]
fn huge_questions_end_in_time() {
    let sum = term("a") + term("b") + term("c") + term("d") + term("e");
    let mut power = sum.clone();
    let mut modulo = sum.clone();
    while power.size() < 2_000 {
        power = &power * &sum;
        modulo = (&modulo * &sum) % &term("n");
    }
    let chain: Vec<Fact> =
        (0..600).map(|i| Fact::eq(term(&format!("x{i}")), term(&format!("x{}", i + 1)) + 1)).collect();
    let positive = || vec![Fact::le(1, term("n"))];
    // Multiplied out the power is more than a million monomials; Z3 does not count that as work, so it must not be asked.
    for (facts, goal) in [
        (positive(), Fact::ne(&power, &power + 1)),
        (positive(), Fact::ne(power, 7)),
        (positive(), Fact::lt(modulo, term("n"))),
        (chain, Fact::lt(term("x600"), term("x0"))),
    ] {
        let answer = prove(&facts, &goal, 5_000_000);
        assert!(!matches!(answer, Answer::Refuted(_)), "{answer:?}");
        println!("{answer:?}");
    }
}
