//! What only a sandbox answers: its clock, the mails that it keeps instead of sending them, and what it sends to webhooks. Other servers
//! say that they are none.

mod bodies;
mod clock;
mod deliveries;
mod mails;

use pippost_api::declared::problems;
use pippost_api::routes::Routes;
use pippost_http::problem::{Code, Problem};
use pippost_worker::sandbox::Sandbox;

problems! {
    /// Problems of every operation of a sandbox.
    SandboxProblems: NotASandbox;
    ClockProblems: NotASandbox, ClockNotPossible;
    AnswerProblems: NotASandbox, MailNotAnswerable;
}

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service
        .service(clock::show_sandbox_clock)
        .service(clock::move_sandbox_clock)
        .service(mails::list_sandbox_mails)
        .service(mails::show_sandbox_message)
        .service(mails::answer_sandbox_mail)
        .service(deliveries::list_sandbox_deliveries);
}

/// The sandbox, if the server is one. Handlers ask for it after the token, so that nobody learns more than from other operations.
#[derive(Clone)]
pub struct MaybeSandbox(pub Option<Sandbox>);

impl MaybeSandbox {
    /// The sandbox.
    ///
    /// # Errors
    /// The server is none.
    pub fn required(&self) -> Result<&Sandbox, Problem> {
        let none = || Problem::new(Code::NotASandbox).detail("only a server started with --sandbox has this");
        self.0.as_ref().ok_or_else(none)
    }
}
