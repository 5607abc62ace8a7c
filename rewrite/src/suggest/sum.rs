//! Whole-number expressions as sums of products of names.
//!
//! Indices, lengths and bounds of loops are compared, subtracted and written anew in this form. Only names of numbers that fit into an
//! `int` are taken in: macros that stand for a number in every build, and plain variables of a type no longer than `int`.

use std::collections::BTreeMap;

use tree_sitter::Node;

use super::scope::{Scope, Shape, decimal, has_word};

/// Types that MPI's `int` arguments hold all values of, as far as sizes of arrays go.
const INTEGERS: [&str; 8] =
    ["int", "short", "signed int", "signed", "unsigned", "unsigned int", "char", "unsigned short"];

/// Steps of a division.
const STEPS: usize = 64;

/// A sum of products, with integers before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// Names of each product in order, and the number before it, which is never 0.
    terms: BTreeMap<Vec<String>, i64>,
}

impl Sum {
    /// A number.
    pub(super) fn number(number: i64) -> Self {
        Self::product(Vec::new(), number)
    }

    fn name(name: &str) -> Self {
        Self::product(vec![name.to_owned()], 1)
    }

    fn product(names: Vec<String>, number: i64) -> Self {
        Self { terms: (number != 0).then_some((names, number)).into_iter().collect() }
    }

    /// What an expression is; `None` where it is not made of names and numbers by `+`, `-` and `*`. A quotient or remainder of names is
    /// a name of its own.
    pub(super) fn of<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<Self> {
        match node.kind() {
            "number_literal" => match scope.text(node).strip_prefix('-') {
                Some(number) => Self::number(decimal(number)?).times(&Self::number(-1)),
                None => decimal(scope.text(node)).map(Self::number),
            },
            "identifier" => {
                let name = scope.text(node);
                if scope.number(name).is_some() {
                    return Some(Self::name(name));
                }
                let variable = scope.variable(node, name)?;
                let is_integer = scope.type_of(&variable).is_some_and(|t| INTEGERS.contains(&t.as_str()));
                let fits = is_integer && variable.shape == Shape::Plain && scope.is_pure(node);
                fits.then(|| Self::name(name))
            }
            "parenthesized_expression" => Self::of(scope, node.named_child(0)?),
            "unary_expression" if scope.text(node).starts_with('-') => {
                Self::of(scope, node.child_by_field_name("argument")?)?.times(&Self::number(-1))
            }
            "binary_expression" => {
                let left = Self::of(scope, node.child_by_field_name("left")?)?;
                let right = Self::of(scope, node.child_by_field_name("right")?)?;
                match node.child_by_field_name("operator")?.kind() {
                    "+" => left.plus(&right),
                    "-" => left.minus(&right),
                    "*" => left.times(&right),
                    "/" | "%" => {
                        let words: Vec<_> = scope.text(node).split_whitespace().collect();
                        Some(Self::name(&format!("({})", words.join(" "))))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `None` if a number is too large.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for (names, number) in &other.terms {
            let term = sum.terms.entry(names.clone()).or_insert(0);
            *term = term.checked_add(*number)?;
        }
        sum.terms.retain(|_, number| *number != 0);
        Some(sum)
    }

    /// `None` if a number is too large.
    pub(super) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.times(&Self::number(-1))?)
    }

    /// `None` if a number is too large.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (a, m) in &self.terms {
            for (b, n) in &other.terms {
                let mut names = [a.as_slice(), b.as_slice()].concat();
                names.sort_unstable();
                all = all.plus(&Self::product(names, m.checked_mul(*n)?))?;
            }
        }
        Some(all)
    }

    /// What a variable is multiplied with, and the rest; `None` where it stands in a product with itself or in a quotient.
    pub(super) fn split(&self, variable: &str) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::default(), Self::default());
        for (names, number) in &self.terms {
            let (own, others): (Vec<_>, Vec<_>) = names.iter().cloned().partition(|name| name == variable);
            if 1 < own.len() || others.iter().any(|name| has_word(name, variable)) {
                return None;
            }
            let sum = if own.is_empty() { &mut rest } else { &mut factor };
            *sum = sum.plus(&Self::product(others, *number))?;
        }
        Some((factor, rest))
    }

    /// With a value in place of a variable.
    pub(super) fn with(&self, variable: &str, value: &Self) -> Option<Self> {
        let (factor, rest) = self.split(variable)?;
        factor.times(value)?.plus(&rest)
    }

    /// With numbers in place of macros.
    fn resolved(&self, scope: &Scope<'_>) -> Option<Self> {
        let mut all = Self::default();
        for (names, number) in &self.terms {
            let mut product = Self::number(*number);
            for name in names {
                let factor = scope.number(name).map_or_else(|| Self::name(name), Self::number);
                product = product.times(&factor)?;
            }
            all = all.plus(&product)?;
        }
        Some(all)
    }

    /// The number that it is in every build.
    pub(super) fn value(&self, scope: &Scope<'_>) -> Option<i64> {
        let resolved = self.resolved(scope)?;
        match resolved.terms.iter().next() {
            None => Some(0),
            Some((names, number)) if names.is_empty() && resolved.terms.len() == 1 => Some(*number),
            Some(_) => None,
        }
    }

    /// Whether two are equal whatever the variables are. May be false although they are.
    pub(super) fn equals(&self, scope: &Scope<'_>, other: &Self) -> bool {
        self.minus(other).and_then(|difference| difference.value(scope)) == Some(0)
    }

    /// Quotient and remainder by another, such as the length of a row. Where numbers do not divide, the remainder is not negative.
    pub(super) fn divided(&self, scope: &Scope<'_>, other: &Self) -> Option<(Self, Self)> {
        let (mut rest, other) = (self.resolved(scope)?, other.resolved(scope)?);
        let (leading, &factor) = other.terms.iter().max_by_key(|(names, _)| names.len())?;
        if factor <= 0 {
            return None;
        }
        let mut quotient = Self::default();
        // Each step takes away one product, or makes its number smaller than the factor.
        let open = |sum: &Self| {
            sum.terms.iter().find_map(|(names, number)| {
                let times = number.div_euclid(factor);
                (times != 0).then(|| Some((without(names, leading)?, times)))?
            })
        };
        for _ in 0..STEPS {
            let Some((names, times)) = open(&rest) else { return Some((quotient, rest)) };
            let part = Self::product(names, times);
            rest = rest.minus(&other.times(&part)?)?;
            quotient = quotient.plus(&part)?;
        }
        None
    }

    /// How many names the longest product has, and the number before it.
    pub(super) fn degree(&self) -> (usize, i64) {
        let terms = self.terms.iter().map(|(names, number)| (names.len(), *number));
        terms.max().unwrap_or_default()
    }

    /// Whether it is at least 0 if none of those that are `known` is negative. May be false although it is.
    pub(super) fn is_never_negative(&self, scope: &Scope<'_>, known: &[Self]) -> bool {
        let is_known = |name: &String| known.contains(&Self::name(name));
        let is_positive =
            |sum: Self| sum.terms.iter().all(|(names, number)| 0 <= *number && names.iter().all(is_known));
        let rest = |other: &Self| self.minus(other)?.resolved(scope);
        self.resolved(scope).is_some_and(is_positive)
            || known.iter().any(|other| rest(other).is_some_and(is_positive))
    }

    /// Names of variables and macros, and the quotients of such.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.terms.keys().flatten().map(String::as_str)
    }

    /// As an expression of C; in parentheses where it is more than one factor.
    pub(super) fn factor(&self) -> String {
        let text = self.to_string();
        let is_one = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_one { text } else { format!("({text})") }
    }
}

/// A product without the names of another; `None` where it does not have all of them.
fn without(names: &[String], others: &[String]) -> Option<Vec<String>> {
    let mut left = names.to_vec();
    for other in others {
        let at = left.iter().position(|name| name == other)?;
        left.remove(at);
    }
    Some(left)
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // What is added reads better before what is subtracted, and names before numbers.
        let mut terms: Vec<(&Vec<String>, i64)> = self.terms.iter().map(|(names, &n)| (names, n)).collect();
        terms.sort_by_key(|(names, number)| (*number < 0, names.is_empty()));
        if terms.is_empty() {
            return f.write_str("0");
        }
        for (position, (names, number)) in terms.into_iter().enumerate() {
            let size = number.unsigned_abs();
            f.write_str(match (position, number < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let mut factors: Vec<String> = names.clone();
            if size != 1 || names.is_empty() {
                factors.insert(0, size.to_string());
            }
            f.write_str(&factors.join(" * "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n() -> Sum {
        Sum::name("n")
    }

    #[test]
    fn sums_are_written_as_c() {
        let three = Sum::number(3);
        assert_eq!(Sum::default().to_string(), "0");
        assert_eq!(n().minus(&three).unwrap().to_string(), "n - 3");
        assert_eq!(three.minus(&n()).unwrap().to_string(), "3 - n");
        let product = n().times(&three).and_then(|p| p.times(&Sum::name("m"))).unwrap();
        assert_eq!(product.plus(&three).unwrap().to_string(), "3 * m * n + 3");
        assert_eq!(Sum::number(-2).factor(), "(-2)");
    }

    #[test]
    fn sums_are_divided_by_the_length_of_a_row() {
        let file = crate::text::SourceFile::new("a.c", "#define N 12\n").expect("it can be read");
        let scope = Scope::new(&file);
        let divided = |sum: &Sum, by: &Sum| {
            let (quotient, rest) = sum.divided(&scope, by).expect("it can be divided");
            assert!(quotient.times(by).and_then(|product| product.plus(&rest)).unwrap().equals(&scope, sum));
            [quotient.to_string(), rest.to_string()]
        };
        let (one, width) = (Sum::number(1), n().plus(&Sum::number(2)).unwrap());
        let row = |index: &Sum| index.times(&width).and_then(|sum| sum.plus(&one)).unwrap();
        let m = Sum::name("m");
        assert_eq!(divided(&row(&m), &width), ["m", "1"]);
        assert_eq!(divided(&row(&m.plus(&one).unwrap()), &width), ["m + 1", "1"]);
        assert_eq!(divided(&row(&Sum::number(-1)), &width), ["-1", "1"]);
        assert_eq!(divided(&Sum::number(-5), &Sum::name("N")), ["-1", "7"]);
        assert_eq!(divided(&n().times(&Sum::number(30)).unwrap(), &Sum::name("N")), ["2 * n", "6 * n"]);
        assert_eq!(n().divided(&scope, &Sum::default()), None);
        assert_eq!(n().divided(&scope, &Sum::number(2).minus(&n()).unwrap()), None);
    }

    #[test]
    fn a_sum_is_not_negative_only_if_all_its_names_are_not() {
        let file = crate::text::SourceFile::new("a.c", "#define N 12\n").expect("it can be read");
        let scope = Scope::new(&file);
        let left = n().plus(&Sum::name("N")).unwrap();
        assert!(left.is_never_negative(&scope, &[n()]));
        assert!(!left.is_never_negative(&scope, &[Sum::name("m")]));
        let last = n().minus(&Sum::number(1)).unwrap();
        assert!(!last.is_never_negative(&scope, &[n()]));
        assert!(last.plus(&n()).unwrap().is_never_negative(&scope, &[last, n()]));
    }

    #[test]
    fn a_variable_is_split_off_only_where_it_is_linear() {
        let square = n().times(&n()).unwrap();
        assert_eq!(square.split("n"), None);
        assert_eq!(Sum::name("(n / 2)").split("n"), None);
        let row = n().times(&Sum::name("i")).and_then(|s| s.plus(&Sum::number(7))).unwrap();
        assert_eq!(row.split("i"), Some((n(), Sum::number(7))));
        assert_eq!(row.with("i", &Sum::number(2)).unwrap().to_string(), "2 * n + 7");
    }
}
