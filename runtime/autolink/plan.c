/* From the tables of a program to what the loops of encode.c and decode.c read. The tables are checked, as people may have
 * written them by hand. */
#include <string.h>

#include "internal.h"

/* Tables larger than this are a mistake. */
#define MOST_TYPES 65536
#define MOST_ENTRIES ((size_t)1 << 24)

int al_label(const AL_Type *type, uint32_t *label) {
    if (!type) return al_fail(AL_ERR_ARG, "the type is NULL");
    const AL_Schema *schema = type->schema;
    if (!schema || !schema->types || schema->type_count < 1 || schema->type_count > MOST_TYPES)
        return al_fail(AL_ERR_SCHEMA, "type %s is in no table", type->name ? type->name : "without a name");
    for (int i = 0; i < schema->type_count; i++) {
        if (&schema->types[i] == type) {
            *label = (uint32_t)i;
            return AL_SUCCESS;
        }
    }
    return al_fail(AL_ERR_SCHEMA, "type %s is not in the table that it names", type->name ? type->name : "without a name");
}

static bool is_within(size_t offset, size_t length, size_t size) { return offset <= size && length <= size - offset; }

static int check_link(const AL_Schema *schema, const AL_Type *type, const AL_Link *link) {
    const char *field = link->name ? link->name : "?";
    if (link->repeat < 1 || link->repeat > MOST_ENTRIES
        || !is_within(link->offset, link->repeat * sizeof(void *), type->size))
        return al_fail(AL_ERR_SCHEMA, "%s.%s is not within the struct", type->name, field);
    switch (link->kind) {
    case AL_LINK_STRING:
    case AL_LINK_OPAQUE: return AL_SUCCESS;
    case AL_LINK_ONE:
    case AL_LINK_COUNTED: break;
    default: return al_fail(AL_ERR_SCHEMA, "%s.%s has a kind that does not exist", type->name, field);
    }
    if (link->target < 0 || link->target >= schema->type_count)
        return al_fail(AL_ERR_SCHEMA, "%s.%s points to a type that is not in the table", type->name, field);
    if (link->kind == AL_LINK_ONE) return AL_SUCCESS;
    size_t size = link->count_size;
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return al_fail(AL_ERR_SCHEMA, "the count of %s.%s is no integer", type->name, field);
    for (size_t i = 0; i < type->run_count; i++) {
        const AL_Run *run = &type->runs[i];
        if (run->offset <= link->count_offset && is_within(link->count_offset - run->offset, size, run->length))
            return AL_SUCCESS;
    }
    return al_fail(AL_ERR_SCHEMA, "the count of %s.%s is not plain data of the same struct", type->name, field);
}

/* Adds up how many runs and pointers there are. */
static int check_type(const AL_Schema *schema, const AL_Type *type, size_t *runs, size_t *links) {
    if (!type->name || type->size < 1 || type->size > SIZE_MAX / 2 || type->schema != schema
        || (type->run_count && !type->runs) || (type->link_count && !type->links))
        return al_fail(AL_ERR_SCHEMA, "type %s is not filled in", type->name ? type->name : "without a name");
    if (type->run_count > MOST_ENTRIES - *runs) return al_fail(AL_ERR_SCHEMA, "type %s has too many runs", type->name);
    for (size_t i = 0; i < type->run_count; i++) {
        if (type->runs[i].length < 1 || !is_within(type->runs[i].offset, type->runs[i].length, type->size))
            return al_fail(AL_ERR_SCHEMA, "run %zu of %s is not within the struct", i, type->name);
    }
    *runs += type->run_count;
    for (size_t i = 0; i < type->link_count; i++) {
        int result = check_link(schema, type, &type->links[i]);
        if (result != AL_SUCCESS) return result;
        if (type->links[i].repeat > MOST_ENTRIES - *links)
            return al_fail(AL_ERR_SCHEMA, "type %s has too many pointers", type->name);
        *links += type->links[i].repeat;
    }
    return AL_SUCCESS;
}

static int by_offset(const void *a, const void *b) {
    size_t left = ((const AL_Run *)a)->offset, right = ((const AL_Run *)b)->offset;
    return (left > right) - (left < right);
}

/* Copies the runs; they are ascending and merged afterwards. */
static int plan_runs(const AL_Type *type, al_type *planned) {
    if (type->run_count) memcpy(planned->runs, type->runs, type->run_count * sizeof *planned->runs);
    qsort(planned->runs, type->run_count, sizeof *planned->runs, by_offset);
    size_t count = 0, end = 0;
    for (size_t i = 0; i < type->run_count; i++) {
        AL_Run run = planned->runs[i];
        if (i && run.offset < end) return al_fail(AL_ERR_SCHEMA, "runs of %s overlap", type->name);
        if (i && run.offset == end) planned->runs[count - 1].length += run.length;
        else planned->runs[count++] = run;
        end = run.offset + run.length;
        planned->run_bytes += run.length;
    }
    planned->run_count = count;
    return AL_SUCCESS;
}

/* The pointers of all fields, one by one. */
static int plan_links(const AL_Schema *schema, const AL_Type *type, al_type *planned) {
    for (size_t i = 0; i < type->link_count; i++) {
        const AL_Link *link = &type->links[i];
        size_t end = link->offset + link->repeat * sizeof(void *);
        for (size_t r = 0; r < planned->run_count; r++) {
            if (planned->runs[r].offset < end && link->offset < planned->runs[r].offset + planned->runs[r].length)
                return al_fail(AL_ERR_SCHEMA, "%s.%s is plain data as well", type->name, link->name ? link->name : "?");
        }
        for (size_t offset = link->offset; offset < end; offset += sizeof(void *)) {
            if (link->kind == AL_LINK_OPAQUE) {
                planned->opaque[planned->opaque_count++] = offset;
                continue;
            }
            planned->links[planned->link_count++] = (al_link){
                .offset = offset,
                .name = link->name ? link->name : "?",
                .target = (uint32_t)(link->kind == AL_LINK_STRING ? schema->type_count : link->target),
                .kind = link->kind,
                .count_size = (uint8_t)link->count_size,
                .count_signed = link->count_signed != 0,
                .count_offset = link->count_offset,
            };
        }
    }
    return AL_SUCCESS;
}

static void find_simple(const al_plan *plan, al_type *type) {
    type->simple = true;
    for (size_t i = 0; i < type->link_count; i++) {
        const al_link *link = &type->links[i];
        if (link->kind != AL_LINK_ONE || plan->types[link->target].dense) type->simple = false;
    }
    type->simple_bytes = type->run_bytes + type->link_count * sizeof(uint32_t);
    type->shape = al_shape_of(type->size);
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++) hash = (hash ^ (value >> 8 * i & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t fingerprint(const al_plan *plan) {
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), sizeof(void *));
    hash = mix(hash, plan->type_count);
    for (uint32_t t = 0; t < plan->type_count; t++) {
        const al_type *type = &plan->types[t];
        hash = mix(mix(mix(hash, type->size), type->run_count), type->link_count);
        for (size_t i = 0; i < type->run_count; i++) hash = mix(mix(hash, type->runs[i].offset), type->runs[i].length);
        for (size_t i = 0; i < type->link_count; i++) {
            const al_link *link = &type->links[i];
            hash = mix(mix(mix(hash, link->offset), link->target), link->kind);
            if (link->kind == AL_LINK_COUNTED)
                hash = mix(mix(mix(hash, link->count_offset), link->count_size), link->count_signed);
        }
    }
    return hash;
}

int al_plan_make(const AL_Schema *schema, al_plan **result) {
    *result = NULL;
    if (schema->version != AL_SCHEMA_VERSION)
        return al_fail(AL_ERR_SCHEMA, "the table has version %d, the library %d: generate al_routines.c anew",
                       schema->version, AL_SCHEMA_VERSION);
    size_t runs = 0, links = 0;
    for (int t = 0; t < schema->type_count; t++) {
        int error = check_type(schema, &schema->types[t], &runs, &links);
        if (error != AL_SUCCESS) return error;
    }
    /* One block, in the order of alignment. */
    size_t types = (size_t)schema->type_count;
    size_t bytes = sizeof(al_plan) + types * sizeof(al_type) + links * (sizeof(al_link) + sizeof(size_t)) + runs * sizeof(AL_Run);
    al_plan *plan = AL_MALLOC(bytes);
    if (!plan) return al_no_memory(bytes);
    memset(plan, 0, bytes);
    plan->type_count = (uint32_t)types;
    plan->types = (al_type *)(plan + 1);
    al_link *free_links = (al_link *)(plan->types + types);
    AL_Run *free_runs = (AL_Run *)(free_links + links);
    size_t *free_opaque = (size_t *)(free_runs + runs);
    for (size_t t = 0; t < types; t++) {
        const AL_Type *type = &schema->types[t];
        al_type *planned = &plan->types[t];
        planned->name = type->name;
        planned->size = type->size;
        planned->runs = free_runs;
        planned->links = free_links;
        planned->opaque = free_opaque;
        int error = plan_runs(type, planned);
        if (error == AL_SUCCESS) error = plan_links(schema, type, planned);
        if (error != AL_SUCCESS) {
            AL_FREE(plan);
            return error;
        }
        free_runs += type->run_count;
        free_links += planned->link_count;
        free_opaque += planned->opaque_count;
        planned->dense = planned->run_bytes == type->size;
        planned->gaps =
            planned->run_bytes + (planned->link_count + planned->opaque_count) * sizeof(void *) < type->size;
    }
    for (size_t t = 0; t < types; t++) find_simple(plan, &plan->types[t]);
    plan->fingerprint = fingerprint(plan);
    *result = plan;
    return AL_SUCCESS;
}

void al_plan_free(al_plan *plan) { AL_FREE(plan); }

/* An integer of the given size at an address. */
static uint64_t read_unsigned(const char *at, size_t size) {
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (size) {
    case 1: return memcpy(&one, at, 1), one;
    case 2: return memcpy(&two, at, 2), two;
    case 4: return memcpy(&four, at, 4), four;
    default: return memcpy(&eight, at, 8), eight;
    }
}

int al_count(const al_link *link, const al_type *owner, const char *base, size_t element_size, uint64_t *count) {
    *count = read_unsigned(base + link->count_offset, link->count_size);
    if (link->count_signed && *count >> (8 * link->count_size - 1))
        return al_fail(AL_ERR_COUNT, "the count of %s.%s is negative", owner->name, link->name);
    if (*count > SIZE_MAX / 2 / element_size)
        return al_fail(AL_ERR_COUNT, "the count of %s.%s is %llu elements, more than memory can hold", owner->name,
                       link->name, (unsigned long long)*count);
    return AL_SUCCESS;
}
