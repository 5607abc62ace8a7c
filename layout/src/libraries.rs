//! Where MPICH and Open MPI leave the standard: the extent that they give a datatype, and how to build it so that both agree.
//!
//! What is known is of MPICH 4.0 and Open MPI 4.1; it was found by reducing random datatypes to the smallest that a library answers
//! otherwise (`tests/all/support/libraries.rs` has the bytes, too, and asks the libraries):
//!
//! * The standard rounds the extent of *every* typemap up to a multiple of the strictest alignment. **MPICH** does so for structs of
//!   different datatypes only: `hindexed([1,1],[0,5],MPI_INT)` has the extent 12, and MPICH says 9. It ends a row of padded copies where
//!   the padding of the last one ends.
//! * **Open MPI** rounds up after each block: `hindexed([1,1,1],[1,2,0],MPI_INT)` has the extent 8, and Open MPI says 12.
//! * Bounds that are set win over those of elements. **MPICH** unites the bounds of all parts, set or not, and rounds up the extent of a
//!   struct whose bounds are set.
//! * A stride of -1 byte is one as good as any. For **Open MPI** it stands for no stride: the blocks follow one another.
//!
//! Nothing is said of what has parts without elements, where both libraries make up several answers, and of what is resized to a negative
//! extent after its bounds were set, which MPICH packs otherwise.

use crate::bounds::FARTHEST;
use crate::datatype::{Constructor, Datatype};
use crate::layout::{Layout, LayoutError};

/// An MPI library of which it is known what it makes of datatypes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Library {
    /// MPICH 4.0, and what is made from it (Intel MPI, MVAPICH, Cray MPICH).
    Mpich,
    /// Open MPI 4.1.
    OpenMpi,
}

impl Library {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Mpich, Self::OpenMpi];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Mpich => "MPICH",
            Self::OpenMpi => "Open MPI",
        }
    }
}

/// The lower bound and the extent of a datatype in a library, in bytes; `None` where that is not known, or too large.
#[must_use]
pub fn extent_in(library: Library, datatype: &Datatype) -> Option<(i64, i64)> {
    let datatype = datatype.without_trees().ok()?;
    reading(library, &datatype).map(|reading| (reading.lower, reading.upper - reading.lower))
}

/// A datatype with the same elements and bounds that has the bounds of the standard in both libraries, as far as is known: where one of
/// them would leave the standard, bounds are set by `MPI_Type_create_resized`, and a stride of -1 byte becomes a list of places.
///
/// # Errors
///
/// As [`Datatype::layout`].
pub fn agreed(datatype: &Datatype) -> Result<Datatype, LayoutError> {
    datatype.layout()?;
    Ok(Agreed::of(&datatype.without_trees()?)?.datatype)
}

/// A datatype, and what is built instead.
struct Agreed {
    /// What the standard says of it.
    layout: Layout,
    /// What is built, and what the standard says of that.
    datatype: Datatype,
    built: Layout,
    /// What the libraries make of what is built.
    readings: [Option<Reading>; 2],
}

impl Agreed {
    fn of(datatype: &Datatype) -> Result<Self, LayoutError> {
        let Datatype::Constructed(constructor) = datatype else {
            let layout = datatype.layout()?;
            let readings = Library::ALL.map(|library| reading(library, datatype));
            return Ok(Self { built: layout.clone(), layout, datatype: datatype.clone(), readings });
        };
        let children: Vec<Self> = constructor.children().iter().map(Self::of).collect::<Result<_, _>>()?;
        let layout = constructor.layout(children.iter().map(|child| child.layout.clone()).collect())?;
        let others = children.iter().map(|child| child.datatype.clone()).collect();
        let constructor = with_places(constructor.with_children(others), &children);
        let built = constructor.layout(children.iter().map(|child| child.built.clone()).collect())?;
        let readings = [0, 1].map(|library| {
            let of_children: Option<Vec<Reading>> =
                children.iter().map(|child| child.readings[library]).collect();
            reading_of(Library::ALL[library], &constructor, &of_children?)
        });
        let wanted = (layout.bounds.lower, layout.bounds.upper);
        let agree = wanted == (built.bounds.lower, built.bounds.upper)
            && readings.iter().flatten().all(|reading| wanted == (reading.lower, reading.upper));
        let datatype = Datatype::from(constructor);
        if agree {
            return Ok(Self { layout, datatype, built, readings });
        }
        let (lower, extent) = (layout.bounds.lower, layout.bounds.extent());
        let resized = Constructor::Resized { lower_bound: lower, extent, child: datatype };
        let readings =
            [0, 1].map(|library| reading_of(Library::ALL[library], &resized, &[readings[library]?]));
        Ok(Self { built: resized.layout(vec![built])?, layout, datatype: resized.into(), readings })
    }
}

/// Lists of more blocks are not made of a stride.
const MOST_PLACES: i64 = 1 << 12;

/// The places of the blocks as a list where Open MPI would not take the stride.
fn with_places(constructor: Constructor, children: &[Agreed]) -> Constructor {
    let extent = children.first().map_or(0, |child| child.layout.bounds.extent());
    match &constructor {
        Constructor::Vector { count, blocklength, child, .. }
        | Constructor::Hvector { count, blocklength, child, .. }
            if stride_of(&constructor, extent) == Some(-1) && *count <= MOST_PLACES =>
        {
            Constructor::HindexedBlock {
                blocklength: *blocklength,
                displacements: (0..*count).map(|block| -block).collect(),
                child: child.clone(),
            }
        }
        _ => constructor,
    }
}

/// Bytes from one block of a vector to the next, where there are several blocks.
fn stride_of(constructor: &Constructor, extent: i64) -> Option<i64> {
    match constructor {
        Constructor::Vector { count, stride, .. } if 1 < *count => stride.checked_mul(extent),
        Constructor::Hvector { count, stride, .. } if 1 < *count => Some(*stride),
        _ => None,
    }
}

/// What a library makes of a datatype that has elements.
#[derive(Clone, Copy, Debug)]
struct Reading {
    lower: i64,
    upper: i64,
    /// Whether the bounds are set.
    set: bool,
    alignment: i64,
    /// Whether there are no elements.
    is_empty: bool,
}

/// None where it is not known. The datatype has no trees in it.
fn reading(library: Library, datatype: &Datatype) -> Option<Reading> {
    match datatype {
        Datatype::Basic(basic) => Some(Reading {
            lower: 0,
            upper: basic.size(),
            set: false,
            alignment: basic.alignment(),
            is_empty: false,
        }),
        Datatype::Constructed(constructor) => {
            let children: Option<Vec<Reading>> =
                constructor.children().iter().map(|child| reading(library, child)).collect();
            reading_of(library, constructor, &children?)
        }
        Datatype::Tree(_) => None,
    }
}

/// The same of a call, from what the library makes of its children.
fn reading_of(library: Library, constructor: &Constructor, children: &[Reading]) -> Option<Reading> {
    if let Constructor::Resized { extent, .. } = constructor
        && *extent < 0
        && library == Library::Mpich
        && children.iter().any(|child| child.set)
    {
        return None;
    }
    let Rows { rows, is_list } = rows(library, constructor, children)?;
    let mut all = Union::default();
    let mut is_empty = true;
    for Row { child, length, at, copies, stride } in rows {
        if length == 0 || copies == 0 {
            continue;
        }
        let child = children.get(child)?;
        if child.is_empty {
            return None;
        }
        is_empty = false;
        let mut row = Union::default();
        row.add(library, child.copies(length, child.upper.checked_sub(child.lower)?, at)?);
        if library == Library::OpenMpi {
            row.pad(library)?;
        }
        all.add(library, row.copies(copies, stride)?);
        if library == Library::OpenMpi && is_list {
            all.pad(library)?;
        }
    }
    // A struct of one datatype only is an `hindexed` for MPICH.
    let is_struct = match constructor {
        Constructor::Struct { children, .. } => children.windows(2).any(|pair| pair[0] != pair[1]),
        _ => false,
    };
    if library == Library::OpenMpi || is_struct {
        all.pad(library)?;
    }
    if is_empty && !is_nothing(constructor) {
        return None;
    }
    let (lower, upper) = all.bounds.unwrap_or((0, 0));
    let alignment = all.alignment;
    Some(match constructor {
        Constructor::Resized { lower_bound, extent, .. } => {
            let upper = near(lower_bound.checked_add(*extent)?)?;
            Reading { lower: near(*lower_bound)?, upper, set: true, alignment, is_empty }
        }
        Constructor::Subarray { sizes, .. } | Constructor::Darray { sizes, .. } => {
            let extent = children.first().map_or(0, |child| child.upper - child.lower);
            let upper = near(sizes.iter().try_fold(extent, |all, size| all.checked_mul(*size))?)?;
            Reading { lower: 0, upper, set: true, alignment, is_empty }
        }
        _ => Reading { lower, upper, set: all.set, alignment, is_empty },
    })
}

/// Whether a constructor without elements is one that both libraries take for empty.
fn is_nothing(constructor: &Constructor) -> bool {
    match constructor {
        Constructor::Contiguous { .. }
        | Constructor::Indexed { .. }
        | Constructor::Hindexed { .. }
        | Constructor::Struct { .. } => true,
        Constructor::Vector { count, .. } | Constructor::Hvector { count, .. } => *count == 0,
        Constructor::IndexedBlock { displacements, .. }
        | Constructor::HindexedBlock { displacements, .. } => displacements.is_empty(),
        _ => false,
    }
}

/// Blocks of copies of a child, at equal distances.
struct Row {
    child: usize,
    /// Copies in each block.
    length: i64,
    /// Where the first block starts, in bytes.
    at: i64,
    /// How many blocks.
    copies: i64,
    /// From one block to the next, in bytes.
    stride: i64,
}

/// What a constructor puts together.
struct Rows {
    rows: Vec<Row>,
    /// Whether Open MPI takes each row as a step of its own.
    is_list: bool,
}

fn rows(library: Library, constructor: &Constructor, children: &[Reading]) -> Option<Rows> {
    let extent = children.first().map_or(0, |child| child.upper - child.lower);
    let one = |length, copies, stride| Row { child: 0, length, at: 0, copies, stride };
    let list = |lengths: &mut dyn Iterator<Item = i64>, places: &[i64], unit: i64| {
        let row = |(length, place): (i64, &i64)| {
            Some(Row { child: 0, length, at: near(place.checked_mul(unit)?)?, copies: 1, stride: 0 })
        };
        Some(Rows { rows: lengths.zip(places).map(row).collect::<Option<_>>()?, is_list: true })
    };
    match constructor {
        Constructor::Dup { .. } | Constructor::Resized { .. } => {
            Some(Rows { rows: vec![one(1, 1, 0)], is_list: true })
        }
        Constructor::Contiguous { count, .. } => Some(Rows { rows: vec![one(*count, 1, 0)], is_list: true }),
        Constructor::Vector { count, blocklength, .. } | Constructor::Hvector { count, blocklength, .. } => {
            let mut stride = stride_of(constructor, extent).unwrap_or(0);
            if library == Library::OpenMpi && stride == -1 {
                stride = blocklength.checked_mul(extent)?;
            }
            Some(Rows { rows: vec![one(*blocklength, *count, stride)], is_list: false })
        }
        Constructor::Indexed { blocklengths, displacements, .. } => {
            list(&mut blocklengths.iter().copied(), displacements, extent)
        }
        Constructor::Hindexed { blocklengths, displacements, .. } => {
            list(&mut blocklengths.iter().copied(), displacements, 1)
        }
        Constructor::IndexedBlock { blocklength, displacements, .. } => {
            list(&mut std::iter::repeat(*blocklength), displacements, extent)
        }
        Constructor::HindexedBlock { blocklength, displacements, .. } => {
            list(&mut std::iter::repeat(*blocklength), displacements, 1)
        }
        Constructor::Struct { blocklengths, displacements, .. } => {
            let row = |(child, (length, at)): (usize, (&i64, &i64))| Row {
                child,
                length: *length,
                at: *at,
                copies: 1,
                stride: 0,
            };
            let rows = blocklengths.iter().zip(&**displacements).enumerate().map(row).collect();
            Some(Rows { rows, is_list: true })
        }
        // Their bounds are set; it only matters that there are elements, and how these are aligned.
        Constructor::Subarray { subsizes, .. } => {
            let is_empty = subsizes.contains(&0);
            Some(Rows { rows: vec![one(i64::from(!is_empty), 1, 0)], is_list: true })
        }
        Constructor::Darray { .. } => {
            let whole = Datatype::from(constructor.clone()).layout().ok()?;
            Some(Rows { rows: vec![one(i64::from(whole.bounds.elements > 0), 1, 0)], is_list: true })
        }
    }
}

/// A number that is not too far from 0 to be added to others.
fn near(number: i64) -> Option<i64> {
    (number.unsigned_abs() <= FARTHEST as u64).then_some(number)
}

/// The bounds of several copies of datatypes.
#[derive(Clone, Copy, Default)]
struct Union {
    bounds: Option<(i64, i64)>,
    set: bool,
    alignment: i64,
}

impl Reading {
    /// The bounds of copies, the first of which is at a place.
    fn copies(&self, number: i64, stride: i64, at: i64) -> Option<Union> {
        let bounds = (near(self.lower.checked_add(at)?)?, near(self.upper.checked_add(at)?)?);
        let first = Union { bounds: Some(bounds), set: self.set, alignment: self.alignment };
        first.copies(number, stride)
    }
}

impl Union {
    /// Those of copies, the first of which is this.
    fn copies(self, number: i64, stride: i64) -> Option<Self> {
        let Some((lower, upper)) = self.bounds else { return Some(self) };
        let last = near((number - 1).max(0).checked_mul(stride)?)?;
        let bounds = Some((near(lower + last.min(0))?, near(upper + last.max(0))?));
        Some(Self { bounds, ..self })
    }

    fn add(&mut self, library: Library, other: Self) {
        let Some((lower, upper)) = other.bounds else { return };
        self.bounds = Some(match self.bounds {
            None => (lower, upper),
            Some(_) if library == Library::OpenMpi && other.set && !self.set => (lower, upper),
            Some(known) if library == Library::OpenMpi && self.set && !other.set => known,
            Some(known) => (known.0.min(lower), known.1.max(upper)),
        });
        self.set |= other.set;
        self.alignment = self.alignment.max(other.alignment);
    }

    fn pad(&mut self, library: Library) -> Option<()> {
        if library == Library::OpenMpi && self.set {
            return Some(());
        }
        if let Some((lower, upper)) = &mut self.bounds {
            *upper = near(*upper + (*lower - *upper).rem_euclid(self.alignment.max(1)))?;
        }
        Some(())
    }
}
