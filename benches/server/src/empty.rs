//! A handler that does nothing, to measure HTTP alone.

use std::net::SocketAddr;

use actix_web::{App, HttpResponse, HttpServer, web};

/// Serves 204 at every path until killed.
///
/// # Errors
/// The address cannot be listened on.
pub fn serve(address: SocketAddr) -> anyhow::Result<()> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async move {
        let empty = || async { HttpResponse::NoContent().finish() };
        let server = HttpServer::new(move || App::new().default_service(web::to(empty)));
        let server = server.workers(threads).bind(address)?.run();
        println!("ready");
        server.await
    })?;
    Ok(())
}
