//! The board as plain text.

use std::fmt::Write;

use super::field::Orientation;
use super::position::Roll;
use super::view::{CellView, Phase, View};
use crate::rules::{Captions, Seat, Sentence};

/// The inner width of a cell, in characters.
const CELL_WIDTH: usize = 13;

/// Longer names are cut, so that no line exceeds 78 columns.
const NAME_WIDTH: usize = 24;

/// The most characters of a line.
const COLUMNS: usize = 78;

/// Two lines per cell: its name, the card and its orientation, then its owner and armies. The armies are listed again by
/// player, for people who hear the lines one by one.
pub fn board(view: &View, captions: &Captions<'_>) -> String {
    let mut out = String::new();
    let side = view.field.len().isqrt();
    let rule = format!("  +{}\n", format!("{:-<CELL_WIDTH$}+", "").repeat(side));
    for row in view.field.chunks(side.max(1)) {
        out.push_str(&rule);
        let label = row.first().map_or(0, |cell| cell.cell.row() + 1);
        let _ = write!(out, "{label} |");
        for cell in row {
            let _ = write!(out, " {:<1$}|", card_line(*cell, captions), CELL_WIDTH - 1);
        }
        out.push_str("\n  |");
        for cell in row {
            let _ = write!(out, " {:<1$}|", armies_line(*cell, captions), CELL_WIDTH - 1);
        }
        out.push('\n');
    }
    out.push_str(&rule);
    let columns = ('a'..).take(side).map(|column| format!("{column:^0$}", CELL_WIDTH + 1));
    let _ = writeln!(out, "  {}\n", columns.collect::<String>().trim_end());
    let _ = writeln!(out, "{}\n", captions.say("dominion-legend"));
    for seat in (0..).map(Seat).take(captions.names.len()) {
        let _ = writeln!(out, "{}", player_line(view, seat, captions));
        if let Some(lines) = armies_lines(view, seat, captions) {
            let _ = writeln!(out, "{lines}");
        }
    }
    let _ = writeln!(out, "\n{}", state_line(view, captions));
    if let Some(card) = view.turned {
        let turned = Sentence::new("dominion-turned-now").text("notation", card).card("card", card);
        let _ = writeln!(out, "{}", captions.say(turned.number("attacks", view.attacks)));
    }
    let round = Sentence::new("dominion-round").number("round", view.round);
    let _ = writeln!(
        out,
        "{}",
        captions.say(round.phrase("cards", Sentence::of_count("rules-cards", view.stock)))
    );
    out
}

fn card_line(cell: CellView, captions: &Captions<'_>) -> String {
    let lies = captions.say(match cell.orientation {
        Orientation::Vertical => "dominion-vertical",
        Orientation::Horizontal => "dominion-horizontal",
    });
    format!("{} {} {lies}", cell.cell, cell.card)
}

fn armies_line(cell: CellView, captions: &Captions<'_>) -> String {
    match cell.owner {
        Some(seat) => format!("{seat}: {}", captions.count("dominion-armies", cell.armies)),
        None => captions.say("dominion-free"),
    }
}

fn player_line(view: &View, seat: Seat, captions: &Captions<'_>) -> String {
    let own = view.field.iter().filter(|cell| cell.owner == Some(seat));
    let (cells, armies) = own.fold((0, 0), |(cells, sum), cell| (cells + 1, sum + usize::from(cell.armies)));
    let counted = Sentence::new("dominion-cells").count("count", cells);
    let mut parts = vec![name(seat, captions), captions.say(counted)];
    parts.push(captions.say(Sentence::new("dominion-armies").count("count", armies)));
    parts.extend((view.current == Some(seat)).then(|| captions.say("dominion-in-turn")));
    format!("{seat}: {}", parts.join(", "))
}

/// The cells with armies of a seat; `None` if it has none.
fn armies_lines(view: &View, seat: Seat, captions: &Captions<'_>) -> Option<String> {
    let own = view.field.iter().filter(|cell| cell.owner == Some(seat));
    let on = |cell: &CellView| {
        let on = Sentence::new("dominion-on").number("armies", cell.armies).text("cell", cell.cell);
        captions.say(on)
    };
    let parts: Vec<_> = own.map(on).collect();
    let indented = textwrap::Options::new(COLUMNS).initial_indent("   ").subsequent_indent("   ");
    (!parts.is_empty()).then(|| textwrap::fill(&parts.join(", "), indented))
}

/// What the game waits for.
fn state_line(view: &View, captions: &Captions<'_>) -> String {
    let Some(current) = view.current else { return captions.say("rules-over") };
    let who = |key| Sentence::new(key).text("name", name(current, captions));
    captions.say(match (view.phase, view.pending, view.dice) {
        (Phase::Occupy, Some(pending), _) => Sentence::new("dominion-state-occupy")
            .text("name", name(pending.winner, captions))
            .phrase("armies", Sentence::of_count("dominion-armies", pending.max))
            .text("from", pending.from)
            .text("to", pending.to),
        (Phase::Deploy, _, Some(dice)) => {
            let roll = Roll(dice);
            who("dominion-state-deploy")
                .number("first", dice[0])
                .number("second", dice[1])
                .phrase("armies", Sentence::of_count("dominion-armies", roll.max_armies()))
                .number("rank", roll.max_rank())
        }
        (Phase::Reinforce, ..) => who("dominion-state-reinforce"),
        (Phase::Withdraw, ..) => who("dominion-state-withdraw"),
        (Phase::Advance, ..) => who("dominion-state-advance"),
        (Phase::Deploy, ..) => who("dominion-state-roll"),
        _ if view.turned.is_some() && view.attacks == 0 => who("dominion-state-attack-first"),
        _ => who("dominion-state-attack"),
    })
}

/// The name in plain ASCII and of bounded length; `seat 0` if there is none.
fn name(seat: Seat, captions: &Captions<'_>) -> String {
    let plain =
        |character: char| if character.is_ascii() && !character.is_control() { character } else { '?' };
    captions.name(seat).chars().take(NAME_WIDTH).map(plain).collect()
}
