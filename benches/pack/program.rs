//! The C program that is timed: generated code for each row, and what it is compiled with.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use layout::dataloop::{Dataloop, Segment, c_pack};
use layout::datatype::Constructor;
use layout::{Datatype, emit};

use crate::rows::Row;

/// Writes `generated.c` and the runs of the oracle.
pub(crate) fn write(rows: &[Row], directory: &Path) {
    let mut text = String::from("#include <mpi.h>\n#include \"anyrank_layout.h\"\n#include \"rows.h\"\n\n");
    let mut table = String::new();
    for (number, row) in rows.iter().enumerate() {
        let layout = row.datatype.layout().expect("rows are well-formed");
        let dataloop = Dataloop::of_layout(&layout).expect("rows are small");
        let span = Segment::new(&dataloop, row.count).expect("rows are small").span();
        let runs = directory.join(format!("runs{number}"));
        std::fs::write(&runs, oracle(row)).expect("there is room for temporary files");
        let name = format!("row{number}");
        text += &c_pack(&dataloop, &name);
        text += "\n";
        text += &emit::c_function_of(&row.datatype, &format!("{name}_of_mpi")).expect("numbers are small");
        text += &ours(&row.datatype, &format!("{name}_of_ours"));
        let code = row.code;
        writeln!(
            text,
            "void {code}_pack(const void *memory, void *packed);\nvoid {code}_unpack(void *memory, const void *packed);\n\
             static int {name}_mpi(void *type) {{ return {name}_of_mpi(type); }}\n"
        )
        .expect("it is a string");
        writeln!(
            table,
            "  {{\"{}\", {}, {}, {}, \"{}\", {code}_pack, {code}_unpack, {name}_pack, {name}_unpack, {name}_mpi, {name}_of_ours}},",
            row.name,
            row.count,
            span.1,
            dataloop.size() * row.count,
            runs.display()
        )
        .expect("it is a string");
    }
    writeln!(text, "const Row rows[] = {{\n{table}}};\nconst size_t row_count = {};", rows.len())
        .expect("it is a string");
    std::fs::write(directory.join("generated.c"), text).expect("there is room for temporary files");
}

/// The runs of all copies, found by flattening the tree element by element; neighbours are joined.
fn oracle(row: &Row) -> Vec<u8> {
    let layout = row.datatype.layout().expect("rows are well-formed");
    let elements = layout.tree.flatten();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for copy in 0..row.count as i64 {
        for element in &elements {
            let at = element.displacement + copy * layout.bounds.extent();
            match runs.last_mut() {
                Some(last) if last.0 + last.1 == at => last.1 += element.basic.size(),
                _ => runs.push((at, element.basic.size())),
            }
        }
    }
    runs.iter().flat_map(|(at, length)| [at.to_ne_bytes(), length.to_ne_bytes()]).flatten().collect()
}

/// A C function that builds the type by our C interface, with the same calls as by MPI's.
fn ours(datatype: &Datatype, name: &str) -> String {
    let mut body = String::new();
    let mut lists = String::new();
    let mut types = 0;
    let root = build(datatype, name, &mut body, &mut lists, &mut types);
    format!(
        "{lists}static int {name}(void *type)\n{{\n  anyrank_type built[{types}];\n{body}  \
         *(anyrank_type *)type = {root};\n  return anyrank_type_commit({root});\n}}\n\n"
    )
}

/// Statements that build a type; returns its expression.
fn build(
    datatype: &Datatype,
    name: &str,
    body: &mut String,
    lists: &mut String,
    types: &mut usize,
) -> String {
    let call = match datatype {
        Datatype::Basic(basic) => {
            format!("basic({}, ", basic.name().replace("MPI_", "ANYRANK_"))
        }
        Datatype::Tree(_) => unreachable!("rows are built by constructors"),
        Datatype::Constructed(constructor) => {
            let children: Vec<String> =
                (constructor.children().iter()).map(|child| build(child, name, body, lists, types)).collect();
            let child = &children[0];
            let mut list = |numbers: &[i64]| {
                let list = format!("{name}_numbers{}", lists.matches(" = {").count());
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                writeln!(lists, "static const int64_t {list}[] = {{{}}};", numbers.join(","))
                    .expect("it is a string");
                list
            };
            match &**constructor {
                Constructor::Contiguous { count, .. } => format!("contiguous({count}, {child}, "),
                Constructor::Vector { count, blocklength, stride, .. } => {
                    format!("vector({count}, {blocklength}, {stride}, {child}, ")
                }
                Constructor::Hvector { count, blocklength, stride, .. } => {
                    format!("hvector({count}, {blocklength}, {stride}, {child}, ")
                }
                Constructor::Resized { lower_bound, extent, .. } => {
                    format!("resized({lower_bound}, {extent}, {child}, ")
                }
                Constructor::IndexedBlock { blocklength, displacements, .. } => {
                    let (count, places) = (displacements.len(), list(displacements));
                    format!("indexed_block({count}, {blocklength}, {places}, {child}, ")
                }
                Constructor::Struct { blocklengths, displacements, .. } => {
                    let (count, lengths, places) =
                        (displacements.len(), list(blocklengths), list(displacements));
                    let children = children.join(", ");
                    format!("struct({count}, {lengths}, {places}, (anyrank_type[]){{{children}}}, ")
                }
                other => unreachable!("no row is built by {other:?}"),
            }
        }
    };
    let result = format!("built[{types}]");
    *types += 1;
    writeln!(body, "  if (anyrank_type_{call}&{result}) != ANYRANK_OK) return 1;").expect("it is a string");
    result
}

/// The program for one MPI, if there is that.
pub(crate) fn compile(mpi: &str, directory: &Path) -> Option<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/pack");
    let program = directory.join(mpi);
    // Cargo puts the library beside this program.
    let library = std::env::current_exe().ok()?.parent()?.join("libanyrank_layout.a");
    let output = Command::new(format!("mpicc.{mpi}"))
        .args(["-std=gnu11", "-O3", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .args(["driver.c", "rows.c"].map(|file| sources.join(file)))
        .arg(directory.join("generated.c"))
        .arg("-I")
        .arg(&sources)
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm"])
        .output()
        .ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}
