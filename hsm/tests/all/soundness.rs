//! Random questions: whatever is answered agrees with evaluation.

use hsm::{Answer, Assignment, EvaluationError, Fact, Operator, Prover, Relation, Symbol, Term, prove};
use proptest::prelude::*;

const NAMES: [&str; 3] = ["a", "b", "n"];
const RANGE: std::ops::RangeInclusive<i128> = -4..=7;

fn terms() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        (-3..=4_i128).prop_map(Term::constant),
        proptest::sample::select(NAMES.to_vec()).prop_map(Term::symbol),
    ];
    let operators =
        [Operator::Add, Operator::Subtract, Operator::Multiply, Operator::FloorDivide, Operator::Modulo];
    leaf.prop_recursive(3, 8, 2, move |inner| {
        (proptest::sample::select(operators.to_vec()), inner.clone(), inner).prop_map(
            |(operator, left, right)| Term::apply(operator, &left, &right).expect("at most 15 steps"),
        )
    })
}

fn facts() -> impl Strategy<Value = Fact> {
    let relations = [Relation::Less, Relation::LessEqual, Relation::Equal, Relation::NotEqual];
    (terms(), proptest::sample::select(relations.to_vec()), terms())
        .prop_map(|(left, relation, right)| Fact::compare(left, relation, right))
}

fn instances() -> impl Iterator<Item = Assignment> {
    RANGE.flat_map(|a| {
        RANGE.flat_map(move |b| {
            RANGE.map(move |n| NAMES.into_iter().map(Symbol::new).zip([a, b, n]).collect::<Assignment>())
        })
    })
}

/// A counterexample to the goal in the cube that `RANGE` spans.
fn counterexample(facts: &[Fact], goal: &Fact) -> Option<Assignment> {
    instances().find(|assignment| {
        facts.iter().all(|fact| fact.evaluate(assignment) == Ok(true))
            && matches!(goal.evaluate(assignment), Ok(false) | Err(EvaluationError::DivisionByZero))
    })
}

fn check(prover: &dyn Prover, facts: &[Fact], goal: &Fact) -> Result<(), TestCaseError> {
    match prover.prove(facts, goal, 1_000_000) {
        Answer::Proved => prop_assert_eq!(counterexample(facts, goal), None),
        Answer::Refuted(assignment) => {
            prop_assert!(facts.iter().all(|fact| fact.evaluate(&assignment) == Ok(true)));
            prop_assert!(goal.evaluate(&assignment) != Ok(true));
        }
        Answer::Unknown(_) => {}
    }
    Ok(())
}

/// Asks all provers in order.
struct InOrder;

impl Prover for InOrder {
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: u64) -> Answer {
        prove(facts, goal, limit)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_evaluation(facts in prop::collection::vec(facts(), 0..3), goal in facts()) {
        check(&InOrder, &facts, &goal)?;
    }

    /// Without anything in front.
    #[test]
    fn algebra_agrees_with_evaluation(facts in prop::collection::vec(facts(), 0..4), goal in facts()) {
        check(&hsm::Algebra, &facts, &goal)?;
    }

    /// Without the enumeration in front: the encoding itself, counterexamples included.
    #[cfg(feature = "z3")]
    #[test]
    fn the_translation_for_z3_agrees_with_evaluation(facts in prop::collection::vec(facts(), 0..3), goal in facts()) {
        check(&hsm::Z3, &facts, &goal)?;
    }

    /// Division witnesses determine the value: Z3 must prove `term == its value` once all symbols are fixed.
    #[cfg(feature = "z3")]
    #[test]
    fn a_term_with_fixed_symbols_has_its_value(term in terms(), values in [RANGE, RANGE, RANGE]) {
        let assignment: Assignment = NAMES.into_iter().map(Symbol::new).zip(values).collect();
        let facts: Vec<Fact> =
            assignment.iter().map(|(symbol, value)| Fact::eq(symbol.clone(), value)).collect();
        if let Ok(value) = term.evaluate(|symbol| assignment.get(symbol)) {
            let limit = 50_000_000;
            prop_assert_eq!(hsm::Z3.prove(&facts, &Fact::eq(&term, value), limit), Answer::Proved);
            let other = hsm::Z3.prove(&facts, &Fact::eq(&term, value + 1), limit);
            prop_assert_eq!(other, Answer::Refuted(assignment.iter()
                .filter(|(symbol, _)| facts.iter().any(|fact| fact.symbols().contains(symbol)))
                .map(|(symbol, value)| (symbol.clone(), value)).collect()));
        }
    }
}
