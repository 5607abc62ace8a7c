//! What is left of the code: each change of memory as a function of all that the code reads and of what was there before.

use frontend::ir::Type;
use lattice::{Linear, Symbol};

use super::agreement::{Abstract, Level};
use super::points_to::{Bytes, Entry, Shape, Written};
use super::{Analysis, CODE, Code};
use crate::engine::aliasing::Stored;
use crate::engine::contents::{Reach, TEXT};
use crate::engine::eval::Scope;
use crate::engine::memory::{
    Background, Content, ContextId, LARGEST_CELL, LARGEST_SCALAR, ObjectId, ObjectKind,
};
use crate::engine::value::Value;

/// Inputs that are put into a symbol.
const INPUT_LIMIT: usize = 400;

impl Analysis<'_, '_, '_> {
    /// Changes memory as the code does.
    pub(super) fn finish(mut self) -> Option<(Value, bool)> {
        let inputs = self.inputs();
        if inputs.is_none() && self.read.len() > INPUT_LIMIT {
            return None;
        }
        let place = format!("{CODE}{:?} {}", self.home, self.start.index());
        let whole = inputs.map(|inputs| self.scope.engine.symbols.apply(&place, inputs));
        let mut results: Vec<Change> = Vec::new();
        let mut wild: Vec<(ObjectId, Stored)> = Vec::new();
        for (object, written) in std::mem::take(&mut self.written) {
            let kind = self.scope.engine.objects.kind(object);
            if matches!(kind, ObjectKind::Local(ContextId::PASSED, ..)) {
                continue;
            }
            if written.wild != Stored::NOTHING {
                wild.push((object, written.wild));
            }
            match &written.anywhere {
                Some(_) => results.push(self.whole_change(object, &written, whole)),
                None => {
                    for (bytes, entry) in written.entries {
                        results.push(self.entry_change(object, bytes, &entry, whole));
                    }
                }
            }
        }
        let home = Code { function: self.home, is_home: true };
        let result = self.activations.get(&home).map(|home| home.result.clone()).unwrap_or_default();
        let function = self.scope.engine.program.function(self.home);
        let shape = match self.scope.engine.program.units[self.home.unit].types.get(function.ty) {
            Type::Function(ty) => Shape::Typed(self.home.unit, ty.result),
            _ => Shape::Opaque,
        };
        let result = self.value(&result, shape, "result", whole.map(|whole| vec![whole.into()]));
        if whole.is_some() {
            for resource in std::mem::take(&mut self.resources) {
                self.scope.engine.assume_same_world(Some(resource));
            }
            let argv = self.scope.engine.objects.object(ObjectKind::CommandLine);
            let count = self.scope.engine.argument_count;
            if self.read.iter().any(|&(object, _)| object == argv || Some(object) == count) {
                self.scope.engine.assume_command_line();
            }
        }
        if self.catches_signals {
            self.scope.engine.assume("no signal arrives that the program catches".to_owned());
        }
        for (&object, &several) in &self.allocated {
            let mut content = Content::new(if several { Background::Unknown } else { Background::Undefined });
            content.summary = several;
            self.scope.memory.insert(object, content);
        }
        for change in results {
            change.make(self.scope);
        }
        for (object, stored) in wild {
            self.scope.engine.ensure(self.scope.memory, object);
            self.scope.engine.forget_stored(self.scope.memory, object, stored);
        }
        if self.files > Level::Bottom {
            self.advance_files(whole);
        }
        Some((result, self.exits))
    }

    /// Gives all open files the history that they have when the code has read some of them.
    fn advance_files(&mut self, whole: Option<Symbol>) {
        let object = self.scope.engine.environment();
        for file in self.scope.files() {
            let bytes = Some((file, 8));
            let after = whole
                .filter(|_| self.files == Level::Uniform)
                .and_then(|whole| Some(vec![whole.into(), self.initial_symbol(object, bytes)?]))
                .map(|parts| self.scope.engine.symbols.apply("history after code", parts));
            self.scope.set_history_at(file, after);
        }
    }

    /// All that the code reads of what ranks agree on.
    fn inputs(&mut self) -> Option<Vec<Linear>> {
        if self.read.len() > INPUT_LIMIT {
            return None;
        }
        let mut inputs = Vec::new();
        for (object, bytes) in self.read.clone() {
            if self.initial(object, bytes).level < Level::Varying {
                inputs.push(self.initial_symbol(object, bytes)?);
            }
        }
        Some(inputs)
    }

    /// What some bytes are a function of before the code runs.
    fn initial_symbol(&mut self, object: ObjectId, bytes: Option<Bytes>) -> Option<Linear> {
        match bytes {
            None => self.scope.engine.content_symbol(self.scope.memory, object),
            Some((offset, size)) => {
                self.scope.engine.ensure(self.scope.memory, object);
                let content = self.scope.memory.get(object)?;
                if !content.series.is_empty() {
                    return self.scope.engine.content_symbol(self.scope.memory, object);
                }
                if let Some((symbol, at)) = content.part_of(offset, size) {
                    let parts = vec![symbol.into(), at.into(), i64::try_from(size).ok()?.into()];
                    return Some(self.scope.engine.symbols.apply("bytes", parts).into());
                }
                let section = content.section(offset, size);
                self.scope.engine.symbol_of(&section)
            }
        }
    }

    /// The code as a function of its inputs and of what was there before, since it may leave that as it is.
    fn arguments(
        &mut self,
        object: ObjectId,
        bytes: Option<Bytes>,
        whole: Option<Symbol>,
    ) -> Option<Vec<Linear>> {
        let mut arguments = vec![whole?.into()];
        if self.initial(object, bytes).level > Level::Bottom {
            arguments.push(self.initial_symbol(object, bytes)?);
        }
        Some(arguments)
    }

    fn whole_change(&mut self, object: ObjectId, written: &Written, whole: Option<Symbol>) -> Change {
        let mut value = self.initial(object, None);
        if let Some(all) = &written.anywhere {
            value.join(all);
        }
        written.entries.values().for_each(|entry| value.join(&entry.value));
        if written.wild != Stored::NOTHING {
            value = value.at_least(Level::Varying);
        }
        let symbol = match value.level {
            Level::Varying => None,
            _ => self.arguments(object, None, whole).map(|arguments| {
                self.scope.engine.symbols.apply(&format!("content of {object:?} after code"), arguments)
            }),
        };
        Change::Content(object, symbol)
    }

    fn entry_change(
        &mut self,
        object: ObjectId,
        bytes: Bytes,
        entry: &Entry,
        whole: Option<Symbol>,
    ) -> Change {
        let mut value = self.initial(object, Some(bytes));
        value.join(&entry.value);
        let name = format!("{object:?} at {} after code", bytes.0);
        let arguments = self.arguments(object, Some(bytes), whole);
        Change::Bytes(object, bytes, self.value(&value, entry.shape, &name, arguments))
    }

    /// A value as the code leaves it.
    fn value(&mut self, value: &Abstract, shape: Shape, name: &str, arguments: Option<Vec<Linear>>) -> Value {
        if value.level != Level::Uniform {
            return Value::Unknown;
        }
        if let (false, false, 1, Some((&object, &Some(offset)))) =
            (value.plain, value.wild || value.text, value.targets.len(), value.targets.first_key_value())
        {
            return Value::Address(object, offset.into());
        }
        let Some(arguments) = arguments else { return Value::Unknown };
        let is_text = value.is_text()
            && match shape {
                Shape::Typed(unit, ty) => self.scope.engine.program.units[unit].types.pointee(ty).is_some(),
                Shape::Opaque => value.text,
                Shape::Integer => false,
            };
        if is_text {
            return Value::Same(self.scope.engine.symbols.apply(&format!("{TEXT}{name}"), arguments));
        }
        let symbol = self.scope.engine.symbols.apply(name, arguments);
        if !value.wild && !value.targets.is_empty() {
            let reach = Reach { objects: value.targets.keys().copied().collect(), text: value.text };
            self.scope.engine.may_point(symbol, reach);
        }
        match shape {
            Shape::Typed(unit, ty) => self.scope.typed_in(unit, symbol, ty),
            Shape::Integer => Value::Int(symbol.into()),
            Shape::Opaque => Value::Same(symbol),
        }
    }
}

/// A change of memory.
enum Change {
    Content(ObjectId, Option<Symbol>),
    Bytes(ObjectId, Bytes, Value),
}

impl Change {
    fn make(self, scope: &mut Scope<'_, '_>) {
        match self {
            Self::Content(object, symbol) => scope.replace(object, symbol),
            Self::Bytes(object, (offset, size), value) => {
                scope.engine.ensure(scope.memory, object);
                let whole = offset == 0 && scope.engine.extent(object) == Some(size);
                scope.make_way(object, Some((offset, size)));
                match (size, value) {
                    (0, _) => {}
                    (1..=LARGEST_SCALAR, value) => scope.memory.write_below(object, offset, size, value),
                    (_, Value::Same(symbol)) if whole => scope.replace(object, Some(symbol)),
                    (..=LARGEST_CELL, value @ (Value::Same(_) | Value::Unknown)) => {
                        scope.memory.write_below(object, offset, size, value);
                    }
                    _ => scope.replace(object, None),
                }
            }
        }
    }
}
