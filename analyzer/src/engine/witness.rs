//! Whether a path is taken for some values of the inputs, with one number of processes: small values are tried.
//!
//! What is known of a path are linear conditions on numbers, some of which are computed from others: products, quotients, remainders,
//! conversions. Conditions that no values meet together need not contradict each other one by one (`x * y * z == 4`, and rank 3 divided
//! by `x * y` is 0, and `z` is 3 at least). A path for which no values are found is not known to be taken.

use lattice::{Constraints, Linear, Symbol, Symbols};
use rustc_hash::FxHashSet;

use super::arithmetic::{self, Application};

/// Inputs of which values are tried.
const INPUTS: usize = 4;
/// Values tried for each input, from -1 or its least value on.
const VALUES: i64 = 16;
/// Values of several inputs together that are tried.
const TRIED: usize = 4096;

/// Whether values of inputs are found for which all that is known holds; `None` where nothing is computed from inputs, where there are
/// too many of them, or none were found within the limit.
///
/// `facts` are those of a path with one number of processes.
pub(crate) fn is_taken(symbols: &Symbols, facts: &Constraints) -> Option<bool> {
    let computed = |function: &str| arithmetic::is_operator(function) || is_conversion(function);
    let functions = arithmetic::known_among(symbols, facts, computed);
    let values: FxHashSet<Symbol> = functions.iter().map(|(symbol, ..)| *symbol).collect();
    let arguments = functions.iter().flat_map(|(_, _, arguments)| *arguments).flat_map(Linear::symbols);
    let mut inputs: Vec<Symbol> = arguments
        .chain(facts.products())
        .flat_map(|symbol| if symbol.is_product() { symbol.factors().collect() } else { vec![symbol] })
        .filter(|symbol| !values.contains(symbol) && facts.constant(&(*symbol).into()).is_none())
        .collect();
    inputs.sort_unstable();
    inputs.dedup();
    if inputs.is_empty() || INPUTS < inputs.len() {
        return None;
    }
    Search { functions: &functions, tried: 0 }.find(facts, &inputs)
}

/// Whether a function is a conversion to an integer type that keeps small numbers: `(UInt)`.
fn is_conversion(function: &str) -> bool {
    function.strip_prefix('(').is_some_and(|kind| kind.starts_with(|c: char| c.is_ascii_uppercase()))
        && function != "(Bool)"
}

struct Search<'a> {
    functions: &'a [Application<'a>],
    tried: usize,
}

impl Search<'_> {
    /// Gives each of `inputs` values, one after the other.
    fn find(&mut self, facts: &Constraints, inputs: &[Symbol]) -> Option<bool> {
        let Some((input, others)) = inputs.split_first() else {
            return Some(true);
        };
        let input = Linear::from(*input);
        let least = facts.lower_bound(&input).unwrap_or(-1).max(-1);
        let most = facts.upper_bound(&input).unwrap_or(i64::MAX).min(least.saturating_add(VALUES - 1));
        for value in least..=most {
            self.tried += 1;
            if TRIED < self.tried {
                return None;
            }
            let mut case = facts.clone();
            if case.assume_eq(&input, &value.into()).is_some() && self.compute(&mut case).is_some() {
                match self.find(&case, others) {
                    Some(false) => {}
                    found => return found,
                }
            }
        }
        Some(false)
    }

    /// Learns what is computed from the values so far; `None` when that contradicts what is known, or has no meaning in C.
    fn compute(&self, facts: &mut Constraints) -> Option<()> {
        facts.settle_products()?;
        for application @ &(symbol, function, arguments) in self.functions {
            match arguments {
                [number] if is_conversion(function) => {
                    if let Some(number) = facts.constant(&facts.with_numbers(number)) {
                        // One that does not stay what it is, is tried as nothing.
                        let small = (0..=i64::from(i8::MAX)).contains(&number);
                        let _ = facts.assume_eq(&symbol.into(), &number.into()).filter(|_| small)?;
                    }
                }
                [_, divisor]
                    if matches!(function, "/" | "%")
                        && facts.constant(&facts.with_numbers(divisor)) == Some(0) =>
                {
                    return None;
                }
                _ => arithmetic::fold_some([*application], facts)?,
            }
        }
        facts.settle_products()
    }
}

#[cfg(test)]
mod tests {
    use lattice::SymbolKind;

    use super::*;

    /// x * y * z == 4, all at least 1, 3 / (x * y) == 0 and z >= 2: no layer above the last rank.
    #[test]
    fn conditions_that_no_values_meet_together_are_seen() {
        let mut symbols = Symbols::default();
        let [x, y, z] =
            ["x", "y", "z"].map(|name| Linear::from(symbols.fresh(SymbolKind::Input(name.into()))));
        let layer = x.times(&y).expect("a product of two");
        let all = layer.times(&z).expect("a product of three");
        let last = Linear::from(symbols.apply("/", vec![3.into(), layer.clone()]));
        let mut facts = Constraints::new();
        for width in [&x, &y, &z] {
            let _ = facts.assume_le(&1.into(), width);
        }
        let _ = facts.assume_eq(&all, &4.into());
        let _ = facts.assume_eq(&last, &0.into());
        assert_eq!(is_taken(&symbols, &facts), Some(true));
        let _ = facts.assume_le(&2.into(), &z);
        assert_eq!(is_taken(&symbols, &facts), Some(false));
    }
}
