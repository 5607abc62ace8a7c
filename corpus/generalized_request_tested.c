/* A generalized request is asked about before its operation is completed: the answer is no. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: generalized requests are completed
 */
#include <mpi.h>
#include <stddef.h>

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int flag;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return flag;
}
