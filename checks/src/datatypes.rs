//! Datatypes of any constructors with any arguments: they are refused, or they have bounds, are written and read back, and
//! what is small enough is packed as its elements say one by one.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use layout::dataloop::{Dataloop, Extent, LoopError, Segment};
use layout::datatype::{Distribution, Order};
use layout::{Basic, Constructor, Datatype, Typemap, emit, read};

/// What is packed has no more elements, and spans no more bytes.
const MOST_ELEMENTS: usize = 2000;
const MOST_BYTES: i64 = 1 << 18;

/// Checks the datatype that these bytes choose.
///
/// # Panics
///
/// If something is wrong.
pub fn check(data: &[u8]) {
    let mut u = Unstructured::new(data);
    // Bytes that are at an end choose nothing.
    let _ = check_one(&mut u);
}

fn check_one(u: &mut Unstructured<'_>) -> Result<()> {
    let datatype = datatype(u, 5)?;
    let text = datatype.to_string();
    // Lists that do not belong together are not read.
    match read::datatype(&text) {
        Ok(read) => assert!(read == datatype, "{text}"),
        Err(error) => assert!(datatype.layout().is_err(), "{text}: {error}"),
    }
    let layout = match datatype.layout() {
        Ok(layout) => layout,
        Err(error) => {
            assert!(!error.to_string().contains('\n'), "{text}: {error}");
            return Ok(());
        }
    };
    let bounds = layout.bounds;
    assert!(0 <= bounds.size && bounds.true_lower <= bounds.true_upper, "{text}: {bounds:?}");
    // What cannot be written is said.
    let _ = emit::c_function_of(&datatype, "make");
    let Ok(dataloop) = Dataloop::of_layout(&layout) else { return Ok(()) };
    assert_eq!(dataloop.size() as i64, bounds.size, "{text}");
    assert_eq!((dataloop.lower_bound(), dataloop.extent()), (bounds.lower, bounds.extent()), "{text}");
    walk(u, &text, &dataloop)?;
    let span = [bounds.true_lower, bounds.true_upper, bounds.lower, bounds.upper];
    if bounds.elements <= MOST_ELEMENTS
        && span.iter().all(|place| place.unsigned_abs() <= MOST_BYTES.unsigned_abs())
    {
        pack(&text, &dataloop, &Typemap::of_layout(&layout));
    }
    Ok(())
}

/// Goes to places of very many copies, and lists what is there.
fn walk(u: &mut Unstructured<'_>, text: &str, dataloop: &Dataloop) -> Result<()> {
    let count = number(u)?.unsigned_abs();
    let mut segment = match Segment::new(dataloop, count) {
        Ok(segment) => segment,
        Err(LoopError::TooLarge) => return Ok(()),
        Err(error) => panic!("{text} {count} times: {error}"),
    };
    let all = segment.size();
    assert_eq!(u128::from(all), u128::from(count) * u128::from(dataloop.size()), "{text}");
    for _ in 0..3 {
        let position = u.int_in_range(0..=all)?;
        segment.seek(position).expect("it is not beyond the end");
        let mut entries = [Extent { offset: 0, length: 0 }; 4];
        let limit = u.int_in_range(1..=1000)?;
        let used = segment.list(&mut entries, limit);
        let listed: u64 = entries[..used].iter().map(|entry| entry.length).sum();
        assert_eq!(segment.position(), position + listed, "{text}");
        assert!(listed <= limit && (listed == limit.min(all - position) || used == entries.len()), "{text}");
    }
    Ok(())
}

fn pack(text: &str, dataloop: &Dataloop, map: &Typemap) {
    let count = 2;
    let addresses: Vec<i64> = (0..count)
        .flat_map(|copy| map.elements.iter().map(move |element| (copy, element)))
        .flat_map(|(copy, e)| (0..e.basic.size()).map(move |byte| copy * map.extent + e.displacement + byte))
        .collect();
    let low = addresses.iter().copied().min().unwrap_or(0).min(0);
    let end = addresses.iter().copied().max().unwrap_or(0).max(0) + 1;
    let origin = low.unsigned_abs() as usize;
    let memory: Vec<u8> =
        (0..(end - low) as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let expected: Vec<u8> = addresses.iter().map(|at| memory[(at - low) as usize]).collect();
    let mut segment = Segment::new(dataloop, count as u64).expect("it is small");
    let mut packed = vec![0; expected.len()];
    assert_eq!(segment.pack(&memory, origin, &mut packed), Ok(expected.len()), "{text}");
    assert!(packed == expected, "{text}");
    // What is unpacked is what a loop over the elements leaves.
    let (mut by_us, mut by_loop) = (vec![0; memory.len()], vec![0; memory.len()]);
    segment.seek(0).expect("there is a begin");
    assert_eq!(segment.unpack(&mut by_us, origin, &packed), Ok(packed.len()), "{text}");
    addresses.iter().zip(&packed).for_each(|(at, byte)| by_loop[(at - low) as usize] = *byte);
    assert!(by_us == by_loop, "{text}");
}

const BASICS: [Basic; 6] =
    [Basic::Byte, Basic::Int, Basic::Double, Basic::Short, Basic::LongDouble, Basic::DoubleComplex];

/// A datatype of at most `depth` constructors on each path.
fn datatype(u: &mut Unstructured<'_>, depth: usize) -> Result<Datatype> {
    if depth == 0 || u.ratio(1, 8)? {
        return Ok(Datatype::Basic(*u.choose(&BASICS)?));
    }
    let child = datatype(u, depth - 1)?;
    let order = if u.arbitrary()? { Order::C } else { Order::Fortran };
    let length = u.int_in_range(0..=3)?;
    Ok(Datatype::from(match u.int_in_range(0..=11)? {
        0 => Constructor::Dup { child },
        1 => Constructor::Contiguous { count: number(u)?, child },
        2 => Constructor::Vector { count: number(u)?, blocklength: number(u)?, stride: number(u)?, child },
        3 => Constructor::Hvector { count: number(u)?, blocklength: number(u)?, stride: number(u)?, child },
        4 => Constructor::Indexed { blocklengths: list(u, length)?, displacements: list(u, length)?, child },
        5 => Constructor::Hindexed { blocklengths: list(u, length)?, displacements: list(u, length)?, child },
        6 => Constructor::IndexedBlock { blocklength: number(u)?, displacements: list(u, length)?, child },
        7 => Constructor::HindexedBlock { blocklength: number(u)?, displacements: list(u, length)?, child },
        8 => {
            let more =
                (0..u.int_in_range(0..=2)?).map(|_| datatype(u, depth - 1)).collect::<Result<Vec<_>>>()?;
            let children: Vec<Datatype> = std::iter::once(child).chain(more).collect();
            let (mut blocklengths, mut displacements) = (Vec::new(), Vec::new());
            for _ in &children {
                blocklengths.push(number(u)?);
                displacements.push(number(u)?);
            }
            Constructor::Struct {
                blocklengths: blocklengths.into(),
                displacements: displacements.into(),
                children: children.into(),
            }
        }
        9 => Constructor::Subarray {
            sizes: list(u, length)?,
            subsizes: list(u, length)?,
            starts: list(u, length)?,
            order,
            child,
        },
        10 => {
            let (mut distributions, mut arguments) = (Vec::new(), Vec::new());
            for _ in 0..length {
                arguments.push(if u.arbitrary()? { Some(number(u)?) } else { None });
                distributions.push(*u.choose(&[
                    Distribution::Block,
                    Distribution::Cyclic,
                    Distribution::None,
                ])?);
            }
            Constructor::Darray {
                size: number(u)?,
                rank: number(u)?,
                sizes: list(u, length)?,
                distributions: distributions.into(),
                arguments: arguments.into(),
                processes: list(u, length)?,
                order,
                child,
            }
        }
        _ => Constructor::Resized { lower_bound: number(u)?, extent: number(u)?, child },
    }))
}

/// Numbers that are mostly as many as those of other lists.
fn list(u: &mut Unstructured<'_>, length: usize) -> Result<Arc<[i64]>> {
    let length = if u.ratio(1, 20)? { u.int_in_range(0..=4)? } else { length };
    (0..length).map(|_| number(u)).collect()
}

/// Mostly a small one, sometimes one at the end of what is possible.
fn number(u: &mut Unstructured<'_>) -> Result<i64> {
    Ok(match u.int_in_range(0..=23)? {
        0 => u.arbitrary()?,
        1 => i64::MAX >> u.int_in_range(0..=62)?,
        2 => i64::MIN >> u.int_in_range(0..=62)?,
        3 => 1 << u.int_in_range(0..=62)?,
        4 => u.int_in_range(-100_000..=100_000)?,
        5..=8 => u.int_in_range(-9..=0)?,
        _ => u.int_in_range(0..=5)?,
    })
}
