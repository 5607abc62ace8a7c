//! Collectives in the order in which they are called, from left to right, and the ranks that take part in each.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use analyzer::results::{CollectiveInstance, Instance};
use svg::node::element::{Circle, Group, Path, Title};

use super::{Picture, label, round, shorten};
use crate::text::{clean, place_in};

const LEFT: f64 = 60.0;
const COLUMN: f64 = 74.0;
const TOP: f64 = 118.0;

/// Collectives that are drawn; of more, the first.
const MOST: usize = 60;

/// `None` where there are no collectives. Places are named with their file where that is not `entry`.
pub(crate) fn timeline(instance: &Instance, entry: &str) -> Option<Picture> {
    let columns = columns(&instance.collectives);
    if columns.is_empty() || instance.np == 0 {
        return None;
    }
    let shown = &columns[..columns.len().min(MOST)];
    let np = instance.np;
    let height = (np as f64 * 20.0).clamp(40.0, 300.0);
    let width = (LEFT + COLUMN * shown.len() as f64 + 70.0).max(360.0);
    let title = match columns.len() - shown.len() {
        0 => format!("Collectives at np = {np} in the order of their first calls"),
        more => format!(
            "The first {MOST} collectives at np = {np} in the order of their first calls, and {more} more"
        ),
    };
    let mut picture = Picture::new(width, TOP + height + 20.0, &title);
    let y = |rank: u64| TOP + height * (rank as f64 + 0.5) / np as f64;
    for rank in [0, np - 1].into_iter().collect::<BTreeSet<_>>() {
        picture.add(
            label(LEFT - 12.0, y(rank) + 4.0, &format!("rank {rank}"), "soft").set("text-anchor", "end"),
        );
    }
    if np <= 16 {
        let lines: String = (0..np).fold(String::new(), |mut lines, rank| {
            let _ = write!(lines, "M{LEFT} {:.1}H{:.1}", y(rank), width - 60.0);
            lines
        });
        picture.add(Path::new().set("class", "grid").set("d", lines));
    }
    for (index, calls) in shown.iter().enumerate() {
        let x = LEFT + COLUMN * (index as f64 + 0.5);
        let mut column = Group::new().add(Title::new(clean(&describe(calls, entry))));
        // Groups with ranks of others between theirs stand beside each other.
        let apart = if calls.iter().any(|call| 1 < runs(call).len()) {
            (COLUMN * 0.7 / calls.len() as f64).min(12.0)
        } else {
            0.0
        };
        let left = x - apart * (calls.len() - 1) as f64 / 2.0;
        for (number, call) in calls.iter().enumerate() {
            let x = round(left + apart * number as f64);
            if let (Some((first, _)), Some((_, last))) = (runs(call).first(), runs(call).last()) {
                let link = format!("M{x} {:.1}V{:.1}", y(*first), y(*last));
                column = column.add(Path::new().set("class", "link").set("d", link));
            }
            column = column.add(Path::new().set("class", "span").set("d", spans(call, x, y)));
            if let Some(root) = call.root {
                let circle = Circle::new().set("class", "root").set("cx", x).set("cy", y(root)).set("r", 5);
                column = column.add(circle);
            }
        }
        if let Some(first) = calls.first() {
            let name = format!("{} {}", first.operation, place(first, entry));
            let text = label(0.0, 0.0, &shorten(&clean(&name), 30), "soft");
            column = column.add(text.set("transform", format!("translate({x} {}) rotate(-32)", TOP - 8.0)));
        }
        picture.add(column);
    }
    Some(picture)
}

/// Calls side by side in one column: those of one line by groups that have no rank in common.
fn columns(all: &[CollectiveInstance]) -> Vec<Vec<&CollectiveInstance>> {
    let mut columns: Vec<(Vec<&CollectiveInstance>, BTreeSet<u64>)> = Vec::new();
    for call in all {
        let ranks: BTreeSet<u64> = call.ranks.iter().copied().collect();
        match columns.last_mut() {
            Some((calls, taken))
                if calls.iter().all(|c| {
                    (c.line, &c.file) == (call.line, &call.file) && c.operation == call.operation
                }) && taken.is_disjoint(&ranks) =>
            {
                taken.extend(ranks);
                calls.push(call);
            }
            _ => columns.push((vec![call], ranks)),
        }
    }
    columns.into_iter().map(|(calls, _)| calls).collect()
}

/// The ranks of a call as first and last of those that follow each other.
fn runs(call: &CollectiveInstance) -> Vec<(u64, u64)> {
    let ranks: BTreeSet<u64> = call.ranks.iter().copied().collect();
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    runs
}

/// Lines over neighbouring ranks.
fn spans(call: &CollectiveInstance, x: f64, y: impl Fn(u64) -> f64) -> String {
    runs(call).into_iter().fold(String::new(), |mut path, (first, last)| {
        let _ = write!(path, "M{x} {:.1}V{:.1}", y(first), y(last) + 0.1);
        path
    })
}

fn place(call: &CollectiveInstance, entry: &str) -> String {
    place_in(&call.file, call.line, entry)
}

fn describe(calls: &[&CollectiveInstance], entry: &str) -> String {
    let Some(first) = calls.first() else { return String::new() };
    let times = match first.repeat {
        Some(1) => "once".to_owned(),
        Some(times) => format!("{times} times"),
        None => "a number of times that depends on input".to_owned(),
    };
    let ranks: usize = calls.iter().map(|call| call.ranks.len()).sum();
    let groups = if calls.len() == 1 { String::new() } else { format!(" in {} groups", calls.len()) };
    let root = first.root.map(|root| format!(", root {root}")).unwrap_or_default();
    format!("{} in {}: {ranks} ranks{groups}{root}, {times}", first.operation, place(first, entry))
}
