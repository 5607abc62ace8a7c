//! `al_routines.h` and `al_routines.c`: the tables by which the library AutoLink (`runtime/autolink`) follows pointers.
//!
//! One entry per label: the structs, then every other type that a link points to. What an entry consists of is
//! documented in `runtime/autolink/autolink.h`.

use std::fmt::Write as _;

use super::leaves::Leaf;
use super::{Description, Kind, Link, MOST_ENTRIES, Member, RecordId, StructError, Target, spelling};

/// What `al_routines.h` and `al_routines.c` contain.
#[derive(Clone, Debug)]
pub struct Tables {
    /// `al_routines.h`
    pub header: String,
    /// `al_routines.c`
    pub source: String,
}

/// The tables for all selected and linked structs. `made_by` is a line for the comment at the top of each file.
///
/// # Errors
///
/// If an array of structs has too many elements for a table.
pub fn tables(structs: &Description, made_by: &str) -> Result<Tables, StructError> {
    let records: Vec<RecordId> = structs.selected.iter().chain(&structs.linked).copied().collect();
    let mut labels = Labels::new(structs, &records);
    let mut bodies = String::new();
    for &id in &records {
        bodies.push_str(&record_tables(structs, id, &mut labels)?);
    }
    // Pointer types may need labels of their own, so the list may grow while it is gone through.
    let mut index = 0;
    while let Some(other) = labels.others.get(index).cloned() {
        bodies.push_str(&other_tables(&other, &mut labels));
        index += 1;
    }
    Ok(Tables {
        header: header(structs, made_by, &records, &labels),
        source: source(structs, made_by, &records, &labels, &bodies),
    })
}

/// A type that is no struct and has a label, because links point to it.
#[derive(Clone)]
struct Other {
    target: Target,
    label: String,
}

struct Labels<'a> {
    structs: &'a Description,
    records: Vec<(RecordId, String)>,
    others: Vec<Other>,
    entries: Vec<String>,
}

impl<'a> Labels<'a> {
    fn new(structs: &'a Description, records: &[RecordId]) -> Self {
        let records = records.iter().map(|&id| (id, structs.record(id).name.clone())).collect();
        Self { structs, records, others: Vec::new(), entries: Vec::new() }
    }

    /// The label of a type without its prefix, given when it is asked for first.
    fn of(&mut self, target: &Target) -> String {
        if let Target::Record(id) = target {
            let known = self.records.iter().find(|(record, _)| record == id);
            return known.map(|(_, label)| label.clone()).expect("targets are selected or linked");
        }
        if let Some(known) = self.others.iter().find(|other| other.target == *target) {
            return known.label.clone();
        }
        let mut label: String = self
            .title(target)
            .replace(" *", "_pointer")
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
            .collect();
        while label.ends_with('_') {
            label.pop();
        }
        while self.is_taken(&label) {
            label.push_str("_type");
        }
        self.others.push(Other { target: target.clone(), label: label.clone() });
        label
    }

    fn is_taken(&self, label: &str) -> bool {
        self.records.iter().any(|(_, of)| of == label) || self.others.iter().any(|other| other.label == label)
    }

    /// The type as users write it, without `struct`.
    fn title(&self, target: &Target) -> String {
        match target {
            Target::Record(id) => self.structs.record(*id).name.clone(),
            Target::Pointer(to) => pointer_to(&self.title(to)),
            _ => self.c_type(target),
        }
    }

    fn c_type(&self, target: &Target) -> String {
        match target {
            Target::Record(id) => {
                let record = self.structs.record(*id);
                record.c_type.clone().expect("what is pointed to has a name in C")
            }
            Target::Basic(basic) => spelling(*basic).to_owned(),
            Target::Bytes(c_type) => c_type.clone(),
            Target::Pointer(to) => pointer_to(&self.c_type(to)),
            Target::String => "char *".to_owned(),
            Target::Array(of, dimensions) => {
                let dimensions: String = dimensions.iter().map(|length| format!("[{length}]")).collect();
                format!("{}{dimensions}", self.c_type(of))
            }
        }
    }

    /// Adds the row of the table of types.
    fn entry(&mut self, title: &str, c_type: &str, label: &str, runs: bool, links: bool) {
        let list = |any: bool, what: &str| {
            let name = format!("{what}_of_{label}");
            if any { format!("AUTOLINK_LENGTH({name}), {name}") } else { "0, NULL".to_owned() }
        };
        self.entries.push(format!(
            "    {{&autolink_schema, \"{title}\", sizeof({c_type}), {}, {}}},\n",
            list(runs, "runs"),
            list(links, "links")
        ));
    }
}

fn pointer_to(c_type: &str) -> String {
    let blank = if c_type.ends_with('*') { "" } else { " " };
    format!("{c_type}{blank}*")
}

fn header(structs: &Description, made_by: &str, records: &[RecordId], labels: &Labels<'_>) -> String {
    let mut text = format!(
        "/* {made_by} */\n#ifndef AL_ROUTINES_H\n#define AL_ROUTINES_H\n\n#include \"autolink.h\"\n{}\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\nextern const AL_Type AutoLink_Types[{}];\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n/* For the argument `type` of AL_Send and its kin. */\n",
        structs.includes(),
        records.len() + labels.others.len()
    );
    for (label, &id) in records.iter().enumerate() {
        if structs.selected.contains(&id) {
            let _ = writeln!(text, "#define AutoLink_{} (&AutoLink_Types[{label}])", structs.record(id).name);
        }
    }
    text.push_str("\n#endif\n");
    text
}

fn source(
    structs: &Description,
    made_by: &str,
    records: &[RecordId],
    labels: &Labels<'_>,
    bodies: &str,
) -> String {
    let mut text = format!(
        "/* {made_by} */\n#include \"al_routines.h\"\n\n\
         /* Labels: structs in the order of the file, then the other types that links point to. */\nenum {{\n"
    );
    let others = labels.others.iter().map(|other| &other.label);
    for label in labels.records.iter().map(|(_, label)| label).chain(others) {
        let _ = writeln!(text, "    LABEL_{label},");
    }
    text.push_str(
        "    AUTOLINK_LABELS\n};\n\n\
         /* Another ABI than the one that this was generated for is an error here, not garbage at the receiver. */\n",
    );
    for id in structs.with_inner(records.iter().copied()) {
        text.push_str(&structs.assertions(id, "al_routines.c"));
    }
    text.push_str("\nstatic const AL_Schema autolink_schema;\n\n");
    text.push_str(bodies);
    text.push_str(
        "#define AUTOLINK_LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))\nconst AL_Type AutoLink_Types[AUTOLINK_LABELS] = {\n",
    );
    text.extend(labels.entries.iter().map(String::as_str));
    text.push_str("};\n\nstatic const AL_Schema autolink_schema = {AL_SCHEMA_VERSION, AUTOLINK_LABELS, AutoLink_Types};\n");
    text
}

/// Rows of one struct.
#[derive(Default)]
struct Rows {
    runs: Vec<String>,
    links: Vec<String>,
}

fn record_tables(
    structs: &Description,
    id: RecordId,
    labels: &mut Labels<'_>,
) -> Result<String, StructError> {
    let record = structs.record(id);
    let c_type = record.c_type.as_deref().expect("what has a label has a name in C");
    let mut rows = Rows::default();
    add_rows(structs, id, c_type, &structs.leaves(id), labels, &mut rows)?;
    let mut text = String::new();
    write_table(&mut text, "AL_Run", &format!("runs_of_{}", record.name), &rows.runs);
    write_table(&mut text, "AL_Link", &format!("links_of_{}", record.name), &rows.links);
    text.push('\n');
    labels.entry(&record.name, c_type, &record.name, !rows.runs.is_empty(), !rows.links.is_empty());
    Ok(text)
}

fn write_table(text: &mut String, of: &str, name: &str, rows: &[String]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "static const {of} {name}[] = {{");
    for row in rows {
        let _ = writeln!(text, "    {row},");
    }
    text.push_str("};\n");
}

fn add_rows(
    structs: &Description,
    outer: RecordId,
    c_type: &str,
    leaves: &[Leaf<'_>],
    labels: &mut Labels<'_>,
    rows: &mut Rows,
) -> Result<(), StructError> {
    for leaf in leaves {
        let member = leaf.member;
        if member.size == 0 {
            continue;
        }
        if leaf.designator.is_none() && !structs.is_fixed(outer) && !matches!(member.kind, Kind::LeftOut) {
            let record = structs.record(outer).name.clone();
            return Err(StructError::Nameless { record, member: leaf.title() });
        }
        match &member.kind {
            Kind::Basic(_) | Kind::Bytes => rows.runs.push(run(c_type, leaf)),
            Kind::Record(inner) if structs.dense(*inner) => rows.runs.push(run(c_type, leaf)),
            Kind::Record(inner) => {
                let inner = *inner;
                let each = count_rows(structs, inner);
                let all = each.saturating_mul(member.count());
                if MOST_ENTRIES < all {
                    if structs.leaves_out(inner) {
                        let record = structs.record(outer).name.clone();
                        return Err(StructError::TableTooLong { record, member: leaf.title(), count: all });
                    }
                    // As one run, with the padding.
                    rows.runs.push(run(c_type, leaf));
                    continue;
                }
                let size = structs.record(inner).size;
                for (number, index) in indices(&member.dimensions).iter().enumerate() {
                    let prefix = format!("{}{index}.", leaf.title());
                    let mut element = Vec::new();
                    structs.add_leaves(inner, &prefix, leaf.offset + number as u64 * size, &mut element);
                    add_rows(structs, outer, c_type, &element, labels, rows)?;
                }
            }
            Kind::Link(link) => rows.links.push(link_row(c_type, leaf, link, labels)),
            Kind::LeftOut => {}
        }
    }
    Ok(())
}

/// How many rows an element of an array gets.
fn count_rows(structs: &Description, id: RecordId) -> u64 {
    let of = |member: &Member| match member.kind {
        Kind::Record(inner) if structs.dense(inner) => 1,
        Kind::Record(inner) => count_rows(structs, inner).saturating_mul(member.count()),
        _ => 1,
    };
    structs.leaves(id).iter().fold(0, |sum: u64, leaf| sum.saturating_add(of(leaf.member)))
}

/// The subscripts of all elements of an array, in order.
fn indices(dimensions: &[u64]) -> Vec<String> {
    let mut all = vec![String::new()];
    for &length in dimensions {
        all = all.iter().flat_map(|before| (0..length).map(move |i| format!("{before}[{i}]"))).collect();
    }
    all
}

fn run(c_type: &str, leaf: &Leaf<'_>) -> String {
    match &leaf.designator {
        Some(designator) => format!("AL_DATA({c_type}, {designator})"),
        None => format!("{{{}, {}}}", leaf.offset, leaf.member.size),
    }
}

fn link_row(c_type: &str, leaf: &Leaf<'_>, link: &Link, labels: &mut Labels<'_>) -> String {
    let field = leaf.title();
    match link {
        Link::One(target) => format!("AL_ONE({c_type}, {field}, LABEL_{})", labels.of(target)),
        Link::Counted { target, count } => {
            format!("AL_COUNTED({c_type}, {field}, LABEL_{}, {}{count})", labels.of(target), leaf.prefix)
        }
        Link::String => format!("AL_STRING({c_type}, {field})"),
        Link::Opaque => format!("AL_OPAQUE({c_type}, {field})"),
    }
}

fn other_tables(other: &Other, labels: &mut Labels<'_>) -> String {
    let Other { target, label } = other;
    let (title, c_type) = (labels.title(target), labels.c_type(target));
    let link = match target {
        Target::Pointer(to) => {
            let to = labels.of(to);
            Some(format!("{{\"*\", AL_LINK_ONE, 0, 1, LABEL_{to}, 0, 0, 0}}"))
        }
        Target::String => Some("{\"*\", AL_LINK_STRING, 0, 1, 0, 0, 0, 0}".to_owned()),
        Target::Record(_) | Target::Basic(_) | Target::Bytes(_) | Target::Array(..) => None,
    };
    labels.entry(&title, &c_type, label, link.is_none(), link.is_some());
    match link {
        Some(link) => format!("static const AL_Link links_of_{label}[] = {{{link}}};\n\n"),
        None => format!("static const AL_Run runs_of_{label}[] = {{{{0, sizeof({c_type})}}}};\n\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;

    /// A large array of structs with one opaque member, in a selected struct.
    fn description(kind: Kind) -> Description {
        let member = |name: &str, offset, size, dimensions, kind| Member {
            name: Some(name.to_owned()),
            offset,
            size,
            dimensions,
            kind,
        };
        let record = |name: &str, size, members| Record {
            name: name.to_owned(),
            c_type: Some(format!("struct {name}")),
            size,
            fixed: true,
            members,
        };
        let char = member("c", 0, 1, Vec::new(), Kind::Basic(crate::basic::Basic::Char));
        let element = record("E", 16, vec![char, member("u", 8, 8, Vec::new(), kind)]);
        let array = member("e", 0, 16 * 5000, vec![5000], Kind::Record(RecordId(0)));
        Description {
            header: "h.h".to_owned(),
            before: Vec::new(),
            records: vec![element, record("B", 16 * 5000, vec![array])],
            selected: vec![RecordId(1)],
            linked: Vec::new(),
        }
    }

    #[test]
    fn what_is_opaque_in_a_large_array_is_not_sent_with_it() {
        for kind in [Kind::LeftOut, Kind::Link(Link::Opaque)] {
            let result = tables(&description(kind), "made by a test");
            assert!(matches!(result, Err(StructError::TableTooLong { .. })));
        }
        // Padding alone may be.
        assert!(tables(&description(Kind::Bytes), "made by a test").is_ok());
    }
}
