//! `anyrank types`: what it writes, what it refuses, and what arrives of structs under both MPIs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use expect_test::expect;

use crate::held::{self, Key};

mod generate;

/// A header in a directory of its own.
struct Case(tempfile::TempDir);

impl Case {
    fn new(header: &str) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(directory.path().join("structs.h"), header).expect("files can be written");
        Self(directory)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn anyrank(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
        command.arg("types").args(arguments).current_dir(self.path());
        command.output().expect("the command runs")
    }

    /// Runs the command, which must succeed; the result is what it warns of.
    fn generate(&self, arguments: &[&str]) -> String {
        let output = self.anyrank(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("the file was written")
    }

    /// Compiles a program with what was generated, and runs it as two processes; the result is what it prints.
    fn run(&self, mpi: &str, program: &str, flags: &[&str]) -> String {
        fs::write(self.path().join("program.c"), program).expect("files can be written");
        let mut command = Command::new(format!("mpicc.{mpi}"));
        command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o", "program", "program.c", "mpitypes.c"]);
        let compiled = (command.args(flags).current_dir(self.path()).output())
            .expect("make setup-test installs the compilers");
        assert!(compiled.status.success(), "{mpi}: {}", String::from_utf8_lossy(&compiled.stderr));
        let extra: &[&str] = if mpi == "openmpi" { &["--allow-run-as-root", "--oversubscribe"] } else { &[] };
        let mut command = Command::new(format!("mpiexec.{mpi}"));
        command.env("OMPI_MCA_btl", "self,vader,tcp").env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
        let run = (command.args(["-n", "2"]).args(extra).arg("./program").current_dir(self.path()).output())
            .expect("make setup-test installs the launchers");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{mpi}: {}{said}", String::from_utf8_lossy(&run.stdout));
        String::from_utf8_lossy(&run.stdout).into_owned()
    }

    /// The program, compiled with what was generated, prints this; it is not run again where all of it held before.
    fn prints(&self, mpi: &str, program: &str, flags: &[&str], expected: &str) {
        let mut files = held::files_below(self.path(), &["c", "h"]);
        files.retain(|path| !path.ends_with("program.c"));
        let key = Key::new(&[include_str!("types.rs")])
            .and_commands([format!("mpicc.{mpi}"), format!("mpiexec.{mpi}")])
            .and_files(self.path(), &files)
            .and((program, flags, expected));
        held::check_by_panic(&key, || assert_eq!(self.run(mpi, program, flags), expected, "{mpi}"));
    }

    /// Runs the commands that a guide shows, in its order, with one MPI; the result is what the last one prints.
    fn follow(&self, guide: &str, mpi: &str) -> String {
        let commands = guide.lines().filter_map(|line| line.strip_prefix("    "));
        let commands = commands
            .filter(|line| ["anyrank ", "mpicc ", "mpiexec "].iter().any(|word| line.starts_with(word)));
        let extra = if mpi == "openmpi" { " --allow-run-as-root --oversubscribe" } else { "" };
        let mut said = String::new();
        for command in commands {
            let command = command
                .replace("anyrank ", &format!("{} ", env!("CARGO_BIN_EXE_anyrank")))
                .replace("mpicc ", &format!("mpicc.{mpi} -Wall -Wextra -Werror "))
                .replace("mpiexec ", &format!("mpiexec.{mpi}{extra} "));
            let mut shell = Command::new("sh");
            shell
                .env("OMPI_MCA_btl", "self,vader,tcp")
                .env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
            let output =
                shell.args(["-c", &command]).current_dir(self.path()).output().expect("there is a shell");
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            said = String::from_utf8_lossy(&output.stdout).into_owned();
        }
        assert!(!said.is_empty(), "the guide shows how to run a program, which prints something");
        said
    }
}

const MPIS: [&str; 2] = ["mpich", "openmpi"];

/// The struct of section 1.1 of the paper, and one with what is around structs in real headers.
const PAPER: &str = "\
#ifndef STRUCTS_H
#define STRUCTS_H
#define SIZE 3
enum { ROWS = SIZE - 1 };
struct Point { double x, y; };
/*~ AutoMap_Begin */
typedef struct {
    char    display[50];
    int     maxiter;
    double  xmin, ymin;
    double  xmax, ymax;
    int     width;
    int     height;
} cmdline /*~ AutoMap_TpUsed */;
struct Body {
    struct Point corners[SIZE][ROWS];
    struct { char kind; long id; } parts[ROWS];
} /*~ AutoMap_TpUsed */;
/*~ AutoMap_End */
#endif
";

#[test]
fn blocks_are_runs_of_one_type() {
    let case = Case::new(PAPER);
    assert_eq!(case.generate(&["structs.h"]), "");
    let source = case.read("mpitypes.c");
    let functions: String = source
        .split("\nstatic int automap_create_")
        .skip(1)
        .map(|function| function.split("\n}\n").next().unwrap_or_default().to_owned() + "\n}\n")
        .collect();
    expect![[r#"
        cmdline(MPI_Datatype *type)
        {
            const automap_block blocks[] = {
                {50, offsetof(cmdline, display), MPI_CHAR},
                {1, offsetof(cmdline, maxiter), MPI_INT},
                {4, offsetof(cmdline, xmin), MPI_DOUBLE}, /* xmin, ymin, xmax, ymax */
                {2, offsetof(cmdline, width), MPI_INT}, /* width, height */
            };

            return automap_create(4, blocks, sizeof(cmdline), type);
        }
        Body_parts(MPI_Datatype *type)
        {
            const automap_block blocks[] = {
                {1, 0, MPI_CHAR}, /* kind */
                {1, 8, MPI_LONG}, /* id */
            };

            return automap_create(2, blocks, 16, type);
        }
        Body(MPI_Datatype *type)
        {
            const automap_block blocks[] = {
                {12, offsetof(struct Body, corners), MPI_DOUBLE},
                {2, offsetof(struct Body, parts), automap_element_Body_parts},
            };

            return automap_create(2, blocks, sizeof(struct Body), type);
        }
    "#]]
    .assert_eq(&functions);
    for assertion in [
        "_Static_assert(sizeof(cmdline) == 96,",
        "_Static_assert(offsetof(cmdline, maxiter) == 52,",
        "_Static_assert(offsetof(struct Body, parts[0].id) == 104,",
    ] {
        assert!(source.contains(assertion), "{assertion}\n{source}");
    }
    let header = case.read("mpitypes.h");
    for line in [
        "#include \"structs.h\"",
        "extern MPI_Datatype AutoMap_cmdline;",
        "int Build_MPI_Types(void);",
        "int Free_MPI_Types(void);",
    ] {
        assert!(header.contains(line), "{line}\n{header}");
    }
}

/// Sends arrays of generated structs with random bytes and compares every member. The compiler compares offsets by the assertions in
/// what is generated, and again by those here, which know nothing of anyrank.
#[test]
fn random_structs_arrive_whole() {
    let generated = generate::structs(200, 0x5eed);
    let case = Case::new(&generated.header);
    case.generate(&["--all", "--bit-fields-as-bytes", "-o", "out", "structs.h"]);
    let source = case.read("out/mpitypes.c");
    for (c_type, member) in &generated.members {
        let asserted = format!("offsetof({c_type}, {member}) == ");
        assert!(source.contains(&asserted), "no assertion says where {member} of {c_type} is");
    }
    for name in ["mpitypes.h", "mpitypes.c"] {
        let text = case.read(&format!("out/{name}")).replace("../structs.h", "structs.h");
        fs::write(case.path().join(name), text).expect("files can be written");
    }
    for mpi in MPIS {
        // That aligned structs lose their alignment in packed ones is meant, and characters may be packed.
        let flags = ["-Wno-packed-not-aligned", "-Wno-attributes"];
        case.prints(mpi, &generated.program, &flags, "200 structs\n");
    }
}

#[test]
fn another_abi_does_not_compile() {
    let case = Case::new(PAPER);
    case.generate(&["structs.h"]);
    // The header changed after the datatypes were made.
    fs::write(case.path().join("structs.h"), PAPER.replace("char    display[50]", "char display[70]"))
        .expect("files can be written");
    let compiled = Command::new("mpicc.mpich")
        .args(["-std=c11", "-c", "mpitypes.c"])
        .current_dir(case.path())
        .output()
        .expect("make setup-test installs the compilers");
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(!compiled.status.success() && said.contains("cmdline has another size"), "{said}");
}

#[test]
fn what_cannot_be_sent_is_refused_with_its_line() {
    let marked = |members: &str| {
        format!(
            "/*~ AutoMap_Begin */\ntypedef struct S {{\n{members}\n}} S /*~ AutoMap_TpUsed */;\n/*~ AutoMap_End */\n"
        )
    };
    for (header, arguments, messages) in [
        (
            marked("int bits : 3;"),
            &[][..],
            &["structs.h:3: member `bits` of `S` is a bit-field", "--bit-fields-as-bytes"][..],
        ),
        (
            marked("int a;\nstruct S *next;"),
            &[],
            &["structs.h:4: member `next` of `S` is a pointer", "--autolink"],
        ),
        (marked("struct S self;"), &[], &["struct `S` contains itself"]),
        (marked("struct Other other;"), &[], &["structs.h:3: struct `Other` is declared but not defined"]),
        (
            marked("union { int *p; long l; } u;"),
            &[],
            &["structs.h:3: member `u` of `S` is a union with a pointer"],
        ),
        (marked("FILE file;"), &[], &["structs.h:3: member `file` of `S` is of type `FILE`"]),
        (marked("int a"), &[], &["structs.h:3: syntax error"]),
        (
            marked("__float128 x;"),
            &[],
            &["structs.h:3: member `x` of `S` is of type `_Float128`, for which MPI"],
        ),
        (marked("int n;\n_Float16 h[2];"), &[], &["structs.h:4: member `h` of `S` is of type `_Float16`"]),
        (marked("_Decimal64 d;"), &[], &["structs.h:3: member `d` of `S` is of type `_Decimal64`"]),
        (
            marked("int a;\ndouble n[LENGTH];"),
            &[],
            &["structs.h:4: the length of member `n` of `S` is not known here"],
        ),
        (marked("double n[-1];"), &[], &["structs.h:3: the length of member `n` of `S` is not known here"]),
        (marked("int a;\nstruct { int a; };"), &[], &["structs.h:4: this struct has two members `a`"]),
        (marked("int for;"), &[], &["structs.h:3: `for` is a word of the language"]),
        (
            "struct A { int a; };\nstruct A { int b; };\n".to_owned(),
            &["--all"],
            &["structs.h:2: struct `A` is defined twice"],
        ),
        (marked("int a; /*~ AutoMap_Cuont(b) */"), &[], &["structs.h:3: `AutoMap_Cuont(b)` is not known"]),
        (
            marked("void *p;"),
            &["--autolink"],
            &["structs.h:3: member `p` of `S` is a void *", "AutoMap_Opaque"],
        ),
        (marked("void (*f)(int);"), &["--autolink"], &["member `f` of `S` points to a function"]),
        (
            marked("struct Hidden *p;"),
            &["--autolink"],
            &["points to struct `Hidden`", "define it in the header"],
        ),
        (
            marked("int n; double *p; /*~ AutoMap_Count(m) */"),
            &["--autolink"],
            &["no member `m`", "its integers are n"],
        ),
        (marked("double n; double *p; /*~ AutoMap_Count(n) */"), &["--autolink"], &["the count `n`"]),
        (
            marked("int n; /*~ AutoMap_Opaque */ double *p; /*~ AutoMap_Count(n) */"),
            &["--autolink"],
            &["the count `n` of member `p`", "is opaque"],
        ),
        (marked("char c; _Alignas(1 << 29) char d[3];"), &[], &["an alignment in it is not known"]),
        (
            format!("_Pragma(\"pack(push, 1)\")\n{}_Pragma(\"pack(pop)\")\n", marked("char c; double d;")),
            &[],
            &["under #pragma pack(1)"],
        ),
        (
            marked("int n;\n\n/*~ AutoMap_Opaque */\nint m;"),
            &[],
            &["structs.h:5: this has to follow a member"],
        ),
        (
            "struct A { int a; };\n".to_owned(),
            &[],
            &["structs.h: no struct is marked", "--struct NAME or --all"],
        ),
        ("struct A { int a; };\n".to_owned(), &["--struct", "B"], &["there is no struct `B`; it has A"]),
        ("int a;\n".to_owned(), &["--all"], &["no struct with a name"]),
        ("union A { int a; };\n".to_owned(), &["--struct", "A"], &["structs.h:1: `A` is a union"]),
        (
            "/*~ AutoMap_Begin */\nstruct A { int a; };\n".to_owned(),
            &["--all"],
            &["structs.h:1: AutoMap_Begin without AutoMap_End"],
        ),
        (
            "#pragma pack(1)\nstruct A { char c; int a; };\n".to_owned(),
            &["--all"],
            &["structs.h:2: struct `A` is under #pragma pack(1)"],
        ),
        ("#error no\n".to_owned(), &["--all"], &["structs.h:1: "]),
        (format!("struct A {{ char c[{}]; }};\n", 1_u64 << 32), &["--all"], &["more than an int can hold"]),
    ] {
        let case = Case::new(&header);
        let output = case.anyrank(&[arguments, &["structs.h"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{header}\n{said}");
        for message in messages {
            assert!(said.contains(message), "{header}\n{message}\n{said}");
        }
        let written = fs::read_dir(case.path()).expect("the directory is there").count();
        assert_eq!(written, 1, "nothing is written where something is wrong\n{header}");
    }
    let missing = Case::new("").anyrank(&["nowhere.h"]);
    let said = String::from_utf8_lossy(&missing.stderr);
    assert_eq!(
        (missing.status.code(), said.trim_end()),
        (Some(2), "error: nowhere.h: no such file or directory")
    );
}

/// What cannot be sent costs the struct that it is in, and those that need it.
#[test]
fn all_that_can_be_written_is_written() {
    let case = Case::new(
        "typedef struct { double position[3]; int cell; } Point;\ntypedef struct { int length; char *text; } Label;\n\
         typedef struct { Point first; Label label; } Both;\nstruct late { struct never value; };\n\
         struct bits { unsigned kind : 3; };\nstruct broken { int a; @ };\ntypedef struct { Point corners[2]; size_t number; } Box;\n",
    );
    let said = case.generate(&["--all", "structs.h"]);
    for left_out in [
        "structs.h:2: member `text` of `Label` is a pointer",
        "structs.h:2: member `text` of `Label` is a pointer, which means nothing in another process: say --autolink to send what it \
         points to, or mark it /*~ AutoMap_Opaque */ to leave it out; `Both` is left out",
        "struct `never` is declared but not defined",
        "`late` is left out",
        "member `kind` of `bits` is a bit-field",
        "`broken` is left out",
    ] {
        assert!(said.contains(left_out), "{left_out}\n{said}");
    }
    assert!(said.lines().all(|line| line.starts_with("warning: ")), "{said}");
    let written = case.read("mpitypes.h");
    for (name, is_there) in
        [("Point", true), ("Box", true), ("Label", false), ("Both", false), ("bits", false), ("late", false)]
    {
        assert_eq!(written.contains(&format!("AutoMap_{name};")), is_there, "{name}\n{written}");
    }
    // Where nothing is left, nothing is written.
    let case = Case::new("typedef struct { int length; char *text; } Label;\n");
    let output = case.anyrank(&["--all", "structs.h"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("`Label` is left out") && said.contains("no struct is left"), "{said}");
    assert!(!case.path().join("mpitypes.h").exists());
}

/// Handles mean nothing elsewhere, and their size is the library's: what lies behind them arrives under each.
#[test]
fn handles_are_left_out() {
    let case = Case::new(
        "#ifndef STRUCTS_H\n#define STRUCTS_H\n#include <mpi.h>\nstruct inner { MPI_Request requests[3]; short s; };\n\
         typedef struct {\n    int before;\n    MPI_Comm comm;\n    int a, b[2];\n    struct inner in[2];\n    char c;\n    \
         double after;\n} Grid;\n#endif\n",
    );
    let said = case.generate(&["--all", "structs.h"]);
    assert!(said.contains("structs.h:7: member `comm` of `Grid` is an MPI_Comm"), "{said}");
    assert!(said.contains("structs.h:4: member `requests` of `inner` is an MPI_Request"), "{said}");
    let program = "#include \"mpitypes.h\"\n#include <stdio.h>\nint main(void)\n{\n    Grid g[2] = {{0}};\n    int rank, i, size;\n    \
                   MPI_Init(NULL, NULL);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    if (Build_MPI_Types()) return 1;\n    \
                   g[1].comm = MPI_COMM_SELF;\n    if (rank == 0) {\n        g[1].before = 1; g[1].a = 2; g[1].b[1] = 3;\n        \
                   g[1].in[1].s = 4; g[1].c = 5; g[1].after = 6; g[1].comm = MPI_COMM_WORLD;\n    }\n    \
                   MPI_Bcast(g, 2, AutoMap_Grid, 0, MPI_COMM_WORLD);\n    MPI_Type_size(AutoMap_Grid, &size);\n    \
                   i = g[1].before == 1 && g[1].a == 2 && g[1].b[1] == 3 && g[1].in[1].s == 4 && g[1].c == 5 && g[1].after == 6;\n    \
                   if (rank == 1) printf(\"%d %d %d\\n\", i, g[1].comm == MPI_COMM_SELF, size);\n    \
                   Free_MPI_Types();\n    MPI_Finalize();\n    return 0;\n}\n";
    for mpi in MPIS {
        case.prints(mpi, program, &[], "1 1 29\n");
    }
}

/// What a header needs of the system and does not ask for is included before it.
#[test]
fn forgotten_headers_of_the_system_are_included() {
    let case = Case::new(
        "typedef struct { size_t n; int32_t k; bool set; struct timespec at; } Sized;\ntypedef int ssize_t_of_mine;\n",
    );
    case.generate(&["--all", "structs.h"]);
    let written = case.read("mpitypes.h");
    for header in ["stdbool", "stddef", "stdint", "time"] {
        assert!(written.contains(&format!("#include <{header}.h>\n")), "{written}");
    }
    assert!(!written.contains("sys/types"), "{written}");
    let program = "#include \"mpitypes.h\"\nint main(void)\n{\n    MPI_Init(NULL, NULL);\n    if (Build_MPI_Types()) return 1;\n    \
                   Free_MPI_Types();\n    MPI_Finalize();\n    return 0;\n}\n";
    for mpi in MPIS {
        case.run(mpi, program, &[]);
    }
    // What is included already, or declared by the header itself, is not.
    let case =
        Case::new("#include <stdint.h>\ntypedef unsigned long size_t;\nstruct S { uint8_t b; size_t n; };\n");
    case.generate(&["--all", "structs.h"]);
    assert!(!case.read("mpitypes.h").contains("#include <std"), "{}", case.read("mpitypes.h"));
}

#[test]
fn warnings_do_not_stop_it() {
    let case = Case::new("struct A { int n; union { int i; float f; } u; double tail[]; };\n");
    let said = case.generate(&["--all", "structs.h"]);
    assert!(said.contains("structs.h:1: member `u` of `A` is a union: it is sent as bytes"), "{said}");
    assert!(said.contains("member `tail` of `A` is an array without a length"), "{said}");
}

#[test]
fn files_of_others_are_not_overwritten() {
    let case = Case::new(PAPER);
    case.generate(&["structs.h"]);
    case.generate(&["structs.h"]);
    fs::write(case.path().join("mpitypes.c"), "int mine;\n").expect("files can be written");
    let output = case.anyrank(&["structs.h"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("mpitypes.c is there and was not written by anyrank")
    );
    assert_eq!(case.read("mpitypes.c"), "int mine;\n");
}

/// Lengths may be made of what compilers know of types; the assertions in what is generated compare with theirs.
#[test]
fn alignments_and_offsets_are_lengths() {
    let case = Case::new(
        "#ifndef STRUCTS_H\n#define STRUCTS_H\n#include <stddef.h>\n#include <stdalign.h>\n\
         struct part { char mark; double value; struct { int low, high[3]; } range; };\n\
         struct whole {\n    char one[_Alignof(double)];\n    short two[offsetof(struct part, value)];\n    \
         int three[2 * offsetof(struct part, range.high[1]) - alignof(struct part)];\n    \
         char four[__alignof__(long double)], five[__builtin_offsetof(struct part, range)];\n    float last;\n};\n#endif\n",
    );
    assert_eq!(case.generate(&["--all", "structs.h"]), "");
    let program = "#include \"mpitypes.h\"\n#include <stdio.h>\nint main(void)\n{\n    int size;\n    MPI_Init(NULL, NULL);\n    \
                   if (Build_MPI_Types()) return 1;\n    MPI_Type_size(AutoMap_whole, &size);\n    \
                   if (size != (int)(sizeof((struct whole *)0)->one + sizeof((struct whole *)0)->two + sizeof((struct whole *)0)->three\n        \
                   + sizeof((struct whole *)0)->four + sizeof((struct whole *)0)->five + sizeof(float))) return 1;\n    \
                   Free_MPI_Types();\n    MPI_Finalize();\n    return 0;\n}\n";
    for mpi in MPIS {
        case.run(mpi, program, &[]);
    }
}

#[test]
fn comments_in_what_the_preprocessor_leaves_out_of_an_included_header_say_nothing() {
    let case = Case::new(
        "#include \"part.h\"\n/*~ AutoMap_Begin */\ntypedef struct { int number; Part part; } Whole /*~ AutoMap_TpUsed */;\n\
         /*~ AutoMap_End */\n",
    );
    let part = |condition: &str| {
        format!(
            "#ifndef PART_H\n#define PART_H\n#if {condition}\n/*~ AutoMap_Begin */\n/*~ AutoMap_Unheard */\n#endif\n\
             typedef struct {{\n    int value;\n#if {condition}\n    int *numbers; /*~ AutoMap_Count(value) */\n#endif\n    \
             char *text; /*~ AutoMap_String */\n}} Part;\n#endif\n"
        )
    };
    fs::write(case.path().join("part.h"), part("0")).expect("files can be written");
    case.generate(&["--autolink", "structs.h"]);
    // The comment of the member that is there counts.
    assert!(case.read("al_routines.c").contains("text"), "{}", case.read("al_routines.c"));
    fs::write(case.path().join("part.h"), part("1")).expect("files can be written");
    let output = case.anyrank(&["structs.h"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("part.h:5: `AutoMap_Unheard` is not known"), "{said}");
}

/// Names of structs may come from macros, typedef chains and included headers.
#[test]
fn names_are_found_wherever_they_are_declared() {
    let case = Case::new(
        "#include \"inner.h\"\n#define DEFINE(NAME) struct NAME { Alias a; int b[LENGTH]; }\nDEFINE(Made);\n\
         typedef struct Made Renamed;\ntypedef Renamed Again;\n",
    );
    let inner = "enum { LENGTH = sizeof(int) * 2 };\ntypedef struct Inner { char c; short s; } Inner;\ntypedef Inner Alias;\n";
    fs::write(case.path().join("inner.h"), inner).expect("files can be written");
    for name in ["Made", "struct Made", "Renamed", "Again"] {
        case.generate(&["--struct", name, "structs.h"]);
        let source = case.read("mpitypes.c");
        assert!(source.contains("{8, offsetof("), "{name}\n{source}");
    }
    let program = "#include <stddef.h>\n#include \"mpitypes.h\"\nint main(void)\n{\n    MPI_Init(NULL, NULL);\n    if (Build_MPI_Types()) return 1;\n    \
                   if (Free_MPI_Types()) return 1;\n    MPI_Finalize();\n    return 0;\n}\n";
    assert_eq!(case.run("mpich", program, &[]), "");
}

/// The header may use any name but those of the form `AutoMap_...`, `automap_...` and `AutoLink_...`.
#[test]
fn names_of_the_header_are_its_own() {
    let case = Case::new(
        "#define LENGTH 3\n#define LABELS 2\n#define MOST_BLOCKS 1\n\
         struct Block { int schema[LENGTH]; };\nstruct Block *create_Block(void);\nextern int create, schema;\n\
         typedef struct { int type, count; char *blocks; struct { char c; int i; } element[2]; } create_t;\n\
         enum { element_create_t_element, automap };\n",
    );
    case.generate(&["--all", "--autolink", "structs.h"]);
    for mpi in MPIS {
        for file in ["mpitypes.c", "al_routines.c"] {
            let mut command = Command::new(format!("mpicc.{mpi}"));
            command.args(["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-Iautolink", "-c", file]);
            let compiled =
                command.current_dir(case.path()).output().expect("make setup-test installs the compilers");
            assert!(compiled.status.success(), "{mpi}: {}", String::from_utf8_lossy(&compiled.stderr));
        }
    }
}

#[test]
fn marks_that_the_preprocessor_leaves_out_do_not_count() {
    let header = "/*~ AutoMap_Begin */\n#ifdef SINGLE\ntypedef struct { float x; int *p; /*~ AutoMap_Opaque */ } P /*~ AutoMap_TpUsed */;\n\
                  #else\ntypedef struct { double x; int n; /*\u{e9}*/ } P /*~ AutoMap_TpUsed */;\n#endif\n/*~ AutoMap_End */\n";
    let case = Case::new(header);
    assert_eq!(case.generate(&["structs.h"]), "");
    assert!(case.read("mpitypes.c").contains("offsetof(P, x), MPI_DOUBLE"));
    case.generate(&["-D", "SINGLE", "structs.h"]);
    assert!(case.read("mpitypes.c").contains("offsetof(P, x), MPI_FLOAT"));
}

/// The example of AutoLink's library is what is generated for its header.
#[test]
fn linked_structures_get_the_tables_of_the_example() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/autolink/example");
    let case = Case::new("");
    fs::copy(example.join("graph.h"), case.path().join("graph.h")).expect("the example is there");
    case.generate(&["--autolink", "graph.h"]);
    for name in ["al_routines.c", "al_routines.h"] {
        let expected = fs::read_to_string(example.join(name)).expect("the example is there");
        assert_eq!(
            case.read(name),
            expected,
            "{name}: run `anyrank types --autolink graph.h` in {}",
            example.display()
        );
    }
}

/// What a reader of the guides does, word by word: the files are those between the fences, or of the example, and the commands those
/// that are shown.
#[test]
fn the_guides_work_as_they_are_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = |name: &str| fs::read_to_string(root.join("docs").join(name)).expect("the guide is there");
    let linked = page("autolink.md");
    let fenced = |language: &str| -> Vec<&str> {
        let fence = format!("```{language}\n");
        let blocks = linked.split(&fence).skip(1);
        blocks.map(|rest| rest.split_once("```").expect("a fence that closes").0).collect()
    };
    let case = Case::new("");
    let [header, program] = fenced("c")[..] else { panic!("a header and a program") };
    let example = root.join("runtime/autolink/example/graph.h");
    assert_eq!(header, fs::read_to_string(example).expect("the example is there"));
    fs::write(case.path().join("graph.h"), header).expect("files can be written");
    fs::write(case.path().join("program.c"), program).expect("files can be written");
    for mpi in MPIS {
        assert_eq!(case.follow(&linked, mpi), fenced("text")[0], "{mpi}");
    }

    let mapped = page("automap.md");
    let first = mapped.split("## Which structs").next().unwrap_or_default();
    let case = Case::new("");
    let mut all = String::new();
    for name in ["simulation.h", "program.c"] {
        let text =
            fs::read_to_string(root.join("examples/automap").join(name)).expect("the example is there");
        fs::write(case.path().join(name), &text).expect("files can be written");
        all.push_str(&text);
    }
    let shown = first.lines().filter_map(|line| line.strip_prefix("    "));
    for line in shown.filter(|line| !line.starts_with("anyrank ") && !line.starts_with("mpi")) {
        assert!(all.lines().any(|other| other == line), "the guide shows what is not in the example: {line}");
    }
    for mpi in MPIS {
        let said = case.follow(first, mpi);
        let mut lines: Vec<&str> = said.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["0: 42", "1: 42"], "{mpi}");
    }
}

#[test]
fn linked_structures_arrive() {
    let case = Case::new(include_str!("types/linked.h"));
    case.generate(&["--autolink", "structs.h"]);
    let mut library: Vec<String> = fs::read_dir(case.path().join("autolink"))
        .expect("the library is beside what is generated")
        .map(|entry| format!("autolink/{}", entry.expect("it can be listed").file_name().to_string_lossy()))
        .filter(|name| name.ends_with(".c"))
        .collect();
    library.sort();
    let mut flags = vec!["-pedantic", "-Iautolink", "al_routines.c"];
    flags.extend(library.iter().map(String::as_str));
    for mpi in MPIS {
        case.prints(mpi, include_str!("types/linked.c"), &flags, "list, tree and graph arrived\n");
    }
}
