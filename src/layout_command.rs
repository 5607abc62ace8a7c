//! `anyrank layout`: data layouts as MPI datatypes.

use std::fs;
use std::io::{self, Read as _};

use layout::reconstruct::{Constructors, Options, Reconstruction, reconstruct_displacements};
use layout::{Basic, CostModel, emit};
use serde_json::json;

use crate::cli::{Layout, LayoutCommand, LayoutFormat, Reconstruct};
use crate::exit::{Exit, Failure};
use crate::output;

/// The C function that is printed.
const FUNCTION: &str = "create_layout_type";

/// Does what `anyrank layout` is asked for.
pub(crate) fn run(options: &Layout) -> Result<Exit, Failure> {
    match &options.command {
        LayoutCommand::Reconstruct(options) => reconstruct(options),
    }
}

fn reconstruct(options: &Reconstruct) -> Result<Exit, Failure> {
    let basic = Basic::named(&options.basic).ok_or_else(|| unknown_type(&options.basic))?;
    let displacements = displacements(&options.displacements)?;
    let search = Options {
        cost: CostModel::uniform(options.node_cost, options.lookup_cost),
        constructors: if options.buckets { Constructors::Extended } else { Constructors::Basic },
        memory_limit: options.memory_limit.saturating_mul(1 << 20),
    };
    let found = reconstruct_displacements(&displacements, basic, &search)
        .map_err(|error| Failure::new(error.to_string()))?;
    let code = emit::c_function(&found.tree, FUNCTION).map_err(|error| Failure::new(error.to_string()))?;
    let text = match options.format {
        LayoutFormat::Text => text(&displacements, basic, &found),
        LayoutFormat::Json => {
            let answer = json!({
                "elements": displacements.len(),
                "cost": found.cost,
                "tree": found.tree.in_units_of(basic.size()),
                "optimal": found.optimal,
                "lower_bound": found.lower_bound,
                "type": basic.name(),
                "c": code,
            });
            format!("{answer}\n")
        }
        LayoutFormat::C => format!("#include <mpi.h>\n\n{code}"),
    };
    output::write_bytes(text.as_bytes(), options.output.as_deref())?;
    Ok(Exit::Clean)
}

fn text(displacements: &[i64], basic: Basic, found: &Reconstruction) -> String {
    let quality = if found.optimal {
        "no tree costs less".to_owned()
    } else {
        format!(
            "every tree costs at least {}; a greater --memory-limit may find a cheaper one",
            found.lower_bound
        )
    };
    format!(
        "{}\ncost {} ({quality}) for {} elements of {}; displacements are elements\n",
        found.tree.in_units_of(basic.size()),
        found.cost,
        displacements.len(),
        basic.name(),
    )
}

fn unknown_type(name: &str) -> Failure {
    let known: Vec<&str> = Basic::all().map(Basic::name).collect();
    Failure::new(format!("`{name}` is not a predefined datatype; known are {}", known.join(", ")))
}

/// Reads all arguments: numbers, `@FILE` and `-`.
fn displacements(arguments: &[String]) -> Result<Vec<i64>, Failure> {
    let mut all = Vec::new();
    for argument in arguments {
        if argument == "-" {
            let mut text = String::new();
            let read = io::stdin().read_to_string(&mut text);
            read.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
            numbers(&text, "standard input", &mut all)?;
        } else if let Some(file) = argument.strip_prefix('@') {
            let text = fs::read_to_string(file)
                .map_err(|error| Failure::new(format!("cannot read {file}: {error}")))?;
            numbers(&text, file, &mut all)?;
        } else {
            numbers(argument, "the command line", &mut all)?;
        }
    }
    Ok(all)
}

fn numbers(text: &str, from: &str, all: &mut Vec<i64>) -> Result<(), Failure> {
    for (line, content) in (1..).zip(text.lines()) {
        for word in content.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
            let number = word.parse().map_err(|_| {
                let place =
                    if text.contains('\n') { format!("{from}, line {line}") } else { from.to_owned() };
                Failure::new(format!(
                    "{place}: `{}` is not a displacement; whole numbers are expected",
                    word.escape_debug()
                ))
            })?;
            all.push(number);
        }
    }
    Ok(())
}
