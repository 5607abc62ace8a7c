//! The datatypes that a program builds, as a reader is told of them.

use std::fmt::{self, Write as _};

use layout::CostModel;

use super::Engine;
use super::overlaps::Made;
use crate::results::BuiltDatatype;

/// Bytes of a text that are shown.
const SHOWN: usize = 400;

/// Nodes of a tree that are added up. A tree whose parts are shared may have very many.
const NODES: usize = 1 << 16;

impl Engine<'_> {
    /// Those of which all is known, by place.
    pub(crate) fn built_datatypes(&self) -> Vec<BuiltDatatype> {
        let known = self.entries.iter().filter_map(|(name, made)| Some((name, made.as_ref()?)));
        let mut all: Vec<BuiltDatatype> = known.map(|(name, made)| self.told(name, made)).collect();
        all.sort_by(|a, b| (&a.site, &a.name).cmp(&(&b.site, &b.name)));
        all
    }

    fn told(&self, name: &str, made: &Made) -> BuiltDatatype {
        let Made { datatype, layout, .. } = made;
        BuiltDatatype {
            name: name.to_owned(),
            site: self.site_result(made.made),
            constructors: cut(format_args!("{datatype}")),
            tree: cut(format_args!("{:#}", layout.tree)),
            cost: (layout.tree.nodes().nth(NODES).is_none()).then(|| CostModel::default().of(&layout.tree)),
            elements: layout.bounds.elements,
            size: layout.bounds.size,
            extent: layout.bounds.extent(),
        }
    }
}

/// A text, or the beginning of a long one; the rest is not even made.
fn cut(text: fmt::Arguments<'_>) -> String {
    let mut beginning = Beginning(String::new());
    if beginning.write_fmt(text).is_err() {
        beginning.0.push_str("...");
    }
    beginning.0
}

/// Takes so much, and then no more.
struct Beginning(String);

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = SHOWN - self.0.len();
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
        if text.len() <= room { Ok(()) } else { Err(fmt::Error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(cut(format_args!("{}", "a".repeat(SHOWN))), "a".repeat(SHOWN));
        let long = cut(format_args!("a{}", "\u{e9}".repeat(SHOWN)));
        assert_eq!(long, format!("a{}...", "\u{e9}".repeat((SHOWN - 1) / 2)));
    }
}
