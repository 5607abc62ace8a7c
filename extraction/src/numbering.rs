//! Ranks in a part of a communicator: whether processes are numbered as the standard says, and numberings with digits.

use presburger::{Relation, Set};

use crate::communicators::length;
use crate::error::Result;
use crate::extract::Extractor;
use crate::form::Bound;
use crate::region::Region;

/// How far apart neighbours of a part may be, at most.
const STRIDE: i64 = 3;

impl Extractor<'_> {
    /// A numbering with digits, the widths of which are those of processes: from each process to its class, and to the digits of its rank in
    /// that. Ranks are guessed to be how far a process is from the lowest or the highest one of its class, or a part of that; then they are
    /// proved. `None` where they are others.
    pub(crate) fn numbered_with_digits(
        &mut self,
        classes: &Relation,
        order: &Relation,
    ) -> Result<Option<Relation>> {
        let members = classes.inverse()?;
        let process = self.process();
        let mut region = Region { coordinates: self.process.clone(), set: classes.domain()? };
        let mut ends = Vec::new();
        for end in [members.lexicographic_minimum()?, members.lexicographic_maximum()?] {
            let at = self.new_digits();
            region = region.extended_by(&at, &process, &classes.apply_range(&end)?, &self.parameters)?;
            ends.push(self.parameters.number_with(&at));
        }
        let rank = self.rank();
        for (far, near) in [(&rank, &ends[0]), (&ends[1], &rank)] {
            let Some(distance) = far.plus(near, -1) else { continue };
            for stride in 1..=STRIDE {
                let Some((region, quotient, rest)) = self.divided_by_number(&region, &distance, stride)?
                else {
                    continue;
                };
                let whole = region.where_linear(&[Bound::zero(rest)], &self.parameters)?;
                let (Some(whole), Some(digits)) = (whole, self.parts(&quotient)) else { continue };
                let ranks = whole.relation("", &self.process, &digits, &self.parameters)?;
                let places = classes.flat_range_product(&ranks)?.simplified()?;
                if self.is_numbering(&places, digits.len(), classes, order)? {
                    return Ok(Some(places));
                }
            }
        }
        Ok(None)
    }

    /// From a rank with so many digits to the next one.
    pub(crate) fn next_rank(&self, digits: usize) -> Result<Relation> {
        let names: Vec<String> = (0..digits).map(|at| format!("r{at}")).collect();
        let widths = self.digits().map(|digits| digits.widths).unwrap_or_default();
        let steps = (0..digits).map(|at| {
            // This digit is one more, and the lower ones begin again.
            let mut from = names.clone();
            let mut to = names.clone();
            to[at] = format!("{} + 1", names[at]);
            for lower in at + 1..digits {
                from[lower] = format!("{} - 1", widths[lower - 1]);
                "0".clone_into(&mut to[lower]);
            }
            let within = match at {
                0 => String::new(),
                _ => format!(" : {} + 1 < {}", names[at], widths[at - 1]),
            };
            format!("[{}] -> [{}]{within}", from.join(", "), to.join(", "))
        });
        let steps = steps.collect::<Vec<_>>().join("; ");
        Ok(Relation::parse(&self.context, &format!("[{}] -> {{ {steps} }}", widths.join(", ")))?)
    }

    /// Whether each process of a class has a rank of so many digits, from 0 on without gaps, in this order.
    pub(crate) fn is_numbering(
        &self,
        places: &Relation,
        digits: usize,
        classes: &Relation,
        order: &Relation,
    ) -> Result<bool> {
        let members: Set = classes.domain()?;
        if !members.is_subset(&places.domain()?)? || !places.is_single_valued()? {
            return Ok(false);
        }
        let mates = classes.apply_range(&classes.inverse()?)?;
        let later = order.lex_lt(order)?.intersect(&mates)?;
        if !later.is_subset(&places.lex_lt(places)?)? {
            return Ok(false);
        }
        let length = length(places)?;
        let ranks = places.project_out_range(0..length - digits)?;
        let names: Vec<String> = (0..digits).map(|at| format!("r{at}")).collect();
        let not_negative = format!("{{ [{}] : {} >= 0 }}", names.join(", "), names[0]);
        if !ranks.range()?.is_subset(&Set::parse(&self.context, &not_negative)?)? {
            return Ok(false);
        }
        // Whoever is not the first of its class has one before itself in it.
        let first = format!("{{ [{}] }}", vec!["0"; digits].join(", "));
        let others = ranks.subtract(&ranks.intersect_range(&Set::parse(&self.context, &first)?)?)?;
        let before = ranks.apply_range(&self.next_rank(digits)?)?.inverse()?;
        let has_one = others.apply_range(&before)?.intersect(&mates)?.domain()?;
        Ok(others.domain()?.is_subset(&has_one)?)
    }
}
