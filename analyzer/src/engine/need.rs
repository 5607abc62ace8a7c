//! Questions that must be settled before a step can be taken.

use lattice::{Constraints, Linear, Symbol, Truth};

/// What a step needs before it can be taken. The engine answers by a case distinction and tries the step again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// The members whose digit at this position is at most a threshold must be told from the others: the process set is split there.
    Split(usize, Linear),
    /// The most significant digit of the members must be divided by this number.
    Refine(Linear),
    /// What a number that differs from one execution to another leaves when it is divided by this one: the path is forked.
    Divide(Symbol, i64),
    /// Whether this expression, which holds no rank, is `<= 0`: the path is forked.
    Decide(Linear),
    /// Nothing: what is wrong has been reported, and the program does not go on.
    Wrong,
    /// It cannot be settled, for this reason.
    GiveUp(String),
}

impl Need {
    /// Whether a case distinction settles it.
    pub(crate) fn is_case(&self) -> bool {
        !matches!(self, Self::Wrong | Self::GiveUp(_))
    }

    pub(crate) fn give_up(reason: impl Into<String>) -> Self {
        Self::GiveUp(reason.into())
    }
}

/// Whether `left <= right`, or what is needed to know.
pub(crate) fn decide_le(left: &Linear, right: &Linear, facts: &Constraints) -> Result<bool, Need> {
    match facts.le(left, right) {
        Truth::Yes => Ok(true),
        Truth::No => Ok(false),
        Truth::Open => Err(match left.sub(right) {
            Some(difference) => Need::Decide(difference),
            None => Need::give_up("a comparison exceeds 64 bits"),
        }),
    }
}

/// Whether `left == right`, or what is needed to know.
pub(crate) fn decide_eq(left: &Linear, right: &Linear, facts: &Constraints) -> Result<bool, Need> {
    Ok(match facts.eq(left, right) {
        Truth::Yes => true,
        Truth::No => false,
        Truth::Open => decide_le(left, right, facts)? && decide_le(right, left, facts)?,
    })
}
