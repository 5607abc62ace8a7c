/* A library frees its communicator in what deletes an attribute of MPI_COMM_SELF, which MPI_Finalize calls first thing (MPI-4.1 section
 * 11.2.4).
 *
 * Right; near-miss of communicator-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +30, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm library = MPI_COMM_NULL;

static int clean_up(MPI_Comm comm, int key, void *value, void *state)
{
    (void) comm;
    (void) key;
    (void) value;
    (void) state;
    return MPI_Comm_free(&library);
}

static void library_init(void)
{
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clean_up, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    library_init();
    MPI_Comm_rank(library, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, library);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
