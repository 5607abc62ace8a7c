//! The question, its answer, and the order in which the provers are asked.

use std::cell::RefCell;
use std::fmt;

use effort::{spend, spent};
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
    /// The limit on work was reached.
    WorkLimit,
    /// Z3 gave up before the limit, in its own words.
    GaveUp(String),
    /// The goal divides by this term, which may be zero for all we could prove.
    MayDivideByZero(Term),
    /// The facts and the goal together exceed [`Term::MAX_SIZE`], or are too many monomials for Z3 when they are multiplied out.
    TooLarge,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSmallCounterexample => f.write_str("no small counterexample"),
            Self::WithoutZ3 => f.write_str("built without Z3"),
            Self::OldZ3(version) => write!(f, "linked with Z3 {version}, at least 5 is needed"),
            Self::WorkLimit => f.write_str("limit on work"),
            Self::GaveUp(words) => write!(f, "Z3 gave up: {words}"),
            Self::MayDivideByZero(divisor) => write!(f, "{divisor} may be zero"),
            Self::TooLarge => f.write_str("the question is too large"),
        }
    }
}

/// Something that settles goals. May always answer [`Answer::Unknown`]; must never answer anything else wrongly.
///
/// Limits are units of work of crate `effort`: the same question with the same limit has the same answer on any machine, whatever was
/// asked before.
pub trait Prover {
    /// Whether `goal` follows from `facts`. Ends soon after `limit` units of work, if not before, and counts what it does.
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: u64) -> Answer;
}

/// The provers in the order of their cost: what can be seen at once, what this thread was asked before, algebra, evaluation
/// on small instances, then Z3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

/// Asks [`Standard`], which may do so many units of work.
pub fn prove(facts: &[Fact], goal: &Fact, limit: u64) -> Answer {
    Standard.prove(facts, goal, limit)
}

impl Prover for Standard {
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: u64) -> Answer {
        if goal.comparisons().iter().all(|comparison| is_evident(facts, comparison)) {
            return Answer::Proved;
        }
        if facts.iter().map(Fact::size).sum::<usize>() + goal.size() > Term::MAX_SIZE {
            return Answer::Unknown(Reason::TooLarge);
        }
        let question = Question { facts: facts.to_vec(), goal: goal.clone(), limit };
        if let Some((answer, work)) = MEMORY.with_borrow(|memory| memory.recall(&question)) {
            // What this thread did before must not make a budget last longer.
            spend(work);
            return answer;
        }
        let before = spent();
        let answer = settle(facts, goal, limit);
        let work = spent() - before;
        MEMORY.with_borrow_mut(|memory| memory.store(question, answer.clone(), work));
        answer
    }
}

fn settle(facts: &[Fact], goal: &Fact, limit: u64) -> Answer {
    let before = spent();
    if Algebra.prove(facts, goal, limit) == Answer::Proved {
        return Answer::Proved;
    }
    match Enumeration::default().prove(facts, goal, limit) {
        Answer::Unknown(_) => {}
        settled => return settled,
    }
    let rest = limit.saturating_sub(spent() - before);
    #[cfg(feature = "z3")]
    return crate::smt::Z3.prove(facts, goal, rest);
    #[cfg(not(feature = "z3"))]
    return Answer::Unknown(if rest == 0 { Reason::WorkLimit } else { Reason::WithoutZ3 });
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
    limit: u64,
}

/// The answers of one thread, each with the work that it took.
#[derive(Default)]
struct Memory(FxHashMap<Question, (Answer, u64)>);

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl Memory {
    /// Questions are at most tens of kilobytes each; typical ones a hundred bytes.
    const CAPACITY: usize = 4096;

    fn recall(&self, question: &Question) -> Option<(Answer, u64)> {
        self.0.get(question).cloned()
    }

    fn store(&mut self, question: Question, answer: Answer, work: u64) {
        if self.0.len() >= Self::CAPACITY {
            self.0.clear();
        }
        self.0.insert(question, (answer, work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_evident_needs_no_work() {
        let (x, y) = (Term::symbol("x"), Term::symbol("y"));
        let known = Fact::lt(&x, &y);
        let proved = |facts: &[Fact], goal: &Fact| prove(facts, goal, 0) == Answer::Proved;
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
        assert_eq!(prove(&[], &Fact::lt(0, term), u64::MAX), Answer::Unknown(Reason::TooLarge));
    }

    /// Neither what was asked before nor with which limit changes an answer, nor what it costs.
    #[test]
    fn answers_do_not_depend_on_what_was_asked_before() {
        let (x, y, n) = (Term::symbol("x"), Term::symbol("y"), Term::symbol("n"));
        let facts = [Fact::lt(0, &n), Fact::le(0, &x), Fact::lt(&x, &n), Fact::le(0, &y), Fact::lt(&y, &n)];
        let goal = Fact::lt(&x * &n + &y, &n * &n);
        let ask = |limit: u64| {
            let before = spent();
            (prove(&facts, &goal, limit), spent() - before)
        };
        let first: Vec<_> = [0, 1_000, 10_000_000].map(ask).into();
        assert!(matches!(first[0].0, Answer::Unknown(_) | Answer::Proved));
        let again: Vec<_> = [10_000_000, 1_000, 0].map(ask).into_iter().rev().collect();
        assert_eq!(first, again);
        let other = std::thread::scope(|scope| scope.spawn(|| ask(1_000)).join());
        assert_eq!(other.ok().as_ref(), Some(&first[1]));
    }
}
