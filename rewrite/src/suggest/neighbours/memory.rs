//! Which elements of which variables a message has, and whether two messages have some in common.

use frontend::mpi::{self, Class, Direction, Role, TypeConstructor};
use tree_sitter::Node;

use super::super::aliases::{are_apart, is_object, is_private};
use super::super::places::Place;
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use super::exchange::End;
use super::grid::{Round, comes_before, sum};
use super::made::{Part, made_once};
use crate::text::Call;

/// Blocks that are compared one by one.
const BLOCKS: i64 = 1 << 14;

/// Elements in some distance from one another, so many times.
#[derive(Clone, Debug)]
struct Level {
    count: Sum,
    stride: Sum,
}

/// What one element of a datatype consists of, in elements of a predefined one.
#[derive(Clone)]
pub(super) struct Elements<'t> {
    basic: &'t str,
    /// Before the first.
    offset: Sum,
    levels: Vec<Level>,
    /// How many lie side by side.
    block: Sum,
    extent: Sum,
    /// The call that makes the datatype.
    pub(super) made: Option<Call<'t>>,
}

/// The elements of a variable that a message has.
pub(super) struct Region<'t> {
    pub(super) variable: Variable<'t>,
    pub(super) offset: Sum,
    levels: Vec<Level>,
    block: Sum,
}

/// What two messages have in common.
pub(super) enum Common {
    Nothing,
    /// Something, or that is not known.
    Something,
    /// Something only if pointers lead to the same memory.
    Alias(String),
}

impl<'t> Elements<'t> {
    /// Those of the datatype that an argument is at a statement.
    pub(super) fn of(scope: &Scope<'t>, datatype: Node<'t>, at: Node<'t>) -> Option<Self> {
        let name = scope.text(datatype);
        if mpi::constant(name).is_some_and(|constant| constant.datatype().is_some()) {
            let one = Sum::number(1);
            let (offset, levels) = (Sum::default(), Vec::new());
            return Some(Self { basic: name, offset, levels, block: one.clone(), extent: one, made: None });
        }
        let (_, made) = made_once(scope, datatype, |call, place| match call.mpi.class {
            Class::TypeCommit | Class::TypeDestructor => Part::Keeps,
            Class::TypeConstructor(_) if call.mpi.params[place].direction == Direction::Out => Part::Makes,
            _ => Part::Changes,
        })?;
        comes_before(scope, &made, at).then(|| Self::built(scope, &made))?
    }

    /// Those of what a constructor builds of a predefined datatype.
    fn built(scope: &Scope<'t>, call: &Call<'t>) -> Option<Self> {
        if call.mpi.name.ends_with("_c") || scope.is_macro(call.mpi.name) {
            return None;
        }
        let arguments = call.arguments()?;
        let of = |role: Role| {
            let places = (0..arguments.len()).filter(|&place| call.mpi.params[place].role == role);
            places.map(|place| arguments[place]).collect::<Vec<_>>()
        };
        let settled = |node: Node<'t>| settled(scope, node);
        let old = (0..arguments.len()).find(|&place| {
            let param = &call.mpi.params[place];
            param.role == Role::Datatype && param.direction == Direction::In
        })?;
        let basic = scope.text(arguments[old]);
        mpi::constant(basic)?.datatype()?;
        let (mut offset, mut levels) = (Sum::default(), Vec::new());
        let (block, extent);
        match call.mpi.class {
            Class::TypeConstructor(TypeConstructor::Contiguous) => {
                block = settled(*of(Role::Repetitions).first()?)?;
                extent = block.clone();
            }
            Class::TypeConstructor(TypeConstructor::Vector) => {
                let count = settled(*of(Role::Repetitions).first()?)?;
                let stride = settled(*of(Role::Stride).first()?)?;
                block = settled(*of(Role::BlockLength).first()?)?;
                extent = count.minus(&Sum::number(1))?.times(&stride)?.plus(&block)?;
                levels.push(Level { count, stride });
            }
            Class::TypeConstructor(TypeConstructor::Subarray) => {
                if scope.text(*of(Role::StorageOrder).first()?) != "MPI_ORDER_C" {
                    return None;
                }
                let lists = of(Role::Dimensions);
                let (sizes, parts) = (list(scope, *lists.first()?)?, list(scope, *lists.get(1)?)?);
                let starts = list(scope, *of(Role::Starts).first()?)?;
                let number = sum(scope, *of(Role::ArrayLength).first()?, &Vec::new())?.value(scope)?;
                let is_whole = |list: &[Sum]| i64::try_from(list.len()) == Ok(number);
                if ![&sizes, &parts, &starts].into_iter().all(|list| is_whole(list)) {
                    return None;
                }
                let mut stride = Sum::number(1);
                for dimension in (0..sizes.len()).rev() {
                    offset = offset.plus(&starts[dimension].times(&stride)?)?;
                    levels.insert(0, Level { count: parts[dimension].clone(), stride: stride.clone() });
                    stride = stride.times(&sizes[dimension])?;
                }
                block = levels.pop()?.count;
                extent = stride;
            }
            _ => return None,
        }
        Some(Self { basic, offset, levels, block, extent, made: Some(*call) })
    }

    /// How many there are of which predefined datatype.
    fn number(&self) -> Option<Sum> {
        self.levels.iter().try_fold(self.block.clone(), |number, level| number.times(&level.count))
    }
}

/// Whether both ends of a message have the same number of elements of one predefined datatype, if both processes have the same values;
/// an error says what is in the way.
pub(super) fn are_as_long<'t>(scope: &Scope<'t>, ends: [&End<'t>; 2]) -> Result<(), String> {
    let number = |end: &End<'t>| {
        let elements = Elements::of(scope, end.datatype, end.call.statement).ok_or_else(|| {
            format!("nothing is known about the elements of `{}`", scope.text(end.datatype))
        })?;
        let count = sum(scope, end.count, &end.round);
        let number = count.and_then(|count| elements.number()?.times(&count));
        let number = number.ok_or_else(|| format!("nothing is known about `{}`", scope.text(end.count)))?;
        Ok::<_, String>((elements.basic, number))
    };
    let [(basic, one), (other, two)] = [number(ends[0])?, number(ends[1])?];
    // Processes that make different calls may have different values.
    if ends.iter().any(|end| end.guarded) && one.value(scope).is_none() {
        return Err(
            "it is not known whether both ends of a message have the same number of elements".to_owned()
        );
    }
    match basic == other && one.equals(scope, &two) {
        true => Ok(()),
        false => Err("a receive may have room for more than is sent, which a collective call does not allow"
            .to_owned()),
    }
}

impl<'t> Region<'t> {
    /// Where the elements are that one end of a message has; `None` where the text does not tell.
    pub(super) fn of(scope: &Scope<'t>, end: &End<'t>) -> Option<Self> {
        let elements = Elements::of(scope, end.datatype, end.call.statement)?;
        let (variable, offset) = start(scope, end.buffer, &end.round)?;
        if !scope.has_elements(&variable, elements.basic) {
            return None;
        }
        let count = sum(scope, end.count, &end.round)?;
        let offset = offset.plus(&elements.offset)?;
        let (mut levels, mut block) = (elements.levels, elements.block);
        if levels.is_empty() && block.equals(scope, &elements.extent) {
            block = block.times(&count)?;
        } else if count.value(scope) != Some(1) {
            levels.insert(0, Level { count, stride: elements.extent });
        }
        Some(Self { variable, offset, levels, block })
    }

    /// Numbers of elements, and of those before the first in the memory of the variable: none is negative in a program without errors.
    pub(super) fn numbers(&self, scope: &Scope<'t>) -> impl Iterator<Item = Sum> {
        let is_first = is_object(&self.variable) || is_private(scope, &self.variable);
        let before = is_first.then(|| self.offset.clone());
        self.levels.iter().map(|level| level.count.clone()).chain([self.block.clone()]).chain(before)
    }

    /// What two messages of one exchange have in common; `known` are numbers of elements, none of which is negative.
    pub(super) fn common(scope: &Scope<'t>, a: &Self, b: &Self, known: &[Sum]) -> Common {
        if a.variable.name != b.variable.name {
            return match are_apart(scope, &a.variable, &b.variable) {
                Ok(()) => Common::Nothing,
                Err(why) => Common::Alias(why),
            };
        }
        let beside = match (a.blocks(scope), b.blocks(scope)) {
            (Some(a), Some(b)) => are_disjoint(&a, &b),
            _ => Self::are_beside(scope, a, b, known).unwrap_or(false),
        };
        if beside { Common::Nothing } else { Common::Something }
    }

    /// First and last element of each block, where all of them are numbers; ascending.
    fn blocks(&self, scope: &Scope<'t>) -> Option<Vec<(i64, i64)>> {
        let mut starts = vec![self.offset.value(scope)?];
        for level in &self.levels {
            let (count, stride) = (level.count.value(scope)?, level.stride.value(scope)?);
            let length = i64::try_from(starts.len()).ok()?;
            if count < 0 || BLOCKS < count.checked_mul(length)? {
                return None;
            }
            let mut next = Vec::new();
            for &start in &starts {
                for number in 0..count {
                    next.push(start.checked_add(number.checked_mul(stride)?)?);
                }
            }
            starts = next;
        }
        let block = self.block.value(scope)?;
        if block <= 0 {
            return Some(Vec::new());
        }
        let mut all: Vec<(i64, i64)> = starts
            .into_iter()
            .map(|start| Some((start, start.checked_add(block - 1)?)))
            .collect::<Option<_>>()?;
        all.sort_unstable();
        Some(all)
    }

    /// Whether two parts of one array differ in all indices of one dimension: the rows, columns and so on that its declaration says, or
    /// the strides of datatypes.
    fn are_beside(scope: &Scope<'t>, a: &Self, b: &Self, known: &[Sum]) -> Option<bool> {
        let mut strides = match &a.variable.shape {
            Shape::Array(lengths) if 1 < lengths.len() => declared(scope, lengths)?,
            _ => {
                let mut strides: Vec<Sum> = Vec::new();
                for level in a.levels.iter().chain(&b.levels) {
                    if strides.iter().all(|stride| !stride.equals(scope, &level.stride)) {
                        strides.push(level.stride.clone());
                    }
                }
                strides
            }
        };
        // The largest first: each is a multiple of the next.
        strides.sort_by_key(|stride| std::cmp::Reverse(stride.degree()));
        let (a, b) = (a.digits(scope, &strides, known)?, b.digits(scope, &strides, known)?);
        let less = |high: &Sum, low: &Sum| {
            let gap = low.minus(high)?.minus(&Sum::number(1))?;
            Some(gap.is_never_negative(scope, known))
        };
        let mut beside = false;
        for ((low, high), (other_low, other_high)) in a.iter().zip(&b) {
            beside |= less(high, other_low)? || less(other_high, low)?;
        }
        Some(beside)
    }

    /// The least and the greatest index in each dimension, of which the last has stride 1.
    fn digits(&self, scope: &Scope<'t>, strides: &[Sum], known: &[Sum]) -> Option<Vec<(Sum, Sum)>> {
        let one = Sum::number(1);
        let mut rest = self.offset.clone();
        let mut all = Vec::new();
        for stride in strides {
            let (digit, below) = rest.divided(scope, stride)?;
            all.push((digit.clone(), digit));
            rest = below;
        }
        all.push((rest.clone(), rest.plus(&self.block)?.minus(&one)?));
        for level in &self.levels {
            let place = strides.iter().position(|stride| stride.equals(scope, &level.stride))?;
            all[place].1 = all[place].1.plus(&level.count)?.minus(&one)?;
        }
        // Each but the first stays in its row.
        for (place, stride) in strides.iter().enumerate() {
            let next = strides.get(place + 1).unwrap_or(&one);
            let (length, odd) = stride.divided(scope, next)?;
            let (low, high) = &all[place + 1];
            let room = length.minus(high)?.minus(&one)?;
            let fits = odd.value(scope) == Some(0)
                && low.is_never_negative(scope, known)
                && room.is_never_negative(scope, known);
            if !fits {
                return None;
            }
        }
        Some(all)
    }
}

/// Distances of the elements in each dimension but the last.
fn declared<'t>(scope: &Scope<'t>, lengths: &[Option<Node<'t>>]) -> Option<Vec<Sum>> {
    let mut strides: Vec<Sum> = Vec::new();
    let mut stride = Sum::number(1);
    for length in lengths.iter().skip(1).rev() {
        stride = stride.times(&settled(scope, (*length)?)?)?;
        strides.insert(0, stride.clone());
    }
    Some(strides)
}

fn are_disjoint(a: &[(i64, i64)], b: &[(i64, i64)]) -> bool {
    // No block of one begins before one of the other ends, and ends after it begins; those of one may overlap.
    a.iter().all(|(low, high)| {
        let before = b.partition_point(|(start, _)| start <= high);
        b[..before].iter().all(|(_, end)| end < low)
    })
}

/// The variable and the element of it that a buffer begins with.
pub(super) fn start<'t>(
    scope: &Scope<'t>,
    buffer: Node<'t>,
    round: &Round<'t>,
) -> Option<(Variable<'t>, Sum)> {
    let within = |offset: Sum| {
        round.iter().try_fold(offset, |sum, (variable, number)| sum.with(variable, &Sum::number(*number)))
    };
    match buffer.kind() {
        "pointer_expression" if scope.text(buffer).starts_with('&') => {
            let inner = buffer.child_by_field_name("argument")?;
            if inner.kind() == "identifier" {
                let variable = scope.variable(inner, scope.text(inner))?;
                return (variable.shape == Shape::Plain).then(|| (variable, Sum::default()));
            }
            let place = Place::start(scope, inner)?;
            Some((place.variable.clone(), within(place.offset()?)?))
        }
        "identifier" | "subscript_expression" => {
            let place = Place::start(scope, buffer)?;
            let mut depth = 0;
            let mut node = buffer;
            while node.kind() == "subscript_expression" {
                (node, depth) = (node.child_by_field_name("argument")?, depth + 1);
            }
            // Not what an element holds.
            (depth < place.variable.dimensions())
                .then(|| Some((place.variable.clone(), within(place.offset()?)?)))?
        }
        "binary_expression" => {
            let (variable, offset) = start(scope, buffer.child_by_field_name("left")?, round)?;
            let by = sum(scope, buffer.child_by_field_name("right")?, round)?;
            let moved = match buffer.child_by_field_name("operator")?.kind() {
                "+" => offset.plus(&by),
                "-" => offset.minus(&by),
                _ => None,
            };
            (variable.dimensions() == 1).then_some((variable, moved?))
        }
        "parenthesized_expression" => start(scope, buffer.named_child(0)?, round),
        _ => None,
    }
}

/// An expression of names that keep their values.
pub(super) fn settled<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<Sum> {
    let sum = Sum::of(scope, node)?;
    let is_settled = |name: &str| {
        scope.number(name).is_some()
            || scope.variable(node, name).is_some_and(|variable| scope.is_settled(&variable))
    };
    let all_settled = sum.names().all(is_settled);
    all_settled.then_some(sum)
}

/// The elements of a list that only constructors see.
fn list<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<Vec<Sum>> {
    let values = match node.kind() {
        "compound_literal_expression" => node.child_by_field_name("value")?,
        "identifier" => {
            let variable = scope.variable(node, scope.text(node))?;
            let is_list = matches!(&variable.shape, Shape::Array(lengths) if lengths.len() == 1);
            if !is_list || scope.has_uses_outside_of_constructors(&variable)? {
                return None;
            }
            variable.declarator.child_by_field_name("value")?
        }
        _ => return None,
    };
    let mut cursor = values.walk();
    let all: Vec<Node<'t>> =
        values.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
    (values.kind() == "initializer_list")
        .then(|| all.into_iter().map(|node| settled(scope, node)).collect())?
}
