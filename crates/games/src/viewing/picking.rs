//! The board for a player who composes a move on it: what can be picked, what has been picked, and what the move would do.

use serde_json::Value;

use crate::Games;
use crate::error::{GameError, words_of};
use crate::memory::live::LiveGame;
use crate::viewing::analysis::is_public;
use crate::viewing::board::{last_event, picture};
use crate::viewing::view::Look;
use pippost_language::Language;
use pippost_record::record::{ActRefused, Table};
use pippost_record::rules::picture::Picture;
use pippost_record::rules::{Captions, Group, Next, Position, Refused, Seat, Target, Viewer};
use pippost_store::Seq;

/// The most picks that are read.
pub const MAX_PICKS: usize = 32;

/// The most actions that are listed in notation.
pub const MAX_LISTED: usize = 400;

/// What a player has chosen so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Targets of the board and of its buttons.
    Picks(Vec<String>),
    /// An action in notation.
    Notation(String),
}

/// A button with words and perhaps a picture.
#[derive(Clone, Debug)]
pub struct ShownButton {
    pub target: String,
    pub label: String,
    pub face: Option<Picture>,
}

/// A chosen action that can be sent.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub action: Value,
    pub notation: String,
    /// What it will do, up to the first chance or reveal.
    pub told: Vec<String>,
    /// What chance may make of it.
    pub outlook: Option<String>,
    /// True if it draws or reveals something.
    pub draws: bool,
}

/// The board of a started game, for one viewer.
#[derive(Clone, Debug)]
pub struct Picking {
    pub seq: Seq,
    pub picture: Picture,
    pub board_text: String,
    /// The targets of the picture.
    pub targets: Vec<Target>,
    /// What says something when somebody points at it.
    pub parts: Vec<Group>,
    /// Whether everything that was hidden at this position is public.
    pub public: bool,
    pub picked: Vec<String>,
    /// The same in words.
    pub chosen: Vec<String>,
    /// The targets that can be picked next; none for anybody but the player to act.
    pub next: Vec<String>,
    /// Those of them that are buttons.
    pub buttons: Vec<ShownButton>,
    pub to_do: Option<String>,
    /// What can be sent.
    pub proposal: Option<Proposal>,
    /// Why what was chosen is no move.
    pub refusal: Option<String>,
    /// Legal actions in notation, at most [`MAX_LISTED`].
    pub notation: Vec<String>,
}

/// The board as its viewer sees it, with what `choice` leads to. What is chosen by anybody but the player to act is ignored.
///
/// # Errors
/// The database failed.
pub async fn pick(
    games: &Games,
    Look { live, viewer }: &Look,
    choice: Choice,
    language: Language,
) -> Result<Picking, GameError> {
    let last = last_event(games, live).await?;
    let table = live.chronicle.table();
    let mut picking = Picking::at(live, table, *viewer, &last.effects, language);
    let Some(seat) = table.to_act().filter(|seat| viewer.is(*seat)) else { return Ok(picking) };
    if let Some(action) = picking.ask(table, &live.fixed.names, choice, language) {
        match propose(live, seat, &action, language) {
            Ok((proposal, picture)) => (picking.proposal, picking.picture) = (Some(proposal), picture),
            Err(refused) => picking.refuse(table, &live.fixed.names, &refused, language),
        }
    }
    Ok(picking)
}

impl Picking {
    /// The board at `table`, a position of this game or one that might be; nothing is asked yet.
    pub(super) fn at(
        live: &LiveGame,
        table: &Table,
        viewer: Viewer,
        last: &[Value],
        language: Language,
    ) -> Self {
        let captions = Captions::new(&live.fixed.names, &language);
        let position = table.position();
        Self {
            seq: live.seq(),
            picture: picture(live, table, viewer, last, language),
            board_text: position.board_text(viewer, &captions),
            targets: position.targets(viewer, &captions),
            parts: position.parts(viewer, &captions),
            public: is_public(live, table),
            picked: Vec::new(),
            chosen: Vec::new(),
            next: Vec::new(),
            buttons: Vec::new(),
            to_do: None,
            proposal: None,
            refusal: None,
            notation: Vec::new(),
        }
    }

    /// Fills in what the player to act may choose. Returns the action that is chosen; it need not be legal if it was written.
    pub(super) fn ask(
        &mut self,
        table: &Table,
        names: &[String],
        choice: Choice,
        language: Language,
    ) -> Option<Value> {
        let position = table.position();
        self.to_do = Some(language.tell(&position.to_do(), names));
        let listed = position.legal();
        self.notation = listed.iter().filter_map(|action| position.write(action)).take(MAX_LISTED).collect();
        let composer = position.composer();
        let next = match choice {
            Choice::Picks(picks) => {
                let next = composer.next(&picks);
                if next.targets.is_empty() && next.action.is_none() {
                    // The position has changed since, or somebody has typed an address.
                    composer.next(&[])
                } else {
                    let words = |pick: &String| self.words_of(position, pick, names, language);
                    self.chosen = picks.iter().map(words).collect();
                    self.picked = picks;
                    next
                }
            }
            Choice::Notation(text) => match position.read(&text) {
                Ok(action) => Next { targets: Vec::new(), action: Some(action) },
                Err(unreadable) => {
                    let meant = position.meant(&text).map(|incomplete| incomplete.why());
                    self.refusal = Some(language.tell(&meant.unwrap_or(unreadable.why), names));
                    composer.next(&[])
                }
            },
        };
        self.offer(position, next.targets, names, language);
        next.action
    }

    /// Says why the chosen action is none; what was written can be chosen anew.
    pub(super) fn refuse(
        &mut self,
        table: &Table,
        names: &[String],
        refused: &ActRefused,
        language: Language,
    ) {
        self.refusal = Some(words_of(refused, language));
        if self.picked.is_empty() {
            let targets = table.position().composer().next(&[]).targets;
            self.offer(table.position(), targets, names, language);
        }
    }

    /// A pick as it is called on the board or on its button.
    fn words_of(&self, position: &dyn Position, pick: &str, names: &[String], language: Language) -> String {
        let on_board =
            self.targets.iter().find(|target| target.name == pick).map(|target| target.label.clone());
        let button = || shown_button(position, pick, names, language).map(|button| button.label);
        on_board.or_else(button).unwrap_or_else(|| pick.to_owned())
    }

    fn offer(&mut self, position: &dyn Position, next: Vec<String>, names: &[String], language: Language) {
        let button = |name: &String| shown_button(position, name, names, language);
        self.buttons = next.iter().filter_map(button).collect();
        self.next = next;
    }
}

fn shown_button(
    position: &dyn Position,
    target: &str,
    names: &[String],
    language: Language,
) -> Option<ShownButton> {
    let button = position.button(target)?;
    let label = language.tell(&button.label, names);
    Some(ShownButton { target: target.to_owned(), label, face: button.face })
}

/// What an action would do, and the board up to its first chance or reveal.
fn propose(
    live: &LiveGame,
    seat: Seat,
    action: &Value,
    language: Language,
) -> Result<(Proposal, Picture), ActRefused> {
    let mut preview = live.chronicle.preview(seat);
    preview.act(action)?;
    let position = live.chronicle.table().position();
    let tried = preview
        .done()
        .last()
        .ok_or(ActRefused::Refused(Refused::NoChance(pippost_record::rules::NoChance)))?;
    let told = position.tell(Some(seat), &tried.action, &tried.effects);
    let proposal = Proposal {
        action: tried.action.clone(),
        notation: position.write(&tried.action).unwrap_or_default(),
        told: told.iter().map(|sentence| language.tell_soon(sentence, &live.fixed.names)).collect(),
        outlook: position.outlook(action).map(|outlook| language.tell(&outlook, &live.fixed.names)),
        draws: preview.has_stopped(),
    };
    Ok((proposal, picture(live, preview.table(), Viewer::Seat(seat), &tried.effects, language)))
}
