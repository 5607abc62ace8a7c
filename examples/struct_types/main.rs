//! The datatypes that real programs build by hand for their structs: writes `docs/struct-types.md`.
//!
//!     scripts/fetch-sources hypre mpich pnetcdf scotch
//!     cargo run --example struct_types
//!
//! The packages are those of the example `real_programs`. What rule `struct-layout` makes of each datatype is found out here; what
//! a reader of the source makes of it is in `verdicts.txt`.

#[path = "../real_programs/packages.rs"]
mod packages;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analyzer::rules::{StructType, struct_types};
use anyrank::session::{self, Request};
use clap::Parser;
use packages::{PACKAGES, Package};

/// Reads the source packages that scripts/fetch-sources unpacks, and writes a Markdown document about the datatypes in them.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where the packages are, one directory for each
    #[arg(long, default_value = "build/sources")]
    sources: PathBuf,
    /// The document
    #[arg(short, long, default_value = "docs/struct-types.md")]
    output: PathBuf,
}

/// A datatype and where it is made: file below the sources, line.
type Found = BTreeMap<(String, u32), StructType>;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let verdicts = verdicts();
    let mut document = String::new();
    let (mut all, mut compared, mut wrong) = (0, 0, 0);
    let mut unread = Vec::new();
    let mut without = Vec::new();
    for package in &PACKAGES {
        let directory = arguments.sources.join(package.name);
        if !directory.is_dir() {
            unread.push(package.name);
            continue;
        }
        let found = types_of(package, &arguments.sources)?;
        if found.is_empty() {
            without.push(package.name);
            continue;
        }
        let version = fs::read_to_string(directory.join(".anyrank-version")).unwrap_or_default();
        let _ = writeln!(document, "\n## {} {}\n", package.name, version.trim());
        document
            .push_str("| where | datatype | compared with | anyrank | by hand |\n|---|---|---|---|---|\n");
        all += found.len();
        for ((file, line), made) in &found {
            compared += usize::from(made.typemap.is_some() && !made.structs.is_empty());
            wrong += usize::from(!made.problems.is_empty());
            row(&mut document, file, *line, made, verdicts.get(&(file.as_str(), made.function.as_str())));
        }
    }
    let _ = writeln!(document, "\n## Packages without any\n\n{}.", without.join(", "));
    if !unread.is_empty() {
        let _ = writeln!(document, "\nNot fetched: {}.", unread.join(", "));
    }
    let summary =
        format!("{all} datatypes; {compared} are compared with a struct of C, {wrong} have a finding.\n");
    fs::write(&arguments.output, format!("{HEAD}\n{summary}{document}"))
        .map_err(|e| format!("{}: {e}", arguments.output.display()))
}

const HEAD: &str = "# Datatypes that programs build by hand for their structs

Written by `cargo run --example struct_types` from Debian's source packages; the last column is `examples/struct_types/verdicts.txt`, by somebody who has read the source.
Listed is each call of `MPI_Type_create_struct`, `MPI_Type_create_hindexed` and their kin, and each resized datatype of one, in the files that the packages' programs consist of (as in [real programs](real-programs.md)).
A resized datatype of another one that is made elsewhere is not listed; scotch's `archDomMpiType` (`src/libscotch/arch.c:508`), which gives what an architecture sends the size of `ArchDom`, is the only one with a struct of C, and right.
`?` is a datatype of which something is not known without running the program: its displacements come out of a loop of unknown length, a parameter, or a file; rule [struct-layout](rules/struct-layout.md) says nothing about these.
";

/// All datatypes of a package.
fn types_of(package: &Package, sources: &Path) -> Result<Found, String> {
    let problem = |error: io::Error| format!("{}: {error}", package.name);
    let root = sources.join(package.name);
    let scratch = tempfile::tempdir().map_err(problem)?;
    for (template, name) in package.templates {
        fs::copy(root.join(template), scratch.path().join(name)).map_err(problem)?;
    }
    let mut include = BTreeSet::from([scratch.path().to_owned()]);
    for part in package.headers {
        walk(&root.join(part), "h", &mut |path| include.extend(path.parent().map(Path::to_owned)));
    }
    let mut files = BTreeSet::new();
    for part in package.parts {
        walk(&root.join(part), "c", &mut |path| {
            if fs::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains("MPI_Type_")) {
                files.insert(path.to_owned());
            }
        });
    }
    let mut found = Found::new();
    for file in files {
        let request = Request {
            include: include.iter().cloned().collect(),
            define: package.define.iter().map(|&define| define.to_owned()).collect(),
            jobs: Some(1),
            ..Request::new(vec![file])
        };
        for unit in session::units(&request).map_err(|failure| failure.to_string())? {
            for made in struct_types(&unit) {
                let name = made.range.file.strip_prefix(&format!("{}/", sources.display()));
                // A package of which all is looked at is the directory `.` within it.
                let name = name.unwrap_or(&made.range.file).replace("/./", "/");
                found.insert((name, made.range.line), made);
            }
        }
    }
    eprintln!("{}: {} datatypes {}", package.name, found.len(), package.note);
    Ok(found)
}

/// Visits the files with an extension below a path, or the one that it is.
fn walk(path: &Path, extension: &str, visit: &mut impl FnMut(&Path)) {
    let Ok(entries) = fs::read_dir(path) else {
        if path.is_file() {
            visit(path);
        }
        return;
    };
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink())) {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, extension, visit);
        } else if path.extension() == Some(OsStr::new(extension)) {
            visit(&path);
        }
    }
}

fn row(document: &mut String, file: &str, line: u32, made: &StructType, verdict: Option<&&str>) {
    let map = match &made.typemap {
        Some(map) => map.clone(),
        None if made.is_absolute => "addresses, for `MPI_BOTTOM`".to_owned(),
        None => "?".to_owned(),
    };
    let structs: Vec<String> =
        made.structs.iter().map(|(name, layout)| format!("`{name}`: {layout}")).collect();
    let said = match (&made.typemap, &made.structs[..], &made.problems[..]) {
        (_, _, [first, ..]) => first.clone(),
        (Some(_), [_, ..], []) => "right".to_owned(),
        _ => "nothing to compare".to_owned(),
    };
    let _ = writeln!(
        document,
        "| {file}:{line} `{}`, `{}` | {} | {} | {} | {} |",
        made.function,
        made.constructor,
        cell(&map),
        cell(&structs.join("<br>")),
        cell(&said),
        cell(verdict.copied().unwrap_or("")),
    );
}

/// Text that ends no cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What was made out by hand, by file and function: lines `FILE FUNCTION: VERDICT`.
fn verdicts() -> BTreeMap<(&'static str, &'static str), &'static str> {
    let lines = include_str!("verdicts.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| {
            let (place, verdict) = line.split_once(": ")?;
            Some((place.split_once(' ')?, verdict))
        })
        .collect()
}
