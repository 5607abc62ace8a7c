//! Compiles AutoLink, and the check of its receiver, for the target `autolink`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    if env::var_os("CARGO_FEATURE_AUTOLINK").is_none() {
        return;
    }
    let wrapper = env::var("MPICC").unwrap_or_else(|_| "mpicc".to_owned());
    // Open MPI knows the first option, MPICH the second one.
    let says = |option: &str| {
        let output = Command::new(&wrapper).arg(option).output().expect("$MPICC can be run");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let flags = |option: &str| says(option).or_else(|| says("-show")).expect("it says what it adds");
    let root = Path::new("../runtime/autolink");
    let mut build = cc::Build::new();
    build.std("c11").opt_level(1).define("AL_TEST_ALLOCATOR", None).define("AL_NO_MAIN", None).include(root);
    for flag in flags("--showme:compile").split_whitespace().filter(|flag| flag.starts_with("-I")) {
        build.include(&flag[2..]);
    }
    if env::var("CARGO_CFG_SANITIZE").is_ok_and(|sanitizers| sanitizers.contains("address")) {
        build.flag("-fsanitize=address");
    }
    // Comparisons guide libFuzzer where the compiler tells it of them.
    build.flag_if_supported("-fsanitize-coverage=trace-cmp");
    let of = |directory: &Path| {
        let entries = std::fs::read_dir(directory).expect("it is there");
        entries.map(|entry| entry.expect("it is there").path()).collect::<Vec<_>>()
    };
    build.files(of(root).into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "c")));
    let programs = root.join("tests/programs");
    build.files(["anything.c", "same.c", "shapes.c"].map(|file| programs.join(file)));
    build.compile("receive_anything");
    for flag in flags("--showme:link").split_whitespace() {
        if let Some(library) = flag.strip_prefix("-l") {
            println!("cargo::rustc-link-lib={library}");
        } else if let Some(directory) = flag.strip_prefix("-L") {
            println!("cargo::rustc-link-search={directory}");
        }
    }
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-env-changed=MPICC");
}
