//! Renders sentences of the rules.

use pippost_record::rules::{Sentence, Voice};
use pippost_record::voice;

use super::Language;

impl Language {
    /// The sentence in this language; `names` are the players' handles by seat.
    #[must_use]
    pub fn tell(self, sentence: &Sentence, names: &[String]) -> String {
        voice::tell(sentence, names, &|key, arguments| self.say_with(key, arguments))
    }
}

impl Voice for Language {
    fn say(&self, sentence: &Sentence) -> String {
        self.tell(sentence, &[])
    }
}
