//! A header, taken in: its types, where they are declared, and what its comments say of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use frontend::ir::{RecordId, RecordKind, Type, TypeId, Unit};
use frontend::lower::{self, lower};
use frontend::preprocess::{self, DiagnosticKind, PackPragma, Severity, SourceMap, preprocess};

use super::forgotten::forgotten;
use super::invalid::invalid;
use super::marks::{Mark, MarkKind, marks};
use super::scan::{Body, BodyIndex, Declarations, Declared, scan};
use super::trouble::{Place, Troubles};

/// A struct or union with a name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) record: RecordId,
    /// As the user says it, without `struct`.
    pub(super) name: String,
    /// How C names the type.
    pub(super) c_type: String,
    /// Its members; `None` if they are not in the headers read.
    pub(super) body: Option<BodyIndex>,
}

/// A member as it is declared.
pub(super) struct Found<'a> {
    pub(super) declared: &'a Declared,
    pub(super) mark: Option<&'a MarkKind>,
}

/// A header and what it includes.
pub(super) struct Header {
    pub(super) unit: Unit,
    declarations: Declarations,
    pack_pragmas: Vec<PackPragma>,
    /// What is said of members, by body and number.
    member_marks: BTreeMap<(BodyIndex, usize), MarkKind>,
    /// All structs and unions by name, typedefs before tags.
    names: Vec<Named>,
    /// The structs that are marked as used, in order.
    marked: Vec<Named>,
    /// Headers of the system that it needs and does not include.
    forgotten: Vec<&'static str>,
    /// What is not understood, and where, if that costs only the struct that it stands in.
    broken: Vec<(u32, String)>,
}

/// The variables by which the frontend is asked for types: this and a number.
const PROBE: &str = "anyrank_probe_";

impl Header {
    /// Takes the header in. `None` if that is impossible; what is wrong is in `troubles`. If `all` it can, what is wrong with one
    /// declaration is kept for [`Self::broken_in`].
    pub(super) fn read(request: &preprocess::Request, all: bool, troubles: &mut Troubles) -> Option<Self> {
        let path = &request.path;
        let file = Place { file: path.display().to_string(), line: None };
        let fail = |troubles: &mut Troubles, message: String| {
            let message = message.strip_prefix(&format!("{}: ", file.file)).unwrap_or(&message).to_owned();
            troubles.error(&file, message);
        };
        let text = match frontend::source::read(path) {
            Ok(source) => source.text,
            Err(error) => {
                fail(troubles, error.to_string());
                return None;
            }
        };
        let first = match preprocess(request) {
            Ok(first) => first,
            Err(error) => {
                fail(troubles, error.to_string());
                return None;
            }
        };
        for diagnostic in &first.diagnostics {
            let place = Place { file: diagnostic.file.clone(), line: Some(diagnostic.line) };
            // A missing header matters only if a type of it is needed, which is said then.
            if diagnostic.severity == Severity::Error
                && !matches!(diagnostic.kind, DiagnosticKind::MissingInclude { .. })
            {
                troubles.error(&place, &diagnostic.message);
            } else if Severity::Warning <= diagnostic.severity {
                troubles.warning(&place, &diagnostic.message);
            }
        }
        let code = first.text.get(..first.code_end as usize).unwrap_or(&first.text);
        let declarations = scan(code);
        let declared = declarations.typedefs.iter().map(|typedef| typedef.name.as_str());
        let tags = declarations.bodies.iter().filter_map(|body| body.tag.as_deref());
        let forgotten = forgotten(code, &first.map, &declared.chain(tags).collect());
        let probes = probes(&declarations);
        let mut probed = String::with_capacity(text.len() + 64 * probes.len());
        probed.push_str(&text);
        probed.push('\n');
        for (number, probe) in probes.iter().enumerate() {
            probed.push_str(&format!("{} {PROBE}{number};\n", probe.c_type));
        }
        let second = match preprocess(&request.clone().with_text(probed)) {
            Ok(second) => second,
            Err(error) => {
                fail(troubles, error.to_string());
                return None;
            }
        };
        let pack_pragmas = second.pack_pragmas.clone();
        let unit = lower(path, second, &lower::Options::default());
        let mut broken = Vec::new();
        for problem in unit.problems.iter().filter(|problem| problem.function.is_none()) {
            let place = place(&unit.map, problem.span.start);
            if all {
                if !is_in_body(&declarations, problem.span.start) {
                    troubles
                        .warning(&place, format_args!("{}; what depends on it is left out", problem.message));
                }
                broken.push((problem.span.start, problem.message.clone()));
            } else if unit.map.is_in_main_file(problem.span.start) {
                troubles.error(
                    &place,
                    format_args!(
                        "{}; structs are read only where all declarations are understood",
                        problem.message
                    ),
                );
            } else {
                troubles.warning(&place, &problem.message);
            }
        }
        for (offset, message) in invalid(&declarations) {
            if unit.map.is_in_main_file(offset) {
                troubles.error(&place(&unit.map, offset), message);
            }
        }
        let names = resolve(&unit, probes);
        let mut header = Self {
            unit,
            declarations,
            pack_pragmas,
            member_marks: BTreeMap::default(),
            names,
            marked: Vec::new(),
            forgotten,
            broken,
        };
        header.read_marks(request, &text, troubles);
        Some(header)
    }

    /// Where an offset of the preprocessed text stands.
    pub(super) fn place(&self, offset: u32) -> Place {
        place(&self.unit.map, offset)
    }

    /// Where a struct begins; the header itself if that is unknown.
    pub(super) fn body_place(&self, body: Option<BodyIndex>) -> Place {
        match body {
            Some(body) => self.place(self.body(body).open),
            None => Place { file: self.unit.path.display().to_string(), line: None },
        }
    }

    /// Headers of the system that it needs and does not include.
    pub(super) fn forgotten(&self) -> &[&'static str] {
        &self.forgotten
    }

    /// What is wrong in a struct, and where, that costs only the struct.
    pub(super) fn broken_in(&self, body: BodyIndex) -> impl Iterator<Item = &(u32, String)> {
        let within = self.body(body).open..=self.body(body).close;
        self.broken.iter().filter(move |(offset, _)| within.contains(offset))
    }

    pub(super) fn body(&self, body: BodyIndex) -> &Body {
        &self.declarations.bodies[body]
    }

    /// A member by its name.
    pub(super) fn member(&self, body: BodyIndex, name: &str) -> Option<Found<'_>> {
        let members = &self.body(body).members;
        let number = members.iter().position(|member| member.name == name)?;
        Some(Found { declared: &members[number], mark: self.member_marks.get(&(body, number)) })
    }

    /// The name of a struct or union, if it has one.
    pub(super) fn named(&self, record: RecordId) -> Option<&Named> {
        self.names.iter().find(|named| named.record == record)
    }

    /// The struct or union that the user means by a name.
    pub(super) fn find(&self, name: &str) -> Option<&Named> {
        let name = name.trim();
        match name.strip_prefix("struct ") {
            Some(tag) => {
                let c_type = format!("struct {}", tag.trim());
                self.names.iter().find(|named| named.c_type == c_type)
            }
            None => self.names.iter().find(|named| named.name == name),
        }
    }

    /// The structs that are marked, in order.
    pub(super) fn marked(&self) -> &[Named] {
        &self.marked
    }

    /// All structs with a name whose members are in the header itself, in order.
    pub(super) fn all(&self) -> Vec<Named> {
        let mut all: Vec<Named> = Vec::new();
        for (index, body) in self.declarations.bodies.iter().enumerate() {
            if body.is_union || body.nested || !self.unit.map.is_in_main_file(body.open) {
                continue;
            }
            all.extend(self.names.iter().find(|named| named.body == Some(index)).cloned());
        }
        all
    }

    pub(super) fn is_union(&self, named: &Named) -> bool {
        self.unit.types.record(named.record).kind == RecordKind::Union
    }

    /// The limit of `#pragma pack` that a struct is under.
    pub(super) fn pack_limit(&self, body: Option<BodyIndex>) -> Option<u64> {
        let open = self.body(body?).open;
        self.pack_pragmas.iter().take_while(|pragma| pragma.offset <= open).last()?.limit
    }

    /// Ties the comments of the header and of what it includes to what they stand behind.
    fn read_marks(&mut self, request: &preprocess::Request, text: &str, troubles: &mut Troubles) {
        let map = &self.unit.map;
        let main = map.main_file().to_owned();
        let anchors = self.anchors();
        let included: Vec<(String, String)> = map
            .files()
            .filter(|file| !file.system && file.name != main)
            .filter_map(|file| Some((file.name.clone(), map.source(&file.name)?.to_owned())))
            .collect();
        let files = std::iter::once((request.path.display().to_string(), &main, true))
            .chain(included.iter().map(|(file, _)| (file.clone(), file, false)));
        for ((shown, file, is_main), marks) in files.zip(active_marks(request, text, &included)) {
            self.tie(&shown, &marks, anchors.get(file), is_main, troubles);
        }
    }

    fn tie(
        &mut self,
        file: &str,
        marks: &[Mark],
        anchors: Option<&Anchors>,
        main: bool,
        troubles: &mut Troubles,
    ) {
        let mut within: Option<u32> = None;
        for mark in marks {
            let place = Place { file: file.to_owned(), line: Some(mark.line) };
            let before = anchors.and_then(|anchors| anchors.range(..(mark.line, mark.column)).next_back());
            // What stands on a line after the end of the declaration may be about the next one as well.
            let anchor = before.filter(|(_, (end, _))| mark.line <= *end).map(|(_, (_, anchor))| *anchor);
            match (&mark.kind, anchor) {
                (MarkKind::Begin, _) => {
                    if let Some(line) = within.replace(mark.line) {
                        troubles.error(&place, format_args!("AutoMap_Begin again: the one of line {line} has no AutoMap_End"));
                    }
                }
                (MarkKind::End, _) => {
                    if within.take().is_none() {
                        troubles.error(&place, "AutoMap_End without AutoMap_Begin");
                    }
                }
                (MarkKind::Unknown(text), _) => troubles.error(
                    &place,
                    format_args!(
                        "`{text}` is not known; known are AutoMap_Begin, AutoMap_TpUsed, AutoMap_End, AutoMap_Count(field), \
                         AutoMap_String and AutoMap_Opaque"
                    ),
                ),
                // What others mark is for their own run.
                (MarkKind::TypeUsed, _) if !main => {}
                (MarkKind::TypeUsed, Some(Anchor::Type(named))) => {
                    if within.is_none() {
                        troubles.warning(&place, "AutoMap_TpUsed outside of AutoMap_Begin ... AutoMap_End; it counts all the same");
                    }
                    let named = self.names[named].clone();
                    if self.is_union(&named) {
                        troubles.error(&place, format_args!("`{}` is a union: nothing says which of its members is to be sent", named.name));
                    } else if !self.marked.iter().any(|other| other.record == named.record) {
                        self.marked.push(named);
                    }
                }
                (MarkKind::TypeUsed, _) => troubles.error(
                    &place,
                    "AutoMap_TpUsed has to follow a struct with a name: typedef struct { ... } NAME /*~ AutoMap_TpUsed */;",
                ),
                (kind, Some(Anchor::Member(body, number))) => {
                    self.member_marks.insert((body, number), kind.clone());
                }
                (_, _) => troubles.error(&place, "this has to follow a member of a struct, on its line"),
            }
        }
        if let Some(line) = within {
            troubles.error(
                &Place { file: file.to_owned(), line: Some(line) },
                "AutoMap_Begin without AutoMap_End",
            );
        }
    }

    /// What comments may be about, by file and position.
    fn anchors(&self) -> BTreeMap<String, Anchors> {
        let map = &self.unit.map;
        let mut all: BTreeMap<String, Anchors> = BTreeMap::new();
        let mut add = |at: u32, end: u32, anchor: Anchor| {
            let (location, end) = (map.locate(at..at + 1), map.locate(end..end + 1));
            let end = if end.file == location.file { end.line } else { location.line };
            all.entry(location.file).or_default().insert((location.line, location.column), (end, anchor));
        };
        for (index, body) in self.declarations.bodies.iter().enumerate() {
            let named = self.names.iter().position(|named| named.body == Some(index));
            add(body.close, body.end, named.map_or(Anchor::Nothing, Anchor::Type));
            for (number, member) in body.members.iter().enumerate() {
                add(member.span.start, member.end, Anchor::Member(index, number));
            }
        }
        for typedef in &self.declarations.typedefs {
            let own = self.names.iter().position(|named| named.c_type == typedef.name);
            // Behind the pointer of `} Node, *NodePointer` the struct is meant.
            let defined =
                typedef.body.and_then(|body| self.names.iter().position(|named| named.body == Some(body)));
            add(typedef.span.start, typedef.end, own.or(defined).map_or(Anchor::Nothing, Anchor::Type));
        }
        all
    }
}

/// By position: the line on which the declaration ends, and what is declared there.
type Anchors = BTreeMap<(u32, u32), (u32, Anchor)>;

#[derive(Clone, Copy)]
enum Anchor {
    Member(BodyIndex, usize),
    /// Number in [`Header::names`].
    Type(usize),
    Nothing,
}

/// The comments of the header and of each file that it includes, but for those in parts which the preprocessor leaves out: a name is put
/// before each, and those are looked for in what is left.
fn active_marks(request: &preprocess::Request, text: &str, included: &[(String, String)]) -> Vec<Vec<Mark>> {
    let name = |file: usize, number: usize| format!("anyrank_mark_{file}_{number}");
    let texts = std::iter::once(text).chain(included.iter().map(|(_, text)| text.as_str()));
    let (mut found, mut named): (Vec<Vec<Mark>>, Vec<String>) = texts
        .enumerate()
        .map(|(file, text)| {
            let marks = marks(text);
            let named = with_names(text, &marks, |number| name(file, number));
            (marks, named)
        })
        .unzip();
    let mut request = request.clone();
    for ((file, _), text) in included.iter().zip(named.drain(1..)) {
        request.overlay.insert(Path::new(file), text);
    }
    request.text = named.pop();
    let Ok(left) = preprocess(&request) else { return found };
    let left: BTreeSet<&str> = left.text.split_ascii_whitespace().collect();
    for (file, marks) in found.iter_mut().enumerate() {
        let mut number = 0..;
        marks.retain(|_| left.contains(name(file, number.next().unwrap_or_default()).as_str()));
    }
    found
}

/// Whether an offset is in a struct or union.
fn is_in_body(declarations: &Declarations, offset: u32) -> bool {
    declarations.bodies.iter().any(|body| (body.open..=body.close).contains(&offset))
}

/// A text with a name before each mark.
fn with_names(text: &str, marks: &[Mark], name: impl Fn(usize) -> String) -> String {
    let mut named = String::with_capacity(text.len() + 32 * marks.len());
    let (mut line, mut number) = (1, 0);
    for content in text.split_inclusive('\n') {
        let mut done = 0;
        while let Some(mark) = marks.get(number).filter(|mark| mark.line == line) {
            let column = mark.column as usize - 1;
            named.push_str(&content[done..column]);
            named.push_str(&format!(" {} ", name(number)));
            done = column;
            number += 1;
        }
        named.push_str(&content[done..]);
        line += 1;
    }
    named
}

fn place(map: &SourceMap, offset: u32) -> Place {
    let location = map.locate(offset..offset + 1);
    Place { file: location.file, line: Some(location.line) }
}

/// A name whose type the frontend is asked for.
struct Probe {
    name: String,
    c_type: String,
    body: Option<BodyIndex>,
}

fn probes(declarations: &Declarations) -> Vec<Probe> {
    let typedefs = declarations.typedefs.iter().filter(|typedef| !typedef.pointer).map(|typedef| Probe {
        name: typedef.name.clone(),
        c_type: typedef.name.clone(),
        body: typedef.body,
    });
    let tags = declarations.bodies.iter().enumerate().filter_map(|(index, body)| {
        let (name, keyword) = (body.tag.clone()?, if body.is_union { "union" } else { "struct" });
        let c_type = format!("{keyword} {name}");
        Some(Probe { name, c_type, body: Some(index) })
    });
    typedefs.chain(tags).collect()
}

/// What the probes are: names of one struct, or of one without members in the headers, keep the order of the probes.
fn resolve(unit: &Unit, probes: Vec<Probe>) -> Vec<Named> {
    let globals: BTreeMap<&str, TypeId> =
        unit.globals.iter().map(|global| (&*global.name, global.ty)).collect();
    let mut names: Vec<Named> = Vec::new();
    for (number, Probe { name, c_type, body }) in probes.into_iter().enumerate() {
        if let Some(ty) = globals.get(format!("{PROBE}{number}").as_str())
            && let Type::Record(record) = *unit.types.get(*ty)
        {
            names.push(Named { record, name, c_type, body });
        }
    }
    // A typedef of a struct that is defined elsewhere in the header has its members there.
    let bodies: Vec<(RecordId, BodyIndex)> =
        names.iter().filter_map(|named| Some((named.record, named.body?))).collect();
    for named in &mut names {
        named.body = named
            .body
            .or_else(|| bodies.iter().find(|(record, _)| *record == named.record).map(|(_, body)| *body));
    }
    names
}
