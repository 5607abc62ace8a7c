//! Refutation by evaluation on small instances.
//!
//! Most wrong goals about ranks are wrong for a handful of processes already, and trying those is far cheaper than any
//! proof attempt.

use std::collections::BTreeSet;

use effort::{spend, spent};
use rustc_hash::FxHashMap;

use crate::expr::{Assignment, Comparison, EvaluationError, Fact, Relation, Step, Symbol, Term};
use crate::prove::{Answer, Prover, Reason};

/// Looks for an assignment of small integers that satisfies the facts and not the goal. Never proves anything.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration {
    /// Values tried in the largest round; the time of the whole search is proportional to it.
    pub budget: u32,
}

impl Default for Enumeration {
    fn default() -> Self {
        Self { budget: 20_000 }
    }
}

/// Largest value tried in each round, and the part of the budget it may use. The square transpose on 3 x 3 processes
/// needs ranks up to 8.
const ROUNDS: [(i128, u32); 3] = [(2, 10), (4, 4), (9, 1)];

/// Units of work for one value, with the facts that it is looked up in.
const VALUE: u64 = 3;

/// How many of the question's own constants are tried, each with its two neighbours.
const MAX_CONSTANTS: usize = 6;

impl Prover for Enumeration {
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: u64) -> Answer {
        let end = spent().saturating_add(limit);
        let plan = Plan::new(facts, goal);
        for (largest, share) in ROUNDS {
            match plan.search(largest, self.budget / share, end) {
                Search::Found(values) => {
                    return Answer::Refuted(plan.order.iter().cloned().zip(values).collect::<Assignment>());
                }
                Search::OutOfWork => return Answer::Unknown(Reason::WorkLimit),
                Search::Nothing => {}
            }
        }
        Answer::Unknown(Reason::NoSmallCounterexample)
    }
}

enum Search {
    Found(Vec<i128>),
    Nothing,
    OutOfWork,
}

/// The order in which symbols get values, and what can be checked after each.
struct Plan<'a> {
    order: Vec<Symbol>,
    positions: FxHashMap<Symbol, usize>,
    /// For the symbol at each position: the term it equals, when an equation gives it in terms of earlier ones.
    definitions: Vec<Option<&'a Term>>,
    /// The facts whose last symbol is the one at each position.
    checks: Vec<Vec<&'a Comparison>>,
    /// The facts without symbols.
    closed: Vec<&'a Comparison>,
    goal: &'a Fact,
    constants: Vec<i128>,
}

impl<'a> Plan<'a> {
    fn new(facts: &'a [Fact], goal: &'a Fact) -> Self {
        let comparisons: Vec<&Comparison> = facts.iter().flat_map(Fact::comparisons).collect();
        let mut open = goal.symbols();
        open.extend(facts.iter().flat_map(Fact::symbols));

        // symbol == term, both ways round.
        let equations: Vec<(&Symbol, &Term, BTreeSet<Symbol>)> = comparisons
            .iter()
            .filter(|comparison| comparison.relation == Relation::Equal)
            .flat_map(|comparison| {
                [(&comparison.left, &comparison.right), (&comparison.right, &comparison.left)]
            })
            .filter_map(|(left, right)| match left.steps() {
                [Step::Symbol(symbol)] => Some((symbol, right, right.symbols())),
                _ => None,
            })
            .filter(|(symbol, _, needed)| !needed.contains(symbol))
            .collect();

        let mut order: Vec<Symbol> = Vec::new();
        let mut definitions = Vec::new();
        while !open.is_empty() {
            let defined = equations
                .iter()
                .find(|(symbol, _, needed)| open.contains(*symbol) && needed.is_disjoint(&open))
                .map(|&(symbol, term, _)| (symbol.clone(), Some(term)));
            let next = defined.or_else(|| {
                // Those that no equation gives come first: they give the others.
                let free = open.iter().find(|symbol| equations.iter().all(|(defined, ..)| defined != symbol));
                free.or(open.first()).map(|symbol| (symbol.clone(), None))
            });
            let Some((symbol, definition)) = next else { break };
            open.remove(&symbol);
            order.push(symbol);
            definitions.push(definition);
        }

        let positions: FxHashMap<Symbol, usize> =
            order.iter().enumerate().map(|(position, symbol)| (symbol.clone(), position)).collect();
        let mut checks = vec![Vec::new(); order.len()];
        let mut closed = Vec::new();
        for comparison in comparisons {
            let symbols = comparison.terms().into_iter().flat_map(Term::symbols);
            match symbols.map(|symbol| positions[&symbol]).max() {
                Some(last) => checks[last].push(comparison),
                None => closed.push(comparison),
            }
        }

        let mut constants: Vec<i128> = facts
            .iter()
            .chain([goal])
            .flat_map(Fact::comparisons)
            .flat_map(Comparison::terms)
            .flat_map(Term::steps)
            .filter_map(|step| if let Step::Constant(value) = step { Some(*value) } else { None })
            .collect();
        constants.sort_unstable();
        constants.dedup();
        Self { order, positions, definitions, checks, closed, goal, constants }
    }

    fn search(&self, largest: i128, budget: u32, end: u64) -> Search {
        if !self.closed.iter().all(|fact| self.holds(fact, &[])) {
            return Search::Nothing;
        }
        let mut candidates: Vec<i128> = (0..=largest).chain([-1, -2]).collect();
        let beyond = |value: &&i128| !(-1..=largest).contains(*value);
        for constant in self.constants.iter().filter(beyond).take(MAX_CONSTANTS) {
            for value in
                [constant.checked_sub(1), Some(*constant), constant.checked_add(1)].into_iter().flatten()
            {
                if !candidates.contains(&value) {
                    candidates.push(value);
                }
            }
        }

        // Depth-first, without recursion: `next[i]` is the candidate to try next for the symbol at position i.
        let mut values: Vec<i128> = Vec::with_capacity(self.order.len());
        let mut next: Vec<usize> = vec![0];
        let mut tried = 0;
        loop {
            let position = values.len();
            if position == self.order.len() {
                if self.refutes(&values) {
                    return Search::Found(values);
                }
                next.pop();
                if values.pop().is_none() {
                    return Search::Nothing;
                }
                continue;
            }
            tried += 1;
            if tried > budget {
                return Search::Nothing;
            }
            spend(VALUE);
            if end < spent() {
                return Search::OutOfWork;
            }
            let cursor = &mut next[position];
            let value = match self.definitions[position] {
                Some(term) if *cursor == 0 => self.value(term, &values).ok(),
                Some(_) => None,
                None => candidates.get(*cursor).copied(),
            };
            *cursor += 1;
            match value {
                Some(value) => {
                    values.push(value);
                    if self.checks[position].iter().all(|fact| self.holds(fact, &values)) {
                        next.push(0);
                    } else {
                        values.pop();
                    }
                }
                None => {
                    next.pop();
                    if values.pop().is_none() {
                        return Search::Nothing;
                    }
                }
            }
        }
    }

    fn lookup(&self, symbol: &Symbol, values: &[i128]) -> Option<i128> {
        values.get(*self.positions.get(symbol)?).copied()
    }

    fn value(&self, term: &Term, values: &[i128]) -> Result<i128, EvaluationError> {
        term.evaluate(|symbol| self.lookup(symbol, values))
    }

    fn holds(&self, comparison: &Comparison, values: &[i128]) -> bool {
        comparison.evaluate(|symbol| self.lookup(symbol, values)) == Ok(true)
    }

    fn refutes(&self, values: &[i128]) -> bool {
        let outcome = |comparison: &Comparison| comparison.evaluate(|symbol| self.lookup(symbol, values));
        // A value that needs more than 128 bits says nothing about the goal.
        self.goal
            .comparisons()
            .iter()
            .any(|comparison| matches!(outcome(comparison), Ok(false) | Err(EvaluationError::DivisionByZero)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuted(facts: &[Fact], goal: &Fact) -> Option<Assignment> {
        match Enumeration::default().prove(facts, goal, u64::MAX) {
            Answer::Refuted(assignment) => {
                assert!(facts.iter().all(|fact| fact.evaluate(&assignment) == Ok(true)));
                assert_ne!(goal.evaluate(&assignment), Ok(true));
                Some(assignment)
            }
            _ => None,
        }
    }

    #[test]
    fn equations_give_values_in_whatever_order_they_are_stated() {
        let term = Term::symbol;
        let facts = [
            Fact::eq(term("np"), term("nrows") * term("ncols")),
            Fact::eq(term("ncols"), term("nrows") * 2),
            Fact::le(1, term("nrows")),
        ];
        let found = refuted(&facts, &Fact::ne(term("np"), 50)).unwrap();
        assert_eq!(found.to_string(), "ncols = 10, np = 50, nrows = 5");
        assert_eq!(refuted(&facts, &Fact::ne(term("np"), 3)), None);
    }

    #[test]
    fn large_constants_of_the_question_are_tried() {
        let x = Term::symbol("x");
        assert!(refuted(&[Fact::le(1000, &x)], &Fact::lt(1000, &x)).is_some());
        assert!(refuted(&[Fact::le(i128::MAX, &x)], &Fact::lt(&x, i128::MAX)).is_some());
    }

    #[test]
    fn a_division_by_zero_refutes_but_an_overflow_does_not() {
        let x = Term::symbol("x");
        assert!(refuted(&[], &Fact::lt(-7, Term::constant(1) % (&x * &x))).is_some());
        let huge = &x * i128::MAX * i128::MAX;
        assert_eq!(refuted(&[Fact::le(1, &x)], &Fact::eq(&huge, &huge)), None);
    }

    #[test]
    fn two_hundred_symbols_stay_within_the_budget() {
        let facts: Vec<Fact> = (0..200)
            .map(|i| Fact::lt(Term::symbol(&format!("x{i}")), Term::symbol(&format!("x{}", i + 1))))
            .collect();
        assert_eq!(refuted(&facts, &Fact::lt(Term::symbol("x0"), Term::symbol("x200"))), None);
    }
}
