//! Dataloops against flattening: packed, unpacked, listed and summed in pieces, random trees give what their elements say one by one.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use layout::dataloop::{
    Checksum, Dataloop, Extent, Loop, LoopError, PackSwapped, Segment, Units, UnpackSwapped,
};
use layout::{Basic, Element, Tree, Typemap};

use crate::support::trees::{addresses, copies, tree};

/// The same for a peer of the other byte order.
fn swapped(elements: &[Element]) -> Vec<i64> {
    let mut all = Vec::new();
    for Element { displacement, basic } in elements {
        let parts = match basic {
            Basic::FloatComplex | Basic::DoubleComplex | Basic::LongDoubleComplex => 2,
            _ => 1,
        };
        let size = basic.size() / parts;
        for part in 0..parts {
            all.extend((0..size).rev().map(|byte| displacement + part * size + byte));
        }
    }
    all
}

/// A buffer for these addresses, in which neighbours differ, and where its origin is.
fn buffer(addresses: &[i64]) -> (Vec<u8>, usize) {
    let low = addresses.iter().copied().min().unwrap_or(0).min(0);
    let end = addresses.iter().copied().max().unwrap_or(0).max(0) + 1;
    let bytes = (0..(end - low) as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8);
    (bytes.collect(), -low as usize)
}

/// Cuts a length into pieces, some of them empty.
fn pieces(u: &mut Unstructured<'_>, length: usize) -> Result<Vec<usize>> {
    let mut cuts = vec![0, length];
    for _ in 0..u.int_in_range(0..=6)? {
        cuts.push(u.int_in_range(0..=length)?);
    }
    cuts.sort_unstable();
    Ok(cuts.windows(2).map(|pair| pair[1] - pair[0]).collect())
}

/// What is tested: a tree, the segment of so many copies, and their addresses.
struct Case {
    dataloop: Dataloop,
    count: u64,
    elements: Vec<Element>,
    addresses: Vec<i64>,
}

fn case(u: &mut Unstructured<'_>, units: Units) -> Result<Case> {
    let tree = tree(u, 4)?;
    let mut map = Typemap::of(&tree);
    let mut dataloop = Dataloop::compile_with(&tree, units).expect("displacements are small");
    assert_eq!(
        (dataloop.lower_bound(), dataloop.extent(), dataloop.size() as i64),
        (map.lower_bound, map.extent, map.size()),
        "{tree}"
    );
    assert_eq!(
        (dataloop.true_lower_bound(), dataloop.true_extent()),
        (map.true_lower_bound(), map.true_extent())
    );
    if u.ratio(1, 2)? {
        let extent = u.int_in_range(-40..=80)?;
        map = map.resized(0, extent);
        dataloop = dataloop.resized(0, extent);
    }
    let count = u.int_in_range(0..=5)?;
    let elements = copies(&map, count);
    let addresses = addresses(&elements);
    Ok(Case { dataloop, count, elements, addresses })
}

#[test]
fn packing_in_pieces_is_flattening() {
    arbtest(|u| {
        let Case { dataloop, count, addresses, .. } = case(u, Units::Bytes)?;
        let (memory, origin) = buffer(&addresses);
        let mut segment = Segment::new(&dataloop, count).expect("displacements are small");
        assert_eq!(segment.size(), addresses.len() as u64);
        let expected: Vec<u8> = addresses.iter().map(|at| memory[(origin as i64 + at) as usize]).collect();
        let mut packed = vec![0; expected.len()];
        let mut done = 0;
        for piece in pieces(u, packed.len())? {
            let took = segment.pack(&memory, origin, &mut packed[done..done + piece]);
            assert_eq!(took, Ok(piece));
            done += piece;
        }
        assert_eq!(packed, expected, "{}", dataloop.code());
        assert_eq!(segment.pack(&memory, origin, &mut [0; 8]), Ok(0));
        // Out of order.
        let from = u.int_in_range(0..=packed.len())?;
        segment.seek(from as u64).expect("it is not beyond the end");
        let mut again = vec![0; packed.len()];
        assert_eq!(segment.pack(&memory, origin, &mut again), Ok(packed.len() - from));
        assert_eq!(again[..packed.len() - from], expected[from..]);
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn unpacking_in_pieces_is_flattening() {
    arbtest(|u| {
        let Case { dataloop, count, addresses, .. } = case(u, Units::Bytes)?;
        let (mut memory, origin) = buffer(&addresses);
        let mut expected = memory.clone();
        let packed: Vec<u8> = (0..addresses.len()).map(|i| (i * 37 + i / 7) as u8).collect();
        for (byte, at) in packed.iter().zip(&addresses) {
            expected[(origin as i64 + at) as usize] = *byte;
        }
        let mut segment = Segment::new(&dataloop, count).expect("displacements are small");
        let mut done = 0;
        for piece in pieces(u, packed.len())? {
            assert_eq!(segment.unpack(&mut memory, origin, &packed[done..done + piece]), Ok(piece));
            done += piece;
        }
        assert!(memory == expected, "{}", dataloop.code());
        Ok(())
    })
    .budget_ms(1500);
}

#[test]
fn lists_in_pieces_are_flattening() {
    arbtest(|u| {
        let Case { dataloop, count, addresses, .. } = case(u, Units::Bytes)?;
        let mut segment = Segment::new(&dataloop, count).expect("displacements are small");
        let mut listed = Vec::new();
        let mut entries = [Extent { offset: 0, length: 0 }; 5];
        while segment.remaining() > 0 {
            let room = u.int_in_range(1..=entries.len())?;
            let limit = u.int_in_range(1..=60)?;
            let before = segment.position();
            let used = segment.list(&mut entries[..room], limit);
            let bytes: u64 = entries[..used].iter().map(|entry| entry.length).sum();
            assert_eq!(bytes, segment.position() - before);
            assert!(bytes == limit.min(segment.remaining() + bytes) || used == room);
            // What touches is one entry.
            assert!(entries[..used].windows(2).all(|e| e[0].offset + e[0].length as i64 != e[1].offset));
            listed.extend(entries[..used].iter().flat_map(|e| e.offset..e.offset + e.length as i64));
        }
        assert_eq!(listed, addresses, "{}", dataloop.code());
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn numbers_are_swapped_across_cuts() {
    arbtest(|u| {
        let Case { dataloop, count, elements, addresses } = case(u, Units::Numbers)?;
        let (mut memory, origin) = buffer(&addresses);
        let swapped = swapped(&elements);
        let expected: Vec<u8> = swapped.iter().map(|at| memory[(origin as i64 + at) as usize]).collect();
        let mut segment = Segment::new(&dataloop, count).expect("displacements are small");
        let mut packed = vec![0; expected.len()];
        for piece in pieces(u, packed.len())? {
            let from = segment.position();
            let to = &mut packed[from as usize..];
            segment.process(piece as u64, &mut PackSwapped::new(&memory, origin, to, from));
        }
        assert_eq!(packed, expected, "{}", dataloop.code());
        let mut there = memory.clone();
        for (byte, at) in packed.iter().zip(&swapped) {
            there[(origin as i64 + at) as usize] = *byte;
        }
        segment.seek(0).expect("it is the beginning");
        for piece in pieces(u, packed.len())? {
            let from = segment.position();
            let of = &packed[from as usize..];
            segment.process(piece as u64, &mut UnpackSwapped::new(&mut memory, origin, of, from));
        }
        assert!(memory == there);
        Ok(())
    })
    .budget_ms(1000);
}

#[test]
fn checksums_are_those_of_the_packed_bytes() {
    /// By definition, in one go.
    fn adler(bytes: impl Iterator<Item = u8>) -> u32 {
        let (low, high) = bytes.fold((1_u64, 0_u64), |(low, high), byte| {
            let low = (low + u64::from(byte)) % 65521;
            (low, (high + low) % 65521)
        });
        (high << 16 | low) as u32
    }
    assert_eq!(adler(b"Wikipedia".iter().copied()), 0x11E6_0398);
    arbtest(|u| {
        let Case { dataloop, count, addresses, .. } = case(u, Units::Bytes)?;
        let (memory, origin) = buffer(&addresses);
        let mut segment = Segment::new(&dataloop, count).expect("displacements are small");
        let mut checksum = Checksum::new(&memory, origin);
        for piece in pieces(u, addresses.len())? {
            assert_eq!(segment.process(piece as u64, &mut checksum), piece as u64);
        }
        let packed = addresses.iter().map(|at| memory[(origin as i64 + at) as usize]);
        assert_eq!(checksum.value(), adler(packed));
        Ok(())
    })
    .budget_ms(1000);
}

/// Packs and unpacks in two pieces, which are cut at three places.
fn check_long(tree: &Tree) {
    let length = tree.flatten().iter().map(|element| element.basic.size() as usize).sum::<usize>();
    check_cut(tree, [0, length / 3 + 1, length / 2]);
}

/// Packs and unpacks in two pieces, which are cut at each of these places in turn.
fn check_cut(tree: &Tree, cuts: impl IntoIterator<Item = usize>) {
    let dataloop = Dataloop::compile(tree).expect("displacements are small");
    let addresses = addresses(&tree.flatten());
    let (memory, origin) = buffer(&addresses);
    let expected: Vec<u8> = addresses.iter().map(|at| memory[(origin as i64 + at) as usize]).collect();
    for cut in cuts {
        let mut segment = Segment::new(&dataloop, 1).expect("it is one copy");
        let mut packed = vec![0; expected.len()];
        assert_eq!(segment.pack(&memory, origin, &mut packed[..cut]), Ok(cut));
        segment.pack(&memory, origin, &mut packed[cut..]).expect("the memory holds all");
        assert!(packed == expected, "{} cut at {cut}", dataloop.code());
        let mut there: Vec<u8> = memory.iter().map(|byte| !byte).collect();
        let mut wanted = there.clone();
        for (byte, at) in packed.iter().zip(&addresses) {
            wanted[(origin as i64 + at) as usize] = *byte;
        }
        segment.seek(0).expect("it is the beginning");
        assert_eq!(segment.unpack(&mut there, origin, &packed[..cut]), Ok(cut));
        segment.unpack(&mut there, origin, &packed[cut..]).expect("the memory holds all");
        assert!(there == wanted, "{} cut at {cut}", dataloop.code());
    }
}

/// Boxes of 3 x 4 x `width` blocks at places of a list, in grids that have room between the boxes.
fn boxes(width: usize, block: &Tree, step: i64) -> Tree {
    let row = Tree::vec(width, step, block.clone());
    let plane = Tree::vec(4, 16 * step, row);
    Tree::idx([0, 7, 1, 4].map(|place| place * 400 * step), Tree::vec(3, 128 * step, plane))
}

/// Loops long enough for tiles, prefetching and every size of block.
#[test]
fn long_loops_of_every_size_of_block() {
    for bytes in (1..=17).chain([24, 31, 32, 33, 48, 63, 64, 65, 200]) {
        let block = Tree::con(bytes, Basic::Byte);
        let size = bytes as i64;
        let indices: Vec<i64> = (0..200_i64).map(|i| i * i % 211 * size).collect();
        let layouts = [
            Tree::vec(300, 2 * size, block.clone()),
            Tree::vec(300, -3 * size - 1, block.clone()),
            Tree::vec(100, 300 + size, block.clone()),
            Tree::vec(37, size, Tree::vec(30, 70 * size, block.clone())),
            Tree::vec(3, 30 * 70 * size, Tree::vec(11, -size, Tree::vec(30, 70 * size, block.clone()))),
            // Few lines at a time, for all repetitions of what steps within them.
            Tree::vec(9, size, boxes(8, &block, 11 * size)),
            Tree::vec(2, 90_000, Tree::vec(5, -size, boxes(7, &block, 70 + 11 * size))),
            Tree::idx(indices.clone(), block.clone()),
            Tree::idx([0, 1 << 33].map(|far| far >> 20), Tree::idx(indices, block)),
        ];
        layouts.iter().for_each(check_long);
    }
}

/// Lists whose runs have different lengths: short ones that are repeated, also onto themselves, and long ones.
#[test]
fn long_lists_of_runs() {
    for size in [1, 4, 24] {
        let block = Tree::con(size as usize, Basic::Byte);
        // Places and lengths in blocks.
        let list = |count: i64| {
            let places: Vec<i64> = (0..count).map(|i| (5 * i + i * i % 3) * size).collect();
            let lengths: Vec<usize> = (0..count).map(|i| 1 + usize::from(i % 4 == 1)).collect();
            Tree::IdxBuc {
                step: size,
                indices: places.into(),
                buckets: lengths.into(),
                child: block.clone().into(),
            }
        };
        check_long(&list(500));
        check_long(&Tree::vec(3, 3000 * size, list(70)));
        check_long(&Tree::vec(150, 60 * size, list(7)));
        check_long(&Tree::vec(150, 3 * size, list(7)));
        check_long(&Tree::vec(150, -60 * size, list(7)));
    }
}

/// Short lists of blocks that are repeated, from one block to more than registers hold, forwards, backwards and onto each other, cut at
/// every byte.
#[test]
fn a_few_blocks_repeated() {
    for bytes in [1, 2, 3, 4, 8, 12, 16, 24, 65] {
        let block = Tree::con(bytes, Basic::Byte);
        let size = bytes as i64;
        for blocks in 1..=9_usize {
            // Every third one is two blocks long.
            let places: Vec<i64> = (0..blocks as i64).map(|i| (4 * i + i * i % 3) * size).collect();
            let lengths: Vec<usize> = (0..blocks).map(|i| 1 + usize::from(i % 3 == 2)).collect();
            let packed = 5 * bytes * lengths.iter().sum::<usize>();
            let list = Tree::IdxBuc {
                step: size,
                indices: places.into(),
                buckets: lengths.into(),
                child: block.clone().into(),
            };
            for stride in [60, -60, 1, -1, 3] {
                check_cut(&Tree::vec(5, stride * size, list.clone()), (0..packed).step_by(bytes.div_ceil(8)));
            }
            check_long(&Tree::vec(3, 5000 * size, Tree::vec(40, 60 * size + 1, list)));
        }
    }
}

/// Blocks between which as many bytes are left out, of every number that unrolled loops leave.
#[test]
fn every_other_block() {
    for bytes in [1, 2, 4, 8, 12, 16, 64, 96, 192, 512, 513] {
        for count in (2..=21).chain([64]) {
            let row = Tree::vec(count, 2 * bytes as i64, Tree::con(bytes, Basic::Byte));
            check_long(&row);
            check_long(&Tree::vec(3, 5 + 2 * (count * bytes) as i64, row));
        }
    }
}

/// Loops over more memory than the near caches hold, for which there is prefetching.
#[test]
fn loops_over_much_memory() {
    let block = Tree::con(1, Basic::Double);
    check_long(&Tree::vec(20_000, 320, block.clone()));
    check_long(&Tree::vec(7, 8, Tree::vec(3000, 640, block.clone())));
    // Boxes whose lines stay near while their packed bytes are far apart.
    let boxes = Tree::vec(8, 3072, Tree::vec(8, 192, block.clone()));
    check_long(&Tree::vec(24, 8, Tree::vec(20, 30_000, boxes)));
    let indices: Vec<i64> = (0..20_000).map(|i| 320 * i + 8 * (i * i % 11)).collect();
    check_long(&Tree::idx(indices, block));
}

#[test]
fn loops_are_simplified() {
    let code = |tree: &Tree| Dataloop::compile(tree).expect("displacements are small").code().to_string();
    let double = Tree::con(1, Basic::Double);
    // The paper's structure: packed, so an array of it is a run.
    let record = Tree::strc(
        [0, 4, 8, 72, 80, 88],
        [
            Tree::con(1, Basic::Int),
            Tree::con(1, Basic::Int),
            Tree::con(64, Basic::Char),
            double.clone(),
            double.clone(),
            Tree::con(1, Basic::Float),
        ],
    );
    assert_eq!(code(&Tree::vec(65536, 92, record)), "contig(6029312)");
    assert_eq!(code(&Tree::vec(4, 32, Tree::vec(2, 16, double.clone()))), "vector(8,16,contig(8))");
    let pattern: Vec<i64> = (0..400).flat_map(|i| [0, 8, 24].map(|at| at + 40 * i)).collect();
    assert_eq!(
        code(&Tree::idx(pattern, double.clone())),
        "vector(400,40,indexed(2,1,<0,24>,<16,8>,contig(1)))"
    );
    assert_eq!(code(&Tree::idx([5, 13, 21], double.clone())), "contig(24)");
    let complex = Dataloop::compile_with(&Tree::con(3, Basic::DoubleComplex), Units::Numbers);
    assert_eq!(complex.expect("it is small").code(), &Loop::Contig { bytes: 48, unit: 8 });
    assert_eq!(code(&Tree::vec(0, 8, double)), "contig(0)");
}

/// Copies are folded into loops when a segment is made.
#[test]
fn counts_are_folded() {
    let spaced = Dataloop::compile(&Tree::con(1, Basic::Float)).expect("it is small").resized(0, 8);
    let mut segment = Segment::new(&spaced, 1000).expect("it is small");
    let mut entries = [Extent { offset: 0, length: 0 }; 1001];
    assert_eq!(segment.list(&mut entries, u64::MAX), 1000);
    assert_eq!(entries[999], Extent { offset: 7992, length: 4 });
    let dense = spaced.resized(0, 4);
    let mut segment = Segment::new(&dense, 1 << 40).expect("it is below 2^62");
    assert_eq!(segment.list(&mut entries, u64::MAX), 1);
    assert_eq!(entries[0], Extent { offset: 0, length: 1 << 42 });
}

#[test]
fn what_is_too_large_is_an_error() {
    let byte = Tree::con(1, Basic::Byte);
    let far = [
        Tree::con(usize::MAX, Basic::Double),
        Tree::con(1 << 63, Basic::Byte),
        Tree::vec(usize::MAX, i64::MAX, byte.clone()),
        Tree::vec(usize::MAX, 0, byte.clone()),
        Tree::vec(3, i64::MIN, byte.clone()),
        Tree::vec(1 << 32, 1 << 32, byte.clone()),
        Tree::vec(1 << 40, 0, Tree::vec(1 << 40, 0, byte.clone())),
        Tree::idx([i64::MAX, i64::MIN], byte.clone()),
        Tree::idx([i64::MAX, 3, 3], byte.clone()),
        Tree::strc([i64::MIN, i64::MAX], [byte.clone(), Tree::con(2, Basic::Int)]),
        Tree::strc([i64::MAX], [Tree::vec(2, -9, byte.clone())]),
        Tree::VecBuc {
            stride: i64::MAX,
            step: i64::MAX,
            buckets: [usize::MAX, 1, 7].into(),
            child: byte.clone().into(),
        },
        Tree::IdxBuc {
            step: i64::MIN,
            indices: [i64::MAX, -5].into(),
            buckets: [usize::MAX, 2].into(),
            child: Tree::vec(2, 5, byte.clone()).into(),
        },
    ];
    for tree in far {
        assert_eq!(Dataloop::compile(&tree).map(|_| ()), Err(LoopError::TooLarge), "{tree}");
    }
    let one = Dataloop::compile(&byte).expect("it is small");
    assert_eq!(Segment::new(&one, u64::MAX).map(|_| ()), Err(LoopError::TooLarge));
    assert_eq!(Segment::new(&one.clone().resized(0, i64::MIN), 7).map(|_| ()), Err(LoopError::TooLarge));
    let deep = (0..1000).fold(byte.clone(), |tree, i| Tree::idx([0, 3 + i], tree));
    assert_eq!(Dataloop::compile(&deep).map(|_| ()), Err(LoopError::TooDeep));
    // Nothing, however often and wherever, is nothing.
    let nothing = Tree::vec(usize::MAX, i64::MAX, Tree::con(0, Basic::Int));
    assert_eq!(Dataloop::compile(&nothing).map(|loops| loops.size()), Ok(0));
    // Many paths, few nodes.
    let shared = (0..60).fold(Tree::con(0, Basic::Int), |tree, _| {
        let child = std::sync::Arc::new(tree);
        let twice = [
            Tree::Vec { count: 2, stride: 8, child: child.clone() },
            Tree::Vec { count: 3, stride: 8, child },
        ];
        Tree::strc([0, 8], twice)
    });
    assert_eq!(Dataloop::compile(&shared).map(|loops| loops.size()), Ok(0));
}

#[test]
fn data_out_of_bounds_is_an_error_and_nothing_is_written() {
    let back = Dataloop::compile(&Tree::vec(3, -8, Tree::con(1, Basic::Int))).expect("it is small");
    let mut segment = Segment::new(&back, 1).expect("it is one copy");
    let error = LoopError::OutOfBounds { first: -16, end: 4 };
    let mut packed = [7; 12];
    assert_eq!(segment.pack(&[0; 20], 15, &mut packed), Err(error));
    assert_eq!(segment.pack(&[0; 19], 16, &mut packed), Err(error));
    assert_eq!(segment.unpack(&mut [0; 19], 16, &packed), Err(error));
    assert_eq!((packed, segment.position()), ([7; 12], 0));
    assert_eq!(segment.seek(13), Err(LoopError::BeyondEnd { position: 13, end: 12 }));
    assert_eq!(segment.pack(&[0; 20], 16, &mut packed), Ok(12));
    // No data needs no memory.
    let mut empty = Segment::new(&back, 0).expect("it is empty");
    assert_eq!(empty.pack(&[], 0, &mut packed), Ok(0));
}
