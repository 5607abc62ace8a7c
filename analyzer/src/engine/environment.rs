//! The world outside of a program: command line, environment variables, files, and the functions of the C library that hand them in.
//!
//! By assumption all ranks see the same world: processes that make the same sequence of such calls get the same results. The *history*
//! of a process set is a symbol for the sequence so far, for each [`Resource`] and each open file on its own; a result is a
//! function of the history and of all that the call reads. So a line that only rank 0 reads is equal to nothing on the other ranks:
//! once it has been read, the histories differ.
//!
//! Histories are cells of the memory of a set ([`ObjectKind::Environment`]). They are joined and widened like all values. Where
//! neighbouring sets of different history become one, the history is not known afterwards: a new symbol for it would claim that the
//! members agree on what they read next.

use std::cmp::Ordering;

use frontend::ir::{Expr, Type};
use lattice::{Linear, Symbol};

use super::Engine;
use super::aliasing::Stored;
use super::contents::{COMMAND_LINE, Reach, TEXT, target};
use super::eval::{Location, Scope};
use super::memory::{Background, Content, ObjectId, ObjectKind};
use super::state::{address, target as pointee};
use super::value::Value;

/// A part of the world with a history of its own: what happens to one has no effect on the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// The variables of `getenv`.
    Variables,
    /// What `getopt` has taken from the command line.
    Options,
    /// The string that `strtok` is in.
    Tokens,
    /// The file that the argument of this index stands for.
    File(usize),
    /// Whether files can be opened, and what is known of them without reading.
    Files,
    /// Characters of strings outside of the program's objects, see [`Engine::is_text`].
    Texts,
}

impl Resource {
    /// Those that are there from the beginning.
    const ALL: [Self; 4] = [Self::Variables, Self::Options, Self::Tokens, Self::Texts];

    /// Where the history is in the object of the environment; eight bytes.
    pub(crate) fn offset(self) -> i64 {
        Self::ALL.iter().zip(0..).find(|&(&r, _)| r == self).map_or(0, |(_, index): (_, i64)| 8 * index)
    }

    fn assumption(self) -> Option<&'static str> {
        match self {
            Self::Variables => Some("the environment variables are the same on every rank"),
            Self::File(_) | Self::Files => Some("files that several ranks use are the same on every rank"),
            Self::Options | Self::Tokens | Self::Texts => None,
        }
    }
}

/// How a function uses one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// The value alone.
    Value,
    /// The value; of a pointer what it points to.
    Read,
    /// What it points to is overwritten, perhaps in part.
    Write,
    /// What it points to is read and overwritten.
    Update,
    /// Has no part in the result.
    Ignore,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    Integer,
    /// An integer of which nothing but its sign has a meaning.
    Order,
    /// A number that is no integer, or an opaque pointer.
    Other,
    /// A pointer to a string outside of the program's objects, or null.
    Text,
    /// A pointer into what the first argument points to, or null.
    Inside,
    /// The first argument.
    First,
    /// The first argument, or null.
    FirstOrNull,
}

/// What is known of a function whose results depend on nothing but what it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// A letter for each argument; the last one is that of all that follow.
    uses: &'static str,
    pub(crate) returns: Returns,
    /// What it depends on besides its arguments, and whether the call changes that.
    pub(crate) resource: Option<(Resource, bool)>,
    /// Whether what it writes may be bytes of anything.
    pub(crate) copies_bytes: bool,
}

impl Model {
    /// Whether a call changes the memory of the program.
    pub(crate) fn writes(&self) -> bool {
        self.uses.contains(['w', 'u'])
            || self.resource.is_some_and(|(resource, _)| resource == Resource::Options)
    }

    pub(crate) fn uses(&self, index: usize) -> Use {
        match self.uses.as_bytes().get(index).or(self.uses.as_bytes().last()) {
            Some(b'v') => Use::Value,
            Some(b'r') => Use::Read,
            Some(b'w') => Use::Write,
            Some(b'u') => Use::Update,
            _ => Use::Ignore,
        }
    }
}

/// The model of a function of the C library or POSIX.
pub(crate) fn model(name: &str) -> Option<Model> {
    use Resource::{File, Files, Options, Tokens, Variables};
    use Returns::{First, FirstOrNull, Inside, Integer, Order, Other, Text};
    let (uses, returns, resource) = match name {
        "abs" | "labs" | "llabs" | "toupper" | "tolower" | "isalnum" | "isalpha" | "isblank" | "iscntrl"
        | "isdigit" | "isgraph" | "islower" | "isprint" | "ispunct" | "isspace" | "isupper" | "isxdigit"
        | "ffs" | "lround" | "lrint" | "llround" => ("v", Integer, None),
        "acos" | "asin" | "atan" | "atan2" | "cbrt" | "ceil" | "cos" | "cosh" | "exp" | "exp2" | "fabs"
        | "fabsf" | "floor" | "fmax" | "fmin" | "fmod" | "hypot" | "ldexp" | "log" | "log10" | "log1p"
        | "log2" | "pow" | "powf" | "rint" | "round" | "sin" | "sinh" | "sqrt" | "sqrtf" | "tan" | "tanh"
        | "trunc" => ("v", Other, None),
        "atoi" | "atol" | "atoll" | "strlen" | "strspn" | "strcspn" => ("r", Integer, None),
        "strcmp" | "strcasecmp" | "strcoll" => ("r", Order, None),
        "strncmp" | "strncasecmp" | "memcmp" => ("rrv", Order, None),
        "strnlen" => ("rrv", Integer, None),
        "atof" => ("r", Other, None),
        "strtol" | "strtoul" | "strtoll" | "strtoull" => ("rwv", Integer, None),
        "strtod" | "strtof" | "strtold" => ("rw", Other, None),
        "strchr" | "strrchr" | "strstr" | "strpbrk" | "strcasestr" | "index" | "rindex" | "memchr" => {
            ("r", Inside, None)
        }
        "strcpy" => ("wr", First, None),
        "strncpy" => ("wrv", First, None),
        "strcat" | "strncat" => ("ur", First, None),
        "memcpy" | "memmove" => ("urv", First, None),
        "memset" => ("uv", First, None),
        "sprintf" => ("wr", Integer, None),
        "vsprintf" => ("wr", Integer, None),
        "snprintf" | "vsnprintf" => ("wvr", Integer, None),
        "sscanf" => ("rrw", Integer, None),
        "getenv" | "secure_getenv" => ("r", Text, Some((Variables, false))),
        "setenv" => ("rrv", Integer, Some((Variables, true))),
        "putenv" | "unsetenv" => ("r", Integer, Some((Variables, true))),
        "getopt" => ("vur", Integer, Some((Options, true))),
        "getopt_long" | "getopt_long_only" => ("vurrw", Integer, Some((Options, true))),
        "strtok" => ("ur", Inside, Some((Tokens, true))),
        "fopen" | "fopen64" => ("r", Other, Some((Files, false))),
        "fclose" => ("v", Integer, Some((File(0), true))),
        "fgets" => ("wvv", FirstOrNull, Some((File(2), true))),
        "fgetc" | "getc" | "rewind" | "fseek" | "fseeko" | "lseek" => ("v", Integer, Some((File(0), true))),
        "ungetc" => ("v", Integer, Some((File(1), true))),
        "fscanf" => ("vrw", Integer, Some((File(0), true))),
        "fread" => ("wv", Integer, Some((File(3), true))),
        "read" => ("vwv", Integer, Some((File(0), true))),
        "open" | "open64" => ("rv", Integer, Some((Files, false))),
        "close" => ("v", Integer, Some((File(0), true))),
        "feof" | "ferror" | "ftell" | "ftello" => ("v", Integer, Some((File(0), false))),
        "access" => ("rv", Integer, Some((Files, false))),
        "stat" | "lstat" => ("rw", Integer, Some((Files, false))),
        _ => return None,
    };
    let copies_bytes = matches!(name, "memcpy" | "memmove" | "memset" | "fread" | "read");
    Some(Model { uses, returns, resource, copies_bytes })
}

/// Whether a function computes its result from its arguments alone.
pub(crate) fn is_pure(name: &str) -> bool {
    model(name).is_some_and(|model| model.resource.is_none())
}

/// Whether the value of a function of symbols is not computed from its arguments but comes from outside of the program.
pub(crate) fn is_outside(name: &str) -> bool {
    model(name).is_some_and(|model| model.resource.is_some())
        || ["argv", COMMAND_LINE, "success of ", "sizeof "].iter().any(|outside| name.starts_with(outside))
}

/// A variable of the C library that has a model, with its size in bytes.
pub(crate) fn library_variable(name: &str) -> Option<(&'static str, u64)> {
    let known = [
        ("optarg", 8),
        ("optind", 4),
        ("optopt", 4),
        ("opterr", 4),
        ("stdin", 8),
        ("stdout", 8),
        ("stderr", 8),
    ];
    known.into_iter().find(|&(known, _)| known == name)
}

/// The table of character classes that `isdigit` and its like look into where they are macros.
pub(crate) const CHARACTERS: [&str; 3] = ["__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"];

/// Where the histories of files begin in the object of the environment.
const FILES: i64 = 64;

impl Engine<'_> {
    /// The history of a resource at the beginning.
    pub(crate) fn untouched(&mut self, resource: Resource) -> Symbol {
        self.symbols.apply(&format!("{resource:?}"), Vec::new())
    }

    /// What an object that the library owns holds at the beginning.
    pub(crate) fn library_content(&mut self, kind: &ObjectKind) -> Content {
        let uniform = |engine: &mut Self, name: &str| {
            Content::new(Background::Uniform(engine.symbols.apply(name, Vec::new())))
        };
        match kind {
            ObjectKind::Literal(text) => uniform(self, &format!("{text:?}")),
            ObjectKind::CommandLine => uniform(self, COMMAND_LINE),
            ObjectKind::Environment => {
                let mut content = uniform(self, "environment");
                for resource in Resource::ALL {
                    let untouched = self.untouched(resource);
                    content.write(resource.offset(), 8, Value::Same(untouched));
                }
                content
            }
            ObjectKind::Library(name @ ("optind" | "opterr")) => {
                let mut content = uniform(self, name);
                content.write(0, 4, Value::int(1));
                content
            }
            ObjectKind::Library("optarg" | "strtok") => Content::new(Background::Zero),
            ObjectKind::Library(name) if CHARACTERS.contains(name) => {
                let mut content = Content::new(Background::Unknown);
                let table = self.objects.object(ObjectKind::Library("character table"));
                content.write(0, 8, Value::Address(table, Linear::zero()));
                content
            }
            ObjectKind::Library("errno") => {
                // It may change at each call of a library function.
                let mut content = Content::new(Background::Unknown);
                content.summary = true;
                content
            }
            ObjectKind::Library(name) => uniform(self, name),
            ObjectKind::Local(..)
            | ObjectKind::Static(..)
            | ObjectKind::Global(..)
            | ObjectKind::Heap(..)
            | ObjectKind::Neighbours(_) => Content::new(Background::Unknown),
        }
    }

    pub(crate) fn environment(&mut self) -> ObjectId {
        self.objects.object(ObjectKind::Environment)
    }

    /// Notes what is assumed where a result is taken to be the same everywhere.
    pub(crate) fn assume_same_world(&mut self, resource: Option<Resource>) {
        if let Some(text) = resource.and_then(Resource::assumption) {
            self.assume(text.to_owned());
        }
    }
}

impl Scope<'_, '_> {
    /// The sequence of calls so far; `None` when members may differ in it.
    pub(crate) fn history(&mut self, resource: Resource) -> Option<Symbol> {
        let object = self.engine.environment();
        self.engine.ensure(self.memory, object);
        self.history_at(resource.offset())
    }

    fn history_at(&mut self, offset: i64) -> Option<Symbol> {
        let object = self.engine.environment();
        self.engine.ensure(self.memory, object);
        match self.memory.get(object)?.read(offset, 8) {
            Value::Same(symbol) => Some(symbol),
            _ => None,
        }
    }

    pub(crate) fn set_history(&mut self, resource: Resource, history: Option<Symbol>) {
        match resource {
            Resource::File(_) => self.forget_files(),
            Resource::Files => {}
            _ => self.set_history_at(resource.offset(), history),
        }
    }

    pub(crate) fn set_history_at(&mut self, offset: i64, history: Option<Symbol>) {
        let object = self.engine.environment();
        self.engine.ensure(self.memory, object);
        self.memory.write(object, offset, 8, history.map_or(Value::Unknown, Value::Same));
    }

    /// Where the histories of open files are.
    pub(crate) fn files(&mut self) -> Vec<i64> {
        let object = self.engine.environment();
        self.engine.ensure(self.memory, object);
        let cells = self.memory.get(object).map(|content| content.cells.range(FILES..));
        cells.map_or_else(Vec::new, |cells| cells.map(|(&offset, _)| offset).collect())
    }

    fn forget_files(&mut self) {
        for file in self.files() {
            self.set_history_at(file, None);
        }
    }

    /// Where the history of the file is that a handle stands for. Only handles that mean the same in all states can have one, since a
    /// file is told from others by its handle.
    fn file(&self, handle: &Value) -> Option<i64> {
        let symbol = match handle {
            Value::Same(symbol) => *symbol,
            Value::Int(number) => number.as_offset().filter(|&(_, offset)| offset == 0)?.0,
            _ => return None,
        };
        let number = symbol.number().filter(|_| self.engine.symbols.is_stable(symbol))?;
        Some(FILES + 8 * i64::from(number))
    }

    /// A file is opened. Two that are open under one name at one time are not told apart.
    fn opened(&mut self, handle: Symbol) {
        let Some(file) = self.file(&Value::Same(handle)) else { return };
        let start = self.engine.symbols.apply("start of file", vec![handle.into()]);
        let history = if self.files().contains(&file) { None } else { Some(start) };
        self.set_history_at(file, history);
    }

    fn closed(&mut self, handle: &Value) {
        let object = self.engine.environment();
        match self.file(handle) {
            Some(file) => {
                self.memory.content(object).cells.remove(&file);
            }
            None => self.forget_files(),
        }
    }

    /// The history that a call depends on; `None` when members may differ in it.
    fn history_of(&mut self, resource: Resource, values: &[Value]) -> Option<Vec<Linear>> {
        match resource {
            Resource::Files => Some(Vec::new()),
            Resource::File(index) => {
                let file = self.file(values.get(index)?)?;
                Some(vec![self.history_at(file)?.into()])
            }
            _ => Some(vec![self.history(resource)?.into()]),
        }
    }

    /// A pointer that may be null or into an object, as an address: it is used as one.
    pub(crate) fn resolved(&mut self, value: &Value) -> Value {
        let Value::Same(symbol) = value else { return value.clone() };
        let Some(object) = self.engine.pointers.get(symbol).and_then(Reach::single) else {
            return value.clone();
        };
        let offset = self.engine.symbols.apply("offset of pointer", vec![(*symbol).into()]);
        self.bound(offset, 0);
        Value::Address(object, offset.into())
    }

    /// A call of a function that has a model.
    pub(crate) fn modelled(&mut self, model: &Model, name: &str, args: &[Expr], values: &[Value]) -> Value {
        let values: Vec<Value> = values.iter().map(|value| self.resolved(value)).collect();
        if name == "strtok" && values.first().is_some_and(|v| *v == Value::int(0)) {
            return self.next_token(model, args, values);
        }
        self.apply_model(model, name, args, &values)
    }

    fn apply_model(&mut self, model: &Model, name: &str, args: &[Expr], values: &[Value]) -> Value {
        if matches!(name, "memcpy" | "memmove" | "memset") && self.moved_bytes(name, values) {
            return values[0].clone();
        }
        let order = self.order_of_literals(name, values);
        let found =
            self.found_in_literal(name, values).or((order == Some(Ordering::Equal)).then(|| Value::int(0)));
        if let Some(found) = found {
            return found;
        }
        let call = self.call_symbol(model, name, args, values);
        let mut result = self.result(model, name, values, call);
        // By how much strings differ is up to the library.
        if let (Some(order), Value::Same(difference)) = (order, &result) {
            let difference = Linear::from(*difference);
            match order {
                Ordering::Less => self.facts.learn(&difference, &(-1).into()),
                _ => self.facts.learn(&1.into(), &difference),
            }
            result = Value::Int(difference);
        }
        if call.is_some() {
            self.engine.assume_same_world(model.resource.map(|r| r.0));
        }
        for (index, (arg, value)) in args.iter().zip(values).enumerate() {
            if matches!(model.uses(index), Use::Write | Use::Update) {
                let after = call.map(|call| {
                    self.engine.symbols.apply(&format!("argument {index} after {name}"), vec![call.into()])
                });
                self.write_behind(arg, value, model.copies_bytes, after);
            }
        }
        let after = call.map(|call| self.engine.symbols.apply("history after", vec![call.into()]));
        match (model.resource, name) {
            (_, "fclose" | "close") => self.closed(values.first().unwrap_or(&Value::Unknown)),
            (_, "fopen" | "fopen64" | "open" | "open64") => {
                call.into_iter().for_each(|call| self.opened(call))
            }
            (Some((Resource::File(index), true)), _) => {
                match values.get(index).and_then(|handle| self.file(handle)) {
                    Some(file) => self.set_history_at(file, after),
                    None => self.forget_files(),
                }
            }
            (Some((resource, true)), _) => self.set_history(resource, after),
            _ => {}
        }
        match model.resource {
            Some((Resource::Options, _)) => self.options_taken(values, call),
            Some((Resource::Tokens, _)) => self.keep_tokens(&values[0]),
            _ => {}
        }
        result
    }

    /// The characters of a string that stands in the program.
    pub(crate) fn literal(&self, value: &Value) -> Option<&[u8]> {
        let (object, offset) = address(value)?;
        let ObjectKind::Literal(text) = self.engine.objects.kind(object) else { return None };
        // What is no text is not kept as it is.
        let whole = text.as_bytes().split(|&byte| byte == 0).next().filter(|_| !text.contains('\u{fffd}'))?;
        whole.get(usize::try_from(offset.as_constant()?).ok()?..)
    }

    /// What a function finds in strings that stand in the program.
    fn found_in_literal(&self, name: &str, values: &[Value]) -> Option<Value> {
        let text = self.literal(values.first()?)?;
        let index = match name {
            "strlen" => return i64::try_from(text.len()).ok().map(Value::int),
            "strchr" => text.iter().position(|&byte| Some(i64::from(byte)) == values[1].as_constant()),
            _ => return None,
        };
        let (object, offset) = address(&values[0])?;
        match (index, values.get(1)?.as_constant()?) {
            (Some(index), _) => Some(Value::Address(object, offset.offset(i64::try_from(index).ok()?)?)),
            (None, 1..=127) => Some(Value::int(0)),
            (None, _) => None,
        }
    }

    /// How strings that stand in the program compare.
    fn order_of_literals(&self, name: &str, values: &[Value]) -> Option<Ordering> {
        let (a, b) = (self.literal(values.first()?)?, self.literal(values.get(1)?)?);
        match name {
            "strcmp" => Some(a.cmp(b)),
            "strcasecmp" => Some(a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase())),
            "strncmp" => {
                let most = usize::try_from(values.get(2)?.as_constant()?).ok()?;
                Some(a[..a.len().min(most)].cmp(&b[..b.len().min(most)]))
            }
            _ => None,
        }
    }

    /// A call as a function of all that it reads; `None` when some of that may differ between members.
    fn call_symbol(&mut self, model: &Model, name: &str, args: &[Expr], values: &[Value]) -> Option<Symbol> {
        let mut inputs = Vec::new();
        for (index, (arg, value)) in args.iter().zip(values).enumerate() {
            match model.uses(index) {
                Use::Value => inputs.push(self.engine.encode(value)?),
                Use::Read | Use::Update => inputs.extend(self.behind(arg, value)?),
                Use::Write | Use::Ignore => {}
            }
        }
        if let Some((resource, _)) = model.resource
            && name != "strtok"
        {
            inputs.extend(self.history_of(resource, values)?);
            if resource == Resource::Options {
                let taken = self.engine.objects.object(ObjectKind::Library("optind"));
                inputs.push(self.engine.content_symbol(self.memory, taken)?);
            }
        }
        Some(self.engine.symbols.apply(name, inputs))
    }

    /// What a function finds behind a pointer, or in an argument that is none.
    pub(crate) fn behind(&mut self, arg: &Expr, value: &Value) -> Option<Vec<Linear>> {
        match value {
            Value::Address(object, _)
                if matches!(self.engine.objects.kind(*object), ObjectKind::Literal(_)) =>
            {
                Some(vec![self.engine.encode(value)?])
            }
            Value::Address(object, offset) if value.is_uniform() => {
                if *self.engine.objects.kind(*object) == ObjectKind::CommandLine {
                    self.engine.assume_command_line();
                }
                Some(vec![self.engine.content_symbol(self.memory, *object)?, offset.clone()])
            }
            Value::Same(symbol) if self.engine.is_text(*symbol) => self.text_arguments(*symbol),
            Value::Same(_) if matches!(self.unit().types.get(arg.strip_casts().ty), Type::Pointer(_)) => None,
            value => Some(vec![self.engine.encode(value)?]),
        }
    }

    fn result(&mut self, model: &Model, name: &str, values: &[Value], call: Option<Symbol>) -> Value {
        let first = values.first().cloned().unwrap_or(Value::Unknown);
        if model.returns == Returns::First {
            return first;
        }
        let Some(call) = call else { return Value::Unknown };
        match (model.returns, first) {
            (Returns::Integer, _) => {
                if matches!(name, "strlen" | "strnlen" | "strspn" | "strcspn" | "fread") {
                    self.bound(call, 0);
                }
                Value::Int(call.into())
            }
            (Returns::Text, _) => Value::Same(self.text_of(name, call)),
            (Returns::Inside, Value::Same(_)) => Value::Same(self.text_of(name, call)),
            (Returns::Inside | Returns::FirstOrNull, Value::Address(object, _)) => {
                let pointer =
                    self.engine.symbols.apply(&format!("pointer into {object:?}"), vec![call.into()]);
                self.engine.may_point(pointer, Reach { objects: [object].into(), text: false });
                Value::Same(pointer)
            }
            _ => Value::Same(call),
        }
    }

    fn text_of(&mut self, name: &str, call: Symbol) -> Symbol {
        self.engine.symbols.apply(&format!("{TEXT}{name}"), vec![call.into()])
    }

    /// Gives what is behind a pointer a new content, of which at most a symbol is known. `copies_bytes`: it may be bytes of anything.
    pub(crate) fn write_behind(
        &mut self,
        arg: &Expr,
        value: &Value,
        copies_bytes: bool,
        symbol: Option<Symbol>,
    ) {
        let Some((object, offset, size)) = target(self, arg, value) else {
            match value {
                Value::Same(pointer) if self.engine.is_text(*pointer) => {
                    self.set_history(Resource::Texts, symbol);
                }
                Value::Int(_) | Value::Name(_) => {}
                Value::Within(object) => self.replace(*object, None),
                _ => {
                    let stored = Stored::behind(&self.unit().types, arg, copies_bytes);
                    let pointees = self.engine.pointees(self.function, arg);
                    self.forget_behind(value, stored, pointees.as_deref());
                }
            }
            return;
        };
        let kind = self.engine.objects.kind(object);
        if *kind == ObjectKind::CommandLine {
            return self.replace(object, symbol);
        }
        if kind.is_library() {
            return;
        }
        let unit = self.unit();
        let scalar = unit.types.pointee(arg.strip_casts().ty).filter(|&ty| match unit.types.get(ty) {
            Type::Int(kind) => kind.size() > 1,
            Type::Enum(..) | Type::Float(_) | Type::Pointer(_) => true,
            _ => false,
        });
        match scalar {
            Some(ty) if !self.is_array_behind(arg) => {
                let value = symbol.map_or(Value::Unknown, |symbol| self.typed(symbol, ty));
                let location = Location { object, offset: Some(offset) };
                let size = self.size_of(ty);
                self.write(&location, size, value);
            }
            _ => self.fill(object, &offset, size, symbol),
        }
    }

    /// Whether a pointer argument may mean more than one element: it is not the address of a scalar.
    fn is_array_behind(&self, arg: &Expr) -> bool {
        use frontend::ir::ExprKind;
        match &arg.strip_casts().kind {
            ExprKind::AddressOf(place) => self.is_aggregate(place.ty),
            _ => true,
        }
    }

    /// Copies or sets bytes where places and numbers are known; `false`: nothing is done.
    fn moved_bytes(&mut self, name: &str, values: &[Value]) -> bool {
        let [to, from, size] = values else { return false };
        let Some((object, offset)) = address(to) else { return false };
        let constant = |scope: &Self, value: &Linear| scope.facts.constant(value);
        let start = constant(self, offset);
        let size =
            size.as_int().and_then(|size| constant(self, size)).and_then(|size| u64::try_from(size).ok());
        if name == "memset" {
            return from.as_constant() == Some(0) && self.zeroed(object, start, size);
        }
        let Some((source, begin)) = address(from) else { return false };
        let (Some(start), Some(size), Some(begin)) = (start, size, constant(self, begin)) else {
            return false;
        };
        if self.engine.objects.kind(object).is_library() || self.engine.objects.kind(source).is_library() {
            return false;
        }
        let content = self.section(source, begin, size);
        self.paste(object, start, size, content);
        true
    }

    /// Sets bytes to zero; `false` when that cannot be said.
    fn zeroed(&mut self, object: ObjectId, start: Option<i64>, size: Option<u64>) -> bool {
        self.engine.ensure(self.memory, object);
        let Some(content) = self.memory.get(object) else { return false };
        let blank =
            matches!(content.background, Background::Undefined | Background::Zero) && !content.summary;
        let Some(start) = start else { return false };
        if blank {
            // What was undefined may be zero as well as anything.
            self.memory.content(object).background = Background::Zero;
        }
        match size {
            Some(size) => {
                self.paste(object, start, size, Content::new(Background::Zero));
                true
            }
            None => {
                let content = self.memory.get(object);
                blank && content.is_some_and(|content| content.cells.is_empty() && content.series.is_empty())
            }
        }
    }

    /// What `getopt` leaves in its variables, and in those that a table of long options points to.
    fn options_taken(&mut self, values: &[Value], call: Option<Symbol>) {
        let variable = |scope: &mut Self, name: &'static str| {
            let object = scope.engine.objects.object(ObjectKind::Library(name));
            let symbol = call.map(|call| match name {
                "optarg" => scope.text_of(name, call),
                _ => scope.engine.symbols.apply(name, vec![call.into()]),
            });
            let (size, value) = match symbol {
                None => (8, Value::Unknown),
                Some(symbol) if name == "optarg" => (8, Value::Same(symbol)),
                Some(symbol) => {
                    if name == "optind" {
                        scope.bound(symbol, 1);
                    }
                    (4, Value::Int(symbol.into()))
                }
            };
            scope.engine.ensure(scope.memory, object);
            scope.memory.content(object).forget();
            scope.memory.write(object, 0, size, value);
        };
        for name in ["optarg", "optind", "optopt"] {
            variable(self, name);
        }
        let Some(Location { object: table, .. }) = values.get(3).and_then(pointee) else { return };
        let flags: Vec<ObjectId> = self.memory.get(table).map_or_else(Vec::new, |content| {
            content.cells.values().filter_map(|(_, value)| pointee(value).map(|at| at.object)).collect()
        });
        for flag in flags {
            if !self.engine.objects.kind(flag).is_library() {
                let before = self.engine.content_symbol(self.memory, flag);
                let after = before.zip(call).map(|(before, call)| {
                    self.engine.symbols.apply("flag after getopt", vec![before, call.into()])
                });
                self.replace(flag, after);
            }
        }
    }

    /// Where `strtok` keeps the string that it is in.
    fn token_source(&mut self) -> ObjectId {
        self.engine.objects.object(ObjectKind::Library("strtok"))
    }

    fn keep_tokens(&mut self, string: &Value) {
        let object = self.token_source();
        self.engine.ensure(self.memory, object);
        self.memory.write(object, 0, 8, string.clone());
    }

    /// `strtok(NULL, ...)`: goes on in the string of the last call.
    fn next_token(&mut self, model: &Model, args: &[Expr], mut values: Vec<Value>) -> Value {
        let object = self.token_source();
        self.engine.ensure(self.memory, object);
        let string = self.memory.get(object).map_or(Value::Unknown, |content| content.read(0, 8));
        if let Some(first) = values.first_mut() {
            *first = string;
        }
        self.apply_model(model, "next strtok", args, &values)
    }
}
