//! Statements whose values stand in them by name, as `{now}`. Each is prepared once for each connection.

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;

/// Writes a statement with its values.
pub(crate) fn fill<'a, 'b>(
    statement: &str,
    out: &mut AstPass<'a, 'b, Pg>,
    bind: impl Fn(&str, &mut AstPass<'a, 'b, Pg>) -> QueryResult<()>,
) -> QueryResult<()> {
    let mut parts = statement.split(['{', '}']);
    while let Some(text) = parts.next() {
        out.push_sql(text);
        if let Some(name) = parts.next() {
            bind(name, out)?;
        }
    }
    Ok(())
}

/// Declares the values of a statement, each with its SQL type, and what its rows are. The text may name fewer.
macro_rules! statement {
    ($(#[$doc:meta])* $vis:vis struct $name:ident($($text:tt)+) -> $row:ty { $($field:ident: $type:ty = $sql:ty,)+ }) => {
        $crate::named::statement! { $(#[$doc])* $vis struct $name($($text)+) { $($field: $type = $sql,)+ } }

        impl diesel::query_builder::Query for $name {
            type SqlType = $row;
        }
    };
    ($(#[$doc:meta])* $vis:vis struct $name:ident($($text:tt)+) { $($field:ident: $type:ty = $sql:ty,)+ }) => {
        $(#[$doc])*
        #[derive(diesel::query_builder::QueryId)]
        $vis struct $name {
            $($vis $field: $type,)+
        }

        impl diesel::query_builder::QueryFragment<diesel::pg::Pg> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut out: diesel::query_builder::AstPass<'_, 'b, diesel::pg::Pg>,
            ) -> diesel::QueryResult<()> {
                $crate::named::fill($($text)+, &mut out, |name, out| match name {
                    $(stringify!($field) => out.push_bind_param::<$sql, _>(&self.$field),)+
                    _ => unreachable!("the statement names no other value"),
                })
            }
        }
    };
}
pub(crate) use statement;
