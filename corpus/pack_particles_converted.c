/* The member is a whole number, and a real one in the list: the loops do more than to copy.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Ssend @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Ssend @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define PARTICLES 6

struct particle {
    double place[3];
    int mass;
    int kind;
};

int main(int argc, char **argv)
{
    int rank, np;
    struct particle particle[PARTICLES];
    double mass[PARTICLES];
    double come[PARTICLES];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < PARTICLES; i++)
        particle[i] = (struct particle){{i, 0, 0}, rank + 2 * i, i % 2};

    if (rank < np - 1) {
        for (int i = 0; i < PARTICLES; i++)
            mass[i] = particle[i].mass;
        MPI_Ssend(mass, PARTICLES, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank > 0) {
        MPI_Recv(come, PARTICLES, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int i = 0; i < PARTICLES; i++)
            particle[i].mass = (int)come[i];
    }

    for (int i = 0; i < PARTICLES; i++)
        printf("rank %d: %g %d %d\n", rank, particle[i].place[0], particle[i].mass, particle[i].kind);
    MPI_Finalize();
    return 0;
}
