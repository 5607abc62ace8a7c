//! What the tests share: things at random, and other ways to what is computed.

pub(crate) mod libraries;
pub(crate) mod listing;
pub(crate) mod random;
pub(crate) mod trees;
pub(crate) mod typemap;
