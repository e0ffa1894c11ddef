//! The program as a process, and the databases that it may have: started, stopped, killed, replaced, refused.

mod embedded;
mod external_database;
mod failover;
mod lifecycle;
mod pair;
mod program;
mod replica;
mod sandbox;
mod sockets;
