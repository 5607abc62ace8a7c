//! C code that builds, commits and returns an MPI datatype.

use std::fmt::{self, Write as _};

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::datatype::{Constructor, Datatype, Distribution, Order};
use crate::layout::LayoutError;
use crate::tree::Tree;

/// Why there is no C code for a datatype.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A number does not fit into the `int` that a constructor takes even in its form for large counts.
    #[error("{0} is more than an int can hold, which MPI takes there")]
    TooMany(i64),
    /// The datatype describes nothing.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// A C function `int NAME(MPI_Datatype *type)` that builds and commits the datatype of `tree`.
///
/// As [`c_function_of`], for the constructors that [`Layout::datatype`](crate::Layout::datatype) chooses: the extent is the one that MPI gives
/// the typemap, since a tree has none of its own.
///
/// # Errors
///
/// As [`c_function_of`].
pub fn c_function(tree: &Tree, name: &str) -> Result<String, EmitError> {
    c_function_of(&Datatype::of_tree(tree)?, name)
}

/// A C function `int NAME(MPI_Datatype *type)` that builds and commits a datatype.
///
/// The function returns what the first call of MPI that fails returns, and frees what it has built then. Who calls it frees the datatype.
/// Datatypes that are the same are built once. It needs `<mpi.h>` and MPI-3.0; where a number is larger than an `int`, it calls the form
/// with `_c`, and there is an `#error` for an MPI before 4.0.
///
/// # Errors
///
/// If an argument is not what the standard allows, or too large for both forms.
pub fn c_function_of(datatype: &Datatype, name: &str) -> Result<String, EmitError> {
    datatype.layout()?;
    // Trees become constructors; nothing else is left then.
    let datatype = datatype.without_trees()?;
    let mut emitter = Emitter::default();
    let root = emitter.build(&datatype)?;
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
    known: FxHashMap<&'a Datatype, Handle>,
    /// Whether a form with `_c` is called.
    large: bool,
}

/// Which form of a constructor is called.
#[derive(Clone, Copy)]
struct Form {
    suffix: &'static str,
    /// What counts and displacements in elements are.
    count: &'static str,
    /// What displacements in bytes are.
    bytes: &'static str,
}

impl<'a> Emitter<'a> {
    fn build(&mut self, datatype: &'a Datatype) -> Result<Handle, EmitError> {
        let constructor = match datatype {
            Datatype::Basic(basic) => return Ok(Handle::Predefined(basic.name())),
            Datatype::Constructed(constructor) => constructor,
            Datatype::Tree(_) => unreachable!("trees have become constructors"),
        };
        if let Some(known) = self.known.get(datatype) {
            return Ok(*known);
        }
        let children =
            constructor.children().iter().map(|child| self.build(child)).collect::<Result<Vec<_>, _>>()?;
        let handle = Handle::Built(self.construct(constructor, &children)?);
        self.known.insert(datatype, handle);
        Ok(handle)
    }

    fn construct(&mut self, constructor: &Constructor, children: &[Handle]) -> Result<usize, EmitError> {
        let child = children.first().copied().unwrap_or(Handle::Predefined("MPI_BYTE"));
        Ok(match constructor {
            Constructor::Dup { .. } => self.call(format_args!("MPI_Type_dup({child}, ")),
            Constructor::Contiguous { count, .. } => {
                let Form { suffix, .. } = self.form(&[&[*count]]);
                self.call(format_args!("MPI_Type_contiguous{suffix}({count}, {child}, "))
            }
            Constructor::Vector { count, blocklength, stride, .. } => {
                let Form { suffix, .. } = self.form(&[&[*count, *blocklength, *stride]]);
                self.call(format_args!("MPI_Type_vector{suffix}({count}, {blocklength}, {stride}, {child}, "))
            }
            Constructor::Hvector { count, blocklength, stride, .. } => {
                let Form { suffix, .. } = self.form(&[&[*count, *blocklength]]);
                self.call(format_args!(
                    "MPI_Type_create_hvector{suffix}({count}, {blocklength}, {stride}, {child}, "
                ))
            }
            Constructor::Indexed { blocklengths, displacements, .. } => {
                let form = self.form(&[blocklengths, displacements, &[displacements.len() as i64]]);
                self.indexed("indexed", form, form.count, (blocklengths, displacements), child)
            }
            Constructor::Hindexed { blocklengths, displacements, .. } => {
                let form = self.form(&[blocklengths, &[displacements.len() as i64]]);
                self.indexed("create_hindexed", form, form.bytes, (blocklengths, displacements), child)
            }
            Constructor::IndexedBlock { blocklength, displacements, .. } => {
                let form = self.form(&[&[*blocklength, displacements.len() as i64], displacements]);
                self.blocks("create_indexed_block", form, form.count, (*blocklength, displacements), child)
            }
            Constructor::HindexedBlock { blocklength, displacements, .. } => {
                let form = self.form(&[&[*blocklength, displacements.len() as i64]]);
                self.blocks("create_hindexed_block", form, form.bytes, (*blocklength, displacements), child)
            }
            Constructor::Struct { blocklengths, displacements, .. } => {
                self.structure(blocklengths, displacements, children)
            }
            Constructor::Subarray { sizes, subsizes, starts, order, .. } => {
                let Form { suffix, count, .. } = self.form(&[sizes, subsizes, starts]);
                let lists = [sizes, subsizes, starts].map(|list| self.list(count, list.iter())).join(", ");
                let (dimensions, order) = (sizes.len(), order_name(*order));
                self.call(format_args!(
                    "MPI_Type_create_subarray{suffix}({dimensions}, {lists}, {order}, {child}, "
                ))
            }
            Constructor::Darray { size, rank, sizes, distributions, arguments, processes, order, .. } => {
                // All but the sizes of the array are int in both forms.
                let given = arguments.iter().copied().flatten();
                if let Some(large) =
                    given.chain(processes.iter().copied()).chain([*size]).find(|n| !is_int(*n))
                {
                    return Err(EmitError::TooMany(large));
                }
                let Form { suffix, count, .. } = self.form(&[sizes]);
                let sizes_list = self.list(count, sizes.iter());
                let distributions = self.list("int", distributions.iter().map(|d| distribution_name(*d)));
                let arguments = self.list(
                    "int",
                    arguments
                        .iter()
                        .map(|a| a.map_or("MPI_DISTRIBUTE_DFLT_DARG".to_owned(), |a| a.to_string())),
                );
                let processes = self.list("int", processes.iter());
                let (dimensions, order) = (sizes.len(), order_name(*order));
                self.call(format_args!(
                    "MPI_Type_create_darray{suffix}({size}, {rank}, {dimensions}, {sizes_list}, {distributions}, \
                     {arguments}, {processes}, {order}, {child}, "
                ))
            }
            Constructor::Resized { lower_bound, extent, .. } => {
                self.call(format_args!("MPI_Type_create_resized({child}, {lower_bound}, {extent}, "))
            }
        })
    }

    /// The form that can take all of these numbers.
    fn form(&mut self, numbers: &[&[i64]]) -> Form {
        if numbers.iter().copied().flatten().all(|number| is_int(*number)) {
            Form { suffix: "", count: "int", bytes: "MPI_Aint" }
        } else {
            self.large = true;
            Form { suffix: "_c", count: "MPI_Count", bytes: "MPI_Count" }
        }
    }

    fn indexed(
        &mut self,
        name: &str,
        form: Form,
        of: &str,
        (lengths, places): (&[i64], &[i64]),
        child: Handle,
    ) -> usize {
        let lengths = self.list(form.count, lengths.iter());
        let list = self.list(of, places.iter());
        let (suffix, count) = (form.suffix, places.len());
        self.call(format_args!("MPI_Type_{name}{suffix}({count}, {lengths}, {list}, {child}, "))
    }

    fn blocks(
        &mut self,
        name: &str,
        form: Form,
        of: &str,
        (length, places): (i64, &[i64]),
        child: Handle,
    ) -> usize {
        let list = self.list(of, places.iter());
        let (suffix, count) = (form.suffix, places.len());
        self.call(format_args!("MPI_Type_{name}{suffix}({count}, {length}, {list}, {child}, "))
    }

    fn structure(&mut self, lengths: &[i64], places: &[i64], types: &[Handle]) -> usize {
        let count = places.len();
        let form = self.form(&[lengths, &[count as i64]]);
        let lengths = self.list(form.count, lengths.iter());
        let list = self.list(form.bytes, places.iter());
        let number = self.list_count;
        self.list_count += 1;
        let mut before = format!("        MPI_Datatype types{number}[{}];\n", count.max(1));
        if types.is_empty() {
            let _ = writeln!(before, "        types{number}[0] = MPI_DATATYPE_NULL;");
        }
        for (i, of) in types.iter().enumerate() {
            let _ = writeln!(before, "        types{number}[{i}] = {of};");
        }
        let suffix = form.suffix;
        let built = self
            .call(format_args!("MPI_Type_create_struct{suffix}({count}, {lengths}, {list}, types{number}, "));
        self.calls[built].0 = before;
        built
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
        let mut numbers = numbers.peekable();
        if numbers.peek().is_none() {
            // C has no arrays of nothing.
            self.lists.push('0');
        }
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
        let mut text = String::new();
        if self.large {
            text.push_str(
                "#if MPI_VERSION < 4\n#error \"this datatype has numbers beyond int: it takes the constructors of MPI-4.0\"\n#endif\n\n",
            );
        }
        let _ = write!(text, "int {name}(MPI_Datatype *type)\n{{\n{}", self.lists);
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

/// Whether a number fits into the `int` of C.
fn is_int(number: i64) -> bool {
    i32::try_from(number).is_ok()
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::C => "MPI_ORDER_C",
        Order::Fortran => "MPI_ORDER_FORTRAN",
    }
}

fn distribution_name(distribution: Distribution) -> &'static str {
    match distribution {
        Distribution::Block => "MPI_DISTRIBUTE_BLOCK",
        Distribution::Cyclic => "MPI_DISTRIBUTE_CYCLIC",
        Distribution::None => "MPI_DISTRIBUTE_NONE",
    }
}
