//! Type trees: data layouts as nested repetitions (Ganian, Kalany, Szeider, Träff 2018, definitions 1 and 2).

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::basic::Basic;

/// One basic datatype at one place of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Element {
    /// Bytes from the start of the layout; negative ones lie before it.
    pub displacement: i64,
    /// What is there.
    pub basic: Basic,
}

impl Element {
    /// The element `basic` at `displacement` bytes.
    pub const fn new(displacement: i64, basic: Basic) -> Self {
        Self { displacement, basic }
    }
}

/// A sequence of elements in the order in which they are packed, told as nested repetitions.
///
/// Displacements, indices and strides are bytes; all may be negative or repeated.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Tree {
    /// `count` elements, each right behind the one before, the first at 0.
    Con {
        /// How many.
        count: usize,
        /// Of which basic datatype.
        basic: Basic,
    },
    /// `count` times the child, at 0, `stride`, `2 * stride`, ...
    Vec {
        /// How many times.
        count: usize,
        /// Bytes from one to the next.
        stride: i64,
        /// What is repeated.
        child: Arc<Tree>,
    },
    /// The child at each of the indices.
    Idx {
        /// Where the child starts each time.
        indices: Arc<[i64]>,
        /// What is repeated.
        child: Arc<Tree>,
    },
    /// Each of the children at its index.
    Strc {
        /// Where the children start.
        indices: Arc<[i64]>,
        /// As many children as there are indices.
        children: Arc<[Tree]>,
    },
    /// At 0, `stride`, `2 * stride`, ... a bucket: as many children as `buckets` says, `step` apart.
    VecBuc {
        /// Bytes from the start of one bucket to the start of the next.
        stride: i64,
        /// Bytes from one child to the next within a bucket.
        step: i64,
        /// How many children each bucket has.
        buckets: Arc<[usize]>,
        /// What is repeated.
        child: Arc<Tree>,
    },
    /// At each of the indices a bucket: as many children as `buckets` says, `step` apart.
    IdxBuc {
        /// Bytes from one child to the next within a bucket.
        step: i64,
        /// Where the buckets start.
        indices: Arc<[i64]>,
        /// How many children each bucket has; as many as there are indices.
        buckets: Arc<[usize]>,
        /// What is repeated.
        child: Arc<Tree>,
    },
}

impl Tree {
    /// `con(count)` of `basic`.
    pub const fn con(count: usize, basic: Basic) -> Self {
        Self::Con { count, basic }
    }

    /// `vec(count, stride, child)`.
    pub fn vec(count: usize, stride: i64, child: impl Into<Arc<Self>>) -> Self {
        Self::Vec { count, stride, child: child.into() }
    }

    /// `idx(indices, child)`.
    pub fn idx(indices: impl Into<Arc<[i64]>>, child: impl Into<Arc<Self>>) -> Self {
        Self::Idx { indices: indices.into(), child: child.into() }
    }

    /// `strc(indices, children)`.
    ///
    /// # Panics
    ///
    /// If there are not as many indices as children.
    pub fn strc(indices: impl Into<Arc<[i64]>>, children: impl Into<Arc<[Self]>>) -> Self {
        let (indices, children) = (indices.into(), children.into());
        assert_eq!(indices.len(), children.len(), "an index for each child");
        Self::Strc { indices, children }
    }

    /// The children of the root.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Con { .. } => &[],
            Self::Strc { children, .. } => children,
            Self::Vec { child, .. }
            | Self::Idx { child, .. }
            | Self::VecBuc { child, .. }
            | Self::IdxBuc { child, .. } => std::slice::from_ref(child),
        }
    }

    /// All nodes, parents before children; a node that occurs twice in the tree comes twice.
    pub fn nodes(&self) -> impl Iterator<Item = &Self> {
        let mut rest = vec![self];
        std::iter::from_fn(move || {
            let node = rest.pop()?;
            rest.extend(node.children().iter().rev());
            Some(node)
        })
    }

    /// How many elements the tree describes; `None` if more than a `usize` can count.
    pub fn len(&self) -> Option<usize> {
        let sum = |counts: &[usize]| counts.iter().try_fold(0_usize, |sum, count| sum.checked_add(*count));
        match self {
            Self::Con { count, .. } => Some(*count),
            Self::Vec { count, child, .. } => count.checked_mul(child.len()?),
            Self::Idx { indices, child } => indices.len().checked_mul(child.len()?),
            Self::Strc { children, .. } => {
                children.iter().try_fold(0_usize, |sum, child| sum.checked_add(child.len()?))
            }
            Self::VecBuc { buckets, child, .. } | Self::IdxBuc { buckets, child, .. } => {
                sum(buckets)?.checked_mul(child.len()?)
            }
        }
    }

    /// Whether there is no element in it.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Where the copies of the children of the root start, in the order in which they are packed, each with its child.
    pub fn placements(&self) -> Box<dyn Iterator<Item = (i64, &Self)> + '_> {
        match self {
            Self::Con { .. } => Box::new(std::iter::empty()),
            Self::Vec { count, stride, child } => {
                Box::new((0..*count as i64).map(move |i| (i * stride, &**child)))
            }
            Self::Idx { indices, child } => Box::new(indices.iter().map(move |index| (*index, &**child))),
            Self::Strc { indices, children } => Box::new(indices.iter().copied().zip(children.iter())),
            Self::VecBuc { stride, step, buckets, child } => {
                Box::new((buckets.iter().zip(0_i64..)).flat_map(move |(size, i)| {
                    (0..*size as i64).map(move |j| (i * stride + j * step, &**child))
                }))
            }
            Self::IdxBuc { step, indices, buckets, child } => {
                Box::new((buckets.iter().zip(indices.iter())).flat_map(move |(size, index)| {
                    (0..*size as i64).map(move |j| (index + j * step, &**child))
                }))
            }
        }
    }

    /// The elements that the tree describes, in order (the paper's listing 1).
    ///
    /// As long as the layout, which may be much longer than the tree; [`len`](Self::len) says how long.
    pub fn flatten(&self) -> Vec<Element> {
        let mut elements = Vec::new();
        self.flatten_at(0, &mut elements);
        elements
    }

    fn flatten_at(&self, base: i64, elements: &mut Vec<Element>) {
        match self {
            Self::Con { count, basic } => {
                elements.extend((0..*count as i64).map(|i| Element::new(base + i * basic.size(), *basic)));
            }
            _ => {
                for (at, child) in self.placements() {
                    child.flatten_at(base + at, elements);
                }
            }
        }
    }

    /// The same tree with all displacements divided by `unit`, for people who count in elements and not in bytes.
    ///
    /// # Panics
    ///
    /// If a displacement is no multiple of `unit`.
    pub fn in_units_of(&self, unit: i64) -> Self {
        let divide = |bytes: &i64| {
            assert_eq!(bytes % unit, 0, "displacements are multiples of the unit");
            bytes / unit
        };
        let all = |list: &Arc<[i64]>| list.iter().map(divide).collect::<Arc<[i64]>>();
        let below = |child: &Arc<Self>| Arc::new(child.in_units_of(unit));
        match self {
            Self::Con { .. } => self.clone(),
            Self::Vec { count, stride, child } => Self::vec(*count, divide(stride), below(child)),
            Self::Idx { indices, child } => Self::idx(all(indices), below(child)),
            Self::Strc { indices, children } => Self::strc(
                all(indices),
                children.iter().map(|child| child.in_units_of(unit)).collect::<Vec<_>>(),
            ),
            Self::VecBuc { stride, step, buckets, child } => Self::VecBuc {
                stride: divide(stride),
                step: divide(step),
                buckets: buckets.clone(),
                child: below(child),
            },
            Self::IdxBuc { step, indices, buckets, child } => Self::IdxBuc {
                step: divide(step),
                indices: all(indices),
                buckets: buckets.clone(),
                child: below(child),
            },
        }
    }
}

impl fmt::Display for Tree {
    /// As the paper writes trees, `vec(10,100,idx(2,<5,8>,con(1)))`; long lists are cut. With `{:#}` leaves say what they consist of, as
    /// `con(1,MPI_INT)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_root(f, &|f, child| child.fmt(f))
    }
}

/// Writes a child of a node.
pub(crate) type WriteChild<'a> = &'a dyn Fn(&mut fmt::Formatter<'_>, &Tree) -> fmt::Result;

impl Tree {
    /// Writes the root as [`Display`](fmt::Display) does, and each of its children by `write`.
    pub(crate) fn write_root(&self, f: &mut fmt::Formatter<'_>, write: WriteChild<'_>) -> fmt::Result {
        match self {
            Self::Con { count, basic } if f.alternate() => write!(f, "con({count},{})", basic.name())?,
            Self::Con { count, .. } => write!(f, "con({count})")?,
            Self::Vec { count, stride, child } => {
                write!(f, "vec({count},{stride},")?;
                write(f, child)?;
                f.write_str(")")?;
            }
            Self::Idx { indices, child } => {
                write!(f, "idx({},", indices.len())?;
                list(f, indices, |f, index| write!(f, "{index}"))?;
                f.write_str(",")?;
                write(f, child)?;
                f.write_str(")")?;
            }
            Self::Strc { indices, children } => {
                write!(f, "strc({},", indices.len())?;
                list(f, indices, |f, index| write!(f, "{index}"))?;
                f.write_str(",")?;
                list(f, children, write)?;
                f.write_str(")")?;
            }
            Self::VecBuc { stride, step, buckets, child } => {
                write!(f, "vecbuc({},{stride},{step},", buckets.len())?;
                list(f, buckets, |f, size| write!(f, "{size}"))?;
                f.write_str(",")?;
                write(f, child)?;
                f.write_str(")")?;
            }
            Self::IdxBuc { step, indices, buckets, child } => {
                write!(f, "idxbuc({},{step},", buckets.len())?;
                list(f, indices, |f, index| write!(f, "{index}"))?;
                f.write_str(",")?;
                list(f, buckets, |f, size| write!(f, "{size}"))?;
                f.write_str(",")?;
                write(f, child)?;
                f.write_str(")")?;
            }
        }
        Ok(())
    }
}

/// Writes a list in the brackets of the paper, and only the beginning of a long one.
fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    const SHOWN: usize = 24;
    f.write_str("<")?;
    for (index, item) in items.iter().take(SHOWN).enumerate() {
        if index > 0 {
            f.write_str(",")?;
        }
        write(f, item)?;
    }
    f.write_str(if items.len() > SHOWN { ",...>" } else { ">" })
}
