//! Layouts of datatypes: against typemaps built entry by entry as the standard defines them, and against MPICH and Open MPI.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use arbtest::arbitrary::Unstructured;
use arbtest::arbtest;
use layout::bounds::Bounds;
use layout::datatype::{Distribution, Order};
use layout::libraries::{agreed, extent_in};
use layout::{Basic, Constructor, Datatype, Layout, Tree, emit, read};

use crate::support::libraries::{Answer, Library, ask, compile_and_run};
use crate::support::random;
use crate::support::typemap::{bounds, data, entries};

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
    .budget_ms(1500);
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
    .budget_ms(1500);
}

/// Datatypes at random, always the same ones.
fn samples(count: usize, depth: usize) -> Vec<Datatype> {
    (bytes(count).iter())
        .map(|bytes| random::datatype(&mut Unstructured::new(bytes), depth).expect("there are enough bytes"))
        .collect()
}

/// Rows of bytes at random, always the same ones.
fn bytes(count: usize) -> Vec<Vec<u8>> {
    let mut state = 0xd1b5_4a32_d192_ed03_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..count).map(|_| (0..4096).map(|_| next()).collect()).collect()
}

/// A constructor describes the elements of a layout, with its bounds.
fn describes(found: Constructor, layout: &Layout) {
    let text = found.to_string();
    let again = Datatype::from(found).layout().expect("it is small");
    assert_eq!(again.tree.flatten(), layout.tree.flatten(), "{text}");
    let [again, wanted] = [again.bounds, layout.bounds].map(|bounds| (bounds.lower, bounds.upper));
    assert_eq!(again, wanted, "{text}");
}

/// A box of an array of elements is found again, and other layouts are no boxes of other bounds or elements.
#[test]
fn boxes_of_arrays_are_found_again() {
    arbtest(|u| {
        let child = if u.arbitrary()? { Basic::Int } else { Basic::Double };
        let array = random::array(u, child.into())?;
        let layout = Datatype::from(array.clone()).layout().expect("it is small");
        let found = layout.subarray();
        if matches!(array, Constructor::Subarray { .. }) {
            assert!(found.is_some(), "{array}");
        }
        if let Some(found) = found {
            let again = Datatype::from(found.clone()).layout().expect("it is small");
            assert_eq!(again, layout, "{array} is no {found}");
        }
        // Of what is no array, at least the elements are the same.
        let layout = random::datatype(u, 3)?.layout().expect("it is small");
        if let Some(found) = layout.subarray() {
            describes(found, &layout);
        }
        Ok(())
    })
    .budget_ms(750);
}

/// What a process has of a distributed array of elements is found again as such, whatever tree it has; and what is found describes the
/// same.
#[test]
fn distributed_arrays_are_found_again() {
    arbtest(|u| {
        let child = if u.arbitrary()? { Basic::Int } else { Basic::Double };
        let array = random::array(u, child.into())?;
        let layout = Datatype::from(array.clone()).layout().expect("it is small");
        let flat = Tree::Idx {
            indices: layout.tree.flatten().iter().map(|e| e.displacement).collect(),
            child: Arc::new(Tree::Con { count: 1, basic: child }),
        };
        for tree in [layout.tree.clone(), flat] {
            let found = Layout { tree, bounds: layout.bounds }.darray();
            if matches!(array, Constructor::Darray { .. }) && layout.bounds.elements > 0 {
                assert!(found.is_some(), "{array}");
            }
            if let Some(found) = found {
                describes(found, &layout);
            }
        }
        // Of what is no array, at least the elements are the same.
        let layout = random::datatype(u, 3)?.layout().expect("it is small");
        for found in [layout.darray(), layout.dup()].into_iter().flatten() {
            describes(found, &layout);
        }
        Ok(())
    })
    .budget_ms(750);
}

/// All shares of a dimension of up to 9 elements, by all block lengths and numbers of processes: each that has elements is found, and no
/// other set of places is taken for one.
#[test]
fn shares_of_one_dimension_are_exactly_the_block_cyclic_ones() {
    for size in 1_i64..=9 {
        let mut shares = BTreeSet::new();
        for (block, processes) in (1..=size).flat_map(|block| (1..=size).map(move |p| (block, p))) {
            for coordinate in 0..processes {
                let has = |place: &i64| place / block % processes == coordinate;
                shares.insert((0..size).filter(has).collect::<Vec<_>>());
            }
        }
        for set in 1_u32..1 << size {
            let places: Vec<i64> = (0..size).filter(|place| set >> place & 1 == 1).collect();
            let tree = Tree::Idx {
                indices: places.iter().map(|place| 4 * place).collect(),
                child: Arc::new(Tree::Con { count: 1, basic: Basic::Int }),
            };
            let bounds = Bounds::of_tree(&tree).expect("it is small");
            let layout = Layout { tree, bounds: Bounds { lower: 0, upper: 4 * size, set: true, ..bounds } };
            let found = layout.darray();
            let has_one_dimension =
                matches!(&found, Some(Constructor::Darray { sizes, .. }) if sizes.len() == 1);
            assert_eq!(has_one_dimension, shares.contains(&places), "{places:?} of {size}: {found:?}");
        }
    }
}

/// What is found of distributed arrays, both libraries build as well.
#[test]
fn real_libraries_build_what_is_found() {
    let datatypes: Vec<Datatype> = bytes(120)
        .iter()
        .filter_map(|bytes| {
            let array = random::array(&mut Unstructured::new(bytes), Basic::Int.into());
            let layout = Datatype::from(array.expect("there are enough bytes")).layout().ok()?;
            layout.darray().map(Datatype::from)
        })
        .collect();
    assert!(datatypes.len() > 50, "{} are found", datatypes.len());
    compare(&datatypes);
}

/// The names of the constructors in a datatype.
fn kinds(datatype: &Datatype, all: &mut Vec<String>) {
    if let Datatype::Constructed(constructor) = datatype {
        let name = format!("{constructor:?}");
        all.push(name.split(' ').next().unwrap_or_default().to_owned());
        constructor.children().iter().for_each(|child| kinds(child, all));
    }
}

/// Asks both libraries: they say what the standard does, but for what is known of them. Returns the share of answers that are the standard's.
fn compare(datatypes: &[Datatype]) -> f64 {
    let mut agreed = 0;
    for library in Library::ALL {
        let answers = ask(library, datatypes);
        assert_eq!(answers.len(), datatypes.len());
        for (datatype, theirs) in datatypes.iter().zip(answers) {
            let Layout { tree, .. } = datatype.layout().expect("it is small");
            let theirs = theirs.unwrap_or_else(|| panic!("{library:?} refuses {datatype:?}"));
            let elements = tree.flatten();
            let [theirs, ours, known] =
                [Some(theirs), Some(Answer::ours(datatype)), Answer::known(library, datatype)]
                    .map(|answer| answer.map(|answer| answer.copied(library, &elements)));
            assert_eq!(theirs, known, "{library:?}: {datatype:?}");
            agreed += usize::from(theirs == ours);
        }
    }
    agreed as f64 / (2 * datatypes.len()) as f64
}

/// What the crate says of a library, without looking at elements, against what follows from them.
#[test]
fn extents_in_libraries_are_known_without_elements() {
    let mut leaving = 0;
    for datatype in samples(3000, 4) {
        for library in Library::ALL {
            let known = Answer::known(library, &datatype);
            let found = extent_in(library.of_crate(), &datatype);
            assert_eq!(found, known.as_ref().map(|a| (a.lower_bound, a.extent)), "{library:?}: {datatype:?}");
            let ours = Answer::ours(&datatype);
            leaving += usize::from(found.is_some_and(|found| found != (ours.lower_bound, ours.extent)));
        }
    }
    assert!(100 < leaving, "{leaving} answers are not the standard's");
}

/// What is built so that libraries agree has the elements and the bounds of the datatype, by the standard and in both libraries.
#[test]
fn what_is_agreed_on_is_the_same_everywhere() {
    let mut changed = 0;
    for datatype in samples(3000, 4) {
        let built = agreed(&datatype).expect("it is small");
        let [ours, theirs] = [&datatype, &built].map(|d| d.layout().expect("it is small"));
        assert_eq!(theirs.tree.flatten(), ours.tree.flatten(), "{datatype:?}");
        let bounds = |layout: &Layout| (layout.bounds.lower, layout.bounds.upper);
        assert_eq!(bounds(&theirs), bounds(&ours), "{datatype:?}");
        changed += usize::from(built != datatype);
        for library in Library::ALL {
            // Where nothing is known of the parts, nothing is promised.
            let Some(known) = Answer::known(library, &built) else { continue };
            let ours = Answer::ours(&datatype);
            assert!(known.is_alike(&ours), "{library:?}: {datatype:?} as {built:?}: {known:?}, not {ours:?}");
        }
    }
    assert!(100 < changed, "{changed} datatypes are built otherwise");
}

/// The smallest datatypes about which libraries disagree, built so that they agree.
#[test]
fn real_libraries_agree_on_what_is_built_for_them() {
    let datatypes: Vec<Datatype> = [
        "hindexed([1,1],[0,5],MPI_INT)",
        "contiguous(3,hindexed([1,1],[0,5],MPI_INT))",
        "struct([1,1],[0,5],[MPI_INT,MPI_INT])",
        "hvector(2,1,6,struct([1,1],[0,4],[MPI_INT,MPI_CHAR]))",
        "vector(2,2,3,hindexed([1,1,1],[1,2,0],MPI_INT))",
        "struct([1,1],[0,7],[MPI_INT,resized(MPI_CHAR,0,1)])",
        "hvector(3,1,-1,MPI_INT)",
        "vector(5,1,-1,MPI_CHAR)",
    ]
    .iter()
    .map(|text| read::datatype(text).expect("it is right"))
    .collect();
    let built: Vec<Datatype> = datatypes.iter().map(|d| agreed(d).expect("it is small")).collect();
    for library in Library::ALL {
        for (datatype, answer) in datatypes.iter().zip(ask(library, &built)) {
            let answer = answer.expect("it is accepted");
            assert!(answer.is_alike(&Answer::ours(datatype)), "{library:?}: {datatype}: {answer:?}");
        }
    }
}

/// Whether both libraries are known to have an answer: nothing without elements is part of it.
fn has_answer(datatype: &Datatype) -> bool {
    Library::ALL.iter().all(|library| Answer::known(*library, datatype).is_some())
}

#[test]
fn real_libraries_build_the_same() {
    let datatypes: Vec<Datatype> = samples(700, 4).into_iter().filter(has_answer).collect();
    let mut found = Vec::new();
    datatypes.iter().for_each(|datatype| kinds(datatype, &mut found));
    found.sort();
    let often = found.chunk_by(|a, b| a == b).filter(|kind| kind.len() >= 40).count();
    assert!(datatypes.len() > 330, "{} datatypes are compared", datatypes.len());
    assert_eq!(often, 12, "each constructor is tried at least 40 times");
    let share = compare(&datatypes);
    assert!(share > 0.9, "the libraries agree with the standard on {share} of all");
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

/// The smallest datatypes that a library answers otherwise than the standard: what is known of it says so, and so does the library.
#[test]
fn real_libraries_leave_the_standard_where_it_is_said() {
    use Library::{Mpich, OpenMpi};
    let slips = [
        (&[Mpich][..], "hindexed([1,1],[0,5],MPI_INT)"),
        (&[Mpich], "struct([1,1],[0,5],[MPI_INT,MPI_INT])"),
        (&[Mpich, OpenMpi], "hvector(2,1,6,struct([1,1],[0,4],[MPI_INT,MPI_CHAR]))"),
        (&[OpenMpi], "hindexed([1,1,1],[1,2,0],MPI_INT)"),
        (&[Mpich], "struct([1,1],[0,7],[MPI_INT,resized(MPI_CHAR,0,1)])"),
        (&[OpenMpi], "hvector(3,1,-1,MPI_INT)"),
        (&[Mpich], "darray(3,2,[5],[cyclic],[2],[3],C,hindexed([1],[1],MPI_INT))"),
        (&[], "contiguous(2,MPI_LONG_DOUBLE)"),
    ];
    let datatypes: Vec<Datatype> =
        slips.iter().map(|(_, text)| read::datatype(text).expect("it is right")).collect();
    for ((slipping, text), datatype) in slips.iter().zip(&datatypes) {
        for library in Library::ALL.into_iter().filter(|library| slipping.contains(library)) {
            assert_ne!(Answer::known(library, datatype), Some(Answer::ours(datatype)), "{library:?}: {text}");
        }
    }
    compare(&datatypes);
    // What has no answer here has one in the libraries all the same.
    let nothing = [
        (OpenMpi, "vector(1,1,0,contiguous(0,MPI_INT))", (0, 0, i64::MAX)),
        (Mpich, "vector(2,0,1,MPI_INT)", (0, 4, 0)),
        (Mpich, "struct([1,1],[0,5],[MPI_INT,contiguous(0,MPI_INT)])", (0, 8, 0)),
        (OpenMpi, "struct([1,1],[0,5],[MPI_INT,contiguous(0,MPI_INT)])", (0, 8, 0)),
    ];
    for (library, text, expected) in nothing {
        let datatype = read::datatype(text).expect("it is right");
        assert_eq!(Answer::known(library, &datatype), None);
        let answer = ask(library, &[datatype]).remove(0).expect("it is accepted");
        let said = (answer.lower_bound, answer.extent, answer.true_lower_bound);
        assert_eq!(said, expected, "{library:?}: {text}");
    }
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
        compile_and_run(Library::Mpich, &source, &binary).expect("MPICH 4.0 has the constructors of MPI-4");
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
        compile_and_run(Library::OpenMpi, &source, &binary).expect_err("Open MPI 4.1 has those of MPI-3.1");
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
