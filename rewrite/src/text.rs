//! The text of one file: places, statements, and how its lines are made.

use std::ops::Range;

use analyzer::results::{Edit, SourceRange};
use tree_sitter::{Node, Parser, Tree};

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    length: usize,
}

impl Lines {
    pub(crate) fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(breaks).collect(), length: text.len() }
    }

    /// The byte at a line and column, both from 1.
    pub(crate) fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let line = usize::try_from(line.checked_sub(1)?).ok()?;
        let column = usize::try_from(column.checked_sub(1)?).ok()?;
        let at = self.starts.get(line)?.checked_add(column)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(self.length + 1);
        (at < end).then_some(at)
    }

    pub(crate) fn bytes(&self, range: &SourceRange) -> Option<Range<usize>> {
        let start = self.offset(range.line, range.column)?;
        let end = self.offset(range.end_line, range.end_column)?;
        (start <= end).then_some(start..end)
    }

    /// Line and column of a byte, both from 1.
    pub(crate) fn place(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (number(line), number(offset - start + 1))
    }
}

/// The text of one file as its user wrote it, parsed without looking at what is included.
#[derive(Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    lines: Lines,
    tree: Tree,
    newline: &'static str,
}

impl SourceFile {
    /// A file with its name in findings; `None` where the parser refuses the text.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Option<Self> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        let tree = parser.parse(text, None)?;
        let newline = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        Some(Self { name: name.to_owned(), text: text.to_owned(), lines: Lines::new(text), tree, newline })
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where a node is.
    pub(crate) fn range(&self, node: Node<'_>) -> SourceRange {
        self.replace(node.byte_range(), String::new()).range
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub(crate) fn of(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }

    /// The smallest node around a range of a finding in this file.
    pub(crate) fn node_at(&self, range: &SourceRange) -> Option<Node<'_>> {
        if range.file != self.name {
            return None;
        }
        let bytes = self.lines.bytes(range)?;
        self.tree.root_node().descendant_for_byte_range(bytes.start, bytes.end)
    }

    /// Replaces bytes of the text.
    pub(crate) fn replace(&self, bytes: Range<usize>, text: String) -> Edit {
        let (line, column) = self.lines.place(bytes.start);
        let (end_line, end_column) = self.lines.place(bytes.end);
        Edit { range: SourceRange { file: self.name.clone(), line, column, end_line, end_column }, text }
    }

    /// A text with the line ends of the file.
    pub(crate) fn with_line_ends(&self, text: &str) -> String {
        text.replace('\n', self.newline)
    }

    /// A statement of its own before another, in the same block.
    pub(crate) fn before(&self, next: Node<'_>, statement: &str) -> Edit {
        let start = next.start_byte();
        match self.indentation(start) {
            Some(indent) => self.replace(
                start - indent.len()..start - indent.len(),
                format!("{indent}{statement}{}", self.newline),
            ),
            None => self.replace(start..start, format!("{statement} ")),
        }
    }

    /// A statement of its own after another, in the same block.
    pub(crate) fn after(&self, previous: Node<'_>, statement: &str) -> Edit {
        let (start, end) = (previous.start_byte(), previous.end_byte());
        match self.indentation(start) {
            Some(indent) => self.replace(end..end, format!("{}{indent}{statement}", self.newline)),
            None => self.replace(end..end, format!(" {statement}")),
        }
    }

    /// A statement of its own after another, in the same block, below the remark that ends its line.
    pub(crate) fn below(&self, previous: Node<'_>, statement: &str) -> Edit {
        let rest = self.text[previous.end_byte()..].split('\n').next().unwrap_or_default().trim_end();
        match self.indentation(previous.start_byte()) {
            Some(indent) if is_remark(rest.trim_start()) => {
                let end = previous.end_byte() + rest.len();
                self.replace(end..end, format!("{}{indent}{statement}", self.newline))
            }
            _ => self.after(previous, statement),
        }
    }

    /// Statements as a text that stands where another statement does, each in a line of its own.
    pub(crate) fn joined(&self, place: Node<'_>, statements: &[String]) -> String {
        let line = match self.indentation(place.start_byte()) {
            Some(indent) => format!("{}{indent}", self.newline),
            None => " ".to_owned(),
        };
        statements.join(&line)
    }

    /// Takes a statement away, with its line where it has one for itself.
    pub(crate) fn remove(&self, statement: Node<'_>) -> Edit {
        let bytes = statement.byte_range();
        let rest = &self.text[bytes.end..];
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        match self.indentation(bytes.start) {
            Some(indent) if rest[..line_end].trim().is_empty() => {
                // A block does not begin with an empty line that was behind its first declaration.
                let begins = self.text[..bytes.start].trim_end().ends_with('{');
                let empty = rest[line_end..]
                    .find('\n')
                    .filter(|&at| begins && rest[line_end..][..at].trim().is_empty());
                let end = bytes.end + line_end + empty.map_or(0, |at| at + 1);
                self.replace(bytes.start - indent.len()..end, String::new())
            }
            _ => self.replace(bytes, String::new()),
        }
    }

    /// Takes a statement away as [`Self::remove`] does, with the remark at the end of its line.
    pub(crate) fn remove_with_remark(&self, statement: Node<'_>) -> Edit {
        let rest = &self.text[statement.end_byte()..];
        let line = rest.split('\n').next().unwrap_or_default();
        let is_remark = is_remark(line.trim());
        let end = statement.end_byte() + line.len() + usize::from(line.len() < rest.len());
        match self.indentation(statement.start_byte()) {
            Some(indent) if is_remark => {
                self.replace(statement.start_byte() - indent.len()..end, String::new())
            }
            _ => self.remove(statement),
        }
    }

    /// The white space before a place that is the first thing in its line.
    fn indentation(&self, at: usize) -> Option<&str> {
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        let indent = &self.text[line..at];
        indent.chars().all(|c| c == ' ' || c == '\t').then_some(indent)
    }
}

/// Whether a text is one remark.
fn is_remark(text: &str) -> bool {
    text.starts_with("//")
        || (text.starts_with("/*") && text.find("*/") == Some(text.len().saturating_sub(2)))
}

/// A call that is a statement of its own in a block, spelled as one of MPI.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'t> {
    pub(crate) mpi: &'static frontend::mpi::Function,
    pub(crate) node: Node<'t>,
    pub(crate) statement: Node<'t>,
}

impl<'t> Call<'t> {
    /// The call that a node is or is inside of.
    pub(crate) fn around(file: &SourceFile, node: Node<'t>) -> Option<Self> {
        let mut node = node;
        loop {
            if node.kind() == "call_expression"
                && let Some(call) = Self::of(file, node)
            {
                return Some(call);
            }
            if matches!(node.kind(), "compound_statement" | "function_definition") {
                return None;
            }
            node = node.parent()?;
        }
    }

    /// The call of MPI that a node is or is an argument of, wherever its statement stands in a function that the parser understands.
    pub(crate) fn around_loosely(file: &SourceFile, node: Node<'t>) -> Option<Self> {
        let mut node = node;
        loop {
            if node.kind() == "call_expression"
                && let Some(mpi) =
                    node.child_by_field_name("function").and_then(|f| frontend::mpi::lookup(file.of(f)))
            {
                let statement = statement_of(node)?;
                let understood = function_of(statement).is_some_and(|function| !function.has_error());
                return understood.then_some(Self { mpi, node, statement });
            }
            if node.kind().ends_with("_statement") {
                return None;
            }
            node = node.parent()?;
        }
    }

    /// The argument with a role, the first of several.
    pub(crate) fn argument(&self, role: frontend::mpi::Role) -> Option<Node<'t>> {
        let index = self.mpi.params.iter().position(|param| param.role == role)?;
        self.arguments()?.get(index).copied()
    }

    /// The argument with a role, the last of several: that of the receive where a call sends, too.
    pub(crate) fn last_argument(&self, role: frontend::mpi::Role) -> Option<Node<'t>> {
        let index = self.mpi.params.iter().rposition(|param| param.role == role)?;
        self.arguments()?.get(index).copied()
    }

    fn of(file: &SourceFile, node: Node<'t>) -> Option<Self> {
        let mpi = frontend::mpi::lookup(file.of(node.child_by_field_name("function")?))?;
        let statement = statement_of(node)?;
        is_plain(statement).then_some(Self { mpi, node, statement })
    }

    /// The call that a statement consists of.
    pub(crate) fn in_statement(file: &SourceFile, statement: Node<'t>) -> Option<Self> {
        if statement.kind() != "expression_statement" {
            return None;
        }
        let mut inner = statement.named_child(0)?;
        if inner.kind() == "assignment_expression" {
            inner = inner.child_by_field_name("right")?;
        }
        (inner.kind() == "call_expression").then(|| Self::of(file, inner)).flatten()
    }

    /// Whether the statement does nothing but the call.
    pub(crate) fn stands_alone(&self) -> bool {
        self.statement.kind() == "expression_statement" && self.statement.named_child(0) == Some(self.node)
    }

    /// The arguments as they are written; `None` for another number than the function has.
    pub(crate) fn arguments(&self) -> Option<Vec<Node<'t>>> {
        let list = self.node.child_by_field_name("arguments")?;
        let mut cursor = list.walk();
        let arguments: Vec<_> = list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
        (arguments.len() == self.mpi.params.len()).then_some(arguments)
    }
}

/// The statement that a node is part of.
pub(crate) fn statement_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while !node.kind().ends_with("_statement") && node.kind() != "declaration" {
        node = node.parent()?;
    }
    Some(node)
}

/// Whether a statement stands in a block, whatever the preprocessor decides, in a function that the parser understands.
pub(crate) fn is_plain(statement: Node<'_>) -> bool {
    let Some(function) = function_of(statement) else { return false };
    statement.parent().is_some_and(|parent| parent.kind() == "compound_statement") && !function.has_error()
}

/// The function definition around a node; `None` where the preprocessor may leave it out.
pub(crate) fn function_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() != "function_definition" {
        if node.kind().starts_with("preproc") {
            return None;
        }
        node = node.parent()?;
    }
    Some(node)
}

/// The statements of a block in order; `None` where the preprocessor decides about some.
pub(crate) fn statements(block: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut cursor = block.walk();
    let all: Vec<_> = block.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
    all.iter().all(|node| !node.kind().starts_with("preproc")).then_some(all)
}

/// All nodes below one, itself first.
pub(crate) fn descendants(root: Node<'_>) -> Vec<Node<'_>> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(&node) = all.get(next) {
        let mut cursor = node.walk();
        all.extend(node.named_children(&mut cursor));
        next += 1;
    }
    all
}
