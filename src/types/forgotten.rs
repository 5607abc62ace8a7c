//! Headers of the system that a header uses names of and does not include: code that includes it has to include them before.

use std::collections::BTreeSet;

use frontend::preprocess::SourceMap;

use super::scan::words;

/// The header that declares a name of the C library, if it is one that headers with structs use.
fn header_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "size_t" | "ptrdiff_t" | "wchar_t" | "max_align_t" => "stddef.h",
        "int8_t" | "int16_t" | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t"
        | "intptr_t" | "uintptr_t" | "intmax_t" | "uintmax_t" | "int_least8_t" | "int_least16_t"
        | "int_least32_t" | "int_least64_t" | "uint_least8_t" | "uint_least16_t" | "uint_least32_t"
        | "uint_least64_t" | "int_fast8_t" | "int_fast16_t" | "int_fast32_t" | "int_fast64_t"
        | "uint_fast8_t" | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t" => "stdint.h",
        "bool" => "stdbool.h",
        "FILE" | "fpos_t" => "stdio.h",
        "va_list" => "stdarg.h",
        "jmp_buf" | "sigjmp_buf" => "setjmp.h",
        "sig_atomic_t" | "sigset_t" | "siginfo_t" | "stack_t" => "signal.h",
        "time_t" | "clock_t" | "clockid_t" | "timer_t" | "timespec" | "tm" => "time.h",
        "timeval" | "itimerval" | "timezone" => "sys/time.h",
        "suseconds_t" | "ssize_t" | "off_t" | "pid_t" | "uid_t" | "gid_t" | "mode_t" | "dev_t" | "ino_t"
        | "nlink_t" | "blkcnt_t" | "blksize_t" | "id_t" | "key_t" | "useconds_t" | "u_char" | "u_short"
        | "u_int" | "u_long" | "uint" | "ushort" | "ulong" | "u_int8_t" | "u_int16_t" | "u_int32_t"
        | "u_int64_t" | "caddr_t" | "quad_t" | "loff_t" => "sys/types.h",
        "pthread_t"
        | "pthread_mutex_t"
        | "pthread_cond_t"
        | "pthread_attr_t"
        | "pthread_mutexattr_t"
        | "pthread_rwlock_t"
        | "pthread_barrier_t"
        | "pthread_spinlock_t"
        | "pthread_condattr_t"
        | "pthread_barrierattr_t"
        | "pthread_key_t"
        | "pthread_once_t" => "pthread.h",
        "sem_t" => "semaphore.h",
        "fd_set" => "sys/select.h",
        "rusage" | "rlimit" | "rlim_t" => "sys/resource.h",
        "iovec" => "sys/uio.h",
        "socklen_t" | "sockaddr" | "sa_family_t" => "sys/socket.h",
        "in_addr" | "sockaddr_in" | "in_addr_t" | "in_port_t" => "netinet/in.h",
        "DIR" => "dirent.h",
        "regex_t" | "regmatch_t" => "regex.h",
        "wint_t" | "mbstate_t" => "wchar.h",
        "char16_t" | "char32_t" => "uchar.h",
        "float_t" | "double_t" => "math.h",
        "omp_lock_t" | "omp_nest_lock_t" => "omp.h",
        "div_t" | "ldiv_t" | "lldiv_t" => "stdlib.h",
        "imaxdiv_t" => "inttypes.h",
        _ => return None,
    })
}

/// The names that mean something else unless they are tags: `struct tm`.
fn is_tag(name: &str) -> bool {
    matches!(
        name,
        "timespec"
            | "tm"
            | "timeval"
            | "itimerval"
            | "timezone"
            | "rusage"
            | "rlimit"
            | "iovec"
            | "sockaddr"
            | "in_addr"
            | "sockaddr_in"
    )
}

/// The headers of the system that declare names in a header's code, and that neither it nor what it includes asks for. `declared` are
/// the names that it declares itself.
pub(super) fn forgotten(code: &str, map: &SourceMap, declared: &BTreeSet<&str>) -> Vec<&'static str> {
    let included: Vec<String> = map.files().filter(|file| file.system).map(|file| file.name).collect();
    let is_included = |header: &str| {
        included.iter().any(|file| {
            file.strip_suffix(header).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        })
    };
    let mut needed = BTreeSet::new();
    let mut before = "";
    for word in words(code) {
        let follows_tag = matches!(before, "struct" | "union");
        if let Some(header) = header_of(word)
            && is_tag(word) == follows_tag
            && !declared.contains(word)
            && !is_included(header)
        {
            needed.insert(header);
        }
        before = word;
    }
    needed.into_iter().collect()
}
