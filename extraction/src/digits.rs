//! Numbers that are written with digits.
//!
//! `rank / q` and `rank % q` are not linear where `q` is no number, but the rank is where it is written with two digits: the quotient and
//! the remainder. So processes have digits as coordinates, and their number has digits, too; a rank is a sum of products of digits and
//! widths. What is asked of such sums is linear in digits again. Both sides of `width * a + b >= 0`, with `|b| < times * width`, are
//! compared like numbers with digits: by `a` first, and by `b` where `a` is close to zero.

use std::collections::BTreeMap;

use model::Digits;

use crate::error::Result;
use crate::form::{Atom, Bound, Form, atoms};
use crate::region::{Condition, Parameters, Region};

/// How often the lower part of a sum may have the width of the digits above it, at most.
const TIMES: i64 = 4;
/// Parts of a region that are looked at one by one, at most.
const PARTS: usize = 16;
/// The greatest width that is looked at by itself.
const SMALL: i64 = 8;
/// Digits of a process, at most.
pub(crate) const DIGITS: usize = 4;

impl Parameters {
    /// The number with these digits, the highest first: one more than there are widths, or one.
    pub(crate) fn number(&self, digits: &[Form]) -> Option<Form> {
        let mut number = digits.first()?.clone();
        for (digit, width) in digits[1..].iter().zip(&self.widths) {
            number = number.multiplied(&Form::atom(*width))?.plus(digit, 1)?;
        }
        Some(number)
    }

    /// The number whose digits are these coordinates.
    pub(crate) fn number_with(&self, at: &[u32]) -> Form {
        self.number(&atoms(at)).expect("coordinates and widths have the factor 1")
    }

    /// The numbers that are multiplied with widths in a form, such that [`Self::number`] is the form again.
    pub(crate) fn parts(&self, form: &Form) -> Option<Vec<Form>> {
        let mut parts = Vec::new();
        let mut above = form.clone();
        for width in self.widths.iter().rev() {
            let (multiple, rest) = above.divided(*width);
            parts.push(rest);
            above = multiple;
        }
        parts.push(above);
        parts.reverse();
        parts.iter().all(Form::is_linear).then_some(parts)
    }

    /// What holds of the digits of any number: each but the highest is below its width.
    pub(crate) fn bounds(&self, digits: &[Form]) -> Vec<Bound> {
        (0..digits.len()).flat_map(|place| self.bounds_of(digits, place)).collect()
    }

    /// What holds of one of the digits of any number.
    fn bounds_of(&self, digits: &[Form], place: usize) -> Vec<Bound> {
        let Some(width) = place.checked_sub(1).and_then(|place| self.widths.get(place)) else {
            return Vec::new();
        };
        let mut bounds = vec![Bound::not_negative(digits[place].clone())];
        bounds.extend(Bound::below(&digits[place], &Form::atom(*width)));
        bounds
    }
}

/// Gives the parameters that say how many processes there are their values, given the widths of digits.
pub(crate) fn with_np(digits: Option<&Digits>, np: i64, values: &mut BTreeMap<String, i64>) {
    let Some(Digits { widths, count }) = digits else {
        values.insert("np".to_owned(), np);
        return;
    };
    // The number of processes may be a width itself.
    if widths.iter().any(|width| width == "np") {
        values.insert("np".to_owned(), np);
    }
    let mut left = np;
    for (at, digit) in count.iter().enumerate().rev() {
        let width = at.checked_sub(1).and_then(|at| values.get(&widths[at])).copied();
        let width = width.filter(|width| *width > 0);
        values.insert(digit.clone(), width.map_or(left, |width| left.rem_euclid(width)));
        left = width.map_or(0, |width| left.div_euclid(width));
    }
}

/// `a < b` for numbers with these digits.
pub(crate) fn below(a: &[Form], b: &[Form]) -> Condition {
    let mut any = Vec::new();
    for at in 0..a.len().min(b.len()) {
        let mut all: Vec<Condition> =
            a[..at].iter().zip(b).map(|(a, b)| Condition::is(Bound::equal(a, b))).collect();
        all.push(Condition::is(Bound::below(&a[at], &b[at])));
        any.push(Condition::All(all));
    }
    Condition::Any(any)
}

impl Region {
    /// The same condition without products, as it is in this region. `None` where that is not known.
    pub(crate) fn linear(&self, bound: &Bound, parameters: &Parameters) -> Result<Option<Condition>> {
        if bound.form.has_products_of_coordinates() {
            return Ok(None);
        }
        let others = if bound.form.is_linear() { Vec::new() } else { parameters.with_identities(bound) };
        if others.is_empty() {
            return self.plainly(bound, parameters);
        }
        // As a whole first: part by part, identities say nothing.
        if bound.form.coordinates().all(|at| self.coordinates.contains(&at)) {
            for bound in std::iter::once(bound).chain(&others) {
                if bound.form.is_linear() {
                    return Ok(Some(Condition::is(Some(bound.clone()))));
                }
                if let Some(condition) = self.about(&bound.form, parameters)?.compared(bound, parameters)? {
                    return Ok(Some(condition));
                }
            }
        }
        for bound in std::iter::once(bound).chain(&others) {
            if let Some(condition) = self.plainly(bound, parameters)? {
                return Ok(Some(condition));
            }
        }
        Ok(None)
    }

    /// The same by the products themselves.
    pub(crate) fn plainly(&self, bound: &Bound, parameters: &Parameters) -> Result<Option<Condition>> {
        if bound.form.is_linear() {
            return Ok(Some(Condition::is(Some(bound.clone()))));
        }
        if !bound.form.coordinates().all(|at| self.coordinates.contains(&at)) {
            return Ok(None);
        }
        let about = self.about(&bound.form, parameters)?;
        if let Some(condition) = about.compared(bound, parameters)? {
            return Ok(Some(condition));
        }
        // Products with other numbers than widths have no parts that say more.
        if !parameters.widths.is_empty() && !bound.form.has_only_products_with(&parameters.widths) {
            return Ok(None);
        }
        // Part by part.
        let parts = about.set.conjunctions()?;
        if PARTS < parts.len() {
            return Ok(None);
        }
        let mut inside = about.set.subtract(&about.set)?;
        for set in parts {
            let part = Self { coordinates: about.coordinates.clone(), set };
            let here = match part.compared(bound, parameters)? {
                Some(condition) => Some(part.meet(&condition, parameters)?),
                None => part.by_small_widths(bound, parameters)?,
            };
            let Some(here) = here else { return Ok(None) };
            inside = inside.union(&here.set)?;
        }
        let outside = about.set.subtract(&inside)?;
        Ok(Some(Condition::Points { coordinates: about.coordinates, inside, outside }))
    }

    /// What is known of the coordinates and parameters of a form, which are among its own. Questions about them cost less there.
    fn about(&self, form: &Form, parameters: &Parameters) -> Result<Self> {
        let mut coordinates: Vec<u32> = form.coordinates().collect();
        coordinates.sort_unstable();
        coordinates.dedup();
        let mut about = self.projected(&coordinates)?;
        let used = form.parameters();
        for name in about.set.parameters()? {
            if !used.iter().any(|&at| parameters.names[at] == name) {
                about.set = about.set.project_out_parameter(&name)?;
            }
        }
        about.set = about.set.coalesce()?;
        Ok(about)
    }

    /// Whether a bound is known to hold everywhere, by the products themselves.
    fn is_plainly(&self, bound: Option<Bound>, parameters: &Parameters) -> Result<bool> {
        let condition = match bound {
            Some(bound) => self.plainly(&bound, parameters)?.unwrap_or(Condition::Open),
            None => Condition::Open,
        };
        self.meet(&condition.negated(), parameters)?.is_empty()
    }

    /// Where a bound holds, with small widths one by one, and with greater ones, beside which a constant is small.
    fn by_small_widths(&self, bound: &Bound, parameters: &Parameters) -> Result<Option<Self>> {
        'widths: for atom in bound.form.factors() {
            let width = Form::atom(atom);
            let mut all = self.within(self.set.subtract(&self.set)?);
            for number in 1..=SMALL {
                let small = Form::number(number);
                let here: Vec<Bound> = Bound::equal(&width, &small).into_iter().collect();
                let here = self.bounded(&here, parameters)?;
                let form = bound.form.replaced(atom, &small);
                let form = form.map(|form| Bound { form, ..bound.clone() });
                let Some(condition) = here.linear_of(form, parameters)? else { continue 'widths };
                all = all.union(&here.meet(&condition, parameters)?)?;
            }
            let rest: Vec<Bound> = Bound::below(&Form::number(SMALL), &width).into_iter().collect();
            let rest = self.bounded(&rest, parameters)?;
            if let Some(condition) = rest.compared(bound, parameters)? {
                return Ok(Some(all.union(&rest.meet(&condition, parameters)?)?));
            }
        }
        Ok(None)
    }

    /// The same condition without products, by the widths of digits, above and below which a number is compared.
    fn compared(&self, bound: &Bound, parameters: &Parameters) -> Result<Option<Condition>> {
        let zero = Form::default();
        for atom in bound.form.factors() {
            let width = Form::atom(atom);
            let (above, rest) = bound.form.divided(atom);
            if !self.is_plainly(Bound::at_most(&Form::number(1), &width), parameters)? {
                continue;
            }
            if self.is_plainly(Some(Bound::zero(above.clone())), parameters)? {
                return self.plainly(&Bound { form: rest, ..bound.clone() }, parameters);
            }
            // Both parts on one side of zero.
            for sign in [1, -1] {
                let (Some(x), Some(y)) = (above.times(sign), rest.times(sign)) else { continue };
                if !self.is_plainly(Some(Bound::not_negative(x.clone())), parameters)?
                    || !self.is_plainly(Some(Bound::not_negative(y.clone())), parameters)?
                {
                    continue;
                }
                if sign > 0 && !bound.is_equation {
                    return Ok(Some(Condition::Holds(true)));
                }
                if self.is_plainly(Bound::below(&zero, &y), parameters)?
                    || self.is_plainly(Bound::below(&zero, &x), parameters)?
                {
                    return Ok(Some(Condition::Holds(false)));
                }
                let [x, y] = [x, y].map(|form| self.plainly(&Bound::zero(form), parameters));
                let (Some(x), Some(y)) = (x?, y?) else { continue };
                return Ok(Some(Condition::All(vec![x, y])));
            }
            let Some(times) = self.times(&rest, &width, parameters)? else { continue };
            let parts = (&above, &rest);
            if let Some(condition) = self.by_parts(bound.is_equation, parts, (&width, times), parameters)? {
                return Ok(Some(condition));
            }
        }
        Ok(None)
    }

    /// The least number such that `|rest| < number * width`.
    fn times(&self, rest: &Form, width: &Form, parameters: &Parameters) -> Result<Option<i64>> {
        for times in 1..=TIMES {
            let (Some(above), Some(below)) = (width.times(times), width.times(-times)) else { break };
            if self.is_plainly(Bound::below(rest, &above), parameters)?
                && self.is_plainly(Bound::below(&below, rest), parameters)?
            {
                return Ok(Some(times));
            }
        }
        Ok(None)
    }

    /// `width * above + rest`, with `|rest| < times * width`, is zero or not negative.
    fn by_parts(
        &self,
        is_equation: bool,
        (above, rest): (&Form, &Form),
        (width, times): (&Form, i64),
        parameters: &Parameters,
    ) -> Result<Option<Condition>> {
        let mut any = Vec::new();
        if !is_equation {
            let far = Bound::at_most(&Form::number(times), above);
            let Some(far) = self.linear_of(far, parameters)? else { return Ok(None) };
            any.push(far);
        }
        for number in 1 - times..times {
            let here = self.linear_of(Bound::equal(above, &Form::number(number)), parameters)?;
            let form = rest.plus(width, number);
            let below = self.linear_of(form.map(|form| Bound { form, is_equation }), parameters)?;
            let (Some(here), Some(below)) = (here, below) else { return Ok(None) };
            any.push(Condition::All(vec![here, below]));
        }
        Ok(Some(Condition::Any(any)))
    }

    fn linear_of(&self, bound: Option<Bound>, parameters: &Parameters) -> Result<Option<Condition>> {
        match bound {
            Some(bound) => self.plainly(&bound, parameters),
            None => Ok(None),
        }
    }

    /// Where all bounds hold. `None` where that is not known of products.
    pub(crate) fn where_linear(&self, bounds: &[Bound], parameters: &Parameters) -> Result<Option<Self>> {
        let mut region = self.clone();
        for bound in bounds {
            let Some(condition) = region.linear(bound, parameters)? else { return Ok(None) };
            region = region.meet(&condition, parameters)?;
        }
        Ok(Some(region))
    }

    /// With new coordinates: the value of a form, or the numbers that are multiplied with widths in it. `None` where others are multiplied,
    /// too.
    pub(crate) fn defined(&self, at: &[u32], form: &Form, parameters: &Parameters) -> Result<Option<Self>> {
        let parts = if at.len() == 1 {
            Some(vec![form.clone()]).filter(|_| form.is_linear())
        } else {
            parameters.parts(form)
        };
        let Some(parts) = parts else { return Ok(None) };
        let mut region = self.clone();
        for (&at, part) in at.iter().zip(&parts) {
            let same: Vec<Bound> =
                Bound::equal(&Form::atom(Atom::Coordinate(at)), part).into_iter().collect();
            region = region.extended(at, &[same], parameters)?;
        }
        Ok(Some(region))
    }

    /// With new coordinates: the digits of a number. `None` where these are not known.
    pub(crate) fn with_digits(
        &self,
        at: &[u32],
        number: &Form,
        parameters: &Parameters,
    ) -> Result<Option<Self>> {
        let Some(same) = Bound::equal(&parameters.number_with(at), number) else { return Ok(None) };
        self.extended_by_digits(at, false, parameters)?.where_linear(&[same], parameters)
    }

    /// With new coordinates: the digits of any number, or of one that is not negative.
    pub(crate) fn extended_by_digits(
        &self,
        at: &[u32],
        is_not_negative: bool,
        parameters: &Parameters,
    ) -> Result<Self> {
        let digits = atoms(at);
        let mut region = self.clone();
        for (place, &at) in at.iter().enumerate() {
            let mut own = parameters.bounds_of(&digits, place);
            own.extend((place == 0 && is_not_negative).then(|| Bound::not_negative(digits[0].clone())));
            region = region.extended(at, &[own], parameters)?;
        }
        Ok(region)
    }
}
