//! Formulas of sets and relations, as people read them.

use presburger::{Piece, Relation, Set};

use crate::digits::Digits;
use crate::error::Result;

/// Distances of elements of a row that are tried, at most.
const STEP: i64 = 4;
/// How often a ring may be gone round on the way from one process to the next.
const ROUNDS: std::ops::RangeInclusive<i64> = -3..=3;

/// A part of the first points of a relation, and what their second points are there.
pub(crate) struct Image {
    pub(crate) domain: Set,
    pub(crate) text: String,
    /// For which parameters, if the text does not say so.
    pub(crate) condition: String,
}

/// Makes formulas of sets, for the parameters that are possible.
pub(crate) struct Teller<'a> {
    pub(crate) known: &'a Set,
    /// How processes are written, if not by their ranks.
    pub(crate) digits: Option<&'a Digits>,
}

impl Teller<'_> {
    /// A set of processes as `[0..np-1]`, in parts for numbers of processes.
    pub(crate) fn sides(&self, members: &Set) -> Result<Vec<Image>> {
        if let Some(digits) = self.digits {
            return self.sides_of_digits(digits, members);
        }
        let nothing = Set::parse(members.context(), "{ [] }")?;
        let mut images = self.images(&nothing.cross(members)?, &[])?;
        for image in &mut images {
            let text = image.text.trim_start_matches("each of ");
            let text = if text.starts_with('[') {
                compact(text)
            } else if text.starts_with('{') {
                as_mathematics(&members.gist_parameters(self.known)?.to_string())
            } else {
                compact(&format!("[{text}..{text}]"))
            };
            let condition = self.condition(image)?;
            let here = members.intersect_parameters(&image.domain.parameter_domain()?)?;
            *image = Image { domain: here, text, condition };
        }
        Ok(images)
    }

    /// For which parameters a row of processes is meant, where its bounds do not say so.
    fn condition(&self, image: &Image) -> Result<String> {
        let context = image.domain.context();
        let here = image.domain.parameter_domain()?;
        if let Some((low, high)) = image.text.trim_start_matches("each of [").split_once("..") {
            let high = high.split(']').next().unwrap_or(high);
            let names = self.known.parameters()?.join(", ");
            // Where the expressions are ones of integer sets, too.
            if let Ok(said) = Set::parse(context, &format!("[{names}] -> {{ : ({low}) <= ({high}) }}"))
                && said.intersect_parameters(self.known)?.is_equal(&here)?
            {
                return Ok(String::new());
            }
        }
        let condition = here.condition(self.known)?.map(|text| text.replace("==", "=").replace("&&", "and"));
        Ok(condition.map_or_else(String::new, |condition| format!(" for {condition}")))
    }

    pub(crate) fn others(&self, pairs: &Relation) -> Result<String> {
        if let Some(digits) = self.digits {
            return self.others_of_digits(digits, pairs);
        }
        match self.around(pairs)? {
            Some(text) => Ok(text),
            None => Ok(joined(self.images(pairs, &["rank"])?)),
        }
    }

    /// `(rank + 1) % np`, where it is that.
    pub(crate) fn around(&self, pairs: &Relation) -> Result<Option<String>> {
        if !pairs.is_single_valued()? {
            return Ok(None);
        }
        let pieces = pairs.pieces(&["rank"], self.known)?;
        if pieces.len() < 2 {
            return Ok(None);
        }
        for piece in &pieces {
            let Some(distance) = distance(&piece.values) else { continue };
            let rounds: Vec<String> = ROUNDS
                .map(|rounds| {
                    format!(
                        "[r] -> [r + {distance} - {rounds}np] : 0 <= r < np and 0 <= r + {distance} - {rounds}np < np"
                    )
                })
                .collect();
            let ring = format!("[np] -> {{ {} }}", rounds.join("; "));
            let ring = Relation::parse(pairs.context(), &ring)?.intersect_parameters(self.known)?;
            let within = ring.intersect_domain(&pairs.domain()?)?;
            if within.is_equal(pairs)? {
                return Ok(Some(if distance > 0 {
                    format!("(rank + {distance}) % np")
                } else {
                    format!("(rank - {} + np) % np", -distance)
                }));
            }
        }
        Ok(None)
    }

    /// What the second points of each first one are: one, or a row.
    pub(crate) fn images(&self, pairs: &Relation, names: &[&str]) -> Result<Vec<Image>> {
        let pairs = pairs.intersect_parameters(self.known)?.coalesce()?;
        if pairs.is_single_valued()? {
            return Ok(pairs.pieces(names, self.known)?.into_iter().map(one).collect());
        }
        // All but itself: a row without a gap, with itself.
        let mut rows = vec![(pairs.clone(), "each of")];
        if !names.is_empty() {
            rows.push((pairs.union(&pairs.domain()?.identity()?)?, "each other of"));
        }
        for (pairs, each) in rows {
            let (lowest, highest) = (pairs.lexicographic_minimum()?, pairs.lexicographic_maximum()?);
            for step in 1..=STEP {
                let context = pairs.context();
                let above = format!("{{ [l] -> [y] : l <= y and (y - l) mod {step} = 0 }}");
                let above = lowest.apply_range(&Relation::parse(context, &above)?)?;
                let up_to = |highest: &Relation| -> Result<bool> {
                    let below = Relation::parse(context, "{ [h] -> [y] : y <= h }")?;
                    Ok(above.intersect(&highest.apply_range(&below)?)?.is_equal(&pairs)?)
                };
                if !up_to(&highest)? {
                    continue;
                }
                // The last of a row with gaps may depend on remainders, where a simple bound says the same.
                let mut last = highest.clone();
                for less in (1..=step).filter(|_| step > 1) {
                    let bound = Relation::parse(context, &format!("[np] -> {{ [l] -> [np - {less}] }}"))?;
                    let bound = lowest.apply_range(&bound)?;
                    if up_to(&bound)? {
                        last = bound;
                        break;
                    }
                }
                let ends = lowest.flat_range_product(&last)?;
                let row = |piece: Piece| {
                    let (low, high) = (&piece.values[0], &piece.values[1]);
                    let text = if low == high {
                        low.clone()
                    } else {
                        let step = if step == 1 { String::new() } else { format!(" step {step}") };
                        format!("{each} {}{step}", compact(&format!("[{low}..{high}]")))
                    };
                    Image { domain: piece.domain, text, condition: String::new() }
                };
                return Ok(ends.pieces(names, self.known)?.into_iter().map(row).collect());
            }
        }
        let text = format!("each of {}", as_mathematics(&pairs.gist_parameters(self.known)?.to_string()));
        Ok(vec![Image { domain: pairs.domain()?, text, condition: String::new() }])
    }

    /// One formula over coordinates of first points with these names, if it is one.
    pub(crate) fn formula(&self, values: &Relation, names: &[&str]) -> Result<Option<String>> {
        if let Some(digits) = self.digits {
            return self.formula_of_digits(digits, values, names);
        }
        if !values.is_single_valued()? {
            return Ok(None);
        }
        let mut pieces = values.pieces(names, self.known)?;
        Ok(match (pieces.pop(), pieces.is_empty()) {
            (Some(Piece { values, .. }), true) => values.into_iter().next(),
            _ => None,
        })
    }

    /// How many second points each first one has, if that is one formula over the parameters; coordinates of first points get these
    /// names.
    pub(crate) fn number(&self, of: &Relation, names: &[&str]) -> Result<Option<String>> {
        if of.is_single_valued()? {
            return Ok(Some("1".to_owned()));
        }
        let all = of.range_over(names)?;
        if let Some(number) = number_where(&all, &all.parameter_domain()?, names)? {
            return Ok(Some(number));
        }
        // The same for some of the first points, and for the others.
        let mut told: Option<String> = None;
        for part in all.conjunctions()? {
            let here = part.parameter_domain()?;
            let number = number_where(&all.intersect_parameters(&here)?, &here, names)?;
            if number.is_none() || told.as_ref().is_some_and(|told| number.as_ref() != Some(told)) {
                return Ok(None);
            }
            told = number;
        }
        Ok(told)
    }
}

/// How many points there are where parameters are in a set, if that is one formula without these names.
fn number_where(all: &Set, here: &Set, names: &[&str]) -> Result<Option<String>> {
    let Some(count) = all.count_where(here)? else { return Ok(None) };
    if let Some(number) = count.as_number() {
        return Ok(Some(number.to_string()));
    }
    let text = count.to_string();
    let differs = names.iter().any(|name| text.contains(name)) || text.contains("[0 <=");
    Ok((!differs).then(|| with_products(&text)))
}

/// A set without the names of its parameters in front: `{ [d0] : 0 <= d0 < np }`.
pub(crate) fn as_mathematics(text: &str) -> String {
    text.split_once("-> {")
        .filter(|(names, _)| !names.contains('{'))
        .map_or_else(|| text.to_owned(), |(_, set)| format!("{{{set}"))
}

/// `2*np` for `2np`.
fn with_products(text: &str) -> String {
    let mut told = String::new();
    let mut before = ' ';
    // Whether a number is not part of a name.
    let mut is_number = false;
    for c in text.chars() {
        if is_number && before.is_ascii_digit() && (c.is_ascii_alphabetic() || c == '(') {
            told.push('*');
        }
        is_number = if c.is_ascii_digit() { is_number || !before.is_ascii_alphanumeric() } else { false };
        told.push(c);
        before = c;
    }
    told
}

fn one(piece: Piece) -> Image {
    let text = piece.values.into_iter().next().unwrap_or_default();
    Image { domain: piece.domain, text, condition: String::new() }
}

pub(crate) fn joined(images: Vec<Image>) -> String {
    images.into_iter().map(|image| image.text + &image.condition).collect::<Vec<_>>().join(" or ")
}

/// Bounds in brackets have no blanks in them: `[0..np-2]`.
pub(crate) fn compact(text: &str) -> String {
    let Some(end) = text.rfind(']') else { return text.to_owned() };
    let (row, rest) = text.split_at(end);
    row.replace(' ', "") + rest
}

/// How far `rank + 1` is from `rank`.
fn distance(values: &[String]) -> Option<i64> {
    let [value] = values else { return None };
    let rest = value.strip_prefix("rank")?.replace(' ', "");
    rest.parse::<i64>().ok()
}
