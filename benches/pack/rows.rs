//! The layouts that are packed: all rows of the paper's Table 1, and some after ddtbench (Schneider, Gerstenberger, Hoefler 2012), rebuilt from
//! what its paper says about them.
//!
//! The loops that a programmer would write for each are in `rows.c`, by the same names.

use layout::datatype::Constructor;
use layout::{Basic, Datatype};

/// One row of the table.
pub(crate) struct Row {
    /// As it is shown.
    pub(crate) name: &'static str,
    /// Of its functions in `rows.c`.
    pub(crate) code: &'static str,
    /// As a program builds it.
    pub(crate) datatype: Datatype,
    /// How many copies are packed.
    pub(crate) count: u64,
    /// Whether its elements lie so that each is a cache miss by itself.
    pub(crate) latency_bound: bool,
}

pub(crate) fn contiguous(count: i64, child: impl Into<Datatype>) -> Datatype {
    Constructor::Contiguous { count, child: child.into() }.into()
}

fn vector(count: i64, blocklength: i64, stride: i64, child: impl Into<Datatype>) -> Datatype {
    Constructor::Vector { count, blocklength, stride, child: child.into() }.into()
}

fn hvector(count: i64, stride: i64, child: impl Into<Datatype>) -> Datatype {
    Constructor::Hvector { count, blocklength: 1, stride, child: child.into() }.into()
}

fn resized(extent: i64, child: impl Into<Datatype>) -> Datatype {
    Constructor::Resized { lower_bound: 0, extent, child: child.into() }.into()
}

fn blocks(blocklength: i64, displacements: Vec<i64>, child: impl Into<Datatype>) -> Datatype {
    Constructor::IndexedBlock { blocklength, displacements: displacements.into(), child: child.into() }.into()
}

fn structure(parts: Vec<(i64, i64, Datatype)>) -> Datatype {
    Constructor::Struct {
        blocklengths: parts.iter().map(|part| part.0).collect(),
        displacements: parts.iter().map(|part| part.1).collect(),
        children: parts.into_iter().map(|part| part.2).collect(),
    }
    .into()
}

/// Every so-many-th number, scattered: the same list as `scattered` of `rows.c`.
pub(crate) fn scattered(count: i64, of: i64) -> Vec<i64> {
    let mut state = 12345_u64;
    let step = of / count;
    (0..count)
        .map(|i| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i * step + ((state >> 33) as i64) % step
        })
        .collect()
}

pub(crate) fn all() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut add = |name: &'static str, code, count, datatype| {
        let latency_bound = name == "FFT transpose" || name.starts_with("3D, YZ");
        rows.push(Row { name, code, datatype, count, latency_bound });
    };
    let (float, double, int) = (Basic::Float, Basic::Double, Basic::Int);
    add("Contig (FLOAT)", "contig_float", 1, contiguous(1 << 20, float));
    add("Contig (DOUBLE)", "contig_double", 1, contiguous(1 << 20, double));
    let record = structure(vec![
        (2, 0, int.into()),
        (64, 8, Basic::Char.into()),
        (2, 72, double.into()),
        (1, 88, float.into()),
    ]);
    add("Struct Array", "struct_array", 1 << 16, resized(92, record));
    add("Vector (FLOAT)", "vector_float", 1, vector(1 << 20, 1, 2, float));
    add("Vector (DOUBLE)", "vector_double", 1, vector(1 << 20, 1, 2, double));
    add("Struct Vector (FLOAT)", "vector_float", 1 << 20, resized(8, float));
    add("Struct Vector (DOUBLE)", "vector_double", 1 << 20, resized(16, double));
    // Of eight elements two neighbours and two that are alone.
    let pattern: Vec<i64> = (0..1 << 17).flat_map(|i| [0, 1, 3, 6].map(|at| 8 * i + at)).collect();
    add("Indexed (FLOAT)", "indexed_float", 1, blocks(1, pattern.clone(), float));
    add("Indexed (DOUBLE)", "indexed_double", 1, blocks(1, pattern, double));
    add("3D, XY Face (FLOAT)", "xy_float", 1, vector(256, 256, 256, float));
    add("3D, XZ Face (FLOAT)", "xz_float", 1, vector(256, 256, 65536, float));
    add("3D, YZ Face (FLOAT)", "yz_float", 1, vector(65536, 1, 256, float));
    add("3D, XY Face (DOUBLE)", "xy_double", 1, vector(256, 256, 256, double));
    add("3D, XZ Face (DOUBLE)", "xz_double", 1, vector(256, 256, 65536, double));
    add("3D, YZ Face (DOUBLE)", "yz_double", 1, vector(65536, 1, 256, double));
    // 80 blocks of 16^3 elements with 24 variables each; inside, 8^3 elements, variable by variable.
    let x = vector(8, 1, 24, double);
    let block = hvector(8, 16 * 16 * 192, hvector(8, 16 * 192, x));
    add("Flash I/O (DOUBLE)", "flash", 1, hvector(24, 8, hvector(80, 4096 * 192, block)));

    // Four arrays of 3 dimensions (east-west, bottom-top, south-north), of which a halo is sent together.
    let array = 64 * 40 * 64 * 4;
    let part = |halo: Datatype| structure((0..4).map(|i| (1, i * array, halo.clone())).collect());
    add("WRF x", "wrf_x", 1, part(vector(40 * 64, 3, 64, float)));
    add("WRF y", "wrf_y", 1, part(hvector(3, 64 * 40 * 4, vector(40, 60, 64, float))));
    // su3 vectors of 3 complex numbers on a lattice of 16^4, one direction of it.
    let su3 = contiguous(6, float);
    add("MILC su3 zdown", "milc", 1, hvector(16, 16 * 16 * 16 * 24, vector(16, 8, 16 * 16, su3)));
    // Five unknowns in each point of 102^2 columns.
    add("NAS_LU x", "lu_x", 1, contiguous(102 * 102 * 5, double));
    add("NAS_LU y", "lu_y", 1, vector(102 * 102, 5, 5 * 104, double));
    // Faces of an array of 130^3.
    add("NAS_MG x", "mg_x", 1, hvector(128, 130 * 130 * 8, vector(128, 1, 130, double)));
    add("NAS_MG y", "mg_y", 1, vector(128, 128, 130 * 130, double));
    add("NAS_MG z", "mg_z", 1, vector(128, 128, 130, double));
    // Atoms that leave: places, velocities, charges, and three numbers of each.
    let atoms = scattered(16384, 65536);
    let of = |length, basic: Basic| blocks(length, atoms.iter().map(|i| i * length).collect(), basic);
    let n = 65536;
    let full = vec![
        (1, 0, of(3, double)),
        (1, 24 * n, of(3, double)),
        (1, 48 * n, of(1, double)),
        (1, 56 * n, of(1, int)),
        (1, 60 * n, of(1, int)),
        (1, 64 * n, of(1, int)),
    ];
    add("LAMMPS full", "lammps", 1, structure(full));
    // 512 rows of 1024 complex numbers, column by column.
    let column = hvector(512, 1024 * 16, Basic::DoubleComplex);
    add("FFT transpose", "fft", 1, hvector(1024, 16, column));
    add("SPECFEM3D oc", "specfem_oc", 1, blocks(1, scattered(65536, 1 << 20), float));
    let three = scattered(32768, 1 << 18).iter().map(|i| 3 * i).collect();
    add("SPECFEM3D cm", "specfem_cm", 1, blocks(3, three, float));
    rows
}
