//! The labels of enums of the domain, in the language of the page.

use grantor_domain::admin::AdminRole;
use grantor_domain::grant::GrantStatus;
use grantor_domain::license::FeePer;
use grantor_domain::notice::NoticeKind;
use grantor_domain::request::RequestStatus;
use grantor_domain::role::{Role, TenantType};
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

/// What the APIs call otherwise than pages do.
const OTHERWISE: [(&str, &str); 7] = [
    ("manage pods", "manage scanners"),
    ("Pod not found", "Scanner not found"),
    ("already has a pod", "already has a scanner"),
    (" pods; delete a platform", " scanners; delete a platform"),
    ("A pod ", "A scanner "),
    ("The pod ", "The scanner "),
    ("the pod ", "the scanner "),
];

/// An error of the domain as pages show it: in the reader's language, with the labels of roles and
/// the words of pages.
pub(crate) fn error(text: &str) -> String {
    let mut shown = grantor_messages::error(text).into_owned();
    let roles = Role::ALL.map(Role::name).into_iter().chain(AdminRole::ALL.map(AdminRole::name));
    for name in roles.filter(|it| it.contains('_') && text.contains(it)) {
        shown = shown.replace(name, &role(name));
    }
    OTHERWISE.iter().fold(shown, |shown, (api, page)| shown.replace(api, page))
}

/// What a notification is about.
pub(crate) fn notice_kind(kind: NoticeKind) -> &'static str {
    named("notice-kind", kind.name()).unwrap_or(kind.label())
}

/// How somebody signed in.
pub(crate) fn sign_in_method(method: SignInMethod) -> &'static str {
    named("sign-in-method", method.name()).unwrap_or(method.label())
}

#[cfg(test)]
mod tests {
    use grantor_domain::admin::{self, AdminRight};
    use grantor_domain::role::{self, Right};
    use grantor_messages::Language;

    use super::*;

    #[tokio::test]
    async fn errors_have_the_words_of_pages() {
        let pods = admin::may(AdminRole::SupportAdmin, AdminRight::ManagePods).unwrap_err();
        let teams = role::may(Role::TeamLead, TenantType::Agency, Right::ManageTeams).unwrap_err();
        let shown = || [&pods, &teams].map(|it| error(it.message()));
        let expected = [
            "The role Support admin does not allow you to manage scanners",
            "The role Team lead does not allow you to manage teams",
        ];
        assert_eq!(shown(), expected);
        let german = Language::find("de").unwrap().scope(async { shown() }).await;
        let names = ["Support-Admin", "Teamleitung"];
        for (text, name) in german.iter().zip(names) {
            assert!(text.contains(name) && !text.contains('_'), "{text}");
        }
        let roles = "must be one of Admin, Support_Admin";
        assert_eq!(error(roles), "must be one of Admin, Support admin");
        assert_eq!(error("must be a podcast of Grantor_"), "must be a podcast of Grantor_");
    }
}
