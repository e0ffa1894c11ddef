//! The program `pippost replay`, without a terminal and in a terminal of its own.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, Output, Stdio};

use nix::pty::{Winsize, openpty};
use pippost::record::verify;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/pip-pip-1.ndjson");
const HIDDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/serpent-resign.ndjson");

fn replay(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pippost"));
    command.arg("replay").args(arguments).stdin(Stdio::null()).output().expect("an exit")
}

/// The output of a run that must succeed.
fn printed(arguments: &[&str]) -> String {
    let done = replay(arguments);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

#[test]
fn one_moment_is_printed_with_what_happened_the_board_and_whose_turn_it_is() {
    let shown = printed(&[RECORD, "--seq", "3"]);
    assert!(shown.starts_with("Event 3 of 20, "), "{shown}");
    assert!(shown.contains("+-------+-------+"), "{shown}");
    assert_eq!(shown.matches("It is the turn of ").count(), 1, "{shown}");
    let last = printed(&[RECORD, "--seq", "20"]);
    assert!(last.contains("The game is over: 1. "), "{last}");
}

#[test]
fn every_moment_is_printed_where_there_is_no_terminal() {
    let all = printed(&[RECORD, "--all"]);
    let headings: Vec<_> = all.lines().filter(|line| line.starts_with("Event ")).collect();
    assert_eq!(headings.len(), 21, "{all}");
    assert_eq!(printed(&[RECORD]), all);
    let sixth = printed(&[RECORD, "--seq", "6"]);
    assert!(all.contains(&sixth), "the position is the same alone and among all");
}

#[test]
fn hidden_cards_are_shown_to_their_seat_alone() {
    let seats = ["0", "1"].map(|seat| printed(&[HIDDEN, "--seq", "0", "--seat", seat]));
    let spectator = printed(&[HIDDEN, "--seq", "0"]);
    assert!(seats[0] != seats[1] && seats[0] != spectator && seats[1] != spectator, "{spectator}");
}

#[test]
fn what_cannot_be_shown_is_said_and_the_exit_code_says_which() {
    let folder = tempfile::tempdir().expect("a folder");
    let forged = folder.path().join("forged.ndjson");
    let record = std::fs::read_to_string(RECORD).expect("a record");
    std::fs::write(&forged, record.replacen("\"die\":4", "\"die\":5", 1)).expect("a file");
    let forged = forged.to_str().expect("a path");
    for (arguments, code, words) in [
        (&[forged][..], 1, "the event was changed"),
        (&["no such file"], 2, "cannot be read"),
        (&[RECORD, "--seq", "21"], 2, "the record ends with event 20"),
        (&[RECORD, "--seat", "2"], 2, "the game has 2 seats"),
    ] {
        let done = replay(arguments);
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.code() == Some(code) && said.contains(words), "{:?}: {said}", done.status);
        assert!(done.stdout.is_empty(), "nothing of it is shown");
    }
}

#[test]
fn a_name_cannot_command_the_terminal() {
    // Only the header of a running game can be forged: nothing but its hash binds it, and the first event contains that.
    use pippost::record::{Event, Header};
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/serpent-running.ndjson"));
    let text = text.expect("a record");
    let mut lines = text.lines();
    let mut header: Header = serde_json::from_str(lines.next().expect("a header")).expect("a header");
    header.players[0].name = "\u{1b}[2Jann\u{9b}1m".to_owned();
    let mut event: Event = serde_json::from_str(lines.next().expect("event 0")).expect("an event");
    event.prev = header.salt();
    let header = String::from_utf8(pippost::record::canonical::of(&header)).expect("text");
    let record = format!("{header}\n{}\n", event.sealed(None).line);
    verify(record.as_bytes()).expect("a record that is good so far");
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), record).expect("a file");
    let path = file.path().to_str().expect("a path");
    let verified =
        Command::new(env!("CARGO_BIN_EXE_pippost")).args(["verify", path]).output().expect("an exit");
    for shown in [printed(&[path, "--seq", "0"]), String::from_utf8(verified.stdout).expect("text")] {
        assert!(shown.contains("[2Jann"), "{shown:?}");
        assert!(shown.chars().all(|character| character == '\n' || !character.is_control()), "{shown:?}");
    }
}

/// The program in a terminal of its own.
struct Terminal {
    keyboard: File,
    screen: File,
    /// All output so far.
    shown: String,
}

impl Terminal {
    /// Reads until `text` is shown; fails if the program ends before.
    fn wait_for(&mut self, text: &str) {
        let start = self.shown.len();
        let mut bytes = [0; 4096];
        while !self.shown[start..].contains(text) {
            let read = self.screen.read(&mut bytes).unwrap_or(0);
            assert!(read > 0, "the program ended before {text:?}:\n{}", self.shown);
            self.shown += &String::from_utf8_lossy(&bytes[..read]);
        }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the program reads");
    }
}

#[test]
fn arrow_keys_step_through_the_game_on_a_terminal() {
    let size = Winsize { ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(&size, None).expect("a terminal");
    let end = |end: &OwnedFd| end.try_clone().expect("another handle");
    let mut child = Command::new(env!("CARGO_BIN_EXE_pippost"))
        .args(["replay", RECORD])
        .stdin(Stdio::from(end(&pty.slave)))
        .stdout(Stdio::from(end(&pty.slave)))
        .stderr(Stdio::from(pty.slave))
        .spawn()
        .expect("the program");
    let (keyboard, screen) = (File::from(end(&pty.master)), File::from(pty.master));
    let mut terminal = Terminal { keyboard, screen, shown: String::new() };
    terminal.wait_for("q: quit");
    assert!(terminal.shown.contains("Event 0 of 20"), "{}", terminal.shown);
    let right = "\u{1b}[C";
    for (keys, heading) in [
        (right, "Event 1 of 20"),
        (right, "Event 2 of 20"),
        ("\u{1b}[D", "Event 1 of 20"),
        ("1", "to event 1 (Enter)"),
        ("2\r", "Event 12 of 20"),
        ("\u{1b}[F", "Event 20 of 20"),
        ("\u{1b}[H", "Event 0 of 20"),
    ] {
        terminal.press(keys);
        terminal.wait_for(heading);
    }
    terminal.press("q");
    // The alternate screen is left, and the cursor is visible again.
    terminal.wait_for("\u{1b}[?1049l");
    assert!(terminal.shown.contains("\u{1b}[?25h"));
    assert!(child.wait().expect("an exit").success());
}
