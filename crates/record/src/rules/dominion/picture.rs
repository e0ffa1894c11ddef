//! The field as a picture. Portrait cards attack north and south, landscape cards east and west. Tokens show the owner of the
//! armies on a card, by colour and by shape, and their number.

use super::cell::Cell;
use super::effect::Effect;
use super::field::Orientation;
use super::position::Roll;
use super::view::{CellView, Phase, View};
use crate::rules::picture::card::{self, suit};
use crate::rules::picture::die::{Tone, die};
use crate::rules::picture::token::token;
use crate::rules::picture::{Area, Picture, Point, Role, WIDTH, at, edge, fill, fit, text};
use crate::rules::seat::MAX_SEATS;
use crate::rules::{Captions, Seat, Sentence};

/// The greatest width of the field.
const FIELD_WIDTH: f32 = 300.0;
/// The space left of the field for the numbers of the rows.
const FIELD_LEFT: f32 = 18.0;
const FIELD_TOP: f32 = 6.0;
/// The greatest size of a cell.
const LARGEST_CELL: f32 = 88.0;
/// The height of the columns' letters.
const LABELS_HEIGHT: f32 = 20.0;
const STATUS_HEIGHT: f32 = 22.0;
const BATTLE_HEIGHT: f32 = 30.0;
const CARDS_HEIGHT: f32 = 52.0;
const PLAYER_HEIGHT: f32 = 22.0;

/// The field; below it the to-do, the last battle, the cards and the dice, and the players.
pub fn draw(view: &View, captions: &Captions<'_>, last: &[Effect]) -> Picture {
    let field = Field::of(view);
    let battle = last.iter().rev().find_map(Battle::of);
    let battle_height = if battle.is_some() { BATTLE_HEIGHT } else { 0.0 };
    let seats = seats(view, captions.names);
    let players_height = PLAYER_HEIGHT * f32::from(seats);
    let mut top = field.bottom() + LABELS_HEIGHT;
    let height = top + STATUS_HEIGHT + battle_height + CARDS_HEIGHT + players_height + 8.0;
    let mut picture = Picture::new(title(view, captions), describe(view, captions, seats), height);
    field.labels(&mut picture);
    for cell in &view.field {
        field.card(&mut picture, *cell);
    }
    for effect in last {
        field.mark(&mut picture, effect);
    }
    status(&mut picture, view, captions, top);
    top += STATUS_HEIGHT;
    if let Some(battle) = battle {
        battle.draw(&mut picture, captions, top);
        top += BATTLE_HEIGHT;
    }
    cards(&mut picture, view, captions, top);
    top += CARDS_HEIGHT;
    for seat in Seat::all(seats) {
        player(&mut picture, view, seat, captions, top + PLAYER_HEIGHT * f32::from(seat.0));
    }
    picture
}

/// The cells with their areas.
pub fn cells(view: &View) -> impl Iterator<Item = (CellView, Area)> {
    let field = Field::of(view);
    view.field.iter().map(move |cell| (*cell, field.area(cell.cell)))
}

/// The number of seats shown: those with names, and those that own something.
fn seats(view: &View, names: &[String]) -> u8 {
    let named = u8::try_from(names.len()).unwrap_or(MAX_SEATS);
    let owning = view.field.iter().filter_map(|cell| cell.owner).map(|seat| seat.0 + 1).max();
    named.max(owning.unwrap_or(0)).min(MAX_SEATS)
}

/// The radius of a cell's token, as a part of the cell's width: every shape stays within the frame of its card.
const TOKEN: f32 = 0.17;

/// The layout of the cells.
#[derive(Clone, Copy)]
struct Field {
    /// The number of columns and rows.
    side: u8,
    /// The width and height of a cell.
    cell: f32,
    left: f32,
}

impl Field {
    fn of(view: &View) -> Self {
        let side = u8::try_from(view.field.len().isqrt()).unwrap_or(1).max(1);
        let cell = (FIELD_WIDTH / f32::from(side)).min(LARGEST_CELL);
        let left = FIELD_LEFT + (FIELD_WIDTH - cell * f32::from(side)) / 2.0;
        Self { side, cell, left }
    }

    fn bottom(self) -> f32 {
        FIELD_TOP + self.cell * f32::from(self.side)
    }

    fn area(self, cell: Cell) -> Area {
        let (column, row) = (f32::from(cell.column()), f32::from(cell.row()) + 1.0);
        Area::new(self.left + column * self.cell, self.bottom() - row * self.cell, self.cell, self.cell)
    }

    fn labels(self, picture: &mut Picture) {
        let style = text(13.0).bold().middle().role(Role::Muted);
        for (index, letter) in (0..self.side).zip('a'..) {
            let middle = (f32::from(index) + 0.5) * self.cell;
            picture.label(at(self.left + middle, self.bottom() + 9.0), style, letter);
            picture.label(at(self.left - 9.0, self.bottom() - middle), style, (index + 1).to_string());
        }
    }

    fn card(self, picture: &mut Picture, view: CellView) {
        let centre = self.area(view.cell).centre();
        let (long, short) = (self.cell - 6.0, self.cell * 0.68);
        let upright = view.orientation == Orientation::Vertical;
        let (width, height) = if upright { (short, long) } else { (long, short) };
        let area = Area::new(centre.x - width / 2.0, centre.y - height / 2.0, width, height);
        card::blank(picture, area);
        if let Some(owner) = view.owner {
            picture.rect(area.inset(1.5), 3.5, edge(Role::Seat(owner), 3.0));
        }
        let size = self.cell * 0.25;
        let rank = card::rank(view.card);
        let style = text(if rank.len() == 1 { size } else { size * 0.88 }).bold().role(card::ink(view.card));
        picture.text(at(area.x + size * 0.38, area.y + size * 1.12), style, rank);
        let (sign, army) = if upright {
            let sign = at(area.x + width - size * 0.72, area.y + size * 0.78);
            (sign, centre.moved(0.0, long * 0.15))
        } else {
            (at(area.x + size * 0.82, area.y + height - size * 0.8), centre.moved(long * 0.16, 0.0))
        };
        suit(picture, view.card.suit(), sign, size * 0.8);
        if let Some(owner) = view.owner {
            token(picture, owner, army, self.cell * TOKEN, &view.armies.to_string());
        }
    }

    /// Marks the last event: an arrow for an attack, a frame around each cell whose armies changed.
    fn mark(self, picture: &mut Picture, effect: &Effect) {
        match *effect {
            Effect::Battle { from, to, .. } => self.attack(picture, from, to),
            Effect::Armies { cell, .. } | Effect::Conquered { cell, .. } => {
                picture.rect(self.area(cell).inset(1.5), 4.0, edge(Role::Highlight, 3.0));
            }
            Effect::Dealt { .. } | Effect::Turned { .. } | Effect::Dice { .. } | Effect::Stage { .. } => {}
        }
    }

    /// An arrow through the space beside the attacking card to the edge of the attacked one.
    fn attack(self, picture: &mut Picture, from: Cell, to: Cell) {
        let (start, end) = (self.area(from).centre(), self.area(to).centre());
        let beside = self.cell * 0.405;
        let aside = |point: Point| {
            if from.column() == to.column() { point.moved(beside, 0.0) } else { point.moved(0.0, beside) }
        };
        let reach = 0.68;
        let tip = at(start.x + (end.x - start.x) * reach, start.y + (end.y - start.y) * reach);
        picture.arrow(aside(start), aside(tip), Role::Highlight, 4.0);
    }
}

/// The dice of an attack.
#[derive(Clone, Copy)]
struct Battle {
    /// Attacker and defender.
    seats: [Seat; 2],
    cells: [Cell; 2],
    dice: [[u8; 2]; 2],
    losses: [u8; 2],
    advantage: i8,
}

impl Battle {
    fn of(effect: &Effect) -> Option<Self> {
        let Effect::Battle { from, to, attacker, defender, advantage, attacker_dice, defender_dice, losses } =
            *effect
        else {
            return None;
        };
        let (seats, dice) = ([attacker, defender], [attacker_dice, defender_dice]);
        Some(Self { seats, cells: [from, to], dice, losses, advantage })
    }

    /// The attacker with dice and advantage, both totals, the defender with dice, and the losses (DM8).
    fn draw(self, picture: &mut Picture, captions: &Captions<'_>, top: f32) {
        let middle = top + BATTLE_HEIGHT / 2.0 - 2.0;
        let number = |dice: [u8; 2]| i16::from(dice[0]) + i16::from(dice[1]);
        let [attacker, defender] = self.dice.map(number);
        let attacker = attacker + i16::from(self.advantage);
        for (seat, dice, token_x, dice_x) in
            [(self.seats[0], self.dice[0], 24.0, 46.0), (self.seats[1], self.dice[1], 228.0, 183.0)]
        {
            token(picture, seat, at(token_x, middle), 8.5, "");
            pair(picture, dice, at(dice_x, middle), 19.0);
        }
        let plain = text(12.0).middle().role(Role::Muted);
        picture.label(at(93.0, middle), plain, format!("{:+}", self.advantage).replace('-', "−"));
        picture.label(at(138.0, middle), text(14.0).bold().middle(), format!("{attacker} : {defender}"));
        let lost = self.losses.iter().zip(self.cells).find(|(losses, _)| **losses > 0);
        let lost = lost.map_or(Sentence::new("dominion-label-no-losses"), |(losses, cell)| {
            Sentence::new("dominion-label-lost").text("cell", cell).number("armies", *losses)
        });
        picture.label(at(WIDTH - 10.0, middle), text(12.0).end(), captions.say(lost));
    }
}

/// Two dice, the first centred on `left`.
fn pair(picture: &mut Picture, dice: [u8; 2], left: Point, side: f32) {
    for (number, offset) in dice.into_iter().zip([0.0, side + 3.0]) {
        die(picture, Area::around(left.moved(offset, 0.0), side), Tone::Light, Some(number));
    }
}

/// What the game waits for, and from whom.
fn status(picture: &mut Picture, view: &View, captions: &Captions<'_>, top: f32) {
    let style = text(13.0).bold();
    picture.text(
        at(12.0, top + 15.0),
        style,
        sentence(view, captions, |seat| fit(&captions.name(seat), style.size, 90.0)),
    );
    let round = text(12.0).end().role(Role::Muted);
    let said = captions.say(Sentence::new("dominion-label-round").number("round", view.round));
    picture.text(at(WIDTH - 10.0, top + 15.0), round, said);
}

fn sentence(view: &View, captions: &Captions<'_>, name: impl Fn(Seat) -> String) -> String {
    let Some(current) = view.current else { return captions.say("rules-finished") };
    let who = |key| Sentence::new(key).text("name", name(current));
    captions.say(match (view.phase, view.pending) {
        (Phase::Occupy, Some(pending)) => Sentence::new("dominion-asks-occupy")
            .text("name", name(pending.winner))
            .number("most", pending.max)
            .text("to", pending.to),
        (Phase::Reinforce, _) => who("dominion-asks-reinforce"),
        (Phase::Withdraw, _) => who("dominion-asks-withdraw"),
        (Phase::Advance, _) => who("dominion-asks-advance"),
        (Phase::Deploy, _) => who("dominion-asks-deploy"),
        _ if view.turned.is_some() && view.attacks == 0 => who("dominion-asks-attack-first"),
        _ => who("dominion-asks-attack"),
    })
}

/// The turned card, the stock, and the deploy roll.
fn cards(picture: &mut Picture, view: &View, captions: &Captions<'_>, top: f32) {
    let turned = Area::new(14.0, top + 3.0, 31.0, 43.0);
    let (main, small) = (text(14.0).bold(), text(11.0).role(Role::Muted));
    match view.turned {
        Some(card) => card::face(picture, turned, card),
        None => card::place(picture, turned),
    }
    let turned = || captions.say("dominion-label-turned");
    let lines = match view.turned {
        Some(_) => (turned(), captions.count("dominion-label-attacks", view.attacks)),
        None => (captions.say("dominion-label-no-card"), turned()),
    };
    picture.text(at(50.0, top + 22.0), small, lines.0);
    picture.text(at(50.0, top + 36.0), small, lines.1);
    let stock = Area::new(112.0, top + 3.0, 31.0, 43.0);
    if view.stock > 0 {
        card::back(picture, stock);
    } else {
        card::place(picture, stock);
    }
    picture.text(at(149.0, top + 22.0), main, view.stock.to_string());
    picture.text(at(149.0, top + 36.0), small, captions.say("dominion-label-stock"));
    if let Some(dice) = view.dice {
        let roll = Roll(dice);
        pair(picture, dice, at(206.0, top + 25.0), 25.0);
        let rank = Sentence::new("dominion-label-rank").number("rank", roll.max_rank());
        let armies = Sentence::new("dominion-label-armies").number("armies", roll.max_armies());
        picture.text(at(254.0, top + 22.0), small, captions.say(rank));
        picture.text(at(254.0, top + 36.0), small, captions.say(armies));
    }
}

/// A player's token, name, cells and armies; an arrow marks the player in turn.
fn player(picture: &mut Picture, view: &View, seat: Seat, captions: &Captions<'_>, top: f32) {
    let middle = top + PLAYER_HEIGHT / 2.0;
    let style = text(14.0);
    let style = if view.current == Some(seat) {
        let tip = at(13.0, middle);
        picture.polygon([tip.moved(-7.0, -5.0), tip, tip.moved(-7.0, 5.0)], fill(Role::Ink));
        style.bold()
    } else {
        style
    };
    token(picture, seat, at(26.0, middle), 8.0, "");
    picture.label(at(42.0, middle), style, fit(&captions.name(seat), style.size, 140.0));
    picture.label(
        at(WIDTH - 10.0, middle),
        text(12.0).end().role(Role::Muted),
        holdings(view, seat, captions),
    );
}

fn holdings(view: &View, seat: Seat, captions: &Captions<'_>) -> String {
    let own = || view.field.iter().filter(|cell| cell.owner == Some(seat));
    let armies: i64 = own().map(|cell| i64::from(cell.armies)).sum();
    let cells = i64::try_from(own().count()).unwrap_or(i64::MAX);
    format!("{}, {}", captions.count("dominion-cells", cells), captions.count("dominion-armies", armies))
}

fn title(view: &View, captions: &Captions<'_>) -> String {
    let said = sentence(view, captions, |seat| captions.name(seat));
    captions.say(Sentence::new("dominion-title").number("round", view.round).text("said", said))
}

/// A cell, its card and its holder in words.
pub fn cell_in_words(cell: CellView, captions: &Captions<'_>) -> Sentence {
    let attacks = match cell.orientation {
        Orientation::Vertical => "vertical",
        Orientation::Horizontal => "horizontal",
    };
    let holder = match cell.owner {
        Some(owner) => {
            format!("{}, {}", captions.name(owner), captions.count("dominion-armies", cell.armies))
        }
        None => captions.say("dominion-picture-free"),
    };
    let told = Sentence::new("dominion-picture-cell").text("cell", cell.cell).card("card", cell.card);
    told.text("lies", attacks).text("holder", holder)
}

fn describe(view: &View, captions: &Captions<'_>, seats: u8) -> String {
    let mut sentences = vec![format!("{}.", sentence(view, captions, |seat| captions.name(seat)))];
    if let Some(card) = view.turned {
        sentences.push(captions.say(Sentence::new("dominion-picture-turned").card("card", card)));
    }
    if let Some(dice) = view.dice {
        let roll = Roll(dice);
        let rolled = Sentence::new("dominion-picture-rolled")
            .number("first", dice[0])
            .number("second", dice[1])
            .phrase("armies", Sentence::of_count("dominion-armies", roll.max_armies()));
        sentences.push(captions.say(rolled.number("rank", roll.max_rank())));
    }
    for seat in Seat::all(seats) {
        sentences.push(format!("{}: {}.", captions.name(seat), holdings(view, seat, captions)));
    }
    for cell in &view.field {
        sentences.push(captions.say(cell_in_words(*cell, captions)));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rules::picture::{Paint, Shape, Stroke};
    use crate::rules::sentence::in_english;

    fn names() -> Vec<String> {
        ["ann", "bob", "cleo"].map(str::to_owned).to_vec()
    }

    /// A field of three by three: bob has conquered b3 from ann and may move in.
    fn example() -> Value {
        let card = |cell: &str, card: &str, orientation: &str, owner: Option<u8>, armies: u8| json!({"cell": cell, "card": card, "orientation": orientation, "owner": owner, "armies": armies});
        json!({"phase": "occupy", "current": 0, "round": 2, "turned": "Kh", "attacks": 1, "stock": 51,
            "discards": ["Kh"], "dice": null, "pending": {"from": "a3", "to": "b3", "winner": 1, "max": 2},
            "field": [
                card("a3", "Tc", "vertical", Some(1), 3), card("b3", "2h", "horizontal", None, 0),
                card("c3", "Js", "vertical", Some(0), 2), card("a2", "Ad", "horizontal", Some(2), 12),
                card("b2", "3c", "vertical", None, 0), card("c2", "4c", "horizontal", None, 0),
                card("a1", "5c", "vertical", None, 0), card("b1", "6c", "horizontal", None, 0),
                card("c1", "7c", "vertical", None, 0)]})
    }

    fn read(view: Value) -> View {
        serde_json::from_value(view).expect("a view")
    }

    fn within(area: Area, point: Point) -> bool {
        let (right, down) = (point.x - area.x, point.y - area.y);
        (0.0..area.width).contains(&right) && (0.0..area.height).contains(&down)
    }

    /// The texts of an area, in the order drawn.
    fn texts(picture: &Picture, area: Area) -> Vec<&str> {
        let mut texts = Vec::new();
        for shape in &picture.shapes {
            if let Shape::Text { at, text, .. } = shape
                && within(area, *at)
            {
                texts.push(text.as_str());
            }
        }
        texts
    }

    #[test]
    fn a_cell_shows_its_rank_and_the_armies_of_its_owner() {
        let view = read(example());
        let picture = draw(&view, &in_english::captions(&names()), &[]);
        let field = Field::of(&view);
        for (cell, shown) in
            [("a3", vec!["10", "3"]), ("b3", vec!["2"]), ("c3", vec!["J", "2"]), ("a2", vec!["A", "12"])]
        {
            assert_eq!(texts(&picture, field.area(cell.parse().expect("a cell"))), shown, "{cell}");
        }
    }

    #[test]
    fn vertical_cards_are_portraits_and_horizontal_ones_landscapes() {
        let view = read(example());
        let picture = draw(&view, &in_english::captions(&names()), &[]);
        let field = Field::of(&view);
        for cell in &view.field {
            let card = picture.shapes.iter().find_map(|shape| match shape {
                Shape::Rect { area, paint: Paint { fill: Some(Role::Card), .. }, .. }
                    if within(field.area(cell.cell), area.centre()) =>
                {
                    Some(*area)
                }
                _ => None,
            });
            let card = card.expect("every cell has a card");
            assert_eq!(card.height > card.width, cell.orientation == Orientation::Vertical, "{}", cell.cell);
        }
    }

    /// The corners of a filled shape, or of the square around a circle.
    fn outline(shape: &Shape) -> Option<(Role, Vec<Point>)> {
        match shape {
            Shape::Polygon { points, paint } => Some((paint.fill?, points.clone())),
            Shape::Circle { centre, radius, paint } => {
                let corners = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
                Some((paint.fill?, corners.map(|(x, y)| centre.moved(x * radius, y * radius)).to_vec()))
            }
            _ => None,
        }
    }

    #[test]
    fn the_token_of_every_seat_stays_within_the_frame_of_its_card() {
        let mut view = read(example());
        let cell = view.field[0];
        for (side, seat) in (3..=5_u8).flat_map(|side| (0..MAX_SEATS).map(move |seat| (side, seat))) {
            for orientation in [Orientation::Vertical, Orientation::Horizontal] {
                let owned = CellView { owner: Some(Seat(seat)), armies: 12, orientation, ..cell };
                view.field = vec![owned; usize::from(side).pow(2)];
                let (field, mut picture) = (Field::of(&view), Picture::default());
                field.card(&mut picture, owned);
                let card = picture.shapes.iter().find_map(|shape| match shape {
                    Shape::Rect { area, .. } => Some(area.inset(3.0)),
                    _ => None,
                });
                let tokens = picture.shapes.iter().filter_map(outline);
                let mut tokens = tokens.filter(|(role, _)| *role == Role::Seat(Seat(seat))).peekable();
                assert!(tokens.peek().is_some());
                for (_, points) in tokens {
                    let outside = points.iter().find(|point| !within(card.expect("a card"), **point));
                    assert_eq!(outside, None, "seat {seat} of {side} by {side}, {orientation:?}");
                }
            }
        }
    }

    #[test]
    fn an_attack_has_an_arrow_its_dice_and_its_losses_and_changed_cells_are_framed() {
        let last = json!([
            {"type": "battle", "from": "c3", "to": "b3", "attacker": 0, "defender": 1, "advantage": -2,
                "attacker_dice": [6, 3], "defender_dice": [4, 1], "losses": [0, 2]},
            {"type": "conquered", "cell": "b3", "winner": 0},
            {"type": "armies", "cell": "b3", "owner": null, "armies": 0}]);
        let last: Vec<Effect> = serde_json::from_value(last).expect("effects");
        let view = read(example());
        let (plain, marked) = (
            draw(&view, &in_english::captions(&names()), &[]),
            draw(&view, &in_english::captions(&names()), &last),
        );
        assert!((marked.height - plain.height - BATTLE_HEIGHT).abs() < 0.01);
        let highlights = |picture: &Picture| {
            let is_highlight = |shape: &&Shape| match shape {
                Shape::Rect { paint, .. } => {
                    paint.stroke.is_some_and(|stroke| stroke.role == Role::Highlight)
                }
                Shape::Line { stroke: Stroke { role, .. }, .. } => *role == Role::Highlight,
                _ => false,
            };
            picture.shapes.iter().filter(is_highlight).count()
        };
        assert_eq!((highlights(&plain), highlights(&marked)), (0, 3), "an arrow, and b3 framed twice");
        let row =
            Area::new(0.0, Field::of(&view).bottom() + LABELS_HEIGHT + STATUS_HEIGHT, WIDTH, BATTLE_HEIGHT);
        assert_eq!(texts(&marked, row), ["−2", "7 : 5", "b3 lost 2"]);
    }

    #[test]
    fn who_is_asked_and_what_everybody_holds_is_written_below() {
        let view = read(example());
        let picture = draw(&view, &in_english::captions(&names()), &[]);
        let all = texts(&picture, Area::new(0.0, 0.0, WIDTH, picture.height));
        for shown in
            ["bob: move up to 2 into b3?", "51", "ann", "1 cell, 2 armies", "cleo", "1 cell, 12 armies"]
        {
            assert!(all.contains(&shown), "{shown} in {all:?}");
        }
        assert_eq!(picture.title, "Dominion, round 2: bob: move up to 2 into b3?");
        assert!(picture.description.contains("The king of hearts is turned."));
        assert!(picture.description.contains("a3: ten of clubs, attacks north and south, bob, 3 armies."));
    }

    #[test]
    fn seats_without_names_are_drawn_when_they_own_something() {
        assert_eq!(seats(&read(example()), &[]), 3);
        assert_eq!(seats(&read(example()), &names()), 3);
        assert_eq!(seats(&read(example()), &vec![String::new(); 300]), MAX_SEATS);
    }
}
