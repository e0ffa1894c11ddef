//! The command line; what it does is in `pippost::cli`.

fn main() -> std::process::ExitCode {
    pippost::cli::main()
}
