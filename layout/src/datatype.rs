//! Derived datatypes as a program builds them: one value for each constructor of MPI-4.1 (section 5.1).

use std::sync::Arc;

use serde::Serialize;

use crate::basic::Basic;
use crate::tree::Tree;

/// A datatype, as it is built.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Datatype {
    /// A predefined one.
    Basic(Basic),
    /// What a constructor makes of others.
    Constructed(Arc<Constructor>),
    /// What a tree describes, with the bounds that its elements have; MPI knows no such thing, but constructors for each node.
    Tree(Arc<Tree>),
}

/// A call of a constructor, without its C names.
///
/// Counts have 64 bits, so that each is the form with `_c`, too. Strides and displacements count extents of the child where MPI does so,
/// and bytes elsewhere. A list that belongs to another one has as many elements; [`layout`](Datatype::layout) says so if it has not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Constructor {
    /// `MPI_Type_dup`.
    Dup {
        /// What is copied.
        child: Datatype,
    },
    /// `MPI_Type_contiguous`.
    Contiguous {
        /// How many.
        count: i64,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_vector`: `count` blocks, `stride` extents apart.
    Vector {
        /// How many blocks.
        count: i64,
        /// Children in a block.
        blocklength: i64,
        /// From one block to the next, in extents.
        stride: i64,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_create_hvector`: `count` blocks, `stride` bytes apart.
    Hvector {
        /// How many blocks.
        count: i64,
        /// Children in a block.
        blocklength: i64,
        /// From one block to the next, in bytes.
        stride: i64,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_indexed`.
    Indexed {
        /// Children in each block.
        blocklengths: Arc<[i64]>,
        /// Where the blocks start, in extents.
        displacements: Arc<[i64]>,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_create_hindexed`.
    Hindexed {
        /// Children in each block.
        blocklengths: Arc<[i64]>,
        /// Where the blocks start, in bytes.
        displacements: Arc<[i64]>,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_create_indexed_block`.
    IndexedBlock {
        /// Children in every block.
        blocklength: i64,
        /// Where the blocks start, in extents.
        displacements: Arc<[i64]>,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_create_hindexed_block`.
    HindexedBlock {
        /// Children in every block.
        blocklength: i64,
        /// Where the blocks start, in bytes.
        displacements: Arc<[i64]>,
        /// What is repeated.
        child: Datatype,
    },
    /// `MPI_Type_create_struct`.
    Struct {
        /// Children in each block.
        blocklengths: Arc<[i64]>,
        /// Where the blocks start, in bytes.
        displacements: Arc<[i64]>,
        /// What each block consists of.
        children: Arc<[Datatype]>,
    },
    /// `MPI_Type_create_subarray`.
    Subarray {
        /// Children in each dimension of the whole array.
        sizes: Arc<[i64]>,
        /// And of the part.
        subsizes: Arc<[i64]>,
        /// Where the part starts in each dimension, from 0.
        starts: Arc<[i64]>,
        /// Which dimension is contiguous.
        order: Order,
        /// What the array consists of.
        child: Datatype,
    },
    /// `MPI_Type_create_darray`: what one process has of an array that is distributed over a grid of processes.
    Darray {
        /// How many processes.
        size: i64,
        /// Which of them, in the order of the standard, which is that of C whatever `order` says.
        rank: i64,
        /// Children in each dimension of the whole array.
        sizes: Arc<[i64]>,
        /// How each dimension is distributed.
        distributions: Arc<[Distribution]>,
        /// The block size in each dimension; `None` is `MPI_DISTRIBUTE_DFLT_DARG`.
        arguments: Arc<[Option<i64>]>,
        /// Processes in each dimension of the grid.
        processes: Arc<[i64]>,
        /// Which dimension is contiguous.
        order: Order,
        /// What the array consists of.
        child: Datatype,
    },
    /// `MPI_Type_create_resized`: the same data with other bounds.
    Resized {
        /// Where a copy begins, in bytes.
        lower_bound: i64,
        /// From one copy to the next, in bytes.
        extent: i64,
        /// Whose bounds change.
        child: Datatype,
    },
}

/// How the elements of an array follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Order {
    /// `MPI_ORDER_C`: the last dimension is contiguous.
    C,
    /// `MPI_ORDER_FORTRAN`: the first dimension is contiguous.
    Fortran,
}

/// How a dimension of an array is distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Distribution {
    /// `MPI_DISTRIBUTE_BLOCK`: one block for each process.
    Block,
    /// `MPI_DISTRIBUTE_CYCLIC`: blocks dealt in turn.
    Cyclic,
    /// `MPI_DISTRIBUTE_NONE`: all of it on each process.
    None,
}

impl Constructor {
    /// The datatypes that it is made of.
    pub fn children(&self) -> &[Datatype] {
        match self {
            Self::Struct { children, .. } => children,
            Self::Dup { child }
            | Self::Contiguous { child, .. }
            | Self::Vector { child, .. }
            | Self::Hvector { child, .. }
            | Self::Indexed { child, .. }
            | Self::Hindexed { child, .. }
            | Self::IndexedBlock { child, .. }
            | Self::HindexedBlock { child, .. }
            | Self::Subarray { child, .. }
            | Self::Darray { child, .. }
            | Self::Resized { child, .. } => std::slice::from_ref(child),
        }
    }

    /// The same call for other datatypes, of which there must be as many as there are [`children`](Self::children).
    pub(crate) fn with_children(&self, others: Vec<Datatype>) -> Self {
        let mut constructor = self.clone();
        match &mut constructor {
            Self::Struct { children, .. } => *children = others.into(),
            Self::Dup { child }
            | Self::Contiguous { child, .. }
            | Self::Vector { child, .. }
            | Self::Hvector { child, .. }
            | Self::Indexed { child, .. }
            | Self::Hindexed { child, .. }
            | Self::IndexedBlock { child, .. }
            | Self::HindexedBlock { child, .. }
            | Self::Subarray { child, .. }
            | Self::Darray { child, .. }
            | Self::Resized { child, .. } => {
                if let Some(other) = others.into_iter().next() {
                    *child = other;
                }
            }
        }
        constructor
    }
}

impl From<Basic> for Datatype {
    fn from(basic: Basic) -> Self {
        Self::Basic(basic)
    }
}

impl From<Constructor> for Datatype {
    fn from(constructor: Constructor) -> Self {
        Self::Constructed(Arc::new(constructor))
    }
}

impl From<Tree> for Datatype {
    fn from(tree: Tree) -> Self {
        Self::Tree(Arc::new(tree))
    }
}
