//! Messages that are handed over in partitions.

use crate::{decided, given_up, said};

#[test]
fn a_message_is_handed_over_in_partitions() {
    let passed = |ready: &str, receive: &str| {
        format!(
            "MPI_Request in, out;\n\
             if (rank > 0) {{ {receive} }}\n\
             if (rank < np - 1) {{ MPI_Psend_init(a, 4, 2, MPI_INT, rank + 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &out);\n\
             MPI_Start(&out); {ready} MPI_Wait(&out, MPI_STATUS_IGNORE); }}\n\
             if (rank > 0) MPI_Wait(&in, MPI_STATUS_IGNORE);"
        )
    };
    let receive =
        "MPI_Precv_init(b, 4, 2, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &in); MPI_Start(&in);";
    for ready in [
        "for (int i = 0; i < 4; i++) MPI_Pready(i, out);",
        "for (int i = 3; i >= 0; i--) MPI_Pready(i, out);",
        "MPI_Pready_range(0, 3, out);",
        "MPI_Pready(3, out); MPI_Pready_range(0, 2, out);",
    ] {
        decided(&passed(ready, receive), "np - 1");
    }
    given_up(
        &passed("for (int i = 0; i < 3; i++) MPI_Pready(i, out);", receive),
        "it is not known whether all partitions of this message are ready before it is waited for",
    );
    // It meets no message that is not handed over so.
    let ordinary = "MPI_Irecv(b, 8, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, &in);";
    assert!(said(&passed("MPI_Pready_range(0, 3, out);", ordinary)).is_err());
}

#[test]
fn operations_made_in_loops_meet_in_their_order() {
    let rounds = |begin: &str, start: &str| {
        format!(
            "MPI_Request in[3], out[3]; int sends = rank < np - 1, takes = rank > 0;\n\
             for (int k = 0; k < 3; k++) {{\n\
             if (takes) MPI_Precv_init(b, 2, 2, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &in[k]);\n\
             if (sends) MPI_Psend_init(a, 2, 2, MPI_INT, rank + 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &out[k]);\n\
             {begin}\n\
             if (takes) MPI_Start(&in[{start}]);\n\
             if (sends) {{ MPI_Start(&out[{start}]); MPI_Pready_range(0, 1, out[{start}]); MPI_Wait(&out[{start}], MPI_STATUS_IGNORE); }}\n\
             if (takes) MPI_Wait(&in[{start}], MPI_STATUS_IGNORE); }}"
        )
    };
    let next_loop = "}\nfor (int k = 0; k < 3; k++) {";
    decided(&rounds("", "k"), "3np - 3");
    decided(&rounds(next_loop, "k"), "3np - 3");
    let reason = "it is not known which partitioned operations meet each other";
    // The last one first.
    given_up(&rounds(next_loop, "2 - k"), reason);
    // Only the first one.
    given_up(&rounds("if (k > 0) continue;", "k"), reason);
}
