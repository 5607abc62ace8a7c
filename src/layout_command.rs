//! `anyrank layout`: data layouts as MPI datatypes.

use std::fs;
use std::io::{self, Read as _};

use layout::dag::Dag;
use layout::dataloop::{self, Dataloop};
use layout::libraries::{self, Library, extent_in};
use layout::normalize::{Normalization, Way, normalize};
use layout::reconstruct::{Constructors, Options, reconstruct_displacements};
use layout::{Basic, Constructor, CostModel, Datatype, Layout, Tree, Typemap, describe, emit, read};
use serde_json::{Value, json};

use crate::cli::layout::{
    Layout as LayoutOptions, LayoutCode, LayoutCommand, LayoutFormat, LayoutSearch, Normalize, Reconstruct,
    Show,
};
use crate::exit::{Exit, Failure};
use crate::output;

/// The C function that is printed.
const FUNCTION: &str = "create_layout_type";

/// What the C functions that pack and unpack begin with.
const PACKING: &str = "layout";

/// A datatype of more elements is shown without its typemap, and not looked at for overlaps.
const TYPEMAP: usize = 1 << 16;

/// Does what `anyrank layout` is asked for.
pub(crate) fn run(options: &LayoutOptions) -> Result<Exit, Failure> {
    let (text, printing) = match &options.command {
        LayoutCommand::Reconstruct(options) => (reconstruct(options)?, &options.printing),
        LayoutCommand::Normalize(options) => (normalized(options)?, &options.printing),
        LayoutCommand::Show(options) => (show(options)?, &options.printing),
    };
    output::write_bytes(text.as_bytes(), printing.output.as_deref())?;
    Ok(Exit::Clean)
}

fn reconstruct(options: &Reconstruct) -> Result<String, Failure> {
    let basic = Basic::named(&options.basic).ok_or_else(|| unknown_type(&options.basic))?;
    let displacements = displacements(&options.displacements)?;
    let search = search(&options.search);
    let found = reconstruct_displacements(&displacements, basic, &search).map_err(failure)?;
    let code = code(&Datatype::of_tree(&found.tree).map_err(failure)?)?;
    Ok(match options.printing.format {
        LayoutFormat::Text => {
            let tree = found.tree.in_units_of(basic.size());
            format!(
                "{tree}\ncost {} ({}) for {} elements of {}; displacements are elements\n{}",
                found.cost,
                quality(&search, found.optimal, found.lower_bound, MORE_MEMORY),
                displacements.len(),
                basic.name(),
                folded(&tree, &search.cost)
            )
        }
        LayoutFormat::Json => {
            let tree = found.tree.in_units_of(basic.size());
            let answer = json!({
                "elements": displacements.len(),
                "cost": found.cost,
                "tree": tree,
                "optimal": found.optimal,
                "lower_bound": found.lower_bound,
                "dag": dag(&tree, &search.cost),
                "type": basic.name(),
                "c": code,
            });
            format!("{answer}\n")
        }
        LayoutFormat::C => with_header(&code),
    })
}

fn normalized(options: &Normalize) -> Result<String, Failure> {
    let (_, given) = datatype(&options.datatype)?;
    let search = search(&options.search);
    let found = normalize(&given.tree, &search, !options.no_flatten).map_err(failure)?;
    let layout = Layout { tree: found.tree.clone(), bounds: given.bounds };
    let datatype = layout.datatype().map_err(failure)?;
    let code = code(&datatype)?;
    Ok(match options.printing.format {
        LayoutFormat::Text => {
            let Normalization { tree, cost, given_cost, .. } = &found;
            let hint = if options.no_flatten { "flattening may find a cheaper one" } else { MORE_MEMORY };
            format!(
                "{tree:#}\ncost {cost} ({}), before {given_cost}; {}; displacements are bytes\n{}the same as {datatype}\n",
                quality(&search, found.optimal, found.lower_bound, hint),
                way(found.way).1,
                folded(tree, &search.cost)
            )
        }
        LayoutFormat::Json => {
            let mut answer = bounds(&layout);
            let more = json!({
                "tree": found.tree,
                "cost": found.cost,
                "given_cost": found.given_cost,
                "dag": dag(&found.tree, &search.cost),
                "way": way(found.way).0,
                "optimal": found.optimal,
                "lower_bound": found.lower_bound,
                "datatype": datatype,
                "c": code,
            });
            extend(&mut answer, more);
            format!("{answer}\n")
        }
        LayoutFormat::C => with_header(&code),
    })
}

fn show(options: &Show) -> Result<String, Failure> {
    let (datatype, layout) = datatype(&options.datatype)?;
    if options.emit == Some(LayoutCode::CPack) {
        let dataloop = Dataloop::of_layout(&layout).map_err(failure)?;
        return Ok(dataloop::c_pack(&dataloop, PACKING));
    }
    let code = code(&datatype)?;
    let libraries = libraries(&datatype, &layout);
    let cost = options.cost.model();
    let typemap = (layout.bounds.elements <= TYPEMAP).then(|| Typemap::of_layout(&layout));
    let overlap = typemap.as_ref().and_then(Typemap::overlap);
    let is_other = |found: &Constructor| Datatype::from(found.clone()) != datatype;
    let array = layout.subarray().filter(is_other);
    // Where nothing sets the bounds, they are those of the elements, and no array around them is meant.
    let distributed = layout.bounds.set.then(|| layout.darray()).flatten().filter(is_other);
    let copy = layout.dup().filter(|copy| is_other(copy) && !matches!(datatype, Datatype::Basic(_)));
    Ok(match (options.emit, options.printing.format) {
        (Some(_), _) | (None, LayoutFormat::C) => with_header(&code),
        (None, LayoutFormat::Text) => {
            let b = &layout.bounds;
            // A process that has a box of an array has, as a rule, a block of it, which says nothing new.
            let same = copy.or(array).or(distributed);
            let same = same.map_or_else(String::new, |same| format!("the same as {same}\n"));
            let overlap = overlap.map_or_else(String::new, |(a, b)| {
                let (a, b) = (a.displacement, b.displacement);
                format!("the elements at {a} and {b} overlap: nothing must be received into this datatype\n")
            });
            format!(
                "{:#}\nsize {}, lower bound {}, extent {}, true lower bound {}, true extent {} bytes\n{libraries}{}: {}\n\
                 cost {}\n{}{overlap}{same}{}",
                layout.tree,
                b.size,
                b.lower,
                b.extent(),
                b.true_lower,
                b.true_extent(),
                elements(b.elements),
                describe::signature(&layout.tree),
                cost.of(&layout.tree),
                folded(&layout.tree, &cost),
                describe::picture(&layout),
            )
        }
        (None, LayoutFormat::Json) => {
            let mut answer = bounds(&layout);
            let more = json!({
                "signature": describe::signature(&layout.tree),
                "tree": layout.tree,
                "cost": cost.of(&layout.tree),
                "dag": dag(&layout.tree, &cost),
                "datatype": datatype,
                "subarray": array,
                "darray": distributed,
                "dup": copy,
                "typemap": typemap.map(|map| map.elements),
                "overlap": overlap.map(|(a, b)| [a, b]),
                "c": code,
            });
            extend(&mut answer, more);
            extend(&mut answer, in_libraries(&datatype));
            format!("{answer}\n")
        }
    })
}

/// The C function for a datatype, built so that MPI libraries agree about its bounds.
fn code(datatype: &Datatype) -> Result<String, Failure> {
    let agreed = libraries::agreed(datatype).map_err(failure)?;
    emit::c_function_of(&agreed, FUNCTION).map_err(failure)
}

/// Which libraries give a datatype other bounds than the standard does, for people; empty if none is known to.
fn libraries(datatype: &Datatype, layout: &Layout) -> String {
    let wanted = (layout.bounds.lower, layout.bounds.extent());
    let others: Vec<String> = Library::ALL
        .into_iter()
        .filter_map(|library| Some((library, extent_in(library, datatype)?)))
        .filter(|(_, found)| *found != wanted)
        .map(|(library, (lower, extent))| format!("{}: lower bound {lower}, extent {extent}", library.name()))
        .collect();
    if others.is_empty() {
        let is_changed = libraries::agreed(datatype).ok() != datatype.without_trees().ok();
        return if is_changed {
            "libraries leave the standard about bounds of its parts; the C code sets them, so that all agree\n".to_owned()
        } else {
            String::new()
        };
    }
    format!(
        "built like this, libraries leave the standard ({}); the C code sets the bounds, so that all agree\n",
        others.join("; ")
    )
}

/// The bounds that libraries give a datatype, for scripts.
fn in_libraries(datatype: &Datatype) -> Value {
    let of = |library| {
        extent_in(library, datatype).map(|(lower, extent)| json!({ "lower_bound": lower, "extent": extent }))
    };
    json!({ "libraries": { "mpich": of(Library::Mpich), "openmpi": of(Library::OpenMpi) } })
}

/// The fields that say how large a layout is.
fn bounds(layout: &Layout) -> Value {
    let b = &layout.bounds;
    json!({
        "elements": b.elements,
        "size": b.size,
        "lower_bound": b.lower,
        "extent": b.extent(),
        "true_lower_bound": b.true_lower,
        "true_extent": b.true_extent(),
    })
}

/// Adds fields to an object.
fn extend(answer: &mut Value, more: Value) {
    if let (Value::Object(answer), Value::Object(more)) = (answer, more) {
        answer.extend(more);
    }
}

fn elements(count: usize) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}

fn search(options: &LayoutSearch) -> Options {
    Options {
        cost: options.cost.model(),
        constructors: match (options.without_strc, options.buckets) {
            (true, _) => Constructors::Homogeneous,
            (false, false) => Constructors::Basic,
            (false, true) => Constructors::Extended,
        },
        memory_limit: options.memory_limit.saturating_mul(1 << 20),
    }
}

fn failure(error: impl ToString) -> Failure {
    Failure::new(error.to_string())
}

fn with_header(code: &str) -> String {
    format!("#include <mpi.h>\n\n{code}")
}

/// How a tree was normalised, for scripts and for people.
fn way(way: Way) -> (&'static str, &'static str) {
    match way {
        Way::Flattened => ("flattened", "found by flattening"),
        Way::Structural => ("structural", "found without flattening: no tree without strc costs less"),
        Way::Partly => {
            ("partly", "found by flattening nothing but short nodes with several children or buckets")
        }
    }
}

/// The graph of a tree, for people, if it costs less.
fn folded(tree: &Tree, model: &CostModel) -> String {
    let dag = Dag::fold(tree);
    let cost = dag.cost(model);
    if cost < model.of(tree) {
        format!("cost {cost} where subtrees that are the same are kept once:\n{dag:#}\n")
    } else {
        String::new()
    }
}

/// The graph of a tree, for scripts.
fn dag(tree: &Tree, model: &CostModel) -> Value {
    let dag = Dag::fold(tree);
    let mut answer = json!({ "cost": dag.cost(model) });
    extend(&mut answer, json!(dag));
    answer
}

/// What may help where a tree need not be the cheapest.
const MORE_MEMORY: &str = "a greater --memory-limit may find a cheaper one";

fn quality(search: &Options, optimal: bool, lower_bound: u64, hint: &str) -> String {
    if !optimal {
        return format!("every tree costs at least {lower_bound}; {hint}");
    }
    let nodes = match search.constructors {
        Constructors::Homogeneous => "con, vec and idx",
        Constructors::Basic => "con, vec, idx and strc",
        Constructors::Extended => "con, vec, idx, strc, vecbuc and idxbuc",
    };
    format!("no tree of {nodes} costs less")
}

/// Reads a datatype: an expression or JSON, `@FILE` or `-`.
fn datatype(argument: &str) -> Result<(Datatype, Layout), Failure> {
    let (text, from) = if argument == "-" {
        (standard_input()?, "standard input")
    } else if let Some(file) = argument.strip_prefix('@') {
        (file_text(file)?, file)
    } else {
        (argument.to_owned(), "the command line")
    };
    let datatype = read::datatype(&text).map_err(|error| Failure::new(format!("{from}, {error}")))?;
    let layout = datatype.layout().map_err(failure)?;
    Ok((datatype, layout))
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    read.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
    Ok(text)
}

fn file_text(file: &str) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|error| Failure::new(format!("cannot read {file}: {error}")))
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
            numbers(&standard_input()?, "standard input", &mut all)?;
        } else if let Some(file) = argument.strip_prefix('@') {
            numbers(&file_text(file)?, file, &mut all)?;
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
