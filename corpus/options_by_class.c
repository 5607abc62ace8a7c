/* An option is read character by character; classes of characters tell whether it is a number.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +26: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>

static int number(const char *text)
{
    int value = 0;

    while (isspace((unsigned char)*text))
        text++;
    if (!isdigit((unsigned char)*text))
        return -1;
    while (isdigit((unsigned char)*text))
        value = 10 * value + (*text++ - '0');
    return value;
}

int main(int argc, char **argv)
{
    int rank, rounds = 3, residue = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1)
        rounds = number(argv[1]);
    if (rounds < 0) {
        if (rank == 0)
            printf("%s is no number\n", argv[1]);
        MPI_Finalize();
        return 1;
    }
    while (rounds-- > 0)
        MPI_Bcast(&residue, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell
    MPI_Finalize();
    return 0;
}
