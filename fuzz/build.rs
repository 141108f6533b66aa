//! Links the targets. The tables of coverage keep every function of the `z3` crate, those included that call what only
//! newer versions of the library have; the targets never come to these.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Wl,--unresolved-symbols=ignore-all");
}
