//! The communication grid as a picture (SVG), coloured by step.

use std::fmt::Write as _;

use crate::grid::Grid;
use crate::schedule::Schedule;
use crate::tables::step_name;

/// A row for each sender, a column for each receiver; a message is a square with its step and length, in the colour of the step.
///
/// Empty rows and columns stay. Steps are listed with their costs on the right. What is local is grey.
pub fn svg(grid: &Grid, schedule: &Schedule) -> String {
    // Text where there is room for it, squares where there are many.
    let most = grid.senders().max(grid.receivers());
    let cell: u32 = if most <= 40 { 30 } else { (1200 / most).max(2) };
    let labelled = cell >= 30;
    let (left, top) = (64, 64);
    let (width, height) = (grid.receivers() * cell, grid.senders() * cell);
    let count = schedule.steps.len();
    let in_a_column = (height.max(240) / 20) as usize;
    let legend = count.div_ceil(in_a_column.max(1)) as u32 * 110;
    let total_height = top + height.max(240) + 24;
    let mut text = String::new();
    let mut line = |args: std::fmt::Arguments<'_>| {
        text.write_fmt(args).expect("writing to a string does not fail");
        text.push('\n');
    };
    let total_width = left + width + 32 + legend;
    line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" viewBox="0 0 {total_width} {total_height}" font-family="sans-serif" font-size="11">"#
    ));
    line(format_args!(
        "<title>{} messages in {count} steps, total cost {}</title>",
        grid.messages().len(),
        schedule.total_cost()
    ));
    line(format_args!(r#"<rect width="100%" height="100%" fill="white"/>"#));
    line(format_args!(
        r##"<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#f6f6f6" stroke="#999"/>"##
    ));
    line(format_args!(r#"<text x="{}" y="16" text-anchor="middle">receiver</text>"#, left + width / 2));
    line(format_args!(
        r#"<text transform="translate(14 {}) rotate(-90)" text-anchor="middle">sender</text>"#,
        top + height / 2
    ));
    // Labels far enough apart to be read.
    let every = 24_u32.div_ceil(cell).max(1);
    for to in (0..grid.receivers()).step_by(every as usize) {
        let x = left + to * cell + cell / 2;
        line(format_args!(r#"<text x="{x}" y="{}" text-anchor="middle">{to}</text>"#, top - 6));
    }
    for from in (0..grid.senders()).step_by(every as usize) {
        let y = top + from * cell + cell / 2 + 4;
        line(format_args!(r#"<text x="{}" y="{y}" text-anchor="end">{from}</text>"#, left - 6));
    }
    let mut square = |from: u32, to: u32, fill: &str, name: &str, length: u64| {
        let (x, y) = (left + to * cell, top + from * cell);
        line(format_args!(
            r#"<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="{fill}"><title>{from} to {to}: {length} elements, {name}</title></rect>"#
        ));
        if labelled {
            let middle = x + cell / 2;
            line(format_args!(
                r#"<text x="{middle}" y="{}" text-anchor="middle" font-weight="bold">{name}</text><text x="{middle}" y="{}" text-anchor="middle" font-size="9">{length}</text>"#,
                y + 13,
                y + 25
            ));
        }
    };
    for message in grid.local() {
        square(message.from, message.to, "#cccccc", "local", message.length);
    }
    for (number, step) in schedule.steps.iter().enumerate() {
        let (fill, name) = (color(number, count), step_name(number));
        for message in &step.messages {
            square(message.from, message.to, &fill, &name, message.length);
        }
    }
    for (number, step) in schedule.steps.iter().enumerate() {
        let x = left + width + 24 + (number / in_a_column) as u32 * 110;
        let y = top + (number % in_a_column) as u32 * 20;
        line(format_args!(
            r#"<rect x="{x}" y="{y}" width="14" height="14" fill="{}"/>"#,
            color(number, count)
        ));
        line(format_args!(
            r#"<text x="{}" y="{}">{} costs {}</text>"#,
            x + 20,
            y + 11,
            step_name(number),
            step.cost()
        ));
    }
    text += "</svg>\n";
    text
}

/// Hues as far apart as there are steps, light and less light in turn so that neighbours differ.
fn color(number: usize, count: usize) -> String {
    let hue = 360.0 * number as f64 / count.max(1) as f64;
    let lightness = if number.is_multiple_of(2) { 78 } else { 64 };
    format!("hsl({hue:.0},70%,{lightness}%)")
}
