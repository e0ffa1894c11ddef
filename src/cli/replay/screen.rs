//! The terminal screen: draws a position, waits for a key, and restores the terminal at the end.

use std::io::{self, Stdout, Write};

use crossterm::event::{self, Event, KeyEventKind};
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, queue};

use super::browser::{Browser, KeyEffect};
use super::positions::Positions;

/// The terminal in raw mode; restored when dropped.
struct Screen(Stdout);

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        // From here on, dropping `screen` restores the terminal.
        let mut screen = Self(io::stdout());
        queue!(screen.0, EnterAlternateScreen, cursor::Hide)?;
        screen.0.flush()?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Errors are ignored: if the terminal is gone, nothing can be shown.
        let _ = queue!(self.0, cursor::Show, LeaveAlternateScreen).and_then(|()| self.0.flush());
        let _ = terminal::disable_raw_mode();
    }
}

/// Lets the user step through the game until a key ends it.
pub fn show(positions: &Positions) -> io::Result<()> {
    let mut screen = Screen::enter()?;
    let mut browser = Browser::new(positions.count() - 1);
    loop {
        let (columns, rows) = terminal::size()?;
        // One row is reserved for the status line.
        let page = usize::from(rows.saturating_sub(1)).max(1);
        draw(&mut screen.0, positions, &mut browser, usize::from(columns), page)?;
        let Event::Key(key) = event::read()? else { continue };
        if key.kind != KeyEventKind::Release && browser.press(key, page) == KeyEffect::Quit {
            return Ok(());
        }
    }
}

fn draw(
    out: &mut Stdout,
    positions: &Positions,
    browser: &mut Browser,
    columns: usize,
    page: usize,
) -> io::Result<()> {
    let lines: Vec<String> = positions.lines(browser.seq).collect();
    browser.top = browser.top.min(lines.len().saturating_sub(page));
    let cut = |line: &str| line.chars().take(columns).collect::<String>();
    queue!(out, Clear(ClearType::All))?;
    for (row, line) in (0..).zip(lines.iter().skip(browser.top).take(page)) {
        queue!(out, cursor::MoveTo(0, row))?;
        write!(out, "{}", cut(line))?;
    }
    queue!(
        out,
        cursor::MoveTo(0, u16::try_from(page).unwrap_or(u16::MAX)),
        SetAttribute(Attribute::Reverse)
    )?;
    write!(out, "{}", cut(&browser.status()))?;
    queue!(out, SetAttribute(Attribute::Reset))?;
    out.flush()
}
