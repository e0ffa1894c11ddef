//! A network namespace that stands for another machine: one cable leads to it, and the test pulls it.

use std::process::Command;

use crate::cluster::succeed;

/// A machine beside this one. Making it needs root and `ip` (Debian: iproute2).
pub struct Machine {
    /// Tells the machines of several test runs apart.
    number: u32,
    name: String,
}

impl Machine {
    /// A machine whose cable is plugged in.
    pub fn new() -> Self {
        let number = std::process::id();
        let machine = Self { number, name: format!("pippost{number}") };
        let (name, [here, there]) = (&machine.name, machine.ends());
        let (host, remote) = (machine.host_address(), machine.address());
        ip(&format!("netns add {name}"));
        ip(&format!("link add {here} type veth peer name {there} netns {name}"));
        ip(&format!("address add {host}/30 dev {here}"));
        ip(&format!("link set {here} up"));
        ip(&format!("-n {name} address add {remote}/30 dev {there}"));
        ip(&format!("-n {name} link set lo up"));
        machine.plug_in();
        // A machine behind a router is not reported as unreachable when it is gone: what is sent to it is lost without a word.
        let hardware = succeed(machine.command("cat").arg(format!("/sys/class/net/{there}/address")));
        ip(&format!("neighbour replace {remote} lladdr {} dev {here} nud permanent", hardware.trim()));
        machine
    }

    /// Both ends of the cable.
    fn ends(&self) -> [String; 2] {
        [0, 1].map(|end| format!("pp{}e{end}", self.number))
    }

    /// The network of the cable alone, in the range for tests of networks (RFC 2544).
    fn network(&self) -> String {
        format!("198.18.{}", self.number % 256)
    }

    /// Where this machine is for that one.
    pub fn host_address(&self) -> String {
        format!("{}.1", self.network())
    }

    /// Where that machine is for this one.
    pub fn address(&self) -> String {
        format!("{}.2", self.network())
    }

    /// A program on that machine, which has the same files.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name, program]);
        command
    }

    /// From now on all that is sent to that machine or from it is lost, and no connection ends by it.
    pub fn unplug(&self) {
        ip(&format!("-n {} link set {} down", self.name, self.ends()[1]));
    }

    pub fn plug_in(&self) {
        ip(&format!("-n {} link set {} up", self.name, self.ends()[1]));
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It takes the cable with it. One that could not be made has none.
        let _ended = Command::new("ip").args(["netns", "delete", &self.name]).status();
    }
}

fn ip(arguments: &str) {
    succeed(Command::new("ip").args(arguments.split(' ')));
}
