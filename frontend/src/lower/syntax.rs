//! tree-sitter's tree as a flat arena with original positions, built in one walk.
//!
//! Nodes are small and `Copy`, so the lowering holds no borrow of the tree; kinds and fields are enums, so it compares
//! no strings. Brackets, commas and semicolons are left out.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use tree_sitter::{Language, ParseOptions, Parser, Tree};

use super::rewrite::{Buffer, Special};
use crate::ir::Span;

/// Index of a node in a [`Syntax`]; 0 is "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// No node.
    pub(super) const NONE: Self = Self(0);
}

macro_rules! kinds {
    ($($variant:ident: $($text:literal)|+;)*) => {
        /// Node kinds of tree-sitter-c that mean something to the lowering.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind {
            $(#[doc = concat!($("`", $text, "` ",)+)] $variant,)*
            /// Left out of the arena.
            Punctuation,
            /// Anything else.
            Other,
        }

        fn kind_of(name: &str) -> Kind {
            match name {
                $($($text)|+ => Kind::$variant,)*
                "(" | ")" | "[" | "]" | "{" | "}" | ";" | "," | "comment" | "\"" | "'" | "L\"" | "u\"" | "U\"" | "u8\""
                | "L'" | "u'" | "U'" | "u8'" | "string_content" | "escape_sequence" | "character" => Kind::Punctuation,
                _ => Kind::Other,
            }
        }
    };
}

kinds! {
    FunctionDefinition: "function_definition";
    Declaration: "declaration";
    TypeDefinition: "type_definition";
    StorageClass: "storage_class_specifier";
    TypeQualifier: "type_qualifier";
    PointerDeclarator: "pointer_declarator" | "abstract_pointer_declarator";
    FunctionDeclarator: "function_declarator" | "abstract_function_declarator";
    ArrayDeclarator: "array_declarator" | "abstract_array_declarator";
    ParenthesizedDeclarator: "parenthesized_declarator" | "abstract_parenthesized_declarator";
    AttributedDeclarator: "attributed_declarator";
    InitDeclarator: "init_declarator";
    Compound: "compound_statement";
    SizedType: "sized_type_specifier";
    PrimitiveType: "primitive_type";
    TypeIdentifier: "type_identifier";
    MacroType: "macro_type_specifier";
    StructSpecifier: "struct_specifier";
    UnionSpecifier: "union_specifier";
    EnumSpecifier: "enum_specifier";
    EnumeratorList: "enumerator_list";
    Enumerator: "enumerator";
    FieldList: "field_declaration_list";
    FieldDeclaration: "field_declaration";
    Bitfield: "bitfield_clause";
    ParameterList: "parameter_list";
    ParameterDeclaration: "parameter_declaration";
    VariadicParameter: "variadic_parameter";
    TypeDescriptor: "type_descriptor";
    LinkageSpecification: "linkage_specification";
    DeclarationList: "declaration_list";
    Attributed: "attributed_statement";
    Labeled: "labeled_statement";
    ExpressionStatement: "expression_statement";
    If: "if_statement";
    ElseClause: "else_clause";
    Switch: "switch_statement";
    Case: "case_statement";
    DefaultWord: "default";
    While: "while_statement";
    Do: "do_statement";
    For: "for_statement";
    Return: "return_statement";
    Break: "break_statement";
    Continue: "continue_statement";
    Goto: "goto_statement";
    Comma: "comma_expression";
    Conditional: "conditional_expression";
    Assignment: "assignment_expression";
    Pointer: "pointer_expression";
    Unary: "unary_expression";
    Binary: "binary_expression";
    Update: "update_expression";
    Cast: "cast_expression";
    Sizeof: "sizeof_expression";
    Alignof: "alignof_expression";
    Offsetof: "offsetof_expression";
    Generic: "generic_expression";
    Subscript: "subscript_expression";
    Call: "call_expression";
    ArgumentList: "argument_list";
    Field: "field_expression";
    CompoundLiteral: "compound_literal_expression";
    Parenthesized: "parenthesized_expression";
    InitializerList: "initializer_list";
    InitializerPair: "initializer_pair";
    SubscriptDesignator: "subscript_designator";
    SubscriptRangeDesignator: "subscript_range_designator";
    FieldDesignator: "field_designator";
    Identifier: "identifier";
    FieldIdentifier: "field_identifier";
    StatementIdentifier: "statement_identifier";
    Number: "number_literal";
    CharLiteral: "char_literal";
    Str: "string_literal";
    ConcatenatedString: "concatenated_string";
    True: "true";
    False: "false";
    Null: "null";
    Asm: "gnu_asm_expression";
    Extension: "extension_expression";
    Error: "ERROR";
    // Operators.
    Assign: "=";
    AddAssign: "+=";
    SubAssign: "-=";
    MulAssign: "*=";
    DivAssign: "/=";
    RemAssign: "%=";
    ShlAssign: "<<=";
    ShrAssign: ">>=";
    AndAssign: "&=";
    XorAssign: "^=";
    OrAssign: "|=";
    Plus: "+";
    Minus: "-";
    Star: "*";
    Slash: "/";
    Percent: "%";
    Shl: "<<";
    Shr: ">>";
    Ampersand: "&";
    Bar: "|";
    Caret: "^";
    Less: "<";
    LessEqual: "<=";
    Greater: ">";
    GreaterEqual: ">=";
    EqualEqual: "==";
    NotEqual: "!=";
    AndAnd: "&&";
    OrOr: "||";
    Bang: "!";
    Tilde: "~";
    Increment: "++";
    Decrement: "--";
    Dot: ".";
    Arrow: "->";
    Static: "static";
    Extern: "extern";
}

/// Fields of tree-sitter-c's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldName {
    None,
    Alternative,
    Argument,
    Arguments,
    Body,
    Condition,
    Consequence,
    Declarator,
    Designator,
    End,
    Field,
    Function,
    Index,
    Initializer,
    Label,
    Left,
    Member,
    Name,
    Operator,
    Parameters,
    Right,
    Size,
    Start,
    Type,
    Update,
    Value,
    Other,
}

fn field_of(name: &str) -> FieldName {
    match name {
        "alternative" => FieldName::Alternative,
        "argument" => FieldName::Argument,
        "arguments" => FieldName::Arguments,
        "body" => FieldName::Body,
        "condition" => FieldName::Condition,
        "consequence" => FieldName::Consequence,
        "declarator" => FieldName::Declarator,
        "designator" => FieldName::Designator,
        "end" => FieldName::End,
        "field" => FieldName::Field,
        "function" => FieldName::Function,
        "index" => FieldName::Index,
        "initializer" => FieldName::Initializer,
        "label" => FieldName::Label,
        "left" => FieldName::Left,
        "member" => FieldName::Member,
        "name" => FieldName::Name,
        "operator" => FieldName::Operator,
        "parameters" => FieldName::Parameters,
        "right" => FieldName::Right,
        "size" => FieldName::Size,
        "start" => FieldName::Start,
        "type" => FieldName::Type,
        "update" => FieldName::Update,
        "value" => FieldName::Value,
        _ => FieldName::Other,
    }
}

struct Tables {
    language: Language,
    kinds: Vec<Kind>,
    fields: Vec<FieldName>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let language: Language = tree_sitter_c::LANGUAGE.into();
    let kinds = (0..language.node_kind_count())
        .map(|id| {
            u16::try_from(id).ok().and_then(|id| language.node_kind_for_id(id)).map_or(Kind::Other, kind_of)
        })
        .collect();
    let fields = (0..=language.field_count())
        .map(|id| {
            u16::try_from(id)
                .ok()
                .and_then(|id| language.field_name_for_id(id))
                .map_or(FieldName::None, field_of)
        })
        .collect();
    Tables { language, kinds, fields }
});

/// A node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) field: FieldName,
    /// Evaluating it may change something: an assignment, a call, a step, assembly is inside.
    pub(super) effects: bool,
    pub(super) span: Span,
    pub(super) special: Option<Special>,
    child: NodeId,
    next: NodeId,
}

/// Why a piece has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// A syntax error at this place of the source.
    Syntax(Span),
    /// Parsing took too many steps.
    TooLong,
}

/// An arena of nodes; several pieces may be in it.
#[derive(Debug)]
pub(super) struct Syntax {
    nodes: Vec<Node>,
}

impl Default for Syntax {
    fn default() -> Self {
        let nothing = Node {
            kind: Kind::Other,
            field: FieldName::None,
            effects: false,
            span: Span::default(),
            special: None,
            child: NodeId::NONE,
            next: NodeId::NONE,
        };
        Self { nodes: vec![nothing] }
    }
}

/// How often tree-sitter asks whether to go on before we say no; it asks about every hundred steps.
const MAX_PROGRESS_CALLS: u64 = 400_000;

/// A parser for the rewritten dialect.
pub(super) fn parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&TABLES.language).ok()?;
    Some(parser)
}

fn parse(parser: &mut Parser, text: &[u8]) -> Option<Tree> {
    let mut calls = 0_u64;
    // Linear in the text, so that a large table is no error.
    let limit = MAX_PROGRESS_CALLS + text.len() as u64;
    let mut progress = |_: &tree_sitter::ParseState| {
        calls += 1;
        if calls > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut |at, _| &text[at.min(text.len())..], None, Some(options));
    if tree.is_none() {
        parser.reset();
    }
    tree
}

impl Syntax {
    /// Forgets all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.truncate(1);
    }

    /// Parses a rewritten piece; the result is its root.
    pub(super) fn add(&mut self, parser: &mut Parser, buffer: &Buffer) -> Result<NodeId, Broken> {
        let tree = parse(parser, &buffer.text).ok_or(Broken::TooLong)?;
        if tree.root_node().has_error() {
            return Err(Broken::Syntax(first_error(&tree, buffer)));
        }
        Ok(self.convert(&tree, buffer))
    }

    fn convert(&mut self, tree: &Tree, buffer: &Buffer) -> NodeId {
        let tables = &*TABLES;
        let mut cursor = tree.walk();
        // Ancestors with the last child added to each.
        let mut open: Vec<(NodeId, NodeId)> = Vec::new();
        let root = NodeId(self.nodes.len() as u32);
        // Runs of edits are consulted by binary search only where there are any.
        let shift = if buffer.is_edited() { None } else { Some(buffer.original(0)) };
        let original = |at: usize| {
            let at = at as u32;
            shift.map_or_else(|| buffer.original(at), |s| s + at)
        };
        loop {
            let node = cursor.node();
            let kind = tables.kinds.get(node.kind_id() as usize).copied().unwrap_or(if node.is_error() {
                Kind::Error
            } else {
                Kind::Other
            });
            let mut descended = false;
            if kind != Kind::Punctuation {
                let field = cursor.field_id().map_or(FieldName::None, |id| {
                    tables.fields.get(id.get() as usize).copied().unwrap_or(FieldName::Other)
                });
                let range = node.byte_range();
                let id = NodeId(self.nodes.len() as u32);
                let leaf = node.child_count() == 0;
                let effects =
                    matches!(kind, Kind::Assignment | Kind::Update | Kind::Call | Kind::Asm | Kind::Compound);
                self.nodes.push(Node {
                    kind,
                    field,
                    effects,
                    span: Span { start: original(range.start), end: original(range.end) },
                    special: if leaf && shift.is_none() { buffer.special(range.start as u32) } else { None },
                    child: NodeId::NONE,
                    next: NodeId::NONE,
                });
                if let Some((parent, last)) = open.last_mut() {
                    if *last == NodeId::NONE {
                        self.nodes[parent.0 as usize].child = id;
                    } else {
                        self.nodes[last.0 as usize].next = id;
                    }
                    *last = id;
                }
                if !leaf && cursor.goto_first_child() {
                    open.push((id, NodeId::NONE));
                    descended = true;
                }
            }
            if descended {
                continue;
            }
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                let Some((done, _)) = open.pop() else { return root };
                // Effects flow up, except out of what `sizeof` does not evaluate and what only looks like a call.
                self.nodes[done.0 as usize].effects &= !self.is_number(done);
                let node = self.nodes[done.0 as usize];
                if node.effects
                    && node.kind != Kind::Sizeof
                    && let Some(&(parent, _)) = open.last()
                {
                    self.nodes[parent.0 as usize].effects = true;
                }
                if !cursor.goto_parent() || open.is_empty() {
                    return root;
                }
            }
        }
    }

    /// Whether a node is an `offsetof`, an `_Alignof` or `__builtin_types_compatible_p`, which the rewriting made calls: they evaluate
    /// nothing.
    fn is_number(&self, id: NodeId) -> bool {
        let node = self.nodes[id.0 as usize];
        node.kind == Kind::Call
            && node.child != NodeId::NONE
            && matches!(
                self.nodes[node.child.0 as usize].special,
                Some(Special::Alignof | Special::Offsetof | Special::TypesCompatible)
            )
    }

    /// The node behind an id.
    pub(super) fn get(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Kind of a node.
    pub(super) fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.0 as usize].kind
    }

    /// Span of a node.
    pub(super) fn span(&self, id: NodeId) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// First child, if any.
    pub(super) fn first(&self, id: NodeId) -> Option<NodeId> {
        let child = self.nodes[id.0 as usize].child;
        (child != NodeId::NONE).then_some(child)
    }

    /// The node after this one under the same parent.
    pub(super) fn next(&self, id: NodeId) -> Option<NodeId> {
        let next = self.nodes[id.0 as usize].next;
        (next != NodeId::NONE).then_some(next)
    }

    /// All children.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first(id), |&n| self.next(n))
    }

    /// The first child with this field.
    pub(super) fn field(&self, id: NodeId, field: FieldName) -> Option<NodeId> {
        self.children(id).find(|&n| self.get(n).field == field)
    }

    /// The first child of this kind.
    pub(super) fn child(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(id).find(|&n| self.kind(n) == kind)
    }
}

/// The first place where the tree has an error or lacks a token, in the source.
fn first_error(tree: &Tree, buffer: &Buffer) -> Span {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            let range = node.byte_range();
            let (start, end) = (buffer.original(range.start as u32), buffer.original(range.end as u32));
            return Span { start, end: end.max(start) };
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        loop {
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                let start = buffer.original(0);
                return Span { start, end: start };
            }
        }
    }
}
