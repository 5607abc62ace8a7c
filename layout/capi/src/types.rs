//! Datatypes: built by the constructors of MPI-4.1 (section 5.1), committed, asked, freed.

use std::ffi::c_int;
use std::sync::OnceLock;

use layout::dataloop::{Dataloop, Segment};
use layout::{Basic, Bounds, Constructor, Datatype, Layout, LayoutError};

use crate::arguments::{Out, list};
use crate::basic;
use crate::handles::Table;
use crate::recent::forget;
use crate::status::anyrank_status::ANYRANK_ERR_NOT_COMMITTED;
use crate::status::{Failure, anyrank_status, guarded};

/// A datatype, which is what MPI calls by that name: where elements are, in which order, and where the next copy begins.
///
/// 0 stands for no type. A type is there until `anyrank_type_free`; types and segments made of it do not need it any longer then.
/// All functions may be called by several threads at once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct anyrank_type {
    /// What the library knows it by.
    pub number: u64,
}

pub(crate) static TYPES: Table<Type> = Table::new();

/// What a handle stands for.
pub(crate) struct Type {
    layout: Layout,
    /// How many constructors are below each other.
    depth: usize,
    loops: OnceLock<Dataloop>,
}

/// The child of a constructor here: its layout is passed beside it.
const CHILD: Datatype = Datatype::Basic(Basic::Byte);

impl Type {
    fn new(layout: Layout, depth: usize) -> Result<Self, Failure> {
        if depth > layout::layout::DEEPEST {
            return Err(LayoutError::TooDeep.into());
        }
        Ok(Self { layout, depth, loops: OnceLock::new() })
    }

    /// The processing of `count` copies, from the start.
    pub(crate) fn segment(&self, count: u64) -> Result<Segment, Failure> {
        let loops = self.loops.get().ok_or_else(|| Failure::plain(ANYRANK_ERR_NOT_COMMITTED))?;
        Ok(Segment::new(loops, count)?)
    }
}

/// What the constructor makes of these children.
fn build(
    constructor: &Constructor,
    children: &[anyrank_type],
    result: Out<anyrank_type>,
) -> Result<(), Failure> {
    let children =
        children.iter().map(|child| TYPES.get(child.number)).collect::<Result<Vec<_>, Failure>>()?;
    let depth = 1 + children.iter().map(|child| child.depth).max().unwrap_or(0);
    let layout = constructor.layout(children.iter().map(|child| child.layout.clone()).collect())?;
    result.set(anyrank_type { number: TYPES.add(Type::new(layout, depth)?) });
    Ok(())
}

/// The predefined type of that number, which is one of `anyrank_basic`.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_basic(number: c_int, result: *mut anyrank_type) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let basic = basic::basic(number)?;
        let layout = Datatype::from(basic).layout()?;
        result.set(anyrank_type { number: TYPES.add(Type::new(layout, 1)?) });
        Ok(())
    })
}

/// A copy of a type.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_dup(child: anyrank_type, result: *mut anyrank_type) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let constructor = Constructor::Dup { child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// `count` copies behind each other.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_contiguous(
    count: i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let constructor = Constructor::Contiguous { count, child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks of `blocklength` copies each, `stride` extents of the child apart.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_vector(
    count: i64,
    blocklength: i64,
    stride: i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let constructor = Constructor::Vector { count, blocklength, stride, child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks of `blocklength` copies each, `stride` bytes apart.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_hvector(
    count: i64,
    blocklength: i64,
    stride: i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let constructor = Constructor::Hvector { count, blocklength, stride, child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks, of `blocklengths[i]` copies at `displacements[i]` extents of the child.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_indexed(
    count: i64,
    blocklengths: *const i64,
    displacements: *const i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let blocklengths = unsafe { list("blocklengths", blocklengths, count) }?;
        // SAFETY: as of the caller.
        let displacements = unsafe { list("displacements", displacements, count) }?;
        let constructor = Constructor::Indexed {
            blocklengths: blocklengths.into(),
            displacements: displacements.into(),
            child: CHILD,
        };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks, of `blocklengths[i]` copies at `displacements[i]` bytes.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_hindexed(
    count: i64,
    blocklengths: *const i64,
    displacements: *const i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let blocklengths = unsafe { list("blocklengths", blocklengths, count) }?;
        // SAFETY: as of the caller.
        let displacements = unsafe { list("displacements", displacements, count) }?;
        let constructor = Constructor::Hindexed {
            blocklengths: blocklengths.into(),
            displacements: displacements.into(),
            child: CHILD,
        };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks of `blocklength` copies each, at `displacements[i]` extents of the child.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_indexed_block(
    count: i64,
    blocklength: i64,
    displacements: *const i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let displacements = unsafe { list("displacements", displacements, count) }?;
        let constructor =
            Constructor::IndexedBlock { blocklength, displacements: displacements.into(), child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks of `blocklength` copies each, at `displacements[i]` bytes.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_hindexed_block(
    count: i64,
    blocklength: i64,
    displacements: *const i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let displacements = unsafe { list("displacements", displacements, count) }?;
        let constructor =
            Constructor::HindexedBlock { blocklength, displacements: displacements.into(), child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// The part of an array of `dimensions` dimensions that has `subsizes[i]` of `sizes[i]` elements from `starts[i]` on; `order` is one of `anyrank_order`.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_subarray(
    dimensions: i64,
    sizes: *const i64,
    subsizes: *const i64,
    starts: *const i64,
    order: c_int,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let sizes = unsafe { list("sizes", sizes, dimensions) }?;
        // SAFETY: as of the caller.
        let subsizes = unsafe { list("subsizes", subsizes, dimensions) }?;
        // SAFETY: as of the caller.
        let starts = unsafe { list("starts", starts, dimensions) }?;
        let constructor = Constructor::Subarray {
            sizes: sizes.into(),
            subsizes: subsizes.into(),
            starts: starts.into(),
            order: basic::order(order)?,
            child: CHILD,
        };
        build(&constructor, &[child], result)
    })
}

/// The same data, with other bounds: copies begin at `lower_bound`, and are `extent` bytes apart.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_resized(
    lower_bound: i64,
    extent: i64,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let constructor = Constructor::Resized { lower_bound, extent, child: CHILD };
        build(&constructor, &[child], result)
    })
}

/// `count` blocks, of `blocklengths[i]` copies of `children[i]` at `displacements[i]` bytes.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_struct(
    count: i64,
    blocklengths: *const i64,
    displacements: *const i64,
    children: *const anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let blocklengths = unsafe { list("blocklengths", blocklengths, count) }?;
        // SAFETY: as of the caller.
        let displacements = unsafe { list("displacements", displacements, count) }?;
        // SAFETY: as of the caller.
        let children = unsafe { list("children", children, count) }?;
        let constructor = Constructor::Struct {
            blocklengths: blocklengths.into(),
            displacements: displacements.into(),
            children: vec![CHILD; children.len()].into(),
        };
        build(&constructor, children, result)
    })
}

/// What process `rank` of `size` has of an array that is distributed over a grid of processes.
///
/// For each of the dimensions there are the size of the array, a distribution (of `anyrank_distribution`), a block size (or
/// `ANYRANK_DISTRIBUTE_DEFAULT`), and the size of the grid; `order` is one of `anyrank_order`.
///
/// # Safety
///
/// Pointers that are not null point to what they are said to point to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_darray(
    size: i64,
    rank: i64,
    dimensions: i64,
    sizes: *const i64,
    distributions: *const c_int,
    blocks: *const i64,
    processes: *const i64,
    order: c_int,
    child: anyrank_type,
    result: *mut anyrank_type,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        // SAFETY: as of the caller.
        let sizes = unsafe { list("sizes", sizes, dimensions) }?;
        // SAFETY: as of the caller.
        let distributions = unsafe { list("distributions", distributions, dimensions) }?;
        // SAFETY: as of the caller.
        let blocks = unsafe { list("blocks", blocks, dimensions) }?;
        // SAFETY: as of the caller.
        let processes = unsafe { list("processes", processes, dimensions) }?;
        let argument = |block: &i64| (*block != basic::ANYRANK_DISTRIBUTE_DEFAULT).then_some(*block);
        let distributions = distributions.iter().map(|number| basic::distribution(*number));
        let constructor = Constructor::Darray {
            size,
            rank,
            sizes: sizes.into(),
            distributions: distributions.collect::<Result<_, _>>()?,
            arguments: blocks.iter().map(argument).collect(),
            processes: processes.into(),
            order: basic::order(order)?,
            child: CHILD,
        };
        build(&constructor, &[child], result)
    })
}

/// Makes a type ready for packing: its loops are compiled. To commit it again does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn anyrank_type_commit(of: anyrank_type) -> anyrank_status {
    guarded(|| {
        let of = TYPES.get(of.number)?;
        if of.loops.get().is_none() {
            let loops = Dataloop::of_layout(&of.layout)?;
            // Another thread may have been faster, with the same loops.
            let _ = of.loops.set(loops);
        }
        Ok(())
    })
}

/// How many bytes of data one copy has: its packed size.
///
/// # Safety
///
/// `size` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_size(of: anyrank_type, size: *mut u64) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let size = unsafe { Out::new(size) }?;
        // A size is not negative.
        size.set(TYPES.get(of.number)?.layout.bounds.size.unsigned_abs());
        Ok(())
    })
}

/// Where a copy begins, and how many bytes the next copy is further on: the bounds that MPI gives the type, or that were set.
///
/// # Safety
///
/// Both pointers are null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_extent(
    of: anyrank_type,
    lower_bound: *mut i64,
    extent: *mut i64,
) -> anyrank_status {
    // SAFETY: as of the caller.
    unsafe { pair(of, lower_bound, extent, |bounds| (bounds.lower, bounds.extent())) }
}

/// Where the first byte of data is, and how many bytes it is from there to the end of the last one.
///
/// # Safety
///
/// Both pointers are null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_type_true_extent(
    of: anyrank_type,
    true_lower_bound: *mut i64,
    true_extent: *mut i64,
) -> anyrank_status {
    // SAFETY: as of the caller.
    unsafe { pair(of, true_lower_bound, true_extent, |bounds| (bounds.true_lower, bounds.true_extent())) }
}

/// Two of the bounds.
///
/// # Safety
///
/// Both pointers are null, or may be written.
unsafe fn pair(
    of: anyrank_type,
    first: *mut i64,
    second: *mut i64,
    take: fn(&Bounds) -> (i64, i64),
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let (first, second) = unsafe { (Out::new(first)?, Out::new(second)?) };
        let (a, b) = take(&TYPES.get(of.number)?.layout.bounds);
        first.set(a);
        second.set(b);
        Ok(())
    })
}

/// The number stands for no type from now on; what was made of the type stays as it is.
#[unsafe(no_mangle)]
pub extern "C" fn anyrank_type_free(of: anyrank_type) -> anyrank_status {
    guarded(|| {
        forget();
        TYPES.remove(of.number)
    })
}
