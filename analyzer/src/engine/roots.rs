//! Integer square roots: `(int)sqrt(size)` is how many processes are in a row of a square.

use lattice::{Linear, Symbol, SymbolKind, Symbols, Truth};

use super::eval::Scope;
use super::value::Value;

/// The functions of an integer that are its square root, rounded down and to the nearest integer.
const DOWN: &str = "isqrt";
const NEAREST: &str = "isqrt_nearest";

/// Whether a function is a square root.
pub(crate) fn is_root(function: &str) -> bool {
    matches!(function, DOWN | NEAREST)
}

/// The value of such a function.
pub(crate) fn root_value(function: &str, number: i64) -> Option<i64> {
    let root = number.checked_isqrt()?;
    match function {
        DOWN => Some(root),
        // (root + 1/2)^2 = root^2 + root + 1/4
        NEAREST if number - root * root > root => Some(root + 1),
        NEAREST => Some(root),
        _ => None,
    }
}

/// Which square root a floating-point number is that is made an integer, and of which integer.
fn rooted(symbols: &Symbols, number: Symbol) -> Option<(&'static str, Linear)> {
    let of = |symbol| match symbols.kind(symbol) {
        SymbolKind::Apply(function, arguments) => Some((&**function, arguments.as_slice())),
        _ => None,
    };
    let single = |argument: &Linear| argument.as_offset().filter(|(_, offset)| *offset == 0).map(|(s, _)| s);
    let root = |symbol| {
        let (function, [argument]) = of(symbol)? else { return None };
        let converted = single(argument).filter(|_| function == "sqrt")?;
        match of(converted)? {
            ("double", [number]) => Some(number.clone()),
            _ => None,
        }
    };
    if let Some(number) = root(number) {
        return Some((DOWN, number));
    }
    match of(number)? {
        ("floor" | "trunc", [argument]) => Some((DOWN, root(single(argument)?)?)),
        ("round" | "rint", [argument]) => Some((NEAREST, root(single(argument)?)?)),
        ("+.", [a, b]) => {
            let half = |x: &Linear| single(x).and_then(of) == Some(("0.5", &[][..]));
            let other = if half(b) { a } else { Some(b).filter(|_| half(a))? };
            Some((NEAREST, root(single(other)?)?))
        }
        _ => None,
    }
}

impl Scope<'_, '_> {
    /// A floating-point number made an integer, if it is the square root of a number that is not negative.
    pub(crate) fn integer_root(&mut self, number: Symbol) -> Option<Value> {
        let (function, of) = rooted(&self.engine.symbols, number)?;
        if self.facts.le(&Linear::zero(), &of) != Truth::Yes {
            return None;
        }
        let positive = self.facts.le(&1.into(), &of) == Truth::Yes;
        let root = self.engine.symbols.apply(function, vec![of.clone()]);
        self.bound(root, i64::from(positive));
        // No root of an integer is greater than it.
        self.facts.learn(&root.into(), &of);
        Some(Value::Int(root.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_seen_in_what_is_made_an_integer() {
        let mut symbols = Symbols::default();
        let np = Linear::np();
        let number = symbols.apply("double", vec![np.clone()]);
        let root = symbols.apply("sqrt", vec![number.into()]);
        let half = symbols.apply("0.5", Vec::new());
        let found =
            |symbols: &Symbols, symbol| rooted(symbols, symbol).map(|(function, of)| (function, of == np));
        assert_eq!(found(&symbols, root), Some((DOWN, true)));
        for (function, expected) in [("floor", DOWN), ("trunc", DOWN), ("round", NEAREST), ("rint", NEAREST)]
        {
            let rounded = symbols.apply(function, vec![root.into()]);
            assert_eq!(found(&symbols, rounded), Some((expected, true)), "{function}");
        }
        for arguments in [vec![root.into(), half.into()], vec![half.into(), root.into()]] {
            let sum = symbols.apply("+.", arguments);
            assert_eq!(found(&symbols, sum), Some((NEAREST, true)));
        }
        let one = symbols.apply("1", Vec::new());
        let others = [
            ("ceil", vec![root.into()]),
            ("+.", vec![root.into(), one.into()]),
            ("-.", vec![root.into(), half.into()]),
            ("sqrt", vec![root.into()]),
        ];
        for (function, arguments) in others {
            let other = symbols.apply(function, arguments);
            assert_eq!(found(&symbols, other), None, "{function}");
        }
        // Of less precision.
        let number = symbols.apply("float", vec![np.clone()]);
        let root = symbols.apply("sqrt", vec![number.into()]);
        assert_eq!(found(&symbols, root), None);
    }

    #[test]
    fn roots_are_those_of_real_numbers() {
        for number in 0_i32..10_000 {
            let root = f64::from(number).sqrt();
            assert_eq!(root_value(DOWN, number.into()), Some(root as i64));
            assert_eq!(root_value(NEAREST, number.into()), Some((root + 0.5) as i64));
        }
        assert_eq!(root_value(DOWN, -1), None);
        assert_eq!(root_value(NEAREST, i64::MAX), Some(3_037_000_500));
    }
}
