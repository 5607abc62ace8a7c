/* Packing beyond the end of the buffer, at once and bit by bit, and unpacking more than was packed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x[8] = {0}, at = 0;
    double y[2] = {0};
    char small[16], large[64];

    MPI_Init(&argc, &argv);
    MPI_Pack(x, 8, MPI_INT, small, sizeof small, &at, MPI_COMM_WORLD); //~ MUST buffer-overflow: packs 32 bytes (8 x MPI_INT) from byte 0 on, but 16 bytes have room
    at = 0;
    MPI_Pack(x, 2, MPI_INT, small, sizeof small, &at, MPI_COMM_WORLD);
    MPI_Pack(y, 2, MPI_DOUBLE, small, sizeof small, &at, MPI_COMM_WORLD); //~ MUST buffer-overflow: packs 16 bytes (2 x MPI_DOUBLE) from byte 8 on
    at = 0;
    MPI_Pack(x, 8, MPI_INT, large, sizeof large, &at, MPI_COMM_WORLD);
    at = 0;
    MPI_Unpack(large, 24, &at, x, 8, MPI_INT, MPI_COMM_WORLD); //~ MUST buffer-overflow: unpacks 32 bytes
    MPI_Finalize();
    return 0;
}
