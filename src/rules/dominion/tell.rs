//! What happened, in sentences.

use super::action::Action;
use super::effect::{Effect, Stage};
use crate::rules::Seat;
use crate::rules::cards::{Card, JACK, KING, QUEEN};

/// What one event did; `names` by seat. Neighbouring `armies` effects share a sentence.
pub fn sentences(
    seat: Option<Seat>,
    action: Option<&Action>,
    effects: &[Effect],
    names: &[String],
) -> Vec<String> {
    let teller = Teller { names };
    let mut told = Vec::new();
    if let (Some(seat), Some(action)) = (seat, action) {
        told.extend(teller.action(seat, *action, effects));
    }
    let blocks =
        effects.chunk_by(|one, other| matches!((one, other), (Effect::Armies { .. }, Effect::Armies { .. })));
    let mut rest = effects;
    for block in blocks {
        rest = &rest[block.len()..];
        told.extend(match block {
            [Effect::Armies { .. }, ..] => Some(teller.armies(block)),
            [effect] => teller.effect(seat, effect, rest.first()),
            _ => None,
        });
    }
    told
}

struct Teller<'a> {
    names: &'a [String],
}

impl Teller<'_> {
    fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("somebody", String::as_str)
    }

    /// What the effects alone do not say.
    fn action(&self, seat: Seat, action: Action, effects: &[Effect]) -> Option<String> {
        let who = self.name(seat);
        Some(match action {
            // Told by their effects.
            Action::Turn {} | Action::Attack { .. } => return None,
            Action::Reinforce { cell } => format!("{who} added one army on {cell}, for the red king."),
            Action::Withdraw { cell } => format!("{who} took one army from {cell}, for the black king."),
            Action::Occupy { armies: 0 } => format!("{who} moved no army into the conquered cell."),
            Action::Occupy { armies } => format!("{who} moved {} into the conquered cell.", count(armies)),
            Action::Advance { from, to, armies } => {
                format!("{who} advanced {} from {from} to {to}.", count(armies))
            }
            Action::Deploy { cell, armies } => format!("{who} deployed {} on {cell}.", count(armies)),
            Action::Pass {} => match passed(seat, effects) {
                Some(stage) => format!("{who} passed and {stage}."),
                None => format!("{who} passed."),
            },
        })
    }

    /// One effect other than `armies`; `then` is the one that follows it.
    fn effect(&self, seat: Option<Seat>, effect: &Effect, then: Option<&Effect>) -> Option<String> {
        Some(match *effect {
            Effect::Dealt { ref field } => {
                let cards: Vec<_> = field.iter().map(Card::to_string).collect();
                format!("The field was dealt row by row from the north-west: {}.", cards.join(" "))
            }
            Effect::Turned { card, reshuffled } => self.turned(seat, card, reshuffled),
            Effect::Battle { .. } => self.battle(effect)?,
            Effect::Conquered { cell, winner } => {
                let who = self.name(winner);
                format!("No army is left on {cell}: {who} conquered it and decides how many armies move in.")
            }
            Effect::Dice { seat, dice: [first, second], max_rank, max_armies } => {
                let stage = Effect::Stage { seat, stage: Stage::Deploy };
                let roll = format!("{} rolled {first} and {second} to deploy", self.name(seat));
                if then == Some(&stage) {
                    format!("{roll}: up to {} on a card of rank {max_rank} or less.", count(max_armies))
                } else {
                    format!("{roll}: no cell of rank {max_rank} or less takes armies, so the turn ended.")
                }
            }
            // Told together, and with the dice.
            Effect::Armies { .. } | Effect::Stage { stage: Stage::Deploy, .. } => return None,
            Effect::Stage { seat, stage: Stage::Attack } => format!("{} may attack.", self.name(seat)),
            Effect::Stage { seat, stage: Stage::Advance } => format!("{} may advance.", self.name(seat)),
        })
    }

    fn turned(&self, seat: Option<Seat>, card: Card, reshuffled: bool) -> String {
        let who = seat.map_or("somebody", |seat| self.name(seat));
        let again = if reshuffled { "The discards became the stock again. " } else { "" };
        let (same, other) = if card.is_red() { ("red", "black") } else { ("black", "red") };
        let ranks = ranks(card);
        let means = match card.rank() {
            KING if card.is_red() => "one army more, on a cell that takes it".to_owned(),
            KING => "one army must be withdrawn".to_owned(),
            QUEEN => format!("every {same} card is 1 stronger this turn"),
            _ => format!("this turn {same} {ranks} are 2 stronger, {other} {ranks} 2 weaker"),
        };
        format!("{again}{who} turned the {}: {means}.", card.name())
    }

    fn battle(&self, effect: &Effect) -> Option<String> {
        let Effect::Battle { from, to, attacker, defender, advantage, attacker_dice, defender_dice, losses } =
            *effect
        else {
            return None;
        };
        let (ours, theirs) = (self.name(attacker), self.name(defender));
        let odds = match advantage {
            0 => "even odds".to_owned(),
            1.. => format!("advantage {advantage}"),
            ..0 => format!("disadvantage {}", advantage.unsigned_abs()),
        };
        let [a, b] = attacker_dice;
        let [c, d] = defender_dice;
        let number = i16::from(a) + i16::from(b) + i16::from(advantage);
        let bonus = match advantage {
            0 => String::new(),
            1.. => format!(" + {advantage}"),
            ..0 => format!(" - {}", advantage.unsigned_abs()),
        };
        let result = match losses {
            [0, 0] => "Nobody lost an army.".to_owned(),
            [0, lost] => format!("{theirs} lost {}.", count(lost)),
            [lost, _] => format!("{ours} lost {}.", count(lost)),
        };
        Some(format!(
            "{ours} attacked {theirs} from {from} to {to}, {odds}: \
             {a} + {b}{bonus} = {number} against {c} + {d} = {}. {result}",
            c + d
        ))
    }

    /// What stands where now: `ann now has 3 armies on b4 and 1 army on c4; b3 is unoccupied.`
    fn armies(&self, block: &[Effect]) -> String {
        // The owners in the order in which they come, nobody last.
        let mut parts: Vec<Part> = Vec::new();
        for effect in block {
            let Effect::Armies { cell, owner, armies } = *effect else { continue };
            let told =
                if owner.is_some() { format!("{} on {cell}", count(armies)) } else { cell.to_string() };
            match parts.iter_mut().find(|part| part.owner == owner) {
                Some(part) => part.told.push(told),
                None => parts.push(Part { owner, told: vec![told] }),
            }
        }
        parts.sort_by_key(|part| part.owner.is_none());
        let clauses = parts.into_iter().map(|Part { owner, told }| match owner.map(|seat| self.name(seat)) {
            Some(who) => format!("{who} now has {}", list(told)),
            None if told.len() == 1 => format!("{} is unoccupied", list(told)),
            None => format!("{} are unoccupied", list(told)),
        });
        format!("{}.", clauses.collect::<Vec<_>>().join("; "))
    }
}

/// Cells of one owner, or of nobody.
struct Part {
    owner: Option<Seat>,
    told: Vec<String>,
}

/// What a `pass` led to for the same seat, as far as its first automatic step shows.
fn passed(seat: Seat, effects: &[Effect]) -> Option<&'static str> {
    match effects.first()? {
        Effect::Stage { seat: next, stage: Stage::Advance } if *next == seat => Some("went on to advance"),
        Effect::Dice { seat: next, .. } if *next == seat => Some("went on to deploy"),
        _ => None,
    }
}

fn count(armies: u8) -> String {
    if armies == 1 { "1 army".to_owned() } else { format!("{armies} armies") }
}

/// `a`, `a and b`, `a, b and c`
fn list(mut parts: Vec<String>) -> String {
    let Some(last) = parts.pop() else { return String::new() };
    if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) }
}

/// The rank of a card in the plural.
fn ranks(card: Card) -> String {
    match card.rank() {
        1 => "aces".to_owned(),
        JACK => "jacks".to_owned(),
        rank => format!("{rank}s"),
    }
}
