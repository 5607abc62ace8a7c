//! The question, its answer, and the order in which the provers are asked.

use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::algebra::Algebra;
use crate::expr::{Assignment, Comparison, Fact, Relation, Term};
use crate::refute::Enumeration;

/// What a prover found out about a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The goal is defined and holds under every assignment that satisfies all facts (also when none does).
    Proved,
    /// Under this assignment all facts hold, and the goal does not hold or divides by zero. Checked by evaluation.
    Refuted(Assignment),
    /// Neither was established.
    Unknown(Reason),
}

/// Why a prover settled nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The small instances that were tried all satisfy the goal; nothing was proved.
    NoSmallCounterexample,
    /// As before, and this program was built without Z3, which might have settled it.
    WithoutZ3,
    /// The linked Z3 is older than 5, whose version this is.
    OldZ3(String),
    /// The time limit passed.
    TimeLimit,
    /// Z3 gave up before the limit, in its own words.
    GaveUp(String),
    /// The goal divides by this term, which may be zero for all we could prove.
    MayDivideByZero(Term),
    /// The facts and the goal together exceed [`Term::MAX_SIZE`].
    TooLarge,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSmallCounterexample => f.write_str("no small counterexample"),
            Self::WithoutZ3 => f.write_str("built without Z3"),
            Self::OldZ3(version) => write!(f, "linked with Z3 {version}, at least 5 is needed"),
            Self::TimeLimit => f.write_str("time limit"),
            Self::GaveUp(words) => write!(f, "Z3 gave up: {words}"),
            Self::MayDivideByZero(divisor) => write!(f, "{divisor} may be zero"),
            Self::TooLarge => f.write_str("the question is too large"),
        }
    }
}

/// Something that settles goals. May always answer [`Answer::Unknown`]; must never answer anything else wrongly.
pub trait Prover {
    /// Whether `goal` follows from `facts`. Returns soon after `limit`, if not before.
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: Duration) -> Answer;
}

/// The provers in the order of their cost: what can be seen at once, what this thread was asked before, algebra, evaluation
/// on small instances, then Z3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

/// Asks [`Standard`].
pub fn prove(facts: &[Fact], goal: &Fact, limit: Duration) -> Answer {
    Standard.prove(facts, goal, limit)
}

impl Prover for Standard {
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: Duration) -> Answer {
        if goal.comparisons().iter().all(|comparison| is_evident(facts, comparison)) {
            return Answer::Proved;
        }
        if facts.iter().map(Fact::size).sum::<usize>() + goal.size() > Term::MAX_SIZE {
            return Answer::Unknown(Reason::TooLarge);
        }
        let question = Question { facts: facts.to_vec(), goal: goal.clone() };
        if let Some(answer) = MEMORY.with_borrow(|memory| memory.recall(&question, limit)) {
            return answer;
        }
        let answer = settle(facts, goal, limit);
        MEMORY.with_borrow_mut(|memory| memory.store(question, answer.clone(), limit));
        answer
    }
}

fn settle(facts: &[Fact], goal: &Fact, limit: Duration) -> Answer {
    let start = Instant::now();
    if Algebra.prove(facts, goal, limit) == Answer::Proved {
        return Answer::Proved;
    }
    match Enumeration::default().prove(facts, goal, limit) {
        Answer::Unknown(_) => {}
        settled => return settled,
    }
    let rest = limit.saturating_sub(start.elapsed());
    #[cfg(feature = "z3")]
    return crate::smt::Z3.prove(facts, goal, rest);
    #[cfg(not(feature = "z3"))]
    return Answer::Unknown(if rest.is_zero() { Reason::TimeLimit } else { Reason::WithoutZ3 });
}

/// Whether a comparison needs no search: it is among the facts, is about numbers only, or compares equal things.
fn is_evident(facts: &[Fact], comparison: &Comparison) -> bool {
    let Comparison { left, relation, right } = comparison;
    facts.iter().any(|fact| fact.comparisons().contains(comparison))
        || comparison.evaluate(|_| None) == Ok(true)
        || (left == right && !left.divides() && matches!(relation, Relation::Equal | Relation::LessEqual))
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    facts: Vec<Fact>,
    goal: Fact,
}

/// The answers of one thread. An `Unknown` is good for questions with no more time than it had.
#[derive(Default)]
struct Memory(FxHashMap<Question, (Answer, Duration)>);

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl Memory {
    /// Questions are at most tens of kilobytes each; typical ones a hundred bytes.
    const CAPACITY: usize = 4096;

    fn recall(&self, question: &Question, limit: Duration) -> Option<Answer> {
        let (answer, had) = self.0.get(question)?;
        (!matches!(answer, Answer::Unknown(_)) || limit <= *had).then(|| answer.clone())
    }

    fn store(&mut self, question: Question, answer: Answer, limit: Duration) {
        if self.0.len() >= Self::CAPACITY {
            self.0.clear();
        }
        self.0.insert(question, (answer, limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_evident_needs_no_time() {
        let (x, y) = (Term::symbol("x"), Term::symbol("y"));
        let known = Fact::lt(&x, &y);
        let proved = |facts: &[Fact], goal: &Fact| prove(facts, goal, Duration::ZERO) == Answer::Proved;
        assert!(proved(
            std::slice::from_ref(&known),
            &Fact::all([known.clone(), Fact::le(&x, &x), Fact::lt(2, 3)])
        ));
        assert!(proved(&[], &Fact::all([])));
        // Where x is 0 this is undefined, so it does not hold.
        assert!(!proved(&[], &Fact::eq(y.floor_div(&x), y.floor_div(&x))));
    }

    #[test]
    fn a_question_beyond_the_size_limit_is_left_alone() {
        let mut term = Term::symbol("x");
        while term.size() <= Term::MAX_SIZE {
            term = &term + &term;
        }
        assert_eq!(prove(&[], &Fact::lt(0, term), Duration::MAX), Answer::Unknown(Reason::TooLarge));
    }

    #[test]
    fn an_unknown_is_asked_again_when_there_is_more_time() {
        let question = Question { facts: vec![], goal: Fact::lt(Term::symbol("x"), 0) };
        let mut memory = Memory::default();
        let (short, long) = (Duration::from_millis(1), Duration::from_secs(1));
        memory.store(question.clone(), Answer::Unknown(Reason::TimeLimit), short);
        assert!(memory.recall(&question, short).is_some());
        assert!(memory.recall(&question, long).is_none());
        memory.store(question.clone(), Answer::Proved, short);
        assert!(memory.recall(&question, long).is_some());
    }
}
