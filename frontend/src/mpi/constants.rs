//! MPI's named constants, parsed once from `data/mpi-constants.tsv`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::keyword::keywords;
use super::role::Object;

/// A named constant of MPI.
#[derive(Debug)]
pub struct Constant {
    /// Its name, `MPI_ANY_SOURCE`.
    pub name: &'static str,
    /// What it stands for.
    pub kind: ConstantKind,
    /// Its C type in our header.
    pub ctype: &'static str,
    /// Its value in our header, for an integer. The values of a real MPI library differ: nothing may be concluded from
    /// them except that special ranks and tags are negative, and that bits of modes are distinct.
    pub value: Option<i64>,
    /// The version that deprecated it.
    pub deprecated: Option<&'static str>,
    /// The version that removed it.
    pub removed: Option<&'static str>,
    /// Not in the standard.
    pub extension: bool,
    detail: Detail,
}

/// What only some kinds of constants have.
#[derive(Debug)]
enum Detail {
    None,
    Datatype(PredefinedDatatype),
    Op(PredefinedOp),
}

impl Constant {
    /// Description of a predefined datatype.
    pub fn datatype(&self) -> Option<&PredefinedDatatype> {
        match &self.detail {
            Detail::Datatype(datatype) => Some(datatype),
            _ => None,
        }
    }

    /// Description of a predefined operation.
    pub fn op(&self) -> Option<&PredefinedOp> {
        match &self.detail {
            Detail::Op(op) => Some(op),
            _ => None,
        }
    }

    /// The kind of object that a constant of a handle type stands for, null handles included.
    pub fn object(&self) -> Option<Object> {
        Some(match self.kind {
            ConstantKind::Null(object) => object,
            ConstantKind::Other(Plain::Datatype) => Object::Datatype,
            ConstantKind::Other(Plain::Op) => Object::Op,
            ConstantKind::Other(Plain::Communicator) => Object::Communicator,
            ConstantKind::Other(Plain::Group) => Object::Group,
            ConstantKind::Other(Plain::Info) => Object::Info,
            ConstantKind::Other(Plain::Errhandler) => Object::Errhandler,
            ConstantKind::Other(Plain::Message) => Object::Message,
            _ => return None,
        })
    }

    /// True if this is a constant of the given kind.
    pub fn is(&self, kind: Plain) -> bool {
        self.kind == ConstantKind::Other(kind)
    }
}

/// What a constant stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ConstantKind {
    /// The null handle of a kind of object.
    Null(Object),
    /// Anything else.
    Other(Plain),
}

keywords! {
    /// The kinds of constants that are not null handles.
    pub enum Plain {
        /// Version of the standard.
        Version = "version",
        /// `MPI_ANY_SOURCE`.
        AnySource = "any-source",
        /// `MPI_PROC_NULL`.
        ProcNull = "proc-null",
        /// `MPI_ROOT`.
        Root = "root",
        /// `MPI_ANY_TAG`.
        AnyTag = "any-tag",
        /// `MPI_UNDEFINED`.
        Undefined = "undefined",
        /// Error class; `MPI_SUCCESS` too.
        ErrorClass = "error-class",
        /// Level of thread support; the values increase with the level.
        ThreadLevel = "thread-level",
        /// Result of a comparison.
        Comparison = "comparison",
        /// Kind of topology.
        TopologyKind = "topology-kind",
        /// How to split a communicator.
        SplitType = "split-type",
        /// How a datatype was made.
        Combiner = "combiner",
        /// Order of the dimensions of an array.
        StorageOrder = "storage-order",
        /// Distribution of a dimension.
        Distribution = "distribution",
        /// Default argument of a distribution.
        DistributionArgument = "distribution-argument",
        /// Class of types for `MPI_Type_match_size`.
        TypeClass = "type-class",
        /// Kind of lock.
        LockType = "lock-type",
        /// How a window was made.
        WindowFlavor = "window-flavor",
        /// Memory model of a window.
        WindowModel = "window-model",
        /// Assertion for one-sided synchronization; one bit each.
        Assertion = "assertion",
        /// Access mode of a file; one bit each.
        AccessMode = "access-mode",
        /// What a file offset is relative to.
        Whence = "whence",
        /// Special file offset.
        FileOffset = "file-offset",
        /// Attribute key.
        Keyval = "keyval",
        /// Size or index that arrays are declared with.
        Limit = "limit",
        /// Constant of the tool interface.
        Tool = "tool",
        /// Communicator.
        Communicator = "communicator",
        /// Group.
        Group = "group",
        /// Info object.
        Info = "info",
        /// Message handle.
        Message = "message",
        /// Error handler.
        Errhandler = "errhandler",
        /// `MPI_BOTTOM`.
        Bottom = "bottom",
        /// `MPI_IN_PLACE`.
        InPlace = "in-place",
        /// `MPI_BUFFER_AUTOMATIC`.
        BufferAutomatic = "buffer-automatic",
        /// A status, or array of statuses, that is not wanted.
        StatusIgnore = "status-ignore",
        /// Error codes of spawned processes that are not wanted.
        ErrcodesIgnore = "errcodes-ignore",
        /// No weights, or an empty array of them.
        Weights = "weights",
        /// No arguments.
        ArgvNull = "argv-null",
        /// Fortran's status that is not wanted.
        FortranStatusIgnore = "fortran-status-ignore",
        /// Operation.
        Op = "op",
        /// Datatype.
        Datatype = "datatype",
        /// Predefined callback.
        Function = "function",
    }
}

/// A predefined datatype.
#[derive(Debug)]
pub struct PredefinedDatatype {
    /// Bytes of data in one element, as `MPI_Type_size` tells under LP64.
    pub size: u64,
    /// Bytes from one element to the next, as `MPI_Type_get_extent` tells under LP64.
    pub extent: u64,
    /// The C types of an element, the standard's own first: canonical spellings (`unsigned long`, `float _Complex`), or
    /// `struct{double,int}` for pairs. More than one where several C types are the same under LP64. Empty for `MPI_LB`
    /// and `MPI_UB`, and for types that match every C type.
    pub c_types: Vec<&'static str>,
    /// Describes raw bytes, so that a buffer of any C type will do: `MPI_BYTE`, `MPI_PACKED`.
    pub any_c_type: bool,
    /// The basic types of one element, for comparing a send with its receive: two predefined types match exactly if
    /// these are equal (MPI-4.1 section 3.3.1), or one of them [matches all](TypeGroup::Packed).
    pub signature: Vec<&'static str>,
    /// What operations apply.
    pub group: TypeGroup,
}

keywords! {
    /// The groups of datatypes of MPI-4.1 section 6.9.2, and those outside of any.
    pub enum TypeGroup {
        /// C integers; not characters.
        CInteger = "c-integer",
        /// Fortran integers.
        FortranInteger = "fortran-integer",
        /// Floating point numbers.
        FloatingPoint = "floating-point",
        /// Truth values.
        Logical = "logical",
        /// Complex numbers.
        Complex = "complex",
        /// `MPI_BYTE`.
        Byte = "byte",
        /// `MPI_AINT`, `MPI_OFFSET`, `MPI_COUNT`.
        MultiLanguage = "multi-language",
        /// Value and index, for `MPI_MAXLOC` and `MPI_MINLOC`.
        Pair = "pair",
        /// Characters; no operation applies.
        Character = "character",
        /// `MPI_PACKED`; matches every type, no operation applies.
        Packed = "packed",
        /// The removed `MPI_LB` and `MPI_UB`.
        Marker = "marker",
    }
}

/// A predefined operation.
#[derive(Debug)]
pub struct PredefinedOp {
    /// The groups of datatypes it applies to.
    pub accepts: Vec<TypeGroup>,
    /// Only for one-sided communication: `MPI_REPLACE`, `MPI_NO_OP`.
    pub rma_only: bool,
}

impl PredefinedOp {
    /// The operation applies to datatypes of a group.
    pub fn accepts(&self, group: TypeGroup) -> bool {
        self.accepts.contains(&group)
    }
}

/// The constant with a name.
pub fn constant(name: &str) -> Option<&'static Constant> {
    if !name.starts_with("MPI_") {
        return None;
    }
    let table = table();
    table.index.get(name).map(|&at| &table.constants[at])
}

/// All constants, in the order of the data file.
pub fn constants() -> impl ExactSizeIterator<Item = &'static Constant> {
    table().constants.iter()
}

struct Table {
    constants: Vec<Constant>,
    index: FxHashMap<&'static str, usize>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let constants = parse(include_str!("../../data/mpi-constants.tsv"))
            .expect("the checked-in constants are well formed: tests/all/mpi_table parses them");
        let index = constants.iter().enumerate().map(|(at, constant)| (constant.name, at)).collect();
        Table { constants, index }
    })
}

/// Parses the constants. The error is the line that is not well formed.
fn parse(text: &'static str) -> Result<Vec<Constant>, &'static str> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| parse_line(line).ok_or(line)).collect()
}

fn parse_line(line: &'static str) -> Option<Constant> {
    let mut columns = line.split('\t');
    let (name, kind, ctype, value) = (columns.next()?, columns.next()?, columns.next()?, columns.next()?);
    let kind = match kind.strip_prefix("null ") {
        Some(object) => ConstantKind::Null(Object::parse(object)?),
        None => ConstantKind::Other(Plain::parse(kind)?),
    };
    let mut constant = Constant {
        name,
        kind,
        ctype,
        value: match value {
            "-" => None,
            digits => Some(digits.parse().ok()?),
        },
        deprecated: None,
        removed: None,
        extension: false,
        detail: match kind {
            ConstantKind::Other(Plain::Datatype) => Detail::Datatype(PredefinedDatatype {
                size: 0,
                extent: 0,
                c_types: Vec::new(),
                any_c_type: false,
                signature: Vec::new(),
                group: TypeGroup::Marker,
            }),
            ConstantKind::Other(Plain::Op) => {
                Detail::Op(PredefinedOp { accepts: Vec::new(), rma_only: false })
            }
            _ => Detail::None,
        },
    };
    for fact in columns {
        let (key, value) = fact.split_once('=').unwrap_or((fact, ""));
        match (key, &mut constant.detail) {
            ("deprecated", _) => constant.deprecated = Some(value),
            ("removed", _) => constant.removed = Some(value),
            ("extension", _) => constant.extension = true,
            ("size", Detail::Datatype(datatype)) => datatype.size = value.parse().ok()?,
            ("extent", Detail::Datatype(datatype)) => datatype.extent = value.parse().ok()?,
            ("c", Detail::Datatype(datatype)) => match value {
                "*" => datatype.any_c_type = true,
                "" => {}
                types => datatype.c_types = types.split('|').collect(),
            },
            ("group", Detail::Datatype(datatype)) => datatype.group = TypeGroup::parse(value)?,
            ("signature", Detail::Datatype(datatype)) => datatype.signature = signature(value),
            ("accepts", Detail::Op(op)) => {
                op.accepts = value.split(',').map(TypeGroup::parse).collect::<Option<_>>()?;
            }
            ("rma-only", Detail::Op(op)) => op.rma_only = true,
            _ => return None,
        }
    }
    Some(constant)
}

/// The basic types of `double`, `double,int` or `struct{double,int}`.
fn signature(text: &'static str) -> Vec<&'static str> {
    let inside = text.strip_prefix("struct{").and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
    inside.split(',').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_line_is_named() {
        assert_eq!(parse("MPI_X\tnonsense\tint\t1").unwrap_err(), "MPI_X\tnonsense\tint\t1");
        assert_eq!(parse("MPI_X\tversion\tint\tone").unwrap_err(), "MPI_X\tversion\tint\tone");
    }

    #[test]
    fn signatures_are_split_into_basic_types() {
        assert_eq!(signature("struct{double,int}"), ["double", "int"]);
        assert_eq!(signature("unsigned long"), ["unsigned long"]);
    }
}
