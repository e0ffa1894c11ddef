//! Closed sets that are stored as text.

/// Declares an enum that a table stores as text. A text that names none of its values makes the row unreadable
/// ([`StoreError::Corrupt`](super::StoreError::Corrupt)). In JSON the values are the same texts, so answers hold them as they are.
/// (`tt`, because utoipa does not read a literal that a macro has taken apart.)
macro_rules! text_enum {
    (
        $what:literal,
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$of_value:meta])* $value:ident = $text:tt),+ $(,)? }
    ) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, diesel::expression::AsExpression, diesel::deserialize::FromSqlRow,
            serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        #[diesel(sql_type = diesel::sql_types::Text)]
        $(#[$meta])*
        pub enum $name { $($(#[$of_value])* #[serde(rename = $text)] $value),+ }

        impl $name {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// The text in the table.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.as_str())
            }
        }

        impl diesel::serialize::ToSql<diesel::sql_types::Text, diesel::pg::Pg> for $name {
            fn to_sql<'b>(
                &'b self,
                out: &mut diesel::serialize::Output<'b, '_, diesel::pg::Pg>,
            ) -> diesel::serialize::Result {
                std::io::Write::write_all(out, self.as_str().as_bytes())?;
                Ok(diesel::serialize::IsNull::No)
            }
        }

        impl diesel::deserialize::FromSql<diesel::sql_types::Text, diesel::pg::Pg> for $name {
            fn from_sql(value: diesel::pg::PgValue<'_>) -> diesel::deserialize::Result<Self> {
                match value.as_bytes() {
                    $(text if text == $text.as_bytes() => Ok(Self::$value),)+
                    text => {
                        let text = String::from_utf8_lossy(text);
                        Err($crate::error::Unreadable::new($what, text).into())
                    }
                }
            }
        }
    };
}

pub(super) use text_enum;
