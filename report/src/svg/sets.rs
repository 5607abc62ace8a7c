//! Process sets as lifelines, the lines of the source from top to bottom, and an arrow for each channel from where it is
//! sent to where it is received.

use std::collections::BTreeMap;

use analyzer::results::{ProgramReport, Site};
use svg::Node;
use svg::node::element::{Anchor, Circle, Group, Line, Path, Rectangle, Title};

use super::{Picture, label, round, shorten};
use crate::text::{clean, place, receiving, sending};

/// Room for the lines of the source, for each process set, and for each line.
const GUTTER: f64 = 230.0;
const LANE: f64 = 170.0;
const ROW: f64 = 34.0;

/// Characters in a line of the name of a process set, and lines of it.
const NAME: usize = 23;
const MOST_NAME_LINES: usize = 5;

/// Lifelines that are wide enough to read; those beyond are told in words only.
const MOST_LANES: usize = 24;

/// Lines of the source that one picture shows.
const MOST_ROWS: usize = 300;

/// What each channel links to is `#` with `prefix` and its number behind it; nothing where that is empty. `None` where nothing is
/// communicated, or so much that it cannot be drawn.
pub(crate) fn sets(program: &ProgramReport, prefix: &str) -> Option<Picture> {
    let topology = &program.topology;
    let entry = program.entry.as_str();
    let mut lanes: Vec<&str> = Vec::new();
    let named = topology.channels.iter().flat_map(|channel| [&channel.senders, &channel.receivers]);
    for name in named.chain(topology.collectives.iter().map(|collective| &collective.ranks)) {
        if !lanes.contains(&name.as_str()) {
            lanes.push(name);
        }
    }
    let ends = topology.channels.iter().flat_map(|channel| [&channel.send, &channel.recv]);
    let sites = ends.chain(topology.collectives.iter().flat_map(|collective| &collective.sites));
    // The entry's file first, then by place.
    let key = |site: &Site| (site.range.file != entry, site.range.file.clone(), site.range.line);
    let rows: BTreeMap<_, &Site> = sites.map(|site| (key(site), site)).collect();
    if rows.is_empty() || MOST_LANES < lanes.len() || MOST_ROWS < rows.len() {
        return None;
    }
    let names: Vec<Vec<String>> = lanes.iter().map(|name| wrapped(&clean(name))).collect();
    let head = 12.0 + 15.0 * names.iter().map(Vec::len).max().unwrap_or(1) as f64;
    let top = head + 28.0;
    let heights: BTreeMap<_, f64> =
        rows.keys().cloned().zip((0_u32..).map(|row| top + ROW * (f64::from(row) + 0.7))).collect();
    let y = |site: &Site| heights.get(&key(site)).copied().unwrap_or(top);
    let x = |name: &str| {
        let lane = lanes.iter().position(|lane| *lane == name).unwrap_or(0);
        GUTTER + LANE * (lane as f64 + 0.5)
    };
    let (width, height) = (GUTTER + LANE * lanes.len() as f64 + 30.0, top + ROW * (rows.len() as f64 + 0.5));
    let mut picture =
        Picture::new(width, height, "Process sets, and the channels between lines of the source");
    picture.node.assign("role", "group");
    for (at, site) in &rows {
        let y = heights.get(at).copied().unwrap_or(top);
        let text = format!("{} {}", place(&site.range, entry), site.operation);
        let title = Title::new(clean(&format!("{text} in {}", site.function)));
        picture.add(Group::new().add(title).add(label(4.0, y + 4.0, &shorten(&text, 32), "soft")));
        picture.add(line((GUTTER - 4.0, y), (width - 10.0, y), "grid").set("stroke-dasharray", "1 5"));
    }
    for (&name, lines) in lanes.iter().zip(&names) {
        let x = x(name);
        picture.add(line((x, 12.0 + head), (x, height - 4.0), "life"));
        let around =
            Rectangle::new().set("class", "box").set("rx", 6).set("x", x - LANE / 2.0 + 5.0).set("y", 12);
        let mut group = Group::new()
            .add(Title::new(clean(&format!("ranks {name}"))))
            .add(around.set("width", LANE - 10.0).set("height", head));
        let first = 12.0 + (head - 15.0 * lines.len() as f64) / 2.0 + 12.0;
        for (text, row) in lines.iter().zip(0_u32..) {
            let at = first + 15.0 * f64::from(row);
            group = group.add(label(x, at, text, "name").set("text-anchor", "middle"));
        }
        picture.add(group);
    }
    for collective in &topology.collectives {
        for site in &collective.sites {
            let (left, right) = match collective.ranks.as_str() {
                // All processes: from the first lifeline to the last.
                "[0..np-1]" => (GUTTER + 12.0, width - 42.0),
                ranks => (x(ranks) - LANE / 2.0 + 12.0, x(ranks) + LANE / 2.0 - 12.0),
            };
            let bar =
                Rectangle::new().set("class", "bar").set("rx", 4).set("x", left).set("y", y(site) - 8.0);
            let bar = bar.set("width", right - left).set("height", 16);
            let title = Title::new(clean(&format!("{} of ranks {}", collective.operation, collective.ranks)));
            let name = shorten(&clean(&collective.operation), 24);
            let name = label((left + right) / 2.0, y(site) + 4.0, &name, "soft").set("text-anchor", "middle");
            picture.add(Group::new().add(title).add(bar).add(name));
        }
    }
    for (index, channel) in topology.channels.iter().enumerate() {
        let start = (x(&channel.senders), y(&channel.send));
        let end = (x(&channel.receivers), y(&channel.recv));
        let (curve, middle) = curve(start, end, index);
        let title = format!("Channel {}: {}; {}", index + 1, sending(channel), receiving(channel));
        let drawn = Group::new()
            .set("class", "channel")
            .add(Title::new(clean(&title)))
            .add(Path::new().set("class", "arrow").set("marker-end", "url(#head)").set("d", curve.as_str()))
            .add(Path::new().set("class", "hit").set("d", curve))
            .add(Circle::new().set("class", "dot").set("cx", start.0).set("cy", start.1).set("r", 3))
            .add(Circle::new().set("class", "number").set("cx", middle.0).set("cy", middle.1).set("r", 10))
            .add(
                label(middle.0, middle.1 + 4.0, &(index + 1).to_string(), "soft")
                    .set("text-anchor", "middle"),
            );
        if prefix.is_empty() {
            picture.add(drawn);
        } else {
            picture.add(Anchor::new().set("href", format!("#{prefix}{}", index + 1)).add(drawn));
        }
    }
    Some(picture)
}

/// A name in lines, broken at spaces where that is possible.
fn wrapped(name: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in name.split_inclusive(' ') {
        for piece in pieces(word) {
            let more = piece.chars().count();
            if 0 < length && NAME < length + piece.trim_end().chars().count() {
                lines.push(String::new());
                length = 0;
            }
            lines.last_mut().into_iter().for_each(|line| line.push_str(piece));
            length += more;
        }
    }
    if MOST_NAME_LINES < lines.len() {
        lines.truncate(MOST_NAME_LINES);
        lines.last_mut().into_iter().for_each(|line| line.push('\u{2026}'));
    }
    lines
}

/// A word in pieces that are no longer than a line.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let end = rest.char_indices().nth(NAME).map_or(rest.len(), |(end, _)| end);
        let (piece, more) = rest.split_at(end);
        rest = more;
        (!piece.is_empty()).then_some(piece)
    })
}

fn line(from: (f64, f64), to: (f64, f64), class: &str) -> Line {
    let line = Line::new().set("class", class);
    line.set("x1", from.0).set("y1", from.1).set("x2", to.0).set("y2", to.1)
}

/// From one lifeline to another, or around on the same; and where the number is.
fn curve(from: (f64, f64), to: (f64, f64), index: usize) -> (String, (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    if (x1 - x2).abs() < 1.0 {
        // Loops of one set lie beside each other.
        let out = 46.0 + 12.0 * (index % 4) as f64;
        let (y1, y2) = if y1 == y2 { (y1 - 6.0, y2 + 6.0) } else { (y1, y2) };
        let path = format!("M{x1} {y1:.1}C{:.1} {y1:.1} {:.1} {y2:.1} {x2} {y2:.1}", x1 + out, x1 + out);
        return (path, (round(x1 + out * 0.75), round((y1 + y2) / 2.0)));
    }
    // Not all numbers in the middle, where arrows cross.
    let share = [0.35, 0.5, 0.65][index % 3];
    let middle = (round(x1 + (x2 - x1) * share), round(y1 + (y2 - y1) * share));
    (format!("M{x1} {y1:.1}L{x2} {y2:.1}"), middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_wrapped_and_nothing_is_lost() {
        for name in
            ["[0..0]", "{4*i + j: i in [1..(np / 4)-1], j in [0..3]}", "", "[2*dim_1_of_2(np)-1..dim_0]"]
        {
            let lines = wrapped(name);
            assert_eq!(lines.concat(), name);
            assert!(lines.iter().all(|line| line.trim_end().chars().count() <= NAME), "{lines:?}");
        }
        assert_eq!(wrapped(&"\u{221e}".repeat(500)).len(), MOST_NAME_LINES);
    }
}
