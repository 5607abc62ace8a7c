/* All to all by Bruck's algorithm: in each of about log2(np) rounds a process gives the blocks whose number has a bit set to the process that far up, counted around. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: there are no more than 1073741824 processes
 *   lengths: not proved, line +23: whether the buffer of MPI_Sendrecv is long enough is not known: it has 4*np bytes
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 2 to (rank + 1) % np
 *     receivers [0..np-1] for np >= 2 from (rank - 1 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 3 to (rank + 2) % np
 *     receivers [0..np-1] for np >= 3 from (rank - 2 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 5 to (rank + 4) % np
 *     receivers [0..np-1] for np >= 5 from (rank - 4 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 9 to (rank + 8) % np
 *     receivers [0..np-1] for np >= 9 from (rank - 8 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 17 to (rank + 16) % np
 *     receivers [0..np-1] for np >= 17 from (rank - 16 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 33 to (rank + 32) % np
 *     receivers [0..np-1] for np >= 33 from (rank - 32 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 65 to (rank + 64) % np
 *     receivers [0..np-1] for np >= 65 from (rank - 64 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 129 to (rank + 128) % np
 *     receivers [0..np-1] for np >= 129 from (rank - 128 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 257 to (rank + 256) % np
 *     receivers [0..np-1] for np >= 257 from (rank - 256 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 513 to (rank + 512) % np
 *     receivers [0..np-1] for np >= 513 from (rank - 512 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 1025 to (rank + 1024) % np
 *     receivers [0..np-1] for np >= 1025 from (rank - 1024 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 2049 to (rank + 2048) % np
 *     receivers [0..np-1] for np >= 2049 from (rank - 2048 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 4097 to (rank + 4096) % np
 *     receivers [0..np-1] for np >= 4097 from (rank - 4096 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 8193 to (rank + 8192) % np
 *     receivers [0..np-1] for np >= 8193 from (rank - 8192 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 16385 to (rank + 16384) % np
 *     receivers [0..np-1] for np >= 16385 from (rank - 16384 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 32769 to (rank + 32768) % np
 *     receivers [0..np-1] for np >= 32769 from (rank - 32768 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 65537 to (rank + 65536) % np
 *     receivers [0..np-1] for np >= 65537 from (rank - 65536 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 131073 to (rank + 131072) % np
 *     receivers [0..np-1] for np >= 131073 from (rank - 131072 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 262145 to (rank + 262144) % np
 *     receivers [0..np-1] for np >= 262145 from (rank - 262144 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 524289 to (rank + 524288) % np
 *     receivers [0..np-1] for np >= 524289 from (rank - 524288 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 1048577 to (rank + 1048576) % np
 *     receivers [0..np-1] for np >= 1048577 from (rank - 1048576 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 2097153 to (rank + 2097152) % np
 *     receivers [0..np-1] for np >= 2097153 from (rank - 2097152 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 4194305 to (rank + 4194304) % np
 *     receivers [0..np-1] for np >= 4194305 from (rank - 4194304 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 8388609 to (rank + 8388608) % np
 *     receivers [0..np-1] for np >= 8388609 from (rank - 8388608 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 16777217 to (rank + 16777216) % np
 *     receivers [0..np-1] for np >= 16777217 from (rank - 16777216 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 33554433 to (rank + 33554432) % np
 *     receivers [0..np-1] for np >= 33554433 from (rank - 33554432 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 67108865 to (rank + 67108864) % np
 *     receivers [0..np-1] for np >= 67108865 from (rank - 67108864 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 134217729 to (rank + 134217728) % np
 *     receivers [0..np-1] for np >= 134217729 from (rank - 134217728 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 268435457 to (rank + 268435456) % np
 *     receivers [0..np-1] for np >= 268435457 from (rank - 268435456 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] for np >= 536870913 to (rank + 536870912) % np
 *     receivers [0..np-1] for np >= 536870913 from (rank - 536870912 + np) % np
 *     unknown MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *   pattern: cyclic shift of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *blocks = malloc(np * sizeof(int)), *out = malloc(np * sizeof(int)), *in = malloc(np * sizeof(int));
    for (int i = 0; i < np; i++)
        blocks[i] = 100 * rank + (rank + i) % np;

    for (int far = 1; far < np; far *= 2) {
        int many = 0;
        for (int i = 0; i < np; i++)
            if (i & far)
                out[many++] = blocks[i];
        MPI_Sendrecv(out, many, MPI_INT, (rank + far) % np, 0, in, many, MPI_INT, (rank - far + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        many = 0;
        for (int i = 0; i < np; i++)
            if (i & far)
                blocks[i] = in[many++];
    }

    printf("%d: %d\n", rank, blocks[np - 1]);
    free(blocks);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
