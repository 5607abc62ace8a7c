//! Grids and schedules as text, like the paper's tables.

use std::collections::BTreeMap;

use crate::grid::{Grid, Message};
use crate::schedule::Schedule;

/// Steps are a, b, ..., z, aa, ab, ...
pub fn step_name(mut number: usize) -> String {
    let mut name = Vec::new();
    loop {
        name.push(b'a' + (number % 26) as u8);
        number /= 26;
        if number == 0 {
            break;
        }
        number -= 1;
    }
    name.reverse();
    name.into_iter().map(char::from).collect()
}

/// The communication grid with lengths; what is local is in brackets (Table 1).
pub fn grid(grid: &Grid) -> String {
    let mut cells = BTreeMap::new();
    cells.extend(grid.messages().iter().map(|message| (place(message), message.length.to_string())));
    cells.extend(grid.local().iter().map(|message| (place(message), format!("({})", message.length))));
    let (mut sent, mut received) = (vec![0; grid.senders() as usize], vec![0; grid.receivers() as usize]);
    for message in grid.messages() {
        sent[message.from as usize] += 1;
        received[message.to as usize] += 1;
    }
    let mut rows = lines(grid, &cells);
    rows[0].push("Nbr of msg.".to_owned());
    rows[1..].iter_mut().zip(&sent).for_each(|(row, count)| row.push(count.to_string()));
    let last = std::iter::once("Nbr of msg.".to_owned()).chain(received.iter().map(usize::to_string));
    rows.push(last.chain([String::new()]).collect());
    aligned(&rows)
}

/// The communication grid with the step of each message (Table 2).
pub fn steps(grid: &Grid, schedule: &Schedule) -> String {
    let mut cells: BTreeMap<(u32, u32), String> =
        grid.local().iter().map(|message| (place(message), "local".to_owned())).collect();
    for (number, step) in schedule.steps.iter().enumerate() {
        cells.extend(step.messages.iter().map(|message| (place(message), step_name(number))));
    }
    aligned(&lines(grid, &cells))
}

/// What each step costs (Table 3), at most so many steps in a line.
pub fn costs(schedule: &Schedule, in_a_line: usize) -> String {
    let mut text = String::new();
    let count = schedule.steps.len();
    for (number, part) in schedule.steps.chunks(in_a_line.max(1)).enumerate() {
        let first = number * in_a_line.max(1);
        let mut names = vec!["Step".to_owned()];
        names.extend((0..part.len()).map(|index| step_name(first + index)));
        let mut costs = vec!["Cost".to_owned()];
        costs.extend(part.iter().map(|step| step.cost().to_string()));
        if first + part.len() == count {
            names.push("Total".to_owned());
            costs.push(schedule.total_cost().to_string());
        }
        text += &aligned(&[names, costs]);
    }
    text
}

fn place(message: &Message) -> (u32, u32) {
    (message.from, message.to)
}

fn lines(grid: &Grid, cells: &BTreeMap<(u32, u32), String>) -> Vec<Vec<String>> {
    let head =
        std::iter::once("Sender/Recv.".to_owned()).chain((0..grid.receivers()).map(|to| to.to_string()));
    let row = |from: u32| {
        let of = |to: u32| cells.get(&(from, to)).cloned().unwrap_or_else(|| "-".to_owned());
        std::iter::once(from.to_string()).chain((0..grid.receivers()).map(of)).collect()
    };
    std::iter::once(head.collect()).chain((0..grid.senders()).map(row)).collect()
}

/// Columns as wide as what is in them, numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}", width = *width));
        text += cells.collect::<Vec<_>>().join(" ").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_names_of_letters() {
        assert_eq!([0, 25, 26, 51, 52, 701, 702].map(step_name), ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }
}
