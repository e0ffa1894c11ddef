//! The board as plain text.

use std::fmt::Write;

use super::field::Orientation;
use super::position::Roll;
use super::view::{CellView, Phase, View};
use crate::rules::Seat;

/// The inside of a cell, in characters.
const CELL_WIDTH: usize = 13;

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 24;

/// The most characters of a line.
const COLUMNS: usize = 78;

/// Two lines a cell: its name, the card and how it lies, then the seat that owns it and its armies. The armies come once more by
/// player, for those who listen to the lines one by one.
pub fn board(view: &View, names: &[String]) -> String {
    let mut out = String::new();
    let side = view.field.len().isqrt();
    let rule = format!("  +{}\n", format!("{:-<CELL_WIDTH$}+", "").repeat(side));
    for row in view.field.chunks(side.max(1)) {
        out.push_str(&rule);
        let label = row.first().map_or(0, |cell| cell.cell.row() + 1);
        let _ = write!(out, "{label} |");
        for cell in row {
            let _ = write!(out, " {:<1$}|", card_line(*cell), CELL_WIDTH - 1);
        }
        out.push_str("\n  |");
        for cell in row {
            let _ = write!(out, " {:<1$}|", armies_line(*cell), CELL_WIDTH - 1);
        }
        out.push('\n');
    }
    out.push_str(&rule);
    let columns = ('a'..).take(side).map(|column| format!("{column:^0$}", CELL_WIDTH + 1));
    let _ = writeln!(out, "  {}\n", columns.collect::<String>().trim_end());
    out.push_str("N-S attacks north and south, E-W east and west.\n\n");
    for seat in (0..).map(Seat).take(names.len()) {
        let _ = writeln!(out, "{}", player_line(view, seat, names));
        if let Some(lines) = armies_lines(view, seat) {
            let _ = writeln!(out, "{lines}");
        }
    }
    let _ = writeln!(out, "\n{}", state_line(view, names));
    if let Some(card) = view.turned {
        let _ = writeln!(out, "Turned: {card}, the {}. Attacks this turn: {}.", card.name(), view.attacks);
    }
    let _ = writeln!(out, "Round {}. Stock: {}.", view.round, count(view.stock.into(), "card"));
    out
}

fn card_line(cell: CellView) -> String {
    let lies = match cell.orientation {
        Orientation::Vertical => "N-S",
        Orientation::Horizontal => "E-W",
    };
    format!("{} {} {lies}", cell.cell, cell.card)
}

fn armies_line(cell: CellView) -> String {
    match cell.owner {
        Some(seat) => format!("{seat}: {}", armies(cell.armies)),
        None => "free".to_owned(),
    }
}

fn player_line(view: &View, seat: Seat, names: &[String]) -> String {
    let own = view.field.iter().filter(|cell| cell.owner == Some(seat));
    let (cells, armies) = own.fold((0, 0), |(cells, sum), cell| (cells + 1, sum + usize::from(cell.armies)));
    let turn = if view.current == Some(seat) { ", in turn" } else { "" };
    format!("{seat}: {}, {}, {}{turn}", name(seat, names), count(cells, "cell"), count_armies(armies))
}

/// Where the armies of a seat are; `None` when it has none.
fn armies_lines(view: &View, seat: Seat) -> Option<String> {
    let own = view.field.iter().filter(|cell| cell.owner == Some(seat));
    let parts: Vec<_> = own.map(|cell| format!("{} on {}", cell.armies, cell.cell)).collect();
    let indented = textwrap::Options::new(COLUMNS).initial_indent("   ").subsequent_indent("   ");
    (!parts.is_empty()).then(|| textwrap::fill(&parts.join(", "), indented))
}

/// What the game waits for.
fn state_line(view: &View, names: &[String]) -> String {
    let Some(current) = view.current else { return "The game is over.".to_owned() };
    let who = name(current, names);
    match (view.phase, view.pending, view.dice) {
        (Phase::Occupy, Some(pending), _) => {
            let winner = name(pending.winner, names);
            let most = armies(pending.max);
            format!("{winner} may move up to {most} from {} to {}.", pending.from, pending.to)
        }
        (Phase::Deploy, _, Some(dice)) => {
            let roll = Roll(dice);
            let most = armies(roll.max_armies());
            format!(
                "{who} rolled {} and {}: {most} at most, rank {} at most.",
                dice[0],
                dice[1],
                roll.max_rank()
            )
        }
        (Phase::Reinforce, ..) => format!("{who} adds one army, for the red king."),
        (Phase::Withdraw, ..) => format!("{who} takes one army away, for the black king."),
        (Phase::Advance, ..) => format!("{who} may advance."),
        (Phase::Deploy, ..) => format!("{who} is to roll and deploy."),
        _ if view.turned.is_some() && view.attacks == 0 => format!("{who} is to attack."),
        _ => format!("{who} may attack."),
    }
}

/// The name in plain ASCII and of bounded length; `seat 0` where there is none.
fn name(seat: Seat, names: &[String]) -> String {
    let Some(name) = names.get(seat.index()) else { return format!("seat {seat}") };
    let plain =
        |character: char| if character.is_ascii() && !character.is_control() { character } else { '?' };
    name.chars().take(NAME_WIDTH).map(plain).collect()
}

fn armies(armies: u8) -> String {
    count_armies(armies.into())
}

fn count_armies(armies: usize) -> String {
    if armies == 1 { "1 army".to_owned() } else { format!("{armies} armies") }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
