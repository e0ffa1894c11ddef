//! The faults: which there are, and how each is struck and ended.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::Signal;
use support::beacon::Behavior as Given;
use support::receiver::Behavior;

use super::chance::Dice;
use super::disk::Failing;
use super::wire::Manner;
use super::world::{MailMood, SERVERS, WIRES, World};

/// How far a clock is stepped at most, in seconds.
const MAX_STEP: usize = 20;

/// The status of a push service that asks to wait.
const TOO_MANY: u16 = 429;

/// How a beacon fails.
const WRONG_ROUNDS: [Given; 5] =
    [Given::Down, Given::Older, Given::OlderRenamed, Given::OtherValue, Given::Endless];

/// One fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// SIGKILL of a server or the worker.
    KillProcess(usize),
    /// SIGSTOP, and SIGCONT later.
    StopProcess(usize),
    KillPostmaster,
    KillBackend,
    KillDatabase,
    StopPostmaster,
    StopBackend,
    StopDatabase,
    LosePower,
    Disk(Failing),
    /// Of a wire.
    Wire(usize, Manner),
    Mail(MailMood),
    /// The receiver of webhooks refuses, stalls, or answers without an end.
    HookRefuses,
    HookStalls,
    HookTrickles,
    /// The push service refuses messages, or answers as none does.
    Push(u16),
    /// The beacon refuses, or gives another thing than the round. Its wire stalls and is cut, as that of the push service.
    Beacon(Given),
    /// The clock of a server or the worker.
    Clock(usize, i64),
}

impl Fault {
    pub fn draw(dice: &mut Dice, world: &World) -> Self {
        loop {
            let process = dice.below(SERVERS + 1);
            let wire = dice.below(WIRES.len());
            let fault = match dice.below(24) {
                0 | 1 => Self::KillProcess(process),
                2 | 3 => Self::StopProcess(process),
                4 => Self::KillPostmaster,
                5 => Self::KillBackend,
                6 => Self::KillDatabase,
                7 => Self::StopPostmaster,
                8 => Self::StopBackend,
                9 => Self::StopDatabase,
                10 | 11 => Self::LosePower,
                12 => Self::Disk(Failing::Writes(*dice.pick(&[Errno::ENOSPC, Errno::EIO]))),
                13 => Self::Disk(*dice.pick(&[Failing::Reads, Failing::Syncs])),
                14 | 15 => Self::Wire(wire, Manner::Cut),
                16 => Self::Wire(wire, Manner::Slow(dice.milliseconds(20, 400))),
                17 => Self::Wire(wire, Manner::Silent),
                18 => Self::Wire(wire, Manner::Unanswering),
                19 => Self::Mail(*dice.pick(&[MailMood::HangingUp, MailMood::PuttingOff])),
                20 => *dice.pick(&[Self::HookRefuses, Self::HookStalls, Self::HookTrickles]),
                21 => Self::Push(*dice.pick(&[TOO_MANY, 503, 200, 302])),
                22 => Self::Beacon(*dice.pick(&WRONG_ROUNDS)),
                _ => {
                    let step = i64::try_from(dice.below(2 * MAX_STEP + 1)).expect("a small number");
                    Self::Clock(process, step - i64::try_from(MAX_STEP).expect("a small number"))
                }
            };
            if fault.is_possible(world) {
                return fault;
            }
        }
    }

    fn is_possible(self, world: &World) -> bool {
        match self {
            Self::LosePower => world.database.can_lose_power(),
            Self::Disk(_) | Self::Clock(..) => world.has_preload,
            _ => true,
        }
    }

    /// What it is counted as.
    pub fn kind(self) -> String {
        match self {
            Self::KillProcess(process) => {
                format!("kill -9 of {}", ["server 1", "server 2", "worker"][process])
            }
            Self::StopProcess(process) => format!("stop of {}", ["server 1", "server 2", "worker"][process]),
            Self::KillPostmaster => "kill -9 of the postmaster".to_owned(),
            Self::KillBackend => "kill -9 of a backend".to_owned(),
            Self::KillDatabase => "kill -9 of the whole database".to_owned(),
            Self::StopPostmaster => "stop of the postmaster".to_owned(),
            Self::StopBackend => "stop of a backend".to_owned(),
            Self::StopDatabase => "stop of the whole database".to_owned(),
            Self::LosePower => "power cut of the database's disk".to_owned(),
            Self::Disk(Failing::Writes(Errno::ENOSPC)) => "disk full (ENOSPC)".to_owned(),
            Self::Disk(Failing::Writes(_)) => "failing writes (EIO)".to_owned(),
            Self::Disk(Failing::Reads) => "failing reads (EIO)".to_owned(),
            Self::Disk(Failing::Syncs) => "failing syncs (EIO)".to_owned(),
            Self::Wire(wire, Manner::Slow(_)) => format!("slow wire: {}", WIRES[wire]),
            Self::Wire(wire, Manner::Silent) => format!("half open wire: {}", WIRES[wire]),
            Self::Wire(wire, Manner::Unanswering) => format!("answers lost: {}", WIRES[wire]),
            Self::Wire(wire, _) => format!("cut wire: {}", WIRES[wire]),
            Self::Mail(MailMood::HangingUp) => "mail server hangs up".to_owned(),
            Self::Mail(_) => "mail server puts off".to_owned(),
            Self::HookRefuses => "webhook refused".to_owned(),
            Self::HookStalls => "webhook stalls".to_owned(),
            Self::HookTrickles => "webhook never ends".to_owned(),
            Self::Push(400..) => "push service refuses".to_owned(),
            Self::Push(_) => "push service answers wrongly".to_owned(),
            Self::Beacon(Given::Down) => "beacon refuses".to_owned(),
            Self::Beacon(_) => "beacon answers wrongly".to_owned(),
            Self::Clock(process, _) => {
                format!("clock step of {}", ["server 1", "server 2", "worker"][process])
            }
        }
    }

    /// Begins it; what lasts goes on until [`World::mend`].
    pub fn strike(self, dice: &mut Dice, world: &mut World) {
        match self {
            Self::KillProcess(process) => world.processes[process].signal(Signal::SIGKILL),
            Self::StopProcess(process) => world.processes[process].signal(Signal::SIGSTOP),
            Self::KillPostmaster => world.database.signal_first(Signal::SIGKILL),
            Self::StopPostmaster => world.database.signal_first(Signal::SIGSTOP),
            Self::KillBackend => drop(world.database.signal_backend(Signal::SIGKILL, dice.below(1000))),
            Self::StopBackend => drop(world.database.signal_backend(Signal::SIGSTOP, dice.below(1000))),
            Self::KillDatabase => world.database.signal_all(Signal::SIGKILL),
            Self::StopDatabase => world.database.signal_all(Signal::SIGSTOP),
            Self::LosePower => tokio::task::block_in_place(|| world.database.lose_power()),
            Self::Disk(failing) => world.database.orders.fail(failing),
            Self::Wire(wire, manner) => world.wires[wire].behave(manner),
            Self::Mail(mood) => world.mail_mood.store(mood as u8, Ordering::Relaxed),
            Self::HookRefuses => world.hooks.behave(Behavior::Refusing(500)),
            Self::HookStalls => world.hooks.behave(Behavior::Silent),
            Self::HookTrickles => world.hooks.behave(Behavior::Trickling),
            Self::Push(status) => world.pushes.answer(status, (status == TOO_MANY).then_some(1)),
            Self::Beacon(given) => world.beacon.behave(given),
            Self::Clock(process, seconds) => world.processes[process].orders.step_clock(seconds),
        }
    }

    /// How long it lasts.
    pub fn lasts(self, dice: &mut Dice) -> Duration {
        match self {
            Self::KillProcess(_)
            | Self::KillPostmaster
            | Self::KillBackend
            | Self::KillDatabase
            | Self::LosePower => dice.milliseconds(0, 200),
            Self::StopPostmaster | Self::StopBackend | Self::StopDatabase => dice.milliseconds(100, 6000),
            _ => dice.milliseconds(100, 3000),
        }
    }
}

/// How often each kind of fault struck.
#[derive(Default)]
pub struct Struck(pub BTreeMap<String, usize>);

impl Struck {
    pub fn count(&self) -> usize {
        self.0.values().sum()
    }

    pub fn add(&mut self, fault: Fault) {
        *self.0.entry(fault.kind()).or_default() += 1;
    }
}
