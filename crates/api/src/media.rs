//! Bodies that are not JSON, for the document.

use utoipa::openapi::Ref;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use pippost_record::record::RecordLine;
use pippost_record::rules::schema::{SchemaOrRef, add_with_parts};

/// A record: a text of which every line is a JSON object.
#[derive(Debug)]
pub enum RecordText {}

impl PartialSchema for RecordText {
    fn schema() -> SchemaOrRef {
        let line = Ref::from_schema_name(RecordLine::name());
        // Generators that do not know the media type take it for bytes by this format.
        let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(format))
            .content_media_type("application/x-ndjson")
            .content_schema(Some(line))
            .description(Some("A record: each line is a `RecordLine`. Keep its bytes: hashes cover them."))
            .into()
    }
}

impl ToSchema for RecordText {
    fn schemas(found: &mut Vec<(String, SchemaOrRef)>) {
        add_with_parts::<RecordLine>(found);
    }
}

/// Bytes as they are.
#[derive(Debug)]
pub enum Binary {}

impl PartialSchema for Binary {
    fn schema() -> SchemaOrRef {
        let format = SchemaFormat::KnownFormat(KnownFormat::Binary);
        let bytes = ObjectBuilder::new().schema_type(Type::String).format(Some(format));
        bytes.description(Some("Bytes as they are.")).into()
    }
}

impl ToSchema for Binary {}
