//! Schemas of field values. Each is derived from the domain rule that parses the value, so that the
//! document matches what the server accepts.

mod name;
mod territory;

use grantor_domain::bookmark::Tags;
use grantor_domain::card::MAX_TOKEN_LENGTH;
use grantor_domain::client::{ClientName, MAX_GRACE};
use grantor_domain::content::{MAX_AUTHOR, MAX_TITLE};
use grantor_domain::grant::GrantTerms;
use grantor_domain::license::{
    Amount as Sum, Currency as Money, Description, ExternalId as OwnId, Territories,
    Territory as Place, Title, countries,
};
use grantor_domain::log::{MAX_ACTION, MAX_SEARCH};
use grantor_domain::note::Note as Remark;
use grantor_domain::notice::{Channel as NoticeChannel, ChatName, MAX_MARKED, NoticeKind, Zone};
use grantor_domain::organization::{OrganizationDescription, OrganizationName};
use grantor_domain::person::{
    Bio as About, FullName as Name, Location as Where, NamePart as OneName, Phone as Number,
};
use grantor_domain::platform::{MAX_FEEDS, PlatformDescription, PlatformName};
use grantor_domain::request::NewRequest;
use grantor_domain::scope::Scope;
use grantor_domain::source::{SourceName, WatchedTalents};
use grantor_domain::talent::{Aliases, SocialMedia as Handles};
use grantor_domain::team::TeamName;
use grantor_domain::template::{BODY, SUBJECT};
use grantor_domain::text::{TextRule, holds_words, white_space};
use grantor_domain::webhook::WebhookNote;
use grantor_domain::{case, check, email, network, password, pax, request, search};
use grantor_messages::Language;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, AnyOfBuilder, ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder,
    Schema, SchemaFormat, Type,
};
use utoipa::{PartialSchema, ToSchema};

pub(crate) use self::name::*;
pub(crate) use self::territory::TerritoryList;

/// Declares value types by their schemas. Wire types use them as the `value_type` of a field.
macro_rules! values {
    ($($(#[$doc:meta])* $name:ident => $schema:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                RefOr::T(Schema::from($schema))
            }
        }

        impl ToSchema for $name {}
    )*};
}
use values;

values! {
    /// A record's ID.
    Id => text().format(Some(SchemaFormat::Custom("uuid".to_owned()))).pattern(Some(
        "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
    ));
    /// An RFC 3339 timestamp. The last hours of the year 9999 can't be stored.
    Instant => text()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .pattern(Some("^(?!9999-12-3)"));
    /// The same without a fraction of a second.
    WholeSecond => text()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .pattern(Some("^(?!9999-12-3)[^.]*(\\.0+[Zz+-].*)?$"));
    /// A date or a timestamp: validators that do not check formats find that a text is both.
    Day => AnyOfBuilder::new()
        .item(text().format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))))
        .item(Instant::schema());
    /// An email address.
    Email => text().format(Some(SchemaFormat::Custom("email".to_owned())))
        .max_length(Some(email::Email::MAX_LENGTH));
    /// A new password.
    NewPassword => text()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Password)))
        .min_length(Some(password::MIN_CHARACTERS))
        .max_length(Some(password::MAX_BYTES))
        .pattern(Some("^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[^A-Za-z0-9])"))
        .examples(["Evening-Lantern-7"]);
    /// A non-empty text.
    NonEmpty => text().min_length(Some(1));
    /// A six-digit code.
    Otp => text().pattern(Some("^[0-9]{6}$"));
    /// A code of an authenticator app, or a recovery code.
    SecondFactorCode => text().pattern(Some(
        "^([0-9]{6}|[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{5}-?[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{5})$",
    ));
    /// The owner's own identifier for a license.
    ExternalId => text().min_length(Some(1)).max_length(Some(OwnId::MAX_LENGTH))
        .pattern(Some("^(?!\\.{1,2}$)[A-Za-z0-9._:-]+$"));
    /// A license ID or external ID in a path.
    LicenseName => text().min_length(Some(1)).max_length(Some(OwnId::MAX_LENGTH));
    /// Scopes, separated by spaces; may be empty.
    ScopeText => text().pattern(Some(format!("^({0}( {0})*)?$", scope_pattern())));
    /// The URL of a resource that a token is for; may be empty.
    ResourceUrl => text().pattern(Some("^(https?://.*)?$"));
    /// The number of a status list.
    StatusListNumber => ObjectBuilder::new().schema_type(Type::Integer)
        .minimum(Some(0)).maximum(Some(u32::MAX));
    /// A path segment.
    Segment => text().min_length(Some(1));
    /// An amount as a decimal string.
    Amount => text().pattern(Some(Sum::PATTERN));
    /// An amount as a number or decimal string.
    AmountOrNumber => OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0.0))
            .maximum(Some(999_999_999_999.99)).multiple_of(Some(0.01)))
        .item(Amount::schema());
    /// A phone number or an empty text.
    Phone => text().max_length(Some(Number::MAX_LENGTH)).pattern(Some(Number::pattern()));
    /// A phone number.
    KnownPhone => text().min_length(Some(5)).max_length(Some(Number::MAX_LENGTH))
        .pattern(Some(Number::number_pattern()));
    /// The URL of a website.
    Website => text().format(Some(SchemaFormat::Custom("uri".to_owned()))).max_length(Some(200))
        .pattern(Some("^https?://"));
    /// A four-digit year.
    Year => ObjectBuilder::new().schema_type(Type::Integer)
        .minimum(Some(1_000)).maximum(Some(9_999));
    /// An ISO 3166-1 alpha-2 country code.
    Country => one_of(countries());
    /// An ISO 3166-1 alpha-2 country code or WORLD.
    Territory => one_of(Place::codes());
    /// An ISO 4217 currency code.
    Currency => one_of(Money::codes());
    /// A payment processor's card token.
    CardToken => text().min_length(Some(1)).max_length(Some(MAX_TOKEN_LENGTH))
        .pattern(Some("^[A-Za-z0-9_-]+$"))
        .examples(["tok_visa"]);
    /// An action name in the log.
    Action => text().max_length(Some(MAX_ACTION)).pattern(Some("^[a-z_]+\\.[a-z_]+$"));
    /// Search terms for a log.
    Words => text().min_length(Some(1)).max_length(Some(MAX_SEARCH)).pattern(Some(holds_words()));
    /// Part of a name to search for.
    Part => text().min_length(Some(1)).max_length(Some(MAX_SEARCH))
        .pattern(Some(format!("[^{}]", white_space())));
    /// The beginning of a party's name.
    PartyWords => text().max_length(Some(search::MAX_LENGTH)).pattern(Some(three_characters()));
    /// Search terms; may be empty.
    Search => text().max_length(Some(search::MAX_LENGTH));
    /// Search terms for a short list; may be empty.
    ShortSearch => text().max_length(Some(MAX_SEARCH));
    /// A host name or IP address, optionally with a port.
    Domain => text().min_length(Some(1)).max_length(Some(261))
        .pattern(Some(r"^\s*[^\s/\\?#@]+\s*$")).examples(["example.com"]);
    /// An HTTP or HTTPS URL.
    Url => text().format(Some(SchemaFormat::Custom("uri".to_owned())))
        .max_length(Some(network::MAX_URL_LENGTH)).pattern(Some("^https?://"));
    /// An HTTPS URL.
    SecureUrl => text().format(Some(SchemaFormat::Custom("uri".to_owned())))
        .max_length(Some(network::MAX_URL_LENGTH)).pattern(Some("^https://"));
    /// An address as a person pastes it, with or without `https://`.
    PastedUrl => text().min_length(Some(1)).max_length(Some(network::MAX_URL_LENGTH))
        .examples(["https://example.com/news"]);
    /// The address of a profile as a person pastes it.
    ProfileUrl => text().min_length(Some(1)).max_length(Some(network::MAX_URL_LENGTH))
        .examples(["https://mastodon.example/@ada"]);
    /// The talents that a source is watched for.
    SourceTalents => OneOfBuilder::new()
        .item(one_of(["all"]))
        .item(list(Id::schema()).min_items(Some(1)).max_items(Some(WatchedTalents::MAX)));
    /// A content title.
    ContentTitle => text().max_length(Some(MAX_TITLE));
    /// A content author.
    Author => text().max_length(Some(MAX_AUTHOR));
    /// How many seconds the old secret stays valid.
    Grace => ObjectBuilder::new().schema_type(Type::Integer)
        .minimum(Some(0)).maximum(Some(MAX_GRACE.as_secs()));
    /// An email subject.
    Subject => ruled(SUBJECT, "Your sign-in code");
    /// An email body.
    MailBody => ruled(BODY, "Your code:\n\n{{code}}");
    /// Social media handles by platform.
    SocialMedia => ObjectBuilder::new().schema_type(Type::Object)
        .property_names(Some(ruled(Handles::PLATFORM, "instagram")))
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            ruled(Handles::HANDLE, "wrenholloway"),
        ))))
        .max_properties(Some(Handles::MAX));
    /// The tags of a bookmark.
    TagList => list(ruled(Tags::RULE, "press")).max_items(Some(Tags::MAX));
    /// A talent's aliases.
    AliasList => list(ruled(Aliases::RULE, "Wrenna")).max_items(Some(Aliases::MAX));
    /// The uses a license allows.
    UseList => list(UseName::schema());
    /// The bytes of a file.
    Binary => text().format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
    /// A text to check.
    CheckText => text().min_length(Some(1)).max_length(Some(check::MAX_TEXT))
        .pattern(Some(format!("[^{}]", white_space())));
    /// A receipt.
    ReceiptText => text().min_length(Some(1)).max_length(Some(grantor_receipt::MAX_LENGTH));
    /// The hash of the terms of an offer.
    TermsHash => text().pattern(Some("^sha256:[A-Za-z0-9_-]{43}$"));
    /// The number of a grant.
    GrantNumberText => text().pattern(Some("^GR-[0-9]{4}-([0-9]{6}|[1-9][0-9]{6,8})$"))
        .examples(["GR-2026-000042"]);
    /// Uses, at least one.
    SomeUses => list(UseName::schema()).min_items(Some(1));
    /// Territories, at least one.
    SomeTerritories => list(Territory::schema()).min_items(Some(1))
        .max_items(Some(Territories::MAX));
    /// Where a likeness may appear.
    ChannelList => list(ruled(GrantTerms::CHANNEL, "Instagram"))
        .max_items(Some(GrantTerms::MAX_CHANNELS));
    /// Conditions of a grant.
    Conditions => ruled(GrantTerms::CONDITIONS, "No political use.");
    /// How a talent is credited.
    CreditLine => ruled(GrantTerms::CREDIT_LINE, "Photo: Wren Holloway");
    /// What a likeness is needed for.
    Purpose => ruled(NewRequest::PURPOSE, "A radio spot for spring.");
    /// A message about a request.
    MessageText => ruled(request::MESSAGE, "Could you also offer Austria?");
    /// A comment on a case.
    CaseCommentText => ruled(case::COMMENT, "The publisher promised to remove it.");
    /// The subject of a letter.
    LetterSubject => ruled(case::SUBJECT, "Please remove this picture");
    /// The text of a letter.
    LetterText => ruled(case::TEXT, "Please remove the picture of Wren Holloway.");
    /// The text of a template of letters.
    LetterTemplateText => ruled(case::TEXT, "{talent} is on {url}: {evidence_link}");
    /// Why a request was declined or a grant revoked.
    ReasonText => ruled(request::DECLINE_REASON, "The campaign was canceled.");
    /// The scopes of an API client.
    ScopeList => list(ScopeName::schema()).min_items(Some(1));
    /// The scopes of a PAX or pod.
    PaxScopeList => list(PaxScopeName::schema()).min_items(Some(1))
        .max_items(Some(pax::PaxScopes::MAX)).examples([["read", "write"]]);
    /// A PAX scope: read, write, crawl or any other name, which has no effect.
    PaxScopeName => text().min_length(Some(1)).max_length(Some(pax::MAX_OTHER_LENGTH))
        .pattern(Some("^[a-z0-9._:-]+$"));
    /// The feed URLs of a platform.
    FeedList => list(Url::schema()).max_items(Some(MAX_FEEDS));
    /// Any JSON object.
    Terms => ObjectBuilder::new().schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::FreeForm(true)));

    /// A full name.
    FullName => ruled(Name::RULE, "Wren Holloway");
    /// A first or a last name.
    NamePart => ruled(Name::PART, "Wren");
    /// The first name on a profile.
    FirstName => ruled(OneName::FIRST, "Wren");
    /// The last name on a profile; may be empty.
    LastName => ruled(OneName::LAST, "Holloway");
    /// A biography.
    Bio => ruled(About::RULE, "Actor and voice artist.");
    /// A person's location.
    Location => ruled(Where::RULE, "Berlin");
    /// A license title.
    LicenseTitle => ruled(Title::RULE, "Wren Holloway: voice");
    /// A license description.
    LicenseDescription => ruled(Description::RULE, "Voice and likeness for advertising.");
    /// A note on a mention or bookmark.
    Note => ruled(Remark::RULE, "Seen on the front page.");
    /// An organization name.
    Organization => ruled(OrganizationName::RULE, "Quillfeather Talent");
    /// An organization description.
    OrganizationAbout => ruled(OrganizationDescription::RULE, "An agency for voices.");
    /// A team name.
    Team => ruled(TeamName::RULE, "Voices");
    /// An API client name.
    Client => ruled(ClientName::RULE, "Importer");
    /// A PAX name.
    Pax => ruled(pax::PaxName::RULE, "Newsroom");
    /// A platform name.
    Platform => ruled(PlatformName::RULE, "The Daily Lantern");
    /// A platform description.
    PlatformAbout => ruled(PlatformDescription::RULE, "A newspaper.");
    /// A source's name.
    SourceTitle => ruled(SourceName::RULE, "The Daily Lantern");
    /// A webhook description.
    WebhookAbout => ruled(WebhookNote::RULE, "Events for our archive");
    /// The name of a chat address.
    ChatAddressName => ruled(ChatName::RULE, "Newsroom");
    /// An IANA time zone.
    TimeZoneName => one_of(Zone::names());
    /// A language of pages and emails.
    LanguageCode => one_of(Language::all().map(Language::code));
    /// Kinds of notifications that chats get, at least one.
    ChatKindList => list(ChatKindName::schema()).min_items(Some(1))
        .max_items(Some(NoticeKind::ALL.len()));
    /// IDs of notifications.
    NoticeIdList => list(Id::schema()).max_items(Some(MAX_MARKED));
    /// Channels by kind of notification.
    ChannelsByKind => ObjectBuilder::new().schema_type(Type::Object)
        .property_names(Some(one_of(NoticeKind::of_members().map(NoticeKind::name))))
        .additional_properties(Some(AdditionalProperties::from(Schema::from(
            one_of(NoticeChannel::ALL.map(NoticeChannel::name)),
        ))));
    /// A line of organization data.
    Line20 => ruled(TextRule::line(1, 20), "10117");
    /// A line of organization data.
    Line50 => ruled(TextRule::line(1, 50), "DE123456789");
    /// A line of organization data.
    Line100 => ruled(TextRule::line(1, 100), "Berlin");
    /// A line of organization data.
    Line200 => ruled(TextRule::line(1, 200), "Quillfeather Talent GmbH");

    /// Always `true`.
    True => ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([true]));
    /// Always `false`.
    False => ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([false]));
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// Returns the schema of a text rule. Client generators can't make up an example from its pattern.
fn ruled(rule: TextRule, example: &str) -> ObjectBuilder {
    let least = Some(rule.min).filter(|it| *it > 0);
    let text = text().min_length(least).max_length(Some(rule.max)).pattern(Some(rule.pattern()));
    text.examples([example])
}

/// Matches one scope.
fn scope_pattern() -> String {
    format!("({})", Scope::ALL.map(Scope::name).join("|"))
}

/// Matches three characters that are neither whitespace nor joiners.
fn three_characters() -> String {
    vec![holds_words(); 3].join("[\\s\\S]*")
}

fn one_of(names: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    text().enum_values(Some(names))
}

fn list(item: impl Into<RefOr<Schema>>) -> ArrayBuilder {
    ArrayBuilder::new().items(item.into())
}
