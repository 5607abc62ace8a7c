//! The macros that are defined before the first line: what GCC says of an LP64 Linux (or macOS) machine.
//!
//! They are written down rather than asked of a compiler, so that a machine without one analyses as well and no
//! process is started. The claim is GCC 12, which makes the C library's headers take their usual path.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use super::lexed::{Depth, LexedFile};
use super::{MacroOption, Request};

/// Macros that are defined as 1.
const FLAGS: &str = "_LP64 __LP64__ __STDC__ __STDC_HOSTED__ __STDC_UTF_16__ __STDC_UTF_32__ __STDC_IEC_559__ \
    __STDC_IEC_559_COMPLEX__ _STDC_PREDEF_H __NO_INLINE__ __GNUC_STDC_INLINE__ __HAVE_SPECULATION_SAFE_VALUE \
    __GCC_ATOMIC_TEST_AND_SET_TRUEVAL __GCC_HAVE_SYNC_COMPARE_AND_SWAP_1 __GCC_HAVE_SYNC_COMPARE_AND_SWAP_2 \
    __GCC_HAVE_SYNC_COMPARE_AND_SWAP_4 __GCC_HAVE_SYNC_COMPARE_AND_SWAP_8 __GCC_HAVE_DWARF2_CFI_ASM \
    __PRAGMA_REDEFINE_EXTNAME __GCC_ASM_FLAG_OUTPUTS__";

const LINUX: &str = "__linux __linux__ __gnu_linux__ __unix __unix__ __ELF__";
const MACOS: &str = "__APPLE__ __MACH__ __DYNAMIC__ __APPLE_CC__";
const X86_64: &str = "__x86_64 __x86_64__ __amd64 __amd64__ __k8 __k8__ __code_model_small__ __MMX__ __MMX_WITH_SSE__ \
    __SSE__ __SSE2__ __SSE_MATH__ __SSE2_MATH__ __FXSR__ __SEG_FS __SEG_GS";
const AARCH64: &str = "__aarch64__ __ARM_64BIT_STATE __ARM_ARCH_ISA_A64 __ARM_NEON __AARCH64EL__ \
    __AARCH64_CMODEL_SMALL__ __ARM_FEATURE_FMA __ARM_FEATURE_UNALIGNED __ARM_PCS_AAPCS64";

/// Macros with values, as `NAME VALUE` lines.
const VALUES: &str = "\
__GNUC__ 12
__GNUC_MINOR__ 2
__GNUC_PATCHLEVEL__ 0
__VERSION__ \"12.2.0\"
__GXX_ABI_VERSION 1017
__GNUC_EXECUTION_CHARSET_NAME \"UTF-8\"
__GNUC_WIDE_EXECUTION_CHARSET_NAME \"UTF-32LE\"
__STDC_IEC_60559_BFP__ 201404L
__STDC_IEC_60559_COMPLEX__ 201404L
__STDC_ISO_10646__ 201706L
__GCC_IEC_559 2
__GCC_IEC_559_COMPLEX 2
__GCC_CONSTRUCTIVE_SIZE 64
__GCC_DESTRUCTIVE_SIZE 64
__FINITE_MATH_ONLY__ 0
__pic__ 2
__PIC__ 2
__pie__ 2
__PIE__ 2
__CHAR_BIT__ 8
__BIGGEST_ALIGNMENT__ 16
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_BIG_ENDIAN__ 4321
__ORDER_PDP_ENDIAN__ 3412
__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
__FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
__REGISTER_PREFIX__
__USER_LABEL_PREFIX__
__ATOMIC_RELAXED 0
__ATOMIC_CONSUME 1
__ATOMIC_ACQUIRE 2
__ATOMIC_RELEASE 3
__ATOMIC_ACQ_REL 4
__ATOMIC_SEQ_CST 5
__SIZEOF_SHORT__ 2
__SIZEOF_INT__ 4
__SIZEOF_LONG__ 8
__SIZEOF_LONG_LONG__ 8
__SIZEOF_INT128__ 16
__SIZEOF_FLOAT__ 4
__SIZEOF_DOUBLE__ 8
__SIZEOF_LONG_DOUBLE__ 16
__SIZEOF_POINTER__ 8
__SIZEOF_SIZE_T__ 8
__SIZEOF_PTRDIFF_T__ 8
__SIZEOF_WCHAR_T__ 4
__SIZEOF_WINT_T__ 4
__SCHAR_WIDTH__ 8
__SHRT_WIDTH__ 16
__INT_WIDTH__ 32
__LONG_WIDTH__ 64
__LONG_LONG_WIDTH__ 64
__WCHAR_WIDTH__ 32
__WINT_WIDTH__ 32
__PTRDIFF_WIDTH__ 64
__SIZE_WIDTH__ 64
__INTMAX_WIDTH__ 64
__INTPTR_WIDTH__ 64
__SIG_ATOMIC_WIDTH__ 32
__SCHAR_MAX__ 0x7f
__SHRT_MAX__ 0x7fff
__INT_MAX__ 0x7fffffff
__LONG_MAX__ 0x7fffffffffffffffL
__LONG_LONG_MAX__ 0x7fffffffffffffffLL
__WCHAR_TYPE__ int
__WCHAR_MAX__ 0x7fffffff
__WCHAR_MIN__ (-__WCHAR_MAX__ - 1)
__WINT_TYPE__ unsigned int
__WINT_MAX__ 0xffffffffU
__WINT_MIN__ 0U
__CHAR16_TYPE__ short unsigned int
__CHAR32_TYPE__ unsigned int
__SIZE_TYPE__ long unsigned int
__SIZE_MAX__ 0xffffffffffffffffUL
__PTRDIFF_TYPE__ long int
__PTRDIFF_MAX__ 0x7fffffffffffffffL
__INTMAX_TYPE__ long int
__INTMAX_MAX__ 0x7fffffffffffffffL
__INTMAX_C(c) c ## L
__UINTMAX_TYPE__ long unsigned int
__UINTMAX_MAX__ 0xffffffffffffffffUL
__UINTMAX_C(c) c ## UL
__INTPTR_TYPE__ long int
__INTPTR_MAX__ 0x7fffffffffffffffL
__UINTPTR_TYPE__ long unsigned int
__UINTPTR_MAX__ 0xffffffffffffffffUL
__SIG_ATOMIC_TYPE__ int
__SIG_ATOMIC_MAX__ 0x7fffffff
__SIG_ATOMIC_MIN__ (-__SIG_ATOMIC_MAX__ - 1)
__INT8_C(c) c
__INT16_C(c) c
__INT32_C(c) c
__INT64_C(c) c ## L
__UINT8_C(c) c
__UINT16_C(c) c
__UINT32_C(c) c ## U
__UINT64_C(c) c ## UL
__FLT_RADIX__ 2
__FLT_EVAL_METHOD__ 0
__FLT_EVAL_METHOD_TS_18661_3__ 0
__DECIMAL_DIG__ 21
__FLT_MANT_DIG__ 24
__FLT_DIG__ 6
__FLT_DECIMAL_DIG__ 9
__FLT_MIN_EXP__ (-125)
__FLT_MIN_10_EXP__ (-37)
__FLT_MAX_EXP__ 128
__FLT_MAX_10_EXP__ 38
__FLT_MAX__ 3.40282346638528859811704183484516925e+38F
__FLT_NORM_MAX__ 3.40282346638528859811704183484516925e+38F
__FLT_MIN__ 1.17549435082228750796873653722224568e-38F
__FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
__FLT_DENORM_MIN__ 1.40129846432481707092372958328991613e-45F
__DBL_MANT_DIG__ 53
__DBL_DIG__ 15
__DBL_DECIMAL_DIG__ 17
__DBL_MIN_EXP__ (-1021)
__DBL_MIN_10_EXP__ (-307)
__DBL_MAX_EXP__ 1024
__DBL_MAX_10_EXP__ 308
__DBL_MAX__ ((double)1.79769313486231570814527423731704357e+308L)
__DBL_NORM_MAX__ ((double)1.79769313486231570814527423731704357e+308L)
__DBL_MIN__ ((double)2.22507385850720138309023271733240406e-308L)
__DBL_EPSILON__ ((double)2.22044604925031308084726333618164062e-16L)
__DBL_DENORM_MIN__ ((double)4.94065645841246544176568792868221372e-324L)
__LDBL_MANT_DIG__ 64
__LDBL_DIG__ 18
__LDBL_DECIMAL_DIG__ 21
__LDBL_MIN_EXP__ (-16381)
__LDBL_MIN_10_EXP__ (-4931)
__LDBL_MAX_EXP__ 16384
__LDBL_MAX_10_EXP__ 4932
__LDBL_MAX__ 1.18973149535723176502126385303097021e+4932L
__LDBL_NORM_MAX__ 1.18973149535723176502126385303097021e+4932L
__LDBL_MIN__ 3.36210314311209350626267781732175260e-4932L
__LDBL_EPSILON__ 1.08420217248550443400745280086994171e-19L
__LDBL_DENORM_MIN__ 3.64519953188247460252840593361941982e-4951L
";

/// What does not depend on the dialect.
pub(super) fn common() -> Arc<LexedFile> {
    static FILE: LazyLock<Arc<LexedFile>> = LazyLock::new(|| {
        let mut text = String::with_capacity(16 << 10);
        let (system, machine) = (
            if cfg!(target_os = "macos") { MACOS } else { LINUX },
            if cfg!(target_arch = "aarch64") { AARCH64 } else { X86_64 },
        );
        for name in [FLAGS, system, machine].into_iter().flat_map(str::split_whitespace) {
            define(&mut text, name, "1");
        }
        for line in VALUES.lines() {
            define(&mut text, line, "");
        }
        for name in ["FLT", "DBL", "LDBL"] {
            for flag in ["HAS_DENORM__", "HAS_INFINITY__", "HAS_QUIET_NAN__"] {
                define(&mut text, &format!("__{name}_{flag}"), "1");
            }
            define(&mut text, &format!("__{name}_IS_IEC_60559__"), "2");
        }
        integers(&mut text);
        for name in
            ["BOOL", "CHAR", "CHAR16_T", "CHAR32_T", "WCHAR_T", "SHORT", "INT", "LONG", "LLONG", "POINTER"]
        {
            define(&mut text, &format!("__GCC_ATOMIC_{name}_LOCK_FREE"), "2");
        }
        Arc::new(LexedFile::new(text.into(), false, Depth::Directives))
    });
    FILE.clone()
}

/// The families `__INT8_TYPE__` to `__UINT_FAST64_MAX__`.
fn integers(text: &mut String) {
    // Width, type, maximum; unsigned type, maximum.
    const EXACT: [(u32, &str, &str, &str, &str); 4] = [
        (8, "signed char", "0x7f", "unsigned char", "0xff"),
        (16, "short int", "0x7fff", "short unsigned int", "0xffff"),
        (32, "int", "0x7fffffff", "unsigned int", "0xffffffffU"),
        (64, "long int", "0x7fffffffffffffffL", "long unsigned int", "0xffffffffffffffffUL"),
    ];
    for (width, signed, max, unsigned, unsigned_max) in EXACT {
        // On LP64 Linux the fast types of 16 and 32 bits are `long`.
        let fast =
            if matches!(width, 16 | 32) { EXACT[3] } else { (width, signed, max, unsigned, unsigned_max) };
        let exact = (width, signed, max, unsigned, unsigned_max);
        for (prefix, of) in [("", exact), ("_LEAST", exact), ("_FAST", fast)] {
            define(text, &format!("__INT{prefix}{width}_TYPE__"), of.1);
            define(text, &format!("__INT{prefix}{width}_MAX__"), of.2);
            define(text, &format!("__UINT{prefix}{width}_TYPE__"), of.3);
            define(text, &format!("__UINT{prefix}{width}_MAX__"), of.4);
            if !prefix.is_empty() {
                define(text, &format!("__INT{prefix}{width}_WIDTH__"), &of.0.to_string());
            }
        }
    }
}

/// What `-std=` and `-fopenmp` decide.
pub(super) fn dialect(request: &Request) -> Arc<LexedFile> {
    let std = request.std.as_deref().unwrap_or("gnu17");
    let gnu = std.starts_with("gnu");
    let year = std.trim_start_matches(|c: char| !c.is_ascii_digit());
    let version = match year {
        "89" | "90" => None,
        "9899:199409" => Some("199409L"),
        "99" | "9x" | "9899:1999" => Some("199901L"),
        "11" | "1x" | "9899:2011" => Some("201112L"),
        "23" | "2x" => Some("202000L"),
        _ => Some("201710L"),
    };
    let mut text = String::new();
    if let Some(version) = version {
        define(&mut text, "__STDC_VERSION__", version);
    }
    if !gnu {
        define(&mut text, "__STRICT_ANSI__", "1");
    } else if !cfg!(target_os = "macos") {
        define(&mut text, "linux", "1");
        define(&mut text, "unix", "1");
    }
    if request.openmp {
        define(&mut text, "_OPENMP", "201511");
    }
    Arc::new(LexedFile::new(text.into(), false, Depth::Directives))
}

/// What `-D` and `-U` say.
pub(super) fn command_line(options: &[MacroOption]) -> Arc<LexedFile> {
    let mut text = String::new();
    for option in options {
        match option {
            MacroOption::Define(definition) => {
                let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
                // One line each, whatever is in it.
                define(&mut text, &name.replace(['\n', '\r'], " "), &value.replace(['\n', '\r'], " "));
            }
            MacroOption::Undef(name) => {
                // Writing to a string does not fail.
                let _ = writeln!(text, "#undef {}", name.replace(['\n', '\r'], " "));
            }
        }
    }
    Arc::new(LexedFile::new(text.into(), false, Depth::Directives))
}

fn define(text: &mut String, name: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "#define {name} {value}");
}
