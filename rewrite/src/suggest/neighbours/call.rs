//! The call that does what an exchange does, as C: the simplest collective among neighbours that fits.

use frontend::mpi;

use super::super::places::Place;
use super::super::scope::{Scope, Shape, Variable};
use super::super::sum::Sum;
use super::exchange::{End, Exchange};
use super::grid::sum;
use super::memory::start;

/// Characters of a list that is written in one line.
const LINE: usize = 60;

/// The call, and what it needs.
pub(super) struct Instead {
    pub(super) name: &'static str,
    /// Lines of C.
    pub(super) lines: Vec<String>,
}

/// One side of an exchange: what goes to the neighbours in order, or what comes from them.
struct Blocks<'a, 't> {
    ends: &'a [End<'t>],
    /// Buffers, numbers of elements and datatypes as C.
    buffers: Vec<String>,
    counts: Vec<String>,
    datatypes: Vec<String>,
    /// The variable that all of them are in, and where in it each begins.
    variable: Option<(Variable<'t>, Vec<Sum>)>,
}

/// The call that does what an exchange does; `None` for buffers that have no name in it.
pub(super) fn instead<'t>(scope: &Scope<'t>, exchange: &Exchange<'t>) -> Option<Instead> {
    let sent = Blocks::of(scope, &exchange.sends)?;
    let received = Blocks::of(scope, &exchange.receives)?;
    let communicator = exchange.sends[0].call.argument(mpi::Role::Communicator)?;
    let communicator = scope.text(communicator);
    let short = |name: &'static str, sent: String| Instead {
        name,
        lines: vec![format!("{name}({sent}, {}, {communicator});", received.first())],
    };
    let same_type = sent.basic().is_some() && sent.basic() == received.basic();
    let one_length = sent.length(scope).zip(received.length(scope)).is_some_and(|(a, b)| a.equals(scope, &b));
    if same_type && one_length && received.is_row(scope) {
        if sent.buffers.iter().all(|buffer| *buffer == sent.buffers[0]) {
            return Some(short("MPI_Neighbor_allgather", sent.first()));
        }
        if sent.is_row(scope) {
            return Some(short("MPI_Neighbor_alltoall", sent.first()));
        }
    }
    let mut lines = Vec::new();
    let [send_counts, receive_counts] =
        lists(scope, &mut lines, "int", "counts", [&sent.counts, &received.counts]);
    if same_type && let Some((a, b)) = sent.places(scope).zip(received.places(scope)) {
        let names = lists(scope, &mut lines, "int", "at", [&a.1, &b.1]);
        let basic = &sent.datatypes[0];
        lines.push(format!(
            "MPI_Neighbor_alltoallv({}, {send_counts}, {}, {basic}, {}, {receive_counts}, {}, {basic}, {communicator});",
            a.0, names[0], b.0, names[1]
        ));
        return Some(Instead { name: "MPI_Neighbor_alltoallv", lines });
    }
    let [send_types, receive_types] =
        lists(scope, &mut lines, "MPI_Datatype", "types", [&sent.datatypes, &received.datatypes]);
    let (from, send_at) = sent.addresses(scope, &mut lines, "send_at");
    let (into, receive_at) = received.addresses(scope, &mut lines, "receive_at");
    lines.push(format!(
        "MPI_Neighbor_alltoallw({from}, {send_counts}, {send_at}, {send_types}, {into}, {receive_counts}, {receive_at}, {receive_types}, {communicator});"
    ));
    Some(Instead { name: "MPI_Neighbor_alltoallw", lines })
}

impl<'a, 't> Blocks<'a, 't> {
    fn of(scope: &Scope<'t>, ends: &'a [End<'t>]) -> Option<Self> {
        let is_fixed = |end: &End<'t>, node| {
            let names = super::super::scope::names(scope.file, node);
            end.round.iter().all(|(variable, _)| !names.contains(variable))
        };
        let count = |end: &End<'t>| match is_fixed(end, end.count) {
            true => Some(scope.text(end.count).to_owned()),
            false => Some(sum(scope, end.count, &end.round)?.to_string()),
        };
        let datatype =
            |end: &End<'t>| is_fixed(end, end.datatype).then(|| scope.text(end.datatype).to_owned());
        let buffer = |end: &End<'t>| match is_fixed(end, end.buffer) {
            true => Some(scope.text(end.buffer).to_owned()),
            false => address(scope, end),
        };
        let mut variable: Option<(Variable<'t>, Vec<Sum>)> = None;
        for (place, end) in ends.iter().enumerate() {
            let known = start(scope, end.buffer, &end.round);
            match (known, &mut variable) {
                (Some((own, at)), None) if place == 0 => variable = Some((own, vec![at])),
                (Some((own, at)), Some((first, places))) if own.name == first.name => places.push(at),
                _ => {
                    variable = None;
                    break;
                }
            }
        }
        Some(Self {
            ends,
            buffers: ends.iter().map(buffer).collect::<Option<_>>()?,
            counts: ends.iter().map(count).collect::<Option<_>>()?,
            datatypes: ends.iter().map(datatype).collect::<Option<_>>()?,
            variable,
        })
    }

    /// The first block, as three arguments.
    fn first(&self) -> String {
        format!("{}, {}, {}", self.buffers[0], self.counts[0], self.datatypes[0])
    }

    /// The predefined datatype of all.
    fn basic(&self) -> Option<&str> {
        let first = self.datatypes.first()?;
        mpi::constant(first)?.datatype()?;
        self.datatypes.iter().all(|datatype| datatype == first).then_some(first)
    }

    /// The number of elements of each.
    fn length(&self, scope: &Scope<'t>) -> Option<Sum> {
        let number = |end: &End<'t>| sum(scope, end.count, &end.round);
        let first = number(self.ends.first()?)?;
        let is_same = |end: &End<'t>| number(end).is_some_and(|other| other.equals(scope, &first));
        self.ends.iter().all(is_same).then_some(first)
    }

    /// Whether the blocks lie side by side in order.
    fn is_row(&self, scope: &Scope<'t>) -> bool {
        let (Some(length), Some((variable, places))) = (self.length(scope), &self.variable) else {
            return false;
        };
        let has_elements = self.basic().is_some_and(|basic| scope.has_elements(variable, basic));
        let follows = |pair: &[Sum]| pair[1].minus(&pair[0]).is_some_and(|gap| gap.equals(scope, &length));
        has_elements && places.windows(2).all(follows)
    }

    /// The array that all of them are in, and their indices in it.
    fn places(&self, scope: &Scope<'t>) -> Option<(String, Vec<String>)> {
        let (variable, places) = self.variable.as_ref()?;
        let fits = variable.dimensions() == 1 && scope.has_elements(variable, self.basic()?);
        fits.then(|| (scope.text(variable.name).to_owned(), places.iter().map(Sum::to_string).collect()))
    }

    /// What the addresses of all are told relative to, and the name of the list that tells them.
    fn addresses(&self, scope: &Scope<'t>, lines: &mut Vec<String>, name: &str) -> (String, String) {
        let list = scope.fresh(name);
        if let Some((variable, _)) = &self.variable {
            let name = scope.text(variable.name);
            let base = if variable.shape == Shape::Plain { format!("&{name}") } else { name.to_owned() };
            let place = |buffer: &String| match *buffer == base {
                true => "0".to_owned(),
                false => format!("(char *){} - (char *){base}", operand(buffer)),
            };
            let places: Vec<String> = self.buffers.iter().map(place).collect();
            lines.extend(declared("MPI_Aint", &list, &places));
            return (base, list);
        }
        lines.push(format!("MPI_Aint {list}[{}];", self.buffers.len()));
        let address = |(place, buffer)| format!("MPI_Get_address({buffer}, &{list}[{place}]);");
        lines.extend(self.buffers.iter().enumerate().map(address));
        ("MPI_BOTTOM".to_owned(), list)
    }
}

/// The address that a buffer is in one round of loops.
fn address<'t>(scope: &Scope<'t>, end: &End<'t>) -> Option<String> {
    let inner = match end.buffer.kind() {
        "pointer_expression" => end.buffer.child_by_field_name("argument")?,
        "binary_expression" => {
            let (variable, by) = start(scope, end.buffer, &end.round)?;
            return Some(format!("{} + {}", scope.text(variable.name), by.factor()));
        }
        _ => end.buffer,
    };
    let within = |place: Place<'t>| {
        end.round
            .iter()
            .try_fold(place, |place, (variable, number)| place.with(variable, &Sum::number(*number)))
    };
    Some(within(Place::start(scope, inner)?)?.address(scope))
}

/// As the operand of a cast.
fn operand(text: &str) -> String {
    let is_simple = text.chars().all(|c| c.is_alphanumeric() || "_&[]".contains(c)) || text.starts_with('&');
    if is_simple { text.to_owned() } else { format!("({text})") }
}

/// Two lists for the same argument at both ends, as one where they are the same; their names.
fn lists(
    scope: &Scope<'_>,
    lines: &mut Vec<String>,
    ctype: &str,
    name: &str,
    values: [&Vec<String>; 2],
) -> [String; 2] {
    if values[0] == values[1] && name != "at" {
        let name = scope.fresh(name);
        lines.extend(declared(ctype, &name, values[0]));
        return [name.clone(), name];
    }
    let names = ["send", "receive"].map(|end| scope.fresh(&format!("{end}_{name}")));
    for (name, values) in names.iter().zip(values) {
        lines.extend(declared(ctype, name, values));
    }
    names
}

/// The declaration of a list.
fn declared(ctype: &str, name: &str, values: &[String]) -> Vec<String> {
    let begin = format!("const {ctype} {name}[{}] = {{", values.len());
    let short = values.join(", ");
    if short.len() <= LINE {
        return vec![format!("{begin}{short}}};")];
    }
    let value = |value: &String| format!("    {value},");
    std::iter::once(begin).chain(values.iter().map(value)).chain(["};".to_owned()]).collect()
}
