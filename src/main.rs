//! The `camfort-rs` program.
fn main() {}
