//! Layouts of datatypes: against typemaps built entry by entry as the standard defines them, and against MPICH and Open MPI.

#[path = "support/random.rs"]
mod random;

use std::fs;
use std::path::Path;
use std::process::Command;

use arbtest::arbitrary::Unstructured;
use arbtest::arbtest;
use layout::bounds::Bounds;
use layout::datatype::{Distribution, Order};
use layout::{Basic, Constructor, Datatype, Element, Layout, emit};

/// An entry of a typemap with the standard's markers.
#[derive(Clone, Copy)]
enum Entry {
    Data(Element),
    Lower(i64),
    Upper(i64),
}

/// The typemap by the letter of MPI-4.1, section 5.1: copies of entries.
fn entries(datatype: &Datatype) -> Vec<Entry> {
    let constructor = match datatype {
        Datatype::Basic(basic) => return vec![Entry::Data(Element::new(0, *basic))],
        Datatype::Tree(tree) => return tree.flatten().into_iter().map(Entry::Data).collect(),
        Datatype::Constructed(constructor) => constructor,
    };
    let children: Vec<Vec<Entry>> = constructor.children().iter().map(entries).collect();
    let child = children.first().cloned().unwrap_or_default();
    let extent = bounds(&child).1;
    let block = |at: i64, length: i64| (0..length).map(move |i| at + i * extent);
    let places: Vec<i64> = match &**constructor {
        Constructor::Dup { .. } => vec![0],
        Constructor::Contiguous { count, .. } => block(0, *count).collect(),
        Constructor::Vector { count, blocklength, stride, .. } => {
            (0..*count).flat_map(|i| block(i * stride * extent, *blocklength)).collect()
        }
        Constructor::Hvector { count, blocklength, stride, .. } => {
            (0..*count).flat_map(|i| block(i * stride, *blocklength)).collect()
        }
        Constructor::Indexed { blocklengths, displacements, .. } => {
            blocklengths.iter().zip(&**displacements).flat_map(|(l, d)| block(d * extent, *l)).collect()
        }
        Constructor::Hindexed { blocklengths, displacements, .. } => {
            blocklengths.iter().zip(&**displacements).flat_map(|(l, d)| block(*d, *l)).collect()
        }
        Constructor::IndexedBlock { blocklength, displacements, .. } => {
            displacements.iter().flat_map(|d| block(d * extent, *blocklength)).collect()
        }
        Constructor::HindexedBlock { blocklength, displacements, .. } => {
            displacements.iter().flat_map(|d| block(*d, *blocklength)).collect()
        }
        Constructor::Struct { blocklengths, displacements, .. } => {
            return (blocklengths.iter().zip(&**displacements).zip(&children))
                .flat_map(|((length, at), child)| {
                    let extent = bounds(child).1;
                    (0..*length).flat_map(move |i| copy(child, at + i * extent))
                })
                .collect();
        }
        Constructor::Resized { lower_bound, extent, .. } => {
            return resized(child, *lower_bound, *extent);
        }
        Constructor::Subarray { sizes, subsizes, starts, order, .. } => {
            let owned = (subsizes.iter().zip(&**starts)).map(|(n, s)| (*s..s + n).collect()).collect();
            return array(child, sizes, owned, *order);
        }
        Constructor::Darray { rank, sizes, distributions, arguments, processes, order, .. } => {
            let mut rest = *rank;
            let mut owned = Vec::new();
            for i in (0..sizes.len()).rev() {
                let (size, processes) = (sizes[i], processes[i]);
                let coordinate = rest % processes;
                rest /= processes;
                let block = match distributions[i] {
                    Distribution::None => size,
                    Distribution::Block => arguments[i].unwrap_or((size + processes - 1) / processes),
                    Distribution::Cyclic => arguments[i].unwrap_or(1),
                };
                owned.insert(0, (0..size).filter(|x| x / block % processes == coordinate).collect());
            }
            return array(child, sizes, owned, *order);
        }
    };
    places.into_iter().flat_map(|at| copy(&child, at)).collect()
}

/// The elements of an array whose coordinates are in the lists.
fn array(child: Vec<Entry>, sizes: &[i64], owned: Vec<Vec<i64>>, order: Order) -> Vec<Entry> {
    let extent = bounds(&child).1;
    let slowest_first: Vec<usize> = match order {
        Order::C => (0..sizes.len()).collect(),
        Order::Fortran => (0..sizes.len()).rev().collect(),
    };
    let mut places = vec![0];
    for dimension in slowest_first {
        places = (places.iter())
            .flat_map(|at| owned[dimension].iter().map(move |x| at * sizes[dimension] + x))
            .collect();
    }
    let all = places.into_iter().flat_map(|at| copy(&child, at * extent)).collect();
    resized(all, 0, extent * sizes.iter().product::<i64>())
}

fn resized(entries: Vec<Entry>, lower: i64, extent: i64) -> Vec<Entry> {
    let data = entries.into_iter().filter(|entry| matches!(entry, Entry::Data(_)));
    data.chain([Entry::Lower(lower), Entry::Upper(lower + extent)]).collect()
}

fn copy(entries: &[Entry], by: i64) -> impl Iterator<Item = Entry> {
    entries.iter().map(move |entry| match *entry {
        Entry::Data(e) => Entry::Data(Element::new(e.displacement + by, e.basic)),
        Entry::Lower(at) => Entry::Lower(at + by),
        Entry::Upper(at) => Entry::Upper(at + by),
    })
}

/// Lower bound and extent.
fn bounds(entries: &[Entry]) -> (i64, i64) {
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

fn data(entries: &[Entry]) -> Vec<Element> {
    entries.iter().filter_map(|e| if let Entry::Data(e) = e { Some(*e) } else { None }).collect()
}

#[test]
fn layouts_are_what_the_standard_defines() {
    arbtest(|u| {
        let datatype = random::datatype(u, 4)?;
        let entries = entries(&datatype);
        let Layout { tree, bounds: found } = datatype.layout().expect("it is small");
        assert_eq!(tree.flatten(), data(&entries), "{datatype:?}");
        assert_eq!((found.lower, found.extent()), bounds(&entries), "{datatype:?}");
        let data = data(&entries);
        assert_eq!(found.elements, data.len());
        assert_eq!(found.size, data.iter().map(|e| e.basic.size()).sum::<i64>());
        let first = data.iter().map(|e| e.displacement).min().unwrap_or(0);
        let end = data.iter().map(|e| e.displacement + e.basic.size()).max().unwrap_or(0);
        assert_eq!((found.true_lower, found.true_extent()), (first, end - first), "{datatype:?}");
        Ok(())
    })
    .budget_ms(3000);
}

/// A tree has a datatype of constructors that describes the same; its bounds are those of the elements.
#[test]
fn constructors_of_a_layout_build_it() {
    arbtest(|u| {
        let layout = random::datatype(u, 4)?.layout().expect("it is small");
        let built = layout.datatype().expect("it is small").layout().expect("it is small");
        assert_eq!(built.tree.flatten(), layout.tree.flatten());
        let wanted = Bounds { set: built.bounds.set, ..layout.bounds };
        assert_eq!(built.bounds, wanted, "{layout:?}");
        let free = Datatype::of_tree(&layout.tree).expect("it is small").layout().expect("it is small");
        assert_eq!(free.tree.flatten(), layout.tree.flatten());
        let natural = Bounds::of_tree(&layout.tree).expect("it is small");
        assert_eq!(Bounds { set: false, ..free.bounds }, natural);
        Ok(())
    })
    .budget_ms(3000);
}

/// What a real MPI says of a datatype.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    size: i64,
    lower_bound: i64,
    extent: i64,
    true_lower_bound: i64,
    true_extent: i64,
    /// The addresses that are packed, byte by byte.
    bytes: Vec<i64>,
}

impl Answer {
    fn ours(datatype: &Datatype) -> Self {
        let Layout { tree, bounds } = datatype.layout().expect("it is small");
        Self {
            size: bounds.size,
            lower_bound: bounds.lower,
            extent: bounds.extent(),
            true_lower_bound: bounds.true_lower,
            true_extent: bounds.true_extent(),
            bytes: (tree.flatten().iter())
                .flat_map(|e| e.displacement..e.displacement + e.basic.size())
                .collect(),
        }
    }
}

/// Prints what MPI says of each datatype; a byte of the buffer is one half of its address.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned char buffer[2][1 << 16];
static void describe(int (*create)(MPI_Datatype *))
{
    MPI_Datatype type;
    MPI_Aint lb, extent, true_lb, true_extent;
    int size, half, i;
    unsigned char *packed[2];
    if (create(&type) != MPI_SUCCESS) { printf("failed\n"); return; }
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    for (half = 0; half < 2; half++) {
        int position = 0;
        packed[half] = malloc(size + 1);
        MPI_Pack(buffer[half] + (1 << 15), 1, type, packed[half], size, &position, MPI_COMM_SELF);
    }
    printf("%d %ld %ld %ld %ld", size, (long)lb, (long)extent, (long)true_lb, (long)true_extent);
    for (i = 0; i < size; i++) printf(" %d", packed[1][i] * 256 + packed[0][i] - (1 << 15));
    printf("\n");
    free(packed[0]);
    free(packed[1]);
    MPI_Type_free(&type);
}
int main(int argc, char **argv)
{
    int i;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (i = 0; i < 1 << 16; i++) {
        buffer[0][i] = (unsigned char)i;
        buffer[1][i] = (unsigned char)(i >> 8);
    }
"#;

/// What that MPI answers about each of the datatypes.
fn ask(mpi: &str, datatypes: &[Datatype]) -> Vec<Option<Answer>> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut code = "#include <mpi.h>\n".to_owned();
    let mut calls = String::new();
    for (number, datatype) in datatypes.iter().enumerate() {
        let name = format!("create{number}");
        let function = emit::c_function_of(datatype, &name).expect("its arguments are right");
        code.push_str(&format!("static {function}"));
        calls.push_str(&format!("    describe({name});\n"));
    }
    let (source, program) = (directory.path().join("types.c"), directory.path().join("types"));
    fs::write(&source, format!("{code}{PROGRAM}{calls}    MPI_Finalize();\n    return 0;\n}}\n"))
        .expect("files can be written");
    let printed = compile_and_run(mpi, &source, &program).unwrap_or_else(|said| panic!("{said}"));
    printed.lines().map(answer).collect()
}

/// What a program prints, or what the compiler says.
fn compile_and_run(mpi: &str, source: &Path, program: &Path) -> Result<String, String> {
    let compiled = Command::new(format!("mpicc.{mpi}"))
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([program, source])
        .output()
        .expect("make setup-test installs the compilers");
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut run = Command::new(format!("mpiexec.{mpi}"));
    run.args(["-n", "1"]);
    if mpi == "openmpi" {
        run.args(["--allow-run-as-root", "--oversubscribe"]);
    }
    let run = run.arg(program).output().expect("make setup-test installs the launchers");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    Ok(String::from_utf8(run.stdout).expect("numbers are"))
}

/// None if the library refuses the datatype.
fn answer(line: &str) -> Option<Answer> {
    if line == "failed" {
        return None;
    }
    let numbers: Vec<i64> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
    let [size, lower_bound, extent, true_lower_bound, true_extent, ref bytes @ ..] = numbers[..] else {
        panic!("five numbers in {line}");
    };
    Some(Answer { size, lower_bound, extent, true_lower_bound, true_extent, bytes: bytes.to_vec() })
}

/// Datatypes at random, always the same ones.
fn samples(count: usize, depth: usize) -> Vec<Datatype> {
    (bytes(count).iter())
        .map(|bytes| random::datatype(&mut Unstructured::new(bytes), depth).expect("there are enough bytes"))
        .collect()
}

/// Rows of bytes at random, always the same ones.
fn bytes(count: usize) -> Vec<Vec<u8>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| (0..4096).map(|_| next()).collect()).collect()
}

/// Whether all libraries read the standard alike for this datatype, as far as is known: about one random datatype in three.
///
/// These kinds were left out after answers differed; why they do is inferred from the answers, not from the libraries' sources, and the
/// conditions on alignment and on parts with set bounds leave out more than what differed. None of it says who is right.
///
/// Left out is what has no data, where both have bounds of their own; elements that are not aligned, and padding outside of structs, which
/// MPICH 4.0 does not add and Open MPI 4.1 adds more than once; structs of which some parts have bounds that are set and others not, where
/// MPICH 4.0 takes the former for one bound and the latter for the other; cyclic darrays of what does not begin at 0, whose true
/// bounds are too wide in MPICH 4.0; and the padding bytes of a long double, which MPICH does not copy.
fn undisputed(datatype: &Datatype) -> bool {
    let Datatype::Constructed(constructor) = datatype else {
        return *datatype != Datatype::Basic(Basic::LongDouble);
    };
    let bounds_of = |datatype: &Datatype| datatype.layout().expect("it is small").bounds;
    let Layout { tree, bounds } = datatype.layout().expect("it is small");
    let padded = bounds.extent() != bounds.true_extent();
    let aligned = tree.flatten().iter().all(|e| e.displacement % e.basic.alignment() == 0);
    let set = constructor.children().iter().filter(|child| bounds_of(child).set).count();
    let late = match &**constructor {
        Constructor::Darray { distributions, child, .. } => {
            distributions.contains(&Distribution::Cyclic) && bounds_of(child).true_lower != 0
        }
        _ => false,
    };
    bounds.elements > 0
        && !late
        && (bounds.set || aligned && !padded)
        && (set == 0 || set == constructor.children().len())
        && constructor.children().iter().all(undisputed)
}

/// Asks both libraries.
fn compare(datatypes: &[Datatype]) {
    for mpi in ["mpich", "openmpi"] {
        let answers = ask(mpi, datatypes);
        assert_eq!(answers.len(), datatypes.len());
        for (datatype, theirs) in datatypes.iter().zip(answers) {
            assert_eq!(theirs, Some(Answer::ours(datatype)), "{mpi}: {datatype:?}");
        }
    }
}

/// The names of the constructors in a datatype.
fn kinds(datatype: &Datatype, all: &mut Vec<String>) {
    if let Datatype::Constructed(constructor) = datatype {
        let name = format!("{constructor:?}");
        all.push(name.split(' ').next().unwrap_or_default().to_owned());
        constructor.children().iter().for_each(|child| kinds(child, all));
    }
}

#[test]
fn real_libraries_build_the_same() {
    let datatypes: Vec<Datatype> = samples(1500, 4).into_iter().filter(undisputed).collect();
    let mut found = Vec::new();
    datatypes.iter().for_each(|datatype| kinds(datatype, &mut found));
    found.sort();
    let often = found.chunk_by(|a, b| a == b).filter(|kind| kind.len() >= 20).count();
    assert!(datatypes.len() > 350, "{} datatypes are left", datatypes.len());
    assert_eq!(often, 12, "each constructor is tried at least 20 times");
    compare(&datatypes);
}

/// Both orders and all distributions, over elements, and over elements with gaps between and before them.
#[test]
fn real_libraries_distribute_arrays_alike() {
    let gaps = Constructor::Resized { lower_bound: -4, extent: 12, child: Basic::Int.into() }.into();
    let datatypes: Vec<Datatype> = (bytes(400).iter().zip([Basic::Int.into(), gaps].iter().cycle()))
        .map(|(bytes, child): (_, &Datatype)| {
            random::array(&mut Unstructured::new(bytes), child.clone())
                .expect("there are enough bytes")
                .into()
        })
        .filter(|array: &Datatype| array.layout().is_ok_and(|layout| layout.bounds.elements > 0))
        .collect();
    assert!(datatypes.len() > 250, "{} arrays have elements on their process", datatypes.len());
    compare(&datatypes);
}

/// The standard's example 5.1, at home in a vector: both libraries pad structs.
#[test]
fn real_libraries_pad_structs() {
    let record = Datatype::from(Constructor::Struct {
        blocklengths: [1, 1].into(),
        displacements: [0, 8].into(),
        children: [Basic::Double.into(), Basic::Char.into()].into(),
    });
    assert_eq!(record.layout().expect("it is small").bounds.extent(), 16);
    compare(&[
        Constructor::Vector { count: 3, blocklength: 2, stride: 5, child: record.clone() }.into(),
        record,
    ]);
}

/// Numbers beyond `int` take the forms of MPI-4, which MPICH 4.0 has, and Open MPI 4.1 has not.
#[test]
fn large_counts_take_the_constructors_of_mpi_4() {
    let large = 3_000_000_000;
    let child = Datatype::Basic(Basic::Byte);
    let all: Vec<Datatype> = vec![
        Constructor::Contiguous { count: large, child: child.clone() }.into(),
        Constructor::Vector { count: 2, blocklength: large, stride: 2 * large, child: child.clone() }.into(),
        Constructor::Hvector { count: 2, blocklength: large, stride: large, child: child.clone() }.into(),
        Constructor::Indexed {
            blocklengths: [1, large].into(),
            displacements: [large, 0].into(),
            child: child.clone(),
        }
        .into(),
        Constructor::Hindexed {
            blocklengths: [large].into(),
            displacements: [8].into(),
            child: child.clone(),
        }
        .into(),
        Constructor::IndexedBlock {
            blocklength: 2,
            displacements: [-large, large].into(),
            child: child.clone(),
        }
        .into(),
        Constructor::HindexedBlock { blocklength: large, displacements: [16].into(), child: child.clone() }
            .into(),
        Constructor::Struct {
            blocklengths: [1, large].into(),
            displacements: [0, 8].into(),
            children: [Basic::Double.into(), child.clone()].into(),
        }
        .into(),
        Constructor::Subarray {
            sizes: [2, large].into(),
            subsizes: [1, large - 1].into(),
            starts: [1, 1].into(),
            order: Order::C,
            child: child.clone(),
        }
        .into(),
        Constructor::Darray {
            size: 2,
            rank: 1,
            sizes: [large].into(),
            distributions: [Distribution::Block].into(),
            arguments: [None].into(),
            processes: [2].into(),
            order: Order::C,
            child,
        }
        .into(),
    ];
    let functions: Vec<String> = (all.iter().enumerate())
        .map(|(i, datatype)| emit::c_function_of(datatype, &format!("create{i}")).expect("it has a form"))
        .collect();
    for function in &functions {
        assert!(function.contains("_c(") && function.contains("#error"), "{function}");
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let calls: String = (0..all.len()).map(|i| format!("    describe(create{i});\n")).collect();
    let program = LARGE.replace("FUNCTIONS", &functions.join("\n")).replace("CALLS", &calls);
    let (source, binary) = (directory.path().join("large.c"), directory.path().join("large"));
    fs::write(&source, program).expect("files can be written");
    let printed =
        compile_and_run("mpich", &source, &binary).expect("MPICH 4.0 has the constructors of MPI-4");
    let ours: Vec<String> = (all.iter())
        .map(|datatype| {
            let bounds = datatype.layout().expect("it is small enough").bounds;
            format!(
                "{} {} {} {} {}",
                bounds.size,
                bounds.lower,
                bounds.extent(),
                bounds.true_lower,
                bounds.true_extent()
            )
        })
        .collect();
    assert_eq!(printed.lines().collect::<Vec<_>>(), ours);
    let refused =
        compile_and_run("openmpi", &source, &binary).expect_err("Open MPI 4.1 has those of MPI-3.1");
    assert!(refused.contains("it takes the constructors of MPI-4.0"), "{refused}");
}

/// Prints the bounds of datatypes that are too large to be packed.
const LARGE: &str = r#"
#include <mpi.h>
#include <stdio.h>
FUNCTIONS
static void describe(int (*create)(MPI_Datatype *))
{
    MPI_Datatype type;
    MPI_Count size, lb, extent, true_lb, true_extent;
    if (create(&type) != MPI_SUCCESS) { printf("failed\n"); return; }
    MPI_Type_size_x(type, &size);
    MPI_Type_get_extent_x(type, &lb, &extent);
    MPI_Type_get_true_extent_x(type, &true_lb, &true_extent);
    printf("%lld %lld %lld %lld %lld\n", (long long)size, (long long)lb, (long long)extent, (long long)true_lb,
           (long long)true_extent);
    MPI_Type_free(&type);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
CALLS
    MPI_Finalize();
    return 0;
}
"#;
