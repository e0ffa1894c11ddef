//! Receives mail over HTTP: from a mail provider's webhook, or from a mail server's script.

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, post, web};
use serde::{Deserialize, Serialize};
use std::future::{Ready, ready};
use utoipa::{IntoParams, ToSchema};

use pippost_api::declared::problems;
use pippost_api::routes::Routes;
use pippost_http::body::{self, expect_media_type};
use pippost_http::problem::{Code, Problem};
use pippost_keys::SharedSecret;
use pippost_mail::replies::{Incoming, MAX_MAIL_BYTES, ReceiveOutcome, Replies};

/// The header with the shared secret.
const HEADER: &str = "X-Inbound-Secret";

const MEDIA_TYPES: [&str; 2] = ["message/rfc822", "text/plain"];

/// Registers the handlers; paths are relative to `/api/v1`.
pub fn configure(service: &mut Routes<'_>) {
    service.service(receive_mail);
}

/// Whether mail is accepted over HTTP, and the secret for it.
#[derive(Clone, Debug)]
pub struct Inbound(pub Option<SharedSecret>);

/// A requester with the shared secret.
#[derive(Debug)]
pub struct Deliverer(());

impl FromRequest for Deliverer {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let secret = request.app_data::<web::Data<Inbound>>().and_then(|inbound| inbound.0.as_ref());
        let Some(secret) = secret else {
            return ready(Err(Problem::new(Code::NotFound).detail("this server takes no mail over HTTP")));
        };
        let given = request.headers().get(HEADER).map(actix_web::http::header::HeaderValue::as_bytes);
        ready(match given {
            Some(given) if secret.is(given) => Ok(Self(())),
            _ => Err(Problem::new(Code::Unauthenticated)
                .detail(format!("{HEADER} does not hold the shared secret"))),
        })
    }
}

/// The longest address of an envelope, in characters (RFC 5321: 64 before the @, 255 after it).
const MAX_ADDRESS_CHARS: usize = 320;

problems! {
    MailProblems: NotFound, UnreadableMail;
}

/// The envelope of a mail, if known.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EnvelopeQuery {
    /// The recipient of the mail; by default the addresses in its headers are tried.
    #[param(max_length = 320, pattern = "^[^\\u0000]*$")]
    pub recipient: Option<String>,
    /// The envelope sender; empty for bounces, which are never answered.
    #[param(max_length = 320, pattern = "^[^\\u0000]*$")]
    pub sender: Option<String>,
}

/// The outcome of a mail.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReceivedMail {
    /// `taken`: it was processed, and the player gets an answer by mail; `repeated`: it was processed before; `ignored`: it was
    /// not processed, for example because a program sent it.
    #[schema(value_type = String, example = "taken")]
    pub outcome: &'static str,
}

/// Receives a mail that a player has sent to the server. Only for mail systems with the server's shared secret.
#[utoipa::path(tag = "operations", security(("inbound" = [])), params(EnvelopeQuery),
    request_body(content((String = "message/rfc822"), (String = "text/plain")), description = "The mail as it is, at most 10 MiB. Its first 256 KiB are read."),
    responses(
        (status = 200, description = "It needs not be delivered again.", body = ReceivedMail),
    MailProblems,
))]
#[post("/inbound/mail")]
pub async fn receive_mail(
    _deliverer: Deliverer,
    request: HttpRequest,
    replies: web::Data<Replies>,
    query: web::Query<EnvelopeQuery>,
    payload: web::Payload,
) -> Result<web::Json<ReceivedMail>, Problem> {
    expect_media_type(&request, &MEDIA_TYPES, "the body must be message/rfc822 or text/plain")?;
    let (mut raw, mut bytes) = (Vec::new(), 0);
    let keep = |piece: &[u8]| {
        bytes += piece.len();
        Incoming::keep(&mut raw, piece);
        Ok(())
    };
    body::read_pieces(payload, MAX_MAIL_BYTES, too_large, keep).await?;
    let EnvelopeQuery { recipient, sender } = query.into_inner();
    for (field, address) in [("recipient", &recipient), ("sender", &sender)] {
        if address.as_ref().is_some_and(|address| address.chars().count() > MAX_ADDRESS_CHARS) {
            let why = format!("{field}: at most {MAX_ADDRESS_CHARS} characters");
            return Err(Problem::new(Code::InvalidValue).detail(why).with("field", field));
        }
    }
    let incoming = Incoming { sender: sender.as_deref(), recipient: recipient.as_deref(), raw: &raw, bytes };
    Ok(web::Json(outcome_of(replies.receive(incoming).await?)?))
}

fn too_large() -> Problem {
    Problem::new(Code::BodyTooLarge).detail(format!("at most {MAX_MAIL_BYTES} bytes"))
}

/// What the API answers to a mail.
///
/// # Errors
/// It could not be taken.
pub fn outcome_of(outcome: ReceiveOutcome) -> Result<ReceivedMail, Problem> {
    let outcome = match outcome {
        ReceiveOutcome::Taken => "taken",
        ReceiveOutcome::Repeated => "repeated",
        ReceiveOutcome::Ignored(_) => "ignored",
        ReceiveOutcome::TooLarge => return Err(too_large()),
        ReceiveOutcome::Unreadable => return Err(Problem::new(Code::UnreadableMail)),
        ReceiveOutcome::UnknownAddress { .. } => {
            let why = "recipient: no address that this server has made";
            return Err(Problem::new(Code::NotFound).detail(why).with("field", "recipient"));
        }
    };
    Ok(ReceivedMail { outcome })
}
