//! The forms of clock logs, named in their first lines.

/// What its form says of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// Seats may be handed over to substitutes.
    pub substitutes: bool,
    /// Calendars are committed to with the offsets of their zones; in older forms the footer alone has them.
    pub binds_offsets: bool,
}

const FORMS: [(&str, Form); 4] = [
    ("pippost-clock/1", Form { substitutes: false, binds_offsets: false }),
    ("pippost-clock/2", Form { substitutes: true, binds_offsets: false }),
    ("pippost-clock/3", Form { substitutes: false, binds_offsets: true }),
    ("pippost-clock/4", Form { substitutes: true, binds_offsets: true }),
];

impl Form {
    /// The form of a log that begins today.
    #[must_use]
    pub fn of_new_game(substitutes: bool) -> Self {
        Self { substitutes, binds_offsets: true }
    }

    /// The form with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        FORMS.iter().find(|(own, _)| *own == name).map(|(_, form)| *form)
    }

    /// Its name.
    ///
    /// # Panics
    /// Never: every form has a name.
    #[must_use]
    pub fn name(self) -> &'static str {
        FORMS.iter().find(|(_, form)| *form == self).expect("every form has one").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_has_the_name_by_which_it_is_found() {
        for substitutes in [false, true] {
            for binds_offsets in [false, true] {
                let form = Form { substitutes, binds_offsets };
                assert_eq!(Form::named(form.name()), Some(form));
            }
        }
        assert_eq!(Form::named("pippost-clock/5"), None);
        assert_eq!(Form::of_new_game(true).name(), "pippost-clock/4");
    }
}
