//! Hands in mails by LMTP (RFC 2033).

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;

use super::costly_mails::Letter;

/// A session with the server.
pub struct Session(BufStream<TcpStream>);

impl Session {
    /// Greets the server; `None` if it does not greet.
    pub async fn open(connection: TcpStream) -> Option<Self> {
        let mut session = Self(BufStream::new(connection));
        session.code().await.filter(|code| *code == 220)?;
        session.say("LHLO mail.example.org").await.filter(|code| *code == 250)?;
        Some(session)
    }

    /// Hands in a mail; returns the code of the first answer that refuses it, or of the last. `None`: the server hung up.
    pub async fn deliver(&mut self, letter: &Letter) -> Option<u16> {
        let Letter { from, to, raw } = letter;
        for line in [format!("MAIL FROM:<{from}>"), format!("RCPT TO:<{to}>"), "DATA".to_owned()] {
            let code = self.say(&line).await?;
            if code >= 400 {
                self.say("RSET").await?;
                return Some(code);
            }
        }
        // No line of these mails begins with a dot.
        self.0.write_all(raw.as_bytes()).await.ok()?;
        self.say("\r\n.").await
    }

    async fn say(&mut self, line: &str) -> Option<u16> {
        self.0.write_all(format!("{line}\r\n").as_bytes()).await.ok()?;
        self.0.flush().await.ok()?;
        self.code().await
    }

    /// The code of an answer, which may have several lines.
    async fn code(&mut self) -> Option<u16> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if line.as_bytes().get(3) != Some(&b'-') {
                return line.get(..3)?.parse().ok();
            }
        }
    }
}
