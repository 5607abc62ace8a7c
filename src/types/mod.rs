//! `anyrank types`: MPI datatypes for the structs of a header (AutoMap), and tables by which linked ones are
//! transferred (AutoLink).
//!
//! After Goujon, Michel, Peeters, Devaney, *AutoMap & AutoLink* (CANPC'98). The frontend reads the header, crate
//! `layout` writes the C.

mod forgotten;
mod header;
mod invalid;
mod marks;
mod resolve;
mod scan;
mod trouble;
mod write;

use frontend::config;
use frontend::preprocess::{self, MacroOption};
use frontend::programs::Programs;
use layout::c_struct::{autolink, automap};

use crate::cli::Types;
use crate::exit::{Exit, Failure};
use crate::output;
use header::{Header, Named};
use resolve::{Treatment, describe};
use trouble::{Place, Troubles};
use write::{Output, include_path};

/// Does what `anyrank types` is asked for. Nothing is written if anything is wrong; with `--all`, a struct with something wrong in it is
/// left out.
pub(crate) fn run(options: &Types) -> Result<Exit, Failure> {
    let mut troubles = Troubles::default();
    let files = generate(options, &mut troubles);
    for warning in &troubles.warnings {
        output::complain(&format!("warning: {warning}\n"));
    }
    let Some((last, others)) = troubles.errors.split_last() else {
        write::write(&options.output, &files.unwrap_or_default())?;
        return Ok(Exit::Clean);
    };
    for error in others {
        output::complain(&format!("error: {error}\n"));
    }
    Err(Failure::new(last.clone()))
}

/// The files to be written; what is wrong is in `troubles`.
fn generate(options: &Types, troubles: &mut Troubles) -> Option<Vec<Output>> {
    let mut request = preprocess::Request::new(&options.header);
    match config::user() {
        Ok(user) => {
            request.programs = Programs::outside([options.header.as_path()], &user.trusted_programs);
        }
        Err(error) => troubles.warnings.push(error.to_string()),
    }
    request.includes.clone_from(&options.include);
    request.macros.extend(options.define.iter().cloned().map(MacroOption::Define));
    let header = Header::read(&request, options.all, troubles)?;
    let file = Place { file: options.header.display().to_string(), line: None };
    let mut selected = select(options, &header, &file, troubles);
    if selected.is_empty() || !troubles.errors.is_empty() {
        return None;
    }
    let include = match include_path(&options.header, &options.output) {
        Ok(include) => include,
        Err(message) => {
            troubles.error(&file, message);
            return None;
        }
    };
    if options.all {
        selected = possible(options, &header, &include, selected, troubles);
        if selected.is_empty() {
            troubles.error(&file, "no struct is left of which a datatype can be written");
            return None;
        }
    }
    code(options, &header, &include, &selected, troubles)
}

/// The code for some structs; what is wrong is in `troubles`.
fn code(
    options: &Types,
    header: &Header,
    include: &str,
    selected: &[Named],
    troubles: &mut Troubles,
) -> Option<Vec<Output>> {
    let file = Place { file: options.header.display().to_string(), line: None };
    let treatment =
        Treatment { autolink: options.autolink, bit_fields_as_bytes: options.bit_fields_as_bytes };
    let structs = describe(header, include, selected, treatment, troubles);
    if !troubles.errors.is_empty() {
        return None;
    }
    let flag = if options.autolink { "--autolink " } else { "" };
    let name = options.header.file_name().unwrap_or_default().to_string_lossy().replace("*/", "* /");
    let made_by = format!(
        "{} {flag}{name}`: edit that file and run it again, instead of editing this one.",
        write::MADE_BY
    );
    let mut files = vec![Output::generated("mpitypes.h", automap::header(&structs, &made_by))];
    match automap::source(&structs, &made_by) {
        Ok(text) => files.push(Output::generated("mpitypes.c", text)),
        Err(error) => troubles.error(&file, error),
    }
    if options.autolink {
        match autolink::tables(&structs, &made_by) {
            Ok(tables) => {
                files.push(Output::generated("al_routines.h", tables.header));
                files.push(Output::generated("al_routines.c", tables.source));
            }
            Err(error) => troubles.error(&file, error),
        }
        files.extend(autolink_runtime::FILES.iter().map(Output::library));
    }
    Some(files)
}

/// Those of some structs for which there is code, each by itself. The others are left out, and a warning says which, and why.
fn possible(
    options: &Types,
    header: &Header,
    include: &str,
    structs: Vec<Named>,
    troubles: &mut Troubles,
) -> Vec<Named> {
    let mut possible: Vec<Named> = Vec::new();
    for named in structs {
        let mut own = Troubles::default();
        if possible.iter().any(|other| other.name == named.name) {
            let place = header.body_place(named.body);
            own.error(&place, format_args!("another struct is called `{}`, too", named.name));
        } else {
            code(options, header, include, std::slice::from_ref(&named), &mut own);
        }
        if own.errors.is_empty() {
            possible.push(named);
        } else {
            troubles.left_out(&named.name, &own);
        }
    }
    possible
}

/// The structs that are asked for, in the order of the header for marks and `--all`.
fn select(options: &Types, header: &Header, file: &Place, troubles: &mut Troubles) -> Vec<Named> {
    if options.all {
        let all = header.all();
        if all.is_empty() {
            troubles.error(file, "there is no struct with a name and members");
        }
        return all;
    }
    if options.structs.is_empty() {
        let marked = header.marked().to_vec();
        if marked.is_empty() && troubles.errors.is_empty() {
            troubles.error(
                file,
                "no struct is marked; mark one between /*~ AutoMap_Begin */ and /*~ AutoMap_End */ \
                 (typedef struct { ... } NAME /*~ AutoMap_TpUsed */;), or say --struct NAME or --all",
            );
        }
        return distinct(marked, file, troubles);
    }
    let mut selected: Vec<Named> = Vec::new();
    for name in &options.structs {
        match header.find(name) {
            Some(named) if header.is_union(named) => troubles.error(
                &header.body_place(named.body),
                format_args!("`{name}` is a union: nothing says which of its members is to be sent"),
            ),
            Some(named) if selected.iter().any(|other| other.record == named.record) => {}
            Some(named) => selected.push(named.clone()),
            None => {
                let known: Vec<String> = header.all().into_iter().map(|named| named.name).collect();
                let known = if known.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("it has {}", known.join(", "))
                };
                troubles.error(file, format_args!("there is no struct `{name}`; {known}"));
            }
        }
    }
    distinct(selected, file, troubles)
}

/// Two structs may not share a name, as `struct node` and another `node` in C may.
fn distinct(selected: Vec<Named>, file: &Place, troubles: &mut Troubles) -> Vec<Named> {
    for (index, named) in selected.iter().enumerate() {
        if selected[..index].iter().any(|other| other.name == named.name) {
            troubles
                .error(file, format_args!("two different structs are called `{}`; rename one", named.name));
        }
    }
    selected
}
