//! What the command does with its inputs: load, analyse, collect.
//!
//! Units are loaded and programs analysed in parallel, each guarded against panics; what comes out does not depend on how
//! many at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
