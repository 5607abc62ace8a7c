//! C code that builds, commits and returns the MPI datatype of a tree.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::tree::Tree;

/// Why there is no C code for a tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A count does not fit into the `int` that the constructors of MPI-3.1 take.
    #[error("a count of {0} is more than an int can hold, which MPI's constructors take")]
    TooMany(usize),
}

/// A C function `int NAME(MPI_Datatype *type)` that builds and commits the datatype of `tree`.
///
/// The function returns what the first call of MPI that fails returns, and frees what it has built then. Who calls it frees the datatype.
/// Subtrees that are the same are built once. Needs MPI-3.0 and `<mpi.h>`; extents are those that MPI gives the typemap, since a tree has
/// none of its own.
///
/// # Errors
///
/// If a count is too large.
pub fn c_function(tree: &Tree, name: &str) -> Result<String, EmitError> {
    let mut emitter = Emitter::default();
    let root = emitter.build(tree)?;
    let built = match root {
        Handle::Built(number) => number,
        // A predefined datatype must not be freed: a copy may be.
        Handle::Predefined(basic) => emitter.call(format_args!("MPI_Type_dup({basic}, ")),
    };
    Ok(emitter.function(name, built))
}

/// How C code names a datatype.
#[derive(Clone, Copy)]
enum Handle {
    Predefined(&'static str),
    Built(usize),
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Predefined(name) => f.write_str(name),
            Self::Built(number) => write!(f, "built[{number}]"),
        }
    }
}

#[derive(Default)]
struct Emitter<'a> {
    /// Arrays of numbers.
    lists: String,
    list_count: usize,
    /// Calls that build datatypes, each with the statements before it, in order.
    calls: Vec<(String, String)>,
    known: FxHashMap<&'a Tree, Handle>,
}

impl<'a> Emitter<'a> {
    fn build(&mut self, tree: &'a Tree) -> Result<Handle, EmitError> {
        if let Some(known) = self.known.get(tree) {
            return Ok(*known);
        }
        let handle = match tree {
            Tree::Con { count: 1, basic } => Handle::Predefined(basic.name()),
            Tree::Con { count, basic } => {
                let count = int(*count)?;
                Handle::Built(self.call(format_args!("MPI_Type_contiguous({count}, {}, ", basic.name())))
            }
            Tree::Vec { count, stride, child } => {
                let (count, child) = (int(*count)?, self.build(child)?);
                Handle::Built(
                    self.call(format_args!("MPI_Type_create_hvector({count}, 1, {stride}, {child}, ")),
                )
            }
            Tree::Idx { indices, child } => {
                let (count, child) = (int(indices.len())?, self.build(child)?);
                let list = self.list("MPI_Aint", indices.iter());
                Handle::Built(
                    self.call(format_args!("MPI_Type_create_hindexed_block({count}, 1, {list}, {child}, ")),
                )
            }
            Tree::Strc { indices, children } => self.structure(indices, children)?,
            Tree::VecBuc { stride, step, buckets, child } => {
                let indices: Vec<i64> = (0..buckets.len() as i64).map(|i| i * stride).collect();
                self.buckets(*step, &indices, buckets, child)?
            }
            Tree::IdxBuc { step, indices, buckets, child } => self.buckets(*step, indices, buckets, child)?,
        };
        self.known.insert(tree, handle);
        Ok(handle)
    }

    fn structure(&mut self, indices: &[i64], children: &'a [Tree]) -> Result<Handle, EmitError> {
        let count = int(indices.len())?;
        let types = children.iter().map(|child| self.build(child)).collect::<Result<Vec<_>, _>>()?;
        let ones = self.list("int", std::iter::repeat_n(&1, indices.len()));
        let list = self.list("MPI_Aint", indices.iter());
        let number = self.list_count;
        self.list_count += 1;
        let mut before = format!("        MPI_Datatype types{number}[{count}];\n");
        for (i, of) in types.iter().enumerate() {
            let _ = writeln!(before, "        types{number}[{i}] = {of};");
        }
        let built =
            self.call(format_args!("MPI_Type_create_struct({count}, {ones}, {list}, types{number}, "));
        self.calls[built].0 = before;
        Ok(Handle::Built(built))
    }

    fn buckets(
        &mut self,
        step: i64,
        indices: &[i64],
        sizes: &[usize],
        child: &'a Tree,
    ) -> Result<Handle, EmitError> {
        let (count, child) = (int(indices.len())?, self.build(child)?);
        let sizes = sizes.iter().map(|size| int(*size)).collect::<Result<Vec<_>, _>>()?;
        let apart = self.call(format_args!("MPI_Type_create_resized({child}, 0, {step}, "));
        let sizes = self.list("int", sizes.iter());
        let list = self.list("MPI_Aint", indices.iter());
        Ok(Handle::Built(
            self.call(format_args!("MPI_Type_create_hindexed({count}, {sizes}, {list}, built[{apart}], ")),
        ))
    }

    /// Adds a call that builds a datatype, whose last argument is where to.
    fn call(&mut self, beginning: fmt::Arguments<'_>) -> usize {
        let number = self.calls.len();
        self.calls.push((String::new(), format!("{beginning}&built[{number}])")));
        number
    }

    /// Adds an array of these numbers, eight to a line.
    fn list<T: fmt::Display>(&mut self, of: &str, numbers: impl Iterator<Item = T>) -> String {
        let name = format!("list{}", self.list_count);
        self.list_count += 1;
        // MPI does not change its arguments, but some headers leave out the const.
        let _ = write!(self.lists, "    static {of} {name}[] = {{");
        for (i, number) in numbers.enumerate() {
            let _ = write!(
                self.lists,
                "{}{number}",
                if i == 0 {
                    ""
                } else if i % 8 == 0 {
                    ",\n        "
                } else {
                    ", "
                }
            );
        }
        self.lists.push_str("};\n");
        name
    }

    fn function(&self, name: &str, root: usize) -> String {
        let count = self.calls.len();
        let mut text = format!("int {name}(MPI_Datatype *type)\n{{\n{}", self.lists);
        let _ = write!(text, "    MPI_Datatype built[{count}];\n    int err = MPI_SUCCESS;\n    int i;\n\n");
        let _ = writeln!(text, "    for (i = 0; i < {count}; i++) built[i] = MPI_DATATYPE_NULL;");
        for (before, call) in &self.calls {
            if before.is_empty() {
                let _ = writeln!(text, "    if (err == MPI_SUCCESS) err = {call};");
            } else {
                let _ =
                    write!(text, "    if (err == MPI_SUCCESS) {{\n{before}        err = {call};\n    }}\n");
            }
        }
        let _ = write!(
            text,
            "    if (err == MPI_SUCCESS) err = MPI_Type_commit(&built[{root}]);\n    \
             if (err == MPI_SUCCESS) {{\n        *type = built[{root}];\n        built[{root}] = MPI_DATATYPE_NULL;\n    }}\n    \
             for (i = 0; i < {count}; i++) {{\n        \
             if (built[i] != MPI_DATATYPE_NULL) MPI_Type_free(&built[i]);\n    }}\n    return err;\n}}\n"
        );
        text
    }
}

/// A count as the `int` that MPI takes.
fn int(count: usize) -> Result<i32, EmitError> {
    i32::try_from(count).map_err(|_| EmitError::TooMany(count))
}
