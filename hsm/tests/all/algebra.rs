//! Polynomials, assumptions and sequences against evaluation and enumeration.

use std::cell::Cell;

use hsm::{
    Assignment, Assumptions, Fact, Hsm, Operator, Polynomial, Reasoner, Relation, Symbol, Term, Truth,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

use crate::worlds::{World, lookup, numbers, worlds};

const NAMES: [&str; 3] = ["a", "b", "n"];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Terms without divisions.
fn sums() -> impl Strategy<Value = Term> {
    let leaf =
        prop_oneof![(-3..=4_i128).prop_map(Term::constant), select(NAMES.to_vec()).prop_map(Term::symbol)];
    let operators = vec![Operator::Add, Operator::Subtract, Operator::Multiply];
    leaf.prop_recursive(4, 12, 2, move |inner| {
        (select(operators.clone()), inner.clone(), inner)
            .prop_map(|(operator, left, right)| Term::apply(operator, &left, &right).unwrap())
    })
}

/// Terms, a few of which divide.
fn terms() -> impl Strategy<Value = Term> {
    let divisor =
        prop_oneof![(1..=4_i128).prop_map(Term::constant), select(NAMES.to_vec()).prop_map(Term::symbol)];
    let divisions = vec![Operator::FloorDivide, Operator::Modulo];
    let quotient = (select(divisions), sums(), divisor)
        .prop_map(|(operator, left, right)| Term::apply(operator, &left, &right).unwrap());
    prop_oneof![3 => sums(), 1 => quotient]
}

fn facts() -> impl Strategy<Value = Fact> {
    let relations = [Relation::Less, Relation::LessEqual, Relation::Equal, Relation::NotEqual];
    let bound = (select(NAMES.to_vec()), select(relations.to_vec()), -3..=5_i128)
        .prop_map(|(name, relation, value)| Fact::compare(value, relation, Term::symbol(name)));
    let any = (terms(), select(relations.to_vec()), terms())
        .prop_map(|(left, relation, right)| Fact::compare(left, relation, right));
    // Products of few symbols with a bound, which are what sizes of meshes are.
    let name = || select(NAMES.to_vec()).prop_map(Term::symbol);
    let product = (name(), name(), select(relations.to_vec()), -2..=6_i128)
        .prop_map(|(x, y, relation, value)| Fact::compare(value, relation, x * y));
    prop_oneof![2 => bound, 2 => any, 1 => product]
}

fn polynomial(term: &Term) -> Polynomial {
    Polynomial::from_term(term).expect("small").expect("no division")
}

fn instances(range: std::ops::RangeInclusive<i128>) -> impl Iterator<Item = Assignment> {
    let values = move || range.clone();
    values().flat_map(move |a| {
        let values = values.clone();
        values().flat_map(move |b| {
            values().map(move |n| NAMES.into_iter().map(Symbol::new).zip([a, b, n]).collect::<Assignment>())
        })
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn a_polynomial_has_the_value_of_its_term(left in sums(), right in sums(), values in [-9..=9_i128, -9..=9, -9..=9]) {
        let assignment: Assignment = NAMES.into_iter().map(Symbol::new).zip(values).collect();
        let value = |p: &Polynomial| p.evaluate(|symbol| assignment.get(symbol)).expect("small");
        let (p, q) = (polynomial(&left), polynomial(&right));
        let (x, y) = (value(&p), value(&q));
        prop_assert_eq!(Ok(x), left.evaluate(|symbol| assignment.get(symbol)));
        prop_assert_eq!(value(&polynomial(&p.to_term())), x);
        prop_assert_eq!(polynomial(&p.to_term()), p.clone());
        prop_assert_eq!(value(&p.add(&q).unwrap()), x + y);
        prop_assert_eq!(value(&p.sub(&q).unwrap()), x - y);
        if let Ok(product) = p.mul(&q) {
            prop_assert_eq!(value(&product), x * y);
            if !q.is_zero() {
                prop_assert_eq!(product.div_exact(&q), Ok(Some(p.clone())));
            }
        }
        if let Ok(Some((quotient, remainder))) = p.div_rem(&q) {
            prop_assert_eq!(value(&quotient) * y + value(&remainder), x);
        }
        let n = Symbol::new("n");
        if let Ok(replaced) = p.substitute(&n, &q) {
            let with: Assignment = assignment.iter()
                .map(|(symbol, value)| (symbol.clone(), if *symbol == n { y } else { value })).collect();
            prop_assert_eq!(value(&replaced), p.evaluate(|symbol| with.get(symbol)).expect("small"));
        }
        if let Ok(Some(root)) = p.solve(&n) {
            prop_assert_eq!(p.substitute(&n, &root), Ok(Polynomial::zero()));
        }
    }

    /// Whatever facts are assumed: what follows holds wherever they do.
    #[test]
    fn what_follows_from_assumptions_holds(facts in prop::collection::vec(facts(), 0..5), goals in prop::collection::vec(sums(), 8)) {
        let assumptions = Assumptions::of(facts.iter().cloned());
        let goals: Vec<Polynomial> = goals.iter().map(polynomial).collect();
        let proved: Vec<bool> = goals.iter().map(|goal| assumptions.proves_nonnegative(goal)).collect();
        for instance in instances(-3..=6) {
            if facts.iter().any(|fact| fact.evaluate(&instance) != Ok(true)) {
                continue;
            }
            prop_assert!(!assumptions.is_contradictory(), "{}", instance);
            let lookup = lookup(&assumptions, &instance);
            for (goal, proved) in goals.iter().zip(&proved) {
                let value = goal.evaluate(&lookup).expect("small");
                prop_assert!(!proved || value >= 0, "0 <= {} at {}", goal, instance);
                let normal = assumptions.normal(goal).unwrap();
                prop_assert_eq!(normal.evaluate(&lookup), Some(value), "{} at {}", normal, instance);
            }
        }
    }

    #[test]
    fn what_divides_divides(world in worlds(), left in sums(), right in sums()) {
        // The names of the world in place of those of the terms.
        let rename = |term: Term| {
            let free = world.free();
            NAMES.iter().enumerate().fold(term, |term, (i, name)| {
                term.substitute(&Symbol::new(name), &Term::symbol(free[i % free.len()])).unwrap()
            })
        };
        let (p, divisor) = (polynomial(&rename(left)), polynomial(&rename(right)));
        let reasoner = Reasoner::new(world.assumptions());
        let truth = reasoner.divides(&divisor, &p);
        let exact = reasoner.assumptions().divide_exactly(&p, &divisor);
        for instance in world.instances() {
            let lookup = lookup(reasoner.assumptions(), &instance);
            let (value, by) = (p.evaluate(&lookup).unwrap(), divisor.evaluate(&lookup).unwrap());
            if by != 0 {
                let divides = value % by == 0;
                prop_assert!(agrees(truth, divides));
            }
            if let Some(quotient) = &exact {
                prop_assert_eq!(quotient.evaluate(&lookup).unwrap() * by, value);
            }
        }
    }
}

/// Whether an answer is right where the truth is known.
fn agrees(answer: Truth, truth: bool) -> bool {
    match answer {
        Truth::Yes => truth,
        Truth::No => !truth,
        Truth::Open => true,
    }
}

/// Counts and strides that occur in a world.
fn sequences(world: World) -> impl Strategy<Value = Hsm> {
    let symbols: Vec<Polynomial> = world.free().iter().map(|name| Polynomial::symbol(name)).collect();
    let constants = [1, 2, 3, 4, 6].map(Polynomial::constant);
    let counts: Vec<Polynomial> = symbols.iter().cloned().chain(constants.clone()).collect();
    let products = counts.iter().flat_map(|a| counts.iter().map(|b| a.mul(b).unwrap()));
    let mut strides: Vec<Polynomial> = counts.iter().cloned().chain(products).collect();
    strides.extend(strides.clone().iter().map(|p| p.neg().unwrap()));
    strides.push(Polynomial::zero());
    let offsets: Vec<Polynomial> =
        strides.iter().flat_map(|p| [p.clone(), p.plus(1).unwrap(), p.plus(-1).unwrap()]).collect();
    let level = (select(counts), select(strides));
    (select(offsets), prop::collection::vec(level, 0..=3)).prop_map(|(offset, levels)| {
        levels.into_iter().fold(Hsm::single(offset), |below, (count, stride)| below.repeated(count, stride))
    })
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
}

/// Long sequences show nothing more.
fn short(sequence: &Hsm, lookup: impl Fn(&Symbol) -> Option<i128>) -> Option<Vec<i128>> {
    sequence.enumerate(lookup, 400)
}

#[test]
fn division_of_sequences_is_that_of_their_numbers() {
    let answered = Cell::new(0);
    let questions = worlds().prop_flat_map(|world| {
        let symbols = world.free().iter().map(|name| Polynomial::symbol(name));
        let divisors: Vec<Polynomial> = symbols.chain([2, 3, 4].map(Polynomial::constant)).collect();
        (Just(world), sequences(world), select(divisors))
    });
    let run = runner(500).run(&questions, |(world, sequence, divisor)| {
        let reasoner = Reasoner::new(world.assumptions());
        for (operator, answer) in [
            (Operator::FloorDivide, reasoner.quotient(&sequence, &divisor)),
            (Operator::Modulo, reasoner.remainder(&sequence, &divisor)),
        ] {
            let Ok(exact) = answer else { continue };
            answered.set(answered.get() + 1);
            for instance in world.instances() {
                let lookup = lookup(&exact.assumptions, &instance);
                let Some(all) = short(&sequence, &lookup) else { continue };
                let by = divisor.evaluate(&lookup).unwrap();
                let expected: Vec<i128> =
                    all.iter().map(|value| operator.apply(*value, by).unwrap()).collect();
                let found: Vec<i128> = exact.value.iter().flat_map(|part| numbers(part, &lookup)).collect();
                prop_assert_eq!(found, expected, "{}", instance);
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    println!("{} of 1000 answered", answered.get());
    assert!(answered.get() > 200);
}

#[test]
fn canonical_forms_keep_the_sequence_or_the_set() {
    let merged = Cell::new(0);
    let questions = worlds().prop_flat_map(|world| (Just(world), sequences(world)));
    let run = runner(500).run(&questions, |(world, sequence)| {
        let reasoner = Reasoner::new(world.assumptions());
        let order = reasoner.canonical_sequence(&sequence).unwrap().value;
        let set = reasoner.canonical_set(&sequence).unwrap().value;
        let bounds = reasoner.bounds(&sequence).unwrap().value;
        merged.set(merged.get() + u32::from(set.levels().len() < sequence.levels().len()));
        for instance in world.instances() {
            let lookup = lookup(&world.assumptions(), &instance);
            let Some(mut all) = short(&sequence, &lookup) else { continue };
            prop_assert_eq!(&numbers(&order, &lookup), &all, "{}", instance);
            prop_assert_eq!(sequence.count().unwrap().evaluate(&lookup), i128::try_from(all.len()).ok());
            let mut members = numbers(&set, &lookup);
            members.sort_unstable();
            members.dedup();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(&members, &all, "{}", instance);
            if let (Some((least, greatest)), Some(first), Some(last)) = (&bounds, all.first(), all.last()) {
                prop_assert_eq!(
                    (least.evaluate(&lookup), greatest.evaluate(&lookup)),
                    (Some(*first), Some(*last))
                );
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(merged.get() > 60, "{}", merged.get());
}

#[test]
fn equal_sequences_and_sets_are_equal() {
    let questions = worlds().prop_flat_map(|world| (Just(world), sequences(world), sequences(world)));
    let run = runner(500).run(&questions, |(world, left, right)| {
        let reasoner = Reasoner::new(world.assumptions());
        let order = reasoner.same_sequence(&left, &right).unwrap().value;
        let set = reasoner.same_set(&left, &right).unwrap().value;
        for instance in world.instances() {
            let lookup = lookup(&world.assumptions(), &instance);
            let (Some(mut a), Some(mut b)) = (short(&left, &lookup), short(&right, &lookup)) else {
                continue;
            };
            prop_assert!(agrees(order, a == b), "{:?} at {}", order, instance);
            for all in [&mut a, &mut b] {
                all.sort_unstable();
                all.dedup();
            }
            prop_assert!(agrees(set, a == b), "{:?} at {}", set, instance);
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// The numbers of levels and their order, cut from one list of factors: the same length in different structures.
fn structures() -> impl Strategy<Value = (World, Hsm, Hsm)> {
    worlds().prop_flat_map(|world| {
        let symbols = world.free().iter().map(|name| Polynomial::symbol(name));
        let counts: Vec<Polynomial> = symbols.chain([2, 3].map(Polynomial::constant)).collect();
        let strides = (-3..=5_i128).prop_map(Polynomial::constant);
        let levels = prop::collection::vec(
            (select(counts), strides.clone(), strides, any::<bool>(), any::<bool>()),
            1..4,
        );
        (Just(world), levels).prop_map(|(world, levels)| {
            let build = |side: usize| {
                let (mut sequence, mut open) = (Hsm::single(7), Polynomial::constant(1));
                for (i, (count, left, right, close_left, close_right)) in levels.iter().enumerate() {
                    open = open.mul(count).unwrap();
                    let (stride, close) = [(left, close_left), (right, close_right)][side];
                    if *close || i + 1 == levels.len() {
                        sequence = sequence.repeated(std::mem::replace(&mut open, 1.into()), stride.clone());
                    }
                }
                sequence
            };
            (world, build(0), build(1))
        })
    })
}

#[test]
fn sums_of_sequences_are_those_of_their_numbers() {
    let run = runner(500).run(&structures(), |(world, left, right)| {
        let exact = Reasoner::new(world.assumptions()).sum(&left, &right);
        let exact = exact.unwrap_or_else(|failure| panic!("{left} + {right}: {failure}"));
        for instance in world.instances() {
            let lookup = lookup(&exact.assumptions, &instance);
            let (Some(a), Some(b)) = (short(&left, &lookup), short(&right, &lookup)) else { continue };
            let expected: Vec<i128> = a.iter().zip(&b).map(|(x, y)| x + y).collect();
            prop_assert_eq!(numbers(&exact.value, &lookup), expected, "{}", instance);
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// Without symbols the canonical form of sequences decides equality.
#[test]
fn the_canonical_form_of_a_sequence_of_numbers_is_unique() {
    let level = (1..=4_i128, -4..=6_i128);
    let sequence = (0..3_i128, prop::collection::vec(level, 0..4)).prop_map(|(offset, levels)| {
        levels.into_iter().fold(Hsm::single(offset), |below, (count, stride)| below.repeated(count, stride))
    });
    let reasoner = Reasoner::new(Assumptions::new());
    let canonical = |sequence: &Hsm| reasoner.canonical_sequence(sequence).unwrap().value;
    let equal = Cell::new(0);
    let run = runner(3000).run(&(sequence.clone(), sequence), |(left, right)| {
        let same = numbers(&left, |_| None) == numbers(&right, |_| None);
        equal.set(equal.get() + u32::from(same));
        prop_assert_eq!(canonical(&left) == canonical(&right), same, "{} {}", left, right);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(equal.get() > 0);
}

/// The paper's rules with their own examples, as corrected in its errata.
#[test]
fn the_rules_of_table_i() {
    let reasoner = Reasoner::new(Assumptions::new());
    let interval = |first: i128, count: i128, stride: i128| Hsm::single(first).repeated(count, stride);
    let quotient = reasoner.quotient(&interval(20, 6, 5), &10.into()).unwrap().value;
    assert_eq!(quotient, [Hsm::single(2).repeated(2, 0).repeated(3, 1)]);
    let remainder = reasoner.remainder(&interval(12, 15, 2), &6.into()).unwrap().value;
    assert_eq!(remainder, [Hsm::single(0).repeated(3, 2).repeated(5, 0)]);
    let adjacent = interval(2, 3, 2).repeated(2, 6);
    assert_eq!(reasoner.canonical_sequence(&adjacent).unwrap().value, interval(2, 6, 2));
    let interleaved = interval(2, 3, 4).repeated(2, 2);
    assert_eq!(reasoner.same_set(&interleaved, &interval(2, 6, 2)).unwrap().value, Truth::Yes);
    assert_eq!(reasoner.same_sequence(&interleaved, &interval(2, 6, 2)).unwrap().value, Truth::Open);
    let (rows, columns) = (interval(1, 2, 1).repeated(3, 10), interval(1, 3, 10).repeated(2, 1));
    assert_eq!(reasoner.same_set(&rows, &columns).unwrap().value, Truth::Yes);
    assert_eq!(reasoner.divides_all(&2.into(), &adjacent), Truth::Yes);
    assert_eq!(reasoner.divides_all(&3.into(), &adjacent), Truth::No);
    // Descending, which the paper excludes.
    let descending = interval(9, 10, -1);
    assert_eq!(reasoner.same_set(&descending, &interval(0, 10, 1)).unwrap().value, Truth::Yes);
}
