//! Backups that are made while people play: restored, audited, served again; to a moment; with an archive; and the drill.

mod amid_moves;
mod archive;
mod drill;
mod to_a_moment;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::{blocking, players, until};
use support::Client;
use support::games::open_game;
use support::process::Server;

/// The folder of backups, beside the data folder; both are relative to the server's folder.
const BACKUPS: &str = "backups";
const KEYS: &str = "keys.json";

fn output(mut command: Command) -> Output {
    command.output().expect("the program")
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

async fn run(server: &Server, arguments: &[&str]) -> Output {
    let command = server.command(arguments);
    blocking(move || output(command)).await
}

#[track_caller]
fn well(output: &Output) -> String {
    assert!(output.status.success(), "{}", said(output));
    said(output)
}

/// The bytes of all files below a folder.
fn files(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else {
            found.push((entry.path(), fs::read(entry.path()).expect("a file")));
        }
    }
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// How many games a command names: at least those that were begun, for fast players begin further ones.
#[track_caller]
fn games(said: &str, begun: usize) -> usize {
    let (before, _) = said.split_once(" games").expect("it counts games");
    let games = before.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number");
    assert!(games >= begun, "{said}");
    games
}

/// A server on restored data, for whom the tokens of the one that is lost are valid.
async fn serve(data_dir: &Path, public_url: String) -> Server {
    let data_dir = data_dir.display().to_string();
    blocking(move || Server::start_bare(&["--data-dir", &data_dir, "--public-url", &public_url])).await
}

/// A game of two players in seat order, its path, and the first answer to a move.
pub async fn begin(server: &Server) -> (String, [Client; 2]) {
    let players = [server.register("ann").await, server.register("bob").await];
    let game = open_game(&players[0]).await;
    players[1].post(&format!("{game}/join"), &json!({})).await.ok();
    (game, players)
}

/// Makes the first legal action of whoever is to move.
pub async fn make_move(game: &str, players: &[Client; 2]) -> Value {
    let view = players[0].get(game).await.ok();
    let seat = usize::try_from(view["to_act"].as_u64().expect("it runs")).expect("a seat");
    let legal = players[seat].get(&format!("{game}/actions")).await.ok();
    let action = legal["actions"].as_array().expect("a list").last().expect("asked means able").clone();
    players[seat].post(&format!("{game}/moves"), &json!({"actions": [action]})).await.ok()
}

pub async fn seq(game: &str, player: &Client) -> u64 {
    player.get(game).await.ok()["seq"].as_u64().expect("a number")
}
