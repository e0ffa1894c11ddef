//! Whole games by answers alone, from invitation to rematch: what the server writes and what the players answer go through Postfix.

use mail_parser::MessageParser;
use support::waiting::found;

use super::mailbox::{Mail, Mailboxes};
use super::postfix::{Postfix, recipe};
use super::program::{PLAYERS, Server, ask, new_player, open_folder};

/// The cards that are played in a hand of Serpent.
const CARDS_OF_A_HAND: usize = 12;

/// What opens a game: short ones, because Postfix asks about the address of each answer for a second, and a player has 60 an hour.
fn opens(rules: &str) -> String {
    let options = if rules == "dominion" { " size=3 round_limit=4" } else { "" };
    format!("new {rules}{options}")
}

/// Two people who play one game with their mail programs alone.
struct Pair<'a> {
    postfix: &'a Postfix,
    mailboxes: &'a Mailboxes,
    handles: [String; 2],
    /// How many mails to anybody were looked at.
    looked_at: usize,
    answers: usize,
    /// How many orders in doubt were confirmed.
    confirmed: usize,
    /// How many cards of Serpent were played.
    cards: usize,
}

/// A mail to one of them.
struct Letter {
    handle: String,
    kind: String,
    reply_to: String,
    text: String,
}

impl Letter {
    /// A mail to one of `handles`.
    fn of(mail: &Mail, handles: &[String]) -> Option<Self> {
        let handle = handles.iter().find(|handle| mail.to == format!("{handle}@{PLAYERS}"))?;
        let parsed = MessageParser::default().parse(mail.raw.as_bytes()).expect("a mail");
        let kind = parsed.header_raw("Feedback-ID").expect("a kind").trim().split(':').next();
        Some(Self {
            handle: handle.clone(),
            kind: kind.unwrap_or_default().to_owned(),
            reply_to: parsed.reply_to()?.first()?.address()?.to_owned(),
            text: parsed.body_text(0)?.replace("\r\n", "\n"),
        })
    }

    /// The orders that it gives as examples, the last one first.
    fn examples(&self) -> Vec<&str> {
        let Some((_, examples)) = self.text.split_once("In notation, for example:\n") else {
            return Vec::new();
        };
        let mut examples: Vec<_> =
            examples.lines().take_while(|line| line.starts_with("  ")).map(str::trim).collect();
        examples.reverse();
        examples
    }
}

impl Pair<'_> {
    fn send(&mut self, handle: &str, to: &str, text: &str) {
        self.answers += 1;
        let number = self.answers;
        let from = format!("{handle}@{PLAYERS}");
        let raw = format!(
            "From: {from}\r\nTo: {to}\r\nMessage-ID: <{number}-{handle}@laptop.example.org>\r\n\r\n{}",
            text.replace('\n', "\r\n")
        );
        self.postfix.send(&from, to, &raw);
    }

    fn answer(&mut self, letter: &Letter, text: &str) {
        self.send(&letter.handle, &letter.reply_to, text);
    }

    /// The next mail to one of them that can be answered; of a kind, if one is given.
    fn next(&mut self, kind: Option<&str>) -> Letter {
        let known = ["turn", "answer", "game_over", "invitation", "how_to_move"];
        let (mailboxes, handles, looked_at) = (self.mailboxes, &self.handles, &mut self.looked_at);
        found("a mail to answer", || {
            mailboxes.since(*looked_at).iter().find_map(|mail| {
                *looked_at += 1;
                let is_wanted = |letter: &Letter| {
                    kind.map_or(known.contains(&letter.kind.as_str()), |kind| letter.kind == kind)
                };
                Letter::of(mail, handles).filter(is_wanted)
            })
        })
    }

    /// From the first mail to the common address to the rematch.
    fn play(&mut self, rules: &str) {
        let [ann, bob] = self.handles.clone();
        self.send(&ann, "play@example.org", "Hello?");
        let hello = self.next(Some("how_to_move"));
        self.answer(&hello, &format!("{}\ninvite {bob}@{PLAYERS}", opens(rules)));
        let invitation = self.next(Some("invitation"));
        self.answer(&invitation, "Yes, gladly!");
        self.play_to_the_end();
        let invitation = self.next(Some("invitation"));
        self.answer(&invitation, "yes");
        let joined = loop {
            let mail = self.next(Some("answer"));
            if mail.text.contains("You have joined game #2") {
                break mail;
            }
        };
        assert_eq!(joined.handle, invitation.handle);
    }

    /// Answers each mail with orders that it names, the first one in a sentence that leaves a doubt, and asks for a rematch.
    fn play_to_the_end(&mut self) {
        let mut has_asked = false;
        loop {
            let mail = self.next(None);
            let examples = mail.examples();
            if mail.kind == "game_over" {
                return self.answer(&mail, "rematch");
            }
            if mail.text.contains("Did you mean") {
                self.confirmed += 1;
                self.answer(&mail, "yes");
            } else if let Some(order) = examples.first() {
                let orders = self.orders(&examples);
                let doubtful = format!("I guess that it is time to\n{order}");
                self.answer(&mail, if has_asked { &orders } else { &doubtful });
                has_asked = true;
            }
        }
    }

    /// What is played of the examples: one, and in Serpent whatever is one player's in a row.
    fn orders(&mut self, examples: &[&str]) -> String {
        let is_card = |order: &str| order.len() == 2;
        match *examples {
            [first, .., last] if first.starts_with("give ") => {
                format!("{first}\n{}", last.replacen("give", "show", 1))
            }
            [first, ..] if is_card(first) => {
                // Who replies to a card leads the next one, but for the last of a hand.
                let position = self.cards % CARDS_OF_A_HAND + 1;
                let leads = position.is_multiple_of(2) && position < CARDS_OF_A_HAND;
                let orders = &examples[..examples.len().min(if leads { 2 } else { 1 })];
                self.cards += orders.len();
                orders.join("\n")
            }
            _ => examples[0].to_owned(),
        }
    }
}

#[test]
fn a_game_of_each_rule_set_goes_from_invitation_to_rematch_by_answers_alone() {
    let folder = open_folder();
    let socket = Postfix::prepare(folder.path());
    let mailboxes = Mailboxes::open();
    let players =
        format!("mydestination = {PLAYERS}\nlocal_transport = lmtp:inet:127.0.0.1:{}\n", mailboxes.port);
    let postfix = Postfix::start(folder.path(), &format!("{}{players}", recipe("main.cf")), "");
    let (lmtp, smtp) = (format!("unix:{}", socket.display()), format!("smtp://127.0.0.1:{}", postfix.port));
    let by_postfix =
        ["--lmtp-listen", &lmtp, "--smtp-url", &smtp, "--mail-from", "pippost <play@example.org>"];
    let server = Server::start(folder, &by_postfix);
    // What is bound last is dropped first: Postfix stops before its folder goes with the server.
    let (server, postfix) = (server, postfix);
    let play = |index: usize, rules: &str| {
        let handles = ["ann", "bob"].map(|name| format!("{name}-{index}"));
        let tokens = handles.clone().map(|handle| new_player(server.folder.path(), &server.url, &handle));
        let mut pair = Pair {
            postfix: &postfix,
            mailboxes: &mailboxes,
            handles,
            looked_at: 0,
            answers: 0,
            confirmed: 0,
            cards: 0,
        };
        pair.play(rules);
        assert_eq!(pair.confirmed, 1, "{rules}");
        let games = ask(&format!("{}/games?list=mine", server.url), Some(&tokens[0]), None);
        let games = games["games"].as_array().expect("games");
        let status: Vec<_> = games.iter().map(|game| &game["status"]).collect();
        assert_eq!(status, ["running", "finished"], "{games:?}");
        let id = games[1]["id"].as_str().expect("an id");
        let ended = ask(&format!("{}/games/{id}", server.url), Some(&tokens[0]), None);
        let reason = ended["result"]["reason"].as_str().expect("a reason").to_owned();
        println!("{rules}: {} answers, {reason}", pair.answers);
        assert!(["play", "round_limit"].contains(&reason.as_str()), "{rules}: {reason}");
    };
    // Postfix asks about each new address for a second, and about those of several games at once.
    let play = &play;
    std::thread::scope(|scope| {
        for (index, rules) in pippost::rules::all().enumerate() {
            scope.spawn(move || play(index, rules.name()));
        }
    });
    let log = postfix.log_when_idle();
    let delivered =
        log.lines().filter(|line| line.contains(&format!("@{PLAYERS}>")) && line.contains("status=sent"));
    assert_eq!(delivered.count(), mailboxes.since(0).len());
    assert!(!log.contains("status=bounced") && !log.contains("status=deferred"), "{log}");
}
