//! The running program: processes, connections, and the pages that describe how to run it.

pub mod cuts;
pub mod in_flight;
pub mod languages;
pub mod program;
pub mod readme;
pub mod sandbox;
pub mod sockets;
pub mod traffic;
pub mod trust;
