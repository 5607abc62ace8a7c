/* Buffers whose C type fits the datatype although the two have different names.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +44: how many bytes MPI_Allreduce accesses of its buffer is not known
 *   lengths: not proved, line +45: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +42, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +43, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +44, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +45, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +46, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +47, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +48, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +49, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +50, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +51, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +52, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +53, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +54, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +23, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>
#include <complex.h>
#include <stdint.h>

struct point {
    double x, y, z;
};

struct best {
    double value;
    int where;
};

union word {
    int number;
    float real;
};

enum color { RED, GREEN };

static void share(void *data, int bytes)
{
    MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct point points[3] = {{0, 0, 0}};
    struct best mine = {0, 0}, best;
    int pair[2] = {0, 0};
    unsigned flags = 0;
    long long wide = 0;
    int64_t stamp = 0;
    double complex z = 0;
    union word word = {0};
    enum color color = RED;
    char text[8] = "hello";
    double grid[3][4] = {{0}};

    MPI_Init(&argc, &argv);

    MPI_Bcast(points, 9, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&points[1].y, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Bcast(pair, 1, MPI_2INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&flags, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&wide, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Bcast(&stamp, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(&z, 1, MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    MPI_Bcast(&z, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&word, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&color, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(text, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&grid[1][0], 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    share(points, sizeof(points));
    share(text, sizeof(text));

    MPI_Finalize();
    return 0;
}
