//! Pictures of topologies, as SVG by crate `svg`.
//!
//! The same pictures stand alone ([`topology`]) and on the page of [`crate::html`]. Architecture invariant: a picture
//! shows what the analysis says and works out nothing but where things are drawn.

mod layout;
mod matrix;
mod ranks;
mod sets;
mod timeline;

pub(crate) use matrix::{Measure, matrix};
pub(crate) use ranks::ranks;
pub(crate) use sets::sets;
pub(crate) use timeline::timeline;

use svg::node::element::{Element, Rectangle, SVG, Style, Text, Title};
use svg::{Document, Node};

use crate::instances::instances;
use crate::outcome::Outcome;
use crate::text::{clean, verdict_sentence};

/// The colours of the pictures.
pub(crate) const STYLE: &str = include_str!("picture.css");

/// A picture and its size, in pixels.
pub(crate) struct Picture {
    pub(crate) node: SVG,
    pub(crate) title: String,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Picture {
    /// An empty picture of this size that is called so.
    fn new(width: f64, height: f64, title: &str) -> Self {
        let node = SVG::new()
            .set("class", "picture")
            .set("role", "img")
            .set("aria-label", clean(title))
            .set("viewBox", (0, 0, width.ceil(), height.ceil()))
            .set("width", width.ceil())
            .set("height", height.ceil())
            .add(Title::new(clean(title)));
        Self { node, title: clean(title), width: width.ceil(), height: height.ceil() }
    }

    fn add(&mut self, node: impl Into<Box<dyn Node>>) {
        self.node.append(node);
    }
}

/// All programs one below the other: the process sets with their channels, and for each number of processes
/// whose messages are listed the matrix, the ranks and the collectives.
#[must_use]
pub fn topology(outcome: &Outcome) -> String {
    let mut placed = Vec::new();
    let (mut y, mut width) = (10.0_f64, 400.0_f64);
    for program in &outcome.programs {
        let entry = clean(&program.entry);
        placed.push(Placed::Text(y + 18.0, entry.clone(), "title"));
        placed.push(Placed::Text(y + 38.0, verdict_sentence(&program.verdict), "soft"));
        width = width.max(20.0 + 7.5 * (entry.len().max(verdict_sentence(&program.verdict).len()) as f64));
        y += 50.0;
        let mut pictures: Vec<Picture> = sets(program, "").into_iter().collect();
        for instance in instances(program) {
            pictures.extend(matrix(instance, Measure::Messages));
            pictures.extend(ranks(instance));
            pictures.extend(timeline(instance, &program.entry));
        }
        for picture in pictures {
            width = width.max(picture.width + 20.0);
            let height = picture.height;
            placed.push(Placed::Picture(y, picture));
            y += height + 14.0;
        }
        y += 20.0;
    }
    let mut document = Document::new()
        .set("class", "picture")
        .set("viewBox", (0, 0, width.ceil(), y.ceil()))
        .set("width", width.ceil())
        .set("height", y.ceil())
        .add(Style::new(STYLE))
        .add(arrow_head())
        .add(Rectangle::new().set("class", "paper").set("width", "100%").set("height", "100%"));
    for placed in placed {
        match placed {
            Placed::Text(y, text, class) => document.append(label(10.0, y, &text, class)),
            Placed::Picture(y, picture) => document.append(picture.node.set("x", 10).set("y", y)),
        }
    }
    format!("{document}\n")
}

/// A part of the document, and where it is from the top.
enum Placed {
    Text(f64, String, &'static str),
    Picture(f64, Picture),
}

/// A line of text that starts here.
fn label(x: f64, y: f64, text: &str, class: &str) -> Text {
    Text::new(clean(text)).set("x", round(x)).set("y", round(y)).set("class", class)
}

/// Arrow heads of arrows of class `arrow`: once for all pictures of a document.
pub(crate) fn arrow_head() -> Element {
    let mut marker = Element::new("marker");
    for (name, value) in [
        ("id", "head"),
        ("viewBox", "0 0 8 8"),
        ("refX", "7"),
        ("refY", "4"),
        ("markerWidth", "9"),
        ("markerHeight", "9"),
        ("markerUnits", "userSpaceOnUse"),
        ("orient", "auto"),
    ] {
        marker.assign(name, value);
    }
    marker.append(svg::node::element::Path::new().set("class", "head").set("d", "M0 0 8 4 0 8z"));
    let mut definitions = Element::new("defs");
    definitions.append(marker);
    definitions
}

/// `text`, or its beginning where it is longer than so many characters.
fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['\u{2026}']).collect()
}

/// A tenth of a pixel is all that can be seen.
fn round(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}
