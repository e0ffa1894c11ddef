//! The public verifier: checks a record and returns a verdict. It uses no stored data and stores nothing.

use std::sync::Arc;

use actix_web::{HttpRequest, post, web};
use tokio::sync::Semaphore;

use super::accounts::refusals::{Failed, TooManyTries};
use super::media::RecordText;
use super::routes::Routes;
use super::verdict::{Verdict, verdict};
use pippost_accounts::Accounts;
use pippost_http::admission::{Admitted, RecordBytes, Verifying};
use pippost_http::body::{self, expect_media_type};
use pippost_http::peer::Peer;
use pippost_http::problem::{Code, Problem, ProblemBody};
use pippost_traffic::{Work, compute};

/// The longest accepted record, in bytes: about fifteen thousand events. `pippost verify` accepts longer ones.
pub const MAX_VERIFIED_BYTES: usize = 8 * 1024 * 1024;

/// How many records are verified at once; other admitted ones wait. The longest takes a fraction of a second.
const VERIFIED_AT_ONCE: usize = 1;

/// The media types of a record.
const MEDIA_TYPES: [&str; 2] = ["application/x-ndjson", "text/plain"];

/// Registers the handler; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(verify_record);
}

/// The permits for verifying, shared by the whole process.
#[derive(Clone)]
pub struct Processors(Arc<Semaphore>);

impl Default for Processors {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(VERIFIED_AT_ONCE)))
    }
}

/// A record being received, with its pass for the limit on records' bytes.
struct Received {
    record: Vec<u8>,
    counted: RecordBytes,
}

impl Received {
    fn new(counted: RecordBytes) -> Self {
        // Unused capacity takes no memory, and a growing buffer would be copied repeatedly.
        Self { record: Vec::with_capacity(MAX_VERIFIED_BYTES), counted }
    }

    fn push(&mut self, piece: &[u8]) -> Result<(), Problem> {
        self.counted.0.grow(piece.len() as u64)?;
        self.record.extend_from_slice(piece);
        Ok(())
    }
}

/// Verifies a record of this or any other server, finished or running.
///
/// Each check covers the whole record before the next begins. A refused record is a normal answer with status 200.
#[utoipa::path(tag = "history", request_body(content((inline(RecordText) = "application/x-ndjson"), (inline(RecordText) = "text/plain")),
    description = "The record as `/games/{id}/record` exports it, at most 8 MiB."), responses(
    (status = 200, description = "The verdict.", body = Verdict),
    (status = 400, description = "The body did not arrive whole: `malformed_body`.", body = ProblemBody, content_type = "application/problem+json"),
    (status = 413, description = "The record is too long: `body_too_large`.", body = ProblemBody, content_type = "application/problem+json"),
    (status = 415, description = "The body is neither `application/x-ndjson` nor `text/plain`: `unsupported_media_type`.", body = ProblemBody, content_type = "application/problem+json"),
    TooManyTries, Failed,
))]
#[post("/verify")]
pub async fn verify_record(
    request: HttpRequest,
    accounts: web::Data<Accounts>,
    verifying: web::Data<Processors>,
    admitted: Admitted<Verifying>,
    bytes: RecordBytes,
    peer: Peer,
    payload: web::Payload,
) -> Result<web::Json<Verdict>, Problem> {
    // Check limits first, so that no refused request makes the server read megabytes.
    accounts.count_verification(peer.0)?;
    expect_media_type(&request, &MEDIA_TYPES, "a record is sent as application/x-ndjson or text/plain")?;
    let too_large = || {
        let why = format!("at most {MAX_VERIFIED_BYTES} bytes; `pippost verify` takes longer records");
        Problem::new(Code::BodyTooLarge).detail(why)
    };
    let mut received = Received::new(bytes);
    body::read_pieces(payload, MAX_VERIFIED_BYTES, too_large, |piece| received.push(piece)).await?;
    // No more requests wait here than were admitted.
    let processor = Arc::clone(&verifying.0).acquire_owned().await.expect("never closed");
    let work = move || {
        // Held until the work ends, even if the client has disconnected.
        let _held = (admitted, processor);
        verdict(&received.record)
    };
    let verdict =
        compute(Work::Other, work).await.map_err(|error| Problem::new(Code::Internal).cause(error))?;
    Ok(web::Json(verdict))
}
