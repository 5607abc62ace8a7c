//! Channels of rounds in which a number is multiplied, as one: a tree of which each level has twice as many processes is told by
//! `senders [0..m-1] to rank + m, m = 1, 2, 4, ..., 2^29` and not by thirty channels.
//!
//! Each of them is a channel of its own in the analysis. Here those are found of which every number is `a + b*m` for the same `a` and `b`
//! and an `m` that is multiplied from one to the next: what is shown is what they say, in other words.

use std::cell::RefCell;
use std::fmt::Write as _;

use lattice::{Linear, SymbolKind};

use super::channels::Listed;
use super::clients::topology::Exchanged;
use super::formulas::{Condition, Formulas};
use super::link::{Link, Pairing};
use super::process_counts::{Every, Multiples};

/// Channels that are enough to tell the numbers of all.
const TELLING: usize = 3;

/// Parts that a number is taken apart into.
const PARTS: usize = 4;

/// A channel as it is shown.
#[derive(Clone, PartialEq)]
pub(crate) struct Shown {
    pub(crate) entry: Exchanged,
    /// `k`, where all ranks send to `(rank + k) % np`: the entry is one part of it.
    pub(crate) ring: Option<Linear>,
    pub(crate) repeat: Option<Linear>,
    when: When,
    /// What `m` is.
    rounds: Option<Multiples>,
}

/// For which numbers of processes a channel is shown.
#[derive(Clone, PartialEq)]
enum When {
    /// On all, or on some inputs.
    Unsaid,
    /// From one number to another, those that leave the same when they are divided.
    Between(Linear, Option<Linear>, Every),
    /// In words.
    Otherwise(String),
}

impl Formulas<'_, '_> {
    /// All channels, those of rounds as one.
    pub(crate) fn shown(&self) -> Vec<Shown> {
        let mut left: Vec<Option<Shown>> =
            self.listed().iter().map(|listed| Some(Shown::of(listed))).collect();
        let mut shown = Vec::new();
        for first in 0..left.len() {
            let Some(channel) = left[first].clone() else { continue };
            match self.family(&left, first) {
                Some((family, members)) => {
                    members.into_iter().for_each(|member| left[member] = None);
                    shown.push(family);
                }
                None => shown.push(channel),
            }
        }
        shown
    }

    /// What a channel is told by, together with others, and these.
    fn family(&self, all: &[Option<Shown>], first: usize) -> Option<(Shown, Vec<usize>)> {
        let plain = all[first].as_ref()?.without_numbers();
        let alike =
            |&index: &usize| all[index].as_ref().is_some_and(|other| other.without_numbers() == plain);
        let mut members: Vec<(Vec<Linear>, usize)> = (first..all.len())
            .filter(alike)
            .filter_map(|index| {
                let numbers = all[index].as_ref()?.numbers();
                Some((numbers.iter().flat_map(|number| self.parts(number)).collect(), index))
            })
            .collect();
        members.sort_by_key(|(numbers, _)| {
            numbers.iter().map(|number| i128::from(number.constant()).abs()).sum::<i128>()
        });
        let (form, rounds, range) = (0..members.len()).find_map(|start| {
            let numbers: Vec<&[Linear]> = members[start..].iter().map(|(numbers, _)| &numbers[..]).collect();
            let (form, rounds, length) = self.in_rounds(&numbers)?;
            let range = start..start + length;
            members[range.clone()].iter().any(|&(_, index)| index == first).then_some((form, rounds, range))
        })?;
        let members: Vec<usize> = members[range].iter().map(|&(_, index)| index).collect();
        let of = all[*members.last()?].as_ref()?;
        let told: Vec<Linear> =
            form.chunks(PARTS).map(|parts| self.together(parts)).collect::<Option<_>>()?;
        let next = RefCell::new(told.into_iter());
        let family = of.map(&|number| next.borrow_mut().next().unwrap_or_else(|| number.clone()));
        Some((Shown { rounds: Some(rounds), ..family }, members))
    }

    /// A number without one quotient by a constant that it may hold, how often it holds that, what is divided there, and by what.
    fn parts(&self, number: &Linear) -> [Linear; PARTS] {
        let symbols = &self.engine.symbols;
        let quotient = number.terms().find_map(|(symbol, times)| match symbols.kind(symbol) {
            SymbolKind::Apply(function, arguments) if &**function == "/" => {
                let [dividend, divisor] = arguments.as_slice() else { return None };
                divisor.as_constant()?;
                let rest = number.add_scaled(&symbol.into(), times.checked_neg()?)?;
                Some([rest, times.into(), dividend.clone(), divisor.clone()])
            }
            _ => None,
        });
        quotient.unwrap_or_else(|| [number.clone(), Linear::zero(), Linear::zero(), Linear::zero()])
    }

    /// The number of which these are the parts; `None` where the quotient has no name.
    fn together(&self, parts: &[Linear]) -> Option<Linear> {
        let [rest, times, dividend, divisor] = parts else { return None };
        let times = times.as_constant()?;
        if times == 0 {
            return Some(rest.clone());
        }
        let mut quotients = self.engine.symbols.applications().filter(|(_, function, _)| *function == "/");
        let (quotient, ..) =
            quotients.find(|(.., of)| matches!(of, [a, b] if a == dividend && b == divisor))?;
        rest.add_scaled(&quotient.into(), times)
    }

    /// The numbers of the first channels as expressions over `m`, what `m` is in them, and how many they are.
    fn in_rounds(&self, channels: &[&[Linear]]) -> Option<(Vec<Linear>, Multiples, usize)> {
        let [a, b, c, ..] = channels else { return None };
        let step = |x: &Linear, y: &Linear| y.sub(x)?.as_constant();
        // The number that grows least is `m` itself, but for what is added to it.
        let steps = a
            .iter()
            .zip(*b)
            .zip(*c)
            .filter_map(|((x, y), z)| Some((step(x, y)?, step(y, z)?)).filter(|(first, _)| 0 < *first));
        let (grows, then) = steps.min()?;
        let factor = then.checked_div(grows).filter(|&f| f > 1 && f.checked_mul(grows) == Some(then))?;
        let unit = factor - 1;
        let first = grows.checked_div(unit).filter(|m| m.checked_mul(unit) == Some(grows))?;
        let form = a.iter().zip(*b).map(|(x, y)| {
            let slope = step(x, y)?;
            let slope = slope.checked_div(grows).filter(|k| k.checked_mul(grows) == Some(slope))?;
            x.offset(slope.checked_mul(first)?.checked_neg()?)?.add_scaled(&self.engine.round.into(), slope)
        });
        let form: Vec<Linear> = form.collect::<Option<_>>()?;
        let mut rounds = Multiples { first, factor, last: first };
        let mut length = 0;
        let mut round = Some(first);
        for numbers in channels {
            let Some(m) = round else { break };
            let at = |number: &Linear| number.substitute(self.engine.round, &m.into());
            if !form.iter().zip(*numbers).all(|(form, number)| at(form).as_ref() == Some(number)) {
                break;
            }
            (rounds.last, length) = (m, length + 1);
            round = m.checked_mul(factor);
        }
        (length >= TELLING).then_some((form, rounds, length))
    }

    /// What follows the processes of a channel: for which numbers of processes it holds, and what `m` is.
    pub(crate) fn condition_text(&self, shown: &Shown) -> String {
        let mut text = match &shown.when {
            When::Unsaid if shown.rounds.is_some() => " for".to_owned(),
            When::Unsaid => String::new(),
            When::Between(least, most, every) => {
                let least = self.text(least);
                let (kind, rest) = every.words();
                match most.as_ref().map(|most| self.text(most)) {
                    Some(most) if most == least => format!(" for np = {least}"),
                    Some(most) => format!(" for {kind}np = {least}..{most}{rest}"),
                    None => format!(" for {kind}np >= {least}{rest}"),
                }
            }
            When::Otherwise(text) => text.clone(),
        };
        if let Some(rounds) = shown.rounds {
            let comma = if matches!(shown.when, When::Unsaid) { "" } else { "," };
            let _ = write!(text, "{comma} m = {rounds}");
        }
        text
    }
}

impl Shown {
    fn of(listed: &Listed<'_>) -> Self {
        let when = match &listed.condition {
            None | Some(Condition::Input) => When::Unsaid,
            Some(Condition::Np(counts)) => match counts.as_range() {
                Some((least, most, every)) => When::Between(least.into(), most.map(Linear::from), every),
                None => When::Otherwise(Condition::Np(counts.clone()).to_string()),
            },
        };
        Self {
            entry: listed.formula.entry.clone(),
            ring: listed.ring.map(Linear::from),
            repeat: listed.repeat.clone(),
            when,
            rounds: None,
        }
    }

    /// The same with other numbers, always in the same order. One sender with one receiver is taken for a range of them.
    fn map(&self, map: &impl Fn(&Linear) -> Linear) -> Self {
        let optional = |number: &Option<Linear>| number.as_ref().map(map);
        let entry = &self.entry;
        let links = entry.relation.links().iter().map(|link| Link {
            pairing: if link.pairing == Pairing::Single { Pairing::Parallel } else { link.pairing },
            ..link.clone()
        });
        let relation = entry.relation.with_links(links.collect()).map_bounds(map);
        let (tag, count) = (optional(&entry.tag), optional(&entry.count));
        let when = match &self.when {
            When::Between(least, most, every) => When::Between(map(least), most.as_ref().map(map), *every),
            other => other.clone(),
        };
        Self {
            // How often is said beside it.
            entry: Exchanged { relation, tag, count, repeat: None, ..entry.clone() },
            ring: optional(&self.ring),
            repeat: optional(&self.repeat),
            when,
            rounds: self.rounds,
        }
    }

    fn numbers(&self) -> Vec<Linear> {
        let numbers = RefCell::new(Vec::new());
        self.map(&|number| {
            numbers.borrow_mut().push(number.clone());
            number.clone()
        });
        numbers.into_inner()
    }

    /// What is the same in all rounds.
    fn without_numbers(&self) -> Self {
        self.map(&|_| Linear::zero())
    }
}
