//! The labels of enums of the domain, in the language of the page.

use grantor_domain::grant::GrantStatus;
use grantor_domain::license::FeePer;
use grantor_domain::notice::NoticeKind;
use grantor_domain::request::RequestStatus;
use grantor_domain::role::TenantType;
use grantor_domain::sign_in::SignInMethod;
use grantor_messages::named;

/// The status of a request.
pub(crate) fn request_status(status: RequestStatus) -> &'static str {
    named("request-status", status.name()).unwrap_or(status.name())
}

/// The status of a grant.
pub(crate) fn grant_status(status: GrantStatus) -> &'static str {
    named("grant-status", status.name()).unwrap_or(status.name())
}

/// What a fee is paid for, as a choice: `Month`.
pub(crate) fn fee_per(per: FeePer) -> &'static str {
    named("request-fee-per", per.name()).unwrap_or(per.name())
}

/// The kind of an organization, or that it is an individual.
pub(crate) fn tenant_type(kind: TenantType) -> &'static str {
    named("request-party-type", kind.name()).unwrap_or(kind.name())
}

/// The role of a member or of staff, such as `Team lead`.
pub(crate) fn role(name: &str) -> String {
    super::sentence_case(name)
}

/// What a notification is about.
pub(crate) fn notice_kind(kind: NoticeKind) -> &'static str {
    named("notice-kind", kind.name()).unwrap_or(kind.label())
}

/// How somebody signed in.
pub(crate) fn sign_in_method(method: SignInMethod) -> &'static str {
    named("sign-in-method", method.name()).unwrap_or(method.label())
}
