//! What names in a text mean: variables by their declarations, macros by their definitions in the same file.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use frontend::mpi::{self, Class, Direction, Role};
use tree_sitter::Node;

use crate::text::{Call, SourceFile, descendants, function_of};

/// What is declared in one place, by name, in the order of the text.
type Declared<'f> = HashMap<&'f str, Vec<Variable<'f>>>;

/// A file, with the macros that it defines.
pub(crate) struct Scope<'f> {
    pub(crate) file: &'f SourceFile,
    macros: BTreeMap<&'f str, Macro<'f>>,
    /// Answers of [`Self::variable`], by the node's identity and the name: the way up a tree is long.
    variables: RefCell<HashMap<(usize, String), Option<Variable<'f>>>>,
    /// What is declared in a block or the like, by the identity of its node and by name, in the order of the text: a block with
    /// thousands of declarations is not searched for each name.
    declared: RefCell<HashMap<usize, Rc<Declared<'f>>>>,
    /// Answers of [`Self::uses`], by the identity of the name in the declaration.
    uses: RefCell<HashMap<usize, Option<Vec<Node<'f>>>>>,
    /// Answers of [`Self::is_settled`], likewise.
    settled: RefCell<HashMap<usize, bool>>,
}

/// What a file says about a macro.
struct Macro<'f> {
    /// What the name may be replaced by, one for each definition.
    texts: Vec<&'f str>,
    /// Whether there is one definition, whatever else is defined.
    is_fixed: bool,
}

/// A variable or parameter.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'t> {
    /// The declaration, of a parameter too.
    pub(crate) declaration: Node<'t>,
    /// What the declaration says of this variable, with its initial value.
    pub(crate) declarator: Node<'t>,
    /// Its name in the declaration.
    pub(crate) name: Node<'t>,
    /// How it is made of what the declaration names.
    pub(crate) shape: Shape<'t>,
}

/// How a variable is made of the type that its declaration names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape<'t> {
    /// It has that type.
    Plain,
    /// An array, with its lengths; that of a parameter may be left out.
    Array(Vec<Option<Node<'t>>>),
    /// A pointer.
    Pointer,
    /// Anything else.
    Other,
}

/// Parts of an expression that change nothing and call nobody.
const PURE: [&str; 29] = [
    "identifier",
    "number_literal",
    "char_literal",
    "character",
    "escape_sequence",
    "null",
    "true",
    "false",
    "binary_expression",
    "unary_expression",
    "parenthesized_expression",
    "subscript_expression",
    "pointer_expression",
    "field_expression",
    "field_identifier",
    "cast_expression",
    "conditional_expression",
    "sizeof_expression",
    "initializer_list",
    "type_descriptor",
    "primitive_type",
    "sized_type_specifier",
    "type_identifier",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
    "offsetof_expression",
    "abstract_pointer_declarator",
    "comment",
];

impl Variable<'_> {
    /// How many indices lead to an element.
    pub(super) fn dimensions(&self) -> usize {
        match &self.shape {
            Shape::Array(lengths) => lengths.len(),
            Shape::Pointer => 1,
            Shape::Plain | Shape::Other => 0,
        }
    }
}

impl<'f> Scope<'f> {
    pub(crate) fn new(file: &'f SourceFile) -> Self {
        let of = |node: Node<'f>, field| node.child_by_field_name(field).map(|node| file.of(node).trim());
        let definitions = descendants(file.root())
            .into_iter()
            .filter(|node| matches!(node.kind(), "preproc_def" | "preproc_function_def"));
        let mut macros: BTreeMap<&'f str, Macro<'f>> = BTreeMap::new();
        for definition in definitions {
            let Some(name) = of(definition, "name") else { continue };
            let known = macros.entry(name).or_insert(Macro { texts: Vec::new(), is_fixed: true });
            known.texts.push(of(definition, "value").unwrap_or_default());
            // Behind `#if` another build may have another definition.
            let outermost = definition.parent().is_some_and(|parent| parent.kind() == "translation_unit");
            known.is_fixed &= outermost && known.texts.len() == 1;
        }
        let (variables, declared, uses) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { file, macros, variables, declared, uses, settled: RefCell::default() }
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'f str {
        self.file.of(node)
    }

    /// Whether the file defines a macro of this name.
    pub(crate) fn is_macro(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Whether a macro of the file may be replaced by something with a name in it.
    pub(crate) fn is_in_macro(&self, name: &str) -> bool {
        self.macros.values().flat_map(|known| &known.texts).any(|text| has_word(text, name))
    }

    /// The number that a macro of the file stands for in every build.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        let known = self.macros.get(name).filter(|known| known.is_fixed)?;
        let value = without_remark(known.texts.first()?).trim();
        let value = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value).trim();
        match value.strip_prefix('-') {
            Some(value) => decimal(value)?.checked_neg(),
            None => decimal(value),
        }
    }

    /// Whether a macro of the file stands for one number in every build, whole or not.
    pub(super) fn is_number(&self, name: &str) -> bool {
        let Some(known) = self.macros.get(name).filter(|known| known.is_fixed) else { return false };
        let value = known.texts.first().map_or("", |text| without_remark(text)).trim();
        let value = value.strip_prefix('(').and_then(|value| value.strip_suffix(')')).unwrap_or(value).trim();
        let value = value.trim_end_matches(['f', 'F', 'l', 'L']);
        self.number(name).is_some()
            || value.parse::<f64>().is_ok_and(f64::is_finite) && value.contains(|c: char| c.is_ascii_digit())
    }

    /// Whether anything but a call that builds a datatype uses a variable.
    pub(super) fn has_uses_outside_of_constructors(&self, variable: &Variable<'f>) -> Option<bool> {
        let builds = |node: Node<'f>| {
            node.parent().is_some_and(|parent| parent.kind() == "argument_list")
                && Call::around_loosely(self.file, node)
                    .is_some_and(|call| matches!(call.mpi.class, Class::TypeConstructor(_)))
        };
        Some(!self.uses(variable)?.into_iter().all(builds))
    }

    /// Whether an expression only computes a value, as far as the text tells: a name that comes from another file may be a macro that
    /// does anything.
    pub(crate) fn is_pure(&self, expression: Node<'f>) -> bool {
        descendants(expression)
            .into_iter()
            .all(|node| PURE.contains(&node.kind()) && (node.kind() != "identifier" || self.is_known(node)))
    }

    /// Whether an expression is memory that nothing else leads to, a call of `malloc` or `calloc` that computes only its size.
    pub(super) fn is_new_memory(&self, expression: Node<'f>) -> bool {
        let mut call = expression;
        while call.kind() == "cast_expression" || call.kind() == "parenthesized_expression" {
            let Some(inner) = call.child_by_field_name("value").or_else(|| call.named_child(0)) else {
                return false;
            };
            call = inner;
        }
        let [Some(function), Some(arguments)] =
            ["function", "arguments"].map(|field| call.child_by_field_name(field))
        else {
            return false;
        };
        let mut cursor = arguments.walk();
        ["malloc", "calloc"].contains(&self.text(function))
            && !self.is_macro(self.text(function))
            && arguments.named_children(&mut cursor).all(|argument| self.is_pure(argument))
    }

    /// A name that the file does not have yet.
    pub(crate) fn fresh(&self, name: &str) -> String {
        let text = self.file.text();
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut all = std::iter::once(name.to_owned()).chain(numbered);
        all.find(|candidate| !has_word(text, candidate)).expect("a text has no end of names")
    }

    fn is_known(&self, name: Node<'f>) -> bool {
        let text = self.text(name);
        let mut around = name.parent();
        while let Some(node) = around.filter(|node| node.kind() == "parenthesized_expression") {
            around = node.parent();
        }
        if around.is_some_and(|node| node.kind() == "sizeof_expression") {
            // A variable, or a type, which cannot be told apart: it is not evaluated.
            return true;
        }
        if let Some(known) = self.macros.get(text) {
            let is_number = |value: &str| {
                value.chars().any(|c| c.is_ascii_digit())
                    && value.chars().all(|c| c.is_ascii_digit() || " ()+-*/uUlL".contains(c))
            };
            return known.texts.iter().all(|value| is_number(without_remark(value)));
        }
        let is_plain = |variable: Variable<'f>| !self.text(variable.declaration).contains("volatile");
        mpi::constant(text).is_some() || self.variable(name, text).is_some_and(is_plain)
    }

    /// The variable that a name stands for at a place.
    pub(crate) fn variable(&self, at: Node<'f>, name: &str) -> Option<Variable<'f>> {
        if self.macros.contains_key(name) {
            return None;
        }
        let key = (at.id(), name.to_owned());
        if let Some(known) = self.variables.borrow().get(&key) {
            return known.clone();
        }
        let found = self.look_up(at, name);
        self.variables.borrow_mut().insert(key, found.clone());
        found
    }

    fn look_up(&self, at: Node<'f>, name: &str) -> Option<Variable<'f>> {
        // From the top: `Node::parent` goes there each time.
        let mut around = Vec::new();
        let mut node = self.file.root();
        while node != at {
            around.push(node);
            node = node.child_with_descendant(at)?;
        }
        for parent in around.into_iter().rev() {
            let is_function = parent.kind() == "function_definition";
            if is_function
                || matches!(parent.kind(), "compound_statement" | "translation_unit" | "for_statement")
            {
                let declared = self.declared_in(parent)?;
                // A parameter is there in the whole function.
                let is_there =
                    |one: &&Variable<'f>| is_function || one.declaration.start_byte() <= at.start_byte();
                if let Some(found) = declared.get(name).and_then(|all| all.iter().rev().find(is_there)) {
                    return Some(found.clone());
                }
            }
        }
        None
    }

    /// What the declarations of a block, a loop or a file declare, or the parameters of a function: of one declaration the first of a
    /// name.
    fn declared_in(&self, node: Node<'f>) -> Option<Rc<Declared<'f>>> {
        if let Some(known) = self.declared.borrow().get(&node.id()) {
            return Some(Rc::clone(known));
        }
        let declarations: Vec<Node<'f>> = if node.kind() == "function_definition" {
            let all = descendants(node.child_by_field_name("declarator")?).into_iter();
            all.filter(|node| node.kind() == "parameter_declaration").collect()
        } else {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).filter(|child| child.kind() == "declaration").collect()
        };
        let mut found: HashMap<&'f str, Vec<Variable<'f>>> = HashMap::new();
        for declaration in declarations {
            for variable in self.variables_of(declaration) {
                let all = found.entry(self.text(variable.name)).or_default();
                if all.last().is_none_or(|last| last.declaration != declaration) {
                    all.push(variable);
                }
            }
        }
        let found = Rc::new(found);
        self.declared.borrow_mut().insert(node.id(), Rc::clone(&found));
        Some(found)
    }

    /// The variables that a declaration makes.
    fn variables_of(&self, declaration: Node<'f>) -> Vec<Variable<'f>> {
        let mut cursor = declaration.walk();
        let all: Vec<_> = declaration.children_by_field_name("declarator", &mut cursor).collect();
        let variable = |declarator: Node<'f>| {
            let mut inner = declarator;
            let mut shape = Shape::Plain;
            loop {
                shape = match (inner.kind(), shape) {
                    ("identifier", shape) => {
                        return Some(Variable { declaration, declarator, name: inner, shape });
                    }
                    ("init_declarator" | "parenthesized_declarator", shape) => shape,
                    ("array_declarator", Shape::Plain) => {
                        Shape::Array(vec![inner.child_by_field_name("size")])
                    }
                    ("array_declarator", Shape::Array(mut lengths)) => {
                        lengths.insert(0, inner.child_by_field_name("size"));
                        Shape::Array(lengths)
                    }
                    ("pointer_declarator", Shape::Plain) => Shape::Pointer,
                    _ => Shape::Other,
                };
                inner = inner.child_by_field_name("declarator").or_else(|| inner.named_child(0))?;
            }
        };
        all.into_iter().filter_map(variable).collect()
    }

    /// What the declaration of a variable names, in single spaces.
    pub(super) fn type_of(&self, variable: &Variable<'f>) -> Option<String> {
        let named = variable.declaration.child_by_field_name("type")?;
        Some(self.text(named).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Whether the elements of a variable are those of a predefined datatype.
    pub(super) fn has_elements(&self, variable: &Variable<'f>, datatype: &str) -> bool {
        let predefined = mpi::constant(datatype).and_then(|constant| constant.datatype());
        match (predefined, self.type_of(variable)) {
            (Some(predefined), Some(named)) => predefined.c_types.contains(&canonical(&named)),
            _ => false,
        }
    }

    /// Whether a type as it is written is that of the elements of a datatype.
    pub(super) fn is_element(named: &str, datatype: &str) -> bool {
        let predefined = mpi::constant(datatype).and_then(|constant| constant.datatype());
        predefined.is_some_and(|predefined| predefined.c_types.contains(&canonical(named)))
    }

    /// Whether a declaration, or the definition of a function, names a storage class such as `static`.
    pub(crate) fn has_storage(&self, declaration: Node<'_>, class: &str) -> bool {
        let mut cursor = declaration.walk();
        let mut parts = declaration.children(&mut cursor);
        parts.any(|part| part.kind() == "storage_class_specifier" && self.text(part) == class)
    }

    /// Whether the names in an expression mean at another place what they mean here.
    pub(super) fn means_the_same(&self, expression: Node<'f>, place: Node<'f>) -> bool {
        let meaning = |at, name| self.variable(at, name).map(|variable| variable.name);
        let mut names = descendants(expression).into_iter().filter(|node| node.kind() == "identifier");
        names.all(|name| meaning(name, self.text(name)) == meaning(place, self.text(name)))
    }

    /// All uses of a variable in the function around it, but its declaration; `None` for one that other functions may see.
    pub(crate) fn uses(&self, variable: &Variable<'f>) -> Option<Vec<Node<'f>>> {
        let key = variable.name.id();
        if let Some(known) = self.uses.borrow().get(&key) {
            return known.clone();
        }
        let found = self.search(variable);
        self.uses.borrow_mut().insert(key, found.clone());
        found
    }

    fn search(&self, variable: &Variable<'f>) -> Option<Vec<Node<'f>>> {
        let function = function_of(variable.declaration)?;
        if self.has_storage(variable.declaration, "extern") {
            return None;
        }
        let name = self.text(variable.name);
        let uses = descendants(function).into_iter().filter(|node| {
            node.kind() == "identifier"
                && self.text(*node) == name
                && *node != variable.name
                && self.variable(*node, name).is_some_and(|found| found.name == variable.name)
        });
        Some(uses.collect())
    }

    /// All uses of a variable outside of functions, but its declaration; `None` for one that another file may see.
    pub(super) fn uses_in_file(&self, variable: &Variable<'f>) -> Option<Vec<Node<'f>>> {
        let is_own = self.has_storage(variable.declaration, "static")
            && variable.declaration.parent().is_some_and(|parent| parent.kind() == "translation_unit");
        let name = self.text(variable.name);
        let is_it = |node: &Node<'f>| {
            node.kind() == "identifier"
                && self.text(*node) == name
                && *node != variable.name
                && self.variable(*node, name).is_some_and(|found| found.name == variable.name)
        };
        is_own.then(|| descendants(self.file.root()).into_iter().filter(is_it).collect())
    }

    /// All calls of a function; `None` for one that another file may call, or that is called through a pointer.
    pub(super) fn calls_of(&self, function: Node<'f>) -> Option<Vec<Node<'f>>> {
        let mut name = function.child_by_field_name("declarator")?;
        while name.kind() != "identifier" {
            name = name.child_by_field_name("declarator")?;
        }
        let text = self.text(name);
        if !self.has_storage(function, "static") || self.is_macro(text) || self.is_in_macro(text) {
            return None;
        }
        let mut calls = Vec::new();
        for node in descendants(self.file.root()) {
            if node.kind() != "identifier" || self.text(node) != text || node == name {
                continue;
            }
            let parent = node.parent()?;
            match parent.kind() {
                "function_declarator" => {}
                "call_expression" if parent.child_by_field_name("function") == Some(node) => {
                    calls.push(parent);
                }
                _ => return None,
            }
        }
        Some(calls)
    }

    /// Whether a variable keeps the value that it is declared with, or that a question about a communicator has given it. Of arrays,
    /// of structures and of what a pointer points to, nothing of the kind is known.
    pub(super) fn is_settled(&self, variable: &Variable<'f>) -> bool {
        let key = variable.name.id();
        if let Some(&known) = self.settled.borrow().get(&key) {
            return known;
        }
        let is_settled = variable.shape == Shape::Plain
            && self.uses(variable).is_some_and(|uses| uses.into_iter().all(|node| self.only_reads(node)));
        self.settled.borrow_mut().insert(key, is_settled);
        is_settled
    }

    pub(super) fn only_reads(&self, name: Node<'f>) -> bool {
        let Some(parent) = name.parent() else { return false };
        match parent.kind() {
            "update_expression" | "field_expression" => false,
            "assignment_expression" => parent.child_by_field_name("left") != Some(name),
            "pointer_expression" => {
                !self.text(parent).starts_with('&')
                    || self.is_lent_to_read(parent)
                    || parent.parent().and_then(|list| list.parent()).is_some_and(|call| {
                        let function = call.child_by_field_name("function");
                        function.is_some_and(|f| matches!(self.text(f), "MPI_Comm_rank" | "MPI_Comm_size"))
                    })
            }
            _ => true,
        }
    }

    /// Whether an expression is the address that a call of MPI only reads from.
    pub(super) fn is_lent_to_read(&self, address: Node<'f>) -> bool {
        Call::around_loosely(self.file, address).is_some_and(|call| {
            let place = call.arguments().and_then(|all| all.iter().position(|node| *node == address));
            place.is_some_and(|place| call.mpi.params[place].direction == Direction::In)
        })
    }

    /// Whether a call leaves nothing in its status that the program looks at.
    pub(super) fn ignores_status(&self, call: &Call<'f>) -> bool {
        let Some(status) = call.argument(Role::Status) else { return true };
        if self.text(status) == "MPI_STATUS_IGNORE" {
            return true;
        }
        let mut cursor = status.walk();
        let name = match status.kind() {
            "identifier" => Some(status),
            "pointer_expression" => status.named_children(&mut cursor).next(),
            _ => None,
        };
        let Some(name) = name.filter(|name| name.kind() == "identifier") else { return false };
        let Some(variable) = self.variable(name, self.text(name)) else { return false };
        if !super::aliases::is_object(&variable) {
            return false;
        }
        self.uses(&variable).is_some_and(|uses| uses.into_iter().all(|node| self.is_status(node)))
    }

    /// Whether a name is the status of a call that fills it in.
    pub(super) fn is_status(&self, name: Node<'f>) -> bool {
        let Some(call) = Call::around_loosely(self.file, name) else { return false };
        let fills = call.mpi.params.iter().any(|p| p.role == Role::Status && p.direction == Direction::Out);
        call.argument(Role::Status).is_some_and(|status| {
            fills && status.byte_range().contains(&name.start_byte()) && status.kind() != "field_expression"
        })
    }
}

/// A type as the standard spells it.
fn canonical(named: &str) -> &str {
    match named {
        "unsigned" => "unsigned int",
        "signed" => "int",
        "long int" => "long",
        "long unsigned int" | "unsigned long int" => "unsigned long",
        "long long int" => "long long",
        "short int" => "short",
        _ => named,
    }
}

/// A definition without what is remarked behind it.
fn without_remark(text: &str) -> &str {
    text.split("/*").next().and_then(|text| text.split("//").next()).unwrap_or_default()
}

/// A number as it is written in C: `010` is eight, and nothing for us.
pub(super) fn decimal(text: &str) -> Option<i64> {
    let is_decimal = text == "0" || text.starts_with(|first: char| ('1'..='9').contains(&first));
    is_decimal.then(|| text.parse().ok()).flatten()
}

/// The names in some expressions.
pub(super) fn names<'t>(file: &'t SourceFile, expression: Node<'t>) -> Vec<&'t str> {
    let all = descendants(expression).into_iter().filter(|node| node.kind() == "identifier");
    all.map(|node| file.of(node)).collect()
}

/// Whether a name is a word of a text.
pub(crate) fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|word| word == name)
}
