//! The ranks of one number of processes with an arrow for each pair that communicates.

use std::fmt::Write as _;

use analyzer::results::Instance;
use svg::Node;
use svg::node::element::{Circle, Group, Path, Title};

use super::layout::Form;
use super::{Picture, label};
use crate::cells::cells;

/// Most arrows that can be clicked one by one: those of a mesh of 1,000 ranks.
const SINGLE: usize = 4_000;

/// Most arrows that are drawn. More of them are a black disc.
const ARROWS: usize = 20_000;

/// Up to so many ranks, each is a circle with its number.
const NUMBERED: u64 = 64;

/// Half the size of a numbered rank.
const RADIUS: f64 = 13.0;

/// `None` where no messages are sent, or so many that nothing could be told apart.
pub(crate) fn ranks(instance: &Instance) -> Option<Picture> {
    let np = instance.np;
    let pairs: Vec<(u64, u64)> = cells(instance).into_keys().filter(|(a, b)| *a < np && *b < np).collect();
    if pairs.is_empty() || ARROWS < pairs.len() {
        return None;
    }
    let form = Form::of(np, &pairs);
    let (places, width, height) = form.places(np, &pairs);
    let title = format!("Who sends to whom at np = {np}, as {}", form.name());
    let mut picture = Picture::new(width, height, &title);
    picture.node.assign("data-np", np.to_string());
    let place = |rank: u64| usize::try_from(rank).ok().and_then(|rank| places.get(rank).copied());
    let numbered = np <= NUMBERED;
    let gap = if numbered { RADIUS + 1.0 } else { 0.0 };
    let arrows: Vec<((u64, u64), String)> = pairs
        .iter()
        .filter_map(|&(from, to)| Some(((from, to), arrow(place(from)?, place(to)?, gap))))
        .collect();
    if numbered && arrows.len() <= SINGLE {
        for ((from, to), line) in arrows {
            picture.add(edge(from, to, &line));
        }
    } else {
        // Many arrows are one outline; the script of a page takes that of `edges` apart again, in the order of the pairs.
        let class = if arrows.len() <= SINGLE { "arrow hair edges" } else { "arrow hair" };
        let all: String = arrows.into_iter().map(|(_, line)| line).collect();
        picture.add(Path::new().set("class", class).set("d", all));
    }
    if numbered {
        for (rank, &(x, y)) in places.iter().enumerate() {
            picture.add(Circle::new().set("class", "box").set("cx", x).set("cy", y).set("r", RADIUS));
            picture.add(label(x, y + 4.0, &rank.to_string(), "soft").set("text-anchor", "middle"));
        }
    } else {
        let mut dots = String::new();
        for (x, y) in &places {
            let _ = write!(dots, "M{x} {y}h0");
        }
        let size = (nearest(&places) * 0.7).clamp(0.8, 5.0);
        picture.add(Path::new().set("class", "dots").set("stroke-width", size).set("d", dots));
        for (rank, &(x, y)) in places.iter().enumerate().step_by(places.len().div_ceil(8)) {
            picture.add(label(x + 5.0, y - 5.0, &rank.to_string(), "soft"));
        }
    }
    Some(picture)
}

/// The least distance between ranks that follow each other, and between the first and any other: in each of the forms no
/// others are much nearer to each other.
fn nearest(places: &[(f64, f64)]) -> f64 {
    let Some(((x, y), others)) = places.split_first().map(|(first, others)| (*first, others)) else {
        return 0.0;
    };
    let first = others.iter().map(|other| (other.0 - x).hypot(other.1 - y)).fold(f64::INFINITY, f64::min);
    let pairs = places.windows(2).map(|two| (two[0].0 - two[1].0).hypot(two[0].1 - two[1].1));
    pairs.fold(first, f64::min)
}

/// A line that can be clicked: with an arrow head, a title and some room around it.
fn edge(from: u64, to: u64, line: &str) -> Group {
    let shown = Path::new().set("class", "arrow").set("marker-end", "url(#head)").set("d", line);
    let group = Group::new().set("class", "edge").set("data-from", from).set("data-to", to);
    let title = Title::new(format!("rank {from} to rank {to}"));
    group.add(title).add(shown).add(Path::new().set("class", "hit").set("d", line))
}

/// A line that bends to its left, so that the two directions of a pair lie beside each other; `gap` from both ends is
/// left free. A rank that sends to itself gets a loop.
fn arrow((x1, y1): (f64, f64), (x2, y2): (f64, f64), gap: f64) -> String {
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy);
    if length < 0.05 {
        let (top, side) = (y1 - gap, 18.0);
        return format!("M{:.1} {top:.1}c-{side} -24 {} -24 12 0", x1 - 6.0, side + 12.0);
    }
    let (ux, uy) = (dx / length, dy / length);
    let bend = (length * 0.12).min(26.0);
    let (cx, cy) = ((x1 + x2) / 2.0 + uy * bend, (y1 + y2) / 2.0 - ux * bend);
    let towards = |x: f64, y: f64| {
        let (dx, dy) = (cx - x, cy - y);
        let far = dx.hypot(dy).max(0.01);
        (x + dx / far * gap, y + dy / far * gap)
    };
    let ((sx, sy), (ex, ey)) = (towards(x1, y1), towards(x2, y2));
    format!("M{sx:.1} {sy:.1}Q{cx:.1} {cy:.1} {ex:.1} {ey:.1}")
}
