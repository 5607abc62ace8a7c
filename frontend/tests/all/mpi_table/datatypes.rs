//! Sizes of predefined datatypes: as MPICH tells them, and as the C compiler does.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use frontend::mpi::{self, Constant, Plain, PredefinedDatatype};

fn datatypes() -> impl Iterator<Item = (&'static Constant, &'static PredefinedDatatype)> {
    mpi::constants().filter_map(|constant| Some((constant, constant.datatype()?)))
}

/// Compiles and runs a C program and yields what it prints.
fn run(compiler: &str, directory: &Path, text: &str) -> String {
    let (source, program) = (directory.join("sizes.c"), directory.join("sizes"));
    std::fs::write(&source, text).expect("a file can be written there");
    let compiled = Command::new(compiler).arg("-w").arg("-o").arg(&program).arg(&source).output();
    let compiled = compiled
        .unwrap_or_else(|error| panic!("{compiler}: {error}; run `make setup-test`, which installs it"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().expect("the program was just compiled");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints ASCII")
}

#[test]
#[cfg(target_os = "linux")]
fn sizes_are_those_of_mpich() {
    let mut program = String::from(
        "#include <mpi.h>\n#include <stdio.h>\nint main(void) {\nMPI_Init(0, 0);\nint size; MPI_Aint lb, extent;\n",
    );
    for (constant, _) in datatypes().filter(|(constant, _)| constant.removed.is_none()) {
        let name = constant.name;
        // MPICH leaves out, or defines as the null datatype, what the compiler it was built with lacks.
        let _ = writeln!(
            program,
            "#ifdef {name}\nif ({name} != MPI_DATATYPE_NULL) {{ MPI_Type_size({name}, &size); \
             MPI_Type_get_extent({name}, &lb, &extent); printf(\"{name} %d %ld\\n\", size, (long)extent); }}\n#endif"
        );
    }
    program.push_str("MPI_Finalize();\nreturn 0;\n}\n");
    let directory = super::scratch_directory("mpich-sizes");
    let printed = run("mpicc.mpich", &directory, &program);
    let mut checked = 0;
    for line in printed.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, size, extent] = words[..] else { panic!("{line}") };
        let datatype = mpi::constant(name).and_then(Constant::datatype).expect("it was named above");
        assert_eq!(
            (datatype.size.to_string().as_str(), datatype.extent.to_string().as_str()),
            (size, extent),
            "{name}"
        );
        checked += 1;
    }
    assert!(checked > 50, "MPICH told the size of {checked} datatypes only:\n{printed}");
}

#[test]
#[cfg(target_os = "linux")]
fn c_types_have_the_extent_of_their_datatype() {
    let mut program = String::from("#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n");
    let mut expected = String::new();
    for (constant, datatype) in datatypes() {
        for ctype in &datatype.c_types {
            let spelled = match ctype.strip_prefix("struct{").and_then(|rest| rest.strip_suffix('}')) {
                Some(fields) => {
                    let fields = fields.split(',').enumerate().map(|(n, field)| format!("{field} f{n};"));
                    format!("struct {{ {} }}", fields.collect::<String>())
                }
                None => (*ctype).to_owned(),
            };
            let _ = writeln!(program, "printf(\"{} {ctype} %zu\\n\", sizeof({spelled}));", constant.name);
            let _ = writeln!(expected, "{} {ctype} {}", constant.name, datatype.extent);
        }
    }
    program.push_str("return 0;\n}\n");
    let directory = super::scratch_directory("c-sizes");
    assert_eq!(run("cc", &directory, &program), expected);
}

#[test]
fn every_datatype_says_what_it_holds() {
    assert!(datatypes().count() > 60);
    for (constant, datatype) in datatypes() {
        let name = constant.name;
        assert!(constant.is(Plain::Datatype), "{name}");
        assert!(!datatype.signature.is_empty(), "{name}");
        assert_eq!(datatype.group == mpi::TypeGroup::Pair, datatype.signature.len() == 2, "{name}");
        assert!(datatype.extent >= datatype.size, "{name}");
        let bounds = datatype.group == mpi::TypeGroup::Marker;
        assert_eq!(bounds, datatype.size == 0, "{name}");
        assert_eq!(bounds || datatype.any_c_type, datatype.c_types.is_empty(), "{name}");
    }
}

#[test]
fn operations_apply_as_the_standard_says() {
    let accepts = |op: &str, datatype: &str| {
        let op = mpi::constant(op).and_then(Constant::op).expect("an operation");
        op.accepts(mpi::constant(datatype).and_then(Constant::datatype).expect("a datatype").group)
    };
    // MPI-4.1 section 6.9.2 and 6.9.4.
    assert!(accepts("MPI_SUM", "MPI_DOUBLE") && accepts("MPI_SUM", "MPI_C_DOUBLE_COMPLEX"));
    assert!(!accepts("MPI_MAX", "MPI_C_DOUBLE_COMPLEX") && !accepts("MPI_BAND", "MPI_FLOAT"));
    assert!(
        accepts("MPI_BXOR", "MPI_BYTE") && !accepts("MPI_SUM", "MPI_BYTE") && !accepts("MPI_SUM", "MPI_CHAR")
    );
    assert!(accepts("MPI_MAXLOC", "MPI_DOUBLE_INT") && !accepts("MPI_MAXLOC", "MPI_DOUBLE"));
    assert!(accepts("MPI_LAND", "MPI_C_BOOL") && !accepts("MPI_LAND", "MPI_INTEGER"));
    assert!(accepts("MPI_SUM", "MPI_AINT") && accepts("MPI_REPLACE", "MPI_CHAR"));
}
