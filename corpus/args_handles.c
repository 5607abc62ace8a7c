/* Handles that are null, never set, freed, or of another kind.
 */
/* expect:
 *   np: >= 1
 *   compile-flags: -Wno-uninitialized -Wno-stringop-overflow
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Comm comm, none = MPI_COMM_NULL;
    MPI_Datatype type;
    MPI_Request request, requests[2];
    MPI_Win win;
    MPI_File file = MPI_FILE_NULL;

    MPI_Init(&argc, &argv);

    MPI_Barrier(comm); //~ MUST invalid-communicator: never set
    MPI_Barrier(none); //~ MUST invalid-communicator: MPI_COMM_NULL
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Barrier(comm); //~ MUST use-after-free

    MPI_Bcast(&x, 1, type, 0, MPI_COMM_WORLD);              //~ MUST invalid-datatype: never set
    MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD); //~ MUST invalid-datatype: MPI_DATATYPE_NULL

    MPI_Wait(&request, MPI_STATUS_IGNORE); //~ MUST invalid-request: never set
    request = MPI_REQUEST_NULL;
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* returns at once */
    MPI_Start(&request);                   //~ MUST invalid-request: MPI_REQUEST_NULL
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); //~ MUST invalid-request: number 1

    MPI_Win_fence(0, win); //~ MUST invalid-window: never set
    MPI_Win_create(&x, sizeof(x), sizeof(x), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Win_fence(0, win); //~ MUST use-after-free

    MPI_File_write(file, &x, 1, MPI_INT, MPI_STATUS_IGNORE); //~ MUST invalid-file: MPI_FILE_NULL
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);

    MPI_Finalize();
    return 0;
}
