//! Functions of the C library and other functions whose source is not there.
//!
//! A function that nobody defines is assumed not to communicate and to write only through pointers that it is given; for
//! those outside the C library the verdict says so. What is known of the C library is in [`EFFECTS`].

use frontend::ir::{Expr, Place, Span};
use frontend::program::Resolution;
use lattice::Linear;

use super::Engine;
use super::clients::Step;
use super::eval::Scope;
use super::exec::Progress;
use super::memory::{Background, Content, ObjectKind};
use super::need::Need;
use super::state::{ProcessSet, State, Status};
use super::value::Value;

/// What a library function does to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// An integer that depends on the argument values only; no side effect.
    Integer,
    /// Any other value that depends on the argument values only; no side effect.
    Function,
    /// No side effect that a program can observe in memory; the result is not known.
    Reads,
    /// Returns new memory: all zero or not.
    Allocates { zeroed: bool },
    /// Writes through the pointers it is given.
    Writes,
    /// Ends the process.
    Exits,
}

/// Functions of the C library, sorted by name.
const EFFECTS: &[(&str, Effect)] = {
    use Effect::{Allocates, Exits, Function, Integer, Reads, Writes};
    &[
        ("__assert_fail", Exits),
        ("_exit", Exits),
        ("abort", Exits),
        ("abs", Integer),
        ("alloca", Allocates { zeroed: false }),
        ("atof", Function),
        ("atoi", Integer),
        ("atol", Integer),
        ("atoll", Integer),
        ("calloc", Allocates { zeroed: true }),
        ("ceil", Function),
        ("clock", Reads),
        ("cos", Function),
        ("exit", Exits),
        ("exp", Function),
        ("fabs", Function),
        ("fclose", Reads),
        ("fflush", Reads),
        ("floor", Function),
        ("fmax", Function),
        ("fmin", Function),
        ("fprintf", Reads),
        ("fputc", Reads),
        ("fputs", Reads),
        ("free", Reads),
        ("fwrite", Reads),
        ("getenv", Reads),
        ("getpid", Reads),
        ("labs", Integer),
        ("log", Function),
        ("log10", Function),
        ("log2", Function),
        ("malloc", Allocates { zeroed: false }),
        ("memcmp", Reads),
        ("perror", Reads),
        ("pow", Function),
        ("printf", Reads),
        ("putchar", Reads),
        ("puts", Reads),
        ("rand", Reads),
        ("random", Reads),
        ("sin", Function),
        ("sleep", Reads),
        ("sqrt", Function),
        ("srand", Reads),
        ("sscanf", Writes),
        ("strcasecmp", Integer),
        ("strcmp", Integer),
        ("strlen", Integer),
        ("strncmp", Integer),
        ("strtod", Function),
        ("strtol", Integer),
        ("tan", Function),
        ("time", Reads),
        ("toupper", Integer),
        ("tolower", Integer),
        ("usleep", Reads),
        ("vfprintf", Reads),
        ("vprintf", Reads),
    ]
};

fn effect(name: &str) -> Option<Effect> {
    EFFECTS.iter().find(|(known, _)| *known == name).map(|&(_, effect)| effect)
}

/// Whether a call of this function leaves memory as it is.
pub(crate) fn leaves_memory_alone(name: &str) -> bool {
    matches!(effect(name), Some(Effect::Integer | Effect::Function | Effect::Reads))
}

/// Whether this function returns new memory.
pub(crate) fn allocates(name: &str) -> bool {
    matches!(effect(name), Some(Effect::Allocates { .. }))
}

/// Whether a call of this function may show its arguments to the world.
pub(crate) fn is_output(name: &str) -> bool {
    effect(name) == Some(Effect::Reads)
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
    let values = args.iter().map(|arg| scope.eval(arg)).collect::<Result<Vec<_>, _>>()?;
    engine.observe(state, set, &Step::Library { name, args, values: &values, span });
    let mut scope = engine.scope(state, set);
    let result = match effect(name) {
        Some(kind @ (Effect::Integer | Effect::Function)) => {
            pure_result(&mut scope, name, &values, kind == Effect::Integer)
        }
        Some(Effect::Reads) => Value::Unknown,
        Some(Effect::Allocates { zeroed }) => allocate(&mut scope, zeroed, span),
        Some(Effect::Exits) => {
            let fine = name != "abort" && values.first().and_then(Value::as_constant) == Some(0);
            if fine {
                set.memory = super::memory::Memory::default();
                set.frames.clear();
                set.status = Status::Done;
                return Ok(Progress::Continue);
            }
            return Ok(Progress::Aborted);
        }
        Some(Effect::Writes) | None => {
            if let Some(callback) = scope.communicating_callback(&values) {
                return Err(Need::give_up(format!("`{name}` may call `{callback}`, which communicates")));
            }
            scope.forget_reachable(&values);
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
                    self.engine.communicating.contains(&target).then(|| name.to_string())
                }
                Resolution::External => None,
            }
        })
    }
}

/// The result of a function of its arguments: equal on all ranks when they are.
fn pure_result(scope: &mut Scope<'_, '_>, name: &str, values: &[Value], integer: bool) -> Value {
    let arguments: Option<Vec<Linear>> = values
        .iter()
        .map(|value| match value {
            // A literal is the same everywhere; other memory may differ.
            Value::Address(object, offset) => match scope.engine.objects.kind(*object) {
                ObjectKind::Library(text) => {
                    let text = format!("{text:?}");
                    Linear::from(scope.engine.symbols.apply(&text, Vec::new())).add(offset)
                }
                _ => None,
            },
            other => other.as_argument(),
        })
        .collect();
    let Some(arguments) = arguments else { return Value::Unknown };
    let symbol = scope.engine.symbols.apply(name, arguments);
    if integer { Value::Int(symbol.into()) } else { Value::Same(symbol) }
}

fn allocate(scope: &mut Scope<'_, '_>, zeroed: bool, span: Span) -> Value {
    let object = scope.engine.objects.object(ObjectKind::Heap(scope.context, scope.function.unit, span));
    let mut content = Content::new(if zeroed { Background::Zero } else { Background::Unknown });
    if scope.memory.get(object).is_some() {
        // The same call again: the object now stands for all of its allocations.
        content = Content::new(Background::Unknown);
        content.summary = true;
    }
    scope.memory.insert(object, content);
    Value::Address(object, Linear::zero())
}
