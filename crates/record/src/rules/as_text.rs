//! Types that are written as text in every format: cells and cards.

/// Serialises a type through its `Display` and deserialises it through its `FromStr`.
macro_rules! serialise_as_text {
    ($kind:ty, $name:literal, $pattern:literal, $description:literal) => {
        $crate::rules::schema::named_schema!(
            $kind,
            $name,
            $crate::rules::schema::text($pattern, $description)
        );

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(super) use serialise_as_text;
