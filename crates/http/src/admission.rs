//! Admits requests to costly work before their bodies are read, within limits for all peers together and for each peer.

use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};

use super::peer::Peer;
use super::problem::{Code, Problem};
use pippost_traffic::{Gate, Gates, Traffic, TrafficPermit};

/// A kind of costly work.
pub trait Work {
    /// The gate that limits this kind of work.
    fn gate(gates: &Gates) -> &Arc<Gate>;
}

macro_rules! work {
    ($($(#[$doc:meta])* $name:ident at $gate:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $name;

            impl Work for $name {
                fn gate(gates: &Gates) -> &Arc<Gate> {
                    &gates.$gate
                }
            }
        )*
    };
}

work! {
    /// Receiving and verifying a record.
    Verifying at verifications;
    /// Sending an archive.
    Archiving at archives;
    /// Drawing a board.
    Rendering at drawings;
    /// Hashing a password.
    Hashing at passwords;
    /// Making an animated picture of a game.
    Filming at films;
    /// Replaying a game.
    Replaying at replays;
    /// Reading a feed.
    Following at feeds;
}

/// An admission to a kind of work, held while this exists.
#[derive(Debug)]
pub struct Admitted<W>(TrafficPermit, PhantomData<W>);

impl<W: Work> Admitted<W> {
    /// Admits a request whose handler has found out that there is such work to do.
    ///
    /// # Errors
    /// The limits are reached.
    pub fn of(request: &HttpRequest) -> Result<Self, Problem> {
        enter::<W>(request).map(|pass| Self(pass, PhantomData))
    }
}

impl<W> Admitted<W> {
    /// The pass alone, for work that outlives the request.
    #[must_use]
    pub fn into_permit(self) -> TrafficPermit {
        self.0
    }
}

impl<W: Work> FromRequest for Admitted<W> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(enter::<W>(request).map(|pass| Self(pass, PhantomData)))
    }
}

fn enter<W: Work>(request: &HttpRequest) -> Result<TrafficPermit, Problem> {
    Ok(W::gate(traffic_of(request)?).enter(Some(Peer::of(request).0), 1)?)
}

fn traffic_of(request: &HttpRequest) -> Result<&Traffic, Problem> {
    let traffic = request.app_data::<web::Data<Traffic>>();
    let traffic =
        traffic.ok_or_else(|| Problem::new(Code::Internal).cause("no limits in the application"))?;
    Ok(traffic.get_ref())
}

/// The received bytes of a record, which count towards the limit until this is dropped.
#[derive(Debug)]
pub struct RecordBytes(pub TrafficPermit);

impl FromRequest for RecordBytes {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let enter = |traffic: &Traffic| Ok(traffic.record_bytes.enter(Some(Peer::of(request).0), 0)?);
        ready(traffic_of(request).and_then(enter).map(Self))
    }
}

/// An admission to replaying, needed only if the request asks for a past position.
#[derive(Debug)]
pub struct AdmittedToPast(Option<TrafficPermit>);

impl AdmittedToPast {
    /// Whether the request needed an admission.
    #[must_use]
    pub fn holds_place(&self) -> bool {
        self.0.is_some()
    }
}

impl FromRequest for AdmittedToPast {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let names = request.query_string().split('&').map(|pair| pair.split('=').next().unwrap_or_default());
        // Parameter names may be percent-encoded, so any name with an escape counts as one of them.
        let asks_for_past = |name: &str| matches!(name, "seq" | "turn") || name.contains(['%', '+']);
        let mut names = names.filter(|name| asks_for_past(name));
        ready(match names.next() {
            Some(_) => enter::<Replaying>(request).map(|pass| Self(Some(pass))),
            None => Ok(Self(None)),
        })
    }
}
