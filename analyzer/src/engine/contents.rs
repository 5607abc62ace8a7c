//! Bytes that are not known but equal on all ranks: what is in an object as a function of symbols, and what is read from and written
//! to objects of which no more is known.
//!
//! Equal symbols are equal values. So the symbol of a content is made of everything that the content is made of: reading, storing and
//! copying are functions like any other.

use std::collections::BTreeSet;

use frontend::ir::{ExprKind, IntKind, Place, PlaceBase, Type, TypeId};
use frontend::mpi::{TypeGroup, constant};
use lattice::{Linear, Symbol, SymbolKind, Truth};

use super::aliasing::Stored;
use super::environment::Resource;
use super::eval::{Location, Scope};
use super::group::Group;
use super::memory::{
    Background, Content, LARGEST_CELL, LARGEST_SCALAR, Memory, ObjectId, ObjectKind, UNDEFINED_BYTES,
    ZERO_BYTES,
};
use super::mpi::type_size;
use super::need::Need;
use super::pointees::Pointees;
use super::series::{Place as Position, Series};
use super::state::HANDLE;
use super::value::Value;
use super::{Engine, state};

/// Cells of an object beyond which its content is not put into a symbol.
const CELL_LIMIT: usize = 512;

/// The function whose value is a pointer to a string of the command line.
const ARGUMENT: &str = "argv";

/// The function whose value is a pointer into a string that starts elsewhere: base and distance in bytes.
const INSIDE: &str = "inside of string";

/// Results of library functions that are strings nobody else writes to begin with this.
pub(crate) const TEXT: &str = "string of ";

/// Where a pointer may point to that is the same on all members of a set: nowhere, or into one of these objects, or, if `text` says so,
/// into a string outside of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    pub(crate) objects: BTreeSet<ObjectId>,
    pub(crate) text: bool,
}

impl Reach {
    /// The only object that it may point into.
    pub(crate) fn single(&self) -> Option<ObjectId> {
        let only = self.objects.len() == 1 && !self.text;
        self.objects.first().copied().filter(|_| only)
    }
}

impl Engine<'_> {
    /// Notes where a pointer may point to.
    pub(crate) fn may_point(&mut self, pointer: Symbol, reach: Reach) {
        let known = self.pointers.entry(pointer).or_default();
        known.objects.extend(reach.objects);
        known.text |= reach.text;
    }

    /// A value as an argument of a function of which only its arguments are known; `None` when it may differ between members.
    pub(crate) fn encode(&mut self, value: &Value) -> Option<Linear> {
        let named = |engine: &mut Self, name: String| Some(engine.symbols.apply(&name, Vec::new()).into());
        match value {
            Value::Int(_) | Value::Same(_) => value.as_argument(),
            Value::Name(name) => named(self, format!("object {name}")),
            Value::Function(unit, name) => named(self, format!("function {name} of unit {unit}")),
            Value::Address(object, offset) if value.is_uniform() => {
                let base = match self.objects.kind(*object) {
                    ObjectKind::Literal(text) => format!("{text:?}"),
                    _ => format!("address of {object:?}"),
                };
                Linear::from(self.symbols.apply(&base, Vec::new())).add(offset)
            }
            Value::Comm(communicator) => match &communicator.group {
                Group::Progression(all) if all.first.is_uniform() => {
                    let ends = vec![all.first.clone(), all.step.clone(), all.count.clone()];
                    Some(self.symbols.apply(&format!("object {}", communicator.name), ends).into())
                }
                _ => None,
            },
            Value::Address(..) | Value::Within(_) | Value::Group(_) | Value::Mixed(_) | Value::Unknown => {
                None
            }
        }
    }

    /// What all bytes of an object are a function of; `None` when they may differ between members.
    pub(crate) fn content_symbol(&mut self, memory: &mut Memory, object: ObjectId) -> Option<Linear> {
        if let ObjectKind::Literal(_) = self.objects.kind(object) {
            return self.encode(&Value::Address(object, Linear::zero()));
        }
        let content = self.whole_content(memory, object)?;
        self.symbol_of(&content)
    }

    /// The content of an object; nothing of what is behind its end, where that is known.
    pub(crate) fn whole_content(&mut self, memory: &mut Memory, object: ObjectId) -> Option<Content> {
        self.ensure(memory, object);
        let content = memory.get(object)?;
        Some(match self.extent(object) {
            Some(size) if !content.summary && content.series.is_empty() => content.section(0, size),
            _ => content.clone(),
        })
    }

    /// What all bytes of a content are a function of.
    pub(crate) fn symbol_of(&mut self, content: &Content) -> Option<Linear> {
        let rest = self.background_symbol(content.background)?;
        if content.cells.is_empty() && content.series.is_empty() {
            return Some(rest);
        }
        if content.cells.len() > CELL_LIMIT {
            return None;
        }
        let mut parts = vec![rest];
        for (&offset, (size, value)) in &content.cells {
            parts.extend([offset.into(), i64::try_from(*size).ok()?.into(), self.encode(value)?]);
        }
        let mut whole = Linear::from(self.symbols.apply("known content", parts));
        for series in &content.series {
            if !series.base.is_uniform() {
                return None;
            }
            let ends = [&series.start, &series.count, &series.base].map(Linear::clone);
            let steps = [series.stride, series.size, series.step].map(Linear::from);
            let parts = [whole].into_iter().chain(ends).chain(steps).collect();
            whole = self.symbols.apply("series", parts).into();
        }
        Some(whole)
    }

    /// Puts what series say of an object into the symbol that its bytes are a function of, where there is one: what is written to it
    /// then costs no more than that.
    pub(crate) fn dissolve(&mut self, memory: &mut Memory, object: ObjectId) {
        if memory.get(object).is_none_or(|content| content.series.is_empty()) {
            return;
        }
        let whole = self.content_symbol(memory, object).as_ref().and_then(Linear::as_offset);
        let content = memory.content(object);
        content.forget();
        if let Some((symbol, 0)) = whole
            && !content.summary
        {
            content.background = Background::Uniform(symbol);
        }
    }

    fn background_symbol(&mut self, background: Background) -> Option<Linear> {
        let name = match background {
            Background::Uniform(symbol) => return Some(symbol.into()),
            Background::Unknown => return None,
            Background::Zero => ZERO_BYTES,
            Background::Undefined => UNDEFINED_BYTES,
        };
        Some(self.symbols.apply(name, Vec::new()).into())
    }

    /// Whether a value that is the same everywhere is a pointer into a string outside of the program's own objects: of the command
    /// line, of the environment.
    pub(crate) fn is_text(&self, symbol: Symbol) -> bool {
        match self.symbols.kind(symbol) {
            SymbolKind::Apply(function, arguments) => {
                &**function == ARGUMENT
                    || function.starts_with("argv[")
                    || function.starts_with(TEXT)
                    || (&**function == INSIDE
                        && arguments
                            .first()
                            .and_then(Linear::as_offset)
                            .is_some_and(|(base, offset)| offset == 0 && self.is_text(base)))
            }
            _ => false,
        }
    }

    /// A pointer so many bytes behind another one that points into a string outside of the program's objects.
    pub(crate) fn inside_text(&mut self, base: Symbol, distance: &Linear) -> Option<Symbol> {
        let (base, distance) = match self.symbols.kind(base) {
            SymbolKind::Apply(function, arguments) if &**function == INSIDE => {
                let (inner, before) = (arguments.first()?.as_offset()?.0, arguments.get(1)?);
                (inner, before.add(distance)?)
            }
            _ => (base, distance.clone()),
        };
        if distance.as_constant() == Some(0) {
            return Some(base);
        }
        Some(self.symbols.apply(INSIDE, vec![base.into(), distance]))
    }

    /// Some bytes of what a symbol stands for.
    fn part(&mut self, object: ObjectId, whole: Linear, offset: &Linear, size: u64) -> Option<Symbol> {
        let size = i64::try_from(size).ok()?;
        if *self.objects.kind(object) == ObjectKind::CommandLine && size == 8 {
            self.assume_command_line();
            let index = offset.divide_exactly(8)?;
            let untouched = self.symbols.apply(COMMAND_LINE, Vec::new());
            return Some(match index.as_constant() {
                _ if whole != Linear::from(untouched) => self.symbols.apply(ARGUMENT, vec![whole, index]),
                Some(index) => self.symbols.apply(&format!("argv[{index}]"), Vec::new()),
                None => self.symbols.apply(ARGUMENT, vec![index]),
            });
        }
        Some(self.symbols.apply("bytes", vec![whole, offset.clone(), size.into()]))
    }

    pub(crate) fn assume_command_line(&mut self) {
        self.assume("the command line is the same on every rank".to_owned());
    }
}

/// What the elements of `argv` are a function of before anybody writes to them.
pub(crate) const COMMAND_LINE: &str = "command line";

impl Scope<'_, '_> {
    /// The scalar of a type at a location.
    pub(crate) fn read(&mut self, location: &Location, ty: TypeId) -> Value {
        let Some(size) = self.size_of(ty) else { return Value::Unknown };
        if Some(location.object) == self.engine.argument_count {
            self.engine.assume_command_line();
        }
        if let Some(character) = self.character(location).filter(|_| size == 1) {
            return Value::int(character.into());
        }
        match self.read_sized(location, size) {
            Value::Unknown => match self.read_part(location, size) {
                Some(symbol) => self.typed(symbol, ty),
                None => Value::Unknown,
            },
            value if !Stored::of(&self.unit().types, ty).may_be(size, &value) => Value::Unknown,
            value => value,
        }
    }

    /// A character of a string that stands in the program; its end is zero.
    fn character(&self, location: &Location) -> Option<u8> {
        let rest = self.literal(&Value::Address(location.object, location.offset.clone()?))?;
        Some(rest.first().copied().unwrap_or(0)).filter(u8::is_ascii)
    }

    /// The element of a predefined MPI datatype at a location.
    pub(crate) fn read_element(&mut self, location: &Location, datatype: &Value) -> Value {
        let Some(size) = type_size(datatype) else { return Value::Unknown };
        match self.read_sized(location, size) {
            Value::Unknown => match self.read_part(location, size) {
                Some(symbol) if is_integral(datatype) => Value::Int(symbol.into()),
                Some(symbol) => Value::Same(symbol),
                None => Value::Unknown,
            },
            value => value,
        }
    }

    /// So many bytes at a location, whatever their type is.
    pub(crate) fn read_bytes(&mut self, location: &Location, size: u64) -> Value {
        match self.read_sized(location, size) {
            Value::Unknown => self.read_part(location, size).map_or(Value::Unknown, Value::Same),
            value => value,
        }
    }

    /// Whether nobody has written these bytes yet.
    pub(crate) fn is_undefined(&mut self, location: &Location, size: u64) -> bool {
        let offset = location.offset.as_ref().and_then(|offset| self.facts.constant(offset));
        let content = self.memory.get(location.object);
        offset.zip(content).is_some_and(|(offset, content)| content.is_undefined(offset, size))
    }

    /// Whether nobody can have written the handle at a location: it is that of a variable which was declared on the way to here, or of
    /// memory that was allocated.
    pub(crate) fn is_unset(&mut self, location: &Location) -> bool {
        self.memory.get(location.object).is_some_and(|content| !content.summary)
            && self.is_undefined(location, HANDLE.unsigned_abs())
    }

    /// The symbol that some bytes are a function of, where they are nothing by themselves.
    fn read_part(&mut self, location: &Location, size: u64) -> Option<Symbol> {
        let offset = location.offset.as_ref()?;
        if !offset.is_uniform() {
            return None;
        }
        self.engine.ensure(self.memory, location.object);
        let content = self.memory.get(location.object)?;
        let (whole, offset) = match self.facts.constant(offset) {
            Some(at) if content.series.is_empty() => {
                let (whole, at) = content.part_of(at, size)?;
                (whole.into(), at.into())
            }
            _ => (self.engine.content_symbol(self.memory, location.object)?, offset.clone()),
        };
        self.engine.part(location.object, whole, &offset, size)
    }

    /// A value of a type that is known by a symbol only.
    pub(crate) fn typed(&mut self, symbol: Symbol, ty: TypeId) -> Value {
        self.typed_in(self.function.unit, symbol, ty)
    }

    /// A value of a type of some unit that is known by a symbol only.
    pub(crate) fn typed_in(&mut self, unit: usize, symbol: Symbol, ty: TypeId) -> Value {
        let kind = match self.engine.program.units[unit].types.get(ty) {
            Type::Int(kind) | Type::Enum(_, kind) if kind.size() <= 8 => *kind,
            _ => return Value::Same(symbol),
        };
        if !kind.is_signed() {
            self.bound(symbol, 0);
        }
        if kind == IntKind::Bool && self.facts.le(&Linear::from(symbol), &1.into()) != Truth::No {
            self.facts.learn(&symbol.into(), &1.into());
        }
        Value::Int(symbol.into())
    }

    /// Learns that a symbol is at least a number, unless it is known to be less.
    pub(crate) fn bound(&mut self, symbol: Symbol, least: i64) {
        if self.facts.le(&least.into(), &symbol.into()) != Truth::No {
            self.facts.learn(&least.into(), &symbol.into());
        }
    }

    /// What is behind a pointer that points into no object of the program.
    pub(crate) fn load_text(&mut self, place: &Place) -> Result<Value, Need> {
        let Some(pointer) = self.text_behind(place)? else { return Ok(Value::Unknown) };
        let Some(arguments) = self.text_arguments(pointer) else { return Ok(Value::Unknown) };
        let symbol = self.engine.symbols.apply("character", arguments);
        Ok(self.typed(symbol, place.ty))
    }

    /// The pointer, where a place is a character behind a pointer into a string outside of the program's objects.
    fn text_behind(&mut self, place: &Place) -> Result<Option<Symbol>, Need> {
        let PlaceBase::Deref(pointer) = &place.base else { return Ok(None) };
        if !place.projections.is_empty() || self.size_of(place.ty) != Some(1) {
            return Ok(None);
        }
        Ok(match self.eval(pointer)? {
            Value::Same(symbol) if self.engine.is_text(symbol) => Some(symbol),
            _ => None,
        })
    }

    /// What the characters behind a pointer are a function of: the pointer, and what has been written to such strings.
    pub(crate) fn text_arguments(&mut self, pointer: Symbol) -> Option<Vec<Linear>> {
        let version = self.history(Resource::Texts)?;
        let untouched = self.engine.untouched(Resource::Texts);
        let mut arguments = vec![pointer.into()];
        if version != untouched {
            arguments.push(version.into());
        }
        Some(arguments)
    }

    /// A store to a place that is in no known object.
    pub(crate) fn assign_unknown(&mut self, place: &Place, value: &Value) -> Result<(), Need> {
        self.refuse_null(place)?;
        if let Some(pointer) = self.text_behind(place)? {
            let (version, value) = (self.history(Resource::Texts), self.engine.encode(value));
            let after = version.zip(value).map(|(version, value)| {
                self.engine.symbols.apply("string write", vec![version.into(), pointer.into(), value])
            });
            self.set_history(Resource::Texts, after);
            return Ok(());
        }
        let stored = Stored::of_place(&self.unit().types, place);
        match &place.base {
            PlaceBase::Deref(pointer) => {
                let pointees = self.engine.pointees(self.function, pointer);
                let pointer = self.eval(pointer)?;
                self.forget_behind(&pointer, stored, pointees.as_deref());
            }
            _ => self.forget_behind(&Value::Unknown, stored, None),
        }
        Ok(())
    }

    /// Forgets what something may have changed that is stored where a pointer points to, which is known to be no single object: in
    /// objects, of which it may be in some only, and in strings outside of them.
    pub(crate) fn forget_behind(&mut self, pointer: &Value, stored: Stored, pointees: Option<&Pointees>) {
        let reach = match pointer {
            Value::Same(symbol) => self.engine.pointers.get(symbol).cloned(),
            _ => None,
        };
        if stored.may_be_text() && reach.as_ref().is_none_or(|reach| reach.text) {
            self.forget_texts();
        }
        match reach {
            Some(reach) => reach.objects.into_iter().for_each(|object| self.replace(object, None)),
            None => self.engine.forget_exposed_of(self.memory, stored, pointees),
        }
    }

    /// Forgets the strings outside of the program's objects, and where those of the command line are.
    pub(crate) fn forget_texts(&mut self) {
        self.set_history(Resource::Texts, None);
        let argv = self.engine.objects.object(ObjectKind::CommandLine);
        self.memory.content(argv).forget();
    }

    /// Stores a scalar.
    pub(crate) fn write(&mut self, location: &Location, size: Option<u64>, value: Value) {
        self.engine.ensure(self.memory, location.object);
        let offset = location.offset.as_ref().filter(|offset| offset.is_uniform());
        let constant = offset.and_then(|offset| self.facts.constant(offset));
        if let (Some(offset), Some(size @ 1..=LARGEST_SCALAR)) = (constant, size) {
            self.make_way(location.object, Some((offset, size)));
            return self.memory.write_below(location.object, offset, size, value);
        }
        if let (Some(offset), Some(size @ (4 | 8)), Value::Int(value)) = (offset, size, &value)
            && self.engine.decides(location.object)
            && self.memory.get(location.object).is_some_and(|content| !content.summary)
        {
            let single = Series::single(offset.clone(), if size == 4 { 4 } else { 8 }, value.clone());
            return self.add_series(location.object, single);
        }
        let content = self.memory.get(location.object);
        let apart = location.offset.as_ref().zip(size).zip(content);
        let series = match apart.is_some_and(|((at, size), content)| self.is_apart(content, at, size)) {
            true => std::mem::take(&mut self.memory.content(location.object).series),
            false => Vec::new(),
        };
        self.engine.dissolve(self.memory, location.object);
        let stored = offset.zip(size).and_then(|(offset, size)| {
            let size = i64::try_from(size).ok()?;
            let (before, value) =
                (self.engine.content_symbol(self.memory, location.object)?, self.engine.encode(&value)?);
            Some(self.engine.symbols.apply("store", vec![before, offset.clone(), size.into(), value]))
        });
        self.replace(location.object, stored);
        self.memory.content(location.object).series = series;
    }

    /// Makes sure that no series concerns the bytes of an object that will be written (`None`: any).
    pub(crate) fn make_way(&mut self, object: ObjectId, bytes: Option<(i64, u64)>) {
        let Some(content) = self.memory.get(object) else { return };
        if !bytes.is_some_and(|(offset, size)| self.is_apart(content, &offset.into(), size)) {
            self.engine.dissolve(self.memory, object);
        }
    }

    /// Whether no series concerns some bytes of a content.
    fn is_apart(&self, content: &Content, offset: &Linear, size: u64) -> bool {
        let Ok(size) = i64::try_from(size) else { return content.series.is_empty() };
        let mut places = content.series.iter().map(|s| s.place(offset, size, self.ranks, self.facts));
        places.all(|place| place == Position::Apart)
    }

    /// Gives an object a new content, of which at most a symbol is known.
    pub(crate) fn replace(&mut self, object: ObjectId, symbol: Option<Symbol>) {
        self.engine.ensure(self.memory, object);
        let content = self.memory.content(object);
        content.forget();
        if let Some(symbol) = symbol.filter(|_| !content.summary) {
            content.background = Background::Uniform(symbol);
        }
    }

    /// Overwrites some of so many bytes of an object (`None`: of all of it) with data of which at most a symbol is known.
    pub(crate) fn fill(
        &mut self,
        object: ObjectId,
        offset: &Linear,
        size: Option<u64>,
        symbol: Option<Symbol>,
    ) {
        self.engine.ensure(self.memory, object);
        let start = self.facts.constant(offset);
        let size = size.filter(|size| (1..=LARGEST_CELL).contains(size));
        if let (Some(start), Some(size)) = (start, size)
            && !(start == 0 && Some(size) == self.engine.extent(object))
        {
            self.make_way(object, Some((start, size)));
            let before = self.section(object, start, size);
            let after = self.engine.symbol_of(&before).zip(symbol).map(|(before, symbol)| {
                self.engine.symbols.apply("overwritten", vec![before, symbol.into()])
            });
            match after {
                Some(after) if size <= LARGEST_SCALAR => self.fill_bytewise(object, start, size, after),
                after => {
                    let value = after.map_or(Value::Unknown, Value::Same);
                    self.memory.write_below(object, start, size, value);
                }
            }
            return;
        }
        let before = self.engine.content_symbol(self.memory, object);
        let after = before.zip(symbol).map(|(before, symbol)| {
            self.engine.symbols.apply("overwritten", vec![before, offset.clone(), symbol.into()])
        });
        self.replace(object, after);
    }

    /// A cell of the size of a scalar would be taken for one.
    fn fill_bytewise(&mut self, object: ObjectId, start: i64, size: u64, whole: Symbol) {
        for (offset, index) in (start..).zip(0..i64::try_from(size).unwrap_or(0)) {
            let byte = self.engine.symbols.apply("bytes", vec![whole.into(), index.into(), 1.into()]);
            self.memory.write_below(object, offset, 1, Value::Int(byte.into()));
        }
    }

    /// Some bytes of an object, moved to offset 0.
    pub(crate) fn section(&mut self, object: ObjectId, start: i64, size: u64) -> Content {
        self.engine.ensure(self.memory, object);
        let whole = start == 0 && Some(size) == self.engine.extent(object);
        let Some(content) = self.memory.get(object).cloned() else {
            return Content::new(Background::Unknown);
        };
        if whole && !content.series.is_empty() {
            return content;
        }
        if self.is_apart(&content, &start.into(), size) {
            return Content { series: Vec::new(), ..content }.section(start, size);
        }
        let symbol = self.engine.symbol_of(&content).as_ref().and_then(Linear::as_offset);
        let background = match symbol {
            Some((symbol, 0)) if !content.summary => Background::Uniform(symbol),
            _ => Background::Unknown,
        };
        Content::new(background).section(start, size)
    }

    /// Overwrites some bytes of an object with a content that begins at offset 0.
    pub(crate) fn paste(&mut self, object: ObjectId, start: i64, size: u64, content: Content) {
        self.engine.ensure(self.memory, object);
        let whole = start == 0 && Some(size) == self.engine.extent(object);
        if !whole {
            self.make_way(object, Some((start, size)));
        }
        let target = self.memory.content(object);
        if target.summary || (size > LARGEST_CELL && !whole) {
            target.forget();
        } else if whole {
            *target = content;
        } else {
            target.overwrite(start, size, content);
        }
    }
}

impl Engine<'_> {
    /// Size of an object in bytes, where that is known.
    pub(crate) fn extent(&self, object: ObjectId) -> Option<u64> {
        let (unit, ty) = match self.objects.kind(object) {
            ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
                (function.unit, self.program.function(*function).local(*local).ty)
            }
            ObjectKind::Global(unit, global) => (*unit, self.program.units[*unit].global(*global).ty),
            ObjectKind::Library(name) => {
                return super::environment::library_variable(name).map(|(_, size)| size);
            }
            ObjectKind::Heap(..)
            | ObjectKind::Literal(_)
            | ObjectKind::CommandLine
            | ObjectKind::Environment
            | ObjectKind::Neighbours(_) => return None,
        };
        self.program.units[unit].types.model_size(ty)
    }
}

/// Whether elements of a predefined MPI datatype are integers.
pub(crate) fn is_integral(datatype: &Value) -> bool {
    let known = datatype.as_name().and_then(constant).and_then(|c| c.datatype());
    known.is_some_and(|d| matches!(d.group, TypeGroup::CInteger))
}

/// Where a pointer argument points to, and how many bytes are there: an array that decays has an end.
pub(crate) fn target(
    scope: &Scope<'_, '_>,
    arg: &frontend::ir::Expr,
    value: &Value,
) -> Option<(ObjectId, Linear, Option<u64>)> {
    let (object, offset) = state::address(value)?;
    let size = match &arg.strip_casts().kind {
        ExprKind::AddressOf(place) => place_extent(scope, place),
        _ => None,
    };
    Some((object, offset.clone(), size))
}

/// Size in bytes of the array whose first element a place is, or of the place itself where it is no element.
fn place_extent(scope: &Scope<'_, '_>, place: &Place) -> Option<u64> {
    use frontend::ir::Projection;
    let types = &scope.unit().types;
    match place.projections.last() {
        None => scope.size_of(place.ty),
        Some(Projection::Field(..)) => scope.size_of(place.ty),
        Some(Projection::Index(index)) => {
            if !matches!(index.kind, ExprKind::Int(0)) {
                return None;
            }
            match place.projections.len().checked_sub(2).and_then(|last| place.projections.get(last)) {
                Some(Projection::Field(record, field)) => {
                    let fields = types.record(*record).fields.as_ref()?;
                    types.model_size(fields.get(usize::try_from(*field).ok()?)?.ty)
                }
                Some(Projection::Index(_)) => None,
                None => match &place.base {
                    PlaceBase::Local(local) => {
                        types.model_size(scope.engine.program.function(scope.function).local(*local).ty)
                    }
                    PlaceBase::Global(global) => types.model_size(scope.unit().global(*global).ty),
                    PlaceBase::Deref(_) => None,
                },
            }
        }
    }
}
