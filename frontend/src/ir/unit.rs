//! One translation unit.

use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Span;
use super::cfg::Cfg;
use super::expr::Expr;
use super::types::{TypeId, TypeTable};
use crate::preprocess::{Location, SourceMap};

/// Index in [`Unit::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// Index in [`Unit::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// Index in [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A translation unit, lowered.
#[derive(Debug)]
pub struct Unit {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// The way back to what the user wrote.
    pub map: SourceMap,
    /// All types.
    pub types: TypeTable,
    /// Variables of file scope, including those only declared here; tentative definitions are merged.
    pub globals: Vec<Global>,
    /// Functions defined here (`body` may be missing because of a syntax error) in source order.
    pub functions: Vec<Function>,
    /// Prototypes of functions that are not defined here, by name.
    pub prototypes: FxHashMap<Arc<str>, TypeId>,
    /// Function definitions by name.
    pub by_name: FxHashMap<Arc<str>, FunctionId>,
    /// What went wrong: syntax errors, missing includes, constructs without a model.
    pub problems: Vec<Problem>,
    /// What is assumed where, in the order of the spans.
    pub assumptions: Vec<Assumption>,
    /// Where an `offsetof` stands, which is a mere number in the code, and the type that it looks into.
    pub offsets: Vec<(Span, TypeId)>,
}

/// What a comment `// anyrank: assume EXPR` says. In the code it is a branch, or several, whose condition is in `span`; where it does
/// not hold, an empty block without successor is reached.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The expression. No span of other code is in it.
    pub span: Span,
    /// The expression as the user wrote it.
    pub text: Arc<str>,
}

/// A variable of file scope.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name.
    pub name: Arc<str>,
    /// Type; array lengths completed from the initialiser.
    pub ty: TypeId,
    /// `static`: not visible to other units.
    pub is_static: bool,
    /// Whether this unit defines it (or only declares it `extern`).
    pub defined: bool,
    /// `volatile`, `_Atomic` or `_Thread_local`: its value may change behind our back or per thread.
    pub unstable: bool,
    /// Initial value; `None` is all zeros for a defined variable.
    pub init: Option<Initializer>,
    /// Its name at its declaration.
    pub span: Span,
}

/// A static initialiser.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// A scalar or string.
    Scalar(Expr),
    /// `(index, value)` of array elements or record fields, sorted; what is not listed is zero.
    Aggregate(Vec<(u64, Initializer)>),
    /// Too large or unusual to keep.
    Unknown,
}

/// A function definition.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: Arc<str>,
    /// Its [`super::Type::Function`].
    pub ty: TypeId,
    /// `static`: not visible to other units.
    pub is_static: bool,
    /// `_Noreturn` or `__attribute__((noreturn))`.
    pub no_return: bool,
    /// Whether it runs by itself before or after `main`.
    pub startup: Startup,
    /// Number of parameters: `locals[..params]` in order.
    pub params: u32,
    /// Parameters, local variables (of all scopes, statics included) and temporaries.
    pub locals: Vec<Local>,
    /// The body; `None` where a syntax error cost it.
    pub body: Option<Cfg>,
    /// Code that a team of OpenMP threads executes, see [`Self::executed_by_several_threads`]: disjoint spans in order.
    pub threaded: Vec<Span>,
    /// Statements that say which threads execute what is in them, outer ones first, see [`Self::executed_by`].
    pub constructs: Vec<(Span, Construct)>,
    /// The whole definition.
    pub span: Span,
    /// Its name.
    pub name_span: Span,
}

/// Whether a function runs by itself, without a call in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Startup {
    /// `__attribute__((constructor))`: it runs before `main`; those with smaller numbers come first.
    pub before_main: Option<u32>,
    /// `__attribute__((destructor))`: it runs when `main` has returned, or `exit` was called.
    pub after_main: bool,
}

/// A parameter, local variable or temporary.
#[derive(Clone, Debug)]
pub struct Local {
    /// Name in the source; temporaries have none.
    pub name: Option<Arc<str>>,
    /// Type. Parameters are adjusted (arrays and functions to pointers).
    pub ty: TypeId,
    /// For a `static` local: it keeps its value between calls, and this is the initial one (`Some(None)` is zero).
    pub static_init: Option<Option<Initializer>>,
    /// Whether its address is taken anywhere in the function (an array indexed directly does not count).
    pub address_taken: bool,
    /// `volatile` or `_Atomic`.
    pub unstable: bool,
    /// Lengths of a variable-length array's dimensions, outermost first, as expressions that are valid from its
    /// declaration on. Of a pointer to such arrays (`double a[n][m]` as a parameter): those of what it points to.
    pub vla: Vec<Expr>,
    /// Where it is declared (temporaries: the expression they hold).
    pub span: Span,
}

/// Something the frontend could not take in; the rest is analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// One line for the user.
    pub message: String,
    /// Name of the function it costs, if it costs one.
    pub function: Option<Arc<str>>,
}

impl Unit {
    /// Where a span stands in the user's files.
    #[must_use]
    pub fn locate(&self, span: Span) -> Location {
        self.map.locate(span.start..span.end)
    }

    /// The assumption that a span is a part of.
    #[must_use]
    pub fn assumption(&self, part: Span) -> Option<&Assumption> {
        let index = self.assumptions.partition_point(|a| a.span.end < part.end);
        self.assumptions.get(index).filter(|a| a.span.start <= part.start)
    }

    /// A function by id.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A global by id.
    #[must_use]
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }
}

impl Function {
    /// A local by id.
    #[must_use]
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// Which threads of a team execute what begins at a span; `None` outside of all parallel regions of this function.
    #[must_use]
    pub fn executed_by(&self, span: Span) -> Option<Threads> {
        let around = self.constructs.iter().filter(|(of, _)| of.start <= span.start && span.start < of.end);
        around.fold(None, |threads, (_, construct)| match (construct, threads) {
            (Construct::Parallel, _) => Some(Threads::All),
            (Construct::Primary, Some(_)) => Some(Threads::Primary),
            (Construct::OneByOne, Some(Threads::All | Threads::Some)) => Some(Threads::OneByOne),
            (Construct::Branch, Some(Threads::All)) => Some(Threads::Some),
            (_, threads) => threads,
        })
    }

    /// Whether more than one thread may execute what begins at a span (that of an [`super::Inst`], say): each of them, or
    /// one beside others that execute something else in the meantime. Then the order of the graph is not that of execution.
    ///
    /// That is so in the statement after an OpenMP `parallel`, `teams`, `task` or `taskloop`, combined ones included, and
    /// not in the statement after a `master`, `masked` or `single` in it (unless it has a `filter` or `nowait`, or both kinds
    /// communicate in one region: nothing orders them then).
    ///
    /// Only directives of this function count. If the function is called from such a place, all of it is one: ask for
    /// the span of each call on the way. OpenMP pragmas count unless the file is known to be compiled without
    /// ([`Request::options_known`](crate::preprocess::Request::options_known)).
    #[must_use]
    pub fn executed_by_several_threads(&self, span: Span) -> bool {
        let next = self.threaded.partition_point(|region| region.start <= span.start);
        next.checked_sub(1).is_some_and(|last| span.start < self.threaded[last].end)
    }
}

/// A statement that says which threads execute what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// OpenMP `parallel`, `teams`, `task`, `taskloop`: several threads, each all of it or a part.
    Parallel,
    /// OpenMP `master` or `masked`: the primary thread of the team.
    Primary,
    /// OpenMP `single`, `critical`: one thread at a time.
    OneByOne,
    /// A branch, which may ask which thread it is.
    Branch,
}

/// The threads of a team that execute some code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Each of them, at any time.
    All,
    /// Those that a branch chooses.
    Some,
    /// The primary one, which is the one that was there before.
    Primary,
    /// Any of them, but no two at a time.
    OneByOne,
}
