//! Small assignments that satisfy what is assumed: what does not hold under one of them need not be asked of any prover.

use std::collections::BTreeMap;

use crate::assumptions::Assumptions;
use crate::expr::{Assignment, Symbol};
use crate::polynomial::Polynomial;

/// How many are kept.
const MAX_SAMPLES: usize = 16;

/// With as many there is no need to look for more.
pub(crate) const ENOUGH: usize = 6;

/// How many choices of slacks are tried.
const MAX_TRIALS: u64 = 300;

/// Values of slacks, the most telling first: bounds that are met, then one more, then what powers of two need.
const VALUES: [i128; 8] = [0, 1, 3, 2, 7, 5, 4, 15];

/// Assignments with a value for each symbol of the assumptions, all of which hold there.
pub(crate) fn of(assumptions: &Assumptions) -> Vec<Assignment> {
    let (symbols, powers) = assumptions.symbols();
    let given = |symbol: &Symbol| assumptions.rewrites().iter().any(|(known, _)| known == symbol);
    // Each symbol over slacks.
    let shifts: Option<Vec<(Symbol, Polynomial)>> = symbols
        .iter()
        .filter(|symbol| !given(symbol))
        .map(|symbol| Some((symbol.clone(), assumptions.cone().express(&symbol.clone().into()).ok()?)))
        .collect();
    let Some(shifts) = shifts else { return Vec::new() };
    let mut slacks: Vec<Symbol> = shifts.iter().flat_map(|(_, value)| value.symbols()).collect();
    slacks.sort_unstable();
    slacks.dedup();
    let facts = assumptions.facts();
    let mut found: Vec<Assignment> = Vec::new();
    for trial in 0..MAX_TRIALS {
        let values: BTreeMap<Symbol, i128> = slacks.iter().cloned().zip(choice(trial)).collect();
        let mut assignment: BTreeMap<Symbol, i128> = BTreeMap::new();
        let lookup = |symbol: &Symbol| values.get(symbol).copied();
        for (symbol, shift) in &shifts {
            assignment.extend(shift.evaluate(lookup).map(|value| (symbol.clone(), value)));
        }
        for (symbol, value) in assumptions.rewrites() {
            let value = value.evaluate(|symbol| assignment.get(symbol).copied());
            assignment.extend(value.map(|value| (symbol.clone(), value)));
        }
        let assignment: Assignment = assignment.into_iter().collect();
        let is_power = |symbol: &Symbol| {
            assignment.get(symbol).is_some_and(|value| u128::try_from(value).is_ok_and(u128::is_power_of_two))
        };
        let holds =
            powers.iter().all(is_power) && facts.iter().all(|fact| fact.evaluate(&assignment) == Ok(true));
        if holds && !found.contains(&assignment) {
            found.push(assignment);
            if found.len() == MAX_SAMPLES {
                break;
            }
        }
    }
    found
}

/// Values for any number of slacks: the digits of the trial's number first, scattered ones later.
fn choice(trial: u64) -> impl Iterator<Item = i128> {
    let mut state = trial;
    let scattered = trial >= MAX_TRIALS / 2;
    std::iter::from_fn(move || {
        let digit;
        if scattered {
            // Knuth's linear congruential generator; its high bits are good enough here.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            digit = usize::try_from(state >> 61).expect("three bits");
        } else {
            digit = usize::try_from(state % 4).expect("two bits");
            state /= 4;
        }
        Some(VALUES[digit])
    })
}
