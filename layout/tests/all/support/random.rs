//! Datatypes at random: every constructor over every other one.

use arbtest::arbitrary::{Result, Unstructured};
use layout::datatype::{Distribution, Order};
use layout::{Basic, Constructor, Datatype};

/// Elements of a datatype at most, and how far from 0 its bytes and bounds may be.
const ELEMENTS: usize = 300;
const FARTHEST: i64 = 8000;

const BASICS: [Basic; 10] = [
    Basic::Byte,
    Basic::Byte,
    Basic::Char,
    Basic::Short,
    Basic::Int,
    Basic::Int,
    Basic::Float,
    Basic::Double,
    Basic::DoubleComplex,
    Basic::LongDouble,
];

/// A datatype of at most `depth` constructors on each path, small enough to be written down.
pub(crate) fn datatype(u: &mut Unstructured<'_>, depth: usize) -> Result<Datatype> {
    if depth == 0 || u.ratio(1, 12)? {
        return Ok(Datatype::Basic(*u.choose(&BASICS)?));
    }
    let child = datatype(u, depth - 1)?;
    let built: Datatype = constructor(u, depth, child.clone())?.into();
    let small = built.layout().is_ok_and(|layout| {
        let b = layout.bounds;
        let places = [b.lower, b.upper, b.true_lower, b.true_upper];
        b.elements <= ELEMENTS && places.iter().all(|place| place.abs() <= FARTHEST)
    });
    Ok(if small { built } else { child })
}

/// An array or part of one, distributed or not.
pub(crate) fn array(u: &mut Unstructured<'_>, child: Datatype) -> Result<Constructor> {
    let order = if u.arbitrary()? { Order::C } else { Order::Fortran };
    if u.ratio(1, 3)? { subarray(u, order, child) } else { darray(u, order, child) }
}

fn list(u: &mut Unstructured<'_>, length: usize, low: i64, high: i64) -> Result<Vec<i64>> {
    (0..length).map(|_| u.int_in_range(low..=high)).collect()
}

/// Bytes, which are whole doubles in one half of all cases.
fn places(u: &mut Unstructured<'_>, length: usize) -> Result<Vec<i64>> {
    if u.arbitrary()? {
        return list(u, length, -40, 120);
    }
    Ok(list(u, length, -5, 15)?.into_iter().map(|place| 8 * place).collect())
}

fn constructor(u: &mut Unstructured<'_>, depth: usize, child: Datatype) -> Result<Constructor> {
    let count = u.int_in_range(0..=4)?;
    let blocklength = u.int_in_range(0..=3)?;
    let length = u.int_in_range(0..=4)?;
    let order = if u.arbitrary()? { Order::C } else { Order::Fortran };
    Ok(match u.int_in_range(0..=11)? {
        0 => Constructor::Dup { child },
        1 => Constructor::Contiguous { count, child },
        2 => Constructor::Vector { count, blocklength, stride: u.int_in_range(-4..=6)?, child },
        3 => Constructor::Hvector { count, blocklength, stride: u.int_in_range(-40..=90)?, child },
        4 => Constructor::Indexed {
            blocklengths: list(u, length, 0, 3)?.into(),
            displacements: list(u, length, -5, 12)?.into(),
            child,
        },
        5 => Constructor::Hindexed {
            blocklengths: list(u, length, 0, 3)?.into(),
            displacements: places(u, length)?.into(),
            child,
        },
        6 => Constructor::IndexedBlock { blocklength, displacements: list(u, length, -5, 12)?.into(), child },
        7 => Constructor::HindexedBlock { blocklength, displacements: places(u, length)?.into(), child },
        8 => Constructor::Struct {
            blocklengths: list(u, length, 0, 3)?.into(),
            displacements: places(u, length)?.into(),
            children: (0..length).map(|_| datatype(u, depth - 1)).collect::<Result<Vec<_>>>()?.into(),
        },
        9 => subarray(u, order, child)?,
        10 => darray(u, order, child)?,
        _ => Constructor::Resized {
            lower_bound: u.int_in_range(-24..=24)?,
            extent: u.int_in_range(-8..=64)?,
            child,
        },
    })
}

fn subarray(u: &mut Unstructured<'_>, order: Order, child: Datatype) -> Result<Constructor> {
    let dimensions = u.int_in_range(1..=3)?;
    let sizes = list(u, dimensions, 1, 5)?;
    let subsizes = sizes.iter().map(|size| u.int_in_range(1..=*size)).collect::<Result<Vec<_>>>()?;
    let starts = (sizes.iter().zip(&subsizes))
        .map(|(size, subsize)| u.int_in_range(0..=size - subsize))
        .collect::<Result<Vec<_>>>()?;
    Ok(Constructor::Subarray {
        sizes: sizes.into(),
        subsizes: subsizes.into(),
        starts: starts.into(),
        order,
        child,
    })
}

fn darray(u: &mut Unstructured<'_>, order: Order, child: Datatype) -> Result<Constructor> {
    let dimensions = u.int_in_range(1..=3)?;
    let sizes = list(u, dimensions, 1, 7)?;
    let (mut distributions, mut arguments, mut processes) = (Vec::new(), Vec::new(), Vec::new());
    for size in &sizes {
        let count = u.int_in_range(1..=3)?;
        let given = u.arbitrary::<bool>()?;
        match u.int_in_range(0..=2)? {
            0 => {
                let least = (size - 1) / count + 1;
                distributions.push(Distribution::Block);
                arguments.push(if given { Some(u.int_in_range(least..=least + 2)?) } else { None });
                processes.push(count);
            }
            1 => {
                distributions.push(Distribution::Cyclic);
                arguments.push(if given { Some(u.int_in_range(1..=3)?) } else { None });
                processes.push(count);
            }
            _ => {
                distributions.push(Distribution::None);
                arguments.push(None);
                processes.push(1);
            }
        }
    }
    let size = processes.iter().product();
    Ok(Constructor::Darray {
        size,
        rank: u.int_in_range(0..=size - 1)?,
        sizes: sizes.into(),
        distributions: distributions.into(),
        arguments: arguments.into(),
        processes: processes.into(),
        order,
        child,
    })
}
