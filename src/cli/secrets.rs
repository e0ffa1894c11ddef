//! Refuses secrets on the command line, which every user of the machine can read in the list of processes.

use std::ffi::OsString;

/// The flags that hold a secret, and the variables of the environment that take their place.
const SECRETS: [(&str, &str); 6] = [
    ("--secret-key", "PIPPOST_SECRET_KEY"),
    ("--inbound-secret", "PIPPOST_INBOUND_SECRET"),
    ("--archive-key", "PIPPOST_ARCHIVE_KEY"),
    ("--metrics-token", "PIPPOST_METRICS_TOKEN"),
    ("--token", "PIPPOST_TOKEN"),
    ("--password", "PIPPOST_PASSWORD"),
];

/// The flags whose addresses may hold a password.
const ADDRESSES: [(&str, &str); 4] = [
    ("--database-url", "DATABASE_URL"),
    ("--replica-url", "PIPPOST_REPLICA_URL"),
    ("--listen-url", "PIPPOST_LISTEN_URL"),
    ("--smtp-url", "PIPPOST_SMTP_URL"),
];

/// A secret stands on the command line. The error does not show it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{flag} is refused: every user of this machine can read a command line, and so the secret in it. Set {variable} in the environment"
)]
pub struct SecretFlag {
    flag: &'static str,
    variable: &'static str,
}

/// Refuses flags that hold a secret.
///
/// # Errors
/// The first of them.
pub fn refuse_flags(arguments: impl Iterator<Item = OsString>) -> Result<(), SecretFlag> {
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    for (index, argument) in arguments.iter().enumerate() {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument.as_str(), arguments.get(index + 1).map(String::as_str)),
        };
        let found =
            |flags: &[(&'static str, &'static str)]| flags.iter().find(|(flag, _)| *flag == name).copied();
        let secret =
            found(&SECRETS).or_else(|| found(&ADDRESSES).filter(|_| value.is_some_and(has_password)));
        if let Some((flag, variable)) = secret {
            return Err(SecretFlag { flag, variable });
        }
    }
    Ok(())
}

/// Whether an address holds a password, as a URL or in key=value form.
fn has_password(address: &str) -> bool {
    let user =
        address.split_once("://").and_then(|(_, rest)| rest.split(['/', '?']).next()?.rsplit_once('@'));
    user.is_some_and(|(user, _)| user.contains(':')) || address.contains("password=")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(arguments: &[&str]) -> Option<&'static str> {
        refuse_flags(arguments.iter().map(OsString::from)).err().map(|refused| refused.variable)
    }

    #[test]
    fn a_secret_on_the_command_line_is_refused_and_not_shown() {
        for (arguments, variable) in [
            (["serve", "--secret-key", "77"], "PIPPOST_SECRET_KEY"),
            (["serve", "--inbound-secret=0123456789abcdef", ""], "PIPPOST_INBOUND_SECRET"),
            (["archive", "--archive-key", "k"], "PIPPOST_ARCHIVE_KEY"),
            (["serve", "--metrics-token", "k"], "PIPPOST_METRICS_TOKEN"),
            (["bot", "--token", "k"], "PIPPOST_TOKEN"),
            (["bot", "--password=k", ""], "PIPPOST_PASSWORD"),
            (["serve", "--database-url", "postgres://app:k@db/pippost"], "DATABASE_URL"),
            (["work", "--listen-url=host=db password=k", ""], "PIPPOST_LISTEN_URL"),
            (["serve", "--smtp-url", "smtps://app:k@mail.example.org"], "PIPPOST_SMTP_URL"),
        ] {
            assert_eq!(refused(&arguments), Some(variable), "{arguments:?}");
        }
        let error =
            refuse_flags(["--secret-key=77aa"].map(OsString::from).into_iter()).expect_err("a secret");
        assert!(error.to_string().contains("PIPPOST_SECRET_KEY") && !error.to_string().contains("77aa"));
    }

    /// The flags whose values the help hides, of a command and those below it.
    fn hidden(command: &clap::Command) -> Vec<(String, String)> {
        let flags = command.get_arguments().filter(|argument| argument.is_hide_env_values_set());
        let flags = flags.filter_map(|argument| {
            let variable = argument.get_env()?.to_string_lossy().into_owned();
            Some((format!("--{}", argument.get_long()?), variable))
        });
        flags.chain(command.get_subcommands().flat_map(hidden)).collect()
    }

    #[test]
    fn every_flag_whose_value_the_help_hides_is_looked_at() {
        let hidden = hidden(&<super::super::CommandLine as clap::CommandFactory>::command());
        assert!(!hidden.is_empty());
        for (flag, variable) in hidden {
            let known =
                SECRETS.iter().chain(&ADDRESSES).any(|known| *known == (flag.as_str(), variable.as_str()));
            assert!(known, "{flag} ({variable})");
        }
    }

    #[test]
    fn what_holds_no_secret_is_taken() {
        for arguments in [
            ["serve", "--database-url", "postgres://app@db:5432/pippost?x=a:b@c"],
            ["serve", "--smtp-url", "smtp://mail.example.org:587?tls=required"],
            ["serve", "--keys-dir", "--archive-key-id"],
            ["verify", "game.ndjson", "--"],
        ] {
            assert_eq!(refused(&arguments), None, "{arguments:?}");
        }
    }
}
