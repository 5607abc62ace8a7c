/* A broadcast by doubling from the last rank: the places in the tree are counted from it on, around. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: there are no more than 1073741824 processes
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 3 to 1
 *     receivers [1..1] for np >= 3 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] for np >= 4 to 2
 *     receivers [2..2] for np >= 4 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 5 to 3
 *     receivers [3..3] for np >= 5 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 9 to 7
 *     receivers [7..7] for np >= 9 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 17 to 15
 *     receivers [15..15] for np >= 17 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 33 to 31
 *     receivers [31..31] for np >= 33 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 65 to 63
 *     receivers [63..63] for np >= 65 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 129 to 127
 *     receivers [127..127] for np >= 129 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 257 to 255
 *     receivers [255..255] for np >= 257 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 513 to 511
 *     receivers [511..511] for np >= 513 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 1025 to 1023
 *     receivers [1023..1023] for np >= 1025 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2049 to 2047
 *     receivers [2047..2047] for np >= 2049 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 4097 to 4095
 *     receivers [4095..4095] for np >= 4097 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 8193 to 8191
 *     receivers [8191..8191] for np >= 8193 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 16385 to 16383
 *     receivers [16383..16383] for np >= 16385 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 32769 to 32767
 *     receivers [32767..32767] for np >= 32769 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 65537 to 65535
 *     receivers [65535..65535] for np >= 65537 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 131073 to 131071
 *     receivers [131071..131071] for np >= 131073 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 262145 to 262143
 *     receivers [262143..262143] for np >= 262145 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 524289 to 524287
 *     receivers [524287..524287] for np >= 524289 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 1048577 to 1048575
 *     receivers [1048575..1048575] for np >= 1048577 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 2097153 to 2097151
 *     receivers [2097151..2097151] for np >= 2097153 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 4194305 to 4194303
 *     receivers [4194303..4194303] for np >= 4194305 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 8388609 to 8388607
 *     receivers [8388607..8388607] for np >= 8388609 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 16777217 to 16777215
 *     receivers [16777215..16777215] for np >= 16777217 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 33554433 to 33554431
 *     receivers [33554431..33554431] for np >= 33554433 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 67108865 to 67108863
 *     receivers [67108863..67108863] for np >= 67108865 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 134217729 to 134217727
 *     receivers [134217727..134217727] for np >= 134217729 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 268435457 to 268435455
 *     receivers [268435455..268435455] for np >= 268435457 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1073741823..np-1] for np >= 1073741824 to 536870911
 *     receivers [536870911..536870911] for np >= 1073741824 from 1073741823
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @take
 *     senders [0..m-2] for np >= 2*m + 1, m = 4, 8, 16, ..., 2^28 to rank + m
 *     receivers [m..2*m-2] for np >= 2*m + 1, m = 4, 8, 16, ..., 2^28 from rank - m
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..536870910] for np >= 1073741824 to rank + 536870912
 *     receivers [536870912..1073741822] for np >= 1073741824 from rank - 536870912
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @take
 *     senders [np-1..np-1] for np >= 536870913 to 536870911
 *     receivers [536870911..536870911] for np >= 536870913 from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @take
 *     senders [0..np-536870914] to rank + 536870912
 *     receivers [536870912..np-2] from rank - 536870912
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @take
 *     senders [0..np-m-2] for np = m + 1..2*m, m = 4, 8, 16, ..., 2^28 to rank + m
 *     receivers [m..np-2] for np = m + 1..2*m, m = 4, 8, 16, ..., 2^28 from rank - m
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    const int root = np - 1;
    x = rank == root ? 42 : -1;

    int place = (rank - root + np) % np;
    for (int have = 1; have < np; have *= 2) {
        if (place < have) {
            if (place + have < np)
                MPI_Send(&x, 1, MPI_INT, (rank + have) % np, 0, MPI_COMM_WORLD); //@ give //~ NOTE use-collective: MPI_Bcast
        } else if (place < 2 * have) {
            MPI_Recv(&x, 1, MPI_INT, (rank - have + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        }
    }
    printf("%d: %d\n", rank, x);
    MPI_Finalize();
    return 0;
}
