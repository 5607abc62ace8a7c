//! Grids of processes, and who is whose neighbour in them, as far as the text of one function tells.

use frontend::mpi::{Class, CommConstructor, Direction, Query, Role};
use tree_sitter::Node;

use super::super::counted::Counted;
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use crate::text::{Call, is_plain};

/// Most rounds of a loop that are looked at one by one.
const ROUNDS: i64 = 16;

/// Values of the variables that loops count with.
pub(super) type Round<'t> = Vec<(&'t str, i64)>;

/// A communicator that `MPI_Cart_create` has made.
pub(super) struct Grid<'t> {
    communicator: Variable<'t>,
    /// The call.
    pub(super) made: Call<'t>,
    /// How many directions it has.
    pub(super) directions: usize,
    /// Whether the ends of all directions are known to be open: nobody is on both sides of a process.
    pub(super) is_open: bool,
}

/// A neighbour in a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) direction: usize,
    /// At the next greater coordinate, and not at the next smaller one.
    pub(super) up: bool,
}

impl Side {
    /// Its place among the neighbours (MPI-4.1 section 8.6): by direction, the smaller coordinate first.
    pub(super) fn slot(self) -> usize {
        2 * self.direction + usize::from(self.up)
    }

    /// The neighbour on the other side.
    pub(super) fn opposite(self) -> Self {
        Self { up: !self.up, ..self }
    }
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
    /// The grid that an expression is on the way to a statement.
    pub(super) fn of(scope: &Scope<'t>, communicator: Node<'t>, at: Node<'t>) -> Option<Self> {
        if communicator.kind() != "identifier" {
            return None;
        }
        let variable = scope.variable(communicator, scope.text(communicator))?;
        if variable.shape != Shape::Plain || scope.is_in_macro(scope.text(variable.name)) {
            return None;
        }
        let mut made = None;
        for name in scope.uses(&variable)? {
            let parent = name.parent()?;
            if parent.kind() == "assignment_expression" && parent.child_by_field_name("left") == Some(name) {
                return None;
            }
            if !is_address(scope, parent) {
                continue;
            }
            let call = Call::around_loosely(scope.file, parent)?;
            let place = call.arguments()?.iter().position(|argument| *argument == parent)?;
            match call.mpi.class {
                Class::CommDestructor { .. } => {}
                Class::CommConstructor(CommConstructor::CartCreate)
                    if call.mpi.params[place].direction == Direction::Out && made.is_none() =>
                {
                    made = Some(call);
                }
                _ => return None,
            }
        }
        let made = made.filter(|call| comes_before(scope, call, at))?;
        let directions = Sum::of(scope, made.argument(Role::DimensionCount)?)?.value(scope)?;
        let directions = usize::try_from(directions).ok().filter(|number| (1..=8).contains(number))?;
        let periods = made.argument(Role::Periods).and_then(|list| numbers(scope, list, made.statement));
        let is_open = periods.is_some_and(|all| all.iter().take(directions).all(|period| *period == 0));
        Some(Self { communicator: variable, made, directions, is_open })
    }

    /// Whether the grid is made by the same call.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.made.node == other.made.node
    }

    /// The side on which a partner is, on the way to a statement in one round of the loops around it.
    pub(super) fn side(
        &self,
        scope: &Scope<'t>,
        partner: Node<'t>,
        round: &Round<'t>,
        at: Node<'t>,
    ) -> Option<Side> {
        let (name, index) = match partner.kind() {
            "identifier" => (partner, None),
            "subscript_expression" => {
                let index = number(scope, partner.child_by_field_name("index")?, round)?;
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
        let mut sides = Vec::new();
        for shift in shifts(scope, &variable)? {
            for round in rounds(scope, &shift.call, round, at)? {
                let element = match shift.element {
                    Some(element) => Some(number(scope, element, &round)?),
                    None => None,
                };
                if element == index {
                    sides.push(self.shifted(scope, &shift, &round)?);
                }
            }
        }
        match sides.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// Who a call of `MPI_Cart_shift` tells of.
    fn shifted(&self, scope: &Scope<'t>, shift: &Shift<'t>, round: &Round<'t>) -> Option<Side> {
        let communicator = shift.call.argument(Role::Communicator)?;
        let known = (communicator.kind() == "identifier")
            .then(|| scope.variable(communicator, scope.text(communicator)))??;
        if known.name != self.communicator.name || !comes_before(scope, &self.made, shift.call.statement) {
            return None;
        }
        let direction = number(scope, shift.call.argument(Role::DimensionIndex)?, round)?;
        let direction = usize::try_from(direction).ok().filter(|&number| number < self.directions)?;
        let by = number(scope, shift.call.argument(Role::Shift)?, round)?;
        let is_destination = shift.call.mpi.params[shift.output].role == Role::Dest;
        match by {
            1 => Some(Side { direction, up: is_destination }),
            -1 => Some(Side { direction, up: !is_destination }),
            _ => None,
        }
    }
}

/// The calls of `MPI_Cart_shift` that set a variable; `None` where anything else may set it.
fn shifts<'t>(scope: &Scope<'t>, variable: &Variable<'t>) -> Option<Vec<Shift<'t>>> {
    let mut all = Vec::new();
    for name in scope.uses(variable)? {
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

/// The rounds of the loops around a call in which it is made on the way to a statement; of loops around both it is the given one.
fn rounds<'t>(scope: &Scope<'t>, call: &Call<'t>, round: &Round<'t>, at: Node<'t>) -> Option<Vec<Round<'t>>> {
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

fn is_address(scope: &Scope<'_>, node: Node<'_>) -> bool {
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
