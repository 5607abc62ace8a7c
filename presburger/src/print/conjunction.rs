//! A tuple and its conditions as text.

use std::collections::BTreeSet;

use super::determined;
use super::terms::{Names, Sum};
use super::tuple_text;
use crate::conjunct::{Conjunct, Form, Row};
use crate::space::Shape;

pub(crate) struct Text {
    pub(crate) text: String,
    /// Which parameters it mentions.
    pub(crate) parameters: BTreeSet<String>,
}

/// Nothing where a number becomes too large.
pub(crate) fn text(
    shape: &Shape,
    parameters: &[String],
    mut conjunct: Conjunct,
    are_pairs: bool,
) -> Option<Text> {
    let first = conjunct.parameters;
    let first_division = first + conjunct.coordinates;
    let mut names = variable_names(shape, parameters, conjunct.divisions.len());
    let determined = determined::determined(&mut conjunct)?;
    // New quotients have no names, and need none.
    names.resize(first_division + conjunct.divisions.len(), String::new());
    let congruences = congruences(&mut conjunct)?;
    let names_of = Names { names, first_division, divisions: std::mem::take(&mut conjunct.divisions) };
    let mut used = BTreeSet::new();
    let mut see = |form: &Form| mentioned(form, &names_of, &parameters.len(), &mut used);
    conjunct.rows.iter().for_each(|row| see(&row.form));
    congruences.iter().for_each(|(form, _)| see(form));
    determined.iter().flatten().for_each(&mut see);

    let entry = |at: usize| match &determined[at] {
        Some(form) => names_of.sum(form)?.text_alone(),
        None => Some(names_of.names[first + at].clone()),
    };
    let entries: Vec<String> = (0..conjunct.coordinates).map(entry).collect::<Option<_>>()?;
    let tuple = tuple_text(shape, &mut entries.into_iter(), are_pairs);

    let mut conditions = Vec::new();
    for (form, modulus) in &congruences {
        conditions.push(congruence(&names_of.sum(form)?, *modulus)?);
    }
    conditions.splice(0..0, comparisons(&conjunct.rows, &names_of)?);
    let mut text = tuple;
    if !conditions.is_empty() || *shape == Shape::None {
        let unknown = unknown_divisions(&conjunct.rows, &names_of);
        let all = conditions.join(" and ");
        let colon = if text.is_empty() { ":" } else { " :" };
        text.push_str(colon);
        match (unknown.is_empty(), all.is_empty()) {
            (_, true) => {}
            (true, false) => text.push_str(&format!(" {all}")),
            (false, false) => text.push_str(&format!(" exists ({}: {all})", unknown.join(", "))),
        }
    }
    let parameters = used.into_iter().map(|at| parameters[at].clone()).collect();
    Some(Text { text, parameters })
}

/// Names for all variables, no two the same.
fn variable_names(shape: &Shape, parameters: &[String], divisions: usize) -> Vec<String> {
    let mut names: Vec<String> = parameters.to_vec();
    let mut coordinates = Vec::new();
    shape.each_coordinate(&mut |name| coordinates.push(name.map(str::to_owned)));
    // What a coordinate is called by the user is nobody else's name.
    let taken: BTreeSet<String> = coordinates.iter().flatten().cloned().collect();
    let fresh = |names: &[String], start: &str| {
        let is_free = |name: &String| !names.contains(name) && !taken.contains(name);
        (0..).map(|number| format!("{start}{number}")).find(is_free).unwrap_or_default()
    };
    for name in &coordinates {
        let name = match name {
            Some(name) => {
                let mut name = name.clone();
                while names.contains(&name) {
                    name.push('\'');
                }
                name
            }
            None => fresh(&names, "i"),
        };
        names.push(name);
    }
    for _ in 0..divisions {
        names.push(fresh(&names, "e"));
    }
    names
}

/// Equations that only say that a form is divisible: their integer occurs nowhere else. They are taken out of the rows.
fn congruences(conjunct: &mut Conjunct) -> Option<Vec<(Form, i64)>> {
    let first_division = conjunct.parameters + conjunct.coordinates;
    let mut congruences = Vec::new();
    for at in 0..conjunct.divisions.len() {
        let column = first_division + at;
        let occurs = |row: &Row| row.form.factors[column] != 0;
        let is_elsewhere =
            conjunct.divisions.iter().flatten().any(|division| division.form.factors[column] != 0);
        let mut rows = (0..conjunct.rows.len()).filter(|&row| occurs(&conjunct.rows[row]));
        let (Some(row), None) = (rows.next(), rows.next()) else { continue };
        let unknown = |form: &Form| {
            let own = form.factors[first_division..].iter().zip(&conjunct.divisions);
            own.enumerate()
                .all(|(other, (&factor, division))| other == at || factor == 0 || division.is_some())
        };
        let found = &conjunct.rows[row];
        if is_elsewhere || conjunct.divisions[at].is_some() || !found.is_equation || !unknown(&found.form) {
            continue;
        }
        let mut form = conjunct.rows.remove(row).form;
        let modulus = std::mem::take(&mut form.factors[column]).checked_abs()?;
        congruences.push((form, modulus));
    }
    Some(congruences)
}

/// `(r + 1) mod 2 = 0`, with the constant at the right: `r mod 2 = 1`.
fn congruence(sum: &Sum, modulus: i64) -> Option<String> {
    let mut left = sum.clone();
    // The sign does not matter, so the first term has a positive one.
    if left.terms.first().is_some_and(|(factor, _)| *factor < 0) {
        left = left.negated()?;
    }
    let right = left.constant.checked_neg()?.rem_euclid(modulus);
    left.constant = 0;
    let text = left.text()?;
    Some(if left.is_name(&text) {
        format!("{text} mod {modulus} = {right}")
    } else {
        format!("({text}) mod {modulus} = {right}")
    })
}

/// A bound of the variable that a row is about.
struct Bound {
    /// What it is about: the last variable in it.
    subject: String,
    rank: usize,
    is_lower: bool,
    rest: Sum,
}

/// Rows as comparisons, lower and upper bounds of one variable in one.
fn comparisons(rows: &[Row], names: &Names) -> Option<Vec<String>> {
    let mut texts: Vec<(usize, String)> = Vec::new();
    let mut bounds: Vec<Bound> = Vec::new();
    for row in rows {
        let last = row.form.factors[..names.first_division].iter().rposition(|factor| *factor != 0);
        let rank = last.map_or(0, |last| last + 1);
        let sum = names.sum(&row.form)?;
        let subject = last.and_then(|last| sum.terms.iter().position(|(_, name)| *name == names.names[last]));
        let Some(subject) = subject else {
            let (left, right) = sum.sides()?;
            let sign = if row.is_equation { '=' } else { '>' };
            texts.push((
                rank,
                format!("{} {sign}{} {}", left.text()?, if sign == '>' { "=" } else { "" }, right.text()?),
            ));
            continue;
        };
        let mut rest = sum;
        let (factor, name) = rest.terms.remove(subject);
        let size = factor.checked_abs()?;
        let subject = if size == 1 { name } else { format!("{size}{name}") };
        let rest = if 0 < factor { rest.negated()? } else { rest };
        if row.is_equation {
            texts.push((rank, format!("{subject} = {}", rest.text()?)));
        } else {
            bounds.push(Bound { subject, rank, is_lower: 0 < factor, rest });
        }
    }
    while !bounds.is_empty() {
        let bound = bounds.remove(0);
        let is_partner = |other: &Bound| other.subject == bound.subject && other.is_lower != bound.is_lower;
        let partner = bounds.iter().position(is_partner).map(|at| bounds.remove(at));
        let rank = bound.rank;
        let (lower, upper) = if bound.is_lower { (Some(bound), partner) } else { (partner, Some(bound)) };
        texts.push((rank, between(lower.as_ref(), upper.as_ref())?));
    }
    texts.sort_by_key(|(rank, _)| *rank);
    Some(texts.into_iter().map(|(_, text)| text).collect())
}

/// `0 <= r < np - 1`: the sign that leaves the simpler constant.
fn between(lower: Option<&Bound>, upper: Option<&Bound>) -> Option<String> {
    let mut text = String::new();
    if let Some(Bound { subject, rest, .. }) = lower {
        let is_strict = !rest.terms.is_empty() && rest.constant == 1;
        let rest = Sum { constant: if is_strict { 0 } else { rest.constant }, ..rest.clone() };
        text.push_str(&format!("{} {} {subject}", rest.text()?, if is_strict { "<" } else { "<=" }));
    }
    if let Some(Bound { subject, rest, .. }) = upper {
        let is_strict = !rest.terms.is_empty() && rest.constant < 0;
        let rest = Sum { constant: rest.constant + i64::from(is_strict), ..rest.clone() };
        let subject = if text.is_empty() { subject.as_str() } else { "" };
        text.push_str(&format!("{subject} {} {}", if is_strict { "<" } else { "<=" }, rest.text()?));
    }
    Some(text)
}

/// The names of integers that there have to be.
fn unknown_divisions(rows: &[Row], names: &Names) -> Vec<String> {
    let mut forms: Vec<&Form> = rows.iter().map(|row| &row.form).collect();
    forms.extend(names.divisions.iter().flatten().map(|division| &division.form));
    let unknown = (0..names.divisions.len()).filter(|&at| names.divisions[at].is_none());
    let occurs = |at: &usize| forms.iter().any(|form| form.factors[names.first_division + at] != 0);
    unknown.filter(occurs).map(|at| names.names[names.first_division + at].clone()).collect()
}

/// Notes the parameters that a form mentions, also within quotients.
fn mentioned(form: &Form, names: &Names, parameters: &usize, used: &mut BTreeSet<usize>) {
    for (at, _) in form.factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        if at < *parameters {
            used.insert(at);
        } else if let Some(Some(division)) =
            at.checked_sub(names.first_division).map(|at| &names.divisions[at])
        {
            mentioned(&division.form, names, parameters, used);
        }
    }
}
