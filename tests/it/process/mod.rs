//! The program as it is run: processes, connections, the pages that tell how to run it.

pub mod in_flight;
pub mod program;
pub mod readme;
pub mod sockets;
pub mod traffic;
pub mod trust;
