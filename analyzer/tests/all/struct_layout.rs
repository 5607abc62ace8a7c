//! Rule `struct-layout` on small C programs: what it must find, and what comes near and must stay silent.
//!
//! `// ! SEVERITY` marks the line of a finding.

use std::collections::BTreeSet;
use std::path::Path;

use analyzer::results::Severity;
use analyzer::rules::{Rule, check_unit, struct_types};
use frontend::ir::Unit;
use frontend::lower::{Options, lower};
use frontend::preprocess::{Request, preprocess};

const HEAD: &str = "#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
struct particle { int id; double x[3]; char kind; };
struct pair { double value; int index; };
";

fn unit(text: &str) -> Unit {
    let source = preprocess(&Request::new("test.c").with_text(text)).expect("text needs no file");
    let unit = lower(Path::new("test.c"), source, &Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    unit
}

/// Checks a file, after the structs above, against its marks; findings of other rules are no matter here.
fn check(text: &str) {
    let text = format!("{HEAD}{text}");
    let mut expected = BTreeSet::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        if let Some((_, severity)) = line.split_once("// ! ") {
            expected.insert((number, severity.trim().to_owned()));
        }
    }
    let mut found = check_unit(&unit(&text));
    found.retain(|finding| finding.rule == Rule::StructLayout);
    let lines: BTreeSet<_> = found
        .iter()
        .map(|finding| {
            let severity = match finding.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            (finding.range.line, severity.to_owned())
        })
        .collect();
    assert_eq!(lines, expected, "\n{text}\n{found:#?}");
}

/// A function that builds a datatype of a particle with these displacements and types, and sends what is said.
fn particle(lengths: &str, places: &str, types: &str, mark: &str, rest: &str) {
    check(&format!(
        "void f(struct particle *p, int n, MPI_Comm comm) {{
             int lengths[3] = {{{lengths}}};
             MPI_Aint places[3] = {{{places}}};
             MPI_Datatype types[3] = {{{types}}}, t, u;
             MPI_Type_create_struct(3, lengths, places, types, &t); {mark}
             {rest}
             (void)n; (void)u;
         }}"
    ));
}

const OFFSETS: &str =
    "offsetof(struct particle, id), offsetof(struct particle, x), offsetof(struct particle, kind)";
const SEND: &str = "MPI_Type_commit(&t); MPI_Send(p, 1, t, 0, 0, comm);";

#[test]
fn a_datatype_that_describes_its_struct_is_right() {
    particle("1, 3, 1", OFFSETS, "MPI_INT, MPI_DOUBLE, MPI_CHAR", "", SEND);
    particle("1, 3, 1", "0, 8, 32", "MPI_INT, MPI_DOUBLE, MPI_CHAR", "", SEND);
    // Bytes for a member, and the whole as bytes.
    particle("4, 24, 1", OFFSETS, "MPI_BYTE, MPI_BYTE, MPI_BYTE", "", SEND);
    particle("40, 0, 0", "0, 0, 0", "MPI_BYTE, MPI_INT, MPI_INT", "", SEND);
    // In another order.
    particle("1, 3, 1", "32, 8, 0", "MPI_CHAR, MPI_DOUBLE, MPI_INT", "", SEND);
}

#[test]
fn displacements_by_sums_of_sizes_forget_padding() {
    let places = "0, sizeof(int), sizeof(int) + 3 * sizeof(double)";
    particle("1, 3, 1", places, "MPI_INT, MPI_DOUBLE, MPI_CHAR", "// ! error", SEND);
}

#[test]
fn a_basic_type_of_another_kind_or_size_is_wrong() {
    particle("1, 3, 1", OFFSETS, "MPI_INT, MPI_FLOAT, MPI_CHAR", "// ! error", SEND);
    particle("1, 3, 1", OFFSETS, "MPI_LONG, MPI_DOUBLE, MPI_CHAR", "// ! error", SEND);
    // The displacements name the struct: no use is needed.
    particle("1, 3, 1", OFFSETS, "MPI_FLOAT, MPI_DOUBLE, MPI_CHAR", "// ! error", "");
    // Two bytes of an int.
    particle("2, 3, 1", OFFSETS, "MPI_BYTE, MPI_DOUBLE, MPI_CHAR", "// ! error", SEND);
}

#[test]
fn differences_of_addresses_are_displacements() {
    let program = |base: &str, kind: &str, mark: &str| {
        check(&format!(
            "void f(struct particle *p, MPI_Comm comm) {{
                 struct particle q;
                 MPI_Aint base, places[3];
                 int lengths[3] = {{1, 3, 1}};
                 MPI_Datatype types[3] = {{MPI_INT, {kind}, MPI_CHAR}}, t;
                 MPI_Get_address(&{base}, &base);
                 MPI_Get_address(&{base}.id, &places[0]);
                 MPI_Get_address(&{base}.x, &places[1]);
                 MPI_Get_address(&{base}.kind, &places[2]);
                 for (int i = 0; i < 3; i++) places[i] -= base;
                 MPI_Type_create_struct(3, lengths, places, types, &t); {mark}
                 MPI_Type_commit(&t);
                 MPI_Bcast(&{base}, 1, t, 0, comm);
                 (void)p; (void)q;
             }}"
        ));
    };
    for base in ["q", "(*p)"] {
        program(base, "MPI_DOUBLE", "");
        program(base, "MPI_FLOAT", "// ! error");
    }
    let differences = |kind: &str, mark: &str| {
        check(&format!(
            "void f(struct particle *p, MPI_Comm comm) {{
                 MPI_Aint base, a, b;
                 int lengths[2] = {{1, 3}};
                 MPI_Datatype types[2] = {{MPI_INT, {kind}}}, t;
                 MPI_Get_address(p, &base);
                 MPI_Get_address(&p->id, &a);
                 MPI_Get_address(&p->x[0], &b);
                 MPI_Aint places[2] = {{a - base, MPI_Aint_diff(b, base)}};
                 MPI_Type_create_struct(2, lengths, places, types, &t); {mark}
                 MPI_Type_commit(&t);
                 MPI_Bcast(p, 1, t, 0, comm);
             }}"
        ));
    };
    // `kind` is left out, and so it is noted.
    differences("MPI_DOUBLE", "// ! note");
    differences("MPI_FLOAT", "// ! error");
}

/// What is subtracted from all, and in which order.
#[test]
fn differences_are_followed_through_loops() {
    let program = |turn: &str, buffer: &str, mark: &str| {
        check(&format!(
            "void f(MPI_Comm comm) {{
                 struct pair q;
                 MPI_Aint places[2];
                 int lengths[2] = {{1, 1}}, i;
                 MPI_Datatype types[2] = {{MPI_DOUBLE, MPI_INT}}, t;
                 MPI_Get_address(&q.value, &places[0]);
                 MPI_Get_address(&q.index, &places[1]);
                 {turn}
                 MPI_Type_create_struct(2, lengths, places, types, &t); {mark}
                 MPI_Type_commit(&t);
                 MPI_Bcast({buffer}, 1, t, 0, comm);
             }}"
        ));
    };
    program("for (i = 1; i >= 0; i--) places[i] -= places[0];", "&q", "");
    program("for (i = 1; i >= 0; i--) places[i] = MPI_Aint_diff(places[i], places[0]);", "&q", "");
    program("i = 2; while (i) { i--; places[i] -= places[0]; }", "&q", "");
    // The first one is 0 when it is subtracted from the second one.
    program("for (i = 0; i < 2; i++) places[i] -= places[0];", "&q", "// ! error");
    program("(void)i;", "&q", "// ! error");
    program("(void)i;", "MPI_BOTTOM", "");
    // How many rounds there are is not known.
    program("for (i = 1; i >= (int)sizeof comm - rand(); i--) places[i] -= places[0];", "&q", "");
}

#[test]
fn an_array_needs_the_extent_of_the_struct() {
    let pair = |types: &str, resize: &str, count: &str, mark: &str| {
        check(&format!(
            "void f(struct pair *p, int n, MPI_Comm comm) {{
                 int lengths[2] = {{1, 1}};
                 MPI_Aint places[2] = {{offsetof(struct pair, value), offsetof(struct pair, index)}};
                 MPI_Datatype types[2] = {{{types}}}, t, u;
                 MPI_Type_create_struct(2, lengths, places, types, &t);
                 {resize}
                 MPI_Type_commit(&u);
                 MPI_Send(p, {count}, u, 0, 0, comm); {mark}
                 (void)n;
             }}"
        ));
    };
    // The library rounds up.
    pair("MPI_DOUBLE, MPI_INT", "u = t;", "10", "");
    let resized = |extent: &str| format!("MPI_Type_create_resized(t, 0, {extent}, &u);");
    pair("MPI_DOUBLE, MPI_INT", &resized("sizeof(struct pair)"), "10", "");
    pair("MPI_DOUBLE, MPI_INT", &resized("12"), "10", "// ! error");
    pair("MPI_DOUBLE, MPI_INT", &resized("12"), "n", "// ! warning");
    pair("MPI_DOUBLE, MPI_INT", &resized("12"), "1", "");
    // Every second object.
    pair("MPI_DOUBLE, MPI_INT", &resized("2 * sizeof(struct pair)"), "10", "");
}

#[test]
fn collectives_that_store_one_block_per_process_step_by_the_extent() {
    check(
        "void f(struct particle *all, struct particle *mine, MPI_Comm comm) {
             int lengths[1] = {3};
             MPI_Aint places[1] = {offsetof(struct particle, x)};
             MPI_Datatype types[1] = {MPI_DOUBLE}, t;
             MPI_Type_create_struct(1, lengths, places, types, &t);
             MPI_Type_commit(&t);
             MPI_Allgather(mine, 1, t, all, 1, t, comm); // ! error
         }",
    );
}

#[test]
fn parts_on_purpose_are_right_and_one_forgotten_member_is_a_note() {
    let two = |fields: &str, mark: &str| {
        check(
            &format!(
                "struct four {{ int a; double b; int c; double d; char *name; }};
             void f(struct four *p, MPI_Comm comm) {{
                 int lengths[4] = {{1, 1, 1, 1}};
                 MPI_Aint places[4] = {{{fields}}};
                 MPI_Datatype types[4] = {{MPI_INT, MPI_DOUBLE, MPI_INT, MPI_DOUBLE}}, t;
                 MPI_Type_create_struct(COUNT, lengths, places, types, &t); {mark}
                 MPI_Type_commit(&t);
                 MPI_Send(p, 1, t, 0, 0, comm);
             }}"
            )
            .replace("COUNT", &fields.matches("offsetof").count().to_string()),
        );
    };
    let field = |name: &str| format!("offsetof(struct four, {name})");
    // The pointer means nothing elsewhere.
    two(&["a", "b", "c", "d"].map(field).join(", "), "");
    two(&["a", "b"].map(field).join(", "), "");
}

#[test]
fn nested_structs_and_handles_made_elsewhere_are_followed() {
    let program = |kind: &str, mark: &str| {
        check(&format!(
            "struct cell {{ struct pair best; int n; }};
             static MPI_Datatype cell_type;
             static MPI_Datatype pair_type(void) {{
                 int lengths[2] = {{1, 1}};
                 MPI_Aint places[2] = {{0, 8}};
                 MPI_Datatype types[2] = {{MPI_DOUBLE, MPI_INT}}, t;
                 MPI_Type_create_struct(2, lengths, places, types, &t);
                 return t;
             }}
             static void build(void) {{
                 MPI_Datatype inner = pair_type();
                 int lengths[2] = {{1, 1}};
                 MPI_Aint places[2] = {{0, 16}};
                 MPI_Datatype types[2];
                 types[0] = MPI_DOUBLE_INT;
                 types[1] = {kind};
                 MPI_Type_create_struct(2, lengths, places, types, &cell_type); {mark}
                 MPI_Type_commit(&cell_type);
                 (void)inner;
             }}
             void f(struct cell *c, MPI_Comm comm) {{
                 build();
                 MPI_Bcast(c, 1, cell_type, 0, comm);
             }}"
        ));
    };
    program("MPI_INT", "");
    program("MPI_FLOAT", "// ! error");
}

#[test]
fn a_type_for_the_list_of_hand_built_types_says_what_it_is() {
    let text = format!(
        "{HEAD}void f(void) {{
             int lengths[2] = {{1, 1}};
             MPI_Aint places[2] = {{offsetof(struct pair, value), offsetof(struct pair, index)}};
             MPI_Datatype types[2] = {{MPI_DOUBLE, MPI_INT}}, t;
             MPI_Type_create_struct(2, lengths, places, types, &t);
         }}"
    );
    let found = struct_types(&unit(&text));
    let [only] = &found[..] else { panic!("{found:#?}") };
    assert_eq!(only.typemap.as_deref(), Some("at 0: double, at 8: int; extent 16"));
    let layout = "at 0: double value, at 8: int index; 16 bytes".to_owned();
    assert_eq!(only.structs, [("struct pair".to_owned(), layout)]);
    assert!(only.problems.is_empty() && !only.is_absolute);
}

/// The text with the edits of its only finding.
fn fixed(text: &str) -> String {
    let text = format!("{HEAD}{text}");
    let mut found = check_unit(&unit(&text));
    found.retain(|finding| finding.rule == Rule::StructLayout);
    let [finding] = &found[..] else { panic!("{found:#?}") };
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for edit in finding.fix.as_ref().expect("a fix").edits.iter().rev() {
        let (line, start, end) = (edit.range.line, edit.range.column, edit.range.end_column);
        let column = |column: u32| usize::try_from(column - 1).expect("a column");
        let line = usize::try_from(line - 1).expect("a line");
        lines[line].replace_range(column(start)..column(end), &edit.text);
    }
    lines.join("\n")
}

#[test]
fn wrong_displacements_and_types_are_replaced_where_they_are_written() {
    let program = |places: &str, types: &str| {
        format!(
            "void f(struct particle *p, MPI_Comm comm) {{
                 int lengths[3] = {{1, 3, 1}};
                 MPI_Aint places[3] = {{0, {places}}};
                 MPI_Datatype types[3], t;
                 types[0] = MPI_INT;
                 types[1] = {types};
                 types[2] = MPI_CHAR;
                 MPI_Type_create_struct(3, lengths, places, types, &t);
                 MPI_Type_commit(&t);
                 MPI_Send(p, 1, t, 0, 0, comm);
             }}"
        )
    };
    let wrong = program("sizeof(int), 4 + 3 * sizeof(double)", "MPI_FLOAT");
    let right = program("offsetof(struct particle, x), offsetof(struct particle, kind)", "MPI_DOUBLE");
    // Nothing in the text says `offsetof` before.
    let right = format!("#include <stddef.h>\n{HEAD}{right}");
    assert_eq!(fixed(&wrong), right);
}
