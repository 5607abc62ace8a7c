//! Processes that are written with digits: how formulas say who they are.
//!
//! Where process `q * i + j` has the coordinates `i` and `j`, people read ranks: `rank + q` for `[i + 1, j]`.

use std::collections::BTreeMap;

use presburger::{Piece, Relation, Set};

use crate::error::Result;
use crate::teller::{Image, Teller, compact};

/// How the rank of a process is written: with two digits, `width * first + second`.
#[derive(Clone, Debug)]
pub struct Digits {
    /// The parameters that are the widths of the digits, of all but the highest: these are below their widths.
    pub widths: Vec<String>,
    /// The parameters that are the digits of the number of processes.
    pub count: Vec<String>,
}

/// Distances between neighbours that are told as such, at most.
const NEAR: i64 = 4;
/// Names of digits where those of a set of processes are told.
const LETTERS: [&str; 4] = ["i", "j", "k", "l"];

impl Digits {
    /// The digits of something by names: `rank_0`, `rank_1`.
    pub(crate) fn names(&self, of: &str) -> Vec<String> {
        (0..=self.widths.len()).map(|at| format!("{of}_{at}")).collect()
    }

    /// All processes.
    fn everybody(&self, known: &Set) -> Result<Set> {
        let names = self.names("r");
        let mut bounds = vec![format!("0 <= {}", names[0])];
        let lower = names[1..].iter().zip(&self.widths);
        bounds.extend(lower.map(|(name, width)| format!("0 <= {name} < {width}")));
        let before = names.iter().zip(&self.count).enumerate().map(|(at, (name, count))| {
            let same =
                names[..at].iter().zip(&self.count).map(|(name, count)| format!("{name} = {count} and "));
            format!("({}{name} < {count})", same.collect::<String>())
        });
        let before = before.collect::<Vec<_>>().join(" or ");
        let parameters = [&self.widths[..], &self.count].concat().join(", ");
        let text = format!(
            "[{parameters}] -> {{ [{}] : {} and ({before}) }}",
            names.join(", "),
            bounds.join(" and ")
        );
        Ok(Set::parse(known.context(), &text)?.intersect_parameters(known)?)
    }

    /// The next process, and the first one after the last: `(rank + 1) % np`.
    fn next(&self, everybody: &Set) -> Result<Relation> {
        let later = everybody.lex_lt(everybody)?;
        let next = later.lexicographic_minimum()?;
        let last = everybody.subtract(&next.domain()?)?;
        let first = everybody.subtract(&next.range()?)?;
        Ok(next.union(&last.cross(&first)?)?)
    }

    /// The number with these digits, where they are such processes and parameters that a condition holds.
    fn number(&self, digits: &[String], here: &Set) -> Result<String> {
        let mut sum = Sum::default();
        for (at, digit) in digits.iter().enumerate() {
            sum.add(digit, &self.widths[at.min(self.widths.len())..]);
        }
        for of in ["rank", "sender", "receiver"] {
            self.gather(&mut sum, &self.names(of), of, &|_| Ok(false))?;
        }
        let is_zero = |at: usize| -> Result<bool> {
            let zero = format!("[{0}] -> {{ : {0} = 0 }}", self.count[at]);
            Ok(here.parameter_domain()?.is_subset(&Set::parse(here.context(), &zero)?)?)
        };
        self.gather(&mut sum, &self.count, "np", &is_zero)?;
        Ok(self.told(&sum.to_string()))
    }

    /// A number instead of all its digits; `is_zero` are those that need not be there.
    fn gather(
        &self,
        sum: &mut Sum,
        digits: &[String],
        number: &str,
        is_zero: &dyn Fn(usize) -> Result<bool>,
    ) -> Result<()> {
        let keys: Vec<Vec<String>> =
            digits.iter().enumerate().map(|(at, digit)| Sum::key(digit, &self.widths[at..])).collect();
        let Some(&factor) = sum.terms.get(&keys[0]) else { return Ok(()) };
        for (at, key) in keys.iter().enumerate().skip(1) {
            let found = sum.terms.get(key).copied().unwrap_or(0);
            if found != factor && (found != 0 || !is_zero(at)?) {
                return Ok(());
            }
        }
        for key in &keys {
            sum.terms.remove(key);
        }
        sum.terms.insert(vec![number.to_owned()], factor);
        Ok(())
    }

    /// A digit of a number as an expression: `(np / q)`, `(np % q)`; the highest is the first one.
    #[must_use]
    pub fn digit(&self, of: &str, at: usize) -> String {
        let above = match self.widths.get(at..) {
            None | Some([]) => String::new(),
            Some([one]) => format!(" / {one}"),
            Some(several) => format!(" / ({})", several.join(" * ")),
        };
        let own = at.checked_sub(1).and_then(|at| self.widths.get(at));
        let within = own.map_or_else(String::new, |own| format!(" % {own}"));
        format!("({of}{above}{within})")
    }

    /// `{q*i + j: ...}` for `{ [d0, d1] : ... }`, where that is one condition.
    fn as_numbers(&self, text: &str) -> Option<String> {
        let names: Vec<String> = (0..=self.widths.len()).map(|at| format!("d{at}")).collect();
        let front = format!("{{ [{}] : ", names.join(", "));
        let condition = text.strip_prefix(&front)?.strip_suffix(" }")?;
        if condition.contains(';') {
            return None;
        }
        let mut sum = Sum::default();
        let mut told = condition.to_owned();
        for (at, (name, letter)) in names.iter().zip(LETTERS).enumerate() {
            sum.add(letter, &self.widths[at..]);
            told = told.replace(name, letter);
        }
        Some(format!("{{{}: {told}}}", sum.to_string().replace(" * ", "*")))
    }

    /// A text in which digits of processes are expressions.
    pub(crate) fn told(&self, text: &str) -> String {
        let mut told = text.to_owned();
        for of in ["rank", "sender", "receiver"] {
            for (at, name) in self.names(of).iter().enumerate() {
                told = told.replace(name, &self.digit(of, at));
            }
        }
        told
    }
}

/// A sum of products of names.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: BTreeMap<Vec<String>, i64>,
}

impl Sum {
    fn key(name: &str, times: &[String]) -> Vec<String> {
        let mut key = times.to_vec();
        if !name.is_empty() {
            key.push(name.to_owned());
        }
        key.sort_unstable();
        key
    }

    /// Adds an expression times such names.
    fn add(&mut self, expression: &str, times: &[String]) {
        let terms = linear(expression).unwrap_or_else(|| vec![(format!("({expression})"), 1)]);
        for (name, factor) in terms {
            let entry = self.terms.entry(Self::key(&name, times)).or_insert(0);
            *entry += factor;
        }
        self.terms.retain(|_, factor| *factor != 0);
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut terms: Vec<(&Vec<String>, i64)> =
            self.terms.iter().map(|(key, &factor)| (key, factor)).collect();
        // Numbers of processes first, then what has most factors.
        let is_number = |key: &[String]| matches!(key, [one] if ["rank", "sender", "receiver", "np"].contains(&one.as_str()));
        terms.sort_by_key(|(key, factor)| (!is_number(key), *factor < 0, std::cmp::Reverse(key.len())));
        if terms.is_empty() {
            return f.write_str("0");
        }
        for (at, (key, factor)) in terms.into_iter().enumerate() {
            match (at, factor < 0) {
                (0, false) => {}
                (0, true) => f.write_str("-")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" - ")?,
            }
            let mut factors: Vec<String> = key.clone();
            if factor.abs() != 1 || key.is_empty() {
                factors.insert(0, factor.abs().to_string());
            }
            f.write_str(&factors.join("*"))?;
        }
        Ok(())
    }
}

/// The terms of an expression in C that is a sum of names times numbers.
fn linear(text: &str) -> Option<Vec<(String, i64)>> {
    let mut terms = Vec::new();
    let mut sign = 1;
    let mut tokens = text.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        let (token, negative) = match token {
            "+" => {
                sign = 1;
                continue;
            }
            "-" => {
                sign = -1;
                continue;
            }
            token => token.strip_prefix('-').map_or((token, 1), |token| (token, -1)),
        };
        let factor = sign * negative;
        if !token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        match token.parse::<i64>() {
            Ok(number) if tokens.next_if_eq(&"*").is_some() => {
                let name = tokens.next()?;
                if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    return None;
                }
                terms.push((name.to_owned(), factor * number));
            }
            Ok(number) => terms.push((String::new(), factor * number)),
            Err(_) => terms.push((token.to_owned(), factor)),
        }
    }
    Some(terms)
}

impl Teller<'_> {
    /// A set of processes with digits: `[0..np-1]`, or `{q*i + j: i in [0..2], j in [1..q-1]}`.
    pub(crate) fn sides_of_digits(&self, digits: &Digits, members: &Set) -> Result<Vec<Image>> {
        let text = self.side(digits, members)?;
        let condition = members.parameter_domain()?.condition(self.known)?;
        let condition = condition.map(|text| text.replace("==", "=").replace("&&", "and"));
        let condition = condition.map_or_else(String::new, |condition| format!(" for {condition}"));
        Ok(vec![Image { domain: members.clone(), text, condition }])
    }

    fn side(&self, digits: &Digits, members: &Set) -> Result<String> {
        let here = members.parameter_domain()?;
        let all = digits.everybody(self.known)?.intersect_parameters(&here)?;
        if members.is_equal(&all)? {
            return Ok("[0..np-1]".to_owned());
        }
        let nothing = Set::parse(members.context(), "{ [] }")?;
        let known = self.known.intersect(&here)?;
        let pairs = nothing.cross(members)?;
        let (low, high) = (pairs.lexicographic_minimum()?, pairs.lexicographic_maximum()?);
        let between =
            low.range()?.lex_le(&all)?.range()?.intersect(&all.lex_le(&high.range()?)?.domain()?)?;
        if members.is_equal(&between)? {
            let later = all.lex_lt(&all)?;
            let up = later.lexicographic_minimum()?;
            let down = later.inverse()?.lexicographic_maximum()?;
            let (first, last) = (all.subtract(&up.range()?)?, all.subtract(&up.domain()?)?);
            let low = self.end(digits, &low, ["0", "1", "2"], (&first, &up))?;
            let high = self.end(digits, &high, ["np - 1", "np - 2", "np - 3"], (&last, &down))?;
            if let (Some(low), Some(high)) = (low, high) {
                return Ok(compact(&format!("[{low}..{high}]")));
            }
        }
        let teller = Teller { known: &known, digits: None };
        let count = digits.widths.len() + 1;
        let mut rows = Vec::new();
        let mut product: Option<Relation> = None;
        for at in 0..count {
            let own = pairs.project_out_range(at + 1..count)?.project_out_range(0..at)?;
            rows.push(teller.images(&own, &[])?);
            product = Some(match product {
                Some(product) => product.flat_range_product(&own)?,
                None => own,
            });
        }
        let is_box = match product {
            Some(product) => product
                .intersect_parameters(self.known)?
                .is_equal(&pairs.intersect_parameters(self.known)?)?,
            None => false,
        };
        let told: Vec<&str> = rows
            .iter()
            .filter_map(|row| match row.as_slice() {
                [one] if !one.text.contains('{') => Some(one.text.trim_start_matches("each of ")),
                _ => None,
            })
            .collect();
        if is_box && told.len() == count {
            let mut sum = Sum::default();
            let mut letters = Vec::new();
            for (at, text) in told.iter().enumerate() {
                let is_row = text.starts_with('[');
                let letter = LETTERS.get(at).copied().unwrap_or("m");
                sum.add(if is_row { letter } else { text }, &digits.widths[at..]);
                if is_row {
                    letters.push(format!("{letter} in {text}"));
                }
            }
            let sum = sum.to_string().replace(" * ", "*");
            return Ok(format!("{{{sum}: {}}}", letters.join(", ")));
        }
        let text = crate::teller::as_mathematics(&members.gist_parameters(self.known)?.to_string());
        Ok(digits.as_numbers(&text).unwrap_or(text))
    }

    /// An end of a row of processes: so many steps from the first or the last one of all, or a formula.
    fn end(
        &self,
        digits: &Digits,
        end: &Relation,
        names: [&str; 3],
        (begin, step): (&Set, &Relation),
    ) -> Result<Option<String>> {
        let of_end = end.range()?;
        let here = of_end.parameter_domain()?;
        let mut at = begin.clone();
        for name in names {
            if of_end.is_equal(&at.intersect_parameters(&here)?)? {
                return Ok(Some(name.to_owned()));
            }
            at = at.apply(step)?;
        }
        let pieces = end.pieces(&[], &self.known.intersect(&here)?)?;
        let [Piece { values, .. }] = pieces.as_slice() else { return Ok(None) };
        Ok(Some(digits.number(values, &here)?))
    }

    /// The other side of processes with digits.
    pub(crate) fn others_of_digits(&self, digits: &Digits, pairs: &Relation) -> Result<String> {
        let all = digits.everybody(self.known)?;
        let domain = pairs.domain()?;
        let next = digits.next(&all)?;
        let later = all.lex_lt(&all)?;
        for (next, text, inside) in [
            (next.clone(), "(rank + 1) % np", later.domain()?),
            (next.inverse()?, "(rank - 1 + np) % np", later.range()?),
        ] {
            // Where it goes round.
            if pairs.is_equal(&next.intersect_domain(&domain)?)? && !domain.is_subset(&inside)? {
                return Ok(text.to_owned());
            }
        }
        let up = later.lexicographic_minimum()?;
        let mut steps = up.clone();
        for distance in 1..=NEAR {
            for (steps, sign) in [(&steps, '+'), (&steps.inverse()?, '-')] {
                if pairs.is_subset(steps)? {
                    return Ok(format!("rank {sign} {distance}"));
                }
            }
            steps = steps.apply_range(&up)?;
        }
        if pairs.is_single_valued()? {
            let names = digits.names("rank");
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut told = Vec::new();
            for Piece { domain, values } in pairs.pieces(&names, self.known)? {
                told.push(digits.number(&values, &domain)?);
            }
            told.dedup();
            return Ok(told.join(" or "));
        }
        let receivers = pairs.range()?;
        let product = domain.cross(&receivers)?.intersect_parameters(self.known)?;
        if pairs.is_equal(&product)? {
            return Ok(format!("each of {}", self.side(digits, &receivers)?));
        }
        let others = product.subtract(&domain.identity()?)?;
        if pairs.is_equal(&others)? {
            return Ok(format!("each other of {}", self.side(digits, &receivers.union(&domain)?)?));
        }
        Ok(format!(
            "each of {}",
            crate::teller::as_mathematics(&pairs.gist_parameters(self.known)?.to_string())
        ))
    }

    /// A number, or one that has digits itself, over processes with digits.
    pub(crate) fn formula_of_digits(
        &self,
        digits: &Digits,
        values: &Relation,
        names: &[&str],
    ) -> Result<Option<String>> {
        if !values.is_single_valued()? {
            return Ok(None);
        }
        let pieces = values.pieces(names, self.known)?;
        Ok(match pieces.as_slice() {
            [Piece { values, .. }] if values.len() == 1 => Some(digits.told(&values[0])),
            [Piece { values, domain }] if values.len() == digits.widths.len() + 1 => {
                Some(digits.number(values, domain)?)
            }
            _ => None,
        })
    }
}
