//! The form of an object: a line that names it, a line of JSON that is its index, then frames of zstd. Unpacked, the frames are the
//! lines of the events, and then of the clock log, each followed by a line with its openings, or an empty one.
//!
//! Frames are small, so a page is read without unpacking the game, and `zstd -d` unpacks all that follows the index.

use aws_lc_rs::digest::{Context, SHA256};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{ArchiveError, MAX_OBJECT_BYTES};
use pippost_record::record::Hash;

/// The first line of an object.
const MAGIC: &[u8] = b"pippost/game/1\n";

/// A frame is closed after so many lines, or bytes.
const FRAME_LINES: u32 = 256;
const FRAME_BYTES: usize = 1 << 20;

/// The longest line of an event or a clock log, in bytes: thousands of times what they have.
const MAX_LINE_BYTES: usize = 8 << 20;

/// The largest frame, unpacked.
const MAX_FRAME_BYTES: usize = FRAME_BYTES + 2 * MAX_LINE_BYTES + 2;

/// The longest index, in bytes.
const MAX_INDEX_BYTES: usize = 1 << 20;

/// Packs to a fifth at fifty MB a second; higher levels gain little.
const LEVEL: i32 = 9;

/// What an object holds, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    game: Uuid,
    /// The SHA-256 of the SHA-256 values of all lines: of the events, then of each line of the clock log and of its openings.
    digest: Hash,
    events: Vec<PackedLines>,
    clock: Vec<PackedLines>,
}

/// Lines that are packed together: their number, and the bytes packed and unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PackedLines(u32, u32, u32);

fn count(frames: &[PackedLines]) -> u64 {
    frames.iter().map(|frame| u64::from(frame.0)).sum()
}

/// A line of a clock log, with what opens its commitments.
pub type ClockLine = (String, Option<String>);

/// A game ready to be archived.
#[derive(Clone, Debug)]
pub struct PackedGame {
    pub name: Hash,
    pub bytes: Bytes,
    pub digest: Hash,
    pub events: u64,
    pub clock_lines: u64,
}

/// Packs a game line by line: first the events, then the clock log.
pub struct ObjectWriter {
    index: Index,
    digest: Context,
    packed: Vec<u8>,
    frame: Vec<u8>,
    lines: u32,
    is_clock: bool,
}

impl ObjectWriter {
    #[must_use]
    pub fn new(game: Uuid) -> Self {
        let index = Index { game, digest: Hash::of(&[]), events: Vec::new(), clock: Vec::new() };
        let digest = Context::new(&SHA256);
        Self { index, digest, packed: Vec::new(), frame: Vec::new(), lines: 0, is_clock: false }
    }

    /// Adds the next event.
    ///
    /// # Errors
    /// It cannot be archived, or the game is too large.
    pub fn event(&mut self, line: &str) -> Result<(), ArchiveError> {
        self.line(line)?;
        self.end_line()
    }

    /// Adds the next line of the clock log; no event may follow.
    ///
    /// # Errors
    /// As [`ObjectWriter::event`].
    pub fn clock_line(&mut self, line: &str, openings: Option<&str>) -> Result<(), ArchiveError> {
        if !self.is_clock {
            self.close_frame()?;
            self.is_clock = true;
        }
        // An empty line stands for none.
        if openings.is_some_and(str::is_empty) {
            return Err(ArchiveError::NotPacked("openings of its clock log are empty"));
        }
        self.line(line)?;
        self.line(openings.unwrap_or_default())?;
        self.end_line()
    }

    fn line(&mut self, line: &str) -> Result<(), ArchiveError> {
        if line.len() > MAX_LINE_BYTES || line.contains('\n') {
            return Err(ArchiveError::NotPacked("a line of it is too long, or is more than one"));
        }
        self.digest.update(Hash::of(&[line.as_bytes()]).as_bytes());
        self.frame.extend_from_slice(line.as_bytes());
        self.frame.push(b'\n');
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), ArchiveError> {
        self.lines += 1;
        if self.lines < FRAME_LINES && self.frame.len() < FRAME_BYTES { Ok(()) } else { self.close_frame() }
    }

    fn close_frame(&mut self) -> Result<(), ArchiveError> {
        if self.lines == 0 {
            return Ok(());
        }
        let failed = |_| ArchiveError::NotPacked("zstd failed");
        let packed = zstd::bulk::compress(&self.frame, LEVEL).map_err(failed)?;
        if self.packed.len() + packed.len() > MAX_OBJECT_BYTES - MAX_INDEX_BYTES - MAGIC.len() {
            return Err(ArchiveError::NotPacked("it is too large"));
        }
        let number = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let frame = PackedLines(self.lines, number(packed.len()), number(self.frame.len()));
        let frames = if self.is_clock { &mut self.index.clock } else { &mut self.index.events };
        frames.push(frame);
        self.packed.extend_from_slice(&packed);
        self.frame.clear();
        self.lines = 0;
        Ok(())
    }

    /// The object.
    ///
    /// # Errors
    /// As [`ObjectWriter::event`].
    pub fn finish(mut self) -> Result<PackedGame, ArchiveError> {
        self.close_frame()?;
        let digest: [u8; 32] = self.digest.finish().as_ref().try_into().expect("SHA-256 has 32 bytes");
        self.index.digest = Hash::from_bytes(digest);
        let index = serde_json::to_vec(&self.index).expect("plain data");
        if index.len() >= MAX_INDEX_BYTES {
            return Err(ArchiveError::NotPacked("it is too large"));
        }
        let bytes = [MAGIC, &index, b"\n", &self.packed].concat();
        Ok(PackedGame {
            name: Hash::of(&[&bytes]),
            bytes: bytes.into(),
            digest: self.index.digest,
            events: count(&self.index.events),
            clock_lines: count(&self.index.clock),
        })
    }
}

/// An object whose bytes are those of its name.
#[derive(Debug)]
pub struct GameObject {
    name: Hash,
    index: Index,
    packed: Bytes,
}

impl GameObject {
    /// Reads the index.
    ///
    /// # Errors
    /// The bytes are not those of the name, or no object.
    pub fn parse(name: Hash, bytes: Bytes) -> Result<Self, ArchiveError> {
        if Hash::of(&[&bytes]) != name {
            return Err(ArchiveError::Altered(name, "its bytes have another hash"));
        }
        let altered = |why| ArchiveError::Altered(name, why);
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| altered("it is no game's"))?;
        let head = &rest[..rest.len().min(MAX_INDEX_BYTES)];
        let end = head.iter().position(|byte| *byte == b'\n').ok_or_else(|| altered("it has no index"))?;
        let index: Index =
            serde_json::from_slice(&head[..end]).map_err(|_| altered("its index cannot be read"))?;
        let packed = bytes.slice(MAGIC.len() + end + 1..);
        let mut sum = 0;
        for PackedLines(lines, packed_bytes, plain_bytes) in index.events.iter().chain(&index.clock) {
            if *lines == 0 || usize::try_from(*plain_bytes).is_ok_and(|bytes| bytes > MAX_FRAME_BYTES) {
                return Err(altered("its index is impossible"));
            }
            sum += u64::from(*packed_bytes);
        }
        if u64::try_from(packed.len()) != Ok(sum) {
            return Err(altered("its length is not that of its index"));
        }
        Ok(Self { name, index, packed })
    }

    #[must_use]
    pub fn game(&self) -> Uuid {
        self.index.game
    }

    #[must_use]
    pub fn events(&self) -> u64 {
        count(&self.index.events)
    }

    #[must_use]
    pub fn clock_lines(&self) -> u64 {
        count(&self.index.clock)
    }

    /// What it holds in memory, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> u64 {
        let frames = self.index.events.len() + self.index.clock.len();
        let index = size_of::<Self>() + frames * size_of::<PackedLines>();
        u64::try_from(self.packed.len() + index).unwrap_or(u64::MAX)
    }

    /// The lines of the events from `first` to `last`, at most `most`.
    ///
    /// # Errors
    /// A frame cannot be unpacked.
    pub fn event_lines(&self, first: u64, last: u64, most: usize) -> Result<Vec<String>, ArchiveError> {
        let mut found = Vec::new();
        let mut at = (0, 0);
        for frame in &self.index.events {
            let end = at.0 + u64::from(frame.0);
            if end > first && at.0 <= last && found.len() < most {
                let text = self.unpack(at.1, *frame)?;
                let lines = self.split(&text, frame.0)?;
                for (seq, line) in (at.0..).zip(lines) {
                    if (first..=last).contains(&seq) && found.len() < most {
                        found.push(line.to_owned());
                    }
                }
            }
            at = (end, at.1 + frame.1 as usize);
        }
        Ok(found)
    }

    /// The lines of the clock log from `first` on, at most `most`.
    ///
    /// # Errors
    /// A frame cannot be unpacked.
    pub fn clock_page(&self, first: u64, most: usize) -> Result<Vec<ClockLine>, ArchiveError> {
        let mut found = Vec::new();
        let mut at = (0, self.index.events.iter().map(|frame| frame.1 as usize).sum());
        for frame in &self.index.clock {
            let end = at.0 + u64::from(frame.0);
            if end > first && found.len() < most {
                let text = self.unpack(at.1, *frame)?;
                let lines = self.split(&text, frame.0 * 2)?;
                for (number, pair) in (at.0..).zip(lines.chunks_exact(2)) {
                    if number >= first && found.len() < most {
                        let openings = Some(pair[1]).filter(|openings| !openings.is_empty());
                        found.push((pair[0].to_owned(), openings.map(str::to_owned)));
                    }
                }
            }
            at = (end, at.1 + frame.1 as usize);
        }
        Ok(found)
    }

    /// The digest of all its lines, computed anew.
    ///
    /// # Errors
    /// A frame cannot be unpacked, or the digest is not that of the index.
    pub fn checked_digest(&self) -> Result<Hash, ArchiveError> {
        let mut digest = Context::new(&SHA256);
        let mut at = 0;
        let events = self.index.events.iter().map(|frame| (frame, 1));
        for (frame, each) in events.chain(self.index.clock.iter().map(|frame| (frame, 2))) {
            let text = self.unpack(at, *frame)?;
            for line in self.split(&text, frame.0 * each)? {
                digest.update(Hash::of(&[line.as_bytes()]).as_bytes());
            }
            at += frame.1 as usize;
        }
        let digest = digest.finish();
        if digest.as_ref() != self.index.digest.as_bytes() {
            return Err(ArchiveError::Altered(self.name, "its lines are not those of its index"));
        }
        Ok(self.index.digest)
    }

    fn unpack(&self, begin: usize, frame: PackedLines) -> Result<String, ArchiveError> {
        let altered = || ArchiveError::Altered(self.name, "a frame of it cannot be unpacked");
        let packed = self.packed.get(begin..begin + frame.1 as usize).ok_or_else(altered)?;
        let text = zstd::bulk::decompress(packed, frame.2 as usize).map_err(|_| altered())?;
        if text.len() != frame.2 as usize {
            return Err(altered());
        }
        String::from_utf8(text).map_err(|_| altered())
    }

    fn split<'a>(&self, text: &'a str, wanted: u32) -> Result<Vec<&'a str>, ArchiveError> {
        let lines: Vec<&str> = text.split_terminator('\n').collect();
        let is_whole = text.ends_with('\n') && u32::try_from(lines.len()) == Ok(wanted);
        if is_whole { Ok(lines) } else { Err(ArchiveError::Altered(self.name, "a frame of it lacks lines")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u64) -> String {
        format!("{{\"seq\":{number},\"what\":\"{}\"}}", "ä".repeat(usize::try_from(number % 7).unwrap_or(0)))
    }

    fn packed(events: u64, clock_lines: u64) -> PackedGame {
        let mut writer = ObjectWriter::new(Uuid::nil());
        for number in 0..events {
            writer.event(&event(number)).expect("an event");
        }
        for number in 0..clock_lines {
            let openings = (number % 2 == 0).then(|| format!("[{number}]"));
            writer.clock_line(&format!("line {number}"), openings.as_deref()).expect("a line");
        }
        writer.finish().expect("an object")
    }

    #[test]
    fn every_page_of_an_object_is_what_was_put_in() {
        for (events, clock_lines) in [(1, 0), (255, 1), (256, 256), (257, 300), (1500, 700)] {
            let game = packed(events, clock_lines);
            let object = GameObject::parse(game.name, game.bytes.clone()).expect("an object");
            assert_eq!((object.events(), object.clock_lines()), (events, clock_lines));
            assert_eq!(object.checked_digest().expect("its digest"), game.digest);
            for first in [0, 1, 254, 255, 256, 257, 1000, 1499, 1500, u64::MAX] {
                let lines = object.event_lines(first, first.saturating_add(600), 500).expect("a page");
                let wanted: Vec<String> = (first..events).take(500).map(event).collect();
                assert_eq!(lines, wanted, "{events} from {first}");
                let page = object.clock_page(first, 500).expect("a page");
                let numbers = (first..clock_lines).take(500);
                let wanted: Vec<ClockLine> =
                    numbers.map(|n| (format!("line {n}"), (n % 2 == 0).then(|| format!("[{n}]")))).collect();
                assert_eq!(page, wanted, "{clock_lines} from {first}");
            }
        }
    }

    #[test]
    fn an_object_with_one_other_byte_is_refused_also_under_the_name_that_it_then_has() {
        let game = packed(300, 3);
        let object = GameObject::parse(game.name, game.bytes.clone()).expect("an object");
        for at in [0, 20, 60, game.bytes.len() / 2, game.bytes.len() - 1] {
            let mut bytes = game.bytes.to_vec();
            bytes[at] ^= 1;
            let same_name = GameObject::parse(game.name, bytes.clone().into());
            assert!(matches!(same_name, Err(ArchiveError::Altered(..))), "byte {at}");
            let renamed = GameObject::parse(Hash::of(&[&bytes]), bytes.into());
            let lines = renamed.and_then(|object| object.checked_digest().map(|digest| (object, digest)));
            // A byte of the game's id is caught by whoever asked for that game.
            assert!(
                lines.is_err() || lines.is_ok_and(|(other, _)| other.game() != object.game()),
                "byte {at}"
            );
        }
    }

    #[test]
    fn what_would_not_come_back_the_same_is_not_packed() {
        let mut writer = ObjectWriter::new(Uuid::nil());
        assert!(matches!(writer.event("two\nlines"), Err(ArchiveError::NotPacked(_))));
        assert!(matches!(writer.clock_line("line", Some("")), Err(ArchiveError::NotPacked(_))));
        assert!(matches!(writer.event(&"x".repeat(MAX_LINE_BYTES + 1)), Err(ArchiveError::NotPacked(_))));
    }
}
