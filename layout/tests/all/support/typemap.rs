//! Typemaps by the letter of the standard, entry by entry (MPI-4.1, section 5.1).

use layout::datatype::{Distribution, Order};
use layout::{Constructor, Datatype, Element};

/// An entry of a typemap with the standard's markers.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    Data(Element),
    Lower(i64),
    Upper(i64),
}

/// Which child is at which place.
pub(crate) type Place = (usize, i64);

/// The blocks that a constructor puts together, each of places of children, whose extents are given.
pub(crate) fn blocks(constructor: &Constructor, extents: &[i64]) -> Vec<Vec<Place>> {
    let extent = extents.first().copied().unwrap_or(0);
    let block = |at: i64, length: i64| (0..length).map(|i| (0, at + i * extent)).collect();
    let each = |lengths: &[i64], places: &[i64], unit: i64| {
        lengths.iter().zip(places).map(|(length, at)| block(at * unit, *length)).collect()
    };
    match constructor {
        Constructor::Dup { .. } | Constructor::Resized { .. } => vec![block(0, 1)],
        Constructor::Contiguous { count, .. } => vec![block(0, *count)],
        Constructor::Vector { count, blocklength, stride, .. } => {
            (0..*count).map(|i| block(i * stride * extent, *blocklength)).collect()
        }
        Constructor::Hvector { count, blocklength, stride, .. } => {
            (0..*count).map(|i| block(i * stride, *blocklength)).collect()
        }
        Constructor::Indexed { blocklengths, displacements, .. } => each(blocklengths, displacements, extent),
        Constructor::Hindexed { blocklengths, displacements, .. } => each(blocklengths, displacements, 1),
        Constructor::IndexedBlock { blocklength, displacements, .. } => {
            each(&vec![*blocklength; displacements.len()], displacements, extent)
        }
        Constructor::HindexedBlock { blocklength, displacements, .. } => {
            each(&vec![*blocklength; displacements.len()], displacements, 1)
        }
        Constructor::Struct { blocklengths, displacements, .. } => {
            (blocklengths.iter().zip(&**displacements).zip(extents).enumerate())
                .map(|(child, ((length, at), extent))| {
                    (0..*length).map(|i| (child, at + i * extent)).collect()
                })
                .collect()
        }
        Constructor::Subarray { sizes, order, .. } | Constructor::Darray { sizes, order, .. } => {
            let mut places = vec![0];
            for (owned, stride) in owned(constructor).iter().zip(strides(sizes, *order, extent)).rev() {
                places = (places.iter()).flat_map(|at| owned.iter().map(move |x| at + x * stride)).collect();
            }
            vec![places.into_iter().map(|at| (0, at)).collect()]
        }
    }
}

/// The dimensions of an array, the contiguous one first.
fn contiguous_first(dimensions: usize, order: Order) -> Vec<usize> {
    match order {
        Order::C => (0..dimensions).rev().collect(),
        Order::Fortran => (0..dimensions).collect(),
    }
}

/// Bytes from one element to the next in each dimension of an array, the contiguous one first.
pub(crate) fn strides(sizes: &[i64], order: Order, extent: i64) -> Vec<i64> {
    let sizes = contiguous_first(sizes.len(), order).into_iter().map(|dimension| sizes[dimension]);
    sizes.scan(extent, |next, size| Some(std::mem::replace(next, *next * size))).collect()
}

/// The coordinates that an array or part of one has in each dimension, the contiguous one first.
pub(crate) fn owned(constructor: &Constructor) -> Vec<Vec<i64>> {
    match constructor {
        Constructor::Subarray { subsizes, starts, order, .. } => contiguous_first(starts.len(), *order)
            .into_iter()
            .map(|i| (starts[i]..starts[i] + subsizes[i]).collect())
            .collect(),
        Constructor::Darray { rank, sizes, processes, order, .. } => {
            // The last dimension of the grid changes fastest.
            let mut rest = *rank;
            let mut coordinates = vec![0; sizes.len()];
            for (coordinate, processes) in coordinates.iter_mut().zip(&**processes).rev() {
                *coordinate = rest % processes;
                rest /= processes;
            }
            contiguous_first(sizes.len(), *order)
                .into_iter()
                .zip(dealt(constructor))
                .map(|(i, (_, block))| {
                    (0..sizes[i]).filter(|x| x / block % processes[i] == coordinates[i]).collect()
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// How each dimension of a distributed array is dealt, and in blocks of which size, the contiguous one first.
pub(crate) fn dealt(constructor: &Constructor) -> Vec<(Distribution, i64)> {
    let Constructor::Darray { sizes, distributions, arguments, processes, order, .. } = constructor else {
        return Vec::new();
    };
    (contiguous_first(sizes.len(), *order).into_iter())
        .map(|i| {
            let block = match distributions[i] {
                Distribution::None => sizes[i],
                Distribution::Block => arguments[i].unwrap_or((sizes[i] + processes[i] - 1) / processes[i]),
                Distribution::Cyclic => arguments[i].unwrap_or(1),
            };
            (distributions[i], block)
        })
        .collect()
}

/// The bounds that a constructor sets: lower bound and extent.
pub(crate) fn set_bounds(constructor: &Constructor, extents: &[i64]) -> Option<(i64, i64)> {
    match constructor {
        Constructor::Resized { lower_bound, extent, .. } => Some((*lower_bound, *extent)),
        Constructor::Subarray { sizes, .. } | Constructor::Darray { sizes, .. } => {
            Some((0, extents[0] * sizes.iter().product::<i64>()))
        }
        _ => None,
    }
}

/// The typemap by the letter: copies of entries.
pub(crate) fn entries(datatype: &Datatype) -> Vec<Entry> {
    let constructor = match datatype {
        Datatype::Basic(basic) => return vec![Entry::Data(Element::new(0, *basic))],
        Datatype::Tree(tree) => return tree.flatten().into_iter().map(Entry::Data).collect(),
        Datatype::Constructed(constructor) => constructor,
    };
    let children: Vec<Vec<Entry>> = constructor.children().iter().map(entries).collect();
    let extents: Vec<i64> = children.iter().map(|child| bounds(child).1).collect();
    let all: Vec<Entry> = (blocks(constructor, &extents).into_iter().flatten())
        .flat_map(|(child, at)| copy(&children[child], at))
        .collect();
    match set_bounds(constructor, &extents) {
        Some((lower, extent)) => {
            let data = all.into_iter().filter(|entry| matches!(entry, Entry::Data(_)));
            data.chain([Entry::Lower(lower), Entry::Upper(lower + extent)]).collect()
        }
        None => all,
    }
}

fn copy(entries: &[Entry], by: i64) -> impl Iterator<Item = Entry> {
    entries.iter().map(move |entry| match *entry {
        Entry::Data(e) => Entry::Data(Element::new(e.displacement + by, e.basic)),
        Entry::Lower(at) => Entry::Lower(at + by),
        Entry::Upper(at) => Entry::Upper(at + by),
    })
}

/// Lower bound and extent.
pub(crate) fn bounds(entries: &[Entry]) -> (i64, i64) {
    let data = data(entries);
    let lower = entries.iter().filter_map(|e| if let Entry::Lower(at) = e { Some(*at) } else { None }).min();
    let upper = entries.iter().filter_map(|e| if let Entry::Upper(at) = e { Some(*at) } else { None }).max();
    let first = data.iter().map(|e| e.displacement).min().unwrap_or(0);
    let end = data.iter().map(|e| e.displacement + e.basic.size()).max().unwrap_or(0);
    let lower = lower.unwrap_or(first);
    let alignment = data.iter().map(|e| e.basic.alignment()).max().unwrap_or(1);
    let upper = upper.unwrap_or_else(|| {
        (end..).find(|upper| (upper - lower) % alignment == 0).expect("there is one in any row of numbers")
    });
    (lower, upper - lower)
}

/// The entries that are data.
pub(crate) fn data(entries: &[Entry]) -> Vec<Element> {
    entries.iter().filter_map(|e| if let Entry::Data(e) = e { Some(*e) } else { None }).collect()
}
