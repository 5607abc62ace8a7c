/* Two members of a struct, after another one, are a pair of MPI; so are those of structs within structs.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +27: how many bytes MPI_Bcast accesses of its buffer is not known
 *   lengths: not proved, line +29: how many bytes MPI_Bcast accesses of its buffer is not known
 *   lengths: not proved, line +31: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +27, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +29, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Bcast line +31, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>
#include <stdio.h>

struct best {
    int id;
    double value;
    int where;
};

struct place {
    double value;
    int where;
};

struct area {
    int number;
    struct place places[3];
};

int main(int argc, char **argv)
{
    int i;
    struct best one = {0, 1.5, 2}, several[3] = {{0, 0, 0}};
    struct area areas[2] = {{0, {{0, 0}}}};

    MPI_Init(&argc, &argv);
    MPI_Bcast(&one.value, 1, MPI_DOUBLE_INT, 0, MPI_COMM_WORLD);
    for (i = 0; i < 3; i++)
        MPI_Bcast(&several[i].value, 1, MPI_DOUBLE_INT, 0, MPI_COMM_WORLD);
    for (i = 0; i < 2; i++)
        MPI_Bcast(&areas[i].places[1].value, 1, MPI_DOUBLE_INT, 0, MPI_COMM_WORLD);
    printf("%d %f %f\n", one.where, several[1].value, areas[1].places[1].value);
    MPI_Finalize();
    return 0;
}
