//! Calls that must not be made a second time.

use analyzer::results::{Finding, Fix};

use super::fix;
use crate::text::{Call, SourceFile};

/// Takes the call away.
pub(super) fn remove(finding: &Finding, file: &SourceFile) -> Option<Vec<Fix>> {
    let call = Call::around(file, file.node_at(&finding.range)?)?;
    let edit = call.stands_alone().then(|| file.remove(call.statement))?;
    Some(vec![fix(format!("remove this call of `{}`", call.mpi.name), vec![edit])])
}
