/* Error classes, and messages of the calling thread. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

static _Thread_local char last_message[AL_MESSAGE_BYTES];

const char *AL_Error_string(int error_class) {
    switch (error_class) {
    case AL_SUCCESS: return "no error";
    case AL_ERR_ARG: return "invalid argument";
    case AL_ERR_INIT: return "AL_Init was not called, or was called twice";
    case AL_ERR_SCHEMA: return "the descriptions of the types contradict themselves";
    case AL_ERR_MEMORY: return "out of memory";
    case AL_ERR_INTERIOR: return "pointer into the middle of a node, or nodes that overlap";
    case AL_ERR_COUNT: return "invalid number of elements";
    case AL_ERR_LIMIT: return "too many nodes";
    case AL_ERR_TYPE: return "the structure received is of another type";
    case AL_ERR_LAYOUT: return "the sender was built with other struct layouts";
    case AL_ERR_STREAM: return "malformed stream";
    case AL_ERR_REMOTE: return "the sender gave up";
    case AL_ERR_PENDING: return "transfers are still under way";
    case AL_ERR_MPI: return "a call of MPI failed";
    default: return "unknown error class";
    }
}

const char *AL_Error_message(void) { return last_message; }

int al_fail(int error_class, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_message, sizeof last_message, format, arguments);
    va_end(arguments);
    return error_class;
}

int al_fail_again(int error_class, const char *message) {
    if (message != last_message) snprintf(last_message, sizeof last_message, "%s", message);
    return error_class;
}

int al_no_memory(size_t bytes) { return al_fail(AL_ERR_MEMORY, "no memory for %zu bytes", bytes); }

int al_mpi_failed(int code, const char *call) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) text[0] = '\0';
    return al_fail(AL_ERR_MPI, "%s: %.250s", call, text);
}
