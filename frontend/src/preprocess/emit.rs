//! From tokens to text and its map.

use super::engine::Unit;
use super::map::Segment;
use super::pragma::Mark;
use super::token::{Kind, LINE_START, MADE, RESPELLED, Tok};
use super::{Assumption, DiagnosticKind, OpenMpPragma, PackPragma, Severity};

/// Largest text of a unit, in bytes.
const MAX_TEXT_BYTES: usize = 256 << 20;

/// White space of the source is copied when it is no longer than this; longer stretches become one blank or newline.
const MAX_COPIED_GAP: u32 = 120;

/// The text and what belongs to it.
pub(super) struct Emitted {
    pub(super) text: String,
    pub(super) segments: Vec<Segment>,
    pub(super) pack_pragmas: Vec<PackPragma>,
    pub(super) openmp_pragmas: Vec<OpenMpPragma>,
    pub(super) code_end: u32,
    pub(super) assumptions: Vec<Assumption>,
}

impl Emitted {
    /// Keeps a pragma that stands at the end of the text so far.
    fn mark(&mut self, mark: Mark) {
        let offset = self.text.len() as u32;
        match mark {
            Mark::Pack(limit) => self.pack_pragmas.push(PackPragma { offset, limit }),
            Mark::OpenMp { directive, in_arguments } => {
                self.openmp_pragmas.push(OpenMpPragma { offset, directive, in_arguments });
            }
            Mark::Stands(text) => {
                self.assumptions.push(Assumption { offset, expression: offset..offset, text });
            }
            Mark::Expression(which) => {
                if let Some(before) = which.checked_sub(1).and_then(|w| self.assumptions.get_mut(w)) {
                    before.expression.end = offset;
                } else {
                    self.code_end = offset;
                }
                if let Some(assumption) = self.assumptions.get_mut(which) {
                    assumption.expression = offset..offset;
                }
            }
        }
    }
}

/// Writes the tokens of a unit.
pub(super) fn emit(unit: &mut Unit<'_>, toks: Vec<Tok>) -> Emitted {
    let mut marks = std::mem::take(&mut unit.marks).into_iter().peekable();
    let mut out = Emitted {
        text: String::with_capacity(toks.len() * 6),
        segments: Vec::with_capacity(toks.len() / 8 + 1),
        pack_pragmas: Vec::new(),
        openmp_pragmas: Vec::new(),
        code_end: 0,
        assumptions: Vec::new(),
    };
    let mut full = false;
    let mut at = 0;
    while let Some(tok) = toks.get(at) {
        while let Some((_, mark)) = marks.next_if(|&(before, _)| before <= at) {
            out.mark(mark);
        }
        let until = marks.peek().map_or(toks.len(), |&(before, _)| before.max(at + 1));
        let linear = is_linear(tok);
        let run = if linear { run_length(unit, &toks[at..until]) } else { 1 };
        let last = toks[at + run - 1];
        let mut buffer = [0; 4];
        let spelling = if linear {
            let whole = Tok { len: last.start + last.len - tok.start, ..*tok };
            unit.text(&whole, &mut buffer)
        } else {
            unit.text(tok, &mut buffer)
        };
        if out.text.len() + spelling.len() > MAX_TEXT_BYTES {
            full = true;
            break;
        }
        if tok.flags & LINE_START != 0 {
            out.text.push('\n');
        } else if !out.text.is_empty() {
            // More blanks than needed, but two tokens never run into one.
            out.text.push(' ');
        }
        out.segments.push(Segment {
            text: out.text.len() as u32,
            source: tok.start,
            // A token that is not spelled like its source maps to all of it from every byte.
            whole: if linear { 0 } else { tok.len },
            origin: tok.node,
            file: tok.file,
        });
        out.text.push_str(spelling);
        at += run;
    }
    if !out.text.is_empty() {
        out.text.push('\n');
    }
    for (_, mark) in marks {
        out.mark(mark);
    }
    if full {
        let message =
            format!("the preprocessed text is larger than {} MB; the rest is dropped", MAX_TEXT_BYTES >> 20);
        unit.report_at(None, DiagnosticKind::Limit, Severity::Error, message);
    }
    out
}

/// Whether the file's bytes are the token's spelling.
fn is_linear(tok: &Tok) -> bool {
    tok.flags & (MADE | RESPELLED) == 0
}

/// How many of the tokens, from the first on, stand one after the other in their file with only white space between
/// them, and came the same way. The first one is linear.
fn run_length(unit: &Unit<'_>, toks: &[Tok]) -> usize {
    let first = toks[0];
    let Some(file) = unit.files.get(usize::from(first.file)) else { return 1 };
    let bytes = file.lexed.text.as_bytes();
    let mut before = first;
    for (at, tok) in toks.iter().enumerate().skip(1) {
        let end = before.start + before.len;
        let follows = is_linear(tok)
            && tok.file == first.file
            && tok.node == first.node
            && tok.start >= end
            && tok.start - end <= MAX_COPIED_GAP
            // Numbers and names that stand together were not together: something between them vanished.
            && !(tok.start == end && joins(before.kind) && joins(tok.kind))
            && bytes[end as usize..tok.start as usize].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        if !follows {
            return at;
        }
        before = *tok;
    }
    toks.len()
}

fn joins(kind: Kind) -> bool {
    matches!(kind, Kind::Ident | Kind::Number)
}
