//! The command line; what it does is in `pippost::cli`.

/// Requests make and free many small texts: this allocator does that in a third of the system's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    pippost::allocator::give_memory_back_at_once();
    pippost::cli::main()
}
