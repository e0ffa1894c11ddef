//! `pippost bench`

use crate::bench::{self, BenchArgs as Plan};

pub use crate::bench::BenchArgs;

/// Measures, and prints what it found.
pub fn run(args: Plan) -> anyhow::Result<()> {
    if let Some(address) = args.empty_handler {
        return bench::empty::serve(address);
    }
    bench::run(&args)
}
