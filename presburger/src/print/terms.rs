//! Linear forms as text, with quotients and remainders.

use crate::conjunct::{Division, Form};

/// The variables of a conjunction: what each is called, or which quotient it is.
pub(crate) struct Names {
    /// A name for each variable; that of a division is only for those that are no known quotient.
    pub(crate) names: Vec<String>,
    pub(crate) first_division: usize,
    pub(crate) divisions: Vec<Option<Division>>,
}

/// A sum of things that have a text, with factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(i64, String)>,
    pub(crate) constant: i64,
}

impl Names {
    /// The form as a sum; nothing where a number becomes too large.
    pub(crate) fn sum(&self, form: &Form) -> Option<Sum> {
        let mut form = form.clone();
        let mut remainders = Vec::new();
        // A later quotient may contain an earlier one, so that what is left of it is looked at afterwards.
        for (at, division) in self.divisions.iter().enumerate().rev() {
            let Some(Division { form: divided, denominator }) = division else { continue };
            let factor = form.factors[self.first_division + at];
            if factor == 0 || factor % denominator != 0 {
                continue;
            }
            // -d * floor(f / d) is (f mod d) - f.
            let times = (factor / denominator).checked_neg()?;
            let mut rest = form.clone();
            rest.factors[self.first_division + at] = 0;
            let rest = rest.plus(divided, times.checked_neg()?)?;
            if rest.weight() < form.weight() {
                remainders.push((times, self.remainder(divided, *denominator)?));
                form = rest;
            }
        }
        let mut terms = Vec::new();
        for (at, &factor) in form.factors.iter().enumerate() {
            if factor != 0 {
                terms.push((factor, self.name(at)?));
            }
        }
        terms.extend(remainders);
        Some(Sum { terms, constant: form.constant })
    }

    /// What a variable is called.
    fn name(&self, at: usize) -> Option<String> {
        let division = at.checked_sub(self.first_division).and_then(|at| self.divisions[at].as_ref());
        let Some(Division { form, denominator }) = division else { return Some(self.names[at].clone()) };
        let sum = self.sum(form)?;
        let text = sum.text()?;
        Some(if sum.is_name(&text) {
            format!("floor({text}/{denominator})")
        } else {
            format!("floor(({text})/{denominator})")
        })
    }

    /// A remainder, as a term.
    fn remainder(&self, form: &Form, modulus: i64) -> Option<String> {
        let sum = self.sum(form)?;
        let text = sum.text()?;
        Some(if sum.is_name(&text) {
            format!("({text} mod {modulus})")
        } else {
            format!("(({text}) mod {modulus})")
        })
    }
}

impl Sum {
    /// The same with the other sign.
    pub(crate) fn negated(&self) -> Option<Self> {
        let terms = self.terms.iter().map(|(factor, text)| Some((factor.checked_neg()?, text.clone())));
        Some(Self { terms: terms.collect::<Option<_>>()?, constant: self.constant.checked_neg()? })
    }

    /// The positive terms, and the negative ones without their sign: both sides of an equation or a comparison.
    pub(crate) fn sides(&self) -> Option<(Self, Self)> {
        let negated = self.negated()?;
        let keep = |sum: &Self| Self {
            terms: sum.terms.iter().filter(|(factor, _)| 0 < *factor).cloned().collect(),
            constant: sum.constant.max(0),
        };
        Some((keep(self), keep(&negated)))
    }

    /// Whether it is a variable alone, so that its text needs no brackets.
    pub(crate) fn is_name(&self, text: &str) -> bool {
        self.terms.len() == 1
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && text.starts_with(|c: char| !c.is_ascii_digit())
    }

    /// As text where nothing follows it: a remainder needs no brackets.
    pub(crate) fn text_alone(&self) -> Option<String> {
        let text = self.text()?;
        let is_remainder = self.terms.len() == 1 && self.constant == 0 && text.starts_with('(');
        let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(|_| is_remainder);
        Some(inside.map_or_else(|| text.clone(), str::to_owned))
    }

    /// As text, positive terms first: `2r + np - 1`.
    pub(crate) fn text(&self) -> Option<String> {
        let mut text = String::new();
        let positive = self.terms.iter().filter(|(factor, _)| 0 < *factor);
        for (factor, name) in positive.chain(self.terms.iter().filter(|(factor, _)| *factor < 0)) {
            match (text.is_empty(), *factor < 0) {
                (true, true) => text.push('-'),
                (true, false) => {}
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            let size = factor.checked_abs()?;
            if size != 1 {
                text.push_str(&size.to_string());
                // `2floor` would be read, but not by everybody.
                text.push_str(if name.starts_with(['(', 'f']) { "*" } else { "" });
            }
            text.push_str(name);
        }
        let size = self.constant.checked_abs()?;
        if text.is_empty() {
            text = self.constant.to_string();
        } else if size != 0 {
            text.push_str(&format!(" {} {size}", if self.constant < 0 { '-' } else { '+' }));
        }
        Some(text)
    }
}
