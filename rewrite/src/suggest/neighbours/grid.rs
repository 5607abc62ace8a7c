//! Grids and graphs of processes, and who is whose neighbour in them, as far as the text tells.
//!
//! Which communicator an exchange goes through is told by the function around it, if that makes it. Otherwise the program has to make but
//! one that has neighbours, and that once: then it is that one, wherever it is kept.

use std::collections::BTreeMap;

use analyzer::results::{ProgramReport, SourceRange};
use frontend::mpi::{self, Class, CommConstructor, Direction, Query, Role};
use tree_sitter::Node;

use super::super::call_at;
use super::super::counted::Counted;
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use super::made::{Part, made_once};
use super::memory::settled;
use crate::text::{Call, function_of, is_plain, statement_of};

/// Most rounds of a loop that are looked at one by one.
const ROUNDS: i64 = 16;

/// Calls that a variable may have come through as a parameter.
const CALLS: usize = 4;

/// Values of the variables that loops count with.
pub(super) type Round<'t> = Vec<(&'t str, i64)>;

/// A communicator whose processes have neighbours.
#[derive(Clone)]
pub(super) struct Grid<'t> {
    /// The variable of the function that holds it; `None` for the only one that the program makes.
    communicator: Option<Variable<'t>>,
    /// The call that has made it.
    made: Call<'t>,
    /// Where that is.
    pub(super) range: SourceRange,
    kind: Kind<'t>,
}

/// How it is told who is whose neighbour.
#[derive(Clone)]
enum Kind<'t> {
    /// By `MPI_Cart_shift`.
    Cartesian {
        directions: usize,
        /// Whether the ends of all directions are known to be open: nobody is on both sides of a process.
        is_open: bool,
    },
    /// By the lists of `MPI_Dist_graph_create_adjacent`.
    Graph { sources: List<'t>, destinations: List<'t> },
}

/// Processes that are listed.
#[derive(Clone)]
struct List<'t> {
    /// The array.
    name: Option<Node<'t>>,
    elements: Vec<Node<'t>>,
}

/// Where an expression stands for its value.
#[derive(Clone, Copy)]
struct Standing<'a, 't> {
    round: &'a Round<'t>,
    at: Node<'t>,
    /// Calls that the value has come through.
    depth: usize,
}

/// A call of `MPI_Cart_shift` that says who a neighbour is.
#[derive(Clone, Copy)]
struct Shift<'t> {
    call: Call<'t>,
    /// Place of the argument.
    output: usize,
    /// Index of the element, where it is one.
    element: Option<Node<'t>>,
}

impl<'t> Grid<'t> {
    /// The communicator that an expression is on the way to a statement, if the function around it makes it.
    pub(super) fn of(scope: &Scope<'t>, communicator: Node<'t>, at: Node<'t>) -> Option<Self> {
        let (variable, made) = made_once(scope, communicator, |call, place| match call.mpi.class {
            Class::CommDestructor { .. } => Part::Keeps,
            Class::CommConstructor(how) if has_neighbours(how) => {
                if call.mpi.params[place].direction == Direction::Out { Part::Makes } else { Part::Keeps }
            }
            _ => Part::Changes,
        })?;
        comes_before(scope, &made, at).then(|| Self::made(scope, Some(variable), made))?
    }

    /// The one communicator with neighbours that a program makes, and that once.
    pub(super) fn only(report: &ProgramReport, scopes: &BTreeMap<&str, Scope<'t>>) -> Option<Self> {
        let mut all = report.topology.collectives.iter().filter(|collective| {
            let class = mpi::lookup(&collective.operation).map(|function| function.class);
            // A split leaves no neighbours.
            matches!(class, Some(Class::CommConstructor(how)) if how != CommConstructor::Split)
        });
        let (made, None) = (all.next()?, all.next()) else { return None };
        let ([site], "1") = (made.sites.as_slice(), made.repeat.as_str()) else { return None };
        let (scope, call) = call_at(scopes, site)?;
        matches!(call.mpi.class, Class::CommConstructor(how) if has_neighbours(how))
            .then(|| Self::made(scope, None, call))?
    }

    fn made(scope: &Scope<'t>, communicator: Option<Variable<'t>>, made: Call<'t>) -> Option<Self> {
        let kind = match made.mpi.class {
            Class::CommConstructor(CommConstructor::CartCreate) => {
                let directions = Sum::of(scope, made.argument(Role::DimensionCount)?)?.value(scope)?;
                let directions =
                    usize::try_from(directions).ok().filter(|number| (1..=8).contains(number))?;
                let periods =
                    made.argument(Role::Periods).and_then(|list| numbers(scope, list, made.statement));
                let is_open =
                    periods.is_some_and(|all| all.iter().take(directions).all(|period| *period == 0));
                Kind::Cartesian { directions, is_open }
            }
            _ => {
                let lists = [(Role::Degree, Role::Neighbors)].map(|(degree, list)| {
                    let [first, last] = [Call::argument, Call::last_argument]
                        .map(|argument| List::of(scope, argument(&made, list)?, argument(&made, degree)?));
                    first.zip(last)
                });
                let [Some((sources, destinations))] = lists else { return None };
                if sources.elements.len() != destinations.elements.len() {
                    return None;
                }
                Kind::Graph { sources, destinations }
            }
        };
        Some(Self { communicator, made, range: scope.file.range(made.node), kind })
    }

    /// Whether it is made by the same call.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.range == other.range
    }

    /// Whether it is known by being the only one.
    pub(super) fn is_only(&self) -> bool {
        self.communicator.is_none()
    }

    /// How many neighbours a process sends to, and as many it receives from.
    pub(super) fn neighbours(&self) -> usize {
        match &self.kind {
            Kind::Cartesian { directions, .. } => 2 * directions,
            Kind::Graph { sources, .. } => sources.elements.len(),
        }
    }

    /// Whether nobody is on both sides of a process.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.kind, Kind::Cartesian { is_open: true, .. })
    }

    /// Whether neighbours are listed.
    pub(super) fn is_graph(&self) -> bool {
        matches!(self.kind, Kind::Graph { .. })
    }

    /// The place among its sources at which the neighbour in a place among my destinations has me.
    pub(super) fn counterpart(&self, slot: usize) -> usize {
        match self.kind {
            // On the other side.
            Kind::Cartesian { .. } => slot ^ 1,
            Kind::Graph { .. } => slot,
        }
    }

    /// The place of a partner among the neighbours to which a process sends, or from which it receives, on the way to a statement in one
    /// round of the loops around it.
    pub(super) fn slot(
        &self,
        scope: &Scope<'t>,
        partner: Node<'t>,
        sends: bool,
        round: &Round<'t>,
        at: Node<'t>,
    ) -> Option<usize> {
        self.slot_of(scope, partner, sends, Standing { round, at, depth: 0 })
    }

    fn slot_of(
        &self,
        scope: &Scope<'t>,
        partner: Node<'t>,
        sends: bool,
        standing: Standing<'_, 't>,
    ) -> Option<usize> {
        let as_variable = || scope.variable(partner, scope.text(partner));
        let variable = (partner.kind() == "identifier").then(as_variable).flatten();
        if let Some(parameter) = variable.filter(|v| v.declaration.kind() == "parameter_declaration") {
            if standing.depth == CALLS
                || !scope.is_settled(&parameter)
                || scope.is_in_macro(scope.text(partner))
            {
                return None;
            }
            let slots: Vec<usize> = given(scope, &parameter)?
                .into_iter()
                .map(|argument| {
                    let (round, at) = (&Vec::new(), statement_of(argument)?);
                    let standing = Standing { round, at, depth: standing.depth + 1 };
                    self.slot_of(scope, argument, sends, standing)
                })
                .collect::<Option<_>>()?;
            let first = *slots.first()?;
            return slots.iter().all(|slot| *slot == first).then_some(first);
        }
        match &self.kind {
            Kind::Cartesian { .. } => self.slot_in_grid(scope, partner, standing),
            Kind::Graph { sources, destinations } => {
                let list = if sends { destinations } else { sources };
                // Then the variables are those of the lists.
                comes_before(scope, &self.made, standing.at)
                    .then(|| list.place(scope, partner, standing.round))?
            }
        }
    }

    /// The place of a partner in a grid (MPI-4.1 section 8.6): by direction, the smaller coordinate first.
    fn slot_in_grid(
        &self,
        scope: &Scope<'t>,
        partner: Node<'t>,
        standing: Standing<'_, 't>,
    ) -> Option<usize> {
        let (name, index) = match partner.kind() {
            "identifier" => (partner, None),
            "subscript_expression" => {
                let index = number(scope, partner.child_by_field_name("index")?, standing.round)?;
                (partner.child_by_field_name("argument")?, Some(index))
            }
            _ => return None,
        };
        if name.kind() != "identifier" {
            return None;
        }
        let variable = scope.variable(name, scope.text(name))?;
        let fits = match &variable.shape {
            Shape::Plain => index.is_none(),
            Shape::Array(lengths) => index.is_some() && lengths.len() == 1,
            Shape::Pointer | Shape::Other => false,
        };
        let is_local = variable.declaration.kind() != "parameter_declaration"
            && !scope.is_in_macro(scope.text(variable.name))
            && scope.type_of(&variable).as_deref() == Some("int");
        if !fits || !is_local {
            return None;
        }
        let mut slots = Vec::new();
        for shift in shifts(scope, &variable)? {
            for round in rounds(scope, &shift.call, standing)? {
                let element = match shift.element {
                    Some(element) => Some(number(scope, element, &round)?),
                    None => None,
                };
                if element == index {
                    slots.push(self.shifted(scope, &shift, &round)?);
                }
            }
        }
        match slots.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Who a call of `MPI_Cart_shift` tells of.
    fn shifted(&self, scope: &Scope<'t>, shift: &Shift<'t>, round: &Round<'t>) -> Option<usize> {
        let Kind::Cartesian { directions, .. } = self.kind else { return None };
        // Of no other communicator can the question be.
        if let Some(own) = &self.communicator {
            let asked = shift.call.argument(Role::Communicator)?;
            let known =
                (asked.kind() == "identifier").then(|| scope.variable(asked, scope.text(asked)))??;
            if known.name != own.name || !comes_before(scope, &self.made, shift.call.statement) {
                return None;
            }
        }
        let direction = number(scope, shift.call.argument(Role::DimensionIndex)?, round)?;
        let direction = usize::try_from(direction).ok().filter(|&number| number < directions)?;
        let by = number(scope, shift.call.argument(Role::Shift)?, round)?;
        let is_destination = shift.call.mpi.params[shift.output].role == Role::Dest;
        let is_up = match by {
            1 => is_destination,
            -1 => !is_destination,
            _ => return None,
        };
        Some(2 * direction + usize::from(is_up))
    }
}

impl<'t> List<'t> {
    /// The list that an argument is, if its elements are written there and it is as long as another one says.
    fn of(scope: &Scope<'t>, list: Node<'t>, length: Node<'t>) -> Option<Self> {
        let inner = list.child_by_field_name("argument");
        let (name, elements) = match (list.kind(), inner) {
            ("pointer_expression", Some(one)) if is_address(scope, list) && one.kind() == "identifier" => {
                (None, vec![one])
            }
            ("compound_literal_expression", _) => (None, listed(list.child_by_field_name("value")?)?),
            ("identifier", _) => {
                let variable = scope.variable(list, scope.text(list))?;
                let is_list = matches!(&variable.shape, Shape::Array(lengths) if lengths.len() == 1);
                let is_fixed = is_list
                    && !scope.is_in_macro(scope.text(list))
                    && scope.uses(&variable)?.into_iter().all(|name| is_read(scope, name));
                let value = variable.declarator.child_by_field_name("value").filter(|_| is_fixed)?;
                (Some(variable.name), listed(value)?)
            }
            _ => return None,
        };
        let length = usize::try_from(Sum::of(scope, length)?.value(scope)?).ok()?;
        (elements.len() == length).then_some(Self { name, elements })
    }

    /// The place of a process in the list: of an element of it, or of an expression that is one.
    fn place(&self, scope: &Scope<'t>, process: Node<'t>, round: &Round<'t>) -> Option<usize> {
        if process.kind() == "subscript_expression" {
            let array = process.child_by_field_name("argument").filter(|name| name.kind() == "identifier")?;
            let variable = scope.variable(array, scope.text(array))?;
            let index = number(scope, process.child_by_field_name("index")?, round)?;
            let place = usize::try_from(index).ok().filter(|&place| place < self.elements.len())?;
            return (self.name == Some(variable.name)).then_some(place);
        }
        let value = settled(scope, process)?;
        let is_it = |element: &Node<'t>| {
            scope.means_the_same(process, *element)
                && settled(scope, *element).is_some_and(|element| element.equals(scope, &value))
        };
        let mut places = (0..self.elements.len()).filter(|&place| is_it(&self.elements[place]));
        let (place, None) = (places.next()?, places.next()) else { return None };
        Some(place)
    }
}

/// Whether the processes of a new communicator have neighbours that the text may tell.
fn has_neighbours(how: CommConstructor) -> bool {
    matches!(how, CommConstructor::CartCreate | CommConstructor::DistGraphCreateAdjacent)
}

/// What is between the braces of a list.
fn listed(list: Node<'_>) -> Option<Vec<Node<'_>>> {
    let mut cursor = list.walk();
    let all = list.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
    (list.kind() == "initializer_list").then_some(all)
}

/// Whether a use of an array reads an element, or lends it to a call of MPI that only reads.
fn is_read<'t>(scope: &Scope<'t>, name: Node<'t>) -> bool {
    let Some(parent) = name.parent() else { return false };
    if parent.kind() == "subscript_expression" && parent.child_by_field_name("argument") == Some(name) {
        return scope.only_reads(parent);
    }
    parent.kind() == "sizeof_expression" || scope.is_lent_to_read(name)
}

/// What the calls of a function give for one of its parameters.
fn given<'t>(scope: &Scope<'t>, parameter: &Variable<'t>) -> Option<Vec<Node<'t>>> {
    let list = parameter.declaration.parent()?;
    let mut cursor = list.walk();
    let mut parameters =
        list.named_children(&mut cursor).filter(|node| node.kind() == "parameter_declaration");
    let place = parameters.position(|node| node == parameter.declaration)?;
    let calls = scope.calls_of(function_of(list)?)?;
    let argument = |call: Node<'t>| {
        let arguments = call.child_by_field_name("arguments")?;
        let mut cursor = arguments.walk();
        arguments.named_children(&mut cursor).filter(|node| node.kind() != "comment").nth(place)
    };
    calls.into_iter().map(argument).collect()
}

/// The calls of `MPI_Cart_shift` that set a variable; `None` where anything else may set it.
fn shifts<'t>(scope: &Scope<'t>, variable: &Variable<'t>) -> Option<Vec<Shift<'t>>> {
    let mut all = Vec::new();
    for name in scope.uses(variable).or_else(|| scope.uses_in_file(variable))? {
        let (mut node, mut element) = (name, None);
        if let Shape::Array(_) = variable.shape {
            let parent = name.parent()?;
            if parent.kind() == "sizeof_expression" {
                continue;
            }
            if parent.kind() != "subscript_expression" || parent.child_by_field_name("argument") != Some(name)
            {
                return None;
            }
            (node, element) = (parent, Some(parent.child_by_field_name("index")?));
        }
        let parent = node.parent()?;
        match parent.kind() {
            "update_expression" => return None,
            "assignment_expression" if parent.child_by_field_name("left") == Some(node) => return None,
            "pointer_expression" if is_address(scope, parent) => {
                let call = Call::around_loosely(scope.file, parent)?;
                let output = call.arguments()?.iter().position(|argument| *argument == parent)?;
                let is_shift = matches!(call.mpi.class, Class::Query(Query::CartShift));
                if !is_shift || call.mpi.params[output].direction != Direction::Out {
                    return None;
                }
                all.push(Shift { call, output, element });
            }
            _ => {}
        }
    }
    Some(all)
}

/// The calls of `MPI_Cart_shift` outside of some statements whose neighbours only these name, taken away.
pub(super) fn unneeded<'t>(scope: &Scope<'t>, partners: &[Node<'t>], gone: &[Node<'t>]) -> Vec<Node<'t>> {
    let is_gone = |node: Node<'t>, gone: &[Node<'t>]| gone.iter().any(|region| contains(*region, node));
    let mut calls: Vec<Call<'t>> = Vec::new();
    for partner in partners {
        let name = partner.child_by_field_name("argument").unwrap_or(*partner);
        let variable = scope.variable(name, scope.text(name));
        for shift in variable.and_then(|variable| shifts(scope, &variable)).unwrap_or_default() {
            let is_new = calls.iter().all(|call| call.node != shift.call.node);
            if is_new && shift.call.stands_alone() && !is_gone(shift.call.node, gone) {
                calls.push(shift.call);
            }
        }
    }
    // Of each all outputs must be needed nowhere else.
    let outputs = |call: &Call<'t>| -> Option<Vec<Variable<'t>>> {
        let outputs = call.arguments()?.split_off(3);
        let base = |node: &Node<'t>| {
            let inner = node.child_by_field_name("argument")?;
            let name = match inner.kind() {
                "subscript_expression" => inner.child_by_field_name("argument")?,
                _ => inner,
            };
            (name.kind() == "identifier").then(|| scope.variable(name, scope.text(name)))?
        };
        outputs.iter().map(base).collect()
    };
    loop {
        let mut regions = gone.to_vec();
        regions.extend(calls.iter().map(|call| call.statement));
        let is_idle = |call: &Call<'t>| {
            let is_plain = is_plain(call.statement);
            is_plain
                && outputs(call).is_some_and(|all| {
                    all.iter().all(|variable| {
                        scope
                            .uses(variable)
                            .is_some_and(|uses| uses.iter().all(|name| is_gone(*name, &regions)))
                    })
                })
        };
        let before = calls.len();
        let kept: Vec<Call<'t>> = calls.iter().copied().filter(is_idle).collect();
        calls = kept;
        if calls.len() == before {
            return calls.into_iter().map(|call| call.statement).collect();
        }
    }
}

/// Whether neighbours that are asked for within some statements are named only there.
pub(super) fn are_ours<'t>(scope: &Scope<'t>, partners: &[Node<'t>], members: &[Node<'t>]) -> bool {
    let is_inside = |node: &Node<'t>| members.iter().any(|member| contains(*member, *node));
    partners.iter().all(|partner| {
        let name = partner.child_by_field_name("argument").unwrap_or(*partner);
        let Some(variable) = scope.variable(name, scope.text(name)) else { return false };
        let asked = shifts(scope, &variable).unwrap_or_default();
        let is_asked_here = asked.iter().any(|shift| is_inside(&shift.call.node));
        !is_asked_here || scope.uses(&variable).is_some_and(|uses| uses.iter().all(is_inside))
    })
}

/// The rounds of the loops around a call in which it is made on the way to a statement; of loops around both it is the given one. Where
/// the statement is in another function, those on the way to every call of that.
fn rounds<'t>(scope: &Scope<'t>, call: &Call<'t>, standing: Standing<'_, 't>) -> Option<Vec<Round<'t>>> {
    let Standing { round, at, depth } = standing;
    let function = function_of(at)?;
    if !contains(function, call.statement) {
        if depth == CALLS {
            return None;
        }
        let ways = scope.calls_of(function)?.into_iter().map(|caller| {
            let (round, at) = (&Vec::new(), statement_of(caller)?);
            rounds(scope, call, Standing { round, at, depth: depth + 1 })
        });
        let ways: Vec<Vec<Round<'t>>> = ways.collect::<Option<_>>()?;
        let first = ways.first()?.clone();
        return ways.iter().all(|way| *way == first).then_some(first);
    }
    let mut all = vec![Vec::new()];
    let mut statement = call.statement;
    loop {
        let block = statement.parent()?;
        if contains(block, at) {
            // Loops around both have one round at a time.
            let before = statement.end_byte() <= at.start_byte() && block.kind() == "compound_statement";
            all.iter_mut().for_each(|inner: &mut Round<'t>| inner.extend(round.iter().copied()));
            return before.then_some(all);
        }
        match block.kind() {
            "compound_statement" => {
                let around = block.parent()?;
                if around.kind() != "for_statement" {
                    return None;
                }
                statement = block;
            }
            "for_statement" => {
                let counted = Counted::of(scope, block)?;
                let (first, count) = (counted.first.value(scope)?, counted.count.value(scope)?);
                if !(1..=ROUNDS).contains(&count) {
                    return None;
                }
                let numbers = first..first + count;
                let with = |inner: &Round<'t>| -> Vec<Round<'t>> {
                    let one = |number| [inner.as_slice(), &[(counted.variable, number)]].concat();
                    numbers.clone().map(one).collect()
                };
                all = all.iter().flat_map(with).collect();
                statement = block;
            }
            _ => return None,
        }
    }
}

fn contains(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.start_byte() <= inner.start_byte() && inner.end_byte() <= outer.end_byte()
}

pub(super) fn is_address(scope: &Scope<'_>, node: Node<'_>) -> bool {
    node.kind() == "pointer_expression" && scope.text(node).starts_with('&')
}

/// Whether a call is made on every way to a statement.
pub(super) fn comes_before<'t>(scope: &Scope<'t>, call: &Call<'t>, at: Node<'t>) -> bool {
    let is_made = Call::in_statement(scope.file, call.statement).is_some_and(|made| made.node == call.node);
    is_made
        && call.statement.end_byte() <= at.start_byte()
        && call.statement.parent().is_some_and(|block| contains(block, at))
}

/// The number that an expression is in a round.
pub(super) fn number<'t>(scope: &Scope<'t>, node: Node<'t>, round: &Round<'t>) -> Option<i64> {
    sum(scope, node, round)?.value(scope)
}

/// What an expression is in a round.
pub(super) fn sum<'t>(scope: &Scope<'t>, node: Node<'t>, round: &Round<'t>) -> Option<Sum> {
    round
        .iter()
        .try_fold(Sum::of(scope, node)?, |sum, (variable, number)| sum.with(variable, &Sum::number(*number)))
}

/// The numbers in a list, the last of them left out where they are zero, if the list is the same at a statement as where it is declared
/// or its elements are set.
fn numbers<'t>(scope: &Scope<'t>, list: Node<'t>, at: Node<'t>) -> Option<Vec<i64>> {
    let is_one = is_address(scope, list);
    let name = if is_one { list.child_by_field_name("argument")? } else { list };
    let variable = (name.kind() == "identifier").then(|| scope.variable(name, scope.text(name)))??;
    let number = |node: Node<'t>| Sum::of(scope, node)?.value(scope);
    let value = variable.declarator.child_by_field_name("value");
    let mut known: Vec<Option<i64>> = match (&variable.shape, value) {
        (Shape::Plain, Some(value)) if is_one => vec![number(value)],
        (Shape::Plain, None) if is_one => vec![None],
        (Shape::Array(lengths), Some(value)) if lengths.len() == 1 && value.kind() == "initializer_list" => {
            let mut cursor = value.walk();
            let values = value.named_children(&mut cursor).filter(|node| node.kind() != "comment");
            values.map(number).collect()
        }
        (Shape::Array(lengths), None) if lengths.len() == 1 => {
            let length = usize::try_from(number((*lengths.first()?)?)?).ok().filter(|&length| length <= 8)?;
            vec![None; length]
        }
        _ => return None,
    };
    for name in scope.uses(&variable)? {
        let parent = name.parent()?;
        if parent.kind() == "subscript_expression" || is_one {
            let (place, target) = match is_one {
                true => (0, name),
                false => (usize::try_from(number(parent.child_by_field_name("index")?)?).ok()?, parent),
            };
            let around = target.parent()?;
            let is_set = around.kind() == "assignment_expression"
                && around.child_by_field_name("left") == Some(target);
            if is_set {
                let statement = around.parent()?;
                let simple = statement.kind() == "expression_statement"
                    && scope.text(around.child_by_field_name("operator")?) == "="
                    && statement.end_byte() <= at.start_byte()
                    && contains(statement.parent()?, at)
                    && known.get(place).is_some_and(Option::is_none);
                if !simple {
                    return None;
                }
                known[place] = Some(number(around.child_by_field_name("right")?)?);
                continue;
            }
            if around.kind() == "update_expression" || (is_address(scope, around) && !is_one) {
                return None;
            }
            if !is_address(scope, parent) {
                continue;
            }
        }
        // Given to a call that only reads it.
        let given = if is_one { parent } else { name };
        let call = Call::around_loosely(scope.file, given)?;
        let place = call.arguments()?.iter().position(|argument| *argument == given)?;
        if call.mpi.params[place].direction != Direction::In {
            return None;
        }
    }
    known.into_iter().collect()
}
