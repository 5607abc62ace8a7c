//! What functions do that are not part of the program: those of the library by their models and effects, others at worst.

use std::collections::BTreeSet;

use frontend::ir::{Expr, ExprKind, Inst, Projection, Type, TypeId};

use super::agreement::{Abstract, Level};
use super::points_to::Shape;
use super::{Analysis, Beyond, Code, Item};
use crate::engine::aliasing::Stored;
use crate::engine::environment::{Model, Resource, Returns, Use};
use crate::engine::library::Effect;
use crate::engine::memory::{ObjectId, ObjectKind};

impl Analysis<'_, '_, '_> {
    pub(super) fn modelled(
        &mut self,
        code: Code,
        model: &Model,
        args: &[Expr],
        mut values: Vec<Abstract>,
        contended: bool,
    ) -> Result<Abstract, Beyond> {
        let tokens = self.scope.engine.objects.object(ObjectKind::Library("strtok"));
        if matches!(model.resource, Some((Resource::Tokens, _)))
            && let Some(first) = values.first_mut()
        {
            // Null goes on in the string of the last call.
            self.store_at(tokens, Some((0, 8)), first, Shape::Opaque);
            first.join(&self.load_at(tokens, Some((0, 8))));
        }
        let mut level = Level::Uniform;
        for (index, value) in values.iter().enumerate() {
            match model.uses(index) {
                Use::Value => level = level.max(value.level),
                Use::Read | Use::Update => {
                    let ty = args.get(index).map(|arg| arg.strip_casts().ty);
                    level = level.max(self.level_behind(code, value, ty));
                }
                Use::Write | Use::Ignore => {}
            }
        }
        if let Some((resource, _)) = model.resource {
            level = level.max(match resource {
                Resource::Files => Level::Uniform,
                Resource::File(_) => self.open_files(),
                _ => self.history(resource),
            });
            if resource == Resource::Options {
                let taken = self.scope.engine.objects.object(ObjectKind::Library("optind"));
                level = level.max(self.load_at(taken, None).level);
            }
            if !self.resources.contains(&resource) {
                self.resources.push(resource);
            }
        }
        if contended {
            level = Level::Varying;
        }
        let result = Abstract::of(level);
        for (index, (arg, value)) in args.iter().zip(&values).enumerate() {
            if matches!(model.uses(index), Use::Write | Use::Update) {
                let scalar = self.scalar_behind(code, arg);
                let types = &self.scope.engine.program.units[code.function.unit].types;
                let stored = Stored::behind(types, arg, model.copies_bytes);
                self.store_behind(code, arg, value, scalar, (&result, stored));
            }
        }
        match model.resource {
            Some((Resource::File(_), true)) => self.read_files(level),
            Some((Resource::Files, _)) | Some((_, false)) | None => {}
            Some((resource, true)) => self.set_history(resource, level),
        }
        if matches!(model.resource, Some((Resource::Options, _))) {
            self.options_taken(&values, level);
        }
        let first = values.first().cloned().unwrap_or_default();
        Ok(match model.returns {
            Returns::Integer | Returns::Order => result,
            Returns::Other => Abstract::opaque(level),
            Returns::Text => Abstract::text(level),
            Returns::Inside => {
                let targets = first.targets.keys().map(|&object| (object, None)).collect();
                Abstract { level, targets, plain: true, ..first }
            }
            Returns::First => first,
            Returns::FirstOrNull => Abstract { plain: true, ..first.at_least(level) },
        })
    }

    fn options_taken(&mut self, values: &[Abstract], level: Level) {
        let left = [
            ("optarg", 8, Abstract::text(level), Shape::Opaque),
            ("optind", 4, Abstract::of(level), Shape::Integer),
            ("optopt", 4, Abstract::of(level), Shape::Integer),
        ];
        for (name, size, value, shape) in left {
            let object = self.scope.engine.objects.object(ObjectKind::Library(name));
            self.store_at(object, Some((0, size)), &value, shape);
        }
        let flags: Vec<ObjectId> = values.get(3).map_or_else(Vec::new, |table| {
            let tables: Vec<ObjectId> = table.targets.keys().copied().collect();
            tables.into_iter().flat_map(|table| self.load_at(table, None).targets.into_keys()).collect()
        });
        for flag in flags {
            self.store_at(flag, None, &Abstract::of(level), Shape::Opaque);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all that is known of a call")]
    pub(super) fn effect(
        &mut self,
        code: Code,
        effect: Effect,
        args: &[Expr],
        values: &[Abstract],
        inst: &Inst,
        contended: bool,
        once: bool,
    ) -> Abstract {
        match effect {
            Effect::Reads | Effect::Writes | Effect::Line => Abstract::of(Level::Varying),
            Effect::Exits | Effect::Jumps => Abstract::default(),
            Effect::Marks => Abstract::of(Level::Uniform),
            Effect::Signal => {
                self.catches_signals = true;
                Abstract::varying()
            }
            Effect::Owns(what) => {
                let object = self.scope.engine.objects.object(ObjectKind::Library(what));
                Abstract::address(object, Some(0))
            }
            Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies => {
                let context = self.context(code);
                let kind = ObjectKind::Heap(context, code.function.unit, inst.span);
                let object = self.scope.engine.objects.object(kind);
                let several = !once || self.scope.memory.get(object).is_some();
                self.allocated.insert(object, several);
                let content = match effect {
                    Effect::Allocates { zeroed: true } => Abstract::of(Level::Uniform),
                    Effect::Reallocates => values.first().map_or_else(Abstract::default, |old| {
                        let mut content = Abstract::default();
                        for &object in old.targets.keys() {
                            content.join(&self.load_at(object, None));
                        }
                        if old.wild || old.level == Level::Varying { Abstract::varying() } else { content }
                    }),
                    Effect::Copies => values.first().map_or_else(Abstract::varying, |old| {
                        let ty = args.first().map(|arg| arg.strip_casts().ty);
                        Abstract::of(self.level_behind(code, old, ty))
                    }),
                    _ => Abstract::default(),
                };
                if content != Abstract::default() {
                    let content = if contended { content.at_least(Level::Varying) } else { content };
                    self.store_at(object, None, &content, Shape::Opaque);
                }
                Abstract::address(object, Some(0))
            }
        }
    }

    /// A function that nobody knows may write to all that it can reach.
    pub(super) fn unknown_function(
        &mut self,
        code: Code,
        args: &[Expr],
        values: &[Abstract],
    ) -> Result<Abstract, Beyond> {
        let unit = &self.scope.engine.program.units[code.function.unit];
        let is_function = |ty: TypeId| {
            let pointee = unit.types.pointee(ty).map(|to| unit.types.get(to));
            matches!(pointee, Some(Type::Function(_))) || matches!(unit.types.get(ty), Type::Function(_))
        };
        if args.iter().any(|arg| is_function(arg.strip_casts().ty)) {
            return Err(Beyond);
        }
        let mut work: Vec<ObjectId> = Vec::new();
        for value in values {
            work.extend(value.targets.keys());
            let is_pointer = value.wild && value.level == Level::Varying;
            if is_pointer {
                self.store_wild(Stored::ANYTHING, false, &Abstract::varying(), None);
            }
        }
        let mut seen: BTreeSet<ObjectId> = BTreeSet::new();
        while let Some(object) = work.pop() {
            if seen.insert(object) && !self.scope.engine.objects.kind(object).is_library() {
                work.extend(self.load_at(object, None).targets.into_keys());
                self.store_at(object, None, &Abstract::varying(), Shape::Opaque);
            }
        }
        Ok(Abstract::varying())
    }

    /// How much ranks agree on what is behind an argument, or on the argument where it is no pointer.
    fn level_behind(&mut self, code: Code, value: &Abstract, ty: Option<TypeId>) -> Level {
        let unit = &self.scope.engine.program.units[code.function.unit];
        let is_pointer = ty.is_none_or(|ty| unit.types.pointee(ty).is_some());
        if !is_pointer || value.level == Level::Varying || value.level == Level::Bottom {
            return value.level;
        }
        let mut level = value.level;
        for &object in value.targets.keys() {
            level = level.max(self.load_at(object, None).level);
        }
        if value.text {
            level = level.max(self.history(Resource::Texts));
        }
        if value.wild { Level::Varying } else { level }
    }

    /// The scalar whose address an argument is.
    fn scalar_behind(&self, code: Code, arg: &Expr) -> Option<(usize, TypeId)> {
        let types = &self.scope.engine.program.units[code.function.unit].types;
        let ExprKind::AddressOf(place) = &arg.strip_casts().kind else { return None };
        let scalar = match types.get(place.ty) {
            Type::Int(kind) => kind.size() > 1,
            Type::Enum(..) | Type::Float(_) | Type::Pointer(_) => true,
            _ => false,
        };
        let is_element = matches!(place.projections.last(), Some(Projection::Index(_)));
        (scalar && !is_element).then_some((code.function.unit, place.ty))
    }

    pub(super) fn history(&mut self, resource: Resource) -> Level {
        let object = self.scope.engine.environment();
        self.load_at(object, Some((resource.offset(), 8))).level
    }

    /// How much ranks agree on what has been read from all open files.
    fn open_files(&mut self) -> Level {
        let object = self.scope.engine.environment();
        self.look_at(Item::Files);
        let mut level = self.files;
        for file in self.scope.files() {
            level = level.max(self.load_at(object, Some((file, 8))).level);
        }
        level
    }

    /// The code reads from some open file.
    fn read_files(&mut self, level: Level) {
        if level > self.files {
            self.files = level;
            self.has_changed(Item::Files);
        }
    }

    pub(super) fn set_history(&mut self, resource: Resource, level: Level) {
        let object = self.scope.engine.environment();
        self.store_at(
            object,
            Some((resource.offset(), 8)),
            &Abstract::of(level.max(Level::Uniform)),
            Shape::Opaque,
        );
    }
}
