//! Z3 as a prover.
//!
//! What the question says is translated with two liberties that make nonlinear goals tractable; both are equivalences:
//!
//! * **Divisions become witnesses**: `x / n` and `x % n` are fresh integers q and r with `x == q*n + r` and, for n > 0,
//!   `0 <= r < n`. Z3's own `div` and `mod` are not used. A divisor must be shown positive (or at least not zero) first.
//! * **Monotonicity is instantiated**: for a positive divisor n and any two factors a, b that multiply it somewhere,
//!   `a < b -> a*n + n <= b*n`. This is what linear reasoning over the products lacks.
//!
//! Each question has a context of Z3 to itself. What Z3 was asked before changes how it goes about the next question, and with it what
//! it finds within a limit; so an answer that is the same whatever was asked before needs a fresh one. Within a question one solver per
//! tactic is used with push and pop.
//!
//! Limits are counted by Z3 itself, as its *resource limit*. It does not count how it multiplies out what it is asked, so a question that
//! would become too many monomials is not asked. Nor does it count how long its numbers are: a question whose numbers grow without end is
//! given up after some time, which is said (`effort::cut`).

use std::convert::Infallible;
use std::time::Duration;

use effort::spend;
use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int};
use z3::{Config, Params, SatResult, Solver, StatisticsValue, Tactic, with_z3_config};

use crate::expr::{Assignment, Comparison, Fact, Operator, Part, Relation, Step, Symbol, Term};
use crate::prove::{Answer, Prover, Reason};

/// Z3, asked with a limit on work per question. Its counterexamples are believed only after evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3;

/// Units of work for one of what Z3 counts as its resources.
const UNITS: u64 = 5;

/// Units of work to set up Z3 for a question.
const SET_UP: u64 = 100_000;

/// Time for a question, as a net: a thousand times as long as what is counted takes.
const NET: Duration = Duration::from_secs(20);

/// Bound on the monomials of a question when it is multiplied out.
const MAX_MONOMIALS: u64 = 10_000;

/// Bound on the monotonicity instances per divisor.
const MAX_FACTORS: usize = 12;

struct Solvers {
    /// Z3's general solver by itself: the fastest on most of what we ask.
    smt: Solver,
    /// The strategy for nonlinear integers: slower, proves some of the rest.
    nonlinear: Solver,
}

impl Prover for Z3 {
    fn prove(&self, facts: &[Fact], goal: &Fact, limit: u64) -> Answer {
        let version = z3::full_version();
        let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        if major.is_none_or(|major| major < 5) {
            return Answer::Unknown(Reason::OldZ3(version.to_owned()));
        }
        let terms = facts.iter().chain([goal]).flat_map(Fact::comparisons).flat_map(Comparison::terms);
        if terms.map(monomials).fold(0, u64::saturating_add) > MAX_MONOMIALS {
            return Answer::Unknown(Reason::TooLarge);
        }
        let all = limit / UNITS;
        if all == 0 {
            return Answer::Unknown(Reason::WorkLimit);
        }
        let (answer, used) = with_z3_config(&Config::new(), || {
            let solvers =
                Solvers { smt: Tactic::new("smt").solver(), nonlinear: Tactic::new("qfnia").solver() };
            let mut used = 0;
            for comparison in goal.comparisons() {
                let translation = Translation::new(&solvers, all - used);
                let (answer, by_this) = translation.decide(facts, comparison);
                used = all.min(used + by_this);
                if answer != Answer::Proved {
                    return (answer, used);
                }
            }
            (Answer::Proved, used)
        });
        spend(SET_UP.saturating_add(used.saturating_mul(UNITS)));
        answer
    }
}

/// What is known about a divisor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Positive,
    NotZero,
    Unknown,
}

/// One operand of a product: its steps, to recognise it, and its translation.
type Operand = (Vec<Step>, Int);

/// A question on its way to Z3.
struct Translation<'s> {
    solvers: &'s Solvers,
    /// What may be used, and what was, by Z3's own count.
    limit: u64,
    used: u64,
    /// Time for each check, as a net.
    net: Duration,
    assertions: Vec<Bool>,
    symbols: Vec<(Symbol, Int)>,
    /// Quotient and remainder for each numerator and divisor.
    witnesses: FxHashMap<(Vec<Step>, Vec<Step>), (Int, Int)>,
    signs: FxHashMap<Vec<Step>, Sign>,
    /// Every product that the question or a witness contains.
    products: Vec<[Operand; 2]>,
    fresh: u32,
}

/// Why a term has no translation: its divisor may be zero.
struct MayBeZero(Term);

impl<'s> Translation<'s> {
    fn new(solvers: &'s Solvers, limit: u64) -> Self {
        Self {
            solvers,
            limit,
            used: 0,
            net: NET,
            assertions: Vec::new(),
            symbols: Vec::new(),
            witnesses: FxHashMap::default(),
            signs: FxHashMap::default(),
            products: Vec::new(),
            fresh: 0,
        }
    }

    /// The answer, and what Z3 used for it.
    fn decide(mut self, facts: &[Fact], goal: &Comparison) -> (Answer, u64) {
        let answer = self.answer(facts, goal);
        (answer, self.used)
    }

    fn answer(&mut self, facts: &[Fact], goal: &Comparison) -> Answer {
        // Facts without divisions first: they show the signs of the divisors.
        let (dividing, plain): (Vec<&Comparison>, Vec<&Comparison>) =
            facts.iter().flat_map(Fact::comparisons).partition(|c| c.terms().into_iter().any(Term::divides));
        for fact in plain.into_iter().chain(dividing) {
            match self.comparison(fact, Given::Fact) {
                Ok(holds) => self.assertions.push(holds),
                // The fact is undefined everywhere, so nothing satisfies it.
                Err(MayBeZero(_)) => return Answer::Proved,
            }
        }
        let holds = match self.comparison(goal, Given::Goal) {
            Ok(holds) => holds,
            Err(MayBeZero(divisor)) => return Answer::Unknown(Reason::MayDivideByZero(divisor)),
        };
        self.assertions.push(holds.not());
        self.instantiate_monotonicity();

        let solvers = self.solvers;
        let half = (self.limit - self.used) / 2;
        let mut reason = String::new();
        for (solver, most) in [(&solvers.smt, half), (&solvers.nonlinear, u64::MAX)] {
            let result = self.check(solver, most, |this, solver| {
                this.counterexample(solver, facts, goal).map_or_else(
                    || Answer::Unknown(Reason::GaveUp("its counterexample does not evaluate".to_owned())),
                    Answer::Refuted,
                )
            });
            match result {
                (SatResult::Unsat, _) => return Answer::Proved,
                (SatResult::Sat, Ok(answer)) => return answer,
                (_, words) => reason = words.err().unwrap_or_default(),
            }
        }
        Answer::Unknown(if self.limit <= self.used { Reason::WorkLimit } else { Reason::GaveUp(reason) })
    }

    /// Checks the assertions with at most so much of what is left. When they are satisfiable `on_model` may read the model; else the
    /// reason for `Unknown`.
    fn check<T>(
        &mut self,
        solver: &Solver,
        most: u64,
        on_model: impl FnOnce(&Self, &Solver) -> T,
    ) -> (SatResult, Result<T, String>) {
        let left = (self.limit - self.used).min(most);
        if left == 0 {
            return (SatResult::Unknown, Err("resource limit".to_owned()));
        }
        let mut params = Params::new();
        // None is no limit.
        params.set_u32("rlimit", u32::try_from(left).unwrap_or(u32::MAX));
        params.set_u32("timeout", u32::try_from(self.net.as_millis()).unwrap_or(u32::MAX));
        solver.set_params(&params);
        solver.push();
        for assertion in &self.assertions {
            solver.assert(assertion);
        }
        let before = resources(solver);
        let (result, is_late) = effort::timed(self.net, || solver.check());
        if result == SatResult::Unknown && is_late {
            effort::cut();
        }
        // The count wraps around.
        let used = u64::from(resources(solver).wrapping_sub(before)).max(1);
        self.used = self.limit.min(self.used + used);
        let outcome = match result {
            SatResult::Sat => Ok(on_model(self, solver)),
            SatResult::Unsat | SatResult::Unknown => Err(solver.get_reason_unknown().unwrap_or_default()),
        };
        solver.pop(1);
        (result, outcome)
    }

    /// The assignment of Z3's model, if evaluation confirms it.
    fn counterexample(&self, solver: &Solver, facts: &[Fact], goal: &Comparison) -> Option<Assignment> {
        let model = solver.get_model()?;
        let value = |(symbol, int): &(Symbol, Int)| Some((symbol.clone(), model.eval(int, true)?.as_i128()?));
        let assignment: Assignment = self.symbols.iter().map(value).collect::<Option<_>>()?;
        let satisfied = facts.iter().all(|fact| fact.evaluate(&assignment) == Ok(true));
        let refuted = goal.evaluate(|symbol| assignment.get(symbol)) == Ok(false);
        (satisfied && refuted).then_some(assignment)
    }

    /// Whether the assertions so far imply the negation of `claim`.
    fn excludes(&mut self, claim: Bool) -> bool {
        self.assertions.push(claim);
        let solvers = self.solvers;
        let result = self.check(&solvers.smt, u64::MAX, |_, _| ()).0;
        self.assertions.pop();
        result == SatResult::Unsat
    }

    fn comparison(&mut self, c: &Comparison, given: Given) -> Result<Bool, MayBeZero> {
        let left = self.term(&c.left, given)?;
        let right = self.term(&c.right, given)?;
        Ok(match c.relation {
            Relation::Less => left.lt(right),
            Relation::LessEqual => left.le(right),
            Relation::Equal => left.eq(right),
            Relation::NotEqual => left.ne(right),
        })
    }

    fn term(&mut self, term: &Term, given: Given) -> Result<Int, MayBeZero> {
        let steps = term.steps();
        let mut at = 0;
        // With each value, where its subterm starts.
        let (_, value) = term.fold(|part| {
            let end = at;
            at += 1;
            Ok(match part {
                Part::Constant(value) => (end, Int::from_i128(value)),
                Part::Symbol(symbol) => (end, self.symbol(symbol)),
                Part::Apply(operator, (start, left), (middle, right)) => {
                    let (left_steps, right_steps) = (&steps[start..middle], &steps[middle..end]);
                    let value = match operator {
                        Operator::Add => left + right,
                        Operator::Subtract => left - right,
                        Operator::Multiply => {
                            let product = &left * &right;
                            self.products.push([(left_steps.to_vec(), left), (right_steps.to_vec(), right)]);
                            product
                        }
                        Operator::FloorDivide | Operator::Modulo => {
                            let (quotient, remainder) =
                                self.witness((left_steps, left), (right_steps, right), given)?;
                            if operator == Operator::FloorDivide { quotient } else { remainder }
                        }
                    };
                    (start, value)
                }
            })
        })?;
        Ok(value)
    }

    fn symbol(&mut self, symbol: &Symbol) -> Int {
        if let Some((_, int)) = self.symbols.iter().find(|(known, _)| known == symbol) {
            return int.clone();
        }
        let int = self.fresh();
        self.symbols.push((symbol.clone(), int.clone()));
        int
    }

    /// Numbered from 0 in each question, so that Z3 meets the same terms again and again.
    fn fresh(&mut self) -> Int {
        self.fresh += 1;
        Int::new_const(self.fresh)
    }

    fn witness(
        &mut self,
        (numerator_steps, numerator): (&[Step], Int),
        (divisor_steps, divisor): (&[Step], Int),
        given: Given,
    ) -> Result<(Int, Int), MayBeZero> {
        let sign = self.sign(divisor_steps, &divisor, given)?;
        let key = (numerator_steps.to_vec(), divisor_steps.to_vec());
        if let Some(known) = self.witnesses.get(&key) {
            return Ok(known.clone());
        }
        let (quotient, remainder) = (self.fresh(), self.fresh());
        self.assertions.push(numerator.eq(&quotient * &divisor + &remainder));
        let above = Bool::and(&[Int::from_i64(0).le(&remainder), remainder.lt(&divisor)]);
        self.assertions.push(match sign {
            Sign::Positive => above,
            Sign::NotZero | Sign::Unknown => {
                let zero = Int::from_i64(0);
                let below = Bool::and(&[divisor.lt(&remainder), remainder.le(&zero)]);
                Bool::or(&[Bool::and(&[divisor.gt(&zero), above]), Bool::and(&[divisor.lt(&zero), below])])
            }
        });
        // The quotient is no subterm of the question, so it has no steps; it is only ever looked up by its divisor.
        self.products.push([(vec![], quotient.clone()), (divisor_steps.to_vec(), divisor)]);
        self.witnesses.insert(key, (quotient.clone(), remainder.clone()));
        Ok((quotient, remainder))
    }

    /// The sign of a divisor, which is not zero on return. That a fact is satisfied says that its divisors are not zero;
    /// for a goal's divisors it must be proved.
    fn sign(&mut self, steps: &[Step], divisor: &Int, given: Given) -> Result<Sign, MayBeZero> {
        if let Some(known) = self.signs.get(steps) {
            return Ok(*known);
        }
        let zero = Int::from_i64(0);
        let sign = match steps {
            [Step::Constant(0)] => Sign::Unknown,
            [Step::Constant(value)] if *value > 0 => Sign::Positive,
            [Step::Constant(_)] => Sign::NotZero,
            _ if self.excludes(divisor.le(&zero)) => Sign::Positive,
            _ if given == Given::Fact => {
                self.assertions.push(divisor.ne(&zero));
                Sign::NotZero
            }
            _ if self.excludes(divisor.eq(&zero)) => Sign::NotZero,
            _ => Sign::Unknown,
        };
        if sign == Sign::Unknown {
            return Err(MayBeZero(Term::from_steps(steps.to_vec())));
        }
        self.signs.insert(steps.to_vec(), sign);
        Ok(sign)
    }

    /// `a < b -> a*n + n <= b*n` for every positive divisor n that is no number and the factors a, b that occur with it.
    fn instantiate_monotonicity(&mut self) {
        let mut divisors: Vec<&Vec<Step>> = self.witnesses.keys().map(|(_, divisor)| divisor).collect();
        divisors.retain(|steps| {
            self.signs[*steps] == Sign::Positive && !matches!(steps[..], [Step::Constant(_)])
        });
        divisors.sort_unstable();
        divisors.dedup();
        let mut instances = Vec::new();
        for steps in divisors {
            let mut divisor = None;
            let mut factors = vec![Int::from_i64(0)];
            for [left, right] in &self.products {
                for ((factor_steps, factor), other) in [(right, left), (left, right)] {
                    if factor_steps == steps && factors.len() < MAX_FACTORS && !factors.contains(&other.1) {
                        divisor = Some(factor);
                        factors.push(other.1.clone());
                    }
                }
            }
            let Some(n) = divisor else { continue };
            for a in &factors {
                for b in factors.iter().filter(|b| *b != a) {
                    instances.push(a.lt(b).implies((a * n + n).le(b * n)));
                }
            }
        }
        self.assertions.append(&mut instances);
    }
}

/// At most so many monomials are left of a term when its products are multiplied out. A division counts as one: it becomes a symbol.
/// What stands within it is counted too.
fn monomials(term: &Term) -> u64 {
    let mut within_divisions = 0_u64;
    let outside = term.fold(|part: Part<'_, u64>| {
        Ok::<u64, Infallible>(match part {
            Part::Constant(_) | Part::Symbol(_) => 1,
            Part::Apply(Operator::Add | Operator::Subtract, left, right) => left.saturating_add(right),
            Part::Apply(Operator::Multiply, left, right) => left.saturating_mul(right),
            Part::Apply(Operator::FloorDivide | Operator::Modulo, left, right) => {
                within_divisions = within_divisions.saturating_add(left).saturating_add(right);
                1
            }
        })
    });
    let Ok(outside) = outside;
    within_divisions.saturating_add(outside)
}

/// What Z3 has used so far, by its own count.
fn resources(solver: &Solver) -> u32 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => count,
        _ => 0,
    }
}

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Fact,
    Goal,
}

#[cfg(test)]
mod tests {
    use effort::{Budget, Limits};

    use super::*;

    /// A question that Z3 does not answer, with as much work as it likes.
    #[test]
    fn what_takes_too_long_falls_into_the_net_and_that_is_said() {
        let budget = Budget::begin(Limits::of_work(u64::MAX));
        let [a, b, c] = ["a", "b", "c"].map(Term::symbol);
        let cube = |term: &Term| term.clone() * term.clone() * term.clone();
        let facts: Vec<Fact> = [&a, &b, &c].map(|term| Fact::lt(0, term)).into();
        let goal = Fact::ne(cube(&a) + cube(&b), cube(&c));
        let answer = with_z3_config(&Config::new(), || {
            let solvers =
                Solvers { smt: Tactic::new("smt").solver(), nonlinear: Tactic::new("qfnia").solver() };
            let translation =
                Translation { net: Duration::from_millis(300), ..Translation::new(&solvers, u64::MAX) };
            translation.decide(&facts, goal.comparisons().first().expect("it is one comparison")).0
        });
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
        assert!(budget.is_cut());
    }
}
