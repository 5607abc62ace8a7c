/* Lists of numbers that are shorter than the calls are told: what lies behind them is read as well.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int lengths[3] = {2, 1, 2}, places[3] = {0, 4, 8}, ranks[2] = {0, 0}, range[1][3] = {{0, 0, 1}};
    MPI_Aint bytes[4] = {0, 16, 32, 48};
    MPI_Datatype right, wrong;
    MPI_Group all, some;

    MPI_Init(&argc, &argv);

    MPI_Type_indexed(3, lengths, places, MPI_INT, &right);
    MPI_Type_free(&right);
    MPI_Type_indexed(4, lengths, places, MPI_INT, &wrong); //~ MUST buffer-overflow: reads 4 numbers of 4 bytes, but `lengths` has 12
    //~^ MUST buffer-overflow: `places` has 12
    MPI_Type_free(&wrong);
    MPI_Type_create_hindexed_block(4, 1, bytes, MPI_DOUBLE, &right);
    MPI_Type_free(&right);
    MPI_Type_create_hindexed_block(3, 1, bytes + 2, MPI_DOUBLE, &wrong); //~ MUST buffer-overflow: `bytes` has 16 from byte 16 on
    MPI_Type_free(&wrong);

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &some);
    MPI_Group_free(&some);
    MPI_Group_incl(all, 1, ranks + 1, &some);
    MPI_Group_free(&some);
    MPI_Group_range_incl(all, 2, range, &some); //~ MUST buffer-overflow: reads 6 numbers of 4 bytes, but `range` has 12
    MPI_Group_free(&some);
    MPI_Group_free(&all);

    MPI_Finalize();
    return 0;
}
