//! MPICH 4.0 and Open MPI 4.1: what they say of datatypes, and where they leave the standard.

use std::fs;
use std::path::Path;
use std::process::Command;

use layout::datatype::Distribution;
use layout::{Basic, Constructor, Datatype, Element, Layout, emit};

use super::typemap::{blocks, dealt, owned, set_bounds, strides};

/// A real MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    Mpich,
    OpenMpi,
}

impl Library {
    pub(crate) const ALL: [Self; 2] = [Self::Mpich, Self::OpenMpi];

    /// The same in the crate.
    pub(crate) fn of_crate(self) -> layout::libraries::Library {
        match self {
            Self::Mpich => layout::libraries::Library::Mpich,
            Self::OpenMpi => layout::libraries::Library::OpenMpi,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mpich => "mpich",
            Self::OpenMpi => "openmpi",
        }
    }
}

/// How a library reads a datatype.
///
/// Each way in which it differs from the standard was found by reducing random datatypes to the smallest that is answered otherwise:
///
/// * `hindexed([1,1],[0,5],MPI_INT)` has the extent 12: the standard rounds the extent of *every* typemap up to a multiple of the strictest
///   alignment (it defines the extent before it gets to constructors). **MPICH** does so for structs only, and says 9; and a struct whose
///   parts are all of one datatype is an `hindexed` for it. It ends `hvector(2,1,6,struct([1,1],[0,4],[MPI_INT,MPI_CHAR]))` where the padding
///   of the second copy ends, at 14, and **Open MPI** rounds that up to 16; data end at 11, so that the extent is 12.
/// * **Open MPI** rounds up after each block: `hindexed([1,1,1],[1,2,0],MPI_INT)`, 6 bytes from 0 on, has the extent 12 and not 8, because
///   the first two blocks end at 9 with their padding.
/// * Bounds that are set win over those of elements: where there is an `lb_marker`, the lower bound is the least of them. In
///   `struct([1,1],[0,7],[MPI_INT,resized(MPI_CHAR,0,1)])` that is 7. **MPICH** unites the bounds of all parts, set or not, and says 0; it
///   rounds up the extent of a struct whose bounds are set, too.
/// * A stride of -1 byte is one as good as any. **Open MPI** puts the blocks of `hvector(3,1,-1,MPI_INT)` one after the other instead: -1
///   stands for no stride within it.
/// * `darray(3,2,[5],[cyclic],[2],[3],C,hindexed([1],[1],MPI_INT))` has one element, at 17. **MPICH** says that its true lower bound is 16:
///   where a process has no full block but an incomplete one, it counts the place of the former.
/// * A datatype of negative extent may be repeated. **MPICH** packs `contiguous(2,contiguous(2,resized(d,0,-1)))` as four copies in one row if
///   `d` is two bytes whose bounds were set before (`resized(contiguous(2,MPI_BYTE),0,3)`): down to -3, and not to -1. What is resized to a
///   negative extent once its bounds are set is compared with Open MPI only.
/// * `MPI_LONG_DOUBLE` has 16 bytes, of which x86 uses 10. **MPICH** packs 16, but does not copy the last 6.
///
/// What is made of nothing has no effect on bounds, says the standard, and has no bounds of its own, as a minimum over nothing. Here the
/// libraries make up several answers: **Open MPI** gives `vector(1,1,0,contiguous(0,MPI_INT))` the true lower bound 2^63 - 1 and refuses a
/// darray of `contiguous(0,MPI_INT)`; **MPICH** gives `vector(2,0,1,MPI_INT)` the extent 4; and in
/// `struct([1,1],[0,5],[MPI_INT,contiguous(0,MPI_INT)])` the place of nothing counts, for the bounds in both and for the true bounds in
/// MPICH. [`read`] has no answer where a part has no elements, or where [`nothing_from_nothing`] says so.
struct Reading {
    elements: Vec<Element>,
    /// Places without data that count for the true bounds.
    ghosts: Vec<i64>,
    lower: i64,
    upper: i64,
    /// Whether the bounds are set.
    set: bool,
    alignment: i64,
}

/// How a library is known to read a datatype; none if parts have no elements.
fn read(library: Library, datatype: &Datatype) -> Option<Reading> {
    let constructor = match datatype {
        Datatype::Basic(basic) => {
            return Some(Reading {
                elements: vec![Element::new(0, *basic)],
                ghosts: Vec::new(),
                lower: 0,
                upper: basic.size(),
                set: false,
                alignment: basic.alignment(),
            });
        }
        Datatype::Constructed(constructor) => constructor,
        Datatype::Tree(_) => return None,
    };
    let children: Vec<Reading> =
        constructor.children().iter().map(|child| read(library, child)).collect::<Option<_>>()?;
    if let Constructor::Resized { extent, .. } = **constructor
        && extent < 0
        && library == Library::Mpich
        && children.iter().any(|child| child.set)
    {
        return None;
    }
    let extents: Vec<i64> = children.iter().map(|child| child.upper - child.lower).collect();
    let mut all = Union::default();
    let mut elements = Vec::new();
    let mut ghosts = if library == Library::Mpich { incomplete(constructor, &extents) } else { Vec::new() };
    let rows = matches!(**constructor, Constructor::Vector { .. } | Constructor::Hvector { .. });
    // A struct of one datatype only is an `hindexed` for MPICH.
    let structure = match &**constructor {
        Constructor::Struct { children, .. } => children.windows(2).any(|pair| pair[0] != pair[1]),
        _ => false,
    };
    for (i, block) in (0..).zip(blocks(constructor, &extents)) {
        let shift = if library == Library::OpenMpi { i * backwards(constructor, &extents) } else { 0 };
        let mut row = Union::default();
        for (child, at) in block {
            let (child, at) = (&children[child], at + shift);
            if child.elements.is_empty() {
                return None;
            }
            row.add(library, child.union(at));
            elements.extend(child.elements.iter().map(|e| Element::new(e.displacement + at, e.basic)));
            ghosts.extend(child.ghosts.iter().map(|ghost| ghost + at));
        }
        if library == Library::OpenMpi {
            row.pad(library);
        }
        all.add(library, row);
        // The rows of a vector are one step, other blocks one each.
        if library == Library::OpenMpi && !rows {
            all.pad(library);
        }
    }
    if library == Library::OpenMpi || structure {
        all.pad(library);
    }
    if elements.is_empty() && !nothing_from_nothing(constructor) {
        return None;
    }
    let (lower, upper) = all.bounds.unwrap_or((0, 0));
    Some(match set_bounds(constructor, &extents) {
        Some((lower, extent)) => {
            Reading { elements, ghosts, lower, upper: lower + extent, set: true, alignment: all.alignment }
        }
        None => Reading { elements, ghosts, lower, upper, set: all.set, alignment: all.alignment },
    })
}

/// Whether a constructor without elements is one that both libraries take for empty.
fn nothing_from_nothing(constructor: &Constructor) -> bool {
    match constructor {
        Constructor::Contiguous { .. }
        | Constructor::Indexed { .. }
        | Constructor::Hindexed { .. }
        | Constructor::Struct { .. } => true,
        Constructor::Vector { count, .. } | Constructor::Hvector { count, .. } => *count == 0,
        Constructor::IndexedBlock { displacements, .. }
        | Constructor::HindexedBlock { displacements, .. } => displacements.is_empty(),
        _ => false,
    }
}

/// The places of the full blocks in those cyclic dimensions of an array in which the process has none, but an incomplete one.
///
/// A cyclic first dimension is moved to where its part starts before the next one is made, all others at the end.
fn incomplete(constructor: &Constructor, extents: &[i64]) -> Vec<i64> {
    let Constructor::Darray { sizes, order, .. } = constructor else { return Vec::new() };
    let (owned, dealt) = (owned(constructor), dealt(constructor));
    let strides = strides(sizes, *order, extents[0]);
    let start = |i: usize| owned[i].first().map_or(0, |x| x * strides[i]);
    let mut ghosts = Vec::new();
    for i in (0..owned.len())
        .filter(|i| dealt[*i].0 == Distribution::Cyclic && (owned[*i].len() as i64) < dealt[*i].1)
    {
        let inside = i > 0 && dealt[0].0 == Distribution::Cyclic;
        let mut places = vec![(usize::from(inside)..=i).map(start).sum::<i64>()];
        for (owned, stride) in owned.iter().zip(&strides).skip(i + 1) {
            places = (places.iter()).flat_map(|at| owned.iter().map(move |x| at + x * stride)).collect();
        }
        ghosts.append(&mut places);
    }
    ghosts
}

/// How many bytes farther Open MPI puts each block than the one before, because a stride of -1 byte stands for none.
fn backwards(constructor: &Constructor, extents: &[i64]) -> i64 {
    let extent = extents.first().copied().unwrap_or(0);
    match constructor {
        Constructor::Vector { blocklength, stride, .. } if stride * extent == -1 => blocklength * extent + 1,
        Constructor::Hvector { blocklength, stride: -1, .. } => blocklength * extent + 1,
        _ => 0,
    }
}

/// The bounds of several copies of datatypes.
#[derive(Clone, Copy, Default)]
struct Union {
    bounds: Option<(i64, i64)>,
    set: bool,
    alignment: i64,
}

impl Reading {
    /// The bounds of a copy at a place.
    fn union(&self, at: i64) -> Union {
        Union { bounds: Some((self.lower + at, self.upper + at)), set: self.set, alignment: self.alignment }
    }
}

impl Union {
    fn add(&mut self, library: Library, other: Self) {
        let Some((lower, upper)) = other.bounds else { return };
        self.bounds = Some(match self.bounds {
            None => (lower, upper),
            Some(_) if library == Library::OpenMpi && other.set && !self.set => (lower, upper),
            Some(known) if library == Library::OpenMpi && self.set && !other.set => known,
            Some(known) => (known.0.min(lower), known.1.max(upper)),
        });
        self.set |= other.set;
        self.alignment = self.alignment.max(other.alignment);
    }

    fn pad(&mut self, library: Library) {
        if library == Library::OpenMpi && self.set {
            return;
        }
        if let Some((lower, upper)) = &mut self.bounds {
            *upper += (*lower - *upper).rem_euclid(self.alignment);
        }
    }
}

/// What a real MPI says of a datatype.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    size: i64,
    pub(crate) lower_bound: i64,
    pub(crate) extent: i64,
    pub(crate) true_lower_bound: i64,
    true_extent: i64,
    /// The addresses that are packed, byte by byte.
    bytes: Vec<i64>,
}

impl Answer {
    /// What the standard says.
    pub(crate) fn ours(datatype: &Datatype) -> Self {
        let Layout { tree, bounds } = datatype.layout().expect("it is small");
        Self {
            size: bounds.size,
            lower_bound: bounds.lower,
            extent: bounds.extent(),
            true_lower_bound: bounds.true_lower,
            true_extent: bounds.true_extent(),
            bytes: bytes(&tree.flatten()),
        }
    }

    /// What a library is known to say; none where nobody knows.
    pub(crate) fn known(library: Library, datatype: &Datatype) -> Option<Self> {
        let Reading { elements, ghosts, lower, upper, .. } = read(library, datatype)?;
        let bytes = bytes(&elements);
        let places = || bytes.iter().flat_map(|byte| [*byte, byte + 1]).chain(ghosts.iter().copied());
        let (first, end) = (places().min().unwrap_or(0), places().max().unwrap_or(0));
        Some(Self {
            size: bytes.len() as i64,
            lower_bound: lower,
            extent: upper - lower,
            true_lower_bound: first,
            true_extent: end - first,
            bytes,
        })
    }

    /// Whether size, bounds and bytes are the same; the true bounds may be others, which nothing is placed by.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        (self.size, self.lower_bound, self.extent, &self.bytes)
            == (other.size, other.lower_bound, other.extent, &other.bytes)
    }

    /// The same without the bytes that the library does not copy; `elements` are those of the datatype.
    pub(crate) fn copied(mut self, library: Library, elements: &[Element]) -> Self {
        let copied: Vec<bool> = (elements.iter())
            .flat_map(|e| {
                let padding = library == Library::Mpich && e.basic == Basic::LongDouble;
                (0..e.basic.size()).map(move |byte| byte < 10 || !padding)
            })
            .collect();
        // Answers of another length are wrong anyway.
        if copied.len() == self.bytes.len() {
            self.bytes =
                self.bytes.into_iter().zip(copied).filter(|(_, copied)| *copied).map(|(at, _)| at).collect();
        }
        self
    }
}

/// The addresses of the bytes of elements.
fn bytes(elements: &[Element]) -> Vec<i64> {
    elements.iter().flat_map(|e| e.displacement..e.displacement + e.basic.size()).collect()
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

/// What a library answers about each of the datatypes; none if it refuses it.
pub(crate) fn ask(library: Library, datatypes: &[Datatype]) -> Vec<Option<Answer>> {
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
    let printed = compile_and_run(library, &source, &program).unwrap_or_else(|said| panic!("{said}"));
    printed.lines().map(answer).collect()
}

/// What a program prints, or what the compiler says.
pub(crate) fn compile_and_run(library: Library, source: &Path, program: &Path) -> Result<String, String> {
    let compiled = Command::new(format!("mpicc.{}", library.name()))
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([program, source])
        .output()
        .expect("make setup-test installs the compilers");
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let mut run = Command::new(format!("mpiexec.{}", library.name()));
    run.args(["-n", "1"]);
    if library == Library::OpenMpi {
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
