//! From offsets in the preprocessed text back to what the user wrote.
//!
//! The text is cut into segments; within one, text and source advance byte for byte. A segment knows the file its
//! bytes are spelled in and an *origin*: how they came from there to here. Origin 0 means the user wrote them at this
//! very place. Otherwise they come out of the body of a macro ([`Origin::Body`], they belong to the macro's use) or
//! were written as an argument of one ([`Origin::Argument`], they belong to where the argument is written). So in
//! `CHECK(MPI_Send(buf, n, ...))` the call is found at its own columns, with `CHECK` in the chain, and in
//! `#define SEND MPI_Send(buf, n, ...)` it is found where `SEND` is used.

use std::ops::Range;
use std::sync::Arc;

use super::intern::Symbol;
use super::lexed::LexedFile;

/// How a token got into the text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Origin {
    /// From the replacement list of the macro, used here.
    Body { name: Symbol, definition: Place, usage: Place, usage_origin: u32 },
    /// Written with origin `outer` inside the arguments of the use that made the `Body` origin `through`.
    Argument { through: u32, outer: u32 },
}

/// A range of bytes in a file of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: u16,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A stretch of text whose bytes stand one after the other in a source file too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// Where it begins in the text; it ends where the next one begins.
    pub(super) text: u32,
    /// Where it begins in the file.
    pub(super) source: u32,
    /// Length in the file when every byte of the segment stands for all of it; 0 when they advance together.
    pub(super) whole: u32,
    /// How it got here.
    pub(super) origin: u32,
    /// The file it is spelled in.
    pub(super) file: u16,
}

/// A file of the unit.
#[derive(Debug, Clone)]
pub(super) struct MapFile {
    pub(super) name: String,
    pub(super) system: bool,
    pub(super) lexed: Arc<LexedFile>,
    /// `#line` directives: offset from which each applies, the line there, the name from there on.
    pub(super) presumed: Vec<(u32, u32, Option<Arc<str>>)>,
    /// The file and offset of the directive that included it first.
    pub(super) included_at: Option<(u16, u32)>,
}

/// Where a piece of the text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file as the user named it, or as the include that found it did.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in bytes of the user's file.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column after the last byte.
    pub end_column: u32,
    /// The macros the piece came through, outermost use first. Empty for what the user wrote in place.
    pub expansion: Vec<MacroUse>,
    /// What `#line` directives call this place, when they call it something else than `file` and `line`.
    pub presumed: Option<Presumed>,
}

/// A position that a `#line` directive gave a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presumed {
    /// The file named by the directive (usually the grammar or template the C file was generated from).
    pub file: String,
    /// The 1-based line there.
    pub line: u32,
}

/// One use of a macro in the history of a piece of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MacroUse {
    /// The macro's name.
    pub name: String,
    /// Where its name stands in its `#define`; `None` for a macro of the command line or the compiler.
    pub definition: Option<Spot>,
    /// Where it is used; inside the definition of another macro for all but the outermost.
    pub usage: Spot,
}

/// A point in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The file as the user named it, or as the include that found it did.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column in bytes.
    pub column: u32,
}

/// A file that took part in a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// The file as the user named it, or as the include that found it did.
    pub name: String,
    /// Whether it is a system header (or one of our own), whose text is not part of the unit.
    pub system: bool,
    /// The directive that included it first: file and line. `None` for the file the unit is named after.
    pub included_at: Option<(String, u32)>,
}

/// The way back from the preprocessed text. See the module.
///
/// Compact (20 bytes a segment, a few tokens each) and cheap to build; look-ups are binary searches.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    pub(super) segments: Vec<Segment>,
    pub(super) origins: Vec<Origin>,
    pub(super) files: Vec<MapFile>,
    pub(super) main: u16,
}

/// Longest chain of macros that is followed, so that no look-up takes long in generated nests.
const MAX_CHAIN: usize = 64;

impl SourceMap {
    /// The file the unit is named after, as the user named it.
    #[must_use]
    pub fn main_file(&self) -> &str {
        self.files.get(usize::from(self.main)).map_or("", |file| &file.name)
    }

    /// The files that took part, in the order they were first met.
    pub fn files(&self) -> impl Iterator<Item = SourceFile> + '_ {
        self.files.iter().map(|file| SourceFile {
            name: file.name.clone(),
            system: file.system,
            included_at: file.included_at.map(|(from, at)| {
                let from = &self.files[usize::from(from)];
                (from.name.clone(), from.lexed.position(at).0)
            }),
        })
    }

    /// The text of a file of the unit as it was read, for excerpts. `None` for a name that is not in [`Self::files`].
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|file| file.name == name).map(|file| &*file.lexed.text)
    }

    /// Whether the text at `offset` was written by the user in the main file, and not in a header.
    #[must_use]
    pub fn is_in_main_file(&self, offset: u32) -> bool {
        self.segment_at(offset).is_some_and(|segment| {
            let place = Place { file: segment.file, start: segment.source, end: segment.source };
            self.outermost(place, segment.origin).0.file == self.main
        })
    }

    /// Where `range` of the text comes from.
    ///
    /// A range that macros produced maps to the outermost use, unless all of it was written in the arguments of that
    /// use, in which case it maps to where it was written. An empty range maps to a point. A range beyond the text
    /// maps to its end.
    #[must_use]
    pub fn locate(&self, range: Range<u32>) -> Location {
        let first = self.resolve(range.start);
        let last =
            if range.end > range.start.saturating_add(1) { self.resolve(range.end - 1) } else { first };
        let (Some((first, origin)), Some((last, last_origin))) = (first, last) else {
            return Location {
                file: self.main_file().to_owned(),
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 1,
                expansion: Vec::new(),
                presumed: None,
            };
        };
        let origin = self.common(origin, last_origin);
        let mut place = first;
        if last.file == first.file && last.end >= first.start {
            place.end = last.end;
            // The end of the range may lie before its start when an argument moved: keep the start.
            place.start = place.start.min(place.end);
        }
        if range.end <= range.start {
            place.end = place.start;
        }
        let expansion = self.chain(origin);
        self.location(place, expansion)
    }

    /// The macros in the history of the byte at `offset`, without a location.
    fn resolve(&self, offset: u32) -> Option<(Place, u32)> {
        let segment = self.segment_at(offset)?;
        let place = if segment.whole > 0 {
            Place { file: segment.file, start: segment.source, end: segment.source + segment.whole }
        } else {
            // White space before the first token counts as its beginning.
            let start = segment.source.saturating_add(offset.saturating_sub(segment.text));
            let length =
                self.files.get(usize::from(segment.file)).map_or(0, |file| file.lexed.text.len() as u32);
            Place { file: segment.file, start: start.min(length), end: start.saturating_add(1).min(length) }
        };
        Some((self.outermost(place, segment.origin).0, segment.origin))
    }

    fn segment_at(&self, offset: u32) -> Option<Segment> {
        let at = self.segments.partition_point(|segment| segment.text <= offset);
        self.segments.get(at.max(1) - 1).copied()
    }

    /// Follows `origin` out to what the user wrote, and says how many steps that took.
    fn outermost(&self, mut place: Place, mut origin: u32) -> (Place, usize) {
        // Every origin points to earlier ones only, so this ends.
        let mut steps = 0;
        while let Some(step) = self.origin(origin) {
            steps += 1;
            match step {
                Origin::Body { usage, usage_origin, .. } => {
                    place = usage;
                    origin = usage_origin;
                }
                Origin::Argument { outer, .. } => origin = outer,
            }
        }
        (place, steps)
    }

    fn origin(&self, origin: u32) -> Option<Origin> {
        self.origins.get((origin as usize).checked_sub(1)?).copied()
    }

    /// The origin whose macros are those both `a` and `b` came through.
    fn common(&self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let outward = |mut origin: u32| {
            let mut list = vec![origin];
            while let Some(step) = self.origin(origin) {
                origin = match step {
                    Origin::Body { usage_origin, .. } => usage_origin,
                    Origin::Argument { through, outer } => {
                        list.push(through);
                        outer
                    }
                };
                list.push(origin);
                if list.len() > 4 * MAX_CHAIN {
                    break;
                }
            }
            list
        };
        let of_b = outward(b);
        outward(a).into_iter().find(|origin| of_b.contains(origin)).unwrap_or(0)
    }

    /// The macros of `origin`, outermost use first.
    fn chain(&self, mut origin: u32) -> Vec<MacroUse> {
        let mut out = Vec::new();
        while out.len() < MAX_CHAIN {
            let Some(step) = self.origin(origin) else { break };
            match step {
                Origin::Body { usage_origin, .. } => {
                    out.extend(self.macro_use(origin));
                    origin = usage_origin;
                }
                Origin::Argument { through, outer } => {
                    out.extend(self.macro_use(through));
                    origin = outer;
                }
            }
        }
        out.reverse();
        out
    }

    fn macro_use(&self, origin: u32) -> Option<MacroUse> {
        let Origin::Body { name, definition, usage, .. } = self.origin(origin)? else { return None };
        let of_compiler =
            self.files.get(usize::from(definition.file)).is_none_or(|f| f.name.starts_with('<'));
        Some(MacroUse {
            name: name.as_str().to_owned(),
            definition: (!of_compiler).then(|| self.spot(definition)),
            usage: self.spot(usage),
        })
    }

    fn spot(&self, place: Place) -> Spot {
        let Some(file) = self.files.get(usize::from(place.file)) else {
            return Spot { file: String::new(), line: 1, column: 1 };
        };
        let (line, column) = file.lexed.position(place.start);
        Spot { file: file.name.clone(), line, column }
    }

    fn location(&self, place: Place, expansion: Vec<MacroUse>) -> Location {
        let start = self.spot(Place { end: place.start, ..place });
        let end = self.spot(Place { start: place.end, ..place });
        let presumed = self.files.get(usize::from(place.file)).and_then(|file| file.presumed(place.start));
        Location {
            file: start.file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            expansion,
            presumed,
        }
    }
}

impl MapFile {
    /// What `#line` calls the line of `offset`.
    pub(super) fn presumed(&self, offset: u32) -> Option<Presumed> {
        let at = self.presumed.partition_point(|&(from, ..)| from <= offset).checked_sub(1)?;
        let (from, line, ref name) = self.presumed[at];
        let distance = self.lexed.position(offset).0 - self.lexed.position(from).0;
        Some(Presumed {
            file: name.as_deref().unwrap_or(&self.name).to_owned(),
            line: line.saturating_add(distance),
        })
    }
}
