//! Which packages are looked at, and how they are read: none of them is configured or built, so the macros that their
//! builds for MPI define are here.

/// A Debian source package.
#[derive(Debug)]
pub(crate) struct Package {
    /// Its name, and that of its directory.
    pub(crate) name: &'static str,
    /// What of it is analysed: files and directories.
    pub(crate) parts: &'static [&'static str],
    /// Every directory below these that holds a header is on the include path.
    pub(crate) headers: &'static [&'static str],
    /// Macros.
    pub(crate) define: &'static [&'static str],
    /// Headers that configuring would make by filling in a few version numbers: the template, and their name.
    pub(crate) templates: &'static [(&'static str, &'static str)],
    /// Macros and directories that need a word.
    pub(crate) note: &'static str,
}

impl Package {
    const fn new(name: &'static str) -> Self {
        Self { name, parts: &["."], headers: &["."], define: &[], templates: &[], note: "" }
    }
}

/// All packages, by name.
pub(crate) const PACKAGES: [Package; 14] = [
    Package::new("ampliconnoise"),
    Package { parts: &["examl"], headers: &["examl"], ..Package::new("examl") },
    Package {
        parts: &["src", "easel"],
        headers: &["src", "easel"],
        define: &["HAVE_MPI", "HMMER_MPI", "eslENABLE_SSE"],
        ..Package::new("hmmer")
    },
    Package { parts: &["src"], headers: &["src"], ..Package::new("hypre") },
    Package {
        parts: &[
            "examples",
            "test/mpi/pt2pt",
            "test/mpi/coll",
            "test/mpi/util/mtest.c",
            "test/mpi/util/mtest_common.c",
            "test/mpi/util/mtest_thread.c",
            "test/mpi/util/dtypes.c",
            "test/mpi/dtpools/src",
        ],
        headers: &["test/mpi/include", "test/mpi/dtpools", "test/mpi/pt2pt", "test/mpi/coll", "examples"],
        define: &["STDC_HEADERS"],
        note: "The examples, the tests of point-to-point communication and of collectives, and the library of these tests.",
        ..Package::new("mpich")
    },
    Package {
        parts: &["src"],
        headers: &["src"],
        // Without a config.h its header takes MPI_ENABLED back.
        define: &["HAVE_CONFIG_H", "UNIX_VERSION", "PACKAGE_VERSION=\"3.2.7\"", "MPI_ENABLED"],
        ..Package::new("mrbayes")
    },
    Package {
        parts: &["src/netpipe.c", "src/mpi.c"],
        headers: &["src"],
        define: &["MPI"],
        note: "What its makefile compiles for MPI.",
        ..Package::new("netpipe")
    },
    Package {
        define: &["P4EST_ENABLE_MPI", "SC_ENABLE_MPI", "SC_ENABLE_MPITHREAD"],
        ..Package::new("p4est")
    },
    Package {
        parts: &["src"],
        headers: &["src"],
        define: &["MPI", "PHYML"],
        note: "`PHYML` chooses one of several `main`.",
        ..Package::new("phyml")
    },
    Package {
        templates: &[("src/include/pnetcdf.h.in", "pnetcdf.h")],
        // Types that configuring defines where the system has none of the name.
        define: &[
            "schar=signed char",
            "uchar=unsigned char",
            "ushort=unsigned short",
            "uint=unsigned int",
            "longlong=long long",
            "ulonglong=unsigned long long",
            "int64=long long",
            "uint64=unsigned long long",
        ],
        note: "Its functions that read and write are made by m4 and not there.",
        ..Package::new("pnetcdf")
    },
    Package { define: &["_WAYNE_MPI"], ..Package::new("raxml") },
    Package { define: &["Add_"], ..Package::new("scalapack") },
    Package {
        parts: &["src"],
        headers: &["src"],
        define: &["SCOTCH_PTSCOTCH", "COMMON_PTHREAD", "SCOTCH_PTHREAD"],
        ..Package::new("scotch")
    },
    Package {
        parts: &["src", "demosrc"],
        headers: &["src", "demosrc"],
        define: &["MPI"],
        ..Package::new("tachyon")
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_sorted() {
        assert!(PACKAGES.iter().map(|package| package.name).is_sorted());
    }
}
