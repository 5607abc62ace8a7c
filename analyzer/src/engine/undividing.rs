//! Ranks that were divided into digits in a round of a loop, undivided for the next one, or divided less.
//!
//! In a hypercube each round takes another bit of the rank. The digits of all rounds together would be too many, and none is of use after
//! its round: at the head of a loop that multiplies what counts its rounds, a set whose members are all ranks of a range is that range
//! again; and one whose members are every fourth rank, which two rounds took two digits for, has one digit for that. What its members have in memory is told by the rank where it has such a form, and given up where it has none.

use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth};

use super::Engine;
use super::clients::Known;
use super::memory::{Content, Memory};
use super::series::Series;
use super::state::{ProcessSet, State, Status};
use super::value::Value;

impl Engine<'_> {
    /// Undivides what can be; whether there was anything.
    pub(crate) fn undivide(&mut self, state: &mut State) -> bool {
        let mut found = false;
        for set in &mut state.sets {
            let is_plain = matches!(set.status, Status::Ready)
                && set.handles.is_empty()
                && set.known.flow == Known::default().flow;
            if set.ranks.radices().is_empty() || !is_plain || self.multiplied_rounds(set).is_empty() {
                continue;
            }
            let whole = whole(&set.ranks, &state.facts).map(Ranks::from);
            let Some(ranks) = whole.or_else(|| with_one_remainder(&set.ranks, &state.facts)) else {
                continue;
            };
            let Some(memory) = undivided(&set.memory, &set.ranks, &state.facts) else { continue };
            *set = ProcessSet { ranks, memory, ..set.clone() };
            found = true;
        }
        found
    }
}

/// The range of all members; `None` where some ranks between them are no members.
fn whole(ranks: &Ranks, facts: &Constraints) -> Option<Range> {
    let is = |a: &Linear, b: &Linear| facts.eq(a, b) == Truth::Yes;
    let mut digits = ranks.digits().iter().zip(ranks.radices());
    let all = digits.all(|(digit, radix)| {
        is(&digit.lo, &Linear::zero()) && radix.offset(-1).is_some_and(|last| is(&digit.hi, &last))
    });
    let Range { lo, hi } = ranks.hull().filter(|_| all)?;
    let last = Linear::np().offset(-1)?;
    Some(Range { lo, hi: if is(&hi, &last) { last } else { hi } })
}

/// Members that leave the same remainders by several numbers in turn, by the one remainder by their product: what is left in a binomial
/// tree are the multiples of 2, then of 4.
fn with_one_remainder(ranks: &Ranks, facts: &Constraints) -> Option<Ranks> {
    let known = ranks.digits().iter().zip(ranks.radices()).map_while(|(digit, radix)| {
        let digit = facts.constant(digit.as_single(facts)?)?;
        Some((digit, radix.as_constant()?))
    });
    let known: Vec<(i64, i64)> = known.collect();
    let _ = known.get(1)?;
    let (mut remainder, mut modulus) = (0_i64, 1_i64);
    for (digit, radix) in &known {
        remainder = remainder.checked_add(modulus.checked_mul(*digit)?)?;
        modulus = modulus.checked_mul(*radix)?;
    }
    let radices = [&[modulus.into()], &ranks.radices()[known.len()..]].concat();
    let digits = [&[Range::single(remainder.into())], &ranks.digits()[known.len()..]].concat();
    Some(Ranks::new(radices, digits))
}

/// A memory as members see it whose rank is not divided; `None` where something in it needs the digits.
fn undivided(memory: &Memory, ranks: &Ranks, facts: &Constraints) -> Option<Memory> {
    let told = |number: &Linear| {
        let told = if number.is_uniform() { Some(number.clone()) } else { ranks.over_rank(number, facts) };
        told.filter(|number| number.symbols().all(|symbol| !symbol.is_own() || symbol == Symbol::RANK))
    };
    let mut result = Memory::default();
    for (object, content) in memory.objects() {
        let is_uniform =
            content.cells.values().all(|(_, value)| value.is_uniform() || *value == Value::Unknown)
                && content.series.iter().all(|series| series.base.is_uniform());
        if is_uniform {
            result.insert(object, Arc::clone(content));
            continue;
        }
        let mut content = Content::clone(content);
        for (_, value) in content.cells.values_mut() {
            match value {
                Value::Int(number) => *value = told(number).map_or(Value::Unknown, Value::Int),
                Value::Address(object, offset) => {
                    *value =
                        told(offset).map_or(Value::Within(*object), |offset| Value::Address(*object, offset));
                }
                Value::Mixed(_) => *value = Value::Unknown,
                Value::Comm(_) | Value::Group(_) if !value.is_uniform() => return None,
                _ => {}
            }
        }
        for series in &mut content.series {
            *series = Series { base: told(&series.base)?, ..series.clone() };
        }
        result.insert(object, Arc::new(content));
    }
    Some(result)
}
