//! The mail server's side of LMTP.

use std::net::SocketAddr;

use pippost::replies::{LmtpAddress, LmtpListener};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufStream};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use super::TestApp;

/// A listener of the server, stopped on drop.
pub struct Lmtp {
    pub address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

impl Lmtp {
    /// Makes the server accept mail on a free port.
    pub fn start(app: &TestApp) -> Self {
        let address: LmtpAddress = "127.0.0.1:0".parse().expect("an address");
        let listener = LmtpListener::bind(&address).expect("a socket");
        let address = listener.tcp_address().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(listener.serve(app.app.replies.clone(), async move {
            let _gone = stopped.await;
        }));
        Self { address, _stop: stop }
    }

    /// A new conversation, after its greeting.
    pub async fn talk(&self) -> Talk {
        let stream = TcpStream::connect(self.address).await.expect("a connection");
        let mut talk = Talk(BufStream::new(stream));
        assert!(talk.answer().await.starts_with("220 "));
        assert!(talk.say("LHLO mail.example.org").await.ends_with("SIZE 10485760"));
        talk
    }

    /// Delivers one mail; returns the answer.
    pub async fn deliver(&self, sender: &str, recipient: &str, raw: &str) -> String {
        let mut talk = self.talk().await;
        assert!(talk.say(&format!("MAIL FROM:<{sender}>")).await.starts_with("250 "));
        let answer = talk.say(&format!("RCPT TO:<{recipient}>")).await;
        if !answer.starts_with("250 ") {
            return answer;
        }
        assert!(talk.say("DATA").await.starts_with("354 "));
        talk.send(raw).await
    }
}

/// One conversation.
pub struct Talk(BufStream<TcpStream>);

impl Talk {
    /// Sends one line and returns the last line of the answer.
    pub async fn say(&mut self, line: &str) -> String {
        self.write(&format!("{line}\r\n")).await;
        self.answer().await
    }

    /// Sends the lines of a mail with their dots doubled; returns the first answer.
    pub async fn send(&mut self, raw: &str) -> String {
        let stuffed = raw
            .split_inclusive("\r\n")
            .map(|line| if line.starts_with('.') { format!(".{line}") } else { line.to_owned() });
        self.write(&format!("{}\r\n.\r\n", stuffed.collect::<String>())).await;
        self.answer().await
    }

    /// The last line of an answer; empty if the other side has closed the connection.
    pub async fn answer(&mut self) -> String {
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).await.expect("text");
            let line = line.trim_end().to_owned();
            if line.as_bytes().get(3) != Some(&b'-') {
                return line;
            }
        }
    }

    async fn write(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("an open connection");
        self.0.flush().await.expect("an open connection");
    }
}
