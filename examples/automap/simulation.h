/* What docs/automap.md shows, and `make demo`. */
#ifndef SIMULATION_H
#define SIMULATION_H

/*~ AutoMap_Begin */
#define SPECIES 4

typedef struct {
    double x, y, z;
} Vec3;

typedef struct {
    char name[20];
    Vec3 position, velocity;
    double weight[SPECIES];
    int cell;
} Particle /*~ AutoMap_TpUsed */;
/*~ AutoMap_End */

#endif
