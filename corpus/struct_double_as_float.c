/* A member was a float once: the datatype, built from the members' addresses, still says so. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +39: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +39, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

typedef struct {
    int year;
    double rain;
    char station[12];
} Record;

static MPI_Datatype record_type(void)
{
    Record r = {0, 0.0, ""};
    MPI_Datatype made, types[3] = {MPI_INT, MPI_FLOAT, MPI_CHAR};
    int lengths[3] = {1, 1, 12};
    MPI_Aint start, places[3];

    MPI_Get_address(&r, &start);
    MPI_Get_address(&r.year, &places[0]);
    MPI_Get_address(&r.rain, &places[1]);
    MPI_Get_address(&r.station, &places[2]);
    for (int i = 0; i < 3; i++)
        places[i] = MPI_Aint_diff(places[i], start);
    MPI_Type_create_struct(3, lengths, places, types, &made); //~ MUST struct-layout: the float at 8 is where
    MPI_Type_commit(&made);
    return made;
}

int main(int argc, char **argv)
{
    int rank;
    Record r = {0, 0.0, ""};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    type = record_type();
    if (rank == 0)
        r = (Record){1999, 812.5, "Uccle"};
    MPI_Bcast(&r, 1, type, 0, MPI_COMM_WORLD);
    printf("%d: %d %g %s\n", rank, r.year, r.rain, r.station);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
