//! What webhooks and feeds tell, for the document: a schema for each kind of event (contract
//! section 6). The domain keeps events as they were written; `tests/webhook/describe.rs` holds real
//! ones against what stands here.

use std::borrow::Cow;

use grantor_domain::event::EventType;
use utoipa::openapi::schema::{
    Discriminator, KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::license::LicenseBody;
use super::mention::MentionBody;

type Schemas = Vec<(String, RefOr<Schema>)>;

/// What is sent of an event: one of the kinds.
pub(super) struct PayloadBody;

impl PartialSchema for PayloadBody {
    fn schema() -> RefOr<Schema> {
        let mut by_type = Discriminator::new("type");
        let mut one = OneOfBuilder::new().description(Some("What is sent of an event."));
        for kind in EventType::ALL {
            let name = Ref::from_schema_name(schema_name(kind));
            by_type.mapping.insert(kind.name().to_owned(), name.ref_location.clone());
            one = one.item(name);
        }
        one.discriminator(Some(by_type)).into()
    }
}

impl ToSchema for PayloadBody {
    fn name() -> Cow<'static, str> {
        "EventPayload".into()
    }

    fn schemas(schemas: &mut Schemas) {
        for kind in EventType::ALL {
            let data = data(kind, schemas);
            schemas.push((schema_name(kind), payload(kind, data)));
        }
    }
}

/// What the schema of a kind's payload is called in the document.
pub(crate) fn schema_name(kind: EventType) -> String {
    let words = kind.name().split('.').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect::<String>() + "Payload"
}

/// When an event of a kind is sent.
pub(crate) fn occasion(kind: EventType) -> &'static str {
    match kind {
        EventType::LicenseCreated => "A license was made",
        EventType::LicenseUpdated => "Fields of a license changed",
        EventType::LicensePublished => "A license became public",
        EventType::LicenseExpired => "A license expired, by hand or by time",
        EventType::LicenseDeleted => "A license was deleted",
        EventType::PermissionGranted => "Somebody may see or do more",
        EventType::PermissionRevoked => "Somebody may see or do less",
        EventType::MentionCreated => "A mention was recorded",
        EventType::MentionUpdated => "A mention changed or was decided on",
        EventType::ClientExpiring => "An API client expires soon",
        EventType::WebhookTest => "A test that the receiver's owner asked for",
    }
}

/// What surrounds the data of every kind.
fn payload(kind: EventType, data: RefOr<Schema>) -> RefOr<Schema> {
    let number = |format, about: &str| {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.format(Some(SchemaFormat::KnownFormat(format))).description(Some(about))
    };
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let written = SchemaFormat::KnownFormat(KnownFormat::DateTime);
    let sequence = "Its number in the recipient's feed, given without gaps in the order of commits. \
        A number that never comes told of what the recipient may no longer see, as the changes of a \
        license that is deleted since.";
    let version = "The record's version after the change: what is older than a known one is stale.";
    let mut object = ObjectBuilder::new()
        .description(Some(format!("{}.", occasion(kind))))
        .property("type", text().enum_values(Some([kind.name()])))
        .property(
            "timestamp",
            text().format(Some(written)).description(Some("When it was written.")),
        )
        .property("data", data)
        .property("sequence", number(KnownFormat::Int64, sequence))
        .property("resource_version", number(KnownFormat::Int32, version));
    for member in ["type", "timestamp", "data", "sequence", "resource_version"] {
        object = object.required(member);
    }
    object.into()
}

/// Notes what a kind tells, and gives a reference to it.
fn data(kind: EventType, schemas: &mut Schemas) -> RefOr<Schema> {
    match kind {
        EventType::LicenseCreated | EventType::LicensePublished | EventType::LicenseExpired => {
            note::<LicenseData>(schemas)
        }
        EventType::LicenseUpdated => note::<LicenseChangeData>(schemas),
        EventType::LicenseDeleted => note::<LicenseIdData>(schemas),
        EventType::PermissionGranted => note::<GrantedData>(schemas),
        EventType::PermissionRevoked => note::<RevokedData>(schemas),
        EventType::MentionCreated | EventType::MentionUpdated => note::<MentionData>(schemas),
        EventType::ClientExpiring => note::<ClientData>(schemas),
        EventType::WebhookTest => note::<TestData>(schemas),
    }
}

fn note<T: ToSchema>(schemas: &mut Schemas) -> RefOr<Schema> {
    T::schemas(schemas);
    schemas.push((T::name().into_owned(), T::schema()));
    RefOr::Ref(Ref::from_schema_name(T::name()))
}

/// A license as it was after the change.
#[derive(ToSchema)]
#[schema(as = EventLicenseData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct LicenseData {
    #[schema(format = "uuid")]
    license_id: String,
    license: LicenseTold,
}

/// A license as it was after the change, and what changed.
#[derive(ToSchema)]
#[schema(as = EventLicenseChangeData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct LicenseChangeData {
    #[schema(format = "uuid")]
    license_id: String,
    license: LicenseTold,
    /// The names of the fields that changed.
    changed_fields: Vec<String>,
}

/// A license that is gone.
#[derive(ToSchema)]
#[schema(as = EventLicenseIdData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct LicenseIdData {
    #[schema(format = "uuid")]
    license_id: String,
}

/// A right on a license that was given.
#[derive(ToSchema)]
#[schema(as = EventGrantedData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct GrantedData {
    #[schema(format = "uuid")]
    license_id: String,
    license: LicenseTold,
    permission: PermissionTold,
}

/// A right on a license that was taken away: ids only.
#[derive(ToSchema)]
#[schema(as = EventRevokedData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct RevokedData {
    #[schema(format = "uuid")]
    license_id: String,
    permission: PermissionLost,
}

/// A mention of a license as it was after the change.
#[derive(ToSchema)]
#[schema(as = EventMentionData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct MentionData {
    #[schema(format = "uuid")]
    license_id: String,
    mention: MentionTold,
}

/// An API client of the recipient's own.
#[derive(ToSchema)]
#[schema(as = EventClientData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct ClientData {
    client: ClientTold,
}

/// The webhook that is tried out.
#[derive(ToSchema)]
#[schema(as = EventTestData)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct TestData {
    #[schema(format = "uuid")]
    webhook_id: String,
}

/// Who may do what.
#[derive(ToSchema)]
#[schema(as = EventPermission)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct PermissionTold {
    #[schema(format = "uuid")]
    id: String,
    /// user or organization.
    grantee_type: String,
    /// Null while a permission that was given to an address is pending.
    #[schema(required, format = "uuid")]
    grantee_id: Option<String>,
    role: String,
    /// pending, or accepted: a permission that was given to an address is told of at both.
    status: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// Who may no longer.
#[derive(ToSchema)]
#[schema(as = EventRevokedPermission)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct PermissionLost {
    #[schema(format = "uuid")]
    id: String,
    /// Null where it was given to an address and never accepted.
    #[schema(required, format = "uuid")]
    grantee_id: Option<String>,
}

/// An API client that ends soon.
#[derive(ToSchema)]
#[schema(as = EventClient)]
#[expect(dead_code, reason = "only its schema is used: events are kept as they were written")]
struct ClientTold {
    #[schema(format = "uuid")]
    id: String,
    name: String,
    environment: String,
    api_key: String,
    #[schema(format = DateTime)]
    expires_at: String,
    /// Within how many days it ends.
    expires_in_days: u16,
}

/// A license without what differs from reader to reader, and without images, whose addresses end.
struct LicenseTold;

impl PartialSchema for LicenseTold {
    fn schema() -> RefOr<Schema> {
        without(LicenseBody::schema(), &["permission", "reference_images", "image_urls"])
    }
}

impl ToSchema for LicenseTold {
    fn name() -> Cow<'static, str> {
        "EventLicense".into()
    }

    fn schemas(schemas: &mut Schemas) {
        LicenseBody::schemas(schemas);
    }
}

/// A mention without the note of those who decide on it.
struct MentionTold;

impl PartialSchema for MentionTold {
    fn schema() -> RefOr<Schema> {
        without(MentionBody::schema(), &["note"])
    }
}

impl ToSchema for MentionTold {
    fn name() -> Cow<'static, str> {
        "EventMention".into()
    }

    fn schemas(schemas: &mut Schemas) {
        MentionBody::schemas(schemas);
    }
}

/// The same schema, less some of its members.
fn without(mut schema: RefOr<Schema>, members: &[&str]) -> RefOr<Schema> {
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        for member in members {
            object.properties.remove(*member);
        }
        object.required.retain(|it| !members.contains(&it.as_str()));
    }
    schema
}
