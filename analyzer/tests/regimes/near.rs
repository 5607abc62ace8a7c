//! Programs next to those that the symbolic analysis decides by a general argument: where the argument does not hold, it must not be used,
//! and where it does, its answer is that of an exploration.

use effort::Limits;

use super::compare::{Agreement, compare};
use super::phase::Written;

/// Work for an answer that decides, ample.
const LIMIT: Limits = Limits::of_seconds(2);
/// Work for an answer that need not, in a run of the test suite.
const SHORT_LIMIT: Limits = Limits::of_work(Limits::RATE / 2);

/// Compares the answers about a program, given by what it declares and what it does between initialising MPI and finalising it.
fn answers(functions: &str, body: &str) -> Agreement {
    answers_within(SHORT_LIMIT, functions, body)
}

fn answers_within(limit: Limits, functions: &str, body: &str) -> Agreement {
    let (some, all) = ([6, 1, 3, 4, 8], [6, 1, 2, 3, 4, 5, 7, 8, 11, 14]);
    if super::is_long() {
        answers_at(&all, LIMIT, functions, body)
    } else {
        answers_at(&some, limit, functions, body)
    }
}

/// The same for other numbers of processes.
fn answers_at(np: &[i64], limit: Limits, functions: &str, body: &str) -> Agreement {
    let text = format!(
        "#include <mpi.h>\n#include <stdlib.h>\n{functions}\nint main(int argc, char **argv)\n{{\n\
         int rank, np, x = 0;\nMPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\
         MPI_Comm_size(MPI_COMM_WORLD, &np);\n{body}\nMPI_Finalize();\nreturn 0;\n}}\n"
    );
    let written = Written::of_text(text);
    match compare(&written, np, limit) {
        Ok(agreement) => agreement,
        Err(failure) => panic!("{failure:#?}\n{}", written.text),
    }
}

fn decided(functions: &str, body: &str) {
    let agreement = answers_within(LIMIT, functions, body);
    assert!(agreement.exact, "{:?}\n{body}", agreement.reasons);
}

fn left_open(functions: &str, body: &str) {
    assert!(!answers(functions, body).exact, "{functions}\n{body}");
}

/// A ring whose messages are asked for; then what comes.
fn asked(loops: &str, after: &str) -> String {
    format!(
        "MPI_Request request, other; int in = 0, out = rank, many = 0;\n\
         MPI_Irecv(&in, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &request);\n\
         MPI_Irecv(&x, 1, MPI_INT, (rank + np - 1) % np, 1, MPI_COMM_WORLD, &other);\n\
         MPI_Send(&out, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);\n\
         MPI_Send(&out, 1, MPI_INT, (rank + 1) % np, 1, MPI_COMM_WORLD);\n\
         {loops}\n{after}"
    )
}

/// Polling in a function of its own: the rounds of its caller's loop are as many as each process needs.
#[test]
fn asking_in_a_function() {
    let done = "static int asked;\nstatic int done(MPI_Request *request)\n{\nint flag;\nasked++;\n\
                MPI_Test(request, &flag, MPI_STATUS_IGNORE);\nreturn flag;\n}\n";
    let both = "while (!done(&request)) many++;\nwhile (!done(&other)) many++;";
    decided(done, &asked(both, ""));
    let helper = "static void finish(MPI_Request *request)\n{\nwhile (!done(request)) ;\n}\n";
    decided(
        &format!("{done}{helper}"),
        &asked("finish(&request); finish(&other);", "MPI_Barrier(MPI_COMM_WORLD);"),
    );
    // How often each has asked differs.
    left_open(done, &asked(both, "if (many > 1) MPI_Barrier(MPI_COMM_WORLD);"));
    left_open(done, &asked(both, "if (asked > 2) MPI_Barrier(MPI_COMM_WORLD);"));
    let counting = "static int done(MPI_Request *request, int *times)\n{\nint flag;\n(*times)++;\n\
                    MPI_Test(request, &flag, MPI_STATUS_IGNORE);\nreturn flag;\n}\n";
    let counted = "while (!done(&request, &many)) ;\nMPI_Wait(&other, MPI_STATUS_IGNORE);";
    decided(counting, &asked(counted, ""));
    left_open(counting, &asked(counted, "if (many > 1) MPI_Barrier(MPI_COMM_WORLD);"));
    // Each asks for one of two in turn, and waits for the other one then.
    let turns = "MPI_Request both[2] = {request, other};\nint turn = 0;\n\
                 while (!done(&both[turn])) turn = 1 - turn;\nMPI_Wait(&both[1 - turn], MPI_STATUS_IGNORE);";
    left_open(done, &asked(turns, "if (turn) MPI_Barrier(MPI_COMM_WORLD);"));
    // One question decides whether the other one is asked.
    left_open(done, &asked("if (!done(&request)) { if (done(&other)) MPI_Barrier(MPI_COMM_WORLD); }", ""));
}

/// Lengths that no form says: what else depends on them is not passed over.
#[test]
fn lengths_without_a_form() {
    let master = |worker: &str, tag: &str| {
        format!(
            "double *work = calloc(400, sizeof(double));\n\
             if (rank == 0) {{\nfor (int w = 0; w < np - 1; w++) {{\n\
             int length = (w + 1) * 100 / (np - 1) - w * 100 / (np - 1);\n\
             MPI_Send(&length, 1, MPI_INT, w + 1, 0, MPI_COMM_WORLD);\n\
             MPI_Send(work, length, MPI_DOUBLE, w + 1, {tag}, MPI_COMM_WORLD);\n}}\n}} else {{\n\
             int length;\nMPI_Status status;\nMPI_Recv(&length, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
             {worker}\n}}"
        )
    };
    let receive = "MPI_Recv(work, length, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);";
    decided("", &master(receive, "1"));
    left_open(
        "",
        &master(&format!("{receive} if (length > 20) MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_SELF);"), "1"),
    );
    let counted = "int got; MPI_Get_count(&status, MPI_DOUBLE, &got); if (got == 20) MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_SELF);";
    left_open("", &master(&format!("{receive} {counted}"), "1"));
    let tagged = "MPI_Recv(work, length, MPI_DOUBLE, 0, length, MPI_COMM_WORLD, &status);";
    answers("", &master(tagged, "length"));
}

/// What rank 0 sends to those that a loop lists, and these receive.
fn listed(fill: &str, is_listed: &str) -> String {
    format!(
        "int *list = malloc((2 * np + 2) * sizeof(int)), n = 0;\n{fill}\n\
         if (rank == 0)\nfor (int k = 0; k < n; k++)\nMPI_Send(&x, 1, MPI_INT, list[k], 0, MPI_COMM_WORLD);\n\
         else if ({is_listed})\nMPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    )
}

/// Lists that a loop fills by a condition. Whether they are decided or not, the answers agree.
#[test]
fn lists_filled_by_a_condition() {
    decided("", &listed("for (int i = 1; i < np; i++) if (i % 2 == 0) list[n++] = i;", "rank % 2 == 0"));
    decided(
        "",
        &listed("for (int i = 1; i < np; i++) { if (i % 2) continue; list[n++] = i; }", "rank % 2 == 0"),
    );
    decided(
        "",
        &listed(
            "for (int i = 1; i < np; i++) { if (i % 2) x++; else { list[n] = i; n += 1; } }",
            "rank % 2 == 0",
        ),
    );
    let others = [
        ("for (int i = 1; i < np; i++) if (i % 3 == 1) list[n++] = i;", "rank % 3 == 1"),
        ("for (int i = 2; i < np; i += 2) if (i % 3 == 1) list[n++] = i;", "rank % 6 == 4"),
        (
            "for (int i = 1; i < np; i++) if (i % 2 == 0 || i == 3) list[n++] = i;",
            "rank % 2 == 0 || rank == 3",
        ),
        ("for (int i = 1; i < np; i++) { if (i % 4 == 3) break; list[n++] = i; }", "rank < 3"),
        ("for (int i = np - 1; i > 0; i--) if (i % 2) list[n++] = i;", "rank % 2"),
        (
            "for (int i = 1; i < np; i++) { if (i % 2) n += 2; else n--; } n = n > 1; list[0] = np - 1;",
            "np > 2 && rank == np - 1",
        ),
        ("for (int i = 1; i < np; i++) { list[n] = i; if (i % 2) n++; }", "rank % 2"),
        (
            "for (int i = 1; i < np; i++) { if (i % 2) list[0] = i; else list[1] = i; } n = np > 2 ? 2 : 0;",
            "np > 2 && rank >= np - 2",
        ),
        ("for (int i = 1; i < np; i++) if (i % 2 == n % 2) list[n++] = i;", "0"),
        (
            "int t = 0; for (int i = 1; i < np; i++) { if (i % 2) t = i; else list[n++] = t; }",
            "rank % 2 && rank + 1 < np",
        ),
        ("for (int r = 0; r < 2; r++) for (int i = 1; i < np; i++) if (i % 2 == r) list[n++] = i;", "1"),
    ];
    for (fill, is_listed) in others {
        answers("", &listed(fill, is_listed));
    }
}

/// Groups of listed ranks of which one is replaced.
#[test]
fn groups_in_pieces() {
    let group = |patch: &str| {
        format!(
            "int members = (np + 1) / 2, *ranks = malloc((members + 1) * sizeof(int));\nMPI_Group all, chosen;\nMPI_Comm comm;\n\
             for (int i = 0; i < members; i++)\nranks[i] = i;\n{patch}\n\
             MPI_Comm_group(MPI_COMM_WORLD, &all);\nMPI_Group_incl(all, members, ranks, &chosen);\n\
             MPI_Comm_create(MPI_COMM_WORLD, chosen, &comm);\n\
             if (comm != MPI_COMM_NULL) {{\nint own, size;\nMPI_Comm_rank(comm, &own);\nMPI_Comm_size(comm, &size);\n\
             if (own == size - 1)\nMPI_Send(&x, 1, MPI_INT, 0, 0, comm);\n\
             if (own == 0)\nMPI_Recv(&x, 1, MPI_INT, size - 1, 0, comm, MPI_STATUS_IGNORE);\n}}"
        )
    };
    decided("", &group("ranks[members - 1] = np - 1;"));
    answers("", &group("ranks[0] = np - 1;"));
    answers("", &group("if (members > 2) ranks[1] = np - 1;"));
    answers("", &group("if (members > 2) ranks[members - 2] = np - 1;"));
    // The same rank twice is an error.
    left_open("", &group("ranks[members - 1] = 0;"));
    // Nor is there a rank np.
    left_open("", &group("ranks[members - 1] = np;"));
}

/// Rank 0 takes messages of all others by waits for some of them; then what comes.
fn collected(between: &str, after: &str) -> String {
    format!(
        "if (rank == 0) {{\nint *v = malloc(2 * np * sizeof(int)), *which = malloc(2 * np * sizeof(int));\n\
         int count = 0, index = 0, left = np - 1;\nMPI_Request *r = malloc(2 * np * sizeof(MPI_Request));\n\
         for (int i = 0; i < np - 1; i++)\nMPI_Irecv(&v[i], 1, MPI_INT, i + 1, 7, MPI_COMM_WORLD, &r[i]);\n\
         {between}\n{after}\n}} else {{\nMPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);\n}}"
    )
}

/// Waits for some of a range of receives: how many are left is known, which ones is not.
#[test]
fn some_of_many() {
    let some = "while (left > 0) {\nMPI_Waitsome(np - 1, r, &count, which, MPI_STATUSES_IGNORE);\n\
                if (count == MPI_UNDEFINED) break;\nleft -= count;\n}";
    let any = "for (;;) {\nMPI_Waitany(np - 1, r, &index, MPI_STATUS_IGNORE);\n\
               if (index == MPI_UNDEFINED) break;\nleft--;\nx += v[index];\n}";
    let hello = |condition: &str| format!("if ({condition}) MPI_Send(&x, 1, MPI_INT, 0, 8, MPI_COMM_SELF);");
    let tested = "while (left > 0) {\nMPI_Testsome(np - 1, r, &count, which, MPI_STATUSES_IGNORE);\n\
                  if (count != MPI_UNDEFINED) left -= count;\n}";
    for way in [some, any, tested] {
        let right = collected("", &format!("{way}\n{}", hello("left != 0")));
        if way == some {
            decided("", &right);
        } else {
            // With few processes, or where it is asked again and again, it may be open.
            answers("", &right);
        }
        // A handle that the program makes null itself, or waits for, is one less.
        for less in [
            "r[0] = MPI_REQUEST_NULL;",
            "void *p = r; *(void **)p = (void *)MPI_REQUEST_NULL;",
            "if (np > 2) MPI_Wait(&r[1], MPI_STATUS_IGNORE);",
        ] {
            if way != tested {
                left_open("", &collected(less, &format!("{way}\n{}", hello("np > 2 && left == 0"))));
            }
        }
    }
    // Who is first, and how many there are at once, differs from run to run.
    let first = "MPI_Waitany(np - 1, r, &index, MPI_STATUS_IGNORE);";
    let wait = "MPI_Waitall(np - 1, r, MPI_STATUSES_IGNORE);";
    left_open("", &collected(first, &format!("{wait}\n{}", hello("np > 2 && index == 0"))));
    left_open(
        "",
        &collected(
            first,
            &format!("{wait}\nif (np > 2) MPI_Send(&x, 1, MPI_INT, index + 1, 8, MPI_COMM_WORLD);"),
        ),
    );
}

/// A mesh of three columns, of which the last row may not be full: what its processes know.
const MESH: &str = "int row = rank / 3, column = rank % 3;\n\
                    int left = column > 0 ? rank - 1 : MPI_PROC_NULL, above = row > 0 ? rank - 3 : MPI_PROC_NULL;\n\
                    int right = column < 2 && rank + 1 < np ? rank + 1 : MPI_PROC_NULL;\n\
                    int below = rank + 3 < np ? rank + 3 : MPI_PROC_NULL;\n";

fn receive(source: &str) -> String {
    format!("MPI_Recv(&x, 1, MPI_INT, {source}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n")
}

fn send(dest: &str) -> String {
    format!("MPI_Send(&x, 1, MPI_INT, {dest}, 0, MPI_COMM_WORLD);\n")
}

/// Sweeps over a mesh, in which all wait for those before them: where somebody waits for one after it, or all meet on the way, they wait
/// for ever.
#[test]
fn sweeps() {
    let forwards = [receive("left"), receive("above"), send("right"), send("below")].concat();
    let back = [receive("right"), receive("below"), send("left"), send("above")].concat();
    decided("", &format!("{MESH}{forwards}"));
    decided("", &format!("{MESH}{forwards}{back}"));
    decided("", &format!("{MESH}{forwards}MPI_Barrier(MPI_COMM_WORLD);\n{back}"));
    decided("", &format!("{MESH}for (int k = 0; k < 4; k++) {{\n{forwards}}}\n"));
    let late = [send("left"), send("above"), receive("right"), receive("below")].concat();
    let from_last = format!("if (rank == 0 && np > 1) {{\n{}}}\n", receive("np - 1"));
    let to_first = format!("if (rank == np - 1 && np > 1) {{\n{}}}\n", send("0"));
    for hangs in [
        // Each waits for both sides.
        format!("{MESH}{}{}{}{late}", receive("left"), receive("right"), send("right")),
        // The first waits for the last.
        format!("{MESH}{from_last}{forwards}{to_first}"),
        // All meet between the two halves of the first sweep.
        format!("{MESH}{}MPI_Barrier(MPI_COMM_WORLD);\n{}", receive("left"), send("right")),
        // What is sent is not buffered.
        format!("{MESH}{}", forwards.replace("MPI_Send", "MPI_Ssend"))
            + &late.replace("MPI_Send", "MPI_Ssend"),
        // Some send nothing on.
        format!(
            "{MESH}{}{}if (rank != 4) {{\n{}}}\n",
            receive("left"),
            receive("above"),
            send("right") + &send("below")
        ),
    ] {
        answers("", &hangs);
    }
    decided("", &format!("{MESH}{forwards}{to_first}{from_last}"));
}

/// Trees in which a rank is multiplied and divided.
#[test]
fn heaps() {
    let child = |c: i64| {
        let child = format!("2 * rank + {c}");
        [
            format!("if ({child} < np) {{\n{}}}\n", send(&child)),
            format!("if ({child} < np) {{\n{}}}\n", receive(&child)),
        ]
    };
    let ([to_left, from_left], [to_right, from_right]) = (child(1), child(2));
    let (from_parent, to_parent) = (receive("(rank - 1) / 2"), send("(rank - 1) / 2"));
    let parent = format!("if (rank > 0) {{\n{from_parent}}}\n");
    decided("", &format!("{parent}{to_left}{to_right}"));
    answers("", &format!("{from_left}{from_right}if (rank > 0) {{\n{to_parent}}}\n"));
    // The second child is told by nobody.
    answers("", &format!("{parent}{to_left}"));
    answers("", &format!("{parent}{}", to_left.replace("+ 1", "+ 3")));
}

/// Who is in a group of every other rank, where a rank is a number that nobody wrote down.
#[test]
fn every_other_rank_after_rounds() {
    let rounds = "MPI_Request q[64]; int in[64];\n\
                  for (int i = 0; i < np; i++) MPI_Irecv(&in[(rank + i) % np], 1, MPI_INT, (rank + i) % np, 0, MPI_COMM_WORLD, &q[i]);\n\
                  for (int i = 0; i < np; i++) MPI_Send(&x, 1, MPI_INT, (rank + i) % np, 0, MPI_COMM_WORLD);\n\
                  MPI_Waitall(np, q, MPI_STATUSES_IGNORE);\n";
    let group = "int list[64]; MPI_Group all, some; MPI_Comm part;\n\
                 for (int k = 0; k < (np + 1) / 2; k++) list[k] = 2 * k;\n\
                 MPI_Comm_group(MPI_COMM_WORLD, &all); MPI_Group_incl(all, (np + 1) / 2, list, &some);\n\
                 MPI_Comm_create(MPI_COMM_WORLD, some, &part);\n\
                 if (part != MPI_COMM_NULL) {\nint r, n; MPI_Comm_rank(part, &r); MPI_Comm_size(part, &n);\n\
                 if (r == 0) for (int i = 1; i < n; i++) MPI_Send(&x, 1, MPI_INT, i, 1, part);\n\
                 else MPI_Recv(&x, 1, MPI_INT, 0, 1, part, MPI_STATUS_IGNORE);\n}\n";
    answers("", &format!("{rounds}{group}"));
}

/// Who waits for what, where a loop computes it from the number of processes: one of its outcomes is there, not each.
#[test]
fn hang_after_a_computed_distance() {
    let leaves = "if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);\n";
    let rounds = "int d = 1;\nwhile (2 * d < np) d *= 2;\n\
                  for (; d >= 1 && d < np; d /= 2)\n\
                  if (rank < d && rank + d < np) MPI_Recv(&x, 1, MPI_INT, rank + d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n";
    answers("", &format!("{leaves}{rounds}"));
}

/// A list whose numbers are not known to the engine for few processes, only for more: it hangs for all.
#[test]
fn hang_at_few_and_at_many() {
    let halves = "MPI_Comm part; MPI_Comm_split(MPI_COMM_WORLD, rank < np / 2, rank, &part);\n\
                  int r, n; MPI_Comm_rank(part, &r); MPI_Comm_size(part, &n);\n\
                  if (r == 0) for (int i = 1; i < n; i++) MPI_Send(&x, 1, MPI_INT, i, 0, part);\n\
                  else MPI_Recv(&x, 1, MPI_INT, 0, 0, part, MPI_STATUS_IGNORE);\n";
    let listed = "if (rank == 0) {\nint *list = malloc(np * sizeof(int));\n\
                  for (int k = 1; k < np; k++) list[k - 1] = k;\n\
                  for (int i = 1; i < np; i++) MPI_Recv(&x, 1, MPI_INT, list[i - 1], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    answers("", &format!("{halves}{listed}"));
}

/// What hangs with buffers as well is no send that relies on them, though it is seen sooner without.
#[test]
fn hang_after_many_orders() {
    let told = "for (int t = 0; t < 45; t++) {\n\
                if (rank == 0) for (int i = 1; i < np; i++) MPI_Send(&x, 1, MPI_INT, i, 50, MPI_COMM_WORLD);\n\
                else MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    let mirror = "if (rank != 0) MPI_Recv(&x, 1, MPI_INT, np - 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
                  MPI_Send(&x, 1, MPI_INT, np - 1 - rank, 0, MPI_COMM_WORLD);\n\
                  if (rank == 0) MPI_Recv(&x, 1, MPI_INT, np - 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n";
    answers("", &format!("{told}{mirror}"));
}

/// Rows and columns of a mesh whose height is given, whatever the order of the keys.
#[test]
fn splits_of_a_given_height() {
    let mesh = "int p = atoi(argv[1]);\nif (p < 1 || np % p) MPI_Abort(MPI_COMM_WORLD, 1);\n\
                int q = np / p, r; MPI_Comm part;\n";
    let told = "MPI_Comm_rank(part, &r);\nif (r == 0) x = 1;\nMPI_Bcast(&x, 1, MPI_INT, 0, part);\nMPI_Comm_free(&part);\n";
    for (colour, key) in [("rank / q", "rank"), ("rank % q", "-rank"), ("rank % p", "rank / p")] {
        decided("", &format!("{mesh}MPI_Comm_split(MPI_COMM_WORLD, {colour}, {key}, &part);\n{told}"));
    }
}

/// A root told by the number of processes stays that where the numbers of processes are told apart before.
#[test]
fn root_after_all_to_all() {
    let all = "MPI_Request q[64], p[64]; int in[64];\n\
               for (int i = 0; i < np; i++) MPI_Isend(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &q[i]);\n\
               for (int i = 0; i < np; i++) MPI_Irecv(&in[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &p[i]);\n\
               MPI_Waitall(np, p, MPI_STATUSES_IGNORE);\nMPI_Waitall(np, q, MPI_STATUSES_IGNORE);\n";
    decided("", &format!("{all}MPI_Bcast(&x, 1, MPI_INT, np - 1, MPI_COMM_WORLD);\n"));
}

/// Binomial trees by the bits of the rank, where some bit is looked at by another number, or not at all.
#[test]
fn binomial_trees() {
    let power = "if (np & (np - 1)) MPI_Abort(MPI_COMM_WORLD, 1);\n";
    let tree = |condition: &str, to: &str, from: &str| {
        format!(
            "{power}for (int mask = 1; mask < np; mask <<= 1) {{\nif ({condition}) {{\n\
             MPI_Send(&x, 1, MPI_INT, {to}, 0, MPI_COMM_WORLD);\nbreak;\n}}\n\
             MPI_Recv(&x, 1, MPI_INT, {from}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}}\n"
        )
    };
    decided("", &tree("rank & mask", "rank - mask", "rank + mask"));
    decided("", &tree("rank / mask % 2", "rank - mask", "rank + mask"));
    answers("", &tree("rank & mask", "rank - 1", "rank + mask"));
    answers("", &tree("rank & mask", "rank - mask", "rank + 1"));
    answers("", &tree("rank & 1", "rank - mask", "rank + mask"));
    answers("", &tree("(rank & mask) == 0", "rank + mask", "rank - mask"));
    answers("", &tree("rank & mask", "0", "rank + mask"));
    let after = "if (rank % 4 == 0 && rank + 4 < np) MPI_Send(&x, 1, MPI_INT, rank + 4, 1, MPI_COMM_WORLD);\n\
                 if (rank % 4 == 0 && rank > 0) MPI_Recv(&x, 1, MPI_INT, rank - 4, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n";
    answers("", &format!("{}{after}", tree("rank & mask", "rank - mask", "rank + mask")));
}

/// What is exchanged for an even number of processes only is told so, on whatever path that is known as a sum of numbers alone.
#[test]
fn parity_after_steps_and_lists() {
    let steps = "int steps = atoi(argv[1]);\nfor (int t = 0; t < steps; t++) {\n\
                 if (rank == 0) MPI_Send(&x, 1, MPI_INT, np - 1, 0, MPI_COMM_WORLD);\n\
                 if (rank == np - 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    let even = "if (np % 2 == 0) {\nMPI_Send(&x, 1, MPI_INT, (rank + 2) % np, 0, MPI_COMM_WORLD);\n\
                MPI_Recv(&x, 1, MPI_INT, (rank - 2 + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    let listed = "if (rank == 0) {\nint *list = malloc(np * sizeof(int));\n\
                  for (int k = np - 1; k >= 1; k--) list[k - 1] = k;\n\
                  for (int i = 1; i < np; i++) {\nMPI_Send(&x, 1, MPI_INT, list[i - 1], 0, MPI_COMM_WORLD);\n\
                  MPI_Recv(&x, 1, MPI_INT, list[i - 1], 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n\
                  } else {\nMPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
                  MPI_Send(&x, 1, MPI_INT, 0, 10, MPI_COMM_WORLD);\n}\n";
    decided("", &format!("{steps}{even}{listed}"));
}

/// Partners that mix the digits of the rank: those that permute the ranks, and others that only look like it.
#[test]
fn mixed_digits() {
    let answers = |body: &str| answers_at(&[1, 4, 9, 16], LIMIT, "#include <math.h>", body);
    let decided = |body: &str| {
        let agreement = answers(body);
        assert!(agreement.exact, "{:?}\n{body}", agreement.reasons);
    };
    let exchange = |to: &str, from: &str, between: &str, after: &str| {
        format!(
            "int q = (int)sqrt(np);\nif (q * q != np) MPI_Abort(MPI_COMM_WORLD, 1);\n\
             int row = rank / q, column = rank % q, y = 0;\nint to = {to}, from = {from};\n{between}\n\
             MPI_Sendrecv(&x, 1, MPI_INT, to, 0, &y, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n{after}"
        )
    };
    let (left, right) = ("row * q + (column - row + q) % q", "row * q + (column + row) % q");
    let (up, down) = ("(row - column + q) % q * q + column", "(row + column) % q * q + column");
    for (to, from) in [(left, right), (right, left), (up, down), (down, up)] {
        decided(&exchange(to, from, "", ""));
    }
    // Each is its own inverse here.
    let mirrored = "row * q + (q - 1 - column + row) % q";
    decided(&exchange(mirrored, mirrored, "", ""));
    // What comes is not what was sent, and nobody knows what a sum of ranks is.
    decided(&exchange(left, right, "x = rank;", "if (y == rank) x++;"));
    // Not the inverse; no permutation; some of the ranks only; a loop in which the distance grows.
    answers(&exchange(left, left, "", ""));
    answers(&exchange("row * q + (column * row) % q", right, "", ""));
    answers(&exchange(left, right, "if (row == 0) { to = from = MPI_PROC_NULL; }", ""));
    answers(&exchange(left, right, "if (column == 0) { to = rank; from = rank; }", ""));
    let growing = "for (int k = 0; k < q; k++) { to = row * q + (column - k * row % q + q) % q; from = row * q + (column + k * row % q) % q; \
                   MPI_Sendrecv(&x, 1, MPI_INT, to, 1, &y, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    answers(&exchange(left, right, growing, ""));
    // What is received decides what happens.
    answers(&exchange(left, right, "x = rank;", "if (y > rank) MPI_Barrier(MPI_COMM_SELF);"));
    answers(&exchange(left, right, "x = rank;", "if (y > rank) MPI_Barrier(MPI_COMM_WORLD);"));
    // One after another on one tag: the messages of each pair stay in order.
    decided(&exchange(
        left,
        right,
        "",
        &format!(
            "to = {up}; from = {down};\nMPI_Sendrecv(&x, 1, MPI_INT, to, 0, &y, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        ),
    ));
    answers(&exchange(
        left,
        right,
        "MPI_Request r[2]; MPI_Isend(&x, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &r[0]); MPI_Irecv(&x, 1, MPI_INT, from, 0, MPI_COMM_WORLD, &r[1]);",
        "MPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
    ));
    // Sends of one kind and receives of another.
    answers(&exchange(left, down, "", ""));
}

/// Some processes stand alone, others in a set of every other one: together they are all that a collective waits for.
#[test]
fn all_in_different_digits() {
    let group = "int *list = malloc(np * sizeof(int));\nfor (int k = 0; k < (np + 1) / 2; k++) list[k] = 2 * k;\n\
                 MPI_Group all, some; MPI_Comm part, copy;\nMPI_Comm_group(MPI_COMM_WORLD, &all);\n\
                 MPI_Group_incl(all, (np + 1) / 2, list, &some);\nMPI_Comm_create(MPI_COMM_WORLD, some, &part);\n";
    let rounds = "if (part != MPI_COMM_NULL) {\nint me, n; MPI_Comm_rank(part, &me); MPI_Comm_size(part, &n);\n\
                  for (int d = 1; d < n; d *= 2) {\nMPI_Send(&x, 1, MPI_INT, (me + d) % n, 0, part);\n\
                  MPI_Recv(&x, 1, MPI_INT, (me - d + n) % n, 0, part, MPI_STATUS_IGNORE);\n}\n}\n";
    let lines = "if (rank + 1 < np) MPI_Send(&x, 1, MPI_INT, rank + 1, 0, copy);\n\
                 if (rank > 0) MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, copy, MPI_STATUS_IGNORE);";
    answers("", &format!("{group}{rounds}MPI_Comm_dup(MPI_COMM_WORLD, &copy);\n{lines}"));
    let alone = "MPI_Comm first; MPI_Comm_split(MPI_COMM_WORLD, rank < 1, rank, &first);\n\
                 int my, all_of; MPI_Comm_rank(first, &my); MPI_Comm_size(first, &all_of);\n\
                 int to = (my + all_of - 1) % all_of, from = (my + 1) % all_of, y;\n\
                 MPI_Sendrecv(&x, 1, MPI_INT, to, 0, &y, 1, MPI_INT, from, 0, first, MPI_STATUS_IGNORE);\n\
                 MPI_Comm_free(&first);\n";
    answers("", &format!("{alone}{group}{rounds}MPI_Comm_dup(MPI_COMM_WORLD, &copy);\n{lines}"));
}
