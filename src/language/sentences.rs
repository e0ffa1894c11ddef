//! What rules say, in words.

use super::{Arguments, Language, words};
use crate::rules::{Argument, Sentence, Voice};

impl Language {
    /// What rules say, in this language; `names` of the players by seat.
    #[must_use]
    pub fn tell(self, sentence: &Sentence, names: &[String]) -> String {
        let fill = |arguments: Arguments, (name, argument): &(&str, Argument)| match argument {
            Argument::Number(number) => arguments.number(name, *number),
            argument => arguments.text(name, self.part(argument, names)),
        };
        let arguments = sentence.arguments.iter().fold(Arguments::default(), fill);
        self.say_with(sentence.key, &arguments)
    }

    fn part(self, argument: &Argument, names: &[String]) -> String {
        let all =
            |parts: &[Argument]| -> Vec<String> { parts.iter().map(|part| self.part(part, names)).collect() };
        match argument {
            Argument::Text(text) => text.clone(),
            Argument::Number(number) => number.to_string(),
            Argument::Player(seat) => {
                let name = seat.and_then(|seat| names.get(seat.index()));
                name.cloned().unwrap_or_else(|| self.say("somebody"))
            }
            Argument::Phrase(phrase) => self.tell(phrase, names),
            Argument::List(parts) => words::list(&all(parts), self),
            Argument::Clauses(parts) => all(parts).join("; "),
        }
    }
}

impl Voice for Language {
    fn say(&self, sentence: &Sentence) -> String {
        self.tell(sentence, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seat;
    use crate::rules::cards::Card;

    fn in_both(sentence: &Sentence) -> [String; 2] {
        let names = ["ann", "bob"].map(str::to_owned);
        Language::ALL.map(|language| language.tell(sentence, &names))
    }

    #[test]
    fn players_cards_and_lists_are_said_in_the_words_of_the_language() {
        let called = |letters: &str| {
            let card: Card = letters.parse().expect("a card");
            Sentence::new("serpent-card").card("card", card).text("notation", card)
        };
        let given = |other: Option<Seat>| {
            let given = Sentence::new("serpent-given").player("player", Seat(1)).player("other", other);
            in_both(&given.list("cards", ["6c", "Kd", "5h"].map(called)))
        };
        let [english, german] = given(Some(Seat(0)));
        assert_eq!(
            english,
            "bob gave ann the six of clubs (6c), the king of diamonds (Kd) and the five of hearts (5h), face up."
        );
        assert_eq!(german, "bob hat ann offen Kreuz-Sechs (6c), Karo-König (Kd) und Herz-Fünf (5h) gegeben.");
        let [english, german] = given(None);
        assert!(
            english.starts_with("bob gave somebody the six") && german.starts_with("bob hat jemand offen")
        );
    }

    #[test]
    fn numbers_choose_the_forms_of_words() {
        let placed = |colour: &str, cells: &[&str]| {
            let placed = Sentence::new("pippinzip-placed").player("player", Seat(0)).text("colour", colour);
            in_both(&placed.count("count", cells.len()).texts("cells", cells))
        };
        assert_eq!(
            placed("white", &["c3"]),
            ["ann placed a white stone on c3.", "ann hat einen weißen Stein auf c3 gesetzt."]
        );
        assert_eq!(
            placed("black", &["c3", "d5"]),
            ["ann placed black stones on c3 and d5.", "ann hat schwarze Steine auf c3 und d5 gesetzt."]
        );
        let rolled = |most: u8, rank: u8| {
            let rolled = Sentence::new("dominion-do-deploy").number("first", 6).number("second", 5);
            in_both(&rolled.number("most", most).number("rank", rank))[1].clone()
        };
        assert_eq!(
            rolled(1, 11),
            "Du hast 6 und 5 gewürfelt: Stell 1 Armee auf einer Karte auf, die nicht höher ist als der Bube, oder passe."
        );
        assert!(
            rolled(3, 9).contains("bis zu 3 Armeen auf einer Karte auf, die nicht höher ist als 9, oder")
        );
    }

    #[test]
    fn clauses_stand_side_by_side() {
        let on = |cell: &str, armies: u8| {
            Sentence::new("dominion-armies-on").number("armies", armies).text("cell", cell)
        };
        let has = Sentence::new("dominion-now-has").player("player", Seat(0));
        let free = Sentence::new("dominion-unoccupied").count("count", 1).texts("cells", ["b3"]);
        let now = Sentence::new("dominion-now")
            .clauses("clauses", [has.list("armies", [on("b4", 3), on("c4", 1)]), free]);
        assert_eq!(
            in_both(&now),
            [
                "ann now has 3 armies on b4 and 1 army on c4; b3 is unoccupied.",
                "ann hat jetzt 3 Armeen auf b4 und 1 Armee auf c4; b3 ist unbesetzt."
            ]
        );
    }
}
