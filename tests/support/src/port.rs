//! Ports for programs that cannot choose one themselves.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 elsewhere), of which one could take the
/// port before the program does, or while it is started again.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// A port on which nothing listens. Each call gives another one, as long as there are some, and processes begin at different ones.
pub fn free_port() -> u16 {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    let count = u32::from(COUNT);
    let begin = std::process::id().wrapping_mul(101) % count;
    for _ in 0..COUNT {
        let call = u32::from(CALLS.fetch_add(1, Ordering::Relaxed));
        let port = FIRST + u16::try_from((begin + call) % count).expect("a port");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("no port from {FIRST} on is free");
}
