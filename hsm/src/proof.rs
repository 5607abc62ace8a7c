//! What was done to answer a question, as data and as text.

use std::fmt;

use crate::expr::{Fact, Term};
use crate::hsm::Hsm;
use crate::polynomial::Polynomial;

/// A rule of the algebra. What each says is in the module that applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// What is divisible goes to the quotient; the rest, less than the divisor, is the remainder.
    Quotient,
    /// A level is divided into full rows and what lies before and behind them.
    Rows,
    /// What the lower levels have beyond the largest stride is carried to its level.
    Carry,
    /// A level is cut where a value reaches the divisor.
    Wrap,
    /// A level is counted the other way round.
    Reverse,
    /// A level is cut where a condition begins to hold.
    Cut,
    /// `[[e : r, s] : r', r*s] = [e : r*r', s]`, as sequences.
    Adjacency,
    /// `[[e : r, r'*s] : r', s] ~ [e : r*r', s]`, as sets.
    Interleaving,
    /// `[[e : r, s] : r', s'] ~ [[e : r', s'] : r, s]`, as sets.
    Reordering,
    /// A map that has a left inverse takes as many values as it has arguments.
    Counting,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quotient => "quotient",
            Self::Rows => "rows",
            Self::Carry => "carry",
            Self::Wrap => "wrap",
            Self::Reverse => "reverse",
            Self::Cut => "cut",
            Self::Adjacency => "adjacency",
            Self::Interleaving => "interleaving",
            Self::Reordering => "reordering",
            Self::Counting => "counting",
        })
    }
}

/// What proved a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Means {
    /// The normal forms of polynomials and the bounds of their symbols.
    Algebra,
    /// The prover that the reasoner was given.
    Prover,
}

impl fmt::Display for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Algebra => "algebra",
            Self::Prover => "prover",
        })
    }
}

/// One step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// On these ranks, in this order, the term has these values.
    Maps {
        /// The term.
        term: Term,
        /// The ranks.
        ranks: Hsm,
        /// Its values.
        values: Hsm,
    },
    /// A rule was applied to a value (or to the digits of ranks).
    Rule {
        /// The rule.
        rule: Rule,
        /// The size of rows, the stride that is carried to, or the divisor that is reached.
        by: Option<Polynomial>,
        /// What it was applied to.
        value: Hsm,
    },
    /// [`Rule::Quotient`] was applied.
    Division {
        /// What is divided.
        dividend: Hsm,
        /// By what.
        divisor: Polynomial,
        /// The quotients.
        quotient: Hsm,
        /// The remainders.
        remainder: Hsm,
    },
    /// A claim about the symbols was proved.
    Query {
        /// The claim.
        claim: Fact,
        /// By what.
        means: Means,
    },
    /// Something was concluded from the steps before.
    Conclusion(String),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Maps { term, ranks, values } => write!(f, "{term} maps {ranks} to {values}"),
            Self::Rule { rule, by: Some(by), value } => write!(f, "    {rule} by {by}: {value}"),
            Self::Rule { rule, by: None, value } => write!(f, "    {rule}: {value}"),
            Self::Division { dividend, divisor, quotient, remainder } => {
                let rule = Rule::Quotient;
                write!(f, "    {rule}: {dividend} by {divisor} is {quotient}, remainder {remainder}")
            }
            Self::Query { claim, means } => write!(f, "    {claim} by {means}"),
            Self::Conclusion(text) => f.write_str(text),
        }
    }
}

/// The steps of a proof (or of an attempt), in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof(pub Vec<Step>);

impl Proof {
    /// Whether a rule was applied.
    pub fn uses(&self, rule: Rule) -> bool {
        self.0.iter().any(|step| match step {
            Step::Rule { rule: used, .. } => *used == rule,
            Step::Division { .. } => rule == Rule::Quotient,
            Step::Maps { .. } | Step::Query { .. } | Step::Conclusion(_) => false,
        })
    }

    /// Whether some claim was proved by the prover, not by algebra.
    pub fn uses_prover(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Query { means: Means::Prover, .. }))
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}
