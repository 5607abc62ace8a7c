//! The cheapest type trees for nine families of displacements: seconds for growing lengths, and the ratio to the paper's listing at 512.
//!
//! The listing is the one that the tests compare with. At 512 both are timed in turn, and their costs compared. The last columns are with
//! buckets, which the listing does not know.

#[path = "../layout/tests/all/support/listing.rs"]
mod listing;

use std::hint::black_box;
use std::time::{Duration, Instant};

use layout::reconstruct::{Constructors, Options, reconstruct_displacements};
use layout::{Basic, CostModel, Element};

/// A family of displacements of any length.
type Family = fn(usize) -> Vec<i64>;

const FAMILIES: [(&str, Family); 10] = [
    ("arithmetic", |n| (0..n as i64).map(|i| 3 * i).collect()),
    ("vectors, 3 levels", |n| nested(n, &[(8, 3), (8, 40)], 700)),
    ("vectors, 4 levels", |n| nested(n, &[(4, 3), (4, 20), (8, 150)], 1700)),
    ("indexed vectors", |n| (0..n as i64).map(|i| square(i / 16, 97) * 100 + (i % 16) * 3).collect()),
    ("indexed of indexed", |n| {
        (0..n as i64).map(|i| square(i / 16, 97) * 1000 + square(i % 16, 61)).collect()
    }),
    ("halo faces", halo),
    ("CSR rows", csr),
    ("binary pattern", |n| {
        (0..n as i64)
            .scan(0, |at, i| Some(std::mem::replace(at, *at + 1 + i64::from(i.count_ones() % 2))))
            .collect()
    }),
    ("Fibonacci", fibonacci),
    ("random", random),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if arguments.iter().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let lengths = if arguments.iter().any(|argument| argument == "--long") {
        &[1024, 4096, 16384][..]
    } else {
        &[1024, 4096]
    };
    print!("{:20} {:>9} {:>9} {:>8}", "family", "listing", "ours", "ratio");
    for n in lengths {
        print!(" {n:>9}");
    }
    for n in lengths {
        print!(" {:>9}", format!("b. {n}"));
    }
    println!();
    for (name, family) in FAMILIES {
        let short = family(512);
        let elements: Vec<Element> = short.iter().map(|d| Element::new(*d, Basic::Byte)).collect();
        let (listed, slow) = timed(1, || listing::least_cost(&elements, &CostModel::default()));
        let (cost, fast) = timed(9, || cost(&short, Constructors::Basic));
        assert_eq!(u64::from(listed), cost, "{name}");
        print!(
            "{name:20} {:>9} {:>9} {:>7.0}x",
            show(slow),
            show(fast),
            slow.as_secs_f64() / fast.as_secs_f64()
        );
        for constructors in [Constructors::Basic, Constructors::Extended] {
            for n in lengths {
                let long = family(*n);
                let (_, time) = timed(if *n > 2000 { 1 } else { 5 }, || self::cost(&long, constructors));
                print!(" {:>9}", show(time));
            }
        }
        println!();
    }
}

fn cost(displacements: &[i64], constructors: Constructors) -> u64 {
    let options = Options { constructors, ..Options::default() };
    let found = reconstruct_displacements(black_box(displacements), Basic::Byte, &options)
        .expect("they are well-formed");
    assert!(found.optimal);
    found.cost
}

/// The result, and the median time of so many runs.
fn timed<T>(runs: usize, mut run: impl FnMut() -> T) -> (T, Duration) {
    let mut times = Vec::new();
    let mut last = None;
    for _ in 0..runs {
        let start = Instant::now();
        last = Some(run());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    (last.expect("there is a run"), times[runs / 2])
}

fn show(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    if milliseconds < 100.0 {
        format!("{milliseconds:.2} ms")
    } else {
        format!("{:.2} s", milliseconds / 1e3)
    }
}

/// Loops in loops, the innermost first, as pairs of count and stride; the outermost goes on with `outer`.
fn nested(n: usize, levels: &[(i64, i64)], outer: i64) -> Vec<i64> {
    (0..n as i64)
        .map(|mut i| {
            let mut at = 0;
            for (count, stride) in levels {
                at += i % count * stride;
                i /= count;
            }
            at + i * outer
        })
        .collect()
}

/// Numbers without regularity.
fn square(i: i64, modulus: i64) -> i64 {
    i * i % modulus + i * modulus
}

/// The faces of a cube, one after the other.
fn halo(n: usize) -> Vec<i64> {
    let side = (n as f64 / 3.0).sqrt() as i64;
    let face = |a: i64, b: i64| (0..side * side).map(move |i| i / side * a + i % side * b);
    let mut all: Vec<i64> =
        face(side, 1).chain(face(side * side, 1)).chain(face(side * side, side)).collect();
    let rest = n - all.len();
    all.extend((0..rest as i64).map(|i| side * side * side + i));
    all
}

/// Rows of a sparse matrix: runs of different lengths at different places.
fn csr(n: usize) -> Vec<i64> {
    let mut all = Vec::new();
    let mut row = 0_i64;
    while all.len() < n {
        let length = 1 + (row * 7919 + 13) % 9;
        all.extend((0..length).map(|i| row * 100 + i * (1 + (row * 31) % 7)));
        row += 1;
    }
    all.truncate(n);
    all
}

/// Distances 1 and 2 in the order of the Fibonacci word.
fn fibonacci(n: usize) -> Vec<i64> {
    let (mut shorter, mut word) = (vec![1_i64], vec![1, 2]);
    while word.len() < n {
        let longer = [word.as_slice(), &shorter].concat();
        shorter = std::mem::replace(&mut word, longer);
    }
    word[..n].iter().scan(0, |at, step| Some(std::mem::replace(at, *at + step))).collect()
}

fn random(n: usize) -> Vec<i64> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % 100_000) as i64
        })
        .collect()
}
