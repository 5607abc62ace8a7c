//! The call table: every MPI function with its class and parameters, out of `data/mpi-functions.tsv`.
//!
//! The first look-up only notes where each function stands in the text; a function is parsed when it is first asked for.
//! A program uses a few dozen of the seven hundred, and reading them all would cost more than analysing a small one.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::class::Class;
use super::keyword::keywords;
use super::operation::Completion;
use super::role::{Direction, Object, Role};

/// A function of MPI's C binding.
#[derive(Debug)]
pub struct Function {
    /// Its name, `MPI_Send`; never the profiling name.
    pub name: &'static str,
    /// Its C return type: `int` for nearly all.
    pub ret: &'static str,
    /// What it does.
    pub class: Class,
    /// The processes that make the call together.
    pub scope: Scope,
    /// May be called before initialization and after finalization (MPI-4.1 section 11.4.1).
    pub any_time: bool,
    /// The function of which this is the large-count form: `MPI_Send` for `MPI_Send_c`.
    pub large_count_of: Option<&'static str>,
    /// The version that deprecated it.
    pub deprecated: Option<&'static str>,
    /// The version that removed it.
    pub removed: Option<&'static str>,
    /// What to use instead of a deprecated or removed function.
    pub replacement: Option<&'static str>,
    /// The version that added it, where that is later than MPI-4.1.
    pub since: Option<&'static str>,
    /// Its parameters in order. A last one with [`Role::Varargs`] stands for `...`.
    pub params: Vec<Param>,
    buffers: Vec<Buffer>,
    target: Option<TargetAccess>,
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Param {
    /// Its name in the standard.
    pub name: &'static str,
    /// Its declared C type without the name: `const void *`, `const int[]`, `int[][3]`, `...`.
    pub ctype: &'static str,
    /// What it is for.
    pub role: Role,
    /// Whether the call reads or writes what it holds or points to.
    pub direction: Direction,
    /// For an array (or a string that the call writes), how long it is, where the standard says so.
    pub length: Option<Length>,
    /// Only the root of the collective looks at it.
    pub root_only: bool,
    /// For memory counted in bytes, the parameter with its size.
    pub bytes: Option<usize>,
}

impl Param {
    /// Declared as an array: the argument points to [`length`](Self::length) elements.
    pub fn is_array(&self) -> bool {
        self.ctype.contains('[')
    }

    /// Declared as a pointer or array.
    pub fn is_pointer(&self) -> bool {
        self.ctype.ends_with('*') || self.is_array()
    }
}

/// The number of elements of an array parameter. Indices are those of parameters of the same function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// The value of a parameter.
    Param(usize),
    /// The value of a parameter times a number.
    Times(usize, u32),
    /// The sum of the elements of an array parameter.
    Sum(usize),
    /// The last element of an array parameter.
    Last(usize),
    /// A constant of MPI, the least room a caller must give.
    Constant(&'static str),
    /// The size of the communicator (of the remote group, on an intercommunicator).
    CommSize,
    /// The number of neighbours that send to this process.
    InNeighbors,
    /// The number of neighbours that this process sends to.
    OutNeighbors,
    /// The number of dimensions of the Cartesian communicator.
    CommDimensions,
}

/// The processes that must make a call together, in the same order as their other collective calls on the same object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The call is local, or concerns only the processes that its arguments name.
    Local,
    /// All processes of `MPI_COMM_WORLD`.
    World,
    /// All processes of the communicator, group, window or file in the parameter with this index.
    Over(usize),
}

/// A buffer with what describes its contents. Numbers are parameter indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffer {
    /// The buffer itself.
    pub param: usize,
    /// What happens to its contents.
    pub direction: Direction,
    /// Number of elements, or array of numbers; the [`scale`](Self::scale) says what it counts. `None` for a single
    /// element ([`Scale::One`]) and for the end of a split collective, whose beginning has the count.
    pub count: Option<usize>,
    /// The datatype, or array of datatypes. `None` only for the end of a split collective.
    pub datatype: Option<usize>,
    /// Array of displacements: in extents of the datatype, or in bytes where the datatype is an array too.
    pub displacements: Option<usize>,
    /// What the count stands for.
    pub scale: Scale,
    /// Number of partitions.
    pub partitions: Option<usize>,
    /// The rank its contents go to.
    pub dest: Option<usize>,
    /// The rank its contents come from.
    pub source: Option<usize>,
    /// The tag its contents are sent with.
    pub send_tag: Option<usize>,
    /// The tag its contents are received with.
    pub recv_tag: Option<usize>,
    /// Where `MPI_IN_PLACE` may stand for it.
    pub in_place: Option<InPlace>,
    /// Only the root of the collective looks at it.
    pub root_only: bool,
}

keywords! {
    /// How much data a buffer holds, from its count.
    pub enum Scale {
        /// `count` elements.
        Count = "count",
        /// One element.
        One = "one",
        /// `count` elements for each process of the communicator.
        PerProcess = "per-process",
        /// `count[i]` elements for process `i`.
        Sum = "sum",
        /// `count[own rank]` elements.
        OwnEntry = "own-entry",
        /// `count` elements for each neighbour that sends to this process.
        PerInNeighbor = "per-neighbor-in",
        /// `count` elements for each neighbour that this process sends to.
        PerOutNeighbor = "per-neighbor-out",
        /// `count[i]` elements for the `i`-th neighbour that sends to this process.
        SumInNeighbors = "neighbor-sum-in",
        /// `count[i]` elements for the `i`-th neighbour that this process sends to.
        SumOutNeighbors = "neighbor-sum-out",
        /// `count` elements for each partition.
        PerPartition = "per-partition",
    }
}

keywords! {
    /// At which processes `MPI_IN_PLACE` may stand for a buffer (on intracommunicators only; MPI-4.1 section 6.2.3).
    pub enum InPlace {
        /// At the root.
        Root = "root",
        /// At all processes alike.
        All = "all",
    }
}

/// The memory of the target that a one-sided operation touches. Numbers are parameter indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetAccess {
    /// The window.
    pub window: usize,
    /// The target's rank.
    pub rank: usize,
    /// Displacement in units of the target's window.
    pub displacement: usize,
    /// Number of elements; `None` for one.
    pub count: Option<usize>,
    /// Datatype of the elements.
    pub datatype: usize,
}

/// The state of a request that a call makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestState {
    /// An operation is under way: the request must be completed.
    Active,
    /// Nothing happens before the request is started.
    Inactive,
}

impl Function {
    /// All processes of some group must make the call together.
    pub fn is_collective(&self) -> bool {
        self.scope != Scope::Local
    }

    /// Index of the first parameter with a role.
    pub fn param_with_role(&self, role: Role) -> Option<usize> {
        self.params.iter().position(|param| param.role == role)
    }

    /// Index of the first parameter with a role and a direction.
    pub fn param_with(&self, role: Role, direction: Direction) -> Option<usize> {
        self.params.iter().position(|param| param.role == role && param.direction == direction)
    }

    /// Index of the parameter with a name.
    pub fn param_named(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name == name)
    }

    /// Indices and parameters with a role, in order.
    pub fn params_with_role(&self, role: Role) -> impl Iterator<Item = (usize, &Param)> {
        self.params.iter().enumerate().filter(move |(_, param)| param.role == role)
    }

    /// The typed buffers in order of their parameters.
    pub fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        self.buffers.iter()
    }

    /// Memory that is counted in bytes instead of elements: its parameter and that of its size, if there is one.
    pub fn memory(&self) -> impl Iterator<Item = (usize, Option<usize>)> {
        self.params.iter().enumerate().filter_map(|(index, param)| {
            use Role::{AllocatedMemory, AttachedBuffer, PackedBuffer, WindowMemory};
            let is_memory =
                [PackedBuffer, WindowMemory, AllocatedMemory, AttachedBuffer].contains(&param.role);
            is_memory.then_some((index, param.bytes))
        })
    }

    /// The memory of the target, for a one-sided operation.
    pub fn target(&self) -> Option<&TargetAccess> {
        self.target.as_ref()
    }

    /// The parameter through which the call hands out a new object that the caller must give up again, and its kind.
    /// See [`Class::creates`].
    pub fn created(&self) -> Option<(usize, Object)> {
        let object = self.class.creates()?;
        Some((self.param_with(object.role(), Direction::Out)?, object))
    }

    /// The parameter whose object the call gives up, and its kind. See [`Class::destroys`].
    pub fn destroyed(&self) -> Option<(usize, Object)> {
        let object = self.class.destroys()?;
        Some((self.param_with(object.role(), Direction::InOut)?, object))
    }

    /// The parameter through which the call hands out a request, and the state the request is in.
    pub fn request_made(&self) -> Option<(usize, RequestState)> {
        let index = self.param_with(Role::Request, Direction::Out)?;
        let state = match self.class.completion() {
            Some(Completion::Persistent | Completion::Partitioned) => RequestState::Inactive,
            _ => RequestState::Active,
        };
        Some((index, state))
    }

    /// Has no fixed number of arguments.
    pub fn is_variadic(&self) -> bool {
        self.params.last().is_some_and(|param| param.role == Role::Varargs)
    }

    /// Whether a function of this name that stands for this one is neither it nor its profiling name (`PMPI_`), but a wrapper of the
    /// program.
    pub fn is_wrapped_by(&self, name: &str) -> bool {
        !name.ends_with(self.name) || !matches!(name.len() - self.name.len(), 0 | 1)
    }
}

/// The function with a name. A profiling name finds the function it stands for: `PMPI_Send` is `MPI_Send`.
pub fn lookup(name: &str) -> Option<&'static Function> {
    let name = if name.starts_with("PMPI_") { &name[1..] } else { name };
    if !name.starts_with("MPI_") {
        return None;
    }
    let table = table();
    table.index.get(name).map(|&at| table.entries[at].function())
}

/// All functions, in the order of the table (by name).
pub fn functions() -> impl ExactSizeIterator<Item = &'static Function> {
    table().entries.iter().map(Entry::function)
}

struct Table {
    entries: Vec<Entry>,
    index: FxHashMap<&'static str, usize>,
}

/// The lines of one function, and what they say once somebody has asked.
struct Entry {
    text: &'static str,
    parsed: OnceLock<Function>,
}

impl Entry {
    fn function(&self) -> &Function {
        self.parsed.get_or_init(|| {
            parse(self.text)
                .expect("the checked-in table is well formed: tests/all/mpi_table parses all of it")
        })
    }
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let entries: Vec<Entry> = split(include_str!("../../data/mpi-functions.tsv"))
            .into_iter()
            .map(|text| Entry { text, parsed: OnceLock::new() })
            .collect();
        let name = |text: &'static str| text.split('\t').next().unwrap_or(text);
        let index = entries.iter().enumerate().map(|(at, entry)| (name(entry.text), at)).collect();
        Table { entries, index }
    })
}

/// Cuts the table into functions: a line that does not begin with a tabulator begins one, unless it is a comment.
fn split(text: &'static str) -> Vec<&'static str> {
    let mut result = Vec::with_capacity(720);
    let mut begin = 0;
    for (end, _) in text.match_indices('\n') {
        if text.as_bytes().get(end + 1) != Some(&b'\t') {
            if !text[begin..].starts_with('#') {
                result.push(&text[begin..end]);
            }
            begin = end + 1;
        }
    }
    result
}

/// Parses the lines of one function. The error is the line that is not well formed.
fn parse(text: &'static str) -> Result<Function, &'static str> {
    let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
    let rows = rest.lines().map(|line| ParamRow::parse(line).ok_or(line)).collect::<Result<Vec<_>, _>>()?;
    function(head, &rows).ok_or(head)
}

/// The columns of a parameter line.
struct ParamRow {
    name: &'static str,
    ctype: &'static str,
    role: &'static str,
    direction: &'static str,
    length: &'static str,
    attributes: &'static str,
}

impl ParamRow {
    fn parse(line: &'static str) -> Option<ParamRow> {
        let mut columns = line.split('\t').skip(1);
        let mut next = || columns.next();
        Some(ParamRow {
            name: next()?,
            ctype: next()?,
            role: next()?,
            direction: next()?,
            length: next()?,
            attributes: next()?,
        })
    }
}

fn index_of(rows: &[ParamRow], name: &str) -> Option<usize> {
    rows.iter().position(|row| row.name == name)
}

fn function(head: &'static str, rows: &[ParamRow]) -> Option<Function> {
    let mut columns = head.split('\t');
    let mut next = || columns.next();
    let (name, ret, class, scope, flags) = (next()?, next()?, next()?, next()?, next()?);
    let scope = match scope {
        "-" => Scope::Local,
        "world" => Scope::World,
        param => Scope::Over(index_of(rows, param)?),
    };
    let mut function = Function {
        name,
        ret,
        class: Class::parse(class)?,
        scope,
        any_time: false,
        large_count_of: None,
        deprecated: None,
        removed: None,
        replacement: None,
        since: None,
        params: Vec::with_capacity(rows.len()),
        buffers: Vec::new(),
        target: None,
    };
    for flag in words(flags) {
        let (key, value) = flag.split_once('=').unwrap_or((flag, ""));
        match key {
            "any-time" => function.any_time = true,
            "large" => function.large_count_of = Some(value),
            "deprecated" => function.deprecated = Some(value),
            "removed" => function.removed = Some(value),
            "use" => function.replacement = Some(value),
            "since" => function.since = Some(value),
            _ => return None,
        }
    }
    for (index, row) in rows.iter().enumerate() {
        let role = Role::parse(row.role)?;
        let direction = Direction::parse(row.direction)?;
        let mut param = Param {
            name: row.name,
            ctype: row.ctype,
            role,
            direction,
            length: match row.length {
                "-" => None,
                text => Some(length(rows, text)?),
            },
            root_only: false,
            bytes: None,
        };
        let mut buffer = Buffer::new(index, direction);
        let mut target = TargetAccess { window: index, rank: 0, displacement: 0, count: None, datatype: 0 };
        let mut has_target = false;
        for attribute in words(row.attributes) {
            let (key, value) = attribute.split_once('=').unwrap_or((attribute, ""));
            match key {
                "root-only" => param.root_only = true,
                "scale" => buffer.scale = Scale::parse(value)?,
                "in-place" => buffer.in_place = Some(InPlace::parse(value)?),
                key => {
                    let other = index_of(rows, value)?;
                    match key {
                        "bytes" => param.bytes = Some(other),
                        "count" => buffer.count = Some(other),
                        "datatype" => buffer.datatype = Some(other),
                        "displacements" => buffer.displacements = Some(other),
                        "partitions" => buffer.partitions = Some(other),
                        "dest" => buffer.dest = Some(other),
                        "source" => buffer.source = Some(other),
                        "send-tag" => buffer.send_tag = Some(other),
                        "recv-tag" => buffer.recv_tag = Some(other),
                        "target-displacement" => {
                            target.displacement = other;
                            has_target = true;
                        }
                        "target-count" => target.count = Some(other),
                        "target-datatype" => target.datatype = other,
                        _ => return None,
                    }
                }
            }
        }
        if has_target {
            target.rank = rows.iter().position(|row| row.role == Role::Target.keyword())?;
            function.target = Some(target);
        }
        if role.is_typed_buffer() {
            buffer.root_only = param.root_only;
            function.buffers.push(buffer);
        }
        function.params.push(param);
    }
    Some(function)
}

impl Buffer {
    fn new(param: usize, direction: Direction) -> Buffer {
        Buffer {
            param,
            direction,
            count: None,
            datatype: None,
            displacements: None,
            scale: Scale::Count,
            partitions: None,
            dest: None,
            source: None,
            send_tag: None,
            recv_tag: None,
            in_place: None,
            root_only: false,
        }
    }
}

/// The words of a column; a dash stands for none.
fn words(column: &'static str) -> impl Iterator<Item = &'static str> {
    column.split(' ').filter(|&word| word != "-")
}

fn length(rows: &[ParamRow], text: &'static str) -> Option<Length> {
    let inside = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix(')');
    Some(match text {
        "comm-size" => Length::CommSize,
        "in-neighbors" => Length::InNeighbors,
        "out-neighbors" => Length::OutNeighbors,
        "comm-dimensions" => Length::CommDimensions,
        constant if constant.starts_with("MPI_") => Length::Constant(constant),
        text => {
            if let Some(name) = inside("sum(") {
                Length::Sum(index_of(rows, name)?)
            } else if let Some(name) = inside("last(") {
                Length::Last(index_of(rows, name)?)
            } else if let Some((name, factor)) = text.split_once('*') {
                Length::Times(index_of(rows, name)?, factor.parse().ok()?)
            } else {
                Length::Param(index_of(rows, text)?)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_line_is_named() {
        assert_eq!(parse("MPI_X\tint\tnonsense\t-\t-").unwrap_err(), "MPI_X\tint\tnonsense\t-\t-");
        assert_eq!(parse("MPI_X\tint\tabort\t-\t-\n\tcomm").unwrap_err(), "\tcomm");
    }
}
