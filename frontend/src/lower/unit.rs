//! A unit's top-level pieces in order: types, globals, prototypes, functions.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Parser;

use crate::ir::{
    Function, FunctionId, FunctionType, Global, GlobalId, IntKind, Problem, RecordId, Span, Startup, Type,
    TypeId, TypeTable, Unit,
};
use crate::mpi;
use crate::preprocess::{OpenMpPragma, Preprocessed};

use super::Options;
use super::assumptions::Pending;
use super::chunks::{Chunk, chunks};
use super::containment::Containment;
use super::flow::Body;
use super::lexer::{Token, tokens};
use super::library;
use super::live::live;
use super::rewrite::{Attribute, Buffer, Mark, Names, Rewriter};
use super::scope::{Scopes, Symbol};
use super::syntax::{Broken, FieldName, Kind, NodeId, Syntax, parser};

/// Brackets nested deeper than this in one piece: not C that anyone wrote.
const MAX_NESTING: u32 = 500;

/// Ids of types used all over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basic {
    pub(super) void: TypeId,
    pub(super) bool: TypeId,
    pub(super) char: TypeId,
    pub(super) int: TypeId,
    pub(super) uint: TypeId,
    pub(super) long: TypeId,
    pub(super) ulong: TypeId,
    pub(super) float: TypeId,
    pub(super) double: TypeId,
    pub(super) unknown: TypeId,
    pub(super) void_pointer: TypeId,
    pub(super) char_pointer: TypeId,
}

impl Basic {
    fn new(types: &mut TypeTable) -> Self {
        let void = types.intern(Type::Void);
        let char = types.intern(Type::Int(IntKind::Char));
        Self {
            void,
            bool: types.intern(Type::Int(IntKind::Bool)),
            char,
            int: types.intern(Type::Int(IntKind::Int)),
            uint: types.intern(Type::Int(IntKind::UInt)),
            long: types.intern(Type::Int(IntKind::Long)),
            ulong: types.intern(Type::Int(IntKind::ULong)),
            float: types.intern(Type::Float(4)),
            double: types.intern(Type::Float(8)),
            unknown: types.intern(Type::Unknown),
            void_pointer: types.intern(Type::Pointer(void)),
            char_pointer: types.intern(Type::Pointer(char)),
        }
    }
}

/// The state of lowering one unit. The modules beside this one add their part of its methods.
pub(super) struct UnitLowerer<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
    /// The OpenMP directives between the tokens, in order.
    pub(super) openmp: &'t [OpenMpPragma],
    pub(super) options: &'t Options,
    pub(super) parser: Parser,
    pub(super) syntax: Syntax,
    pub(super) marks: Vec<Mark>,
    pub(super) types: TypeTable,
    /// Which records hold which.
    pub(super) containment: Containment,
    pub(super) basic: Basic,
    pub(super) scopes: Scopes<'t>,
    pub(super) names: FxHashMap<&'t str, Arc<str>>,
    pub(super) spelled: FxHashMap<&'static str, TypeId>,
    /// Stand-ins for records that the unit does not define, by type.
    pub(super) opaque_records: FxHashMap<TypeId, RecordId>,
    pub(super) globals: Vec<Global>,
    pub(super) global_by_name: FxHashMap<&'t str, GlobalId>,
    pub(super) functions: Vec<Function>,
    pub(super) prototypes: FxHashMap<Arc<str>, TypeId>,
    pub(super) by_name: FxHashMap<Arc<str>, FunctionId>,
    /// Functions declared never to return.
    pub(super) no_return: FxHashSet<&'t str>,
    /// What declarations say of functions that run by themselves.
    pub(super) startups: FxHashMap<&'t str, Startup>,
    /// Functions declared `static` somewhere.
    pub(super) static_functions: FxHashSet<&'t str>,
    pub(super) problems: Vec<Problem>,
    /// In the order in which they stand.
    pub(super) assumptions: Vec<Pending>,
    /// See [`Unit::offsets`].
    pub(super) offsets: Vec<(Span, TypeId)>,
    /// The function being lowered, or a scratch one at file scope.
    pub(super) body: Body<'t>,
    /// Depth of the recursion over expressions and statements.
    pub(super) depth: u32,
}

struct FileNames<'a, 't>(&'a Scopes<'t>);

impl Names for FileNames<'_, '_> {
    fn is_type(&self, name: &str) -> bool {
        match self.0.symbol(name) {
            Some(symbol) => matches!(symbol, Symbol::Type(..)),
            None => library::typedef(name).is_some() || is_mpi_type(name),
        }
    }

    fn is_value(&self, name: &str) -> bool {
        self.0.symbol(name).is_some_and(|s| !matches!(s, Symbol::Type(..)))
    }
}

/// Whether our `mpi.h` declares the name as a type.
pub(super) fn is_mpi_type(name: &str) -> bool {
    name.starts_with("MPI_")
        && (matches!(
            name,
            "MPI_Aint"
                | "MPI_Offset"
                | "MPI_Count"
                | "MPI_Fint"
                | "MPI_Status"
                | "MPI_F08_status"
                | "MPI_Comm"
                | "MPI_Datatype"
                | "MPI_Errhandler"
                | "MPI_File"
                | "MPI_Group"
                | "MPI_Info"
                | "MPI_Message"
                | "MPI_Op"
                | "MPI_Request"
                | "MPI_Session"
                | "MPI_Win"
        ) || name.ends_with("_function")
            || name.ends_with("_function_c")
            || name.ends_with("_fn")
            || name.ends_with("_func")
            || name.starts_with("MPI_T_") && mpi::lookup(name).is_none() && mpi::constant(name).is_none())
}

pub(super) fn lower(path: &Path, source: Preprocessed, options: &Options) -> Unit {
    let Preprocessed { text, code_end, assumptions, map, openmp_pragmas, .. } = source;
    let mut types = TypeTable::default();
    let basic = Basic::new(&mut types);
    let mut unit = Unit {
        path: path.to_path_buf(),
        map,
        types: TypeTable::default(),
        globals: Vec::new(),
        functions: Vec::new(),
        prototypes: FxHashMap::default(),
        by_name: FxHashMap::default(),
        problems: Vec::new(),
        assumptions: Vec::new(),
        offsets: Vec::new(),
    };
    let whole = Span { start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    let Some(parser) = parser() else {
        unit.types = types;
        unit.problems.push(Problem {
            span: whole,
            message: "the C grammar cannot be loaded".to_owned(),
            function: None,
        });
        return unit;
    };
    if u32::try_from(text.len()).is_err() {
        unit.types = types;
        unit.problems.push(Problem {
            span: whole,
            message: "larger than 4 GB after preprocessing".to_owned(),
            function: None,
        });
        return unit;
    }
    let tokens = tokens(&text);
    let mut lowerer = UnitLowerer {
        text: &text,
        tokens: &tokens,
        openmp: &openmp_pragmas,
        options,
        parser,
        syntax: Syntax::default(),
        marks: Vec::new(),
        types,
        containment: Containment::default(),
        basic,
        scopes: Scopes::default(),
        names: FxHashMap::default(),
        spelled: FxHashMap::default(),
        opaque_records: FxHashMap::default(),
        globals: Vec::new(),
        global_by_name: FxHashMap::default(),
        functions: Vec::new(),
        prototypes: FxHashMap::default(),
        by_name: FxHashMap::default(),
        no_return: FxHashSet::default(),
        startups: FxHashMap::default(),
        static_functions: FxHashSet::default(),
        problems: Vec::new(),
        assumptions: assumptions.into_iter().map(|a| Pending::new(a, &tokens)).collect(),
        offsets: Vec::new(),
        body: Body::default(),
        depth: 0,
    };
    let (code, assumed) = tokens.split_at(tokens.partition_point(|token| token.start < code_end));
    let pieces = chunks(&text, code);
    for (piece, live) in pieces.iter().zip(live(&text, code, &pieces, assumed)) {
        if live {
            lowerer.chunk(piece);
        }
    }
    unit.assumptions = lowerer.finished_assumptions();
    let UnitLowerer { types, globals, functions, mut prototypes, by_name, problems, offsets, .. } = lowerer;
    prototypes.retain(|name, _| !by_name.contains_key(name));
    unit.types = types;
    unit.globals = globals;
    unit.functions = functions;
    unit.prototypes = prototypes;
    unit.by_name = by_name;
    unit.problems = problems;
    unit.offsets = offsets;
    unit
}

impl<'t> UnitLowerer<'t> {
    /// The text of a span.
    pub(super) fn source(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The text of a node.
    pub(super) fn node_text(&self, node: NodeId) -> &'t str {
        self.source(self.syntax.span(node))
    }

    /// The shared form of a name.
    pub(super) fn name(&mut self, name: &'t str) -> Arc<str> {
        Arc::clone(self.names.entry(name).or_insert_with(|| Arc::from(name)))
    }

    pub(super) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.types.intern(Type::Pointer(to))
    }

    pub(super) fn problem(&mut self, span: Span, message: impl Into<String>) {
        let function = self.body.name.map(|n| self.name(n));
        self.problems.push(Problem { span, message: message.into(), function });
    }

    fn token_span(&self, from: usize, to: usize) -> Span {
        let start = self.tokens.get(from).map_or(0, |t| t.start);
        let end = to.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(start, |t| t.end);
        Span { start, end: end.max(start) }
    }

    fn chunk(&mut self, chunk: &Chunk) {
        use super::lexer::Tok;
        let (from, to) = (chunk.tokens.start, chunk.tokens.end);
        let single = to - from == 1;
        if single && matches!(self.tokens[from].kind, Tok::P(b';') | Tok::Directive) {
            return;
        }
        // `extern "C" {` and its closing brace.
        let linkage = to - from == 3 && self.tokens[from + 1].kind == Tok::Str;
        if linkage {
            return;
        }
        // `DECLARE(x)` of a macro whose definition is missing.
        let call = to - from > 2
            && self.tokens[from].kind == Tok::Ident
            && self.tokens[from + 1].kind == Tok::P(b'(');
        if call && self.tokens[to - 1].kind == Tok::P(b')') && chunk.function.is_none() {
            return;
        }
        if single && chunk.unbalanced {
            self.problem(self.token_span(from, to), "syntax error: a bracket that nothing opened");
            return;
        }
        if chunk.unbalanced || chunk.depth > MAX_NESTING {
            let message =
                if chunk.unbalanced { "syntax error: brackets do not match" } else { "nested too deeply" };
            self.lose(chunk, self.token_span(from, to), message);
            return;
        }
        let buffer = Rewriter::new(self.text, self.tokens, &FileNames(&self.scopes)).chunk(
            from,
            to,
            chunk.function.is_some(),
        );
        self.syntax.clear();
        let mut parsed = self.parse(&buffer);
        if let (Err(Broken::Syntax(span)), true) = (parsed, chunk.function.is_some()) {
            let names = FileNames(&self.scopes);
            let repaired = Rewriter::new(self.text, self.tokens, &names).repairing().chunk(from, to, true);
            let second = self.parse(&repaired);
            if second.is_ok() {
                parsed = second;
                let message = "macros that are not defined here are taken for statements".to_owned();
                self.problems.push(Problem { span, message, function: None });
            }
        }
        let root = match parsed {
            Ok(root) => root,
            Err(Broken::Syntax(span)) => {
                self.lose(chunk, span, "syntax error");
                return;
            }
            Err(Broken::TooLong) => {
                self.lose(chunk, self.token_span(from, to), "took too long to parse");
                return;
            }
        };
        let items: Vec<NodeId> = self.syntax.children(root).collect();
        for item in items {
            self.top_level(item);
        }
    }

    /// Parses a rewritten piece, adding its marks to ours.
    pub(super) fn parse(&mut self, buffer: &Buffer) -> Result<NodeId, Broken> {
        self.marks.clone_from(&buffer.marks);
        self.syntax.add(&mut self.parser, buffer)
    }

    /// Records a piece that could not be parsed; a function keeps its name and span.
    fn lose(&mut self, chunk: &Chunk, at: Span, message: &str) {
        let text = self.text;
        let word = |i: usize| {
            let token = self.tokens[i];
            &text[token.start as usize..token.end as usize]
        };
        let Some(index) = chunk.function else {
            self.problems.push(Problem { span: at, message: message.to_owned(), function: None });
            return;
        };
        let lost = self.token_span(chunk.tokens.start, chunk.tokens.end);
        self.assumptions.retain(|assumption| !assumption.stands_in(lost));
        let token = self.tokens[index];
        let source_name: &'t str = word(index);
        let is_static = (chunk.tokens.start..index).any(|i| word(i) == "static");
        let span = self.token_span(chunk.tokens.start, chunk.tokens.end);
        let name = self.name(source_name);
        self.problems.push(Problem {
            span: at,
            message: message.to_owned(),
            function: Some(Arc::clone(&name)),
        });
        let ty = match self.scopes.symbol(source_name) {
            Some(Symbol::Function(ty)) => ty,
            _ => {
                let function = FunctionType { result: self.basic.unknown, params: None, variadic: false };
                self.types.intern(Type::Function(function))
            }
        };
        self.scopes.declare(source_name, Symbol::Function(ty));
        self.add_function(Function {
            name,
            ty,
            is_static,
            no_return: false,
            startup: Startup::default(),
            params: 0,
            locals: Vec::new(),
            body: None,
            threaded: Vec::new(),
            constructs: Vec::new(),
            span,
            name_span: Span { start: token.start, end: token.end },
        });
    }

    pub(super) fn add_function(&mut self, function: Function) {
        let id = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        // The first definition wins; a second one is an error of the program.
        self.by_name.entry(Arc::clone(&function.name)).or_insert(id);
        self.functions.push(function);
    }

    fn top_level(&mut self, node: NodeId) {
        match self.syntax.kind(node) {
            Kind::FunctionDefinition => self.function_definition(node),
            Kind::Declaration => self.file_declaration(node),
            Kind::TypeDefinition => self.type_definition(node),
            Kind::StructSpecifier | Kind::UnionSpecifier | Kind::EnumSpecifier => {
                self.type_specifier(node);
            }
            Kind::LinkageSpecification => {
                if let Some(body) = self.syntax.field(node, FieldName::Body) {
                    if self.syntax.kind(body) == Kind::DeclarationList {
                        for item in self.syntax.children(body).collect::<Vec<_>>() {
                            self.top_level(item);
                        }
                    } else {
                        self.top_level(body);
                    }
                }
            }
            // An unknown macro `FOO(x)`, a stray `;`, `asm`: no meaning at file scope.
            Kind::ExpressionStatement => {
                if let Some(inner) = self.syntax.first(node)
                    && !self.is_harmless_at_file_scope(inner)
                {
                    self.problem(self.syntax.span(node), "a statement outside of any function");
                }
            }
            Kind::PrimitiveType | Kind::SizedType | Kind::TypeIdentifier | Kind::MacroType => {}
            _ => self.problem(self.syntax.span(node), "a statement outside of any function"),
        }
    }

    fn is_harmless_at_file_scope(&self, node: NodeId) -> bool {
        matches!(self.syntax.kind(node), Kind::Call | Kind::Identifier | Kind::Asm | Kind::Str)
    }

    /// Whether a function runs by itself, as the attributes within a span and in earlier declarations of it say.
    pub(super) fn startup(&mut self, name: &'t str, start: u32, end: u32) -> Startup {
        let within = self.marks.iter().filter(|m| m.at >= start && m.at < end);
        let mut startup = self.startups.get(name).copied().unwrap_or_default();
        for mark in within {
            match mark.attribute {
                Attribute::Constructor(order) => startup.before_main = Some(order),
                Attribute::Destructor => startup.after_main = true,
                _ => {}
            }
        }
        if startup != Startup::default() {
            self.startups.insert(name, startup);
        }
        startup
    }

    /// Whether an attribute stands within a span.
    pub(super) fn has_attribute(&self, attribute: Attribute, start: u32, end: u32) -> bool {
        self.marks.iter().any(|m| m.attribute == attribute && m.at >= start && m.at < end)
    }
}
