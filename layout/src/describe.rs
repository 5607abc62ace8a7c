//! Layouts for people: what they send, and a picture of where it lies.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use crate::basic::Basic;
use crate::layout::Layout;
use crate::tree::{Element, Tree};

/// Parts of a signature that are shown at one level.
const PARTS: usize = 12;
/// Elements that a picture looks at, cells of a line, and lines.
const ELEMENTS: usize = 1 << 14;
const CELLS: i64 = 64;
const LINES: i64 = 8;

/// The basic datatypes in the order in which they are packed, as `3 x (MPI_INT, 2 x MPI_DOUBLE)`; long ones are cut.
pub fn signature(tree: &Tree) -> String {
    let parts = parts(tree);
    if parts.is_empty() { "nothing".to_owned() } else { written(&parts) }
}

/// Some of the same, one after the other.
#[derive(Clone, PartialEq)]
struct Part {
    count: u128,
    of: Of,
}

#[derive(Clone, PartialEq)]
enum Of {
    Basic(Basic),
    Several(Vec<Part>),
}

fn parts(tree: &Tree) -> Vec<Part> {
    match tree {
        _ if tree.is_empty() => Vec::new(),
        Tree::Con { count, basic } => vec![Part { count: *count as u128, of: Of::Basic(*basic) }],
        Tree::Vec { count, child, .. } => repeated(*count as u128, parts(child)),
        Tree::Idx { indices, child } => repeated(indices.len() as u128, parts(child)),
        Tree::VecBuc { buckets, child, .. } | Tree::IdxBuc { buckets, child, .. } => {
            repeated(buckets.iter().map(|size| *size as u128).sum(), parts(child))
        }
        Tree::Strc { children, .. } => {
            let mut all: Vec<Part> = Vec::new();
            for part in children.iter().flat_map(parts) {
                match all.last_mut() {
                    Some(last) if last.of == part.of => last.count += part.count,
                    _ => all.push(part),
                }
            }
            all
        }
    }
}

fn repeated(count: u128, parts: Vec<Part>) -> Vec<Part> {
    match <[Part; 1]>::try_from(parts) {
        Ok([Part { count: inner, of }]) => vec![Part { count: count * inner, of }],
        Err(parts) if count == 1 => parts,
        Err(parts) => vec![Part { count, of: Of::Several(parts) }],
    }
}

fn written(parts: &[Part]) -> String {
    let mut text = String::new();
    for (i, Part { count, of }) in parts.iter().take(PARTS).enumerate() {
        text.push_str(if i == 0 { "" } else { ", " });
        if *count > 1 {
            let _ = write!(text, "{count} x ");
        }
        match of {
            Of::Basic(basic) => text.push_str(basic.name()),
            Of::Several(parts) => {
                let _ = write!(text, "({})", written(parts));
            }
        }
    }
    if parts.len() > PARTS {
        let _ = write!(text, ", and {} more", parts.len() - PARTS);
    }
    text
}

/// Lines of cells from the first byte on, `#` where there is data, `*` where there is some twice, `.` where there is none, and what a cell
/// is; only the beginning of what is long.
pub fn picture(layout: &Layout) -> String {
    let bounds = &layout.bounds;
    let mut elements = Vec::new();
    let whole = each(&layout.tree, 0, &mut |element| {
        if elements.len() == ELEMENTS {
            return ControlFlow::Break(());
        }
        elements.push(element);
        ControlFlow::Continue(())
    })
    .is_continue();
    let (first, end) = if bounds.elements == 0 {
        (bounds.lower, bounds.upper)
    } else {
        (bounds.lower.min(bounds.true_lower), bounds.upper.max(bounds.true_upper))
    };
    // A cell is as large as no element or gap is cut by it.
    let places = elements.iter().flat_map(|e| [e.displacement - first, e.basic.size()]);
    let cell = places.chain([end - first, bounds.lower - first]).fold(0, greatest_common_divisor).max(1);
    let count = (end - first) / cell;
    let shown = count.min(CELLS * LINES);
    let mut cells = vec![b'.'; shown as usize];
    for e in &elements {
        let from = (e.displacement - first) / cell;
        for at in from..(from + e.basic.size() / cell).min(shown) {
            let mark = &mut cells[at as usize];
            *mark = if *mark == b'.' { b'#' } else { b'*' };
        }
    }
    let mut text = String::new();
    let width = [first, first + shown * cell].map(|n| n.to_string().len()).into_iter().max().unwrap_or(0);
    for (line, cells) in (0..).zip(cells.chunks(CELLS as usize)) {
        let at = first + line * CELLS * cell;
        let _ = writeln!(text, "{at:>width$} |{}|", String::from_utf8_lossy(cells));
    }
    let _ = write!(text, "each character is {cell} {}", if cell == 1 { "byte" } else { "bytes" });
    if shown < count {
        let _ = write!(text, "; the first {shown} of {count}");
    }
    if !whole {
        let _ = write!(text, "; the first {ELEMENTS} elements only");
    }
    text.push('\n');
    text
}

fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { greatest_common_divisor(b, a % b) }
}

/// Visits the elements in order until it is told to stop.
fn each(tree: &Tree, base: i64, visit: &mut impl FnMut(Element) -> ControlFlow<()>) -> ControlFlow<()> {
    if let Tree::Con { count, basic } = tree {
        return (0..*count as i64).try_for_each(|i| visit(Element::new(base + i * basic.size(), *basic)));
    }
    if tree.is_empty() {
        return ControlFlow::Continue(());
    }
    tree.placements().try_for_each(|(at, child)| each(child, base + at, visit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn layout(text: &str) -> Layout {
        read::datatype(text).expect("it is right").layout().expect("it is small")
    }

    #[test]
    fn signatures_are_folded() {
        for (text, signature_of) in [
            ("vector(10,2,100,MPI_DOUBLE)", "20 x MPI_DOUBLE"),
            (
                "contiguous(3,struct([1,2,1],[0,8,24],[MPI_INT,MPI_DOUBLE,MPI_DOUBLE]))",
                "3 x (MPI_INT, 3 x MPI_DOUBLE)",
            ),
            ("contiguous(0,MPI_INT)", "nothing"),
            ("contiguous(1000000000000,contiguous(1000,MPI_BYTE))", "1000000000000000 x MPI_BYTE"),
        ] {
            assert_eq!(signature(&layout(text).tree), signature_of);
        }
    }

    #[test]
    fn pictures_show_gaps_and_bounds() {
        assert_eq!(
            picture(&layout("resized(indexed([2,1],[1,4],MPI_INT),-4,32)")),
            "-4 |..##.#..|\neach character is 4 bytes\n"
        );
        assert_eq!(picture(&layout("hvector(2,1,2,MPI_INT)")), "0 |#*#.|\neach character is 2 bytes\n");
        let long = picture(&layout("vector(1000000000,1,3,MPI_BYTE)"));
        assert!(long.ends_with(
            "each character is 1 byte; the first 512 of 2999999998; the first 16384 elements only\n"
        ));
    }
}
