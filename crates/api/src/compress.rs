//! Compresses answers for clients that accept it. Other requests bypass the middleware.

use std::future::{Ready, ready};
use std::rc::Rc;

use actix_web::Error;
use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready};
use actix_web::http::header::ACCEPT_ENCODING;
use actix_web::middleware::Compress;
use futures_util::future::{Either, LocalBoxFuture};
use futures_util::{FutureExt, TryFutureExt};

/// [`Compress`], for requests with an `Accept-Encoding`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompressIfAsked;

/// The inner service with and without compression.
pub struct Compressing<S, C> {
    plain: Rc<S>,
    compressing: C,
}

impl<S> Transform<S, ServiceRequest> for CompressIfAsked
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error> + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type InitError = ();
    type Transform = Compressing<S, <Compress as Transform<Rc<S>, ServiceRequest>>::Transform>;
    type Future = Ready<Result<Self::Transform, ()>>;

    fn new_transform(&self, service: S) -> Self::Future {
        let plain = Rc::new(service);
        let compressing = Compress::default().new_transform(Rc::clone(&plain)).into_inner();
        ready(compressing.map(|compressing| Compressing { plain, compressing }))
    }
}

impl<S, C, B> Service<ServiceRequest> for Compressing<S, C>
where
    S: Service<ServiceRequest, Response = ServiceResponse<BoxBody>, Error = Error>,
    C: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
    C::Future: 'static,
    B: actix_web::body::MessageBody + 'static,
{
    type Response = ServiceResponse<BoxBody>;
    type Error = Error;
    type Future = Either<S::Future, LocalBoxFuture<'static, Result<Self::Response, Error>>>;

    forward_ready!(plain);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        if !request.headers().contains_key(ACCEPT_ENCODING) {
            return Either::Left(self.plain.call(request));
        }
        let answering = self.compressing.call(request);
        Either::Right(answering.map_ok(ServiceResponse::map_into_boxed_body).boxed_local())
    }
}
