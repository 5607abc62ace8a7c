//! Division with remainder of one polynomial by another, with the remainder's range proved.

use crate::assumptions::Assumptions;
use crate::polynomial::{Overflow, Polynomial};

/// `dividend == quotient * divisor + remainder`.
pub(crate) struct Parts {
    pub(crate) quotient: Polynomial,
    pub(crate) remainder: Polynomial,
    /// `0 <= remainder < divisor`, so that these are what `/` and `%` give; otherwise `0 <= remainder <= divisor`.
    pub(crate) exact: bool,
}

/// Divides by a positive divisor, both in normal form. `None` when no quotient is known whose remainder is in range.
///
/// `nonnegative` may say no at any time, but yes only for what is nonnegative.
pub(crate) fn euclid(
    assumptions: &Assumptions,
    dividend: &Polynomial,
    divisor: &Polynomial,
    nonnegative: &dyn Fn(&Polynomial) -> bool,
) -> Result<Option<Parts>, Overflow> {
    if let Some(parts) = named(assumptions, dividend, divisor)? {
        return Ok(Some(parts));
    }
    let Some((quotient, remainder)) = dividend.div_rem(divisor)? else { return Ok(None) };
    let mut loose = None;
    // The remainder of polynomials is off by few multiples of the divisor where it is of use at all, or by the quotient of
    // something else by the same divisor, as in (x % n + y) % n.
    for base in std::iter::once(Polynomial::zero()).chain(quotients(assumptions, divisor)?) {
        let quotient = quotient.add(&base)?;
        let remainder = remainder.sub(&divisor.mul(&base)?)?;
        for steps in [0, -1, 1, -2, 2] {
            let quotient = quotient.plus(steps)?;
            let remainder = assumptions.normal(&remainder.sub(&divisor.scale(steps)?)?)?;
            let above = divisor.sub(&remainder)?;
            if !nonnegative(&remainder) {
                continue;
            }
            if nonnegative(&above.plus(-1)?) {
                return Ok(Some(Parts { quotient, remainder, exact: true }));
            }
            if loose.is_none() && nonnegative(&above) {
                loose = Some(Parts { quotient, remainder, exact: false });
            }
        }
    }
    Ok(loose)
}

/// Quotients by the same divisor that have names, each with both signs.
fn quotients(assumptions: &Assumptions, divisor: &Polynomial) -> Result<Vec<Polynomial>, Overflow> {
    let mut quotients = Vec::new();
    for known in assumptions.divisions() {
        if assumptions.normal(&known.divisor)? == *divisor {
            let quotient = assumptions.normal(&known.quotient.clone().into())?;
            quotients.extend([quotient.neg()?, quotient]);
        }
    }
    Ok(quotients)
}

/// The division that has names.
fn named(
    assumptions: &Assumptions,
    dividend: &Polynomial,
    divisor: &Polynomial,
) -> Result<Option<Parts>, Overflow> {
    for known in assumptions.divisions() {
        if assumptions.normal(&known.dividend)? == *dividend
            && assumptions.normal(&known.divisor)? == *divisor
        {
            let quotient = assumptions.normal(&known.quotient.clone().into())?;
            let remainder = assumptions.normal(&known.remainder.clone().into())?;
            return Ok(Some(Parts { quotient, remainder, exact: true }));
        }
    }
    Ok(None)
}
