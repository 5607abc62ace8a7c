/* Assertions that name their line and let the program go on; the process's exit code is that of report(). */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

#include "autolink.h"

static int check_failures;

#define CHECK(CONDITION) \
    do { \
        if (!(CONDITION)) { \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #CONDITION); \
            check_failures++; \
        } \
    } while (0)

#define FAILS(CLASS, CALL) \
    do { \
        int check_result = (CALL); \
        if (check_result != (CLASS)) { \
            fprintf(stderr, "%s:%d: %s: %s (%s), expected: %s\n", __FILE__, __LINE__, #CALL, AL_Error_string(check_result), \
                    AL_Error_message(), AL_Error_string(CLASS)); \
            check_failures++; \
        } \
    } while (0)

#define SUCCEEDS(CALL) FAILS(AL_SUCCESS, CALL)

static inline int report(void) {
    if (check_failures) fprintf(stderr, "%d failures\n", check_failures);
    return check_failures ? 1 : 0;
}

#ifdef __SANITIZE_ADDRESS__
/* What MPI allocates and does not free within its own functions is not ours; to see that it is theirs, the whole stack is
 * needed, which takes time. */
const char *__asan_default_options(void);
#ifdef CHECK_WITHOUT_MPI
const char *__asan_default_options(void) { return "fast_unwind_on_malloc=1"; }
#else
const char *__asan_default_options(void) { return "fast_unwind_on_malloc=0"; }
#endif
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:MPI_\nleak:ompi_mpi_\nleak:libpmix\nleak:libevent\n"; }
#endif

#endif
