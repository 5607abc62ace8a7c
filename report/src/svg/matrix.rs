//! The communication matrix: rank by rank, shaded by messages or bytes. Empty rows and columns stay, so that the shape
//! can be read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use analyzer::results::Instance;
use svg::Node;
use svg::node::element::{Group, Path, Rectangle};

use super::{Picture, label, round};
use crate::cells::{Amount, Cell, cells};

/// What cells are shaded by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Messages,
    Bytes,
}

impl Measure {
    /// The word for one of what is counted.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Messages => "message",
            Self::Bytes => "byte",
        }
    }

    fn of(self, cell: &Cell) -> Amount {
        match self {
            Self::Messages => cell.messages,
            Self::Bytes => cell.bytes,
        }
    }
}

/// Side of the square, and the room for labels above it and to its left.
const SIDE: f64 = 460.0;
const MARGIN: f64 = 52.0;

/// Above this number of ranks there are no lines between the cells, and not each is labelled.
const FEW: u64 = 24;

/// Runs of cells that a picture can hold and still be fluid.
const RUNS: usize = 100_000;

/// Rows are senders, columns receivers. `None` where there are too many different cells to draw.
pub(crate) fn matrix(instance: &Instance, measure: Measure) -> Option<Picture> {
    let np = instance.np;
    let cells = cells(instance);
    let largest = cells.values().map(|cell| measure.of(cell)).filter_map(known).max().unwrap_or(0);
    let shades = shades(&cells, |cell| shade(measure.of(cell), largest))?;
    let noun = measure.noun();
    let title = format!("Matrix of {noun}s at np = {np}: rows send, columns receive");
    let mut picture = Picture::new(MARGIN + SIDE + 12.0, MARGIN + SIDE + 40.0, &title);
    picture.node.assign("data-np", np.to_string());
    let scale = SIDE / np.max(1) as f64;
    axes(&mut picture, np, scale);
    let mut group = Group::new()
        // Cells that are smaller than a pixel get an outline, or they would vanish between pixels.
        .set("class", if scale < 2.0 { "cells fine" } else { "cells" })
        .set("transform", format!("translate({MARGIN} {MARGIN}) scale({})", (scale * 1e6).round() / 1e6));
    for (class, runs) in shades {
        group = group.add(Path::new().set("class", class).set("d", runs));
    }
    group = group.add(
        Rectangle::new().set("class", "cursor").set("width", 1).set("height", 1).set("visibility", "hidden"),
    );
    let frame = Rectangle::new().set("class", "frame").set("width", SIDE).set("height", SIDE);
    picture.add(frame.set("x", MARGIN).set("y", MARGIN));
    picture.add(group);
    let open = cells.values().any(|cell| known(measure.of(cell)).is_none());
    legend(&mut picture, largest, noun, open);
    Some(picture)
}

/// Labels of rows and columns, and lines between few of them.
fn axes(picture: &mut Picture, np: u64, scale: f64) {
    let step = if np <= FEW { 1 } else { round_step(np) };
    let mut at = 0;
    while at < np {
        let middle = MARGIN + (at as f64 + 0.5) * scale;
        picture.add(label(middle, MARGIN - 8.0, &at.to_string(), "soft").set("text-anchor", "middle"));
        picture.add(label(MARGIN - 8.0, middle + 4.0, &at.to_string(), "soft").set("text-anchor", "end"));
        at += step;
    }
    picture.add(label(MARGIN, 16.0, "to rank", "soft"));
    let from = label(0.0, 0.0, "from rank", "soft");
    picture.add(
        from.set("transform", format!("translate(12 {}) rotate(-90)", MARGIN + SIDE))
            .set("text-anchor", "start"),
    );
    if np <= FEW {
        let mut lines = String::new();
        for k in 1..np {
            let at = round(MARGIN + k as f64 * scale);
            let _ = write!(lines, "M{MARGIN} {at}h{SIDE}M{at} {MARGIN}v{SIDE}");
        }
        picture.add(Path::new().set("class", "grid").set("d", lines));
    }
}

/// 1, 2 or 5 times a power of ten, such that about ten labels fit.
fn round_step(np: u64) -> u64 {
    let mut power = 1;
    loop {
        for factor in [1, 2, 5] {
            if np / (power * factor) <= 12 {
                return power * factor;
            }
        }
        power *= 10;
    }
}

fn legend(picture: &mut Picture, largest: i64, noun: &str, open: bool) {
    let y = MARGIN + SIDE + 14.0;
    let swatch = |class: &str, x: f64| {
        Rectangle::new().set("class", class).set("x", x).set("y", y).set("width", 16).set("height", 14)
    };
    let mut x = MARGIN;
    if 1 < largest {
        for class in ["s1", "s2", "s3", "s4", "s5"] {
            picture.add(swatch(class, x));
            x += 17.0;
        }
        picture.add(label(x + 6.0, y + 12.0, &format!("1 to {largest} {noun}s"), "soft"));
        x += 150.0;
    } else if largest == 1 {
        picture.add(swatch("s5", x));
        picture.add(label(x + 22.0, y + 12.0, &format!("1 {noun}"), "soft"));
        x += 110.0;
    }
    if open {
        picture.add(swatch("open", x));
        picture.add(label(x + 22.0, y + 12.0, "a number that depends on input", "soft"));
    }
}

fn known(amount: Amount) -> Option<i64> {
    match amount {
        Amount::Known(number) => Some(number),
        Amount::DependsOnInput => None,
    }
}

/// Shades are steps of the logarithm: what is large is seldom twice but often a thousand times as large.
fn shade(amount: Amount, largest: i64) -> &'static str {
    let Some(number) = known(amount) else { return "open" };
    if largest <= number {
        return "s5";
    }
    let share = (number.max(1) as f64).ln() / (largest.max(2) as f64).ln();
    match (share * 4.0) as u32 {
        0 => "s1",
        1 => "s2",
        2 => "s3",
        _ => "s4",
    }
}

/// For each shade the outlines of its cells; neighbours in a row are one rectangle.
fn shades(
    cells: &BTreeMap<(u64, u64), Cell>,
    shade: impl Fn(&Cell) -> &'static str,
) -> Option<BTreeMap<&'static str, String>> {
    let mut runs: Vec<(&'static str, u64, u64, u64)> = Vec::new();
    for (&(from, to), cell) in cells {
        let class = shade(cell);
        match runs.last_mut() {
            Some((last, row, start, length)) if *last == class && *row == from && *start + *length == to => {
                *length += 1;
            }
            _ => runs.push((class, from, to, 1)),
        }
    }
    if RUNS < runs.len() {
        return None;
    }
    let mut paths: BTreeMap<&'static str, String> = BTreeMap::new();
    for (class, row, start, length) in runs {
        let _ = write!(paths.entry(class).or_default(), "M{start} {row}h{length}v1h-{length}z");
    }
    Some(paths)
}
