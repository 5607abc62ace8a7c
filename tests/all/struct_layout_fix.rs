//! `lint --fix` of datatypes that are built by hand for a struct: the edited program compiles without a warning, has no finding, and what is
//! sent arrives under both MPIs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::mpi_run::{Mpi, Options, compile};

fn lint(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    command.current_dir(directory).env("NO_COLOR", "1").stdin(Stdio::null()).arg("lint").args(arguments);
    let output = command.output().expect("the command starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked") && !said.contains("internal error"), "{said}");
    output
}

fn with(text: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("a.c"), text).expect("a file can be written");
    directory
}

/// A program that sends `objects` from rank 0 to rank 1 with a datatype that `f` makes; rank 1 prints.
fn program(structs: &str, make: &str, objects: &str, count: &str, print: &str) -> String {
    format!(
        "#include <mpi.h>
#include <stdio.h>

{structs}

{make}

int main(int argc, char **argv)
{{
    int rank;
    {objects}
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make(&type);
    if (rank == 0)
        MPI_Send(all, {count}, type, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1) {{
        for (size_t at = 0; at < sizeof all; at++)
            ((char *)all)[at] = 0;
        MPI_Recv(all, {count}, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        {print}
    }}
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}}
"
    )
}

/// The text that `--fix` makes of a program. It compiles without a warning, has no finding of the rule, and rank 1 says `said`; `--diff` shows
/// the same and changes nothing.
fn fixed(text: &str, said: &str) -> String {
    let directory = with(text);
    let path = directory.path().join("a.c");
    let diff = lint(directory.path(), &["--diff", "a.c"]);
    assert_eq!(fs::read_to_string(&path).expect("the file"), text);
    assert!(lint(directory.path(), &["a.c"]).stdout.windows(13).any(|at| at == b"struct-layout"), "{text}");
    lint(directory.path(), &["--fix", "a.c"]);
    let new = fs::read_to_string(&path).expect("the file");
    let added: Vec<_> = new.lines().filter(|line| line.contains("_Static_assert")).collect();
    let diff = String::from_utf8_lossy(&diff.stdout).into_owned();
    for line in added {
        assert!(diff.contains(&format!("\n+{line}\n")), "{line}\n{diff}");
    }
    let again = lint(directory.path(), &["a.c"]);
    let again = String::from_utf8_lossy(&again.stdout).into_owned();
    assert!(!again.contains("struct-layout"), "{again}\n{new}");
    for mpi in Mpi::ALL {
        let flags = ["-Wall", "-Wextra", "-Werror"];
        let program = compile(mpi, &[&path], &flags).unwrap_or_else(|error| panic!("{error}\n{new}"));
        let options = Options { trace: false, ..Options::default() };
        let run = program.run(2, options).expect("the launcher starts");
        assert!(run.succeeded() && run.stdout.trim() == said, "{mpi:?}: {}{}\n{new}", run.stdout, run.stderr);
    }
    new
}

/// A program that stays as it is.
fn untouched(text: &str) {
    let directory = with(text);
    let found = lint(directory.path(), &["a.c"]);
    assert!(String::from_utf8_lossy(&found.stdout).contains("struct-layout"), "{found:?}");
    lint(directory.path(), &["--fix", "a.c"]);
    assert_eq!(fs::read_to_string(directory.path().join("a.c")).expect("the file"), text);
}

const OPTIONS: &str = "struct options {
    int steps;
    double tolerance;
    int verbose;
};";

#[test]
fn a_forgotten_member_is_sent_after_all() {
    let make = "/* Steps and tolerance. */
static void make(MPI_Datatype *type)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(struct options, steps), offsetof(struct options, tolerance)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};

    MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_commit(type);
}";
    let text = program(
        &format!("#include <stddef.h>\n{OPTIONS}"),
        make,
        "struct options all[2] = {{10, 0.5, 1}, {20, 0.25, 2}};",
        "2",
        "printf(\"%d %g %d %d %g %d\\n\", all[0].steps, all[0].tolerance, all[0].verbose, all[1].steps, all[1].tolerance,
            all[1].verbose);",
    );
    let new = fixed(&text, "10 0.5 1 20 0.25 2");
    assert_eq!(new.matches("#include <stddef.h>").count(), 1, "{new}");
    let old_way = ["lengths[2]", "places[2]", "types[2]"];
    assert!(!old_way.iter().any(|name| new.contains(name)), "{new}");
    assert!(
        new.contains("static void make(MPI_Datatype *type)\n{\n    automap_create_options(type);\n}"),
        "{new}"
    );
    assert!(new.contains("}\n\n/* Steps and tolerance. */\nstatic void make"), "{new}");
}

#[test]
fn an_extent_without_padding_goes_with_all_its_calls() {
    let make = "static void make(MPI_Datatype *type)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, sizeof(double)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, plain;

    MPI_Type_create_struct(2, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(double) + sizeof(int), type);
    MPI_Type_free(&plain);
    MPI_Type_commit(type);
}";
    let text = program(
        "typedef struct {\n    double value;\n    int index;\n} pair;",
        make,
        "pair all[3] = {{1.5, 1}, {2.5, 2}, {3.5, 3}};",
        "3",
        "printf(\"%g %d %g %d %g %d\\n\", all[0].value, all[0].index, all[1].value, all[1].index, all[2].value, all[2].index);",
    );
    let new = fixed(&text, "1.5 1 2.5 2 3.5 3");
    assert!(!new.contains("plain") && new.contains("sizeof(pair)"), "{new}");
}

#[test]
fn addresses_in_the_place_of_displacements_go_with_the_loop_over_them() {
    let make = "static void make(MPI_Datatype *type)
{
    int i, lengths[3] = {1, 1, 1};
    struct options one;
    MPI_Aint places[3];
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_INT};

    MPI_Get_address(&one.steps, &places[0]);
    MPI_Get_address(&one.tolerance, &places[1]);
    MPI_Get_address(&one.verbose, &places[2]);
    for (i = 0; i < 3; i++)
        places[i] -= places[0];
    if (MPI_Type_create_struct(3, lengths, places, types, type) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_commit(type);
}";
    let text = program(
        OPTIONS,
        make,
        "struct options all[1] = {{10, 0.5, 1}};",
        "1",
        "printf(\"%d %g %d\\n\", all[0].steps, all[0].tolerance, all[0].verbose);",
    );
    let new = fixed(&text, "10 0.5 1");
    assert!(new.contains("if (automap_create_options(type) != MPI_SUCCESS)"), "{new}");
    assert!(!new.contains("places[") && !new.contains("one;"), "{new}");
    assert!(new.starts_with("#include <stddef.h>\n#include <mpi.h>"), "{new}");
}

#[test]
fn a_struct_with_structs_and_arrays_that_is_wrong_in_several_places_is_built_anew() {
    let structs = "struct corner {\n    char mark;\n    double at[2];\n};
struct cell {\n    int id;\n    struct corner corners[2];\n    float weight;\n    short kind;\n};";
    let make = "static void make(MPI_Datatype *type)
{
    int lengths[4];
    MPI_Aint places[4];
    MPI_Datatype types[4];

    lengths[0] = 1;
    lengths[1] = 48;
    lengths[2] = 1;
    lengths[3] = 1;
    places[0] = 0;
    places[1] = sizeof(int);
    places[2] = sizeof(int) + 2 * sizeof(struct corner);
    places[3] = sizeof(int) + 2 * sizeof(struct corner) + sizeof(float);
    types[0] = MPI_INT;
    types[1] = MPI_BYTE;
    types[2] = MPI_FLOAT;
    types[3] = MPI_SHORT;
    MPI_Type_create_struct(4, lengths, places, types, type);
    MPI_Type_commit(type);
}";
    let text = program(
        structs,
        make,
        "struct cell all[2] = {{1, {{'a', {0.5, 1.5}}, {'b', {2.5, 3.5}}}, 4.5f, 5}, {2, {{'c', {6.5, 7.5}}, {'d', {8.5, 9.5}}}, 10.5f, 6}};",
        "2",
        "for (int i = 0; i < 2; i++)
            printf(\"%d %c %g %g %c %g %g %g %d;\", all[i].id, all[i].corners[0].mark, all[i].corners[0].at[0],
                all[i].corners[0].at[1], all[i].corners[1].mark, all[i].corners[1].at[0], all[i].corners[1].at[1],
                (double)all[i].weight, all[i].kind);",
    );
    let new = fixed(&text, "1 a 0.5 1.5 b 2.5 3.5 4.5 5;2 c 6.5 7.5 d 8.5 9.5 10.5 6;");
    assert!(
        new.contains("static int automap_create_corner(") && new.contains("static int automap_create_cell("),
        "{new}"
    );
}

#[test]
fn an_edit_that_is_all_there_is_to_do_stays_small() {
    let make = "static void make(MPI_Datatype *type)
{
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3];
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_INT};

    places[0] = 0;
    places[1] = sizeof(int);
    places[2] = 2 * sizeof(double);
    MPI_Type_create_struct(3, lengths, places, types, type);
    MPI_Type_commit(type);
}";
    let text = program(
        OPTIONS,
        make,
        "struct options all[1] = {{10, 0.5, 1}};",
        "1",
        "printf(\"%d %g %d\\n\", all[0].steps, all[0].tolerance, all[0].verbose);",
    );
    let new = fixed(&text, "10 0.5 1");
    let wanted = text.replace("places[1] = sizeof(int)", "places[1] = offsetof(struct options, tolerance)");
    assert_eq!(new, format!("#include <stddef.h>\n{wanted}"));
}

/// A function that makes a datatype of `options` without its last member.
fn incomplete(name: &str) -> String {
    format!(
        "void {name}(MPI_Datatype *type)
{{
    int lengths[2] = {{1, 1}};
    MPI_Aint places[2] = {{offsetof(struct options, steps), offsetof(struct options, tolerance)}};
    MPI_Datatype types[2] = {{MPI_INT, MPI_DOUBLE}};
    MPI_Type_create_struct(2, lengths, places, types, type);
    MPI_Type_commit(type);
}}"
    )
}

#[test]
fn datatypes_of_one_struct_share_a_function_and_names_do_not_collide() {
    let structs = format!("#include <stddef.h>\n{OPTIONS}\n\nint automap_create_options;");
    let text = program(
        &structs,
        &format!("{}\n\n{}\n\n{}", incomplete("make"), incomplete("other"), incomplete("third")),
        "struct options all[1] = {{10, 0.5, 1}};",
        "1",
        "printf(\"%d %g %d\\n\", all[0].steps, all[0].tolerance, all[0].verbose);",
    );
    let new = fixed(&text, "10 0.5 1");
    assert_eq!(new.matches("static int automap_create_options2(").count(), 1, "{new}");
    assert_eq!(new.matches("    automap_create_options2(type);").count(), 3, "{new}");
}

#[test]
fn what_cannot_be_taken_away_whole_stays() {
    let all = "struct options all[1] = {{10, 0.5, 1}};";
    let print = "printf(\"%d\\n\", all[0].verbose);";
    let structs = format!("#include <stddef.h>\n{OPTIONS}\nint next(void);");
    let of = |make: &str| program(&structs, make, all, "1", print);
    let plain = incomplete("make");
    // The preprocessor decides about the call.
    untouched(&of(&plain
        .replace("    MPI_Type_create", "#if 1\n    MPI_Type_create")
        .replace("types, type);", "types, type);\n#endif")));
    // An argument does more than say a value.
    untouched(&of(&plain.replace("_struct(2, lengths", "_struct(2, (next(), lengths)")));
    // A variable would be left that is set and not used.
    let unused = plain.replace(
        "    MPI_Type_create",
        "    volatile int seen = lengths[0];\n    (void)seen;\n    MPI_Type_create",
    );
    let new = of(&unused);
    let directory = with(&new);
    lint(directory.path(), &["--fix", "a.c"]);
    let compiled =
        compile(Mpi::Mpich, &[&directory.path().join("a.c")], &["-Wall", "-Wextra", "-Werror", "-c"]);
    assert!(compiled.is_ok(), "{compiled:?}");
}

#[test]
fn a_part_of_a_struct_that_is_sent_on_purpose_is_not_made_whole() {
    let make = "static void make(MPI_Datatype *type)
{
    int lengths[1] = {1};
    MPI_Aint places[1] = {offsetof(struct options, tolerance)};
    MPI_Datatype types[1] = {MPI_DOUBLE};
    MPI_Type_create_struct(1, lengths, places, types, type);
    MPI_Type_commit(type);
}";
    let structs = format!("#include <stddef.h>\n{OPTIONS}");
    untouched(&program(
        &structs,
        make,
        "struct options all[2] = {{10, 0.5, 1}, {20, 0.25, 2}};",
        "2",
        "printf(\"%d\\n\", all[0].steps);",
    ));
}
