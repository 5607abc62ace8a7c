//! Sets and relations as mathematics: `[np] -> { send[r] -> recv[r + 1] : 0 <= r < np - 1 }`.
//!
//! What is printed can be read back and is the same set. A coordinate that the others determine is put where it stands in the tuple; what
//! must be an integer for something to hold is printed as a quotient or a remainder if it is one.

mod conjunction;
mod determined;
mod terms;

use std::collections::BTreeSet;
use std::fmt;

use crate::conjunct::Conjunct;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::set::Set;
use crate::space::{Shape, given_text};
use crate::sys;

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the set is kept, and the text given.
        let plain = || unsafe { given_text(sys::isl_union_set_to_str(self.0.keep())) };
        f.write_str(&printed(self.context(), || set_text(self, false), plain))
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the relation is kept, and the text given.
        let plain = || unsafe { given_text(sys::isl_union_map_to_str(self.0.keep())) };
        f.write_str(&printed(self.context(), || set_text(&self.wrap()?, true), plain))
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Printing costs nothing of the budget. Where numbers are too large for us, isl's own text has them.
fn printed(
    context: &Context,
    ours: impl FnOnce() -> Result<String>,
    plain: impl FnOnce() -> Option<String>,
) -> String {
    context.uncounted(|| ours().ok().or_else(plain).unwrap_or_else(|| "{ no memory to print it }".to_owned()))
}

fn set_text(set: &Set, are_pairs: bool) -> Result<String> {
    let mut used = BTreeSet::new();
    let mut all = Vec::new();
    for (shape, part) in set.shaped()? {
        let parameters = space_of(&part)?.parameters()?;
        for conjunct in Conjunct::all(&part)? {
            let conjunct = Conjunct::read(&conjunct)?;
            let text = conjunction::text(&shape, &parameters, conjunct, are_pairs).ok_or(Error::Overflow)?;
            used.extend(text.parameters);
            all.push(text.text);
        }
    }
    // In the order that the set has them in.
    let names = set.parameters()?;
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| used.contains(*name)).collect();
    let front = if names.is_empty() { String::new() } else { format!("[{}] -> ", names.join(", ")) };
    Ok(if all.is_empty() { format!("{front}{{ }}") } else { format!("{front}{{ {} }}", all.join("; ")) })
}

fn space_of(set: &Owned<sys::isl_set>) -> Result<Owned<sys::isl_space>> {
    // SAFETY: kept; given.
    unsafe { set.context().give(|| sys::isl_set_get_space(set.keep())) }
}

/// A tuple with something in the place of each coordinate.
fn tuple_text(shape: &Shape, entries: &mut dyn Iterator<Item = String>, is_relation: bool) -> String {
    match shape {
        Shape::None => String::new(),
        Shape::Tuple { name, coordinates } => {
            let entries: Vec<String> = entries.take(coordinates.len()).collect();
            format!("{name}[{}]", entries.join(", "))
        }
        Shape::Pair { name, parts } => {
            let from = tuple_text(&parts.0, entries, false);
            let to = tuple_text(&parts.1, entries, false);
            if is_relation { format!("{from} -> {to}") } else { format!("{name}[{from} -> {to}]") }
        }
    }
}
