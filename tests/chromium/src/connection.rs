//! Requests to a browser, their answers, and events. Messages are JSON, each ended by a zero byte.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

/// Who waits for what.
#[derive(Default)]
struct Waiting {
    newest: u64,
    has_ended: bool,
    answers: HashMap<u64, Sender<Value>>,
    events: Vec<(String, String, Sender<Value>)>,
}

/// Both directions of the pipe. A thread reads it until the browser ends.
pub struct Connection {
    input: Mutex<ChildStdin>,
    waiting: Mutex<Waiting>,
    timeout: Duration,
}

impl Connection {
    pub fn open((input, output): (ChildStdin, ChildStdout), timeout: Duration) -> Arc<Self> {
        let connection = Arc::new(Self { input: Mutex::new(input), waiting: Mutex::default(), timeout });
        let reader = Arc::clone(&connection);
        std::thread::spawn(move || reader.read(BufReader::new(output)));
        connection
    }

    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Sends a request to the browser, or to a tab of it, and waits for its answer.
    pub fn ask(&self, session: Option<&str>, method: &str, parameters: Value) -> anyhow::Result<Value> {
        let (sender, answer) = mpsc::channel();
        let id = {
            let mut waiting = self.waiting();
            if waiting.has_ended {
                bail!("{method}: the browser has ended");
            }
            waiting.newest += 1;
            let id = waiting.newest;
            waiting.answers.insert(id, sender);
            id
        };
        let mut request = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = session {
            request["sessionId"] = json!(session);
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        let sent = self.input.lock().unwrap_or_else(PoisonError::into_inner).write_all(&bytes);
        sent.with_context(|| format!("{method}: the browser has ended"))?;
        let answer = answer.recv_timeout(self.timeout);
        self.waiting().answers.remove(&id);
        let mut answer = answer.with_context(|| format!("{method}: no answer"))?;
        match answer.get("error") {
            Some(error) => bail!("{method}: {error}"),
            None => Ok(answer["result"].take()),
        }
    }

    /// The parameters of a tab's events of that name, from now on.
    pub fn events(&self, session: &str, name: &str) -> Receiver<Value> {
        let (sender, receiver) = mpsc::channel();
        self.waiting().events.push((session.to_owned(), name.to_owned(), sender));
        receiver
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, mut output: BufReader<ChildStdout>) {
        let mut message = Vec::new();
        while output.read_until(0, &mut message).is_ok_and(|bytes| bytes > 0) {
            message.pop();
            if let Ok(message) = serde_json::from_slice(&message) {
                self.hand_over(message);
            }
            message.clear();
        }
        let mut waiting = self.waiting();
        waiting.has_ended = true;
        // Whoever waits hears that nothing comes any more.
        waiting.answers.clear();
        waiting.events.clear();
    }

    fn hand_over(&self, mut message: Value) {
        let mut waiting = self.waiting();
        if let Some(id) = message["id"].as_u64() {
            if let Some(sender) = waiting.answers.remove(&id) {
                // One who has given up waiting does not need it.
                let _: Result<(), _> = sender.send(message);
            }
            return;
        }
        let parameters = message["params"].take();
        let (session, name) = (&message["sessionId"], &message["method"]);
        waiting.events.retain(|(of, wanted, sender)| {
            let is_wanted = session == of.as_str() && name == wanted.as_str();
            !is_wanted || sender.send(parameters.clone()).is_ok()
        });
    }
}
