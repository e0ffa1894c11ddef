//! `pippost settings`: all settings of `serve` and `work` with what they mean, as a file of variables for systemd and shells.

use std::collections::BTreeSet;

use clap::{Arg, CommandFactory};

use super::CommandLine;

/// The longest line of an explanation.
const WIDTH: usize = 100;

/// The commands whose settings the file has; each variable stands once.
const COMMANDS: [&str; 2] = ["serve", "work"];

const HEAD: &str =
    "# Settings of pippost, as `pippost settings` prints them: remove the # in front of one to set it.
# Values stand in single quotes. Who reads this file reads the secrets in it.
";

/// Prints the file.
pub fn run() {
    print!("{}", text());
}

/// The file, in which every setting is commented out.
fn text() -> String {
    let program = CommandLine::command();
    let (mut text, mut seen) = (HEAD.to_owned(), BTreeSet::new());
    let commands = COMMANDS.iter().filter_map(|name| program.find_subcommand(name));
    for argument in commands.flat_map(clap::Command::get_arguments) {
        let Some(variable) = variable(argument) else { continue };
        if seen.insert(variable.clone()) {
            text.push_str(&entry(argument, &variable));
        }
    }
    text
}

fn variable(argument: &Arg) -> Option<String> {
    Some(argument.get_env()?.to_string_lossy().into_owned())
}

/// An empty line, what the setting means, and its default.
fn entry(argument: &Arg, variable: &str) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help()).map(ToString::to_string);
    let help = help.unwrap_or_default().replace('\n', " ");
    let lines = textwrap::wrap(&help, WIDTH - 2);
    let explained = lines.iter().map(|line| format!("# {line}\n")).collect::<Vec<_>>().concat();
    let is_flag = !argument.get_action().takes_values();
    let default = if is_flag || argument.is_hide_default_value_set() {
        String::new()
    } else {
        let values = argument.get_default_values().iter();
        values.map(|value| value.to_string_lossy()).collect::<Vec<_>>().join(",")
    };
    format!("\n{explained}#{variable}='{}'\n", if is_flag { "false" } else { &default })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_the_server_has_a_line_and_an_explanation() {
        let (text, program) = (text(), CommandLine::command());
        let blocks: Vec<&str> = text.split("\n\n").skip(1).collect();
        let mut settings = 0;
        for name in COMMANDS {
            let command = program.find_subcommand(name).expect("a command");
            for variable in command.get_arguments().filter_map(variable) {
                let line = format!("\n#{variable}='");
                let of_it: Vec<_> = blocks.iter().filter(|block| block.contains(&line)).collect();
                assert_eq!(of_it.len(), 1, "{variable}");
                assert!(of_it[0].starts_with("# "), "{variable} is not explained: {}", of_it[0]);
                settings += 1;
            }
        }
        assert!(settings > 60, "{settings}");
        assert!(text.lines().all(|line| line.is_empty() || line.starts_with('#')), "nothing is set");
        assert!(text.lines().all(|line| line.len() <= WIDTH + 20), "{text}");
    }

    #[test]
    fn every_setting_has_a_variable() {
        let program = CommandLine::command();
        let serve = program.find_subcommand("serve").expect("a command");
        let without: Vec<_> = serve.get_arguments().filter(|one| one.get_env().is_none()).collect();
        let names: Vec<_> = without.iter().map(|one| one.get_id().as_str()).collect();
        assert_eq!(names, ["no_worker"], "which is for a command line");
    }
}
