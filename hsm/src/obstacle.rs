//! Why a question has no exact answer.

use thiserror::Error;

use crate::expr::Term;
use crate::polynomial::{Overflow, Polynomial};

/// Why a question has no exact answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Obstacle {
    /// The answer is another where `0 <= p` holds than where it does not, and neither follows: a case distinction helps.
    #[error("open whether 0 <= {0}")]
    Undecided(Polynomial),
    /// A divisor or the product of two values varies with the rank.
    #[error("{0} is not linear in the rank")]
    NotLinear(Term),
    /// A value varies with several digits whose strides do not form one number system.
    #[error("{0} is not made of digits")]
    NoDigits(Polynomial),
    /// The quotient of two uniform values is not known.
    #[error("the quotient of {0} and {1} is not known")]
    Indivisible(Polynomial, Polynomial),
    /// What is left over or hit is no union of boxes of digits.
    #[error("the ranks form no box")]
    NotABox,
    /// More pieces than are looked at.
    #[error("too many pieces")]
    TooManyPieces,
    /// More claims than are looked into for one question.
    #[error("too much work")]
    TooMuchWork,
    /// Coefficients beyond 128 bits, or too many monomials.
    #[error("an expression is too large")]
    TooLarge,
}

impl From<Overflow> for Obstacle {
    fn from(Overflow: Overflow) -> Self {
        Self::TooLarge
    }
}

/// Why a computation ends early.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Obstacle(Obstacle),
    /// It can go on when the results of this division have names.
    Define {
        dividend: Polynomial,
        divisor: Polynomial,
    },
}

impl<T: Into<Obstacle>> From<T> for Stop {
    fn from(obstacle: T) -> Self {
        Self::Obstacle(obstacle.into())
    }
}
