//! The datatype of what a loop copies, as statements that build it.

use analyzer::results::Edit;
use tree_sitter::Node;

use super::super::places::{Level, ListWalk, Walk};
use super::super::scope::Scope;
use super::super::sum::Sum;

/// How elements that a loop goes through are given to one call.
pub(super) struct Described {
    /// What builds and commits the datatype; nothing where the elements lie side by side.
    pub(super) built: Vec<String>,
    /// What frees it.
    pub(super) freed: Option<String>,
    /// Count and datatype for the call.
    pub(super) count: String,
    pub(super) datatype: String,
    /// The constructor of the outermost level.
    pub(super) constructor: Option<&'static str>,
}

impl Described {
    /// The arguments of a call from buffer to datatype, which follow one another.
    pub(super) fn passed<'t>(
        &self,
        scope: &Scope<'t>,
        (buffer, datatype): (Node<'t>, Node<'t>),
        address: &str,
    ) -> Edit {
        let bytes = buffer.start_byte()..datatype.end_byte();
        scope.file.replace(bytes, format!("{address}, {}, {}", self.count, self.datatype))
    }

    /// Whether another datatype is the same one, whatever it is called.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.constructor.is_none() && other.constructor.is_none() && self.count == other.count
            || self.is_same(other)
    }

    /// What builds it as a part of another one.
    pub(super) fn uncommitted(&self) -> impl Iterator<Item = String> {
        self.built.iter().filter(|line| **line != commit(&self.datatype)).cloned()
    }

    /// Whether another datatype, apart from its name, is built in the same way.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let texts = |described: &Self| -> Vec<String> {
            let built = described.built.iter().skip(1);
            built.map(|line| line.replace(&described.datatype, "")).collect()
        };
        // A part has a name of its own.
        self.built.len() == 3 && texts(self) == texts(other)
    }
}

impl ListWalk<'_> {
    /// As [`Walk::described`]: the list of the program is the one of the datatype.
    pub(super) fn described(
        &self,
        scope: &Scope<'_>,
        (basic, c_type): (&str, &str),
        name: &str,
    ) -> Option<Described> {
        let list = scope.text(self.list.name);
        let indices = match self.first.to_string().as_str() {
            "0" => list.to_owned(),
            first => format!("&{list}[{first}]"),
        };
        let datatype = scope.fresh(&format!("{name}_type"));
        let part = scope.fresh(&format!("{name}_part"));
        let (is_single, is_dense) =
            (self.block.equals(scope, &Sum::number(1)), self.block.equals(scope, &self.stride));
        let indexed = |of: &str| {
            format!("MPI_Type_create_indexed_block({}, 1, {indices}, {of}, &{datatype});", self.count)
        };
        let declared = if is_single && is_dense {
            vec![format!("MPI_Datatype {datatype};"), indexed(basic)]
        } else {
            let made = match (is_dense, is_single) {
                (true, _) => format!("MPI_Type_contiguous({}, {basic}, &{part});", self.block),
                (false, true) => {
                    let apart = format!("(MPI_Aint)sizeof({c_type}) * {}", self.stride.factor());
                    format!("MPI_Type_create_resized({basic}, 0, {apart}, &{part});")
                }
                (false, false) => return None,
            };
            vec![format!("MPI_Datatype {part}, {datatype};"), made, indexed(&part)]
        };
        let mut built = declared;
        let has_part = built.len() == 3;
        built.push(commit(&datatype));
        if has_part {
            built.push(format!("MPI_Type_free(&{part});"));
        }
        Some(Described {
            built,
            freed: Some(format!("MPI_Type_free(&{datatype});")),
            count: "1".to_owned(),
            datatype,
            constructor: Some("MPI_Type_create_indexed_block"),
        })
    }
}

impl Walk {
    /// Elements of a predefined datatype and C type, with new names that begin with `name`; `None` for more levels than are readable.
    pub(super) fn described(
        &self,
        scope: &Scope<'_>,
        (basic, c_type): (&str, &str),
        name: &str,
    ) -> Option<Described> {
        let vector = |level: &Level, block: &Sum, new: &str| {
            let Level { count, stride } = level;
            format!("MPI_Type_vector({count}, {block}, {stride}, {basic}, &{new});")
        };
        let datatype = scope.fresh(&format!("{name}_type"));
        let commit = commit(&datatype);
        let freed = Some(format!("MPI_Type_free(&{datatype});"));
        let count = "1".to_owned();
        match self.levels.as_slice() {
            [only] if let Some(owner) = &self.owner => {
                let (count, stride) = (&only.count, &only.stride);
                let apart = match stride.equals(scope, &Sum::number(1)) {
                    true => format!("sizeof({owner})"),
                    false => format!("(MPI_Aint)sizeof({owner}) * {}", stride.factor()),
                };
                let built = vec![
                    format!("MPI_Datatype {datatype};"),
                    format!("MPI_Type_create_hvector({count}, 1, {apart}, {basic}, &{datatype});"),
                    commit,
                ];
                let constructor = Some("MPI_Type_create_hvector");
                Some(Described { built, freed, count: "1".to_owned(), datatype, constructor })
            }
            [_, ..] if self.owner.is_some() => None,
            [] => Some(Described {
                built: Vec::new(),
                freed: None,
                count: self.block.to_string(),
                datatype: basic.to_owned(),
                constructor: None,
            }),
            [one] => {
                let declared = format!("MPI_Datatype {datatype};");
                let built = vec![declared, vector(one, &self.block, &datatype), commit];
                Some(Described { built, freed, count, datatype, constructor: Some("MPI_Type_vector") })
            }
            [outer, inner] => {
                let part = scope.fresh(&format!("{name}_part"));
                let stride = outer.stride.factor();
                // The negative of an unsigned number is a large one.
                let sign = if stride.contains('-') { "(int)" } else { "" };
                let apart = format!("(MPI_Aint)sizeof({c_type}) * {sign}{stride}");
                let built = vec![
                    format!("MPI_Datatype {part}, {datatype};"),
                    vector(inner, &self.block, &part),
                    format!("MPI_Type_create_hvector({}, 1, {apart}, {part}, &{datatype});", outer.count),
                    commit,
                    format!("MPI_Type_free(&{part});"),
                ];
                let constructor = Some("MPI_Type_create_hvector");
                Some(Described { built, freed, count, datatype, constructor })
            }
            _ => None,
        }
    }
}

/// The call that makes a datatype ready for messages.
pub(super) fn commit(datatype: &str) -> String {
    format!("MPI_Type_commit(&{datatype});")
}
