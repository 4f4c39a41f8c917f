//! Schemas of event payloads (contract section 6), to which `tests/webhook/describe.rs` holds events.

use std::borrow::Cow;

use grantor_domain::event::EventType;
use utoipa::openapi::schema::{
    Discriminator, KnownFormat, ObjectBuilder, OneOfBuilder, Schema, SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::agreement_payload::{GrantData, GrantExpiringData, RequestData, RequestMessageData};
use super::license::LicenseBody;
use super::mention::MentionBody;
use crate::frame::describe::choice::described;
use crate::frame::describe::value;

type Schemas = Vec<(String, RefOr<Schema>)>;

/// The payload of an event: one schema per event type.
pub(super) struct PayloadBody;

impl PartialSchema for PayloadBody {
    fn schema() -> RefOr<Schema> {
        one_of("The payload of an event.", schema_name)
    }
}

impl ToSchema for PayloadBody {
    fn name() -> Cow<'static, str> {
        "EventPayload".into()
    }

    fn schemas(schemas: &mut Schemas) {
        for kind in EventType::ALL {
            let data = data(kind, schemas);
            schemas.push((schema_name(kind), payload(kind, data).into()));
        }
    }
}

/// An event in the feed: a payload with the event's ID. Each event type has a schema of its own,
/// because client generators drop a composition of an object and a choice.
pub(super) struct FeedEventBody;

impl PartialSchema for FeedEventBody {
    fn schema() -> RefOr<Schema> {
        one_of("An event: its ID and the payload that webhooks receive.", event_schema_name)
    }
}

impl ToSchema for FeedEventBody {
    fn name() -> Cow<'static, str> {
        "Event".into()
    }

    fn schemas(schemas: &mut Schemas) {
        register::<PayloadBody>(schemas);
        for kind in EventType::ALL {
            let about = "The event's ID. Deliveries send it in the `webhook-id` header.";
            let payload = payload(kind, data(kind, schemas));
            let event = payload.property("id", described::<value::Id>(about)).required("id");
            schemas.push((event_schema_name(kind), event.into()));
        }
    }
}

/// Returns a choice of one schema per event type.
fn one_of(about: &str, name: fn(EventType) -> String) -> RefOr<Schema> {
    let mut by_type = Discriminator::new("type");
    let mut one = OneOfBuilder::new().description(Some(about));
    for kind in EventType::ALL {
        let schema = Ref::from_schema_name(name(kind));
        by_type.mapping.insert(kind.name().to_owned(), schema.ref_location.clone());
        one = one.item(schema);
    }
    one.discriminator(Some(by_type)).into()
}

/// Returns the name of an event type's payload schema.
pub(crate) fn schema_name(kind: EventType) -> String {
    words(kind) + "Payload"
}

/// Returns the name of the schema of an event in the feed.
fn event_schema_name(kind: EventType) -> String {
    words(kind) + "Event"
}

fn words(kind: EventType) -> String {
    let words = kind.name().split('.').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect()
}

/// Describes when an event of this type is sent.
pub(crate) fn event_summary(kind: EventType) -> &'static str {
    match kind {
        EventType::LicenseCreated => "A license was created",
        EventType::LicenseUpdated => "A license was updated",
        EventType::LicensePublished => "A license was published",
        EventType::LicenseExpired => "A license expired or was set to expired",
        EventType::LicenseDeleted => "A license was deleted",
        EventType::PermissionGranted => "A permission on a license was granted",
        EventType::PermissionRevoked => "A permission on a license was revoked",
        EventType::MentionCreated => "A mention was created",
        EventType::MentionUpdated => "A mention was updated or reviewed",
        EventType::ClientExpiring => "An API client is about to expire",
        EventType::WebhookTest => "A test event was requested",
        EventType::RequestCreated => "A license was requested",
        EventType::RequestOffered => "An offer was made",
        EventType::RequestDeclined => "A request or an offer was declined",
        EventType::RequestWithdrawn => "A request or an offer was withdrawn",
        EventType::RequestLapsed => "A request lapsed",
        EventType::RequestMessage => "A message was sent",
        EventType::GrantCreated => "An offer was accepted, which makes a grant",
        EventType::GrantExpiring => "A grant ends in 30 days, 7 days or 1 day",
        EventType::GrantEnded => "A grant ended",
        EventType::GrantRevoked => "A grant was revoked",
        EventType::LicenseExpiring => "A license expires in 30 days, 7 days or 1 day",
        EventType::MentionRemoved => "A mention that has a case was removed from its page",
    }
}

/// Returns the payload schema of an event type.
fn payload(kind: EventType, data: RefOr<Schema>) -> ObjectBuilder {
    let number = |format, about: &str| {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        number.format(Some(SchemaFormat::KnownFormat(format))).description(Some(about))
    };
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let date_time = SchemaFormat::KnownFormat(KnownFormat::DateTime);
    let sequence = "The event's number in the recipient's feed, in commit order and without gaps. \
        The feed skips events that the recipient can no longer view, such as changes to a license \
        that was deleted.";
    let version = "The record's version after the change. Use it to ignore stale events.";
    let mut object = ObjectBuilder::new()
        .description(Some(format!("{}.", event_summary(kind))))
        .property(
            "type",
            text().enum_values(Some([kind.name()])).description(Some("The event type.")),
        )
        .property(
            "timestamp",
            text().format(Some(date_time)).description(Some("When the event was created.")),
        )
        .property("data", data)
        .property("sequence", number(KnownFormat::Int64, sequence))
        .property("resource_version", number(KnownFormat::Int32, version));
    for member in ["type", "timestamp", "data", "sequence", "resource_version"] {
        object = object.required(member);
    }
    object
}

/// Registers the data schema of an event type and returns a reference to it.
fn data(kind: EventType, schemas: &mut Schemas) -> RefOr<Schema> {
    match kind {
        EventType::LicenseCreated | EventType::LicensePublished | EventType::LicenseExpired => {
            register::<LicenseData>(schemas)
        }
        EventType::LicenseUpdated => register::<LicenseChangeData>(schemas),
        EventType::LicenseDeleted => register::<LicenseIdData>(schemas),
        EventType::PermissionGranted => register::<GrantedData>(schemas),
        EventType::PermissionRevoked => register::<RevokedData>(schemas),
        EventType::MentionCreated | EventType::MentionUpdated => register::<MentionData>(schemas),
        EventType::MentionRemoved => register::<MentionRemovedData>(schemas),
        EventType::ClientExpiring => register::<ClientData>(schemas),
        EventType::WebhookTest => register::<TestData>(schemas),
        EventType::RequestCreated
        | EventType::RequestOffered
        | EventType::RequestDeclined
        | EventType::RequestWithdrawn
        | EventType::RequestLapsed
        | EventType::GrantCreated => register::<RequestData>(schemas),
        EventType::RequestMessage => register::<RequestMessageData>(schemas),
        EventType::GrantExpiring => register::<GrantExpiringData>(schemas),
        EventType::GrantEnded | EventType::GrantRevoked => register::<GrantData>(schemas),
        EventType::LicenseExpiring => register::<LicenseExpiringData>(schemas),
    }
}

fn register<T: ToSchema>(schemas: &mut Schemas) -> RefOr<Schema> {
    T::schemas(schemas);
    schemas.push((T::name().into_owned(), T::schema()));
    RefOr::Ref(Ref::from_schema_name(T::name()))
}

/// The license after the change.
#[derive(ToSchema)]
#[schema(as = EventLicenseData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct LicenseData {
    #[schema(format = "uuid")]
    license_id: String,
    license: EventLicense,
}

/// A license that expires soon.
#[derive(ToSchema)]
#[schema(as = EventLicenseExpiringData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct LicenseExpiringData {
    #[schema(format = "uuid")]
    license_id: String,
    license: EventLicense,
    /// How many days are left: 30, 7 or 1.
    days: u32,
}

/// The license after the change, with the changed fields.
#[derive(ToSchema)]
#[schema(as = EventLicenseChangeData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct LicenseChangeData {
    #[schema(format = "uuid")]
    license_id: String,
    license: EventLicense,
    /// The names of the changed fields.
    changed_fields: Vec<String>,
}

/// A deleted license.
#[derive(ToSchema)]
#[schema(as = EventLicenseIdData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct LicenseIdData {
    #[schema(format = "uuid")]
    license_id: String,
}

/// A granted permission.
#[derive(ToSchema)]
#[schema(as = EventGrantedData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct GrantedData {
    #[schema(format = "uuid")]
    license_id: String,
    license: EventLicense,
    permission: EventPermission,
}

/// A revoked permission. Contains only IDs.
#[derive(ToSchema)]
#[schema(as = EventRevokedData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct RevokedData {
    #[schema(format = "uuid")]
    license_id: String,
    permission: RevokedPermission,
}

/// The mention after the change.
#[derive(ToSchema)]
#[schema(as = EventMentionData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct MentionData {
    #[schema(format = "uuid")]
    license_id: String,
    mention: EventMention,
}

/// The mention, and who says that it was removed.
#[derive(ToSchema)]
#[schema(as = EventMentionRemovedData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct MentionRemovedData {
    #[schema(format = "uuid")]
    license_id: String,
    mention: EventMention,
    /// The name of the person or of the API client that marked the mention as removed. Null if
    /// Grantor looked at the page and found that the mention is gone, and for those who only view
    /// the mention.
    #[schema(required)]
    removed_by: Option<String>,
}

/// An API client of the recipient.
#[derive(ToSchema)]
#[schema(as = EventClientData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct ClientData {
    client: EventClient,
}

/// The tested webhook.
#[derive(ToSchema)]
#[schema(as = EventTestData)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct TestData {
    #[schema(format = "uuid")]
    webhook_id: String,
}

/// A permission on a license.
#[derive(ToSchema)]
#[schema(as = EventPermission)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct EventPermission {
    #[schema(format = "uuid")]
    id: String,
    /// The type of the grantee: `user` or `organization`.
    #[schema(inline, value_type = value::GranteeTypeName)]
    grantee_type: String,
    /// The grantee's ID. Null while a permission granted to an email address is pending.
    #[schema(required, format = "uuid")]
    grantee_id: Option<String>,
    /// The role.
    #[schema(inline, value_type = value::PermissionRoleName)]
    role: String,
    /// The status: `pending` or `accepted`. A permission granted to an email address causes one
    /// event for each.
    #[schema(inline, value_type = value::ShareStatus)]
    status: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A revoked permission.
#[derive(ToSchema)]
#[schema(as = EventRevokedPermission)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct RevokedPermission {
    #[schema(format = "uuid")]
    id: String,
    /// The grantee's ID. Null if a permission granted to an email address was never accepted.
    #[schema(required, format = "uuid")]
    grantee_id: Option<String>,
}

/// An API client that is about to expire.
#[derive(ToSchema)]
#[schema(as = EventClient)]
#[expect(dead_code, reason = "only its schema is used: events are stored as JSON")]
struct EventClient {
    #[schema(format = "uuid")]
    id: String,
    /// The API client's name.
    name: String,
    /// The environment.
    #[schema(inline, value_type = value::EnvironmentName)]
    environment: String,
    /// The API key.
    api_key: String,
    #[schema(format = DateTime)]
    expires_at: String,
    /// The number of days until the client expires.
    expires_in_days: u16,
}

/// A license without the caller's permission and without image URLs, which expire.
struct EventLicense;

impl PartialSchema for EventLicense {
    fn schema() -> RefOr<Schema> {
        without(LicenseBody::schema(), &["permission", "reference_images", "image_urls"])
    }
}

impl ToSchema for EventLicense {
    fn name() -> Cow<'static, str> {
        "EventLicense".into()
    }

    fn schemas(schemas: &mut Schemas) {
        LicenseBody::schemas(schemas);
    }
}

/// A mention without the reviewers' note.
struct EventMention;

impl PartialSchema for EventMention {
    fn schema() -> RefOr<Schema> {
        without(MentionBody::schema(), &["note"])
    }
}

impl ToSchema for EventMention {
    fn name() -> Cow<'static, str> {
        "EventMention".into()
    }

    fn schemas(schemas: &mut Schemas) {
        MentionBody::schemas(schemas);
    }
}

/// Removes fields from a schema.
fn without(mut schema: RefOr<Schema>, members: &[&str]) -> RefOr<Schema> {
    if let RefOr::T(Schema::Object(object)) = &mut schema {
        for member in members {
            object.properties.remove(*member);
        }
        object.required.retain(|it| !members.contains(&it.as_str()));
    }
    schema
}
