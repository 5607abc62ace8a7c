//! What the C library's headers would have said: their text is not part of a unit.
//!
//! Types are spelt as in a declaration without a name and read by [`super::types`].

/// The meaning of a well-known typedef, as a C type; `None` for names we do not know.
/// `""` is an opaque type of that name.
pub(super) fn typedef(name: &str) -> Option<&'static str> {
    Some(match name {
        "size_t" | "uint64_t" | "uintptr_t" | "uintmax_t" | "dev_t" | "ino_t" | "nlink_t" | "rlim_t"
        | "uint_fast64_t" | "uint_least64_t" | "__u64" | "u_long" | "ulong" | "pthread_t"
        | "uint_fast32_t" | "uint_fast16_t" | "u_int64_t" | "__uint64_t" | "__size_t" | "nfds_t" => {
            "unsigned long"
        }
        "ssize_t" | "ptrdiff_t" | "int64_t" | "intptr_t" | "intmax_t" | "off_t" | "off64_t" | "loff_t"
        | "time_t" | "clock_t" | "suseconds_t" | "int_fast64_t" | "int_least64_t" | "blkcnt_t"
        | "blksize_t" | "__s64" | "int_fast32_t" | "int_fast16_t" | "__int64_t" | "quad_t" | "__off_t"
        | "__time_t" => "long",
        "int32_t" | "pid_t" | "clockid_t" | "wchar_t" | "key_t" | "id_t" | "int_least32_t"
        | "sig_atomic_t" | "__s32" | "pthread_once_t" | "__int32_t" | "__pid_t" | "errno_t" | "nl_item" => {
            "int"
        }
        "uint32_t" | "uid_t" | "gid_t" | "mode_t" | "socklen_t" | "useconds_t" | "uint" | "u_int"
        | "u_int32_t" | "wint_t" | "char32_t" | "uint_least32_t" | "in_addr_t" | "__u32"
        | "pthread_key_t" | "__uint32_t" | "wctype_t" | "speed_t" | "tcflag_t" => "unsigned int",
        "int16_t" | "int_least16_t" | "__s16" | "__int16_t" => "short",
        "uint16_t" | "u_int16_t" | "u_short" | "ushort" | "char16_t" | "uint_least16_t" | "in_port_t"
        | "sa_family_t" | "__u16" | "__uint16_t" => "unsigned short",
        "int8_t" | "int_least8_t" | "int_fast8_t" | "__s8" | "__int8_t" => "signed char",
        "uint8_t" | "u_int8_t" | "u_char" | "uint_least8_t" | "uint_fast8_t" | "char8_t" | "cc_t"
        | "__u8" | "__uint8_t" => "unsigned char",
        "bool" => "_Bool",
        "caddr_t" => "char *",
        "float_t" | "_Float32" => "float",
        "double_t" | "_Float64" | "_Float32x" => "double",
        "max_align_t" | "_Float128" | "__float128" | "_Float64x" => "long double",
        "nullptr_t" | "locale_t" | "iconv_t" | "timer_t" => "void *",
        // Opaque ones; their objects are only passed around.
        "FILE"
        | "DIR"
        | "va_list"
        | "__builtin_va_list"
        | "__gnuc_va_list"
        | "jmp_buf"
        | "sigjmp_buf"
        | "fpos_t"
        | "mbstate_t"
        | "sigset_t"
        | "pthread_mutex_t"
        | "pthread_cond_t"
        | "pthread_attr_t"
        | "pthread_mutexattr_t"
        | "pthread_rwlock_t"
        | "pthread_barrier_t"
        | "pthread_spinlock_t"
        | "pthread_condattr_t"
        | "pthread_barrierattr_t"
        | "fd_set"
        | "regex_t"
        | "regmatch_t"
        | "glob_t"
        | "wordexp_t"
        | "sem_t"
        | "siginfo_t"
        | "stack_t"
        | "ucontext_t"
        | "cpu_set_t"
        | "omp_lock_t"
        | "omp_nest_lock_t"
        | "fexcept_t"
        | "fenv_t"
        | "once_flag"
        | "mtx_t"
        | "cnd_t"
        | "thrd_t"
        | "tss_t" => "",
        "sighandler_t" | "__sighandler_t" => "void (*)(int)",
        "div_t" => "struct { int quot; int rem; }",
        "ldiv_t" | "lldiv_t" | "imaxdiv_t" => "struct { long quot; long rem; }",
        _ => return None,
    })
}

/// The tag and members of a well-known structure, as C; `None` for tags we do not know.
pub(super) fn structure(tag: &str) -> Option<(&'static str, &'static str)> {
    Some(match tag {
        "timeval" => ("timeval", "struct { long tv_sec; long tv_usec; }"),
        "timespec" => ("timespec", "struct { long tv_sec; long tv_nsec; }"),
        "itimerval" => (
            "itimerval",
            "struct { struct { long tv_sec; long tv_usec; } it_interval; struct { long tv_sec; long tv_usec; } it_value; }",
        ),
        "timezone" => ("timezone", "struct { int tz_minuteswest; int tz_dsttime; }"),
        "tm" => (
            "tm",
            "struct { int tm_sec; int tm_min; int tm_hour; int tm_mday; int tm_mon; int tm_year; int tm_wday; int tm_yday; int tm_isdst; long tm_gmtoff; const char *tm_zone; }",
        ),
        "tms" => ("tms", "struct { long tms_utime; long tms_stime; long tms_cutime; long tms_cstime; }"),
        "rusage" => (
            "rusage",
            "struct { struct { long tv_sec; long tv_usec; } ru_utime; struct { long tv_sec; long tv_usec; } ru_stime; long ru_maxrss; long ru_ixrss; long ru_idrss; long ru_isrss; long ru_minflt; long ru_majflt; long ru_nswap; long ru_inblock; long ru_oublock; long ru_msgsnd; long ru_msgrcv; long ru_nsignals; long ru_nvcsw; long ru_nivcsw; }",
        ),
        "rlimit" => ("rlimit", "struct { unsigned long rlim_cur; unsigned long rlim_max; }"),
        "utsname" => (
            "utsname",
            "struct { char sysname[65]; char nodename[65]; char release[65]; char version[65]; char machine[65]; char domainname[65]; }",
        ),
        "option" => ("option", "struct { const char *name; int has_arg; int *flag; int val; }"),
        "in_addr" => ("in_addr", "struct { unsigned int s_addr; }"),
        "sockaddr_in" => (
            "sockaddr_in",
            "struct { unsigned short sin_family; unsigned short sin_port; struct { unsigned int s_addr; } sin_addr; unsigned char sin_zero[8]; }",
        ),
        "sockaddr" => ("sockaddr", "struct { unsigned short sa_family; char sa_data[14]; }"),
        "pollfd" => ("pollfd", "struct { int fd; short events; short revents; }"),
        "iovec" => ("iovec", "struct { void *iov_base; unsigned long iov_len; }"),
        _ => return None,
    })
}

/// The result type of a well-known function, as C. A function that is not here and not declared returns `int` to C89 and
/// something unknown to us.
pub(super) fn result(name: &str) -> Option<&'static str> {
    Some(match name {
        "malloc"
        | "calloc"
        | "realloc"
        | "reallocarray"
        | "memalign"
        | "aligned_alloc"
        | "valloc"
        | "pvalloc"
        | "alloca"
        | "memcpy"
        | "memmove"
        | "memset"
        | "memchr"
        | "memrchr"
        | "mempcpy"
        | "memccpy"
        | "mmap"
        | "bsearch"
        | "dlopen"
        | "dlsym"
        | "sbrk"
        | "shmat"
        | "lfind"
        | "lsearch"
        | "tsearch"
        | "tfind"
        | "pthread_getspecific"
        | "memmem"
        | "rawmemchr" => "void *",
        "strcpy" | "strncpy" | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr" | "strtok"
        | "strtok_r" | "strdup" | "strndup" | "strpbrk" | "strerror" | "strsep" | "stpcpy" | "stpncpy"
        | "strcasestr" | "strsignal" | "strchrnul" | "getenv" | "secure_getenv" | "fgets" | "gets"
        | "getcwd" | "getwd" | "ctime" | "ctime_r" | "asctime" | "asctime_r" | "tmpnam" | "tempnam"
        | "mktemp" | "mkdtemp" | "basename" | "dirname" | "realpath" | "dlerror" | "setlocale"
        | "ttyname" | "getlogin" | "cuserid" | "inet_ntoa" | "index" | "rindex" | "strptime" | "gettext"
        | "nl_langinfo" | "getpass" | "l64a" | "ecvt" | "fcvt" | "gcvt" | "crypt" => "char *",
        "fopen" | "fopen64" | "fdopen" | "freopen" | "tmpfile" | "popen" | "open_memstream" | "fmemopen" => {
            "FILE *"
        }
        "opendir" | "fdopendir" => "DIR *",
        "localtime" | "gmtime" | "localtime_r" | "gmtime_r" => "struct tm *",
        "sqrt" | "cbrt" | "pow" | "exp" | "exp2" | "exp10" | "expm1" | "log" | "log2" | "log10" | "log1p"
        | "logb" | "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "atan2" | "sinh" | "cosh" | "tanh"
        | "asinh" | "acosh" | "atanh" | "fabs" | "floor" | "ceil" | "round" | "rint" | "trunc"
        | "nearbyint" | "fmod" | "remainder" | "remquo" | "hypot" | "fmin" | "fmax" | "fdim" | "fma"
        | "erf" | "erfc" | "tgamma" | "lgamma" | "gamma" | "j0" | "j1" | "jn" | "y0" | "y1" | "yn"
        | "frexp" | "ldexp" | "modf" | "scalbn" | "scalbln" | "copysign" | "nan" | "nextafter"
        | "nexttoward" | "atof" | "strtod" | "drand48" | "erand48" | "difftime" | "cabs" | "carg"
        | "creal" | "cimag" | "significand" | "drem" | "omp_get_wtime" | "omp_get_wtick" | "wcstod"
        | "huge_val" | "inf" => "double",
        "sqrtf" | "cbrtf" | "powf" | "expf" | "exp2f" | "expm1f" | "logf" | "log2f" | "log10f" | "log1pf"
        | "sinf" | "cosf" | "tanf" | "asinf" | "acosf" | "atanf" | "atan2f" | "sinhf" | "coshf" | "tanhf"
        | "fabsf" | "floorf" | "ceilf" | "roundf" | "rintf" | "truncf" | "fmodf" | "hypotf" | "fminf"
        | "fmaxf" | "fmaf" | "erff" | "ldexpf" | "frexpf" | "modff" | "copysignf" | "nearbyintf"
        | "strtof" | "cabsf" | "crealf" | "cimagf" | "nanf" | "tgammaf" | "lgammaf" => "float",
        "sqrtl" | "powl" | "expl" | "logl" | "log2l" | "log10l" | "sinl" | "cosl" | "tanl" | "fabsl"
        | "floorl" | "ceill" | "roundl" | "fmodl" | "strtold" | "ldexpl" | "frexpl" | "modfl" | "fminl"
        | "fmaxl" | "truncl" | "rintl" | "atan2l" | "cbrtl" => "long double",
        "csqrt" | "cexp" | "clog" | "cpow" | "conj" | "cproj" | "csin" | "ccos" => "double _Complex",
        "csqrtf" | "cexpf" | "clogf" | "cpowf" | "conjf" => "float _Complex",
        "strlen" | "strnlen" | "strspn" | "strcspn" | "fread" | "fwrite" | "strftime" | "mbstowcs"
        | "wcstombs" | "strxfrm" | "wcslen" | "strlcpy" | "strlcat" | "confstr" | "strtoul" | "strtoull"
        | "strtoumax" | "malloc_usable_size" | "iconv" => "unsigned long",
        "read" | "write" | "pread" | "pwrite" | "readlink" | "send" | "recv" | "sendto" | "recvfrom"
        | "getline" | "getdelim" | "readv" | "writev" | "sendmsg" | "recvmsg" | "ftell" | "ftello"
        | "lseek" | "lseek64" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoimax" | "labs" | "llabs"
        | "imaxabs" | "time" | "mktime" | "timegm" | "clock" | "times" | "random" | "lrand48" | "mrand48"
        | "jrand48" | "nrand48" | "lround" | "llround" | "lrint" | "llrint" | "sysconf" | "pathconf"
        | "gethostid" | "a64l" | "syscall" | "lroundf" | "lrintf" | "ptrace" => "long",
        "free"
        | "exit"
        | "_exit"
        | "_Exit"
        | "abort"
        | "quick_exit"
        | "perror"
        | "rewind"
        | "clearerr"
        | "setbuf"
        | "qsort"
        | "qsort_r"
        | "srand"
        | "srandom"
        | "srand48"
        | "bzero"
        | "bcopy"
        | "longjmp"
        | "siglongjmp"
        | "setlinebuf"
        | "setbuffer"
        | "tzset"
        | "sync"
        | "closelog"
        | "openlog"
        | "syslog"
        | "swab"
        | "err"
        | "errx"
        | "warn"
        | "warnx"
        | "__assert_fail"
        | "__assert"
        | "pthread_exit"
        | "flockfile"
        | "funlockfile"
        | "endpwent"
        | "seed48"
        | "lcong48"
        | "rewinddir"
        | "seekdir"
        | "sincos"
        | "sincosf"
        | "omp_set_num_threads"
        | "omp_init_lock"
        | "omp_destroy_lock"
        | "omp_set_lock"
        | "omp_unset_lock"
        | "omp_set_dynamic"
        | "omp_set_nested"
        | "cfree"
        | "insque"
        | "remque"
        | "explicit_bzero"
        | "freeaddrinfo"
        | "regfree"
        | "globfree"
        | "mcheck"
        | "muntrace"
        | "mtrace"
        | "atomic_thread_fence"
        | "setpwent"
        | "va_end"
        | "va_copy"
        | "va_arg"
        | "va_start"
        | "unreachable"
        | "trap"
        | "prefetch"
        | "__clear_cache" => "void",
        "abs"
        | "atoi"
        | "printf"
        | "fprintf"
        | "sprintf"
        | "snprintf"
        | "vprintf"
        | "vfprintf"
        | "vsprintf"
        | "vsnprintf"
        | "asprintf"
        | "vasprintf"
        | "dprintf"
        | "scanf"
        | "fscanf"
        | "sscanf"
        | "vsscanf"
        | "vfscanf"
        | "puts"
        | "fputs"
        | "putchar"
        | "putc"
        | "fputc"
        | "getchar"
        | "getc"
        | "fgetc"
        | "ungetc"
        | "fclose"
        | "fflush"
        | "fseek"
        | "fseeko"
        | "fsetpos"
        | "fgetpos"
        | "feof"
        | "ferror"
        | "fileno"
        | "setvbuf"
        | "remove"
        | "rename"
        | "unlink"
        | "link"
        | "symlink"
        | "mkdir"
        | "rmdir"
        | "chdir"
        | "access"
        | "stat"
        | "lstat"
        | "fstat"
        | "open"
        | "creat"
        | "close"
        | "dup"
        | "dup2"
        | "pipe"
        | "fork"
        | "execv"
        | "execvp"
        | "execl"
        | "execlp"
        | "execve"
        | "wait"
        | "waitpid"
        | "kill"
        | "raise"
        | "system"
        | "pclose"
        | "mkstemp"
        | "isatty"
        | "usleep"
        | "nanosleep"
        | "gettimeofday"
        | "settimeofday"
        | "clock_gettime"
        | "clock_getres"
        | "getrusage"
        | "getrlimit"
        | "setrlimit"
        | "gethostname"
        | "uname"
        | "strcmp"
        | "strncmp"
        | "strcasecmp"
        | "strncasecmp"
        | "strcoll"
        | "memcmp"
        | "bcmp"
        | "toupper"
        | "tolower"
        | "isalpha"
        | "isdigit"
        | "isalnum"
        | "isspace"
        | "isupper"
        | "islower"
        | "isprint"
        | "ispunct"
        | "iscntrl"
        | "isgraph"
        | "isxdigit"
        | "isblank"
        | "isascii"
        | "toascii"
        | "rand"
        | "rand_r"
        | "atexit"
        | "on_exit"
        | "setenv"
        | "unsetenv"
        | "putenv"
        | "clearenv"
        | "setjmp"
        | "sigsetjmp"
        | "_setjmp"
        | "__sigsetjmp"
        | "sigaction"
        | "sigemptyset"
        | "sigfillset"
        | "sigaddset"
        | "sigdelset"
        | "sigprocmask"
        | "posix_memalign"
        | "munmap"
        | "mprotect"
        | "madvise"
        | "msync"
        | "ftruncate"
        | "truncate"
        | "fsync"
        | "fdatasync"
        | "fcntl"
        | "ioctl"
        | "select"
        | "poll"
        | "socket"
        | "bind"
        | "listen"
        | "accept"
        | "connect"
        | "shutdown"
        | "setsockopt"
        | "getsockopt"
        | "getopt"
        | "getopt_long"
        | "getopt_long_only"
        | "getpid"
        | "getppid"
        | "isnan"
        | "isinf"
        | "finite"
        | "isfinite"
        | "isnormal"
        | "signbit"
        | "fpclassify"
        | "ilogb"
        | "omp_get_num_threads"
        | "omp_get_max_threads"
        | "omp_get_thread_num"
        | "omp_get_num_procs"
        | "omp_in_parallel"
        | "omp_test_lock"
        | "omp_get_level"
        | "omp_get_dynamic"
        | "pthread_create"
        | "pthread_join"
        | "pthread_mutex_init"
        | "pthread_mutex_lock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_destroy"
        | "pthread_cond_init"
        | "pthread_cond_wait"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "sched_yield"
        | "sched_getcpu"
        | "closedir"
        | "chmod"
        | "chown"
        | "utime"
        | "regcomp"
        | "regexec"
        | "glob"
        | "dlclose"
        | "shmget"
        | "shmdt"
        | "shmctl"
        | "sem_init"
        | "sem_wait"
        | "sem_post"
        | "ffs"
        | "clz"
        | "ctz"
        | "clzl"
        | "ctzl"
        | "clzll"
        | "ctzll"
        | "popcount"
        | "popcountl"
        | "popcountll"
        | "parity"
        | "constant_p"
        | "islessgreater"
        | "isunordered"
        | "isless"
        | "isgreater"
        | "islessequal"
        | "isgreaterequal"
        | "backtrace"
        | "ftw"
        | "nftw"
        | "wprintf"
        | "getw"
        | "putw"
        | "getsubopt"
        | "mblen"
        | "mbtowc"
        | "wctomb"
        | "tcsetattr"
        | "tcgetattr" => "int",
        "sleep" | "alarm" | "if_nametoindex" => "unsigned int",
        "getuid" | "geteuid" | "getgid" | "getegid" | "umask" | "htonl" | "ntohl" | "bswap32"
        | "inet_addr" => "unsigned int",
        "htons" | "ntohs" | "bswap16" => "unsigned short",
        "bswap64" => "unsigned long",
        "pthread_self" => "unsigned long",
        "__errno_location" | "__error" | "_errno" => "int *",
        "__ctype_b_loc" => "const unsigned short **",
        "__ctype_tolower_loc" | "__ctype_toupper_loc" => "const int **",
        "div" => "struct { int quot; int rem; }",
        "ldiv" | "lldiv" => "struct { long quot; long rem; }",
        "signal" => "void (*)(int)",
        "getpwuid" | "getpwnam" => "struct passwd *",
        "readdir" => "struct dirent *",
        "gethostbyname" | "gethostbyaddr" => "struct hostent *",
        "localeconv" => "struct lconv *",
        _ => return None,
    })
}

/// How many floating-point numbers a function of `<math.h>` takes that takes nothing else; all are of the type of its result.
pub(super) fn real_parameters(name: &str) -> Option<usize> {
    let one = |name: &str| {
        matches!(
            name,
            "sqrt"
                | "cbrt"
                | "exp"
                | "exp2"
                | "expm1"
                | "log"
                | "log2"
                | "log10"
                | "log1p"
                | "logb"
                | "sin"
                | "cos"
                | "tan"
                | "asin"
                | "acos"
                | "atan"
                | "sinh"
                | "cosh"
                | "tanh"
                | "asinh"
                | "acosh"
                | "atanh"
                | "fabs"
                | "floor"
                | "ceil"
                | "round"
                | "rint"
                | "trunc"
                | "nearbyint"
                | "erf"
                | "erfc"
                | "tgamma"
                | "lgamma"
        )
    };
    let two = |name: &str| {
        matches!(
            name,
            "pow"
                | "atan2"
                | "fmod"
                | "remainder"
                | "hypot"
                | "fmin"
                | "fmax"
                | "fdim"
                | "copysign"
                | "nextafter"
        )
    };
    let count = |name: &str| match name {
        "fma" => Some(3),
        _ if one(name) => Some(1),
        _ if two(name) => Some(2),
        _ => None,
    };
    count(name).or_else(|| count(name.strip_suffix(['f', 'l'])?))
}

/// The type of a well-known variable of the C library, as C.
pub(super) fn variable(name: &str) -> Option<&'static str> {
    Some(match name {
        "stdin" | "stdout" | "stderr" => "FILE *",
        "environ" | "__environ" => "char **",
        "optarg" | "program_invocation_name" | "program_invocation_short_name" => "char *",
        "optind" | "opterr" | "optopt" | "errno" | "signgam" | "daylight" => "int",
        "timezone" => "long",
        _ => return None,
    })
}

/// Classes of characters, by the bit that stands for them in the table of glibc's `<ctype.h>`.
const CHARACTER_CLASSES: [&str; 12] = [
    "_ISupper",
    "_ISlower",
    "_ISalpha",
    "_ISdigit",
    "_ISxdigit",
    "_ISspace",
    "_ISprint",
    "_ISgraph",
    "_ISblank",
    "_IScntrl",
    "_ISpunct",
    "_ISalnum",
];

/// The value of a constant that macros of the C library name, on a machine that stores the lowest byte first.
pub(super) fn constant(name: &str) -> Option<i64> {
    let bit = CHARACTER_CLASSES.iter().position(|class| *class == name)?;
    // Bits are counted in the order of a machine that stores the highest byte first.
    Some(if bit < 8 { 1 << (bit + 8) } else { 1 << (bit - 8) })
}

/// Whether a call of the function never returns.
pub(super) fn never_returns(name: &str) -> bool {
    matches!(
        name,
        "exit"
            | "_exit"
            | "_Exit"
            | "abort"
            | "quick_exit"
            | "longjmp"
            | "siglongjmp"
            | "_longjmp"
            | "__longjmp_chk"
            | "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_perror_fail"
            | "err"
            | "errx"
            | "verr"
            | "verrx"
            | "pthread_exit"
            | "thrd_exit"
            | "__builtin_unreachable"
            | "__builtin_trap"
            | "__builtin_abort"
            | "__builtin_exit"
            | "__stack_chk_fail"
            | "__chk_fail"
            | "__fortify_fail"
    )
}
