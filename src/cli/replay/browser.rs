//! The position of a user who steps through a game by keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The most digits of a typed number.
const MAX_DIGITS: usize = 9;

/// A position in a game, and the scroll position in its text.
#[derive(Debug, PartialEq, Eq)]
pub struct Browser {
    pub seq: u64,
    last: u64,
    /// The first visible line.
    pub top: usize,
    /// The digits typed so far of the event to jump to.
    pub typed: String,
}

/// The action after a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    Draw,
    Quit,
}

impl Browser {
    /// Starts at event 0 of a game whose last event is `last`.
    pub fn new(last: u64) -> Self {
        Self { seq: 0, last, top: 0, typed: String::new() }
    }

    /// Handles a key; `page` is the number of visible lines.
    pub fn press(&mut self, key: KeyEvent, page: usize) -> KeyEffect {
        let typed = std::mem::take(&mut self.typed);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return KeyEffect::Quit,
            KeyCode::Char('q') | KeyCode::Esc if typed.is_empty() => return KeyEffect::Quit,
            KeyCode::Right | KeyCode::Char('l' | 'n' | ' ') => self.go(self.seq.saturating_add(1)),
            KeyCode::Left | KeyCode::Char('h' | 'p' | 'b') => self.go(self.seq.saturating_sub(1)),
            KeyCode::Home | KeyCode::Char('g') => self.go(0),
            KeyCode::End | KeyCode::Char('G') => self.go(self.last),
            KeyCode::Down | KeyCode::Char('j') => self.top += 1,
            KeyCode::Up | KeyCode::Char('k') => self.top = self.top.saturating_sub(1),
            KeyCode::PageDown => self.top += page,
            KeyCode::PageUp => self.top = self.top.saturating_sub(page),
            KeyCode::Char(digit @ '0'..='9') if typed.len() < MAX_DIGITS => {
                self.typed = format!("{typed}{digit}");
            }
            KeyCode::Backspace => {
                self.typed = typed;
                self.typed.pop();
            }
            KeyCode::Enter => self.go(typed.parse().unwrap_or(self.seq + 1)),
            _ => {}
        }
        KeyEffect::Draw
    }

    fn go(&mut self, seq: u64) {
        self.seq = seq.min(self.last);
        self.top = 0;
    }

    /// The status line: the meaning of the keys, or the number being typed.
    pub fn status(&self) -> String {
        if self.typed.is_empty() {
            "left/right: step   Home/End: start/end   number, Enter: jump   up/down: scroll   q: quit"
                .to_owned()
        } else {
            format!("to event {} (Enter)", self.typed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The event after pressing `keys` in a game of 21 events.
    fn after(keys: &[KeyCode]) -> u64 {
        let mut browser = Browser::new(20);
        for key in keys {
            assert_eq!(browser.press(KeyEvent::from(*key), 10), KeyEffect::Draw);
        }
        browser.seq
    }

    #[test]
    fn arrows_step_and_stop_at_both_ends() {
        use KeyCode::{Char, End, Home, Left, Right};
        assert_eq!(after(&[Right, Right, Left, Char('n')]), 2);
        assert_eq!(after(&[Left]), 0);
        assert_eq!(after(&[End, Right]), 20);
        assert_eq!(after(&[End, Left, Home, Right]), 1);
    }

    #[test]
    fn a_number_and_enter_jump_and_anything_else_forgets_the_number() {
        use KeyCode::{Backspace, Char, Enter, Esc, Right};
        assert_eq!(after(&[Char('1'), Char('2'), Enter]), 12);
        assert_eq!(after(&[Char('1'), Char('2'), Backspace, Enter]), 1);
        assert_eq!(after(&[Char('9'), Char('9'), Enter]), 20);
        assert_eq!(after(&[Char('1'), Esc, Right]), 1);
        assert_eq!(after(&[Enter]), 1, "Enter alone is a step");
        assert_eq!(after(&[Char('9'); 30]), 0);
    }

    #[test]
    fn three_keys_quit() {
        let quits = [
            KeyEvent::from(KeyCode::Char('q')),
            KeyEvent::from(KeyCode::Esc),
            KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL),
        ];
        for key in quits {
            assert_eq!(Browser::new(3).press(key, 10), KeyEffect::Quit);
        }
    }
}
