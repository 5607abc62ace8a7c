//! Datatypes as expressions, which `read.rs` reads.

use std::fmt;

use crate::datatype::{Constructor, Datatype, Distribution, Order};

impl fmt::Display for Datatype {
    /// The constructors with the arguments of their C functions, without the number of elements of lists, such as
    /// `indexed([1,2],[0,4],MPI_INT)`; long lists are cut. [`read::datatype`](crate::read::datatype) reads what is not cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Basic(basic) => f.write_str(basic.name()),
            Self::Constructed(constructor) => constructor.fmt(f),
            Self::Tree(tree) => write!(f, "{tree:#}"),
        }
    }
}

impl fmt::Display for Constructor {
    /// As of a [`Datatype`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dup { child } => write!(f, "dup({child})"),
            Self::Contiguous { count, child } => write!(f, "contiguous({count},{child})"),
            Self::Vector { count, blocklength, stride, child } => {
                write!(f, "vector({count},{blocklength},{stride},{child})")
            }
            Self::Hvector { count, blocklength, stride, child } => {
                write!(f, "hvector({count},{blocklength},{stride},{child})")
            }
            Self::Indexed { blocklengths, displacements, child } => {
                write!(f, "indexed({},{},{child})", List(blocklengths), List(displacements))
            }
            Self::Hindexed { blocklengths, displacements, child } => {
                write!(f, "hindexed({},{},{child})", List(blocklengths), List(displacements))
            }
            Self::IndexedBlock { blocklength, displacements, child } => {
                write!(f, "indexed_block({blocklength},{},{child})", List(displacements))
            }
            Self::HindexedBlock { blocklength, displacements, child } => {
                write!(f, "hindexed_block({blocklength},{},{child})", List(displacements))
            }
            Self::Struct { blocklengths, displacements, children } => {
                write!(f, "struct({},{},{})", List(blocklengths), List(displacements), List(children))
            }
            Self::Subarray { sizes, subsizes, starts, order, child } => {
                write!(f, "subarray({},{},{},{order},{child})", List(sizes), List(subsizes), List(starts))
            }
            Self::Darray { size, rank, sizes, distributions, arguments, processes, order, child } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|a| a.map_or("default".to_owned(), |a| a.to_string())).collect();
                write!(
                    f,
                    "darray({size},{rank},{},{},{},{},{order},{child})",
                    List(sizes),
                    List(distributions),
                    List(&arguments),
                    List(processes)
                )
            }
            Self::Resized { lower_bound, extent, child } => {
                write!(f, "resized({child},{lower_bound},{extent})")
            }
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::C => "C",
            Self::Fortran => "fortran",
        })
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Cyclic => "cyclic",
            Self::None => "none",
        })
    }
}

/// A list in brackets, of which only the beginning is written if it is long.
struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 24;
        f.write_str("[")?;
        for (i, item) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { "," })?;
        }
        f.write_str(if self.0.len() > SHOWN { ",...]" } else { "]" })
    }
}
