//! Values that are one of a fixed set of names, which come from the domain's own lists.

use grantor_domain::bookmark::TargetType;
use grantor_domain::case::{CaseStatus, LetterKind, LookResult};
use grantor_domain::client::{ClientStatus, Environment};
use grantor_domain::delivery::{DeliveryStatus, DropReason};
use grantor_domain::evidence::{CaptureMethod, MissingPicture};
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::license::{FeePer, LicenseSort, LicenseStatus, LicenseType, Uses};
use grantor_domain::log::ExportFormat;
use grantor_domain::mention::{MatchKind, MediaType, MentionStatus, Verdict};
use grantor_domain::notice::{Channel as NoticeChannel, ChatStatus, NoticeKind};
use grantor_domain::organization::{OrganizationStatus, OrganizationType, Plan};
use grantor_domain::platform::{
    DetectionFrequency, PlatformStatus, PlatformType, VerificationMethod,
};
use grantor_domain::request::{OfferStatus, RequestStatus};
use grantor_domain::rights::RightsFormat;
use grantor_domain::source::{FeedKind, HostedService, SourceStatus};
use grantor_domain::talent::TalentStatus;
use grantor_domain::team::MemberStatus;
use grantor_domain::template::MailKind;
use grantor_domain::webhook::WebhookStatus;
use grantor_domain::websub::PushStatus;
use grantor_domain::{
    admin, audit, bill, check, decision, page, pax, permission, plan, pod, role, scan, scope,
    subscription,
};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::{one_of, values};

/// Declares value types that are one of a fixed set of names.
macro_rules! choices {
    ($($name:ident => $all:expr, $of:expr;)*) => {
        values! {$(
            /// One of a fixed set of names.
            $name => one_of($all.into_iter().map($of));
        )*}
    };
}

choices! {
    SuccessWord => ["success"], |it| it;
    ErrorWord => ["error"], |it| it;
    BearerWord => ["Bearer"], |it| it;
    ExternalWord => ["external"], |it| it;
    GrantTypeName => ["client_credentials"], |it| it;
    RightsFormatName => ["json"].into_iter().chain(RightsFormat::ALL.map(RightsFormat::name)), |it| it;
    PendingWord => ["pending"], |it| it;
    HealthyWord => ["healthy"], |it| it;
    DisclosureName => ["always", "never"], |it| it;
    ActorKindName => ["anonymous", "user", "client", "admin", "operator", "system"], |it| it;
    PlanCurrency => [plan::CURRENCY], |it| it;
    BillingPeriodName => [plan::BILLING_PERIOD], |it| it;
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
    GranteeTypeName => ["user", "organization"], |it| it;
    PermissionSource => ["permission", "grant"], |it| it;
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
    SourceStatusName => SourceStatus::ALL, SourceStatus::name;
    FeedKindName => FeedKind::ALL, FeedKind::name;
    PushStatusName => PushStatus::ALL, PushStatus::name;
    HostedServiceName => HostedService::ALL, HostedService::name;
    MethodName => VerificationMethod::ALL, VerificationMethod::name;
    MailName => MailKind::ALL, MailKind::name;
    TargetTypeName => TargetType::ALL, TargetType::name;
    DeliveryStatusName => DeliveryStatus::ALL, DeliveryStatus::name;
    EndedName => DeliveryStatus::ENDED, DeliveryStatus::name;
    DropReasonName => DropReason::ALL, DropReason::name;
    WebhookStatusName => WebhookStatus::ALL, WebhookStatus::name;
    NoticeKindName => NoticeKind::of_members(), NoticeKind::name;
    ChatKindName => NoticeKind::of_chats(), NoticeKind::name;
    ChannelName => NoticeChannel::ALL, NoticeChannel::name;
    ChatStatusName => ChatStatus::ALL, ChatStatus::name;
    MentionStatusName => MentionStatus::ALL, MentionStatus::name;
    CaseStatusName => CaseStatus::ALL, CaseStatus::name;
    LookResultName => LookResult::ALL, LookResult::name;
    LetterKindName => LetterKind::ALL, LetterKind::name;
    LetterDelivery => ["queued", "sent", "failed"], |it| it;
    CaptureMethodName => CaptureMethod::ALL, CaptureMethod::name;
    MissingPictureName => MissingPicture::ALL, MissingPicture::name;
    PartyRole => Party::ALL, Party::name;
    ValidityName => ["yes", "no", "unknown"], |it| it;
    RequestStatusName => RequestStatus::ALL, RequestStatus::name;
    OfferStatusName => OfferStatus::ALL, OfferStatus::name;
    GrantStatusName => GrantStatus::ALL, GrantStatus::name;
    DecisionName => decision::Decision::ALL, decision::Decision::name;
    ReasonCodeName => decision::ReasonCode::ALL, decision::ReasonCode::name;
    VerdictName => Verdict::ALL, Verdict::name;
    MediaTypeName => MediaType::ALL, MediaType::name;
    MatchKindName => MatchKind::ALL, MatchKind::name;
    CheckMethodName => check::CheckMethod::ALL, check::CheckMethod::name;
    ImageTypeName => grantor_domain::image::ImageType::ALL, grantor_domain::image::ImageType::name;
}
