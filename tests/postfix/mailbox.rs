//! The mailboxes of players, to which Postfix delivers by LMTP (RFC 2033).

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A mail as Postfix delivered it.
#[derive(Clone)]
pub struct Mail {
    pub to: String,
    pub raw: String,
}

/// All mails that were delivered.
pub struct Mailboxes {
    pub port: u16,
    mails: Arc<Mutex<Vec<Mail>>>,
}

impl Mailboxes {
    /// Opens them on a free port, until the test program ends.
    pub fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let mails = Arc::<Mutex<Vec<Mail>>>::default();
        let kept = mails.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = kept.clone();
                std::thread::spawn(move || take_in(stream, &kept));
            }
        });
        Self { port, mails }
    }

    /// The mails that came after the first `known` ones.
    pub fn since(&self, known: usize) -> Vec<Mail> {
        self.mails.lock().expect("nobody panics")[known..].to_vec()
    }
}

/// One session. A client that goes away ends it.
fn take_in(stream: TcpStream, kept: &Mutex<Vec<Mail>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut stream = stream;
    let mut say = |answer: &str| stream.write_all(format!("{answer}\r\n").as_bytes());
    say("220 mailboxes")?;
    let mut recipients: Vec<String> = Vec::new();
    while let Some(line) = lines.next().transpose()? {
        let command = line.to_ascii_uppercase();
        if command.starts_with("RCPT TO:") {
            let address = line.split(['<', '>']).nth(1).unwrap_or_default();
            recipients.push(address.to_owned());
        }
        if command != "DATA" {
            say(if command == "QUIT" { "221 2.0.0 good-bye" } else { "250 2.0.0 ok" })?;
            continue;
        }
        say("354 go on")?;
        let mut raw = String::new();
        for line in lines.by_ref() {
            let line = line?;
            if line == "." {
                break;
            }
            raw.push_str(line.strip_prefix('.').unwrap_or(&line));
            raw.push_str("\r\n");
        }
        for to in recipients.drain(..) {
            kept.lock().expect("nobody panics").push(Mail { to, raw: raw.clone() });
            say("250 2.0.0 taken")?;
        }
    }
    Ok(())
}
