//! From tokens to text and its map.

use super::engine::Unit;
use super::map::Segment;
use super::token::{Kind, LINE_START, MADE, SPACE, Tok};
use super::{DiagnosticKind, PackPragma, Severity};

/// Largest text of a unit, in bytes.
const MAX_TEXT_BYTES: usize = 256 << 20;

/// White space of the source is copied when it is no longer than this; longer stretches become one blank or newline.
const MAX_COPIED_GAP: u32 = 120;

/// The text and what belongs to it.
pub(super) struct Emitted {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
    pub(super) pack_pragmas: Vec<PackPragma>,
}

/// Writes the tokens of a unit.
pub(super) fn emit(unit: &mut Unit<'_>, toks: Vec<Tok>) -> Emitted {
    let marks = std::mem::take(&mut unit.pack_marks);
    let mut text = String::with_capacity(toks.len() * 6);
    let mut segments: Vec<Segment> = Vec::with_capacity(toks.len() / 8 + 1);
    let mut pack_pragmas = Vec::with_capacity(marks.len());
    let mut marks = marks.into_iter().peekable();
    let mut before: Option<Tok> = None;
    let mut full = false;
    for (at, tok) in toks.iter().enumerate() {
        while let Some((_, limit)) = marks.next_if(|&(before, _)| before <= at) {
            pack_pragmas.push(PackPragma { offset: text.len() as u32, limit });
        }
        let mut buffer = [0; 4];
        let spelling = unit.text(tok, &mut buffer);
        if text.len() + spelling.len() > MAX_TEXT_BYTES {
            full = true;
            break;
        }
        let linear = tok.flags & MADE == 0 && spelling.len() == tok.len as usize;
        match before.filter(|_| linear).and_then(|before| gap(unit, &before, tok)) {
            // The segment goes on.
            Some(gap) => text.push_str(gap),
            None => {
                if tok.flags & LINE_START != 0 {
                    text.push('\n');
                } else if tok.flags & SPACE != 0 || !text.is_empty() {
                    // More blanks than needed, but two tokens never run into one.
                    text.push(' ');
                }
                segments.push(Segment {
                    text: text.len() as u32,
                    source: tok.start,
                    // A token that is not spelled like its source maps to all of it from every byte.
                    whole: if linear { 0 } else { tok.len },
                    origin: tok.node,
                    file: tok.file,
                });
            }
        }
        text.push_str(spelling);
        before = linear.then_some(*tok);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    pack_pragmas.extend(marks.map(|(_, limit)| PackPragma { offset: text.len() as u32, limit }));
    if full {
        let message =
            format!("the preprocessed text is larger than {} MB; the rest is dropped", MAX_TEXT_BYTES >> 20);
        unit.report_at(None, DiagnosticKind::Limit, Severity::Error, message);
    }
    Emitted { text, segments, pack_pragmas }
}

/// The white space between two tokens when they stand one after the other in one file, with nothing else between.
fn gap<'u>(unit: &'u Unit<'_>, before: &Tok, tok: &Tok) -> Option<&'u str> {
    let end = before.start + before.len;
    if before.file != tok.file
        || before.node != tok.node
        || tok.start < end
        || tok.start - end > MAX_COPIED_GAP
    {
        return None;
    }
    // Numbers and names of one macro body that stand together were pasted or come from arguments.
    if tok.start == end && joins(before.kind) && joins(tok.kind) {
        return None;
    }
    let file = unit.files.get(usize::from(tok.file))?;
    let gap = file.lexed.text.get(end as usize..tok.start as usize)?;
    gap.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).then_some(gap)
}

fn joins(kind: Kind) -> bool {
    matches!(kind, Kind::Ident | Kind::Number)
}
