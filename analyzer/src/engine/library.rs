//! Functions of the C library and other functions whose source is not there.
//!
//! A function that nobody defines is assumed not to communicate and to write only through pointers that it is given; for
//! those outside the C library the verdict says so. What is known of the C library is in [`frontend::library`] and in [`super::environment`].

use frontend::ir::{Expr, Place, Span};
pub(crate) use frontend::library::{Effect, effect};
use frontend::program::Resolution;
use lattice::Linear;

use super::Engine;
use super::aliasing::Stored;
use super::clients::Step;
use super::environment;
use super::eval::{Location, Scope};
use super::exec::Progress;
use super::memory::{Background, Content, ObjectKind};
use super::need::Need;
use super::state::{Phase, ProcessSet, State, Status};
use super::value::Value;

/// Whether a function ends the process as a failed assertion does: the job ends with it.
fn is_failure(name: &str) -> bool {
    matches!(name, "abort" | "__assert_fail")
}

/// Whether a call of this function leaves the memory of the program as it is.
pub(crate) fn leaves_memory_alone(name: &str) -> bool {
    effect(name) == Some(Effect::Reads) || environment::model(name).is_some_and(|model| !model.writes())
}

/// Whether nothing is known of a function but its name: it is neither one of the C library nor a model of ours.
pub(crate) fn is_foreign(name: &str) -> bool {
    effect(name).is_none()
        && environment::model(name).is_none()
        && !frontend::lower::is_library_function(name)
}

/// Whether this function returns new memory.
pub(crate) fn allocates(name: &str) -> bool {
    matches!(effect(name), Some(Effect::Allocates { .. } | Effect::Reallocates))
}

/// Whether a call of this function may show its arguments to the world.
pub(crate) fn is_output(name: &str) -> bool {
    effect(name) == Some(Effect::Reads)
}

/// How many bytes `malloc` or `calloc` gives.
fn allocated(values: &[Value]) -> Option<Linear> {
    let mut numbers = values.iter().map(Value::as_int);
    let first = numbers.next()??.clone();
    numbers.try_fold(first, |product, number| product.times(number?))
}

pub(crate) fn call<'p>(
    engine: &mut Engine<'p>,
    state: &mut State,
    set: &mut ProcessSet,
    dest: Option<&Place>,
    name: &str,
    args: &[Expr],
    span: Span,
) -> Result<Progress, Need> {
    let mut scope = engine.scope(state, set);
    // No cases are told apart for what is only shown.
    let shown = is_output(name) && dest.is_none();
    let value = |arg| match scope.eval(arg) {
        Err(need) if shown && need.is_case() => Ok(Value::Unknown),
        value => value,
    };
    let values = args.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    engine.observe(state, set, &Step::Library { name, args, values: &values, span });
    // The calls of several threads have no order.
    let threaded = engine.is_threaded(set);
    let mut scope = engine.scope(state, set);
    let result = match (environment::model(name), effect(name)) {
        (Some(model), _) if threaded && (model.writes() || model.resource.is_some()) => {
            scope.forget_history(&model);
            scope.forget_reachable(&values, Stored::ANYTHING);
            Value::Unknown
        }
        (Some(model), _) => scope.modelled(&model, name, args, &values),
        (_, Some(Effect::Reads)) => Value::Unknown,
        (_, Some(Effect::Allocates { zeroed })) => {
            let background = if zeroed { Background::Zero } else { Background::Undefined };
            let bytes = allocated(&values);
            scope.allocate(Content::new(background), bytes, span)
        }
        (_, Some(Effect::Reallocates)) => scope.reallocate(&values, span),
        (_, Some(Effect::Copies)) => scope.duplicate(args, &values, span),
        (_, Some(Effect::Line)) => scope.read_line(args, &values, span),
        (_, Some(Effect::Owns(what))) => {
            Value::Address(scope.engine.objects.object(ObjectKind::Library(what)), Linear::zero())
        }
        (_, Some(Effect::Signal)) => {
            scope.engine.assume("no signal arrives that the program catches".to_owned());
            Value::Unknown
        }
        (_, Some(Effect::Exits)) => {
            // After `MPI_Finalize` it is the end of this process only.
            let alone = set.phase == Phase::Finalized && !is_failure(name);
            let fine = !is_failure(name) && values.first().and_then(Value::as_constant) == Some(0);
            if fine || alone {
                set.memory = super::memory::Memory::default();
                set.frames.clear();
                set.status = Status::Done;
                return Ok(Progress::Continue);
            }
            return Ok(Progress::Aborted);
        }
        (_, Some(Effect::Marks)) => {
            let name = name.trim_start_matches('_');
            if scope.engine.ground.jumps {
                return Err(Need::give_up(format!("`{name}` may return more than once")));
            }
            scope.engine.assume(format!("nobody jumps back to a place that `{name}` notes"));
            Value::int(0)
        }
        (_, Some(Effect::Jumps)) => {
            return Err(Need::give_up(format!("`{name}` goes on elsewhere")));
        }
        (_, Some(Effect::Writes) | None) => {
            if let Some(callback) = scope.communicating_callback(&values) {
                return Err(Need::give_up(format!("`{name}` may call `{callback}`, which communicates")));
            }
            scope.forget_called_back(&values);
            scope.forget_reachable(&values, Stored::ANYTHING);
            if effect(name).is_none() && !frontend::lower::is_library_function(name) {
                scope.engine.external.insert(name.to_owned());
            }
            Value::Unknown
        }
    };
    if let Some(dest) = dest {
        scope.assign(dest, result)?;
    }
    set.frame_mut().inst += 1;
    Ok(Progress::Continue)
}

impl Scope<'_, '_> {
    /// A function among some arguments that communicates: a thread's, or a handler that runs at exit.
    fn communicating_callback(&self, values: &[Value]) -> Option<String> {
        values.iter().find_map(|value| {
            let Value::Function(unit, name) = value else { return None };
            match self.engine.program.resolve(*unit, name) {
                Resolution::Defined(target) => {
                    self.engine.ground.communicating.contains(&target).then(|| name.to_string())
                }
                Resolution::External => None,
            }
        })
    }

    /// A function among some arguments that changes variables on which it depends who communicates: one that MPI calls, nobody knows when.
    pub(crate) fn changing_callback(&mut self, values: &[Value]) -> Option<String> {
        values.iter().find_map(|value| {
            let Value::Function(unit, name) = value else { return None };
            let Resolution::Defined(target) = self.engine.program.resolve(*unit, name) else { return None };
            let changes = self.engine.changes_of(target);
            changes.globals.iter().any(|&object| self.engine.decides(object)).then(|| name.to_string())
        })
    }

    /// Forgets what functions among some arguments may change when they are called.
    fn forget_called_back(&mut self, values: &[Value]) {
        for value in values {
            let Value::Function(unit, name) = value else { continue };
            if let Resolution::Defined(target) = self.engine.program.resolve(*unit, name) {
                self.forget_changes(target);
            }
        }
    }

    /// New memory that a call at `span` gives.
    pub(crate) fn allocate(&mut self, mut content: Content, bytes: Option<Linear>, span: Span) -> Value {
        let object = self.engine.objects.object(ObjectKind::Heap(self.context, self.function.unit, span));
        self.engine.know_size(object, bytes, self.facts);
        if self.memory.get(object).is_some() {
            // The same call again: the object now stands for all of its allocations.
            content = Content::new(Background::Unknown);
            content.summary = true;
        }
        self.memory.insert(object, content);
        Value::Address(object, Linear::zero())
    }

    fn reallocate(&mut self, values: &[Value], span: Span) -> Value {
        let content = match values.first() {
            Some(Value::Int(old)) if old.as_constant() == Some(0) => Content::new(Background::Undefined),
            Some(Value::Address(object, _)) => {
                self.engine.ensure(self.memory, *object);
                self.memory.get(*object).cloned().unwrap_or_else(|| Content::new(Background::Unknown))
            }
            _ => Content::new(Background::Unknown),
        };
        self.allocate(content, values.get(1).and_then(Value::as_int).cloned(), span)
    }

    fn duplicate(&mut self, args: &[Expr], values: &[Value], span: Span) -> Value {
        let copied = args.first().zip(values.first()).and_then(|(arg, value)| self.behind(arg, value));
        let background = match copied {
            Some(inputs) => Background::Uniform(self.engine.symbols.apply("copy", inputs)),
            None => Background::Unknown,
        };
        self.allocate(Content::new(background), None, span)
    }

    /// `getline(&line, &size, stream)`
    fn read_line(&mut self, args: &[Expr], values: &[Value], span: Span) -> Value {
        let Some(model) = environment::model("fgetc") else { return Value::Unknown };
        let length = self.modelled(
            &model,
            "getline",
            args.get(2..).unwrap_or_default(),
            values.get(2..).unwrap_or_default(),
        );
        let call = match &length {
            Value::Int(length) => length.as_offset().map(|(symbol, _)| symbol),
            _ => None,
        };
        let Some((holder, offset)) = values.first().and_then(super::state::address) else {
            self.forget_reachable(values, Stored::ANYTHING);
            return Value::Unknown;
        };
        let location = Location { object: holder, offset: Some(offset.clone()) };
        let line = match self.read_sized(&location, 8) {
            line @ Value::Address(..) => line,
            _ => self.allocate(Content::new(Background::Undefined), None, span),
        };
        if let Value::Address(object, _) = line {
            self.replace(object, call);
        }
        self.write(&location, Some(8), line);
        if let (Some(arg), Some(value)) = (args.get(1), values.get(1)) {
            let size = call.map(|call| self.engine.symbols.apply("size of line", vec![call.into()]));
            self.write_behind(arg, value, false, size);
        }
        length
    }
}
