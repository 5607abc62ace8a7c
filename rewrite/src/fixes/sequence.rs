//! The statements that only prepare what a call is given, and the variables that only they use.
//!
//! A statement is dead if it does nothing but change variables that nobody looks at. Which variables those are is the greatest set such
//! that each use of each of them is in the old arguments or in a dead statement.

use analyzer::results::Edit;
use frontend::mpi::{Class, Direction, lookup};
use tree_sitter::Node;

use crate::suggest::scope::{Scope, Shape, Variable};
use crate::suggest::unused::undeclare;
use crate::text::{Call, descendants, function_of, statement_of};

/// What goes away with the arguments of a call.
pub(super) struct Sequence<'t> {
    statements: Vec<Node<'t>>,
    variables: Vec<Variable<'t>>,
    /// Parameters that nothing names any more, and the statement before which that is said.
    unnamed: Vec<String>,
    call: Node<'t>,
}

impl<'t> Sequence<'t> {
    /// What only prepares the arguments `given` of a call that makes a datatype in `made`. `None` where the arguments do more than say a
    /// value, or where something would be left that compilers warn about.
    pub(super) fn before(
        scope: &Scope<'t>,
        call: &Call<'t>,
        given: &[Node<'t>],
        made: Node<'t>,
    ) -> Option<Self> {
        let mut search =
            Search { scope, call: *call, gone: given.to_vec(), slice: Vec::new(), near: Vec::new() };
        if !given.iter().all(|&argument| search.is_pure(argument)) {
            return None;
        }
        let mut statements = search.same_handle(made)?;
        search.gone.extend(&statements);
        let fixed = search.gone.len();
        let mut variables;
        loop {
            for region in search.gone.clone() {
                search.add_names(region, made);
            }
            search.gone.truncate(fixed);
            search.near = search.counters();
            variables = search.unneeded();
            let dead = search.dead(&variables);
            let before = search.slice.len();
            for statement in &dead {
                search.add_names(*statement, made);
            }
            search.gone.extend(&dead);
            search.gone.extend(variables.iter().map(|variable| variable.declarator));
            for variable in &variables {
                search.add_names(variable.declarator, made);
            }
            if search.slice.len() == before {
                statements.extend(dead);
                break;
            }
        }
        let mut unnamed = Vec::new();
        for variable in &search.slice {
            if variables.iter().any(|dead| dead.name == variable.name) {
                continue;
            }
            match search.rest(variable) {
                Rest::Fine => {}
                Rest::Unnamed => unnamed.push(scope.text(variable.name).to_owned()),
                Rest::Needless => return None,
            }
        }
        let inside = |variable: &Variable<'t>| statements.iter().any(|s| contains(*s, variable.name));
        variables.retain(|variable| !inside(variable));
        Some(Self { statements, variables, unnamed, call: call.statement })
    }

    /// The edits that take it away.
    pub(super) fn edits(&self, scope: &Scope<'t>) -> Vec<Edit> {
        let mut edits: Vec<Edit> =
            self.statements.iter().map(|&statement| scope.file.remove_with_remark(statement)).collect();
        edits.extend(undeclare(scope, &self.variables));
        edits.extend(self.empty_line(scope));
        if !self.unnamed.is_empty() {
            let named: Vec<String> = self.unnamed.iter().map(|name| format!("(void){name};")).collect();
            edits.push(scope.file.before(self.call, &scope.file.joined(self.call, &named)));
        }
        edits
    }
}

impl<'t> Sequence<'t> {
    /// Takes away the empty line that would be the first of the block. Where only one statement goes before it, that takes it along.
    fn empty_line(&self, scope: &Scope<'t>) -> Option<Edit> {
        let block = self.call.parent()?;
        let mut cursor = block.walk();
        let all: Vec<_> = block.named_children(&mut cursor).take_while(|node| self.takes(*node)).collect();
        let [_, .., last] = all[..] else { return None };
        let text = &scope.file.text()[last.end_byte()..];
        let mut lines = text.split_inclusive('\n');
        let (rest, empty) = (lines.next()?, lines.next()?);
        let start = last.end_byte() + rest.len();
        let is_empty = rest.trim().is_empty() && empty.trim().is_empty();
        is_empty.then(|| scope.file.replace(start..start + empty.len(), String::new()))
    }

    /// Whether a statement goes away, or a declaration with all that it declares.
    fn takes(&self, statement: Node<'t>) -> bool {
        let mut cursor = statement.walk();
        let mut declared = statement.children_by_field_name("declarator", &mut cursor).peekable();
        let is_gone = |node: Node<'t>| self.variables.iter().any(|variable| variable.declarator == node);
        self.statements.contains(&statement)
            || statement.kind() == "declaration" && declared.peek().is_some() && declared.all(is_gone)
    }
}

/// How a variable is left.
enum Rest {
    Fine,
    /// A parameter that is not used.
    Unnamed,
    /// Unused, or set and not used.
    Needless,
}

struct Search<'s, 't> {
    scope: &'s Scope<'t>,
    call: Call<'t>,
    /// What goes away.
    gone: Vec<Node<'t>>,
    /// The variables that are named in what goes away.
    slice: Vec<Variable<'t>>,
    /// Those that loops count with in which variables of the slice are set: they may go away with them.
    near: Vec<Variable<'t>>,
}

impl<'t> Search<'_, 't> {
    /// Calls that put another datatype into the same variable before, for the last call to take it from there, with its commit; and the
    /// commit behind the last call, which the new function does.
    fn same_handle(&self, made: Node<'t>) -> Option<Vec<Node<'t>>> {
        let name = self.scope.text(made).trim_start_matches(['&', '(', ' ']);
        let takes_it = descendants(self.call.node).into_iter().any(|node| {
            node.kind() == "identifier" && self.scope.text(node) == name && !contains(made, node)
        });
        let block = self.call.statement.parent().filter(|parent| parent.kind() == "compound_statement");
        let Some(block) = block else { return (!takes_it).then(Vec::new) };
        let mut cursor = block.walk();
        let all: Vec<_> = block.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
        let at = all.iter().position(|node| *node == self.call.statement)?;
        let handle = self.scope.text(made);
        let does = |statement: Node<'t>, wanted: fn(Class) -> bool| {
            let call = Call::in_statement(self.scope.file, statement).filter(|c| c.stands_alone())?;
            let last = call.arguments()?.pop()?;
            (wanted(call.mpi.class) && self.scope.text(last) == handle).then_some(())
        };
        let mut found = Vec::new();
        let is_commit = |class: Class| matches!(class, Class::TypeCommit);
        if let Some(&next) = all.get(at + 1)
            && does(next, is_commit).is_some()
        {
            found.push(next);
        }
        if takes_it {
            let mut commits = Vec::new();
            let mut is_found = false;
            for &statement in all[..at].iter().rev() {
                if does(statement, |class| matches!(class, Class::TypeConstructor(_))).is_some() {
                    found.push(statement);
                    found.append(&mut commits);
                    is_found = true;
                    break;
                }
                if does(statement, is_commit).is_some() {
                    commits.push(statement);
                } else if self.mentions(statement, name) {
                    return None;
                }
            }
            is_found.then_some(())?;
        }
        Some(found)
    }

    fn mentions(&self, node: Node<'t>, name: &str) -> bool {
        descendants(node).into_iter().any(|node| node.kind() == "identifier" && self.scope.text(node) == name)
    }

    /// Takes in the variables that a part of the text names, but the one for the new datatype.
    fn add_names(&mut self, region: Node<'t>, made: Node<'t>) {
        let kept: Vec<_> = descendants(made)
            .into_iter()
            .filter(|node| node.kind() == "identifier")
            .filter_map(|node| self.scope.variable(node, self.scope.text(node)))
            .map(|variable| variable.name)
            .collect();
        for node in descendants(region).into_iter().filter(|node| node.kind() == "identifier") {
            let Some(variable) = self.scope.variable(node, self.scope.text(node)) else { continue };
            let is_known = self.slice.iter().any(|known| known.name == variable.name);
            if !is_known && !kept.contains(&variable.name) {
                self.slice.push(variable);
            }
        }
    }

    /// What loops around uses of the slice's variables set besides them.
    fn counters(&self) -> Vec<Variable<'t>> {
        let mut found: Vec<Variable<'t>> = Vec::new();
        for node in self.slice.iter().filter_map(|variable| self.uses(variable)).flatten() {
            let mut around = node.parent();
            while let Some(statement) = around.filter(|around| around.kind() != "function_definition") {
                if statement.kind() == "for_statement" {
                    for variable in self.changed(statement).unwrap_or_default() {
                        let mut known = self.slice.iter().chain(&found);
                        if !known.any(|known| known.name == variable.name) {
                            found.push(variable);
                        }
                    }
                }
                around = statement.parent();
            }
        }
        found
    }

    /// The variables of the slice that nobody needs, and of those near it.
    fn unneeded(&self) -> Vec<Variable<'t>> {
        let all = self.slice.iter().chain(&self.near);
        let mut left: Vec<Variable<'t>> = all.filter(|variable| self.may_go(variable)).cloned().collect();
        loop {
            let is_dead = |variable: &Variable<'t>| {
                let uses = self.uses(variable).unwrap_or_default();
                uses.into_iter().all(|node| {
                    self.is_gone(node)
                        || left.iter().any(|other| contains(other.declarator, node))
                        || self.dead_around(node, &left).is_some()
                })
            };
            let next: Vec<_> = left.iter().filter(|variable| is_dead(variable)).cloned().collect();
            if next.len() == left.len() {
                return next;
            }
            left = next;
        }
    }

    /// The statements that do nothing but change these variables.
    fn dead(&self, variables: &[Variable<'t>]) -> Vec<Node<'t>> {
        let mut all: Vec<Node<'t>> = Vec::new();
        for variable in variables {
            for node in self.uses(variable).unwrap_or_default() {
                if !self.is_gone(node)
                    && let Some(statement) = self.dead_around(node, variables)
                    && !all.contains(&statement)
                {
                    all.push(statement);
                }
            }
        }
        let outer = all.clone();
        all.retain(|node| !outer.iter().any(|other| other != node && contains(*other, *node)));
        all
    }

    /// The outermost statement around a use that does nothing but change variables of these.
    fn dead_around(&self, node: Node<'t>, variables: &[Variable<'t>]) -> Option<Node<'t>> {
        let mut found = None;
        let mut statement = statement_of(node);
        while let Some(inner) = statement.filter(|inner| inner.kind() != "declaration") {
            let parent = inner.parent()?;
            if parent.kind() == "function_definition" || contains(inner, self.call.node) {
                break;
            }
            let changed = self.changed(inner);
            let is_dead = |changed: Vec<Variable<'t>>| {
                changed.iter().all(|one| variables.iter().any(|dead| dead.name == one.name))
            };
            if changed.is_some_and(is_dead) {
                if parent.kind() == "compound_statement" {
                    found = Some(inner);
                }
            } else {
                break;
            }
            statement = statement_of(parent);
        }
        // A declaration in the head of a loop stands in a statement that may be dead.
        if found.is_none()
            && let Some(declaration) = statement.filter(|inner| inner.kind() == "declaration")
            && let Some(parent) = declaration.parent().filter(|parent| parent.kind() == "for_statement")
        {
            return self.dead_around(parent.child_by_field_name("body")?, variables);
        }
        found
    }

    /// All variables that a statement may change which it does not declare itself; `None` if it may do more.
    fn changed(&self, statement: Node<'t>) -> Option<Vec<Variable<'t>>> {
        let mut changed = Vec::new();
        self.add_changed(statement, &mut changed)?;
        changed.retain(|variable| !contains(statement, variable.name));
        Some(changed)
    }

    fn add_changed(&self, node: Node<'t>, changed: &mut Vec<Variable<'t>>) -> Option<()> {
        match node.kind() {
            "comment" => {}
            "compound_statement" => {
                let mut cursor = node.walk();
                for inner in node.named_children(&mut cursor) {
                    self.add_changed(inner, changed)?;
                }
            }
            "for_statement" => {
                for field in ["initializer", "update", "body"] {
                    if let Some(part) = node.child_by_field_name(field) {
                        self.add_changed(part, changed)?;
                    }
                }
                let condition = node.child_by_field_name("condition");
                condition.is_none_or(|condition| self.is_pure(condition)).then_some(())?;
            }
            "declaration" => {
                let mut cursor = node.walk();
                let mut values = node
                    .children_by_field_name("declarator", &mut cursor)
                    .filter_map(|declarator| declarator.child_by_field_name("value"));
                values.all(|value| self.is_pure(value)).then_some(())?;
            }
            "expression_statement" => self.add_changed(node.named_child(0)?, changed)?,
            "assignment_expression" => {
                let (left, right) = (node.child_by_field_name("left")?, node.child_by_field_name("right")?);
                changed.push(self.target(left)?);
                self.add_changed(right, changed)?;
            }
            "update_expression" => changed.push(self.target(node.child_by_field_name("argument")?)?),
            "call_expression" if !self.is_pure(node) => {
                let mpi = lookup(self.scope.text(node.child_by_field_name("function")?))?;
                let known = matches!(
                    mpi.class,
                    Class::Address(_) | Class::TypeConstructor(_) | Class::TypeCommit | Class::TypeDestructor
                );
                let list = node.child_by_field_name("arguments")?;
                let mut cursor = list.walk();
                let arguments: Vec<_> =
                    list.named_children(&mut cursor).filter(|n| n.kind() != "comment").collect();
                if !known || arguments.len() != mpi.params.len() {
                    return None;
                }
                for (param, argument) in mpi.params.iter().zip(arguments) {
                    self.is_pure(argument).then_some(())?;
                    if param.direction != Direction::In {
                        changed.push(self.pointed_to(argument)?);
                    }
                }
            }
            _ => self.is_pure(node).then_some(())?,
        }
        Some(())
    }

    /// The variable that an assignment changes, or an element of which.
    fn target(&self, place: Node<'t>) -> Option<Variable<'t>> {
        match place.kind() {
            "identifier" => self.scope.variable(place, self.scope.text(place)),
            "subscript_expression" => {
                let index = place.child_by_field_name("index")?;
                let variable = self.target(place.child_by_field_name("argument")?)?;
                (self.is_pure(index) && is_array(&variable)).then_some(variable)
            }
            "parenthesized_expression" => self.target(place.named_child(0)?),
            _ => None,
        }
    }

    /// The variable that a pointer points to, or into.
    fn pointed_to(&self, pointer: Node<'t>) -> Option<Variable<'t>> {
        match pointer.kind() {
            "pointer_expression" if self.scope.text(pointer).starts_with('&') => {
                self.target(pointer.child_by_field_name("argument")?)
            }
            "binary_expression" => self.pointed_to(pointer.child_by_field_name("left")?),
            "identifier" => self.target(pointer).filter(is_array),
            _ => None,
        }
    }

    /// Whether an expression only says a value; sums and differences of addresses do.
    fn is_pure(&self, node: Node<'t>) -> bool {
        if self.scope.is_pure(node) {
            return true;
        }
        if node.kind() == "call_expression" {
            let function = node.child_by_field_name("function").map(|f| self.scope.text(f));
            let mpi = function.and_then(lookup);
            return mpi.is_some_and(|mpi| {
                matches!(mpi.class, Class::Address(_))
                    && mpi.params.iter().all(|param| param.direction == Direction::In)
            }) && node.child_by_field_name("arguments").is_some_and(|list| self.is_pure(list));
        }
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor).peekable();
        let is_only_a_frame = matches!(
            node.kind(),
            "argument_list"
                | "binary_expression"
                | "parenthesized_expression"
                | "cast_expression"
                | "initializer_list"
                | "unary_expression"
        );
        is_only_a_frame && parts.peek().is_some() && parts.all(|part| self.is_pure(part))
    }

    /// Whether the text tells all that happens to a variable, and its initial value is a mere value.
    fn may_go(&self, variable: &Variable<'t>) -> bool {
        let value = variable.declarator.child_by_field_name("value");
        let is_own = function_of(variable.declaration).is_some() || self.is_of_the_file(variable);
        variable.declaration.kind() == "declaration"
            && is_own
            && !self.scope.is_in_macro(self.scope.text(variable.name))
            && value.is_none_or(|value| self.is_pure(value))
            && !self.scope.text(variable.declaration).contains("volatile")
    }

    fn is_of_the_file(&self, variable: &Variable<'t>) -> bool {
        self.scope.has_storage(variable.declaration, "static")
            && variable.declaration.parent().is_some_and(|parent| parent.kind() == "translation_unit")
    }

    /// Where a variable of the function or of the file is used.
    fn uses(&self, variable: &Variable<'t>) -> Option<Vec<Node<'t>>> {
        if !self.is_of_the_file(variable) {
            return self.scope.uses(variable);
        }
        let name = self.scope.text(variable.name);
        let all = descendants(self.scope.file.root()).into_iter();
        let named = all.filter(|node| node.kind() == "identifier" && self.scope.text(*node) == name);
        Some(named.filter(|node| *node != variable.name).collect())
    }

    fn is_gone(&self, node: Node<'t>) -> bool {
        self.gone.iter().any(|region| contains(*region, node))
    }

    /// What a compiler would say about a variable that stays.
    fn rest(&self, variable: &Variable<'t>) -> Rest {
        let Some(uses) = self.uses(variable) else { return Rest::Fine };
        let left: Vec<_> = uses.into_iter().filter(|node| !self.is_gone(*node)).collect();
        if self.scope.is_in_macro(self.scope.text(variable.name))
            || left.iter().any(|node| is_in_preproc(*node))
        {
            return Rest::Needless;
        }
        if left.is_empty() && variable.declaration.kind() == "parameter_declaration" {
            return Rest::Unnamed;
        }
        if left.iter().any(|node| !is_target(*node)) { Rest::Fine } else { Rest::Needless }
    }
}

fn is_array(variable: &Variable<'_>) -> bool {
    matches!(variable.shape, Shape::Array(_)) && variable.declaration.kind() == "declaration"
}

/// Whether a use only gives the variable, or an element of it, a value.
fn is_target(node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "subscript_expression" if parent.child_by_field_name("argument") == Some(node) => node = parent,
            "assignment_expression" => return parent.child_by_field_name("left") == Some(node),
            "update_expression" => {
                return parent.parent().is_some_and(|outer| outer.kind() == "expression_statement");
            }
            _ => return false,
        }
    }
    false
}

fn is_in_preproc(node: Node<'_>) -> bool {
    let mut node = node;
    while let Some(parent) = node.parent() {
        if parent.kind().starts_with("preproc") {
            return true;
        }
        node = parent;
    }
    false
}

fn contains(region: Node<'_>, node: Node<'_>) -> bool {
    region.start_byte() <= node.start_byte() && node.end_byte() <= region.end_byte()
}
