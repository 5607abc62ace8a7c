//! Programs in which something looks at what messages leave behind besides their result, each in another way: an edit that puts a
//! collective call in place of the messages would change what they do.

use std::fs;
use std::path::Path;
use std::process::Command;

/// How messages may go round: each process learns the sum of all.
const RING: &str = "sum = x;
    t = x;
    for (int s = 1; s < np; s++) {
        MPI_Sendrecv_replace(&t, 1, MPI_INT, (rank + 1) % np, 0, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, STATUS);
        sum += t;
    }";

/// What the edits of a program bring in.
fn edits(globals: &str, body: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = format!(
        "#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
{globals}
int main(int argc, char **argv)
{{
    int rank, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int x = rank * 3 + 1;
    {body}
    MPI_Finalize();
    return 0;
}}
"
    );
    fs::write(directory.path().join("a.c"), text).expect("a file can be written");
    patch_of(directory.path(), &["a.c"])
}

/// The lines that edits bring into some files.
fn patch_of(directory: &Path, files: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    command.current_dir(directory).args(["suggest", "-q", "--format", "diff"]).args(files);
    let output = command.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let patch = String::from_utf8_lossy(&output.stdout);
    patch.lines().filter(|line| line.starts_with("+ ")).collect::<Vec<_>>().join("\n")
}

/// A ring with something around it.
fn ring(globals: &str, before: &str, after: &str) -> String {
    ring_with(globals, before, "MPI_STATUS_IGNORE", after)
}

fn ring_with(globals: &str, before: &str, status: &str, after: &str) -> String {
    let ring = RING.replace("STATUS", status);
    edits(globals, &format!("int sum, t = 1;\n{before}\n{ring}\n{after}\nprintf(\"%d %d\\n\", rank, sum);"))
}

#[test]
fn a_ring_that_nobody_looks_into_is_a_collective() {
    assert!(
        ring("", "", "").contains("MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);")
    );
    let reset = ring("", "", "t = 5; printf(\"%d\\n\", t);");
    assert!(reset.contains("MPI_Allreduce"), "{reset}");
}

#[test]
fn what_goes_round_is_looked_at_by_another_name() {
    let show = "printf(\"%d\\n\", *all[0]);";
    assert_eq!(ring("", "int *all[2] = {&t, &x};", show), "");
    let keeper = "static int *keep;
static void remember(int *p) { keep = p; }
static int kept(void) { return *keep; }";
    assert_eq!(ring(keeper, "remember(&t);", "printf(\"%d\\n\", kept());"), "");
    assert_eq!(ring("#define SHOW() printf(\"%d\\n\", t)", "", "SHOW();"), "");
    let shared = "int seen;\nstatic void show(void) { printf(\"%d\\n\", seen); }";
    let body = RING.replace("STATUS", "MPI_STATUS_IGNORE");
    let body = body.replace("t = x", "seen = x").replace("&t", "&seen").replace("sum += t", "sum += seen");
    assert_eq!(
        edits(shared, &format!("extern int seen; int sum;\n{body}\nshow();\nprintf(\"%d\\n\", sum);")),
        ""
    );
}

#[test]
fn what_goes_round_is_looked_at_by_another_way() {
    assert_eq!(ring("", "int k = 0;\nagain:\nprintf(\"%d\\n\", t);", "if (k++ < 2) goto again;"), "");
    assert_eq!(ring("", "", "for (t = t % 7; t < 7; t++) printf(\"%d\\n\", t);"), "");
    let ring = RING.replace("STATUS", "MPI_STATUS_IGNORE");
    let rounds = format!(
        "int sum, t = 0;
    for (int k = 0; k < 3; k++) {{
        {ring}
        printf(\"%d\\n\", sum);
        if (k == 2) break;
        t = 0;
    }}
    printf(\"%d\\n\", t);"
    );
    assert_eq!(edits("", &rounds), "");
}

#[test]
fn what_is_known_of_messages_is_looked_at_later() {
    let source = "printf(\"%d\\n\", status.MPI_SOURCE);";
    assert_eq!(ring_with("", "MPI_Status status;\nstatus.MPI_SOURCE = rank;", "&status", source), "");
    let chain = "MPI_Status status;
    int count = -1;
    if (rank > 0) MPI_Recv(&x, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, &status);
    if (rank < np - 1) MPI_Send(&x, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
    if (rank > 0) MPI_Get_count(&status, MPI_INT, &count);
    printf(\"%d %d\\n\", x, count);";
    assert_eq!(edits("", chain), "");
    let requests = "int sum = x, t = x, u;
    MPI_Request requests[2];
    for (int s = 1; s < np; s++) {
        MPI_Irecv(&u, 1, MPI_INT, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&t, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        t = u;
        sum += t;
    }
    if (np > 1 && requests[0] == MPI_REQUEST_NULL)
        printf(\"done\\n\");
    printf(\"%d\\n\", sum);";
    assert_eq!(edits("", requests), "");
}

/// What goes round in one time step is what has come round in the one before.
#[test]
fn what_is_carried_to_the_next_time_is_kept() {
    let body = "int t = x, *all = malloc(np * sizeof(int));
    for (int k = 0; k < 2; k++) {
        for (int s = 0; s < np; s++) {
            all[(rank - s + np) % np] = t;
            if (s < np - 1)
                MPI_Sendrecv_replace(&t, 1, MPI_INT, (rank + 1) % np, 0, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < np; i++)
            printf(\" %d\", all[i]);
    }
    free(all);";
    assert_eq!(edits("", body), "");
    assert!(edits("", &body.replace("for (int s = 0", "t = x;\n for (int s = 0")).contains("MPI_Allgather"));
}

#[test]
fn statements_that_do_more_are_left_alone() {
    let chain = "int count = 0;
    for (int k = 0; k < 3; k++) {
        if (rank > 0)
            MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == np - 1)
            continue;
        MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        count++;
    }
    printf(\"%d %d\\n\", x, count);";
    assert_eq!(edits("", chain), "");
    let load = "static int load(int *p, int rank) { *p = 100 + rank; return 1; }";
    for begin in
        ["if (load(&sum, rank) != 1)\nMPI_Abort(MPI_COMM_WORLD, 1);", "printf(\"%d\\n\", load(&sum, rank));"]
    {
        let ring = RING.replace("STATUS", "MPI_STATUS_IGNORE").replace("sum = x;", begin);
        assert_eq!(
            edits(load, &format!("int sum = 0, t;\n{ring}\nprintf(\"%d %d\\n\", sum, x);")),
            "",
            "{begin}"
        );
    }
    let bytes = RING
        .replace("STATUS", "MPI_STATUS_IGNORE")
        .replace(
            "MPI_Sendrecv_replace(&t, 1, MPI_INT, (rank + 1) % np, 0,",
            "MPI_Sendrecv(&t, 1, MPI_INT, (rank + 1) % np, 0, &u, 1, MPI_INT,",
        )
        .replace("sum += t", "memcpy(&t, &u, sizeof(char));\n sum += t");
    assert_eq!(edits("", &format!("int sum, t, u;\n{bytes}\nprintf(\"%d\\n\", sum);")), "");
}

#[test]
fn names_and_numbers_are_not_what_they_seem() {
    let shadow = "int a[8] = {rank}, n = 4;
    if (rank > 0) { int n = 2; MPI_Recv(a, n, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }
    if (rank < np - 1) { int n = 2; MPI_Send(a, n, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); }
    printf(\"%d %d %d\\n\", a[0], a[3], n);";
    assert_eq!(edits("", shadow), "");
    let later = "int i = 7;
    if (rank == 0) {
        for (i = 1; i < np; i++)
            MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (i = i + 10; i < 15; i++)
        printf(\"%d\\n\", i);
    printf(\"%d\\n\", x);";
    assert_eq!(edits("", later), "");
    assert!(edits("", &later.replace("i = i + 10", "i = 10")).contains("MPI_Bcast"));
    let guarded = "static void spread(int *a, int n, int rank, int np) {
    if (n > 1 && rank > 0) MPI_Recv(a, n, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (n > 1 && rank < np - 1) MPI_Send(a, n, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
}";
    assert_eq!(edits(guarded, "int a[8] = {x};\nspread(a, argc, rank, np);\nprintf(\"%d\\n\", a[0]);"), "");
}

/// An exchange with a computation after it.
fn exchange(globals: &str, before: &str, into: &str, status: &str, after: &str) -> String {
    let body = format!(
        "int right = (rank + 1) % np, left = (rank + np - 1) % np, n = argc * 50, m = argc + 2;
    double s[100], r[100], w[100], a = 1, b = 2, sum = x;
    for (int i = 0; i < 100; i++) s[i] = r[i] = w[i] = i;
    {before}
    MPI_Sendrecv(s, 1, MPI_DOUBLE, right, 0, {into}, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, {status});
    {after}
    printf(\"%g %g %g %g %d %d\\n\", r[0], w[0], sum, a + b, n, m);"
    );
    edits(globals, &body)
}

#[test]
fn an_exchange_that_the_computation_needs_stays_before_it() {
    let compute = "for (int i = 0; i < 100; i++) w[i] = i;";
    assert!(exchange("", "", "r", "MPI_STATUS_IGNORE", compute).contains("MPI_Irecv"));
    let counted = format!("{compute}\nMPI_Get_count(&status, MPI_DOUBLE, &m);");
    assert_eq!(exchange("", "MPI_Status status;", "r", "&status", &counted), "");
    let by_pointer = format!("{compute}\nm = where->MPI_SOURCE;");
    assert_eq!(exchange("", "MPI_Status status, *where = &status;", "r", "where", &by_pointer), "");
    for changed in ["*(s + (i * m) % 100)", "(s)[(i * m) % 100]"] {
        let after = format!("for (int i = 0; i < n; i++) {{ w[i] = i; {changed} = w[i]; }}");
        assert_eq!(exchange("", "", "r", "MPI_STATUS_IGNORE", &after), "", "{changed}");
    }
    let rows = "row rows[2] = {w, w}; rows[m % 2] = r;";
    let by_row = "for (int k = 0; k < 2; k++) for (int i = 0; i < n; i++) rows[k][i] = 2;";
    assert_eq!(exchange("typedef double *row;", rows, "r", "MPI_STATUS_IGNORE", by_row), "");
    let place = "double *p[2]; p[0] = &a; p[1] = &b; double *into = p[(n * n) % 2];";
    let sum = "for (int i = 0; i < 100; i++) sum += a * i;";
    assert_eq!(exchange("", place, "into", "MPI_STATUS_IGNORE", sum), "");
}

#[test]
fn an_exchange_that_is_refused_keeps_no_other_from_being_edited() {
    let twice = "for (int i = 0; i < 100; i++) *(s + i) = 0;
    MPI_Sendrecv(s, 1, MPI_DOUBLE, right, 0, r, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 100; i++) w[i] = 0;";
    assert!(exchange("", "", "r", "MPI_STATUS_IGNORE", twice).contains("MPI_Irecv"));
}

#[test]
fn a_list_that_a_macro_reads_is_packed_as_before() {
    let pack = "double a[80], list[8], r[8];
    for (int i = 0; i < 80; i++) a[i] = i;
    if (rank == 0 && np > 1) {
        for (int i = 0; i < 8; i++) list[i] = a[i * 10];
        MPI_Send(list, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        SHOW();
        for (int i = 0; i < 8; i++) list[i] = a[i * 10 + 1];
        MPI_Send(list, 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        SHOW();
    } else if (rank == 1) {
        MPI_Recv(r, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(r, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf(\"%g %d\\n\", r[1], x);
    }";
    assert_eq!(edits("#define SHOW() printf(\"%g\\n\", list[3])", pack), "");
    assert!(edits("#define SHOW()", pack).contains("MPI_Type_vector"));
}

/// What one of two programs sends is shorter than what the function that they share has room for.
#[test]
fn a_file_of_two_programs_is_edited_where_both_allow_it() {
    let program = |length: usize| {
        format!(
            "#include <mpi.h>
#include <stdio.h>
void get(double c[8][3]);
int main(int argc, char **argv)
{{
    int rank, np;
    double c[8][3] = {{{{0}}}}, s[8] = {{0}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np == 2 && rank == 0)
        MPI_Send(s, {length}, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (np == 2)
        get(c);
    printf(\"%g\\n\", c[7][1]);
    MPI_Finalize();
    return 0;
}}
"
        )
    };
    let shared = "#include <mpi.h>
void get(double c[8][3]);
void get(double c[8][3])
{
    double in[8] = {0};
    MPI_Recv(in, 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; i++)
        c[i][1] = in[i];
}
";
    for (first, second, is_edited) in [(8, 8, true), (8, 4, false), (4, 8, false)] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in [("a.c", program(first)), ("b.c", program(second)), ("get.c", shared.to_owned())]
        {
            fs::write(directory.path().join(name), text).expect("a file can be written");
        }
        let patch = patch_of(directory.path(), &["a.c", "b.c", "get.c"]);
        assert_eq!(patch.contains("MPI_Type_vector"), is_edited, "{first} {second}: {patch}");
    }
}

/// Both ways along a line of processes.
const BOTH_WAYS: &str =
    "MPI_Sendrecv(&s[1], 1, MPI_DOUBLE, right, 0, &r[0], 1, MPI_DOUBLE, left, 0, line, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&s[0], 1, MPI_DOUBLE, left, 0, &r[1], 1, MPI_DOUBLE, right, 0, line, MPI_STATUS_IGNORE);";

/// The same without waiting.
const AT_ONCE: &str = "MPI_Irecv(&r[0], 1, MPI_DOUBLE, left, 0, line, &q[0]);
    MPI_Irecv(&r[1], 1, MPI_DOUBLE, right, 0, line, &q[1]);
    MPI_Isend(&s[1], 1, MPI_DOUBLE, right, 0, line, &q[2]);
    MPI_Isend(&s[0], 1, MPI_DOUBLE, left, 0, line, &q[3]);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);";

/// An exchange along a line, or a ring, of processes with something around it.
fn along(periodic: bool, before: &str, exchange: &str, after: &str) -> String {
    let body = format!(
        "int periodic = {}, left, right, n = argc + 4;
    double s[2] = {{x, x + 0.5}}, r[2] = {{-1, -1}}, u[12];
    MPI_Request q[4];
    MPI_Status status;
    MPI_Comm line;
    for (int i = 0; i < 12; i++) u[i] = x + i;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &line);
    MPI_Cart_shift(line, 0, 1, &left, &right);
    {before}
    {exchange}
    {after}
    printf(\"%g %g %g %d\\n\", r[0], r[1], u[0], n);
    MPI_Comm_free(&line);",
        i32::from(periodic)
    );
    edits("MPI_Request everywhere[4];", &body)
}

fn is_one_call(edits: &str) -> bool {
    edits.contains("MPI_Neighbor_")
}

#[test]
fn an_exchange_with_both_neighbours_is_one_call() {
    for exchange in [BOTH_WAYS, AT_ONCE] {
        let edit = along(false, "", exchange, "");
        assert!(
            edit.contains("MPI_Neighbor_alltoall(&s[0], 1, MPI_DOUBLE, &r[0], 1, MPI_DOUBLE, line);"),
            "{edit}"
        );
        // In a ring of two processes some MPI libraries mix up the sides, which does not matter where all get the same.
        assert!(!is_one_call(&along(true, "", exchange, "")));
        assert!(along(true, "", &exchange.replace("&s[1]", "&s[0]"), "").contains("MPI_Neighbor_allgather("));
    }
    let steps =
        format!("for (int step = 0; step < 3; step++) {{\n{BOTH_WAYS}\ns[0] += r[1]; s[1] += r[0];\n}}");
    let back = BOTH_WAYS.replace("left", "low").replace("right", "high");
    let guarded = AT_ONCE
        .replace("MPI_Irecv(&r[0]", "if (left != MPI_PROC_NULL) MPI_Irecv(&r[0]")
        .replace("MPI_Isend(&s[1]", "if (MPI_PROC_NULL != right) { MPI_Isend(&s[1]")
        .replace("&q[2]);", "&q[2]); }");
    for (before, exchange, after) in [
        ("", steps.as_str(), ""),
        ("int low, high; MPI_Cart_shift(line, 0, -1, &high, &low);", &back, ""),
        ("", BOTH_WAYS, "printf(\"%d %d\\n\", left, right);"),
    ] {
        let edit = along(false, before, exchange, after);
        assert!(is_one_call(&edit), "{exchange}: {edit}");
    }
    let counted = guarded.replace("&q[0]", "&w[k++]").replace("&q[1]", "&w[k++]");
    let counted = counted.replace("&q[2]", "&w[k++]").replace("&q[3]", "&w[k++]").replace("(4, q", "(k, w");
    assert!(is_one_call(&along(false, "int k = 0; MPI_Request w[4];", &counted, "")));
    assert!(!is_one_call(&along(false, "int k = 0; MPI_Request w[4];", &counted, "printf(\"%d\\n\", k);")));
}

#[test]
fn lengths_that_are_not_numbers_are_compared() {
    let wide = |left: &str, right: &str| {
        let to_right = format!("u + n - {right}, 2");
        let to_left = format!("u + {left}, 2");
        let exchange = BOTH_WAYS.replace("&s[1], 1", &to_right).replace("&r[0], 1", "u, 2");
        along(false, "", &exchange.replace("&s[0], 1", &to_left).replace("&r[1], 1", "&u[n], 2"), "")
    };
    assert!(wide("2", "2").contains("const int send_at[2] = {2, n - 2};"));
    // What has come from the left goes back.
    assert_eq!(wide("1", "2"), "");
    let by_rank = BOTH_WAYS.replace(", 1, MPI_DOUBLE", ", 1 + rank % 2, MPI_DOUBLE");
    let by_rank = by_rank.replace("&s[1]", "&u[4]").replace("&r[0]", "&u[0]").replace("&s[0]", "&u[6]");
    assert!(!is_one_call(&along(false, "", &by_rank.replace("&r[1]", "&u[8]"), "")));
    let longer = BOTH_WAYS.replace("&r[0], 1", "u, 2");
    assert!(!is_one_call(&along(false, "", &longer, "")));
}

#[test]
fn neighbours_that_may_be_others_are_left_alone() {
    for before in [
        "if (rank == 1) left = MPI_PROC_NULL;",
        "MPI_Cart_shift(line, 0, 2, &left, &right);",
        "int *p = &left; *p = MPI_PROC_NULL;",
        "left = (rank + np - 1) % np; right = (rank + 1) % np;",
        "line = MPI_COMM_WORLD;",
    ] {
        let edit = along(false, before, BOTH_WAYS, "");
        assert!(!is_one_call(&edit), "{before}: {edit}");
    }
    let other = BOTH_WAYS.replace("left", "low").replace("right", "high");
    let before = "int low = MPI_PROC_NULL, high = MPI_PROC_NULL;
    if (rank > 0 || np < 3) MPI_Cart_shift(line, 0, 1, &low, &high);";
    assert!(!is_one_call(&along(false, before, &other, "")));
    // The program makes but one grid, so it is that one under another name, unless it is not the only one.
    let by_twin = BOTH_WAYS.replace("line", "twin");
    assert!(is_one_call(&along(false, "MPI_Comm twin = line;", &by_twin, "")));
    for before in [
        "MPI_Comm twin = line, other; MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &other);
    MPI_Comm_free(&other);",
        "MPI_Comm twin = MPI_COMM_WORLD;",
    ] {
        let edit = along(false, before, &by_twin, "");
        assert!(!is_one_call(&edit), "{before}: {edit}");
    }
    let copied = along(false, "MPI_Comm twin; MPI_Comm_dup(line, &twin);", &by_twin, "MPI_Comm_free(&twin);");
    assert!(!is_one_call(&copied), "{copied}");
}

#[test]
fn neighbours_in_a_graph_are_those_of_its_lists() {
    let around = |before: &str, sends: [&str; 2], lists: &str| {
        edits(
            "",
            &format!(
                "const int left = (rank + np - 1) % np, right = (rank + 1) % np;
    int {lists}, r[2], s[2] = {{rank, 10 * rank}};
    MPI_Request q[4];
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    {before}
    MPI_Irecv(&r[0], 1, MPI_INT, left, 0, ring, &q[0]);
    MPI_Irecv(&r[1], 1, MPI_INT, right, 0, ring, &q[1]);
    {}
    {}
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    printf(\"%d %d\\n\", r[0], r[1]);
    MPI_Comm_free(&ring);",
                sends[0], sends[1]
            ),
        )
    };
    let to_right = "MPI_Isend(&s[0], 1, MPI_INT, right, 0, ring, &q[2]);";
    let to_left = "MPI_Isend(&s[1], 1, MPI_INT, left, 0, ring, &q[3]);";
    let lists = "from[2] = {left, right}, to[2] = {right, left}";
    assert!(around("", [to_right, to_left], lists).contains("MPI_Neighbor_alltoall(&s[0], 1, MPI_INT"));
    // Two processes take the first message for the other one.
    assert!(!is_one_call(&around("", [to_left, to_right], lists)));
    for lists in [
        "from[2] = {left, right}, to[2] = {left, right}",
        "from[2] = {left, right}, to[3] = {right, left, rank}",
        "from[2], to[2] = {right, left}; from[0] = left; from[1] = right; int more",
    ] {
        assert!(!is_one_call(&around("", [to_right, to_left], lists)), "{lists}");
    }
    assert!(!is_one_call(&around("to[0] = rank;", [to_right, to_left], lists)));
}

#[test]
fn exchanges_of_some_processes_or_with_more_in_them_are_left_alone() {
    let guarded = format!("if (rank > 0) {{\n{BOTH_WAYS}\n}}");
    let wild = BOTH_WAYS.replace("left, 0, line", "left, MPI_ANY_TAG, line");
    let into_one = BOTH_WAYS.replace("&r[1]", "&r[0]");
    let told = BOTH_WAYS.replacen("MPI_STATUS_IGNORE", "&status", 1);
    let half = BOTH_WAYS.lines().next().unwrap_or_default();
    let by_one_tag = "MPI_Irecv(&r[0], 1, MPI_DOUBLE, left, 0, line, &q[0]);
    MPI_Irecv(&r[1], 1, MPI_DOUBLE, right, 0, line, &q[1]);
    MPI_Isend(&s[0], 1, MPI_DOUBLE, left, 0, line, &q[2]);
    MPI_Isend(&s[1], 1, MPI_DOUBLE, right, 0, line, &q[3]);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);";
    let global = AT_ONCE.replace("q[", "everywhere[").replace("(4, q", "(4, everywhere");
    let look = "printf(\"%d\\n\", status.MPI_SOURCE);";
    for (exchange, after) in [
        (guarded.as_str(), ""),
        (&wild, ""),
        (&into_one, ""),
        (&told, look),
        (half, ""),
        (&global, ""),
        (AT_ONCE, "MPI_Waitall(4, q, MPI_STATUSES_IGNORE);"),
        (AT_ONCE, "if (q[0] == MPI_REQUEST_NULL) printf(\"done\\n\");"),
    ] {
        let edit = along(false, "", exchange, after);
        assert!(!is_one_call(&edit), "{exchange} {after}: {edit}");
    }
    assert!(is_one_call(&along(false, "", by_one_tag, "")));
    let behind = BOTH_WAYS
        .replace("&s[1], 1", "a + 1, 1")
        .replace("&r[0], 1", "b, 1")
        .replace("&s[0], 1", "a + 2, 1")
        .replace("&r[1], 1", "b + 3, 1");
    assert!(!is_one_call(&along(false, "double *a = u, *b = u + argc;", &behind, "")));
}

/// Elements that a list names, and several arrays, are packed right before the call that sends them: what else is done with the list, the
/// counter and the indices keeps the loop.
#[test]
fn what_is_packed_by_a_list_or_a_counter_is_needed_otherwise() {
    let listed = |types: &str, before: &str, element: &str, after: &str| {
        edits(
            "",
            &format!(
                "{types} double a[20] = {{rank}}, packed[4]; {before}
    if (rank > 0) {{
        for (int i = 0; i < 4; i++)
            packed[i] = {element};
        MPI_Send(packed, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }}
    if (rank == 0)
        for (int p = 1; p < np; p++) {{
            double got[4];
            MPI_Recv(got, 4, MPI_DOUBLE, p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf(\"%g %g\\n\", got[0], got[3]);
        }}
    {after}
    printf(\"%g\\n\", a[x % 20]);"
            ),
        )
    };
    let list = "int at[4] = {3, 1, 4, 15};";
    assert!(listed(list, "", "a[at[i]]", "").contains("MPI_Type_create_indexed_block(4, 1, at, MPI_DOUBLE"));
    assert_eq!(listed(list, "", "a[at[i]]", "printf(\"%g\\n\", packed[2]);"), "");
    assert_eq!(listed(list, "", "a[at[at[i] % 4]]", ""), "");
    assert_eq!(listed(list, "", "a[at[i]++]", ""), "");
    assert_eq!(listed(list, "", "a[at[i] % 4]", ""), "");
    assert_eq!(listed("unsigned at[4] = {3, 1, 4, 15};", "", "a[at[i]]", ""), "");
    assert_eq!(listed(list, "double *p = packed;", "a[at[i]]", "printf(\"%g\\n\", p[0]);"), "");

    let joined = |before: &str, parts: &str, call: &str, after: &str| {
        edits(
            "",
            &format!(
                "double a[3] = {{rank}}, b[2] = {{np}}, packed[6]; int k = 0; {before}
    if (rank > 0) {{
        k = 0;
        {parts}
        {call}
    }}
    if (rank == 0)
        for (int p = 1; p < np; p++) {{
            double got[5];
            MPI_Recv(got, 5, MPI_DOUBLE, p, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf(\"%g %g\\n\", got[0], got[4]);
        }}
    {after}
    printf(\"%g %g %d\\n\", a[0], b[0], x);"
            ),
        )
    };
    let both = "for (int i = 0; i < 3; i++) packed[k++] = a[i];
        for (int i = 0; i < 2; i++) packed[k++] = b[i];";
    let send = "MPI_Send(packed, k, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);";
    assert!(joined("", both, send, "").contains("MPI_Type_create_hindexed(2, packed_lengths"));
    assert_eq!(joined("", both, send, "printf(\"%d\\n\", k);"), "");
    assert_eq!(joined("", both, &send.replace("0, 0,", "0, k,"), ""), "");
    assert_eq!(joined("", both, &send.replace("k,", "k - 1,"), ""), "");
    assert_eq!(joined("", &both.replace("i < 2", "i < x"), send, ""), "");
    assert_eq!(joined("double *p = packed;", both, send, "printf(\"%g\\n\", p[0]);"), "");
    assert_eq!(joined("", &format!("{both} packed[k++] = k;"), send, ""), "");
    assert_eq!(joined("", &format!("{both} k--;"), send, ""), "");
}
