//! Floating-point numbers that are computed from known ones: how many times a number can be halved is `(int)log2(size)`.
//!
//! An operation of `double` on known numbers gives one number (IEC 60559) unless it is contracted with another.
//! Of the functions of `<math.h>` the standard says nothing as to their accuracy; those that are not exact are taken to be off by a few
//! units in the last place, as in all libraries in use. What depends on the last places is not known then.

use lattice::{Constraints, Linear, Symbol, SymbolKind, Symbols};

use super::eval::Scope;

/// How many operations a number may be computed with: they may share operands.
const OPERATIONS: u32 = 64;
/// By how much of its value the result of a function of the library may be off.
const INACCURACY: f64 = 8.0 * f64::EPSILON;
/// Integers up to here are all numbers of type `double`.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// The numbers from one to another that a value may be; both are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Real {
    lo: f64,
    hi: f64,
}

impl Real {
    /// Exactly this number.
    fn exact(value: f64) -> Option<Self> {
        Self::between(value, value)
    }

    fn between(lo: f64, hi: f64) -> Option<Self> {
        (lo.is_finite() && hi.is_finite() && lo <= hi).then_some(Self { lo, hi })
    }

    fn as_exact(self) -> Option<f64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// What a function gives that never falls and is exact.
    fn rising(self, function: impl Fn(f64) -> f64) -> Option<Self> {
        Self::between(function(self.lo), function(self.hi))
    }

    /// What a function gives that never falls and is off by a little.
    fn about(self, function: impl Fn(f64) -> f64) -> Option<Self> {
        let (lo, hi) = (function(self.lo), function(self.hi));
        Self::between(lo - lo.abs() * INACCURACY, hi + hi.abs() * INACCURACY)
    }

    /// What an operator gives, of the type `double`.
    fn operator(self, operator: &str, other: Self) -> Option<Self> {
        let apply: fn(f64, f64) -> f64 = match operator {
            "+." => |a, b| a + b,
            "-." => |a, b| a - b,
            "*." => |a, b| a * b,
            "/." if 0.0 < other.lo || other.hi < 0.0 => |a, b| a / b,
            _ => return None,
        };
        // The least and the greatest result are those of ends, and rounding keeps their order.
        let corners = [(self.lo, other.lo), (self.lo, other.hi), (self.hi, other.lo), (self.hi, other.hi)];
        let results = corners.map(|(a, b)| apply(a, b));
        if results.iter().any(|result| !result.is_finite()) {
            return None;
        }
        let result = Self::between(
            results.into_iter().fold(f64::INFINITY, f64::min),
            results.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )?;
        // A product may be added to something before it is rounded (C11 6.5 paragraph 8).
        let is_whole = |product: f64| self.lo.mul_add(other.lo, -product) == 0.0;
        if operator == "*." && !result.as_exact().is_some_and(is_whole) {
            return result.about(|x| x);
        }
        Some(result)
    }

    /// What a function of `<math.h>` of one number gives.
    fn function(self, function: &str) -> Option<Self> {
        match function {
            "Neg" => Self::between(-self.hi, -self.lo),
            "floor" => self.rising(f64::floor),
            "ceil" => self.rising(f64::ceil),
            "trunc" => self.rising(f64::trunc),
            "round" => self.rising(f64::round),
            "rint" => self.rising(f64::round_ties_even),
            "fabs" if 0.0 <= self.lo => Some(self),
            "fabs" => self.as_exact().and_then(|value| Self::exact(value.abs())),
            // A square root is rounded like an operator.
            "sqrt" if 0.0 <= self.lo => self.rising(f64::sqrt),
            "log2" if self.as_exact().is_some_and(is_power_of_two) => self.rising(|x| x.log2().round()),
            "log2" if 0.0 < self.lo => self.about(f64::log2),
            "log" if 0.0 < self.lo => self.about(f64::ln),
            "log10" if 0.0 < self.lo => self.about(f64::log10),
            "cbrt" => self.about(f64::cbrt),
            "exp" => self.about(f64::exp),
            _ => None,
        }
    }

    /// What `pow` gives: exact for integers where the result is one that can be written.
    fn power(self, exponent: Self) -> Option<Self> {
        let (base, exponent) = (self.as_exact()?, exponent.as_exact()?);
        let whole = |x: f64| x.fract() == 0.0 && x.abs() <= WHOLE;
        let value = base.powf(exponent);
        if whole(base) && whole(exponent) && 0.0 <= exponent && whole(value) {
            // Every product on the way can be written.
            let times = exponent as u32;
            return if value == 0.0 || base.abs() == 1.0 {
                Self::exact(value)
            } else {
                Self::exact((0..times).fold(1.0, |product, _| product * base))
            };
        }
        (0.0 < base).then(|| Self::exact(value))??.about(|x| x)
    }
}

fn is_power_of_two(value: f64) -> bool {
    (1.0..=WHOLE).contains(&value) && value.fract() == 0.0 && (value as u64).is_power_of_two()
}

/// What a floating-point number is known to be; `left` is how many operations may still be looked at.
fn value(symbols: &Symbols, facts: &Constraints, symbol: Symbol, left: &mut u32) -> Option<Real> {
    *left = left.checked_sub(1)?;
    let SymbolKind::Apply(function, arguments) = symbols.kind(symbol) else { return None };
    let mut real = |argument: &Linear| {
        let (symbol, _) = argument.as_offset().filter(|(_, offset)| *offset == 0)?;
        value(symbols, facts, symbol, left)
    };
    match (&**function, arguments.as_slice()) {
        // A number that stands in the program.
        (constant, []) => Real::exact(constant.parse().ok()?),
        ("double", [integer]) => Real::exact(facts.constant(integer)? as f64),
        ("pow", [base, exponent]) => real(base)?.power(real(exponent)?),
        (operator, [a, b]) => real(a)?.operator(operator, real(b)?),
        (function, [a]) => real(a)?.function(function),
        _ => None,
    }
}

fn evaluate(symbols: &Symbols, facts: &Constraints, symbol: Symbol) -> Option<Real> {
    let mut left = OPERATIONS;
    value(symbols, facts, symbol, &mut left)
}

impl Scope<'_, '_> {
    /// The integer that a floating-point number is made, where it is known.
    pub(crate) fn truncated(&self, number: Symbol) -> Option<i64> {
        let Real { lo, hi } = evaluate(&self.engine.symbols, self.facts, number)?;
        (lo.trunc() == hi.trunc() && lo.abs() < WHOLE).then_some(lo as i64)
    }

    /// Whether one floating-point number is less than another, and whether it is greater, where both are known.
    pub(crate) fn order_of(&self, a: Symbol, b: Symbol) -> Option<std::cmp::Ordering> {
        let of = |symbol| evaluate(&self.engine.symbols, self.facts, symbol);
        let (a, b) = (of(a)?, of(b)?);
        match a.as_exact().zip(b.as_exact()) {
            Some((a, b)) => a.partial_cmp(&b),
            None if a.hi < b.lo => Some(std::cmp::Ordering::Less),
            None if b.hi < a.lo => Some(std::cmp::Ordering::Greater),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(symbols: &mut Symbols, function: &str, arguments: &[Symbol]) -> Symbol {
        symbols.apply(function, arguments.iter().map(|&symbol| symbol.into()).collect())
    }

    fn double(symbols: &mut Symbols, integer: i64) -> Symbol {
        symbols.apply("double", vec![integer.into()])
    }

    /// The integer that a number is made, if that is known.
    fn truncated(symbols: &Symbols, number: Symbol) -> Option<f64> {
        let Real { lo, hi } = evaluate(symbols, &Constraints::new(), number)?;
        (lo.trunc() == hi.trunc()).then_some(lo.trunc())
    }

    #[test]
    fn logarithms_of_powers_are_exact_and_others_between() {
        let mut symbols = Symbols::default();
        for n in 1..2000_i64 {
            let number = double(&mut symbols, n);
            let log = of(&mut symbols, "log2", &[number]);
            assert_eq!(truncated(&symbols, log), Some(f64::from(n.ilog2())), "log2({n})");
            let up = of(&mut symbols, "ceil", &[log]);
            let up_to = (0..).find(|&k| n <= 1 << k).map(f64::from);
            assert_eq!(truncated(&symbols, up), up_to, "ceil(log2({n}))");
        }
    }

    /// Where the last place decides, nothing is claimed.
    #[test]
    fn last_places_are_not_known() {
        let mut symbols = Symbols::default();
        let (two, eight) = (double(&mut symbols, 2), double(&mut symbols, 8));
        let (a, b) = (of(&mut symbols, "log", &[eight]), of(&mut symbols, "log", &[two]));
        let quotient = of(&mut symbols, "/.", &[a, b]);
        assert_eq!(truncated(&symbols, quotient), None);
        let cube = of(&mut symbols, "cbrt", &[eight]);
        assert_eq!(truncated(&symbols, cube), None);
        let half = symbols.apply("0.5", Vec::new());
        let nearest = of(&mut symbols, "+.", &[cube, half]);
        assert_eq!(truncated(&symbols, nearest), Some(2.0));
        let nothing = double(&mut symbols, 0);
        let infinite = of(&mut symbols, "/.", &[two, nothing]);
        assert_eq!(truncated(&symbols, infinite), None);
    }

    #[test]
    fn powers_of_integers_are_exact() {
        let mut symbols = Symbols::default();
        for base in -12..12_i64 {
            for exponent in 0..12_u32 {
                let arguments = [double(&mut symbols, base), double(&mut symbols, exponent.into())];
                let power = of(&mut symbols, "pow", &arguments);
                assert_eq!(truncated(&symbols, power), Some(base.pow(exponent) as f64), "{base}^{exponent}");
            }
        }
    }
}
