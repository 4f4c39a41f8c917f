//! What the values of members may be, for the documents. Each is told by the rule that the domain
//! parses it by, so that a document cannot promise what the server refuses.

use grantor_domain::bookmark::{Tags, TargetType};
use grantor_domain::card::LONGEST_TOKEN;
use grantor_domain::client::{ClientName, ClientStatus, Environment, MAX_GRACE};
use grantor_domain::content::{MAX_AUTHOR, MAX_TITLE};
use grantor_domain::delivery::{DeliveryStatus, DropReason};
use grantor_domain::license::{
    Amount as Sum, Currency as Money, Description, ExternalId as OwnId, FeePer, LicenseSort,
    LicenseStatus, LicenseType, Territories, Territory as Place, Title, Uses, countries,
};
use grantor_domain::log::{ExportFormat, MAX_ACTION, MAX_SEARCH};
use grantor_domain::mention::{MatchKind, MediaType, MentionStatus, Verdict};
use grantor_domain::note::Note as Remark;
use grantor_domain::organization::{
    OrganizationDescription, OrganizationName, OrganizationStatus, OrganizationType, Plan,
};
use grantor_domain::person::{
    Bio as About, FullName as Name, Location as Where, NamePart as OneName, Phone as Number,
};
use grantor_domain::platform::{
    DetectionFrequency, MOST_FEEDS, PlatformDescription, PlatformName, PlatformStatus,
    PlatformType, VerificationMethod,
};
use grantor_domain::talent::{Aliases, SocialMedia as Handles, TalentStatus};
use grantor_domain::team::{MemberStatus, TeamName};
use grantor_domain::template::{BODY, MailKind, SUBJECT};
use grantor_domain::text::{TextRule, holds_words, white_space};
use grantor_domain::webhook::{WebhookNote, WebhookStatus};
use grantor_domain::{admin, audit, bill, email, network, page, password, pax, permission, pod};
use grantor_domain::{role, scan, scope, search, subscription};
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, Schema,
    SchemaFormat, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Declares values by their schemas. A wire type names one as the `value_type` of a member.
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

/// Declares values that are one of the domain's own names.
macro_rules! choices {
    ($($name:ident => $all:expr, $of:expr;)*) => {
        values! {$(
            /// One of the domain's names.
            $name => one_of($all.into_iter().map($of));
        )*}
    };
}

values! {
    /// A record's id.
    Id => text().format(Some(SchemaFormat::Custom("uuid".to_owned()))).pattern(Some(
        "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$",
    ));
    /// An instant of RFC 3339. The last hours that can be written cannot be kept.
    Instant => text()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .pattern(Some("^(?!9999-12-3)"));
    /// A day, or an instant.
    Day => OneOfBuilder::new()
        .item(text().format(Some(SchemaFormat::KnownFormat(KnownFormat::Date))))
        .item(Instant::schema());
    /// An address for mail.
    Email => text().format(Some(SchemaFormat::Custom("email".to_owned())))
        .max_length(Some(email::Email::MOST));
    /// A password to be chosen.
    NewPassword => text()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Password)))
        .min_length(Some(password::MIN_CHARACTERS))
        .max_length(Some(password::MAX_BYTES))
        .pattern(Some("^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[^A-Za-z0-9])"))
        .examples(["Evening-Lantern-7"]);
    /// Something that must be given, whatever it is: a name to sign in with, a secret, a token.
    Given => text().min_length(Some(1));
    /// A code of six digits.
    Otp => text().pattern(Some("^[0-9]{6}$"));
    /// An owner's own name for a license, to be given.
    ExternalId => text().min_length(Some(1)).max_length(Some(OwnId::MOST))
        .pattern(Some("^(?!\\.{1,2}$)[A-Za-z0-9._:-]+$"));
    /// A license in a path, by its id or its owner's own name for it.
    LicenseName => text().min_length(Some(1)).max_length(Some(OwnId::MOST));
    /// Part of a path.
    Segment => text().min_length(Some(1));
    /// A sum as a decimal string.
    Amount => text().pattern(Some(Sum::PATTERN));
    /// A sum as a number or as a decimal string.
    AmountOrNumber => OneOfBuilder::new()
        .item(ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0.0))
            .maximum(Some(999_999_999_999.99)).multiple_of(Some(0.01)))
        .item(Amount::schema())
        .item(ObjectBuilder::new().schema_type(Type::Null));
    /// A telephone number, or nothing.
    Phone => text().max_length(Some(Number::MOST)).pattern(Some(Number::pattern()));
    /// A telephone number.
    KnownPhone => text().min_length(Some(5)).max_length(Some(Number::MOST))
        .pattern(Some(Number::number_pattern()));
    /// Where a page is.
    Website => text().format(Some(SchemaFormat::Custom("uri".to_owned()))).max_length(Some(200))
        .pattern(Some("^https?://"));
    /// A year of four digits.
    Year => ObjectBuilder::new().schema_type(Type::Integer)
        .minimum(Some(1_000)).maximum(Some(9_999));
    /// A country's code of ISO 3166-1 alpha-2.
    Country => one_of(countries());
    /// A country's code of ISO 3166-1 alpha-2, or WORLD.
    Territory => one_of(Place::codes());
    /// A currency of ISO 4217.
    Currency => one_of(Money::codes());
    /// What a payment processor gave for a card.
    CardToken => text().min_length(Some(1)).max_length(Some(LONGEST_TOKEN))
        .pattern(Some("^[A-Za-z0-9_-]+$"))
        .examples(["tok_visa"]);
    /// The name of an action in the log.
    Action => text().max_length(Some(MAX_ACTION)).pattern(Some("^[a-z_]+\\.[a-z_]+$"));
    /// Words to look for in a log or a list of staff's.
    Words => text().min_length(Some(1)).max_length(Some(MAX_SEARCH)).pattern(Some(holds_words()));
    /// A part of a name to look for.
    Part => text().min_length(Some(1)).max_length(Some(MAX_SEARCH))
        .pattern(Some(format!("[^{}]", white_space())));
    /// Words to look for, or nothing.
    Search => text().max_length(Some(search::MAX_LENGTH));
    /// Words to look for in a short list, or nothing.
    ShortSearch => text().max_length(Some(MAX_SEARCH));
    /// Where a platform is: a host name or an address, with a port where it needs one.
    Domain => text().min_length(Some(1)).max_length(Some(261))
        .pattern(Some(r"^\s*[^\s/\\?#@]+\s*$")).examples(["example.com"]);
    /// A web address.
    Url => text().format(Some(SchemaFormat::Custom("uri".to_owned())))
        .max_length(Some(network::MAX_URL_LENGTH)).pattern(Some("^https?://"));
    /// The address of a receiver.
    SecureUrl => text().format(Some(SchemaFormat::Custom("uri".to_owned())))
        .max_length(Some(network::MAX_URL_LENGTH)).pattern(Some("^https://"));
    /// The title of a piece of content.
    ContentTitle => text().max_length(Some(MAX_TITLE));
    /// Who wrote a piece of content.
    Author => text().max_length(Some(MAX_AUTHOR));
    /// For how many seconds an old secret works beside the new one.
    Grace => ObjectBuilder::new().schema_type(Type::Integer)
        .minimum(Some(0)).maximum(Some(MAX_GRACE.as_secs()));
    /// The subject of a mail.
    Subject => ruled(SUBJECT);
    /// The text of a mail.
    MailBody => ruled(BODY);
    /// Where somebody is to be found, by platform.
    SocialMedia => ObjectBuilder::new().schema_type(Type::Object)
        .property_names(Some(ruled(Handles::PLATFORM)))
        .additional_properties(Some(AdditionalProperties::from(Schema::from(ruled(Handles::HANDLE)))))
        .max_properties(Some(Handles::MOST));
    /// Tags of a bookmark.
    TagList => list(ruled(Tags::RULE)).max_items(Some(Tags::MOST));
    /// Other names of a talent.
    AliasList => list(ruled(Aliases::RULE)).max_items(Some(Aliases::MOST));
    /// What a license allows.
    UseList => list(UseName::schema());
    /// What an API client's tokens are good for.
    ScopeList => list(ScopeName::schema()).min_items(Some(1));
    /// What access to a platform is good for.
    PaxScopeList => list(PaxScopeName::schema()).min_items(Some(1))
        .max_items(Some(pax::PaxScopes::MOST));
    /// One of read, write and crawl, or a name that means nothing here.
    PaxScopeName => text().min_length(Some(1)).max_length(Some(pax::LONGEST_OTHER))
        .pattern(Some("^[a-z0-9._:-]+$"));
    /// Feeds of a platform.
    FeedList => list(Url::schema()).max_items(Some(MOST_FEEDS));
    /// Any JSON object.
    Terms => ObjectBuilder::new().schema_type(Type::Object)
        .additional_properties(Some(AdditionalProperties::FreeForm(true)));

    /// A person's whole name.
    FullName => ruled(Name::RULE);
    /// A first or a last name.
    NamePart => ruled(Name::PART);
    /// The first name on a profile.
    FirstName => ruled(OneName::FIRST);
    /// The last name on a profile, which not everybody has.
    LastName => ruled(OneName::LAST);
    /// A few lines about a person.
    Bio => ruled(About::RULE);
    /// Where a person is.
    Location => ruled(Where::RULE);
    /// What a license is called.
    LicenseTitle => ruled(Title::RULE);
    /// What a license says of itself.
    LicenseDescription => ruled(Description::RULE);
    /// A word on a mention or a bookmark.
    Note => ruled(Remark::RULE);
    /// What an organization is called.
    Organization => ruled(OrganizationName::RULE);
    /// What an organization says of itself.
    OrganizationAbout => ruled(OrganizationDescription::RULE);
    /// What a team is called.
    Team => ruled(TeamName::RULE);
    /// What an API client is called.
    Client => ruled(ClientName::RULE);
    /// What a PAX is called.
    Pax => ruled(pax::PaxName::RULE);
    /// What a platform is called.
    Platform => ruled(PlatformName::RULE);
    /// What a platform says of itself.
    PlatformAbout => ruled(PlatformDescription::RULE);
    /// What a webhook is for.
    WebhookAbout => ruled(WebhookNote::RULE);
    /// A line of an organization's record.
    Line20 => ruled(TextRule::line(1, 20));
    /// A line of an organization's record.
    Line50 => ruled(TextRule::line(1, 50));
    /// A line of an organization's record.
    Line100 => ruled(TextRule::line(1, 100));
    /// A line of an organization's record.
    Line200 => ruled(TextRule::line(1, 200));

    /// Nothing: a member of one way to say something, in another way to say it.
    Nothing => ObjectBuilder::new().schema_type(Type::Null);
    /// Always true.
    True => ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([true]));
    /// Always false.
    False => ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([false]));
}

choices! {
    SuccessWord => ["success"], |it| it;
    ErrorWord => ["error"], |it| it;
    BearerWord => ["Bearer"], |it| it;
    ExternalWord => ["external"], |it| it;
    PendingWord => ["pending"], |it| it;
    ActiveWord => ["active"], |it| it;
    ReadyWord => ["ready"], |it| it;
    TxtWord => ["TXT"], |it| it;
    AdminRoleName => admin::AdminRole::ALL, admin::AdminRole::name;
    InvitedAdminRole => admin::AdminRole::INVITED, admin::AdminRole::name;
    StaffStatus => ["active", "inactive", "pending"], |it| it;
    BillStatusName => bill::BillStatus::ALL, bill::BillStatus::name;
    SubscriptionStatusName => subscription::SubscriptionStatus::ALL, subscription::SubscriptionStatus::name;
    EnvironmentName => Environment::ALL, Environment::name;
    ClientStatusName => ClientStatus::ALL, ClientStatus::name;
    ScopeName => scope::Scope::ALL, scope::Scope::name;
    PaxStatusName => pax::PaxStatus::ALL, pax::PaxStatus::name;
    PodStatusName => pod::PodStatus::ALL, pod::PodStatus::name;
    BlockerName => pod::Blocker::ALL, pod::Blocker::name;
    RunOutcomeName => ["running"].into_iter().chain(scan::RunOutcome::ALL.map(scan::RunOutcome::name)), |it| it;
    LevelName => audit::Level::ALL, audit::Level::name;
    ClassName => audit::Class::ALL, audit::Class::name;
    SchemeName => audit::Scheme::ALL, audit::Scheme::name;
    ExportFormatName => ExportFormat::ALL, ExportFormat::name;
    LicenseTypeName => LicenseType::ALL, LicenseType::key;
    UseName => Uses::known(), LicenseType::key;
    LicenseStatusName => LicenseStatus::ALL, LicenseStatus::name;
    FirstStatusName => LicenseStatus::FIRST, LicenseStatus::name;
    LicenseSortName => LicenseSort::ALL, LicenseSort::name;
    OrderName => page::Order::ALL, page::Order::name;
    FeePerName => FeePer::ALL, FeePer::name;
    PermissionRoleName => permission::PermissionRole::ALL, permission::PermissionRole::name;
    RoleName => role::Role::ALL, role::Role::name;
    AcceptedRoleName => role::Role::ALL.map(role::Role::name).into_iter()
        .chain(permission::PermissionRole::ALL.map(permission::PermissionRole::name)), |it| it;
    ShareStatus => ["pending", "accepted"], |it| it;
    MemberRoleName => role::Role::OF_MEMBERS, role::Role::name;
    TenantTypeName => role::TenantType::ALL, role::TenantType::name;
    MemberStatusName => MemberStatus::ALL, MemberStatus::name;
    TalentStatusName => TalentStatus::ALL, TalentStatus::name;
    OrganizationTypeName => OrganizationType::ALL, OrganizationType::name;
    OrganizationStatusName => OrganizationStatus::ALL, OrganizationStatus::name;
    PlanName => Plan::ALL, Plan::name;
    PlatformTypeName => PlatformType::ALL, PlatformType::name;
    PlatformStatusName => PlatformStatus::ALL, PlatformStatus::name;
    FrequencyName => DetectionFrequency::ALL, DetectionFrequency::name;
    MethodName => VerificationMethod::ALL, VerificationMethod::name;
    MailName => MailKind::ALL, MailKind::name;
    TargetTypeName => TargetType::ALL, TargetType::name;
    DeliveryStatusName => DeliveryStatus::ALL, DeliveryStatus::name;
    EndedName => DeliveryStatus::ENDED, DeliveryStatus::name;
    DropReasonName => DropReason::ALL, DropReason::name;
    WebhookStatusName => WebhookStatus::ALL, WebhookStatus::name;
    MentionStatusName => MentionStatus::ALL, MentionStatus::name;
    DecisionName => MentionStatus::DECISIONS, MentionStatus::name;
    VerdictName => Verdict::ALL, Verdict::name;
    MediaTypeName => MediaType::ALL, MediaType::name;
    MatchKindName => MatchKind::ALL, MatchKind::name;
    ImageTypeName => grantor_domain::image::ImageType::ALL, grantor_domain::image::ImageType::name;
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// A text by one of the domain's rules.
fn ruled(rule: TextRule) -> ObjectBuilder {
    let least = Some(rule.least).filter(|it| *it > 0);
    text().min_length(least).max_length(Some(rule.most)).pattern(Some(rule.pattern()))
}

fn one_of(names: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    text().enum_values(Some(names))
}

fn list(item: impl Into<RefOr<Schema>>) -> ArrayBuilder {
    ArrayBuilder::new().items(item.into())
}

/// Where a license holds.
pub(crate) struct TerritoryList;

impl PartialSchema for TerritoryList {
    fn schema() -> RefOr<Schema> {
        let item = Ref::from_schema_name(Territory::name());
        RefOr::T(Schema::from(list(item).max_items(Some(Territories::MOST))))
    }
}

impl ToSchema for TerritoryList {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Territory::name().into_owned(), Territory::schema()));
    }
}
