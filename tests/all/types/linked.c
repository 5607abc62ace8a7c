/* Rank 0 sends a list, a tree and a graph with cycles; rank 1 compares them with what it knows they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "al_routines.h"
#include "mpitypes.h"

static void check(int right, const char *what)
{
    if (right) return;
    printf("%s: %s\n", what, AL_Error_message());
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

enum { LENGTH = 100 };

static void send_all(void)
{
    static LinkedList list[LENGTH];
    static double numbers[] = {1.5, 2.5, 3.5}, matrix[1][2] = {{4, 5}};
    static struct Tree leaf = {.name = "leaf", .values = {3, numbers}};
    static struct Tree *children[] = {&leaf, NULL, &leaf};
    static struct Tree tree = {"root", {0, NULL}, {{2, numbers}, {0, NULL}}, 3, children};
    static Vertex vertices[2];
    static struct Edge edges[2];
    int i;

    for (i = 0; i < LENGTH; i++) {
        list[i].data[SIZE - 1] = (float)i;
        list[i].next = i + 1 < LENGTH ? &list[i + 1] : NULL;
    }
    check(AL_Send(list, AutoLink_LinkedList, 1, 1, MPI_COMM_WORLD) == AL_SUCCESS, "sending the list");
    tree.pair[0].at = numbers;
    leaf.values.at = numbers;
    /* Two counts for one array would overlap as blocks: each gets its own. */
    tree.pair[0].at = malloc(2 * sizeof(double));
    check(tree.pair[0].at != NULL, "memory");
    memcpy(tree.pair[0].at, numbers, 2 * sizeof(double));
    check(AL_Send(&tree, AutoLink_Tree, 1, 2, MPI_COMM_WORLD) == AL_SUCCESS, "sending the tree");
    free(tree.pair[0].at);
    for (i = 0; i < 2; i++) {
        vertices[i].id = i + 1;
        vertices[i].first = &edges[i];
        vertices[i].private = &i;
        edges[i].weight = (char)('a' + i);
        edges[i].to = &vertices[1 - i];
    }
    vertices[1].matrix = matrix;
    check(AL_Send(vertices, AutoLink_Vertex, 1, 3, MPI_COMM_WORLD) == AL_SUCCESS, "sending the graph");
}

static void receive_all(void)
{
    LinkedList *list, *node;
    struct Tree *tree;
    Vertex *vertex;
    int i = 0;

    check(AL_Recv(&list, AutoLink_LinkedList, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == AL_SUCCESS, "the list");
    for (node = list; node != NULL; node = node->next) check(node->data[SIZE - 1] == (float)i++, "a node of the list");
    check(i == LENGTH, "the length of the list");
    check(AL_Free(list, AutoLink_LinkedList) == AL_SUCCESS, "freeing the list");

    check(AL_Recv(&tree, AutoLink_Tree, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == AL_SUCCESS, "the tree");
    check(!strcmp(tree->name, "root") && tree->children == 3 && tree->values.at == NULL, "the root");
    check(tree->pair[0].n == 2 && tree->pair[0].at[1] == 2.5 && tree->pair[1].at == NULL, "numbers of the root");
    check(tree->child[0] == tree->child[2] && tree->child[1] == NULL, "the children");
    check(!strcmp(tree->child[0]->name, "leaf") && tree->child[0]->values.at[2] == 3.5, "the leaf");
    check(AL_Free(tree, AutoLink_Tree) == AL_SUCCESS, "freeing the tree");

    check(AL_Recv(&vertex, AutoLink_Vertex, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == AL_SUCCESS, "the graph");
    check(vertex->id == 1 && vertex->private == NULL && vertex->matrix == NULL, "the first vertex");
    check(vertex->first->weight == 'a' && vertex->first->next == NULL, "the first edge");
    check(vertex->first->to->id == 2 && vertex->first->to->matrix[0][1] == 5, "the second vertex");
    check(vertex->first->to->first->to == vertex, "the cycle");
    check(AL_Free(vertex, AutoLink_Vertex) == AL_SUCCESS, "freeing the graph");
    printf("list, tree and graph arrived\n");
}

int main(void)
{
    int rank;

    check(AL_Init(NULL) == AL_SUCCESS, "AL_Init");
    check(Build_MPI_Types() == MPI_SUCCESS, "Build_MPI_Types");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) send_all();
    else receive_all();
    check(Free_MPI_Types() == MPI_SUCCESS, "Free_MPI_Types");
    check(AL_Finalize() == AL_SUCCESS, "AL_Finalize");
    return 0;
}
