/* The datatype of a row is declared, and used, and never made.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, row[4] = { 0 };
    MPI_Datatype type = MPI_DATATYPE_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    row[0] = rank;
    MPI_Bcast(row, 1, type, 0, MPI_COMM_WORLD); //~ MUST invalid-datatype
    MPI_Finalize();
    return 0;
}
