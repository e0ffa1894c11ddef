//! Starts a process of PostgreSQL so that it ends with the server, holds the cluster's lock, and has no more rights than it
//! needs. Beside `allocator.rs` this has the only `unsafe` code: what runs between fork and exec, and three system calls that
//! no library wraps.
#![allow(unsafe_code)]

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use libc::c_int;

use super::account::Account;

/// Capabilities, numbered as in `linux/capability.h`.
const CAP_DAC_OVERRIDE: u32 = 1;
const CAP_DAC_READ_SEARCH: u32 = 2;
/// `_LINUX_CAPABILITY_VERSION_3`: sets of 64 bits, each given as two words.
const CAPABILITY_VERSION_3: u32 = 0x2008_0522;

/// Starts `command` under `account` with an empty environment and no input.
///
/// When the *thread* that calls this ends, the process receives SIGINT, which PostgreSQL takes as a fast, clean shutdown. It
/// has its own process group, so a terminal's Ctrl-C reaches only the server, which then stops it in order. The process and its
/// children keep `inherited` open, and with it the lock that this process holds on it.
pub(super) fn spawn(command: Command, account: Account, inherited: Option<&File>) -> io::Result<Child> {
    spawn_with(command, account, inherited, &[])
}

/// The same with these variables in the environment.
pub(super) fn spawn_with(
    mut command: Command,
    account: Account,
    inherited: Option<&File>,
    variables: &[(&str, OsString)],
) -> io::Result<Child> {
    command.env_clear().stdin(Stdio::null()).process_group(0);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let passing = match account {
        Account::Own => None,
        Account::Other { uid, gid } => {
            // This also makes the standard library drop root's supplementary groups.
            command.uid(uid).gid(gid);
            None
        }
        Account::OtherPassingFolders { uid, gid } => Some((uid, gid)),
    };
    let inherited = inherited.map(AsRawFd::as_raw_fd);
    // SAFETY: getpid(2) has no preconditions.
    let parent = unsafe { libc::getpid() };
    // SAFETY: the closure runs in the forked child of a process with threads, so it may call only what is safe in a
    // signal handler: it makes system calls and allocates nothing. `inherited` is still open then: the caller's
    // borrow of the file outlives the spawn below, and `command` does not outlive this function.
    unsafe {
        command.pre_exec(move || {
            if let Some((uid, gid)) = passing {
                become_user_who_passes_folders(uid, gid)?;
            }
            if let Some(descriptor) = inherited {
                check(libc::fcntl(descriptor, libc::F_SETFD, 0))?;
            }
            // Set after the change of user, which would clear it.
            check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGINT))?;
            // The parent may have ended before the line above; then no signal would come.
            if libc::getppid() == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
        });
    }
    command.spawn()
}

/// Changes to the user and keeps, over the exec, the one capability to search folders that are closed to it. A container may
/// have dropped the narrow capability but kept the wider one.
fn become_user_who_passes_folders(uid: u32, gid: u32) -> io::Result<()> {
    // SAFETY: plain system calls. The two pointers given to capset(2) point to arrays of the sizes that version 3 of its header
    // requires, and setgroups(2) reads nothing for a count of zero.
    unsafe {
        let narrow = libc::prctl(libc::PR_CAPBSET_READ, CAP_DAC_READ_SEARCH) == 1;
        let capability = if narrow { CAP_DAC_READ_SEARCH } else { CAP_DAC_OVERRIDE };
        check(libc::prctl(libc::PR_SET_KEEPCAPS, 1))?;
        check(libc::setgroups(0, std::ptr::null()))?;
        check(libc::setgid(gid))?;
        check(libc::setuid(uid))?;
        let header = [CAPABILITY_VERSION_3, 0];
        let set = 1_u32 << capability;
        // Effective, permitted, inheritable; then the upper halves of the three.
        let sets = [set, set, set, 0, 0, 0];
        if libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        check(libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_RAISE, capability, 0, 0))
    }
}

fn check(result: c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
