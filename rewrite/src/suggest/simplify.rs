//! Datatypes that a simpler call describes as well.
//!
//! Crate `layout` knows what a constructor describes, and finds the cheapest description of the same elements with the same bounds. Only
//! calls are looked at whose arguments are numbers in the text, or arrays of such numbers that only constructors see.

use analyzer::results::{Edit, Fix, Gain, Suggestion};
use analyzer::rules::Rule;
use frontend::mpi::{Class, Role};
use layout::normalize::normalize;
use layout::reconstruct::{Constructors, Options};
use layout::{Constructor, CostModel, Datatype, Layout};
use tree_sitter::Node;

use super::scope::{Scope, Shape};
use super::unused::{Needless, leftovers};
use super::values::number_with;
use crate::text::{Call, descendants};

/// Lists that are longer than this are data, and nobody wrote them by hand.
pub(super) const LONGEST: usize = 4096;
/// For the search, in bytes: enough for lists that people write.
const MEMORY: usize = 64 << 20;

/// All datatypes of a file that could be simpler.
pub(super) fn datatypes(scope: &Scope<'_>) -> Vec<Suggestion> {
    let nodes = descendants(scope.file.root()).into_iter().filter(|node| node.kind() == "call_expression");
    nodes.filter_map(|node| simpler(scope, &Call::around_loosely(scope.file, node)?)).collect()
}

fn simpler<'t>(scope: &Scope<'t>, call: &Call<'t>) -> Option<Suggestion> {
    let name = call.mpi.name;
    if !matches!(call.mpi.class, Class::TypeConstructor(_)) || name.ends_with("_c") || scope.is_macro(name) {
        return None;
    }
    let arguments = call.arguments()?;
    let (new, described) = arguments.split_last()?;
    let basic = scope.text(call.argument(Role::Datatype)?);
    frontend::mpi::constant(basic)?.datatype()?;
    let words: Vec<String> = described.iter().map(|&node| written(scope, node)).collect::<Option<_>>()?;
    let given = layout::read::datatype(&format!("{name}({})", words.join(", "))).ok()?;
    let layout = given.layout().ok()?;
    let search =
        Options { constructors: Constructors::Homogeneous, memory_limit: MEMORY, ..Options::default() };
    let found = normalize(&layout.tree, &search, layout.bounds.elements <= LONGEST).ok()?;
    let datatype = Layout { tree: found.tree, bounds: layout.bounds }.datatype().ok()?;
    let (before, after) = (price(&given)?, price(&datatype)?);
    if before <= after {
        return None;
    }
    let (simple, text) = constructor(&datatype, basic)?;
    let built = format!("{simple}({text}, {})", scope.text(*new));
    Some(Suggestion {
        rule: Rule::SimplifyDatatype,
        message: format!("`{simple}({text})` describes the same datatype"),
        range: scope.file.range(call.node),
        related: Vec::new(),
        np: "any np >= 1".to_owned(),
        gain: Gain { model: Gain::LAYOUT, before: before.to_string(), after: after.to_string() },
        edit: edit(scope, call, built, simple).map_err(|Needless(what)| what),
    })
}

/// The call in place of the other, without the arrays that only that one has.
fn edit<'t>(scope: &Scope<'t>, call: &Call<'t>, built: String, name: &str) -> Result<Fix, Needless> {
    let mut edits: Vec<Edit> = leftovers(scope, &[call.node], std::slice::from_ref(&built))?;
    edits.insert(0, scope.file.replace(call.node.byte_range(), built));
    Ok(Fix { description: format!("build it by `{name}`"), edits })
}

/// An argument as numbers, for crate `layout`.
fn written<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<String> {
    if node.kind() != "identifier" {
        return number(scope, node).map(|value| value.to_string());
    }
    let name = scope.text(node);
    if frontend::mpi::constant(name).is_some() {
        return Some(name.to_owned());
    }
    if let Some(value) = number(scope, node) {
        return Some(value.to_string());
    }
    let variable = scope.variable(node, name)?;
    if !matches!(variable.shape, Shape::Array(_)) || scope.has_uses_outside_of_constructors(&variable)? {
        return None;
    }
    let list =
        variable.declarator.child_by_field_name("value").filter(|list| list.kind() == "initializer_list")?;
    let mut cursor = list.walk();
    let values: Vec<String> = list
        .named_children(&mut cursor)
        .filter(|node| node.kind() != "comment")
        .map(|node| number(scope, node).map(|value| value.to_string()))
        .collect::<Option<_>>()?;
    let whole = match &variable.shape {
        Shape::Array(lengths) => match lengths.as_slice() {
            [None] => true,
            [Some(length)] => number(scope, *length)? == i64::try_from(values.len()).ok()?,
            _ => false,
        },
        _ => false,
    };
    (whole && values.len() <= LONGEST).then(|| format!("[{}]", values.join(", ")))
}

/// The value of an expression of numbers in the text.
fn number<'t>(scope: &Scope<'t>, node: Node<'t>) -> Option<i64> {
    number_with(scope, node, &|_| None)
}

/// A constructor with numbers only, of a predefined datatype.
fn constructor(datatype: &Datatype, basic: &str) -> Option<(&'static str, String)> {
    let Datatype::Constructed(constructor) = datatype else { return None };
    match &**constructor {
        Constructor::Contiguous { count, child: Datatype::Basic(_) } => {
            Some(("MPI_Type_contiguous", format!("{count}, {basic}")))
        }
        Constructor::Vector { count, blocklength, stride, child: Datatype::Basic(_) } => {
            Some(("MPI_Type_vector", format!("{count}, {blocklength}, {stride}, {basic}")))
        }
        _ => None,
    }
}

/// Words that describe a datatype: a node for each constructor and for what it is made of, and one for each element of a list.
fn price(datatype: &Datatype) -> Option<u64> {
    let cost = CostModel::default();
    let Datatype::Constructed(constructor) = datatype else { return Some(cost.con.into()) };
    let list = match &**constructor {
        // A leaf may be of several elements.
        Constructor::Contiguous { child: Datatype::Basic(_), .. } => return Some(cost.con.into()),
        Constructor::Dup { .. } | Constructor::Darray { .. } => return None,
        Constructor::Indexed { displacements, .. } | Constructor::Hindexed { displacements, .. } => {
            2 * displacements.len()
        }
        Constructor::IndexedBlock { displacements, .. }
        | Constructor::HindexedBlock { displacements, .. } => displacements.len(),
        Constructor::Struct { displacements, .. } => 3 * displacements.len(),
        Constructor::Subarray { sizes, .. } => 3 * sizes.len(),
        _ => 0,
    };
    let children = constructor.children().iter().map(price).sum::<Option<u64>>()?;
    Some(u64::from(cost.vec) + u64::from(cost.lookup) * list as u64 + children)
}
