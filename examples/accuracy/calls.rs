//! The MPI calls in the text of a program, with what has to be known to change them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use frontend::mpi::{Direction, Function, Role, lookup};
use tree_sitter::{Node, Parser};

/// What marks in front of what is said of an executed line.
pub(crate) const EXECUTED: &str = "accuracy: executed ";

/// The function of the marks, which includes no header, as these may depend on macros that the program defines.
const MARK: &str = "int dprintf(int, const char *, ...); \
     static void accuracy_mark(int line) { \
     static char seen[1 << 16]; \
     if (!seen[line]) { seen[line] = 1; dprintf(2, \"accuracy: executed %d\\n\", line); } }\n";

/// A call of an MPI function.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) mpi: &'static Function,
    pub(crate) args: Vec<Range<usize>>,
    /// The name.
    pub(crate) name: Range<usize>,
    /// The statement that it is, if it is one by itself.
    pub(crate) statement: Option<Range<usize>>,
    /// The next statement of the same block, if that is a call too: its index among the calls.
    pub(crate) next: Option<usize>,
    /// The function definition that it stands in.
    pub(crate) function: Range<usize>,
    /// The conditions of the branches and loops around it.
    pub(crate) conditions: Vec<Range<usize>>,
    /// 1-based.
    pub(crate) line: u32,
    /// Where it ends.
    pub(crate) last_line: u32,
}

/// An array of constant length.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    /// Where its length is written.
    pub(crate) length: Range<usize>,
    pub(crate) elements: u64,
}

/// A program as a mutation sees it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) text: String,
    pub(crate) calls: Vec<Call>,
    pub(crate) arrays: Vec<Array>,
    /// The lines of calls that a real run executes, where there has been one.
    pub(crate) executed: Option<BTreeSet<u32>>,
}

impl Source {
    /// `None` for what is no C to tree-sitter.
    pub(crate) fn new(text: String) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        let tree = parser.parse(&text, None)?;
        let mut source = Self { text, calls: Vec::new(), arrays: Vec::new(), executed: None };
        let mut statements = Vec::new();
        source.walk(tree.root_node(), None, &mut statements);
        for (call, next) in statements {
            let next = next.and_then(|next: usize| {
                source.calls.iter().position(|call| call.statement.as_ref().is_some_and(|s| s.start == next))
            });
            source.calls[call].next = next;
        }
        (!source.calls.is_empty()).then_some(source)
    }

    fn walk(
        &mut self,
        node: Node<'_>,
        function: Option<Range<usize>>,
        statements: &mut Vec<(usize, Option<usize>)>,
    ) {
        let function = match node.kind() {
            "function_definition" => Some(node.byte_range()),
            // What a macro stands for is another matter.
            "preproc_def" | "preproc_function_def" => return,
            _ => function,
        };
        if node.kind() == "call_expression"
            && let Some(function) = &function
            && let Some(call) = self.call(node, function)
        {
            let next = call.statement.as_ref().and_then(|_| node.parent()?.next_named_sibling());
            statements.push((self.calls.len(), next.map(|next| next.start_byte())));
            self.calls.push(call);
        }
        if node.kind() == "array_declarator" {
            self.arrays.extend(self.array(node));
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.walk(child, function.clone(), statements);
        }
    }

    fn call(&self, node: Node<'_>, function: &Range<usize>) -> Option<Call> {
        let name = node.child_by_field_name("function")?.byte_range();
        let mpi = lookup(self.text.get(name.clone())?)?;
        let list = node.child_by_field_name("arguments")?;
        let mut cursor = list.walk();
        let args: Vec<_> = list
            .named_children(&mut cursor)
            .filter(|child| child.kind() != "comment")
            .map(|child| child.byte_range())
            .collect();
        let statement = node.parent().filter(|parent| parent.kind() == "expression_statement");
        (args.len() == mpi.params.len()).then(|| Call {
            mpi,
            args,
            name,
            statement: statement.map(|statement| statement.byte_range()),
            next: None,
            function: function.clone(),
            conditions: std::iter::successors(node.parent(), Node::parent)
                .filter_map(|around| around.child_by_field_name("condition"))
                .map(|condition| condition.byte_range())
                .collect(),
            line: u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX),
            last_line: u32::try_from(node.end_position().row + 1).unwrap_or(u32::MAX),
        })
    }

    fn array(&self, node: Node<'_>) -> Option<Array> {
        let name = node.child_by_field_name("declarator").filter(|name| name.kind() == "identifier")?;
        let length = node.child_by_field_name("size").filter(|size| size.kind() == "number_literal")?;
        let elements = self.text[length.byte_range()].parse().ok()?;
        Some(Array { name: self.text[name.byte_range()].to_owned(), length: length.byte_range(), elements })
    }

    /// The text of an argument.
    pub(crate) fn arg(&self, call: &Call, index: usize) -> &str {
        &self.text[call.args[index].clone()]
    }

    /// The text of the first argument with a role.
    pub(crate) fn arg_of(&self, call: &Call, role: Role) -> Option<&str> {
        Some(self.arg(call, call.mpi.param_with_role(role)?))
    }

    /// The expression that is the rank in `MPI_COMM_WORLD` where a call stands.
    pub(crate) fn rank_before(&self, call: &Call) -> Option<&str> {
        let asks = self.calls.iter().find(|other| {
            other.mpi.name == "MPI_Comm_rank"
                && other.function == call.function
                && other.name.start < call.name.start
                && self.arg_of(other, Role::Communicator) == Some("MPI_COMM_WORLD")
        })?;
        let index = asks.mpi.params.iter().position(|param| param.direction == Direction::Out)?;
        let variable = self.arg(asks, index).strip_prefix('&')?;
        // Only where it is not changed afterwards, by its name's looks.
        let body = &self.text[asks.name.end..call.name.start];
        (!body.contains(&format!("{variable} = ")) && !body.contains(&format!("&{variable},"))
            || body.matches(&format!("&{variable}")).count() == 1)
            .then_some(variable)
    }

    /// Whether a call is ever executed: a real run tells.
    pub(crate) fn is_executed(&self, call: &Call) -> bool {
        self.executed.as_ref().is_none_or(|lines| lines.contains(&call.line))
    }

    /// The calls of a function, in the order of the text, with this variable (or an element or member of it) as their request.
    pub(crate) fn with_request(&self, function: &Range<usize>, variable: &str) -> Vec<&Call> {
        let is_it = |call: &&Call| {
            call.function == *function
                && self.arg_of(call, Role::Request).is_some_and(|given| variable_of(given) == variable)
        };
        self.calls.iter().filter(is_it).collect()
    }

    /// The program with a mark before each call, which tells its line when it is executed for the first time.
    pub(crate) fn marked(&self) -> String {
        let mut text = MARK.to_owned();
        let mut at = 0;
        for call in &self.calls {
            text.push_str(&self.text[at..call.name.start]);
            let _ = write!(text, "(accuracy_mark({}), {})", call.line, &self.text[call.name.clone()]);
            at = call.name.end;
        }
        text.push_str(&self.text[at..]);
        text
    }

    /// Whether a word stands in a condition of a branch or loop around a call.
    pub(crate) fn is_conditional_on(&self, call: &Call, word: &str) -> bool {
        call.conditions.iter().any(|condition| {
            self.text[condition.clone()].split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word)
        })
    }
}

/// The variable that an argument is, or points into.
pub(crate) fn variable_of(argument: &str) -> &str {
    argument.trim_start_matches(['&', '*', '(']).split(['[', '.', '-', ' ', '+', ')']).next().unwrap_or("")
}
