//! `mpitypes.h` and `mpitypes.c`: functions that build an MPI datatype for each struct.
//!
//! A datatype has a block for each run of members of one type, in their order, and the extent of the struct, so that
//! arrays of it are right. Padding is not transferred. Needs C11 and MPI-3.0.

use std::fmt::Write as _;

use super::{Description, Kind, RecordId, StructError};
use crate::basic::Basic;

/// What `mpitypes.h` contains. `made_by` is a line for the comment at its top.
#[must_use]
pub fn header(structs: &Description, made_by: &str) -> String {
    let mut text = format!(
        "/* {made_by} */\n#ifndef MPITYPES_H\n#define MPITYPES_H\n\n#include <mpi.h>\n{}\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         /* Datatypes of structs, to be used between Build_MPI_Types and Free_MPI_Types. */\n",
        structs.includes()
    );
    for &id in &structs.selected {
        let record = structs.record(id);
        let left_out = structs.leaves_out(id);
        let note = if left_out {
            ", without its pointers, its handles of MPI and what else is marked opaque or has no length"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "extern MPI_Datatype AutoMap_{}; /* {}{note} */",
            record.name,
            record.c_type.as_deref().unwrap_or(&record.name)
        );
    }
    text.push_str(
        "\n/* Builds and commits all of them; call it after MPI_Init. The result is MPI_SUCCESS or an error of MPI, and then none\n   \
         is built. What is built already stays. */\nint Build_MPI_Types(void);\n\n\
         /* Frees all of them; call it before MPI_Finalize. */\nint Free_MPI_Types(void);\n\n\
         #ifdef __cplusplus\n}\n#endif\n\n#endif\n",
    );
    text
}

/// What `mpitypes.c` contains. `made_by` is a line for the comment at its top.
///
/// # Errors
///
/// If an array has more elements than an `int` can say, or an offset can neither be named nor be known.
pub fn source(structs: &Description, made_by: &str) -> Result<String, StructError> {
    let mut text = format!(
        "/* {made_by} */\n#include \"mpitypes.h\"\n\n#include <stddef.h>\n\n\
         /* Another ABI than the one that this was generated for is an error here, not garbage at the receiver. */\n"
    );
    for id in structs.with_inner(structs.selected.iter().copied()) {
        text.push_str(&structs.assertions(id, "mpitypes.c"));
    }
    text.push('\n');
    for &id in &structs.selected {
        let _ = writeln!(text, "MPI_Datatype AutoMap_{} = MPI_DATATYPE_NULL;", structs.record(id).name);
    }

    let built = built(structs);
    let types = built.iter().map(|&id| Ok((id, blocks(structs, id)?))).collect::<Result<Vec<_>, _>>()?;
    let elements: Vec<RecordId> = built.iter().copied().filter(|id| !structs.selected.contains(id)).collect();
    if !elements.is_empty() {
        text.push_str("\n/* Elements of arrays within them. */\n");
        for &id in &elements {
            let _ = writeln!(text, "static MPI_Datatype {} = MPI_DATATYPE_NULL;", handle(structs, id));
        }
    }
    let most = types.iter().map(|(_, blocks)| blocks.len()).max().unwrap_or(0).max(1);
    let _ = write!(text, "\nenum {{ AUTOMAP_MOST_BLOCKS = {most} }};\n{CREATE}");
    for (id, blocks) in &types {
        text.push_str(&function(structs, *id, blocks));
    }

    text.push_str("\nint Build_MPI_Types(void)\n{\n    int error = MPI_SUCCESS;\n\n");
    for &id in &built {
        let name = handle(structs, id);
        let _ = writeln!(
            text,
            "    if (error == MPI_SUCCESS && {name} == MPI_DATATYPE_NULL) error = automap_create_{}(&{name});",
            structs.record(id).name
        );
    }
    for &id in &elements {
        let name = handle(structs, id);
        let _ = writeln!(text, "    if ({name} != MPI_DATATYPE_NULL) MPI_Type_free(&{name});");
    }
    text.push_str(
        "    if (error != MPI_SUCCESS) Free_MPI_Types();\n    return error;\n}\n\n\
         int Free_MPI_Types(void)\n{\n    int error = MPI_SUCCESS;\n\n",
    );
    for &id in &structs.selected {
        let name = handle(structs, id);
        let _ = writeln!(
            text,
            "    if (error == MPI_SUCCESS && {name} != MPI_DATATYPE_NULL) error = MPI_Type_free(&{name});"
        );
    }
    text.push_str("    return error;\n}\n");
    Ok(text)
}

/// The C function that all datatypes are built by. The header of the user may have any names; no names of the file are like those that
/// people use.
const CREATE: &str = "
typedef struct {
    int length; /* in elements */
    MPI_Aint displacement;
    MPI_Datatype type;
} automap_block;

/* A committed datatype of these blocks with the extent of the struct, so that arrays of it are right. */
static int automap_create(int count, const automap_block blocks[], MPI_Aint extent, MPI_Datatype *type)
{
    int lengths[AUTOMAP_MOST_BLOCKS], i, error;
    MPI_Aint displacements[AUTOMAP_MOST_BLOCKS];
    MPI_Datatype types[AUTOMAP_MOST_BLOCKS], members = MPI_DATATYPE_NULL;

    for (i = 0; i < count; i++) {
        lengths[i] = blocks[i].length;
        displacements[i] = blocks[i].displacement;
        types[i] = blocks[i].type;
    }
    error = MPI_Type_create_struct(count, lengths, displacements, types, &members);
    if (error == MPI_SUCCESS) error = MPI_Type_create_resized(members, 0, extent, type);
    if (error == MPI_SUCCESS) error = MPI_Type_commit(type);
    if (members != MPI_DATATYPE_NULL) MPI_Type_free(&members);
    return error;
}
";

/// The variable with the datatype of a struct.
pub(super) fn handle(structs: &Description, id: RecordId) -> String {
    let prefix = if structs.selected.contains(&id) { "AutoMap" } else { "automap_element" };
    format!("{prefix}_{}", structs.record(id).name)
}

/// Elements that lie side by side.
pub(super) struct Block {
    pub(super) length: u64,
    /// End in bytes.
    end: u64,
    /// Offset as C code.
    pub(super) displacement: String,
    /// MPI's name of the type, or the variable with it.
    pub(super) datatype: String,
    /// The members in it.
    members: Vec<String>,
}

impl Block {
    /// A comment with its members, where the displacement does not say the same.
    pub(super) fn remark(&self) -> String {
        match &self.members[..] {
            [one] if self.displacement.ends_with(&format!(" {one})")) => String::new(),
            [.., last] if self.members.len() > 6 => format!(" /* {} to {last} */", self.members[0]),
            members => format!(" /* {} */", members.join(", ")),
        }
    }
}

/// The structs that get a datatype: those selected and what arrays in them are made of, inner ones first.
pub(super) fn built(structs: &Description) -> Vec<RecordId> {
    fn add(structs: &Description, id: RecordId, all: &mut Vec<RecordId>) {
        if all.contains(&id) {
            return;
        }
        for leaf in structs.leaves(id) {
            if let Kind::Record(inner) = leaf.member.kind
                && structs.uniform(inner).is_none()
            {
                add(structs, inner, all);
            }
        }
        all.push(id);
    }
    let mut all = Vec::new();
    for &id in &structs.selected {
        add(structs, id, &mut all);
    }
    all
}

pub(super) fn blocks(structs: &Description, id: RecordId) -> Result<Vec<Block>, StructError> {
    let record = structs.record(id);
    let fixed = structs.is_fixed(id);
    let nameless = |member: String| StructError::Nameless { record: record.name.clone(), member };
    if !fixed && record.c_type.is_none() {
        return Err(nameless(record.name.clone()));
    }
    let mut blocks: Vec<Block> = Vec::new();
    for leaf in structs.leaves(id) {
        let (datatype, length) = match leaf.member.kind {
            Kind::Basic(basic) => (basic.name().to_owned(), leaf.member.count()),
            Kind::Bytes => (Basic::Byte.name().to_owned(), leaf.member.size),
            Kind::Record(inner) => match structs.uniform(inner) {
                Some((basic, each)) => (basic.name().to_owned(), each.saturating_mul(leaf.member.count())),
                None => (handle(structs, inner), leaf.member.count()),
            },
            Kind::Link(_) | Kind::LeftOut => continue,
        };
        if length == 0 {
            continue;
        }
        if !fixed && leaf.designator.is_none() {
            return Err(nameless(leaf.title()));
        }
        let mut length_in_all = length;
        let mut merged = false;
        // What lies side by side in one layout need not do so in another.
        if fixed
            && let Some(last) = blocks.last_mut()
            && last.datatype == datatype
            && last.end == leaf.offset
        {
            last.length = last.length.saturating_add(length);
            last.end = leaf.offset + leaf.member.size;
            last.members.push(leaf.title());
            length_in_all = last.length;
            merged = true;
        }
        if i32::try_from(length_in_all).is_err() {
            let record = record.name.clone();
            return Err(StructError::TooMany { record, member: leaf.title(), count: length_in_all });
        }
        if !merged {
            blocks.push(Block {
                length,
                end: leaf.offset + leaf.member.size,
                displacement: leaf.offset_in(record.c_type.as_deref()),
                datatype,
                members: vec![leaf.title()],
            });
        }
    }
    Ok(blocks)
}

fn function(structs: &Description, id: RecordId, blocks: &[Block]) -> String {
    let record = structs.record(id);
    let mut text = format!("\nstatic int automap_create_{}(MPI_Datatype *type)\n{{\n", record.name);
    let list = if blocks.is_empty() {
        "NULL"
    } else {
        text.push_str("    const automap_block blocks[] = {\n");
        for block in blocks {
            let _ = writeln!(
                text,
                "        {{{}, {}, {}}},{}",
                block.length,
                block.displacement,
                block.datatype,
                block.remark()
            );
        }
        text.push_str("    };\n\n");
        "blocks"
    };
    let size = match &record.c_type {
        Some(c_type) => format!("sizeof({c_type})"),
        None => record.size.to_string(),
    };
    let _ = write!(text, "    return automap_create({}, {list}, {size}, type);\n}}\n", blocks.len());
    text
}
