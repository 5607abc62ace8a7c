//! One C function that builds the datatype of one struct, for a file in which the struct is known already.
//!
//! The blocks, their offsets and the assertions are those of [`automap`](super::automap); but the function needs nothing else of the file
//! than `<mpi.h>` and `<stddef.h>`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::automap::{Block, blocks, built, handle};
use super::{Description, RecordId, StructError};

/// A C function `int NAME(MPI_Datatype *type)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builder {
    /// Its name.
    pub name: String,
    /// Its definition, with assertions before it and functions for elements of arrays in the struct. It ends with a line break.
    pub text: String,
}

/// A function that stores a committed datatype of a struct, with the extent of the struct, and returns an error code of MPI. `fresh` makes
/// names that the file does not have yet. `None` for a struct of which nothing can be sent.
///
/// # Errors
///
/// If an array has more elements than an `int` can say.
pub fn builder(
    structs: &Description,
    id: RecordId,
    fresh: impl Fn(&str) -> String,
) -> Result<Option<Builder>, StructError> {
    let only = Description { selected: vec![id], ..structs.clone() };
    let mut text = String::new();
    for inner in only.with_inner([id]) {
        text.push_str(&only.assertions(inner, "this code"));
    }
    let mut names: BTreeMap<RecordId, String> = BTreeMap::new();
    for of in built(&only) {
        let blocks = blocks(&only, of)?;
        if blocks.is_empty() {
            return Ok(None);
        }
        let name = fresh(&format!("automap_create_{}", only.record(of).name));
        text.push('\n');
        text.push_str(&function(&only, of, &name, &blocks, &names));
        names.insert(of, name);
    }
    Ok(names.remove(&id).map(|name| Builder { name, text }))
}

fn function(
    structs: &Description,
    id: RecordId,
    name: &str,
    blocks: &[Block],
    names: &BTreeMap<RecordId, String>,
) -> String {
    let record = structs.record(id);
    let of = record.c_type.as_deref().unwrap_or(&record.name);
    let mut text = format!(
        "/* Stores the datatype of {of}, committed. Its extent is the size, so that arrays of it are right. */\n\
         static int {name}(MPI_Datatype *type)\n{{\n"
    );
    // What arrays in the struct are made of.
    let elements: Vec<(String, &String)> = names
        .iter()
        .map(|(&element, create)| (handle(structs, element), create))
        .filter(|(variable, _)| blocks.iter().any(|block| block.datatype == *variable))
        .collect();
    for (variable, _) in &elements {
        let _ = writeln!(text, "    MPI_Datatype {variable} = MPI_DATATYPE_NULL;");
    }
    text.push_str("    MPI_Datatype members = MPI_DATATYPE_NULL;\n");
    let of_all = |part: fn(&Block) -> String| blocks.iter().map(part).collect::<Vec<_>>();
    let _ = writeln!(
        text,
        "    const int lengths[] = {{{}}};",
        of_all(|block| block.length.to_string()).join(", ")
    );
    text.push_str("    const MPI_Aint displacements[] = {\n");
    for block in blocks {
        let _ = writeln!(text, "        {},{}", block.displacement, block.remark());
    }
    text.push_str("    };\n");
    let types = of_all(|block| block.datatype.clone()).join(", ");
    let create = format!("MPI_Type_create_struct({}, lengths, displacements, types, &members)", blocks.len());
    if elements.is_empty() {
        let _ = writeln!(text, "    const MPI_Datatype types[] = {{{types}}};\n    int error = {create};\n");
    } else {
        text.push_str("    int error = MPI_SUCCESS;\n\n");
        for (variable, create) in &elements {
            let _ = writeln!(text, "    if (error == MPI_SUCCESS) error = {create}(&{variable});");
        }
        let _ = writeln!(
            text,
            "    if (error == MPI_SUCCESS) {{\n        const MPI_Datatype types[] = {{{types}}};\n        error = {create};\n    }}"
        );
    }
    let size = match &record.c_type {
        Some(c_type) => format!("sizeof({c_type})"),
        None => record.size.to_string(),
    };
    let _ = writeln!(
        text,
        "    if (error == MPI_SUCCESS) error = MPI_Type_create_resized(members, 0, {size}, type);\n    \
         if (error == MPI_SUCCESS) error = MPI_Type_commit(type);\n    \
         if (members != MPI_DATATYPE_NULL) MPI_Type_free(&members);"
    );
    for (variable, _) in &elements {
        let _ = writeln!(text, "    if ({variable} != MPI_DATATYPE_NULL) MPI_Type_free(&{variable});");
    }
    text.push_str("    return error;\n}\n");
    text
}
