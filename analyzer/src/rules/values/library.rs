//! What well-known functions of the C library do to memory.

/// The effect of a C library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Yields a new block; its size in bytes is the product of these arguments.
    Allocates {
        /// Which arguments.
        factors: &'static [usize],
        /// Whether the block is zeroed.
        zeroed: bool,
    },
    /// Stores the address of a new block through its first argument; its size is this argument.
    AllocatesThrough(usize),
    /// Yields memory of its own or unknown size and writes what its arguments point to, no further.
    WritesArguments,
    /// Changes no memory of the program.
    ReadsArguments,
}

/// The effect of a C library function; `None` for a function that may do anything.
#[must_use]
pub(super) fn effect(name: &str) -> Option<Effect> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk")).unwrap_or(name);
    Some(match name {
        "malloc" | "valloc" | "alloca" => Effect::Allocates { factors: &[0], zeroed: false },
        "calloc" => Effect::Allocates { factors: &[0, 1], zeroed: true },
        "realloc" | "aligned_alloc" | "memalign" => Effect::Allocates { factors: &[1], zeroed: false },
        "reallocarray" => Effect::Allocates { factors: &[1, 2], zeroed: false },
        "posix_memalign" => Effect::AllocatesThrough(2),
        // Output and inquiry.
        "printf"
        | "fprintf"
        | "vprintf"
        | "vfprintf"
        | "puts"
        | "fputs"
        | "putchar"
        | "fputc"
        | "putc"
        | "fflush"
        | "perror"
        | "fwrite"
        | "write"
        | "strlen"
        | "strcmp"
        | "strncmp"
        | "strcasecmp"
        | "strncasecmp"
        | "memcmp"
        | "atoi"
        | "atol"
        | "atoll"
        | "atof"
        | "abs"
        | "labs"
        | "fabs"
        | "sqrt"
        | "pow"
        | "exp"
        | "log"
        | "sin"
        | "cos"
        | "tan"
        | "floor"
        | "ceil"
        | "fmod"
        | "fmax"
        | "fmin"
        | "rand"
        | "random"
        | "drand48"
        | "srand"
        | "srandom"
        | "srand48"
        | "time"
        | "clock"
        | "sleep"
        | "usleep"
        | "nanosleep"
        | "getpid"
        | "exit"
        | "_exit"
        | "abort"
        | "fopen"
        | "fclose"
        | "open"
        | "close"
        | "remove"
        | "unlink"
        | "getenv"
        | "isatty"
        | "fileno"
        | "feof"
        | "ferror"
        | "free"
        | "assert"
        | "__assert_fail"
        | "isdigit"
        | "isspace"
        | "isalpha"
        | "toupper"
        | "tolower"
        | "omp_get_thread_num"
        | "omp_get_num_threads"
        | "omp_get_max_threads"
        | "omp_get_wtime"
        | "log2"
        | "log10"
        | "round"
        | "lround"
        | "expect" => Effect::ReadsArguments,
        // Input and copying.
        "scanf" | "fscanf" | "sscanf" | "fgets" | "gets" | "fread" | "read" | "getline" | "memset"
        | "memcpy" | "memmove" | "mempcpy" | "bzero" | "bcopy" | "strcpy" | "strncpy" | "strcat"
        | "strncat" | "stpcpy" | "sprintf" | "snprintf" | "vsprintf" | "vsnprintf" | "strtol" | "strtoul"
        | "strtoll" | "strtoull" | "strtod" | "strtof" | "strtok" | "strtok_r" | "strdup" | "strndup"
        | "strchr" | "strrchr" | "strstr" | "gettimeofday" | "clock_gettime" | "gethostname" | "getcwd"
        | "rand_r" | "modf" | "frexp" | "asprintf" | "getopt" | "getopt_long" | "va_start" | "va_end"
        | "va_copy" => Effect::WritesArguments,
        _ => return None,
    })
}
