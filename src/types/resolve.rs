//! From the types of the frontend to the structs that crate `layout` writes code for.

use std::collections::{BTreeMap, BTreeSet};

use analyzer::c_types::basic;
use frontend::ir::dump;
use frontend::ir::{Field, RecordId as Defined, RecordKind, Type, TypeId, Unit};
use frontend::mpi::Object;
use layout::Basic;
use layout::c_struct::{Description, Kind, Link, Member, Record, RecordId, Target};

use super::header::{Header, Named};
use super::marks::MarkKind;
use super::scan::BodyIndex;
use super::trouble::{Place, Troubles};

/// Whether a type is a floating one of which the frontend knows the name only.
fn is_unknown_float(name: &str) -> bool {
    matches!(name, "_Float16" | "__fp16" | "__bf16" | "__ibm128" | "__float80")
        || name.starts_with("_Decimal")
        || name.starts_with("_Float")
}

/// What the user wants to be done with members that have no one right treatment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Treatment {
    /// Follow pointers.
    pub(super) autolink: bool,
    /// Transfer the bytes that bit-fields lie in.
    pub(super) bit_fields_as_bytes: bool,
}

/// More members than this in one struct, with those of the structs within it, are a mistake or an attack.
const MOST_LEAVES: u64 = 1 << 16;

/// Structs nested deeper by value are refused.
const MAX_DEPTH: u32 = 100;

/// Describes the selected structs and all that they need. What is wrong goes to `troubles`; if anything does, the
/// description is of no use.
pub(super) fn describe(
    header: &Header,
    include: &str,
    selected: &[Named],
    treatment: Treatment,
    troubles: &mut Troubles,
) -> Description {
    let mut resolver = Resolver {
        header,
        unit: &header.unit,
        treatment,
        troubles,
        description: Description {
            header: include.to_owned(),
            before: header.forgotten().iter().map(|&name| name.to_owned()).collect(),
            ..Description::default()
        },
        known: BTreeMap::default(),
        leaves: Vec::new(),
        selected: selected.iter().map(|named| (named.record, named)).collect(),
        names: selected.iter().map(|named| named.name.clone()).collect(),
        waiting: Vec::new(),
        depth: 0,
    };
    for named in selected {
        if let Some(id) =
            resolver.record(named.record, named.body, &named.name, &header.body_place(named.body))
        {
            resolver.description.selected.push(id);
        }
    }
    let mut linked: BTreeMap<(Option<BodyIndex>, RecordId), ()> = BTreeMap::new();
    while let Some(named) = resolver.waiting.pop() {
        if let Some(id) =
            resolver.record(named.record, named.body, &named.name, &header.body_place(named.body))
            && !resolver.description.selected.contains(&id)
        {
            linked.insert((named.body, id), ());
        }
    }
    let Resolver { mut description, known, .. } = resolver;
    description.linked = linked.into_keys().map(|(_, id)| id).collect();
    for member in description.records.iter_mut().flat_map(|record| &mut record.members) {
        if let Kind::Link(Link::One(target) | Link::Counted { target, .. }) = &mut member.kind {
            finish_target(target, &known);
        }
    }
    description
}

/// While structs are read, a target is told by its number in the unit; by its place in the description only when all have one.
fn finish_target(target: &mut Target, known: &BTreeMap<Defined, State>) {
    match target {
        Target::Record(id) => {
            let defined = Defined(u32::try_from(id.0).expect("it was made from a number of the unit"));
            if let Some(State::Done(place)) = known.get(&defined) {
                *id = *place;
            }
        }
        Target::Pointer(to) | Target::Array(to, _) => finish_target(to, known),
        Target::Basic(_) | Target::Bytes(_) | Target::String => {}
    }
}

/// How far a struct is.
#[derive(Clone, Copy)]
enum State {
    Open,
    Done(RecordId),
    Failed,
}

struct Resolver<'a> {
    header: &'a Header,
    unit: &'a Unit,
    treatment: Treatment,
    troubles: &'a mut Troubles,
    description: Description,
    known: BTreeMap<Defined, State>,
    /// Numbers of leaves of the structs of the description.
    leaves: Vec<u64>,
    selected: BTreeMap<Defined, &'a Named>,
    /// Names that are taken.
    names: BTreeSet<String>,
    /// What links point to.
    waiting: Vec<Named>,
    depth: u32,
}

/// A member that is being read.
struct At<'a> {
    /// The struct around it, for messages.
    record: &'a str,
    /// Its name; structs and unions within others may have none.
    title: Option<String>,
    place: Place,
    mark: Option<&'a MarkKind>,
    /// The struct or union that it defines.
    body: Option<BodyIndex>,
    /// Whether it may be an array without a length: the struct around it has a size nevertheless.
    may_be_flexible: bool,
}

impl At<'_> {
    fn of(&self) -> String {
        match &self.title {
            Some(title) => format!("member `{title}` of `{}`", self.record),
            None => format!("a member without a name of `{}`", self.record),
        }
    }
}

impl<'a> Resolver<'a> {
    /// A struct that is used at `user`. `hint` is what to call it if it has no name.
    fn record(
        &mut self,
        defined: Defined,
        body: Option<BodyIndex>,
        hint: &str,
        user: &Place,
    ) -> Option<RecordId> {
        let named = self.selected.get(&defined).copied().or_else(|| self.header.named(defined));
        let body = body.or_else(|| named.and_then(|named| named.body));
        let unit = self.unit;
        let record = unit.types.record(defined);
        let title = named.map_or_else(|| record.name.as_deref().unwrap_or(hint), |named| named.name.as_str());
        let place = if body.is_some() { self.header.body_place(body) } else { user.clone() };
        match self.known.get(&defined) {
            Some(State::Done(id)) => return Some(*id),
            Some(State::Failed) => return None,
            Some(State::Open) => {
                self.troubles.error(
                    &place,
                    format_args!("struct `{title}` contains itself; let the member be a pointer"),
                );
                return None;
            }
            None => {}
        }
        let Some(fields) = &record.fields else {
            let tag = record.name.as_deref().unwrap_or(title);
            self.troubles.error(
                &place,
                format_args!(
                    "struct `{tag}` is declared but not defined; include the header with its members"
                ),
            );
            self.known.insert(defined, State::Failed);
            return None;
        };
        if self.depth == MAX_DEPTH {
            self.troubles
                .error(&place, format_args!("struct `{title}` is nested deeper than {MAX_DEPTH} levels"));
            self.known.insert(defined, State::Failed);
            return None;
        }
        self.known.insert(defined, State::Open);
        self.depth += 1;
        let errors = self.troubles.errors.len();
        for (offset, message) in body.into_iter().flat_map(|body| self.header.broken_in(body)) {
            self.troubles.error(&self.header.place(*offset), message);
        }
        let members = self.members(fields, body, title, record.model_layout, &place);
        self.depth -= 1;
        // What has a size in the model only is left out, or has something in it that is.
        let types = &unit.types;
        let by_library =
            fields.iter().any(|field| types.size(field.ty).is_none() && types.model_size(field.ty).is_some());
        let is_known = record.layout_known || record.model_layout && by_library;
        if !is_known && errors == self.troubles.errors.len() {
            self.troubles.error(
                &place,
                format_args!(
                    "the size of struct `{title}` is not known: a length or an alignment in it is not known"
                ),
            );
        }
        if let Some(limit) = self.header.pack_limit(body)
            && limit < record.align
        {
            self.troubles.error(
                &place,
                format_args!("struct `{title}` is under #pragma pack({limit}), which is not followed; say __attribute__((packed)) instead"),
            );
        }
        let leaves = members.iter().fold(0_u64, |sum, member| {
            sum.saturating_add(match member.kind {
                Kind::Record(inner) if member.dimensions.is_empty() => self.leaves[inner.0],
                _ => 1,
            })
        });
        if MOST_LEAVES < leaves {
            self.troubles
                .error(&place, format_args!("struct `{title}` has more than {MOST_LEAVES} members in all"));
        }
        if errors < self.troubles.errors.len() {
            self.known.insert(defined, State::Failed);
            return None;
        }
        let name = match self.selected.get(&defined) {
            Some(named) => named.name.clone(),
            None => self.free_name(title),
        };
        let id = RecordId(self.description.records.len());
        let c_type = named.map(|named| named.c_type.clone());
        let fixed = record.layout_known;
        self.description.records.push(Record { name, c_type, size: record.size, fixed, members });
        self.leaves.push(leaves);
        self.known.insert(defined, State::Done(id));
        Some(id)
    }

    fn free_name(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        while !self.names.insert(name.clone()) {
            name.push_str("_inner");
        }
        name
    }

    fn members(
        &mut self,
        fields: &[Field],
        body: Option<BodyIndex>,
        record: &str,
        has_layout: bool,
        place: &Place,
    ) -> Vec<Member> {
        let errors = self.troubles.errors.len();
        let mut members: Vec<Member> = Vec::new();
        let mut anonymous =
            body.into_iter().flat_map(|body| self.header.body(body).anonymous.iter().copied());
        let mut bits_before = false;
        for field in fields {
            let found =
                field.name.as_deref().zip(body).and_then(|(name, body)| self.header.member(body, name));
            let inner = match &found {
                Some(found) => found.declared.body,
                None if field.name.is_none() && field.bits.is_none() => anonymous.next(),
                None => None,
            };
            let at = At {
                record,
                title: field.name.as_deref().map(str::to_owned),
                place: match (&found, inner) {
                    (Some(found), _) => self.header.place(found.declared.span.start),
                    (None, Some(inner)) => self.header.body_place(Some(inner)),
                    (None, None) => place.clone(),
                },
                mark: found.as_ref().and_then(|found| found.mark),
                body: inner,
                may_be_flexible: has_layout || self.troubles.errors.len() > errors,
            };
            if let Some((first, width)) = field.bits {
                // Those without a name are padding.
                if field.name.is_some() && self.may_have_bits(&at) {
                    let first = field.offset * 8 + u64::from(first);
                    Member::add_bits(&mut members, bits_before, first, width.into());
                    bits_before = true;
                }
                continue;
            }
            bits_before = false;
            if let Some(member) = self.member(field, fields, &at) {
                members.push(member);
            }
        }
        for member in &members {
            let Kind::Link(Link::Counted { count, .. }) = &member.kind else { continue };
            let is_opaque = |other: &Member| {
                other.name.as_deref() == Some(count.as_str()) && matches!(other.kind, Kind::LeftOut)
            };
            if members.iter().any(is_opaque) {
                let name = member.name.as_deref().unwrap_or_default();
                let found = body.and_then(|body| self.header.member(body, name));
                let at = found.map_or_else(|| place.clone(), |f| self.header.place(f.declared.span.start));
                self.troubles.error(
                    &at,
                    format_args!("the count `{count}` of member `{name}` of `{record}` is opaque, so that it does not arrive"),
                );
            }
        }
        members
    }

    fn may_have_bits(&mut self, at: &At<'_>) -> bool {
        if !self.treatment.bit_fields_as_bytes && at.mark != Some(&MarkKind::Opaque) {
            self.troubles.error(
                &at.place,
                format_args!(
                    "{} is a bit-field: MPI has no datatype for it, and compilers differ in where its bits are; make it an integer, \
                     or say --bit-fields-as-bytes to send the bytes that it lies in",
                    at.of()
                ),
            );
        }
        at.mark != Some(&MarkKind::Opaque)
    }

    fn member(&mut self, field: &Field, fields: &[Field], at: &At<'_>) -> Option<Member> {
        let types = &self.unit.types;
        let mut dimensions = Vec::new();
        let mut element = field.ty;
        while let Type::Array(of, length) = types.get(element) {
            let Some(length) = *length else {
                self.no_length(at);
                return None;
            };
            dimensions.push(length);
            element = *of;
        }
        let kind = self.kind(element, fields, at)?;
        // What has no size of its own has been refused by its kind, but for handles and structs with handles in them.
        let size = types.model_size(field.ty)?;
        if size == 0 {
            self.troubles.warning(&at.place, format_args!("{} has no bytes: it is not sent", at.of()));
            return None;
        }
        Some(Member {
            name: field.name.as_deref().map(str::to_owned),
            offset: field.offset,
            size,
            dimensions,
            kind,
        })
    }

    fn no_length(&mut self, at: &At<'_>) {
        if at.may_be_flexible {
            self.troubles.warning(
                &at.place,
                format_args!("{} is an array without a length: it is not sent with the struct", at.of()),
            );
        } else {
            self.troubles.error(
                &at.place,
                format_args!(
                    "the length of {} is not known here: it has to be made of numbers, macros, constants of enums and sizeof",
                    at.of()
                ),
            );
        }
    }

    fn kind(&mut self, ty: TypeId, fields: &[Field], at: &At<'_>) -> Option<Kind> {
        let types = &self.unit.types;
        let opaque = at.mark == Some(&MarkKind::Opaque);
        if let Some(handle) = self.handle(ty) {
            if !opaque {
                self.troubles.warning(
                    &at.place,
                    format_args!(
                        "{} is an {handle}, which means nothing in another process: it is left out",
                        at.of()
                    ),
                );
            }
            return Some(Kind::LeftOut);
        }
        if let Type::Pointer(to) = *types.get(ty) {
            return self.link(to, fields, at).map(Kind::Link);
        }
        if let Some(mark @ (MarkKind::Count(_) | MarkKind::String)) = at.mark {
            let mark = if matches!(mark, MarkKind::String) { "String" } else { "Count" };
            self.troubles
                .error(&at.place, format_args!("AutoMap_{mark} is for pointers, and {} is none", at.of()));
            return None;
        }
        if opaque && types.model_size(ty).is_some() {
            return Some(Kind::LeftOut);
        }
        let id = ty;
        let ty = types.get(id);
        if let Some(basic) = basic(ty) {
            return Some(Kind::Basic(basic));
        }
        match ty {
            Type::Int(_) => {
                self.troubles.warning(
                    &at.place,
                    format_args!("{} is of a type that MPI does not know: it is sent as bytes", at.of()),
                );
                Some(Kind::Bytes)
            }
            Type::Record(inner) if types.record(*inner).kind == RecordKind::Union => self.union(*inner, at),
            Type::Record(inner) => {
                let hint = format!("{}_{}", at.record, at.title.as_deref().unwrap_or("inner"));
                self.record(*inner, at.body, &hint, &at.place).map(Kind::Record)
            }
            Type::Float(_) | Type::Complex(_) => self.no_datatype(dump::ty(self.unit, id), at),
            Type::Named(name) if is_unknown_float(name) => self.no_datatype(name.to_string(), at),
            Type::Named(name) => {
                self.troubles.error(
                    &at.place,
                    format_args!(
                        "{} is of type `{name}`, whose size is not known here: include the header that defines it, or mark it \
                         /*~ AutoMap_Opaque */ to leave it out",
                        at.of()
                    ),
                );
                None
            }
            _ => {
                self.troubles.error(&at.place, format_args!("{} is of a type that cannot be sent", at.of()));
                None
            }
        }
    }

    /// A scalar that MPI cannot send.
    fn no_datatype(&mut self, c_type: String, at: &At<'_>) -> Option<Kind> {
        self.troubles.error(
            &at.place,
            format_args!(
                "{} is of type `{c_type}`, for which MPI has no datatype; mark it /*~ AutoMap_Opaque */ to leave it out",
                at.of()
            ),
        );
        None
    }

    /// The kind of MPI object that a type is a handle of, as C names it.
    fn handle(&self, ty: TypeId) -> Option<&'static str> {
        let Type::Named(name) = self.unit.types.get(ty) else { return None };
        Object::ALL.iter().map(|object| object.ctype()).find(|ctype| **ctype == **name)
    }

    fn union(&mut self, union: Defined, at: &At<'_>) -> Option<Kind> {
        let types = &self.unit.types;
        let ty = Type::Record(union);
        if types.record(union).fields.is_none() {
            self.troubles.error(&at.place, format_args!("{} is a union that is not defined", at.of()));
            return None;
        }
        if self.points(&ty, 0) {
            self.troubles.error(
                &at.place,
                format_args!(
                    "{} is a union with a pointer in it, and nothing says whether the pointer is in use: move the pointer out of \
                     the union, or mark the union /*~ AutoMap_Opaque */ to leave it out",
                    at.of()
                ),
            );
            return None;
        }
        if !types.record(union).layout_known {
            self.troubles.error(&at.place, format_args!("the size of {} is not known", at.of()));
            return None;
        }
        self.troubles.warning(
            &at.place,
            format_args!("{} is a union: it is sent as bytes, which both sides must store alike", at.of()),
        );
        Some(Kind::Bytes)
    }

    /// Whether there is a pointer in an object of this type.
    fn points(&self, ty: &Type, depth: u32) -> bool {
        let types = &self.unit.types;
        match ty {
            Type::Pointer(_) => true,
            Type::Array(of, _) => self.points(types.get(*of), depth),
            // Beyond all nesting that is let through anyway.
            Type::Record(_) if MAX_DEPTH < depth => true,
            Type::Record(id) => {
                let fields = types.record(*id).fields.as_deref().unwrap_or(&[]);
                fields.iter().any(|field| self.points(types.get(field.ty), depth + 1))
            }
            _ => false,
        }
    }

    fn link(&mut self, to: TypeId, fields: &[Field], at: &At<'_>) -> Option<Link> {
        if at.mark == Some(&MarkKind::Opaque) {
            return Some(Link::Opaque);
        }
        if !self.treatment.autolink {
            self.troubles.error(
                &at.place,
                format_args!(
                    "{} is a pointer, which means nothing in another process: say --autolink to send what it points to, or mark it \
                     /*~ AutoMap_Opaque */ to leave it out",
                    at.of()
                ),
            );
            return None;
        }
        let types = &self.unit.types;
        let is_char =
            matches!(basic(types.get(to)), Some(Basic::Char | Basic::SignedChar | Basic::UnsignedChar));
        match at.mark {
            Some(MarkKind::String) if is_char => return Some(Link::String),
            Some(MarkKind::String) => {
                self.troubles.error(
                    &at.place,
                    format_args!("AutoMap_String is for pointers to characters, and {} is none", at.of()),
                );
                return None;
            }
            None if basic(types.get(to)) == Some(Basic::Char) => return Some(Link::String),
            _ => {}
        }
        let target = match self.target(to, at, 0) {
            Ok(target) => target,
            Err(reason) => {
                self.troubles.error(&at.place, format_args!("{} {reason}", at.of()));
                return None;
            }
        };
        let Some(MarkKind::Count(count)) = at.mark else { return Some(Link::One(target)) };
        let counts = |field: &Field| {
            let integer = matches!(types.get(field.ty), Type::Int(kind) if kind.size() <= 8);
            integer && field.bits.is_none() && field.name.is_some()
        };
        let field = fields.iter().find(|field| field.name.as_deref() == Some(count.as_str()));
        match field {
            Some(field) if counts(field) => Some(Link::Counted { target, count: count.clone() }),
            Some(_) => {
                self.troubles
                    .error(&at.place, format_args!("the count `{count}` of {} is not an integer", at.of()));
                None
            }
            None => {
                let names: Vec<_> = fields
                    .iter()
                    .filter(|field| counts(field))
                    .filter_map(|field| field.name.as_deref())
                    .collect();
                let known = if names.is_empty() {
                    String::new()
                } else {
                    format!("; its integers are {}", names.join(", "))
                };
                self.troubles.error(
                    &at.place,
                    format_args!(
                        "`{}` itself has no member `{count}` that could be the count of this pointer{known}",
                        at.record
                    ),
                );
                None
            }
        }
    }

    /// What a pointer points to, or why it cannot be followed.
    fn target(&mut self, ty: TypeId, at: &At<'_>, depth: u32) -> Result<Target, String> {
        const MARK: &str = "mark it /*~ AutoMap_Opaque */, and it arrives as NULL";
        if MAX_DEPTH < depth {
            return Err("points to too many pointers in turn".to_owned());
        }
        let types = &self.unit.types;
        if let Some(basic) = basic(types.get(ty)) {
            return Ok(Target::Basic(basic));
        }
        match types.get(ty) {
            Type::Pointer(to) if basic(types.get(*to)) == Some(Basic::Char) => Ok(Target::String),
            Type::Pointer(to) => Ok(Target::Pointer(Box::new(self.target(*to, at, depth + 1)?))),
            Type::Array(..) => {
                let (mut dimensions, mut element) = (Vec::new(), ty);
                while let Type::Array(of, length) = types.get(element) {
                    dimensions
                        .push(length.ok_or_else(|| format!("points to an array without a length; {MARK}"))?);
                    element = *of;
                }
                match self.target(element, at, depth + 1)? {
                    target @ (Target::Basic(_) | Target::Bytes(_)) => {
                        Ok(Target::Array(Box::new(target), dimensions))
                    }
                    _ => Err(format!(
                        "points to arrays of structs or pointers; point to their elements, or {MARK}"
                    )),
                }
            }
            Type::Record(defined) => {
                let record = types.record(*defined);
                let kind = if record.kind == RecordKind::Union { "union" } else { "struct" };
                let Some(named) = self.header.named(*defined).cloned() else {
                    return Err(match (&record.name, &record.fields) {
                        (Some(name), None) => format!(
                            "points to {kind} `{name}`, which is not defined here; define it in the header, or {MARK}"
                        ),
                        (Some(name), Some(_)) => format!(
                            "points to {kind} `{name}`, which is not defined in the headers read; {MARK}"
                        ),
                        (None, _) => format!("points to a {kind} without a name; give it one, or {MARK}"),
                    });
                };
                if record.fields.is_none() {
                    return Err(format!(
                        "points to {kind} `{}`, which is not defined here; define it in the header, or {MARK}",
                        named.name
                    ));
                }
                if record.kind == RecordKind::Union {
                    return match self.union(*defined, at) {
                        Some(_) => Ok(Target::Bytes(named.c_type)),
                        None => Err("cannot be followed".to_owned()),
                    };
                }
                self.waiting.push(named);
                Ok(Target::Record(RecordId(defined.0 as usize)))
            }
            Type::Void => {
                Err(format!("is a void *, which does not say what it points to; give it a type, or {MARK}"))
            }
            Type::Function(_) => Err(format!("points to a function, which cannot be sent; {MARK}")),
            Type::Named(name) => Err(format!("points to `{name}`, which is not known here; {MARK}")),
            _ => Err(format!("points to what cannot be sent; {MARK}")),
        }
    }
}
