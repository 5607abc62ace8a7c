//! Symbols: unknown integers that have one value in any one execution.

use std::sync::Arc;

use effort::{spend, spend_on};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Linear;

/// An unknown integer, or a product of a few. Two occurrences of one symbol in one state have the same value.
///
/// A product holds its factors itself: the greatest number among them in the low 32 bits, the others plus one in 16 bits each. So an
/// expression that is linear in symbols may be a polynomial in their factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u64);

impl Symbol {
    /// The number of processes of `MPI_COMM_WORLD`.
    pub const NP: Self = Self(0);
    /// The rank of whichever process evaluates the expression. Like all [own](Self::is_own) symbols it may differ between the
    /// members of a process set, and never occurs in [`crate::Constraints`]: its bounds are those of the set.
    pub const RANK: Self = Self(1);

    /// How far the receiver of a message is after its sender. Own, too: it may differ between the messages of one process.
    pub const DISTANCE: Self = Self(2 * DIGITS as u64);

    /// What is left of the rank without its `below` least significant digits, in the radices of the set: `rank / n` for one digit of
    /// radix `n`, and the rank itself for none.
    ///
    /// # Panics
    /// From [`DIGITS`] on.
    #[must_use]
    pub fn tail(below: usize) -> Self {
        assert!(below < DIGITS, "sets have at most {DIGITS} digits");
        Self(1 + below as u64)
    }

    /// A digit of the rank but the most significant, which is a [`Self::tail`]: `rank % n` for digit 0 of radix `n`.
    ///
    /// # Panics
    /// From `DIGITS - 1` on.
    #[must_use]
    pub fn digit(position: usize) -> Self {
        assert!(position + 1 < DIGITS, "sets have at most {DIGITS} digits");
        Self(1 + (DIGITS + position) as u64)
    }

    /// Whether it may differ between the members of a process set: the rank, a part of it, or a distance from it.
    #[must_use]
    pub fn is_own(self) -> bool {
        self.factors().any(|factor| (1..FIRST_OF_STATE).contains(&factor.0))
    }

    /// The number of digits below a [`Self::tail`].
    #[must_use]
    pub fn as_tail(self) -> Option<usize> {
        (1..=DIGITS as u64).contains(&self.0).then(|| self.0 as usize - 1)
    }

    /// The symbol of this number that is no product.
    #[must_use]
    pub fn of(number: u32) -> Self {
        Self(number.into())
    }

    /// Its number, of what is no product.
    #[must_use]
    pub fn number(self) -> Option<u32> {
        u32::try_from(self.0).ok()
    }

    /// The symbols it is the product of, the greatest first; only itself of what is no product.
    pub fn factors(self) -> impl Iterator<Item = Self> {
        let others = [(self.0 >> 48) & 0xffff, (self.0 >> 32) & 0xffff].into_iter().filter(|&n| n != 0);
        std::iter::once(Self(self.0 & 0xffff_ffff)).chain(others.map(|n| Self(n - 1)))
    }

    /// Whether it is a product of several.
    #[must_use]
    pub fn is_product(self) -> bool {
        self.0 >> 32 != 0
    }

    /// Whether it is a symbol, or that is one of its factors.
    #[must_use]
    pub fn has(self, factor: Self) -> bool {
        self.factors().any(|own| own == factor)
    }

    /// The product of two; `None` where that has too many factors.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        let mut factors: Vec<u64> = self.factors().chain(other.factors()).map(|factor| factor.0).collect();
        factors.sort_unstable();
        Self::product(&factors)
    }

    /// The product of factors in ascending order.
    fn product(factors: &[u64]) -> Option<Self> {
        let (greatest, others) = factors.split_last()?;
        let mut packed = *greatest;
        for (factor, shift) in others.iter().rev().zip([48, 32]) {
            packed |= u64::from(u16::try_from(factor + 1).ok()?) << shift;
        }
        (others.len() <= 2).then_some(Self(packed))
    }

    /// What it is without one of its factors; `None` if that is none of them or nothing is left.
    #[must_use]
    pub fn without(self, factor: Self) -> Option<Self> {
        let mut factors: Vec<u64> = self.factors().map(|factor| factor.0).collect();
        factors.sort_unstable();
        factors.remove(factors.iter().position(|&own| own == factor.0)?);
        Self::product(&factors)
    }
}

/// Most digits of a process set.
pub const DIGITS: usize = 4;

/// The first symbol that has one value in a state.
const FIRST_OF_STATE: u64 = 2 * DIGITS as u64 + 1;

/// What a [`Symbol`] stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// [`Symbol::NP`]
    Np,
    /// [`Symbol::RANK`]
    Rank,
    /// A part of the rank: [`Symbol::tail`], [`Symbol::digit`], or [`Symbol::DISTANCE`].
    Part,
    /// An input of the program or a result that is equal on all ranks, printed by this text.
    Input(Arc<str>),
    /// A function of other numbers, known only by its arguments: `n / 2`, `atoi(argv[1])`. Equal arguments give the
    /// same symbol, so that ranks which compute it separately agree.
    Apply(Arc<str>, Vec<Linear>),
    /// Introduced where two states were joined; it has a meaning only inside the state that holds it.
    Joined,
    /// A product of symbols, see [`Symbol::factors`].
    Product,
}

/// Gives out symbols; one table for one analysis.
#[derive(Clone, Debug)]
pub struct Symbols {
    kinds: Vec<SymbolKind>,
    traits: Vec<Traits>,
    applied: FxHashMap<SymbolKind, Symbol>,
}

/// What follows from all that a symbol is made of. Kept with each symbol, since applications share arguments and a walk over them
/// may take exponential time.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// See [`Symbols::is_stable`].
    stable: bool,
    /// See [`Symbols::is_input`].
    input: bool,
    /// Applications inside one another.
    depth: u32,
}

/// Applications inside one another that can be displayed.
const DISPLAYED: u32 = 8;

impl Default for Symbols {
    fn default() -> Self {
        let traits = Traits { stable: true, input: false, depth: 0 };
        let mut kinds = vec![SymbolKind::Np, SymbolKind::Rank];
        kinds.resize(FIRST_OF_STATE as usize, SymbolKind::Part);
        Self { traits: vec![traits; kinds.len()], kinds, applied: FxHashMap::default() }
    }
}

impl Symbols {
    /// A symbol unequal to all others so far.
    ///
    /// # Panics
    /// After 2^32 symbols, which no budget allows.
    pub fn fresh(&mut self, kind: SymbolKind) -> Symbol {
        let number = u32::try_from(self.kinds.len()).expect("fewer than 2^32 symbols per analysis");
        let symbol = Symbol::of(number);
        self.traits.push(self.traits_of(&kind));
        self.kinds.push(kind);
        symbol
    }

    fn traits_of(&self, kind: &SymbolKind) -> Traits {
        match kind {
            SymbolKind::Np | SymbolKind::Rank | SymbolKind::Part => {
                Traits { stable: true, ..Traits::default() }
            }
            SymbolKind::Input(_) => Traits { stable: true, input: true, depth: 0 },
            SymbolKind::Joined | SymbolKind::Product => Traits::default(),
            SymbolKind::Apply(_, arguments) => {
                let mut traits = Traits { stable: true, input: arguments.is_empty(), depth: 0 };
                for symbol in arguments.iter().flat_map(Linear::symbols) {
                    let inner = self.traits(symbol);
                    traits.stable &= inner.stable;
                    traits.input |= inner.input;
                    traits.depth = traits.depth.max(inner.depth.saturating_add(1));
                }
                traits
            }
        }
    }

    /// The traits of a symbol, of a product those of all its factors.
    fn traits(&self, symbol: Symbol) -> Traits {
        let mut all = Traits { stable: true, input: false, depth: 0 };
        for factor in symbol.factors() {
            let traits = self.traits[factor.0 as usize];
            all.stable &= traits.stable;
            all.input |= traits.input;
            all.depth = all.depth.max(traits.depth);
        }
        all
    }

    /// The symbol of a function application; the same for the same function and arguments.
    pub fn apply(&mut self, function: &str, arguments: Vec<Linear>) -> Symbol {
        spend(4);
        let kind = SymbolKind::Apply(function.into(), arguments);
        if let Some(&symbol) = self.applied.get(&kind) {
            return symbol;
        }
        let symbol = self.fresh(kind.clone());
        self.applied.insert(kind, symbol);
        symbol
    }

    /// A number by its name, which is not known but the same in all runs: no input changes it.
    pub fn named(&mut self, name: &str) -> Symbol {
        let symbol = self.apply(name, Vec::new());
        self.traits[symbol.0 as usize].input = false;
        symbol
    }

    /// All function applications so far, in the order of their creation: an application comes after those in its arguments.
    pub fn applications(&self) -> impl Iterator<Item = (Symbol, &str, &[Linear])> {
        // All symbols are looked at.
        spend_on(self.kinds.len() / 4);
        self.kinds.iter().zip(0..).filter_map(|(kind, index)| match kind {
            SymbolKind::Apply(function, arguments) => {
                Some((Symbol::of(index), &**function, arguments.as_slice()))
            }
            _ => None,
        })
    }

    /// What a symbol stands for.
    #[must_use]
    pub fn kind(&self, symbol: Symbol) -> &SymbolKind {
        if symbol.is_product() { &SymbolKind::Product } else { &self.kinds[symbol.0 as usize] }
    }

    /// Whether a symbol means the same in every state of the analysis (all kinds but [`SymbolKind::Joined`]).
    #[must_use]
    pub fn is_stable(&self, symbol: Symbol) -> bool {
        self.traits(symbol).stable
    }

    /// Whether the value depends on an input of the program, or on a function whose arguments are not known.
    #[must_use]
    pub fn is_input(&self, symbol: Symbol) -> bool {
        self.traits(symbol).input
    }

    /// Whether an expression is computed from a symbol that `wanted` accepts, be it by functions of functions.
    #[must_use]
    pub fn is_made_from(&self, expression: &Linear, wanted: impl Fn(Symbol) -> bool) -> bool {
        // Functions share their arguments: from top to bottom there are more ways than symbols.
        let mut seen = FxHashSet::default();
        let mut work: Vec<Symbol> = expression.symbols().collect();
        while let Some(symbol) = work.pop() {
            if wanted(symbol) {
                return true;
            }
            if !seen.insert(symbol) {
                continue;
            }
            if symbol.is_product() {
                work.extend(symbol.factors());
            }
            if let SymbolKind::Apply(_, arguments) = self.kind(symbol) {
                work.extend(arguments.iter().flat_map(Linear::symbols));
            }
        }
        false
    }

    /// Whether a symbol is worth showing as the value of something else: not the outcome of a comparison.
    #[must_use]
    pub fn is_quantity(&self, symbol: Symbol) -> bool {
        match self.kind(symbol) {
            SymbolKind::Apply(function, _) => !matches!(&**function, "<" | "<=" | ">" | ">=" | "==" | "!="),
            _ => true,
        }
    }

    /// Notes that a symbol (of a product: each factor) depends on an input of the program, which its kind does not tell. What is made
    /// from it later does too.
    pub fn note_input(&mut self, symbol: Symbol) {
        for factor in symbol.factors() {
            self.traits[factor.0 as usize].input = true;
        }
    }

    /// The text of an expression; `None` when it holds a symbol that means nothing outside its state, one that is too deeply nested
    /// to be read, or a function with a space in its name: such names are for the caller, not for a reader of C.
    #[must_use]
    pub fn display(&self, expression: &Linear) -> Option<String> {
        self.display_named(expression, &|_| None)
    }

    /// The same with other names for some symbols.
    #[must_use]
    pub fn display_named(
        &self,
        expression: &Linear,
        names: &dyn Fn(Symbol) -> Option<String>,
    ) -> Option<String> {
        let constant = expression.constant();
        // A positive number goes first where it spares a leading minus: 1 - rank.
        let leads = constant > 0 && expression.terms().all(|(_, k)| k < 0);
        let mut text = if leads { constant.to_string() } else { String::new() };
        let mut terms: Vec<(Symbol, i64)> = expression.terms().collect();
        terms.sort_by_key(|&(_, k)| k < 0);
        for (symbol, coefficient) in terms {
            let named = |symbol: Symbol| names(symbol).or_else(|| self.name(symbol));
            let mut factors = symbol.factors().map(named).collect::<Option<Vec<_>>>()?;
            factors.reverse();
            let name = factors.join("*");
            text.push_str(match (text.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            });
            match coefficient.unsigned_abs() {
                1 => text.push_str(&name),
                factor => text.push_str(&format!("{factor}*{name}")),
            }
        }
        match constant {
            _ if leads => {}
            constant if text.is_empty() => text = constant.to_string(),
            0 => {}
            c if c < 0 => text.push_str(&format!(" - {}", c.unsigned_abs())),
            c => text.push_str(&format!(" + {c}")),
        }
        Some(text)
    }

    fn name(&self, symbol: Symbol) -> Option<String> {
        if self.traits(symbol).depth > DISPLAYED {
            return None;
        }
        match self.kind(symbol) {
            SymbolKind::Np => Some("np".to_owned()),
            SymbolKind::Rank => Some("rank".to_owned()),
            SymbolKind::Input(name) => Some(name.to_string()),
            SymbolKind::Joined | SymbolKind::Part | SymbolKind::Product => None,
            SymbolKind::Apply(function, _) if function.contains(' ') => None,
            SymbolKind::Apply(function, arguments) => {
                let texts = arguments.iter().map(|a| self.display(a)).collect::<Option<Vec<_>>>()?;
                Some(match (arguments.as_slice(), texts.as_slice()) {
                    ([], _) => function.to_string(),
                    ([left, right], [a, b]) if !function.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                        let (a, b) = (operand(left, a, false), operand(right, b, true));
                        format!("({a} {function} {b})")
                    }
                    _ => format!("{function}({})", texts.join(", ")),
                })
            }
        }
    }
}

/// The text of an operand of a binary operator, in parentheses where it would be read otherwise without them.
fn operand(value: &Linear, text: &str, right: bool) -> String {
    let addends = value.terms().count() + usize::from(value.constant() != 0);
    let is_product = value.terms().any(|(symbol, k)| k != 1 || symbol.is_product());
    if 1 < addends || (right && is_product) { format!("({text})") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_read_as_they_are_meant() {
        let mut symbols = Symbols::default();
        let n = symbols.fresh(SymbolKind::Input("n".into()));
        let shown = |symbols: &mut Symbols, left: Linear, right: Linear| {
            let quotient = symbols.apply("/", vec![left, right]);
            symbols.display(&quotient.into())
        };
        let twice = Linear::zero().add_scaled(&n.into(), 2).expect("small");
        let next = Linear::from(n).offset(1).expect("small");
        assert_eq!(shown(&mut symbols, next.clone(), 2.into()).as_deref(), Some("((n + 1) / 2)"));
        assert_eq!(shown(&mut symbols, twice.clone(), 3.into()).as_deref(), Some("(2*n / 3)"));
        assert_eq!(shown(&mut symbols, n.into(), twice).as_deref(), Some("(n / (2*n))"));
        assert_eq!(shown(&mut symbols, n.into(), next).as_deref(), Some("(n / (n + 1))"));
    }

    /// With two ways from each function down to the next there are 2^200 from the top to the bottom.
    #[test]
    fn shared_arguments_are_looked_at_once() {
        let mut symbols = Symbols::default();
        let bottom = symbols.fresh(SymbolKind::Joined);
        let other = symbols.fresh(SymbolKind::Joined);
        let mut top = bottom;
        for _ in 0..200 {
            top = symbols.apply("+", vec![top.into(), Linear::from(top).offset(1).expect("small")]);
        }
        assert!(symbols.is_made_from(&top.into(), |symbol| symbol == bottom));
        assert!(!symbols.is_made_from(&top.into(), |symbol| symbol == other));
    }
}
