/* The structs have no gaps, by an attribute: their members may lie at odd addresses, so the loops stay.
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
    double mass;
    int kind;
} __attribute__((packed));

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
        particle[i] = (struct particle){{i, 0, 0}, rank + 0.125 * i, i % 2};

    if (rank < np - 1) {
        for (int i = 0; i < PARTICLES; i++)
            mass[i] = particle[i].mass;
        MPI_Ssend(mass, PARTICLES, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank > 0) {
        MPI_Recv(come, PARTICLES, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int i = 0; i < PARTICLES; i++)
            particle[i].mass = come[i];
    }

    for (int i = 0; i < PARTICLES; i++)
        printf("rank %d: %g %g %d\n", rank, particle[i].place[0], particle[i].mass, particle[i].kind);
    MPI_Finalize();
    return 0;
}
