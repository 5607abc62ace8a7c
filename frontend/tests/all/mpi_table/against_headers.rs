//! The table against headers: of MPICH and Open MPI, and our own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use frontend::mpi;

use super::prototypes::{Prototype, prototypes};

/// Names that real headers declare and the table leaves out: a prefix and the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("MPIX_", "extensions of one library, not MPI"),
    ("PMPIX_", "extensions of one library, not MPI"),
    ("MPIO_", "ROMIO's own requests, superseded by MPI_Request in MPI-2"),
    ("PMPIO_", "ROMIO's own requests, superseded by MPI_Request in MPI-2"),
];

/// Finds a header below the multiarch directories of `/usr`, or fails and says what to do.
fn library_header(candidates: &[&str]) -> PathBuf {
    let mut roots: Vec<PathBuf> = ["/usr", "/usr/local", "/opt/homebrew"].map(PathBuf::from).to_vec();
    for parent in ["/usr/include", "/usr/lib"] {
        let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
        roots.extend(entries.map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    roots.sort();
    let found = roots
        .iter()
        .flat_map(|root| candidates.iter().map(|tail| root.join(tail)))
        .find(|path| path.is_file());
    found.unwrap_or_else(|| {
        panic!("no header {candidates:?} on this machine: run `make setup-test`, which installs it")
    })
}

fn check_library(header: &Path) {
    let mut found = Vec::new();
    // MPICH keeps its prototypes in a second file.
    for file in [header.to_owned(), header.with_file_name("mpi_proto.h")] {
        let bytes = std::fs::read(file).unwrap_or_default();
        found.extend(prototypes(&String::from_utf8_lossy(&bytes)));
    }
    assert!(found.len() > 700, "only {} prototypes found in {}", found.len(), header.display());
    let mut wrong = Vec::new();
    for Prototype { name, params } in &found {
        if LEFT_OUT.iter().any(|(prefix, _)| name.starts_with(prefix)) {
            continue;
        }
        match mpi::lookup(name) {
            // Predefined callbacks are constants.
            None if mpi::constant(name).is_some_and(|constant| constant.is(mpi::Plain::Function)) => {}
            None => wrong.push(format!("{name} is not in the table")),
            Some(function) if function.params.len() != params.len() => {
                wrong.push(format!(
                    "{name} has {} parameters, the table says {}",
                    params.len(),
                    function.params.len()
                ));
            }
            Some(function) => {
                for (param, declared) in function.params.iter().zip(params) {
                    let declared = shape(declared);
                    if !same_type(&shape(param.ctype), &declared) {
                        wrong.push(format!(
                            "{name}: {} is {declared}, the table says {}",
                            param.name, param.ctype
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", header.display(), wrong.join("\n"));
}

/// A parameter's type without qualifiers and name: `const int sendcounts[]` and `int *` are both `int*`.
fn shape(declaration: &str) -> String {
    let spaced = declaration.replace('*', " * ").replace('[', " [ ");
    let words: Vec<&str> = spaced.split_whitespace().filter(|word| *word != "const").collect();
    let base = words.first().copied().unwrap_or("");
    let base = if base == "struct" { words.get(1).copied().unwrap_or("") } else { base };
    let pointers = words.iter().filter(|word| matches!(**word, "*" | "[")).count();
    format!("{base}{}", "*".repeat(pointers))
}

/// Types that headers spell differently from the standard.
fn same_type(ours: &str, theirs: &str) -> bool {
    let plain = |text: &str| {
        let text = text.replace("MPI_Fint", "int").replace("ompi_status_public_t", "MPI_Status");
        text.replace("MPI_Handler_function", "MPI_Comm_errhandler_function")
            .replace("MPI_Comm_errhandler_fn", "MPI_Comm_errhandler_function")
    };
    plain(ours) == plain(theirs)
}

#[test]
fn every_prototype_of_mpich_is_in_the_table() {
    check_library(&library_header(&["mpich/mpi.h", "include/mpich/mpi.h", "mpich/include/mpi.h"]));
}

#[test]
fn every_prototype_of_open_mpi_is_in_the_table() {
    check_library(&library_header(&["openmpi/include/mpi.h", "openmpi/mpi.h", "include/openmpi/mpi.h"]));
}

#[test]
fn our_header_declares_exactly_the_table() {
    let declared: BTreeMap<String, Vec<String>> =
        prototypes(mpi::HEADER).into_iter().map(|prototype| (prototype.name, prototype.params)).collect();
    for function in mpi::functions() {
        for name in [function.name.to_owned(), format!("P{}", function.name)] {
            let params = declared.get(&name).unwrap_or_else(|| panic!("{name} is not in our mpi.h"));
            assert_eq!(params.len(), function.params.len(), "{name}");
            for (param, text) in function.params.iter().zip(params) {
                assert_eq!(shape(param.ctype), shape(text), "{name}");
            }
        }
    }
    for name in declared.keys() {
        let is_callback = mpi::constant(name).is_some_and(|constant| constant.is(mpi::Plain::Function));
        assert!(is_callback || mpi::lookup(name).is_some(), "our mpi.h declares {name}, the table lacks it");
    }
}

/// Compiles a C text against our headers, with every warning an error. `name` keeps parallel tests apart.
fn compile_with_our_headers(name: &str, standard: &str, language: &str, text: &str) {
    let directory = super::scratch_directory(name);
    for (name, content) in mpi::HEADERS {
        std::fs::write(directory.join(name), content).expect("a file can be written there");
    }
    let source = directory.join("use.c");
    std::fs::write(&source, text).expect("a file can be written there");
    let output = Command::new("cc")
        .args([standard, "-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(&directory)
        .arg(&source)
        .output()
        .expect("there is a C compiler `cc`; `make setup-test` installs one");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

const USE: &str = r#"
#include <mpi.h>
#include <mpio.h>
#include <mpi-ext.h>
#if MPI_VERSION < 4 || (MPI_VERSION == 4 && MPI_SUBVERSION < 1)
#error version
#endif
#if defined(MPICH) || defined(OPEN_MPI)
#error this is neither
#endif
#if !defined(MPI_INT64_T) || !defined(MPI_COMM_WORLD) || !defined(MPI_ANY_SOURCE) || !defined(MPI_COMM_DUP_FN)
#error constants are macros too
#endif
static const char *kind(int source) {
    switch (source) {
    case MPI_ANY_SOURCE: return "any";
    case MPI_PROC_NULL: return "none";
    case MPI_ROOT: return "root";
    default: return source == MPI_UNDEFINED ? "undefined" : "rank";
    }
}
int main(int argc, char **argv) {
    char name[MPI_MAX_PROCESSOR_NAME];
    int length, rank, thread, keyval;
    MPI_Status status;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &thread);
    MPI_Get_processor_name(name, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(name, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, (void *)0);
    PMPI_Send(MPI_BOTTOM, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    return kind(status.MPI_SOURCE)[0] + status.MPI_TAG + status.MPI_ERROR == MPI_SUCCESS ? MPI_Finalize() : 1;
}
"#;

#[test]
fn our_header_compiles_as_c11_and_as_cpp() {
    compile_with_our_headers("use-c", "-std=c11", "c", USE);
    compile_with_our_headers("use-cpp", "-std=c++17", "c++", USE);
    let types_only =
        "#define ANYRANK_MPI_NO_PROTOTYPES\n#include <mpi.h>\nMPI_Comm comm; int n = MPI_SUCCESS;\n";
    compile_with_our_headers("types-only", "-std=c11", "c", types_only);
}

#[test]
fn our_header_gives_every_constant_its_value() {
    let checks: String = mpi::constants()
        .filter_map(|constant| Some((constant.name, constant.value?)))
        .map(|(name, value)| format!("_Static_assert({name} == {value}, \"{name}\");\n"))
        .collect();
    let uses: String = mpi::constants()
        .enumerate()
        .map(|(n, constant)| {
            let name = constant.name;
            let function = format!("static inline void use_{n}(void) {{ (void){name}; }}");
            format!("#ifndef {name}\n#error {name}\n#endif\n{function}\n")
        })
        .collect();
    compile_with_our_headers("constants", "-std=c11", "c", &format!("#include <mpi.h>\n{uses}{checks}"));
}
