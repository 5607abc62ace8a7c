//! Exponents of powers of two: `1 << k`, and `k < bits`, which is compared as the powers are.

use crate::extract::Extractor;
use crate::form::{Atom, Form};

/// A number that a power of two has as its exponent, less an offset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exponent {
    /// A parameter.
    pub(crate) exponent: usize,
    pub(crate) offset: i64,
    /// 2 to the power of both together.
    pub(crate) power: Form,
}

impl Extractor<'_> {
    /// Keeps that a number is the exponent of another one.
    pub(crate) fn note_exponent(&mut self, exponent: Exponent) {
        if !self.exponents.contains(&exponent) {
            self.exponents.push(exponent);
        }
    }

    /// 2 to the power of a number, where that has a form.
    pub(crate) fn power_of_two(&mut self, exponent: &Form) -> Option<Form> {
        if let Some(number) = exponent.as_number().filter(|number| (0..=40).contains(number)) {
            return Some(Form::number(1 << number));
        }
        for known in &self.exponents {
            let own = Form::atom(Atom::Parameter(known.exponent)).plus(&Form::number(known.offset), 1)?;
            let more = exponent.plus(&own, -1).and_then(|more| more.as_number());
            if let Some(more @ 0..=30) = more {
                return known.power.times(1 << more);
            }
        }
        if let Some(at) = exponent.coordinates().next()
            && let Some(more) = exponent.plus(&Form::atom(Atom::Coordinate(at)), -1)?.as_number()
        {
            let least = self.shifted.entry(at).or_insert(more);
            *least = more.min(*least);
        }
        None
    }

    /// Two numbers that compare like these exponents: powers of two. `None` where they are no exponents.
    pub(crate) fn compared_as_powers(&self, a: &Form, b: &Form) -> Option<(Form, Form)> {
        let difference = b.plus(a, -1)?;
        let mut rest = difference.clone();
        let (mut low, mut high) = (Form::number(1), Form::number(1));
        for known in &self.exponents {
            let own = Form::atom(Atom::Parameter(known.exponent)).plus(&Form::number(known.offset), 1)?;
            match rest.factor(Atom::Parameter(known.exponent)) {
                1 if high.as_number().is_some() => {
                    (high, rest) = (known.power.clone(), rest.plus(&own, -1)?);
                }
                -1 if low.as_number().is_some() => {
                    (low, rest) = (known.power.clone(), rest.plus(&own, 1)?);
                }
                _ => {}
            }
        }
        let is_of_powers = low.as_number().is_none() || high.as_number().is_none();
        match rest.as_number().filter(|_| is_of_powers)? {
            more @ 0..=30 => Some((low, high.times(1 << more)?)),
            less @ -30..0 => Some((low.times(1 << -less)?, high)),
            _ => None,
        }
    }
}
