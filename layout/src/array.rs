//! Parts of arrays: `MPI_Type_create_subarray` and `MPI_Type_create_darray` (MPI-4.1 sections 5.1.3 and 5.1.4).

use crate::bounds::near;
use crate::datatype::{Distribution, Order};
use crate::layout::{Layout, LayoutError, as_many, natural, row, together};

/// The processes that an array is distributed over.
pub(crate) struct Grid<'a> {
    pub(crate) size: i64,
    pub(crate) rank: i64,
    pub(crate) processes: &'a [i64],
}

/// The part of an array in a box.
pub(crate) fn subarray(
    sizes: &[i64],
    subsizes: &[i64],
    starts: &[i64],
    order: Order,
    child: Layout,
) -> Result<Layout, LayoutError> {
    as_many(("subsizes", subsizes.len()), ("dimensions", sizes.len()))?;
    as_many(("starts", starts.len()), ("dimensions", sizes.len()))?;
    let mut array = Array::new(child, sizes)?;
    for dimension in contiguous_first(sizes.len(), order) {
        let (size, subsize, start) = (sizes[dimension], subsizes[dimension], starts[dimension]);
        // Neither difference can overflow: a size is not negative where it is looked at.
        if subsize < 1 || subsize > size || start < 0 || start > size - subsize {
            return Err(LayoutError::Argument(format!(
                "{subsize} elements from {start} on are no part of dimension {dimension}, which has {size}"
            )));
        }
        array.dimension(size, |layout, stride| {
            Ok((start, row(natural("subsize", subsize)?, stride.into(), layout)?))
        })?;
    }
    array.whole()
}

/// The part of an array that one process of a grid has.
pub(crate) fn darray(
    grid: &Grid<'_>,
    sizes: &[i64],
    distributions: &[Distribution],
    arguments: &[Option<i64>],
    order: Order,
    child: Layout,
) -> Result<Layout, LayoutError> {
    as_many(("distributions", distributions.len()), ("dimensions", sizes.len()))?;
    as_many(("distribution arguments", arguments.len()), ("dimensions", sizes.len()))?;
    as_many(("sizes of the grid", grid.processes.len()), ("dimensions", sizes.len()))?;
    let coordinates = grid.coordinates()?;
    let mut array = Array::new(child, sizes)?;
    for dimension in contiguous_first(sizes.len(), order) {
        let share = Share {
            dimension,
            size: sizes[dimension],
            processes: grid.processes[dimension],
            coordinate: coordinates[dimension],
        };
        let block = share.block(distributions[dimension], arguments[dimension])?;
        array.dimension(sizes[dimension], |layout, stride| share.deal(block, stride, layout))?;
    }
    array.whole()
}

/// The dimensions, the contiguous one first.
fn contiguous_first(count: usize, order: Order) -> Box<dyn Iterator<Item = usize>> {
    match order {
        Order::C => Box::new((0..count).rev()),
        Order::Fortran => Box::new(0..count),
    }
}

impl Grid<'_> {
    /// Where the process is in each dimension; the last one changes fastest.
    fn coordinates(&self) -> Result<Vec<i64>, LayoutError> {
        let mut product = 1_i128;
        for processes in self.processes {
            if *processes < 1 {
                return Err(LayoutError::Argument(format!(
                    "a dimension of the grid has {processes} processes"
                )));
            }
            product = product.saturating_mul((*processes).into());
        }
        if product != i128::from(self.size) {
            return Err(LayoutError::Argument(format!(
                "the grid has {product} processes, but the size is {}",
                self.size
            )));
        }
        if !(0..self.size).contains(&self.rank) {
            return Err(LayoutError::Argument(format!(
                "rank {} is not among the {} processes",
                self.rank, self.size
            )));
        }
        let mut rest = self.rank;
        let mut coordinates = vec![0; self.processes.len()];
        for (coordinate, processes) in coordinates.iter_mut().zip(self.processes).rev() {
            *coordinate = rest % processes;
            rest /= processes;
        }
        Ok(coordinates)
    }
}

/// An array that is built from its contiguous dimension on.
struct Array {
    layout: Layout,
    /// Bytes from one element of the next dimension to the following one.
    stride: i64,
    /// Where the part starts, in bytes.
    offset: i128,
}

impl Array {
    fn new(child: Layout, sizes: &[i64]) -> Result<Self, LayoutError> {
        if sizes.is_empty() {
            return Err(LayoutError::Argument("an array has at least one dimension".to_owned()));
        }
        if let Some(size) = sizes.iter().find(|size| **size < 1) {
            return Err(LayoutError::Argument(format!("a dimension of an array has {size} elements")));
        }
        Ok(Self { stride: child.bounds.extent(), layout: child, offset: 0 })
    }

    /// Adds a dimension: `part` says where it starts, in elements, and puts copies of what there is together.
    fn dimension(
        &mut self,
        size: i64,
        part: impl FnOnce(Layout, i64) -> Result<(i64, Layout), LayoutError>,
    ) -> Result<(), LayoutError> {
        let (start, layout) = part(self.layout.clone(), self.stride)?;
        self.layout = layout;
        self.offset += i128::from(start) * i128::from(self.stride);
        self.stride = near(i128::from(self.stride) * i128::from(size))?;
        Ok(())
    }

    /// The part with the bounds of the whole.
    fn whole(self) -> Result<Layout, LayoutError> {
        let part = together(vec![(near(self.offset)?, self.layout)])?;
        Ok(Layout { bounds: part.bounds.resized(0, self.stride.into())?, tree: part.tree })
    }
}

/// What a process has of one dimension.
struct Share {
    dimension: usize,
    size: i64,
    processes: i64,
    coordinate: i64,
}

impl Share {
    /// The size of the blocks that are dealt.
    fn block(&self, distribution: Distribution, argument: Option<i64>) -> Result<i64, LayoutError> {
        let Self { dimension, size, processes, .. } = self;
        let wrong = |what: String| LayoutError::Argument(format!("{what} in dimension {dimension}"));
        if let Some(block) = argument.filter(|block| *block < 1) {
            return Err(wrong(format!("blocks of {block} elements")));
        }
        match (distribution, argument) {
            (Distribution::None, _) if *processes != 1 => {
                Err(wrong(format!("{processes} processes, but no distribution")))
            }
            (Distribution::None, _) => Ok(*size),
            // Sizes are positive.
            (Distribution::Block, None) => Ok((size - 1) / processes + 1),
            (Distribution::Block, Some(block))
                if i128::from(block) * i128::from(*processes) < (*size).into() =>
            {
                Err(wrong(format!("{processes} blocks of {block} elements are too few for {size} elements")))
            }
            (Distribution::Cyclic, None) => Ok(1),
            (_, Some(block)) => Ok(block),
        }
    }

    /// Where the first block starts, in elements, and all blocks, the first at 0.
    fn deal(&self, block: i64, stride: i64, layout: Layout) -> Result<(i64, Layout), LayoutError> {
        let start = i128::from(block) * i128::from(self.coordinate);
        let left = i128::from(self.size) - start;
        if left <= 0 {
            return Ok((0, row(0, 0, layout)?));
        }
        let round = i128::from(block) * i128::from(self.processes);
        let full = (left / round + i128::from(left % round >= block.into())) as usize;
        let rest = if left % round < block.into() { (left % round) as usize } else { 0 };
        let stride = i128::from(stride);
        // Where there are two full blocks, a round is no longer than the dimension; else its length is not looked at.
        let apart = if full > 1 { round * stride } else { 0 };
        let blocks = row(full, apart, row(block as usize, stride, layout.clone())?)?;
        let mut all = vec![(0, blocks)];
        if rest > 0 {
            all.push((near(full as i128 * round * stride)?, row(rest, stride, layout)?));
        }
        Ok((start as i64, together(all)?))
    }
}
