//! From a layout back to what one process has of a distributed array.
//!
//! In each dimension a process has blocks of one length, equally far apart, the last of which may be cut off by the end of the array. So
//! the places of all elements are a product of such sets, for some way to write the number of elements of the array as a product of its
//! sizes. Ways with fewer dimensions come first: what is block-cyclic as a whole has one.

use crate::basic::Basic;
use crate::bounds::Bounds;
use crate::datatype::{Constructor, Datatype, Distribution, Order};
use crate::layout::Layout;

/// Elements of a layout that is looked at.
const MOST: usize = 1 << 20;
/// Dimensions that are looked for.
const DIMENSIONS: usize = 6;
/// Larger prime factors of the number of elements of the array stay together.
const LARGEST_FACTOR: i64 = 1 << 20;

impl Layout {
    /// The call of `MPI_Type_create_dup` of a predefined datatype that describes the same element with the same bounds.
    pub fn dup(&self) -> Option<Constructor> {
        if self.bounds.elements != 1 {
            return None;
        }
        let [element] = self.tree.flatten()[..] else { return None };
        let same = element.displacement == 0
            && Bounds { set: self.bounds.set, ..Bounds::of_basic(element.basic) } == self.bounds;
        same.then(|| Constructor::Dup { child: element.basic.into() })
    }

    /// A call of `MPI_Type_create_darray`, in the order of C, that describes the same elements with the same bounds: blocks, dealt in turn or
    /// one for each process, of an array of one basic datatype.
    ///
    /// There are many such calls for one layout, as nothing of it says how many processes have no part in it: this has as few dimensions as
    /// possible, at most 6, and as few processes as these dimensions allow. Layouts without elements, of more than 2^20 elements, and
    /// of arrays whose sizes have different prime factors above 2^20, are left out.
    pub fn darray(&self) -> Option<Constructor> {
        if MOST < self.bounds.elements {
            return None;
        }
        let elements = self.tree.flatten();
        let basic = elements.first()?.basic;
        let unit = basic.size();
        let length = self.bounds.extent() / unit;
        if self.bounds.lower != 0
            || self.bounds.extent() % unit != 0
            || elements.iter().any(|e| e.basic != basic)
        {
            return None;
        }
        let mut places = Vec::with_capacity(elements.len());
        for element in &elements {
            let place = element.displacement / unit;
            let is_next = places.last().is_none_or(|last| *last < place);
            if element.displacement % unit != 0 || !is_next || !(0..length).contains(&place) {
                return None;
            }
            places.push(place);
        }
        let divisors = divisors(length);
        let shares = (1..=DIMENSIONS).find_map(|most| product(&places, length, &divisors, most))?;
        let found = constructor(&shares, basic);
        // Whatever does not fit shows here.
        let built = Datatype::from(found.clone()).layout().ok()?;
        let same = built.bounds.elements == elements.len()
            && Bounds { set: self.bounds.set, ..built.bounds } == self.bounds
            && built.tree.flatten() == elements;
        same.then_some(found)
    }
}

/// What a process has of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    size: i64,
    block: i64,
    processes: i64,
    coordinate: i64,
}

impl Share {
    /// The share that has these places of a dimension, in increasing order, if there is one.
    fn of(places: &[i64], size: i64) -> Option<Self> {
        let mut runs = places.chunk_by(|a, b| a + 1 == *b).map(|run| (run[0], run.len() as i64));
        let (start, block) = runs.next()?;
        let Some((second, _)) = runs.clone().next() else { return Self::of_block(start, block, size) };
        let round = second - start;
        if round % block != 0 || start % block != 0 || start / block >= round / block {
            return None;
        }
        let mut next = i128::from(start) + i128::from(round);
        for (at, length) in runs {
            let whole = block.min(size - at);
            if i128::from(at) != next || length != whole {
                return None;
            }
            next += i128::from(round);
        }
        // The first block is whole, since there is a second one.
        let is_all = next >= size.into();
        is_all.then_some(Self { size, block, processes: round / block, coordinate: start / block })
    }

    /// The share that has one run of places.
    fn of_block(start: i64, length: i64, size: i64) -> Option<Self> {
        let processes = |block: i64| (size - 1) / block + 1;
        if start == 0 {
            return Some(Self { size, block: length, processes: processes(length), coordinate: 0 });
        }
        // A block that the end cuts off may have been longer: the shortest that some number of blocks lies before.
        let coordinate = if start + length < size {
            (start % length == 0).then_some(start / length)?
        } else {
            let fewest = (length <= start).then_some(1);
            let mut all = (1..=start / length).rev().take(LARGEST_FACTOR as usize).chain(fewest);
            all.find(|before| start % before == 0)?
        };
        let block = start / coordinate;
        Some(Self { size, block, processes: processes(block), coordinate })
    }

    /// How the standard says it, with the block size where it is not the usual one.
    fn distribution(&self) -> (Distribution, Option<i64>) {
        let Self { size, block, processes, .. } = *self;
        if processes == 1 {
            (Distribution::None, None)
        } else if i128::from(block) * i128::from(processes) >= size.into() {
            (Distribution::Block, (block != (size - 1) / processes + 1).then_some(block))
        } else {
            (Distribution::Cyclic, (block != 1).then_some(block))
        }
    }
}

/// Shares of at most `most` dimensions, the outermost first, whose product are these places of an array of `length` elements.
fn product(places: &[i64], length: i64, divisors: &[i64], most: usize) -> Option<Vec<Share>> {
    if let Some(share) = Share::of(places, length) {
        return Some(vec![share]);
    }
    if most == 1 {
        return None;
    }
    divisors.iter().filter(|size| **size < length && length % **size == 0).find_map(|&size| {
        let (outer, inner) = split(places, size)?;
        let share = Share::of(&inner, size)?;
        let mut shares = product(&outer, length / size, divisors, most - 1)?;
        shares.push(share);
        Some(shares)
    })
}

/// The rows and the places within each row, if they are the same in all rows of `size` elements.
fn split(places: &[i64], size: i64) -> Option<(Vec<i64>, Vec<i64>)> {
    let first = places.first()? / size;
    let inner: Vec<i64> =
        places.iter().take_while(|place| *place / size == first).map(|place| place % size).collect();
    if !places.len().is_multiple_of(inner.len()) {
        return None;
    }
    let rows = places.chunks(inner.len());
    let mut outer = Vec::with_capacity(rows.len());
    for row in rows {
        let base = row[0] - inner[0];
        if base % size != 0 || row.iter().zip(&inner).any(|(place, within)| place - base != *within) {
            return None;
        }
        outer.push(base / size);
    }
    Some((outer, inner))
}

/// The divisors from 2 on that have no prime factor above [`LARGEST_FACTOR`], but for what is left when all others are divided off.
fn divisors(number: i64) -> Vec<i64> {
    let mut all = vec![1];
    let mut rest = number;
    let mut factor = 2;
    while rest > 1 {
        if factor > LARGEST_FACTOR || factor > rest / factor {
            factor = rest;
        }
        let mut power = 1;
        let known = all.len();
        while rest % factor == 0 {
            rest /= factor;
            power *= factor;
            all.extend_from_within(..known);
            let from = all.len() - known;
            all[from..].iter_mut().for_each(|divisor| *divisor *= power);
        }
        factor += 1;
    }
    all.sort_unstable();
    all.retain(|divisor| *divisor > 1);
    all
}

fn constructor(shares: &[Share], basic: Basic) -> Constructor {
    let of_all = |part: fn(&Share) -> i64| shares.iter().map(part).collect::<Vec<_>>();
    let (distributions, arguments): (Vec<_>, Vec<_>) = shares.iter().map(Share::distribution).unzip();
    Constructor::Darray {
        size: shares.iter().map(|share| share.processes).fold(1, i64::saturating_mul),
        rank: shares.iter().fold(0, |rank: i64, share| {
            rank.saturating_mul(share.processes).saturating_add(share.coordinate)
        }),
        sizes: of_all(|share| share.size).into(),
        distributions: distributions.into(),
        arguments: arguments.into(),
        processes: of_all(|share| share.processes).into(),
        order: Order::C,
        child: basic.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn found(text: &str) -> Option<String> {
        let layout = read::datatype(text).expect("it is right").layout().expect("it is small");
        layout.darray().map(|found| found.to_string())
    }

    #[test]
    fn blocks_are_recognised_whatever_describes_them() {
        for (text, darray) in [
            ("resized(hvector(2,2,24,MPI_INT),0,48)", "darray(3,0,[12],[cyclic],[2],[3],C,MPI_INT)"),
            // The last block is cut off.
            (
                "resized(indexed([2,2,1],[2,6,10],MPI_INT),0,44)",
                "darray(2,1,[11],[cyclic],[2],[2],C,MPI_INT)",
            ),
            (
                "resized(indexed_block(1,[2,5,8],MPI_INT),0,40)",
                "darray(3,2,[10],[cyclic],[default],[3],C,MPI_INT)",
            ),
            ("resized(hindexed([3],[12],MPI_INT),0,36)", "darray(3,1,[9],[block],[default],[3],C,MPI_INT)"),
            // Rows 2 and 3 of a matrix of 4 by 7, and of each the columns 0, 1, 4 and 5.
            (
                "resized(indexed_block(2,[14,18,21,25],MPI_INT),0,112)",
                "darray(4,2,[4,7],[block,cyclic],[default,2],[2,2],C,MPI_INT)",
            ),
        ] {
            let layout = read::datatype(text).expect("it is right").layout().expect("it is small");
            let again = read::datatype(darray).expect("it is right").layout().expect("it is small");
            assert_eq!(layout.tree.flatten(), again.tree.flatten(), "{text}");
            assert_eq!(found(text).as_deref(), Some(darray));
        }
    }

    #[test]
    fn what_no_process_has_is_no_darray() {
        for text in [
            "resized(hindexed([3],[4],MPI_INT),0,20)",
            "resized(indexed_block(1,[0,1,3],MPI_INT),0,20)",
            "resized(indexed_block(1,[3,0],MPI_INT),0,20)",
            "resized(indexed_block(1,[0,3],MPI_INT),0,42)",
            "resized(indexed_block(1,[0,3],MPI_INT),-4,24)",
            "struct([1,1],[0,4],[MPI_INT,MPI_FLOAT])",
            "contiguous(0,MPI_INT)",
            "vector(2000000,1,2,MPI_BYTE)",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn all_divisors_are_found() {
        assert!(divisors(1).is_empty());
        assert_eq!(divisors(12), [2, 3, 4, 6, 12]);
        assert_eq!(divisors(49), [7, 49]);
        assert_eq!(divisors(97), [97]);
        // 2^61 - 1 is a prime.
        assert_eq!(divisors((1 << 61) - 1), [(1 << 61) - 1]);
    }

    #[test]
    fn a_copy_is_recognised() {
        let dup = |text: &str| {
            let layout = read::datatype(text).expect("it is right").layout().expect("it is small");
            layout.dup().map(|found| found.to_string())
        };
        assert_eq!(dup("contiguous(1,MPI_DOUBLE)").as_deref(), Some("dup(MPI_DOUBLE)"));
        assert_eq!(dup("resized(MPI_INT,0,4)").as_deref(), Some("dup(MPI_INT)"));
        for text in [
            "contiguous(2,MPI_INT)",
            "resized(MPI_INT,0,8)",
            "hindexed([1],[4],MPI_INT)",
            "contiguous(0,MPI_INT)",
        ] {
            assert_eq!(dup(text), None, "{text}");
        }
    }
}
