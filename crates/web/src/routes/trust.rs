//! Routes of second factors, passkeys and single sign-on.

use grantor_domain::admin::AdminRight;
use grantor_domain::limit::LimitName;
use grantor_domain::role::Right;

use super::PROOF;
use crate::frame::Access::{Open, Person, RateLimited, Staff};
use crate::frame::{Route, get, post};
use crate::second_factor::{requirement, security, set_up, sign_in};
use crate::single_sign_on::{self, settings};
use crate::{admin, passkey, profile};

/// Returns all of them.
pub(super) fn routes() -> Vec<Route> {
    [second_steps(), single_sign_on_pages(), own(), organization(), staff()]
        .into_iter()
        .flatten()
        .collect()
}

/// The second step of signing in, and passkeys as the only one.
#[rustfmt::skip]
fn second_steps() -> Vec<Route> {
    let limited = RateLimited(LimitName::Open);
    vec![
        get("/app/sign-in/second-factor", Open, sign_in::show_form, "View the second factor form"),
        post("/app/sign-in/second-factor", limited, sign_in::submit, "Sign in with a second factor"),
        post("/app/sign-in/second-factor/passkey/start", limited, passkey::start_check, "Ask for a passkey as second factor"),
        post("/app/sign-in/second-factor/passkey", limited, passkey::finish_check, "Sign in with a passkey as second factor"),
        get("/app/sign-in/set-up", Open, set_up::show, "View the choice of second factors"),
        post("/app/sign-in/set-up", limited, set_up::begin, "Start setting up an authenticator app to sign in"),
        get("/app/sign-in/set-up/app", Open, set_up::show_app, "View the secret of an authenticator app to sign in"),
        post("/app/sign-in/set-up/app", limited, set_up::confirm, "Confirm an authenticator app to sign in"),
        post("/app/sign-in/set-up/passkey/start", limited, passkey::start_set_up, "Ask for a new passkey to sign in"),
        post("/app/sign-in/set-up/passkey", limited, passkey::finish_set_up, "Create a passkey to sign in"),
        post("/app/sign-in/passkey/start", limited, passkey::start_sign_in, "Ask for a passkey"),
        post("/app/sign-in/passkey", limited, passkey::finish_sign_in, "Sign in with a passkey"),
    ]
}

/// Signing in at an identity provider.
#[rustfmt::skip]
fn single_sign_on_pages() -> Vec<Route> {
    let limited = RateLimited(LimitName::Open);
    vec![
        get("/app/sign-in/sso", Open, single_sign_on::show_form, "View the single sign-on form"),
        post("/app/sign-in/sso", limited, single_sign_on::start, "Start single sign-on"),
        get("/app/sign-in/sso/callback", limited, single_sign_on::callback, "Come back from an identity provider").extra_time(PROOF).hidden_in_views(),
    ]
}

/// A person's own second factors and sign-ins.
#[rustfmt::skip]
fn own() -> Vec<Route> {
    let read = Person(Right::Read);
    vec![
        get("/app/profile/security", read, security::show, "View the second factors").hidden_in_views(),
        post("/app/profile/security/set-up", read, set_up::begin_in_profile, "Start setting up an authenticator app"),
        get("/app/profile/security/app", read, set_up::show_app_in_profile, "View the secret of an authenticator app").hidden_in_views(),
        post("/app/profile/security/app", read, set_up::confirm_in_profile, "Confirm an authenticator app").runs_once(),
        post("/app/profile/security/app/remove", read, set_up::remove_app, "Remove the authenticator app"),
        post("/app/profile/security/recovery-codes", read, security::renew_codes, "Create new recovery codes").runs_once(),
        post("/app/profile/security/passkeys/start", read, passkey::start_add, "Ask for a new passkey"),
        post("/app/profile/security/passkeys", read, passkey::finish_add, "Add a passkey").runs_once(),
        post("/app/profile/security/passkeys/{passkey}/remove", read, passkey::remove, "Remove a passkey"),
        post("/app/profile/sign-out-others", read, profile::end_other_sessions, "End all other sessions"),
    ]
}

/// What administrators decide for their organization.
#[rustfmt::skip]
fn organization() -> Vec<Route> {
    let manage = Person(Right::ManageOrganization);
    vec![
        get("/app/organization/security", manage, requirement::show, "View who has a second factor"),
        post("/app/organization/security", manage, requirement::set, "Require a second factor, or not"),
        get("/app/organization/single-sign-on", manage, settings::show, "View single sign-on"),
        post("/app/organization/single-sign-on", manage, settings::save, "Update single sign-on").extra_time(PROOF),
        post("/app/organization/single-sign-on/status", manage, settings::switch, "Enable or disable single sign-on"),
        post("/app/organization/single-sign-on/forget", manage, settings::forget_people, "Delete the links of single sign-on to accounts"),
        post("/app/organization/single-sign-on/delete", manage, settings::delete, "Delete single sign-on"),
        post("/app/organization/single-sign-on/domains", manage, settings::add_domain, "Add a domain for single sign-on"),
        post("/app/organization/single-sign-on/domains/{domain}/verify", manage, settings::verify_domain, "Verify a domain for single sign-on").extra_time(PROOF),
        post("/app/organization/single-sign-on/domains/{domain}/remove", manage, settings::remove_domain, "Remove a domain for single sign-on"),
    ]
}

/// What staff does for people who lost their second factors.
#[rustfmt::skip]
fn staff() -> Vec<Route> {
    let reset = Staff(AdminRight::ResetFactors);
    vec![
        get("/app/admin/second-factor", reset, admin::second_factor::show, "Find a person's second factors"),
        post("/app/admin/second-factor", reset, admin::second_factor::submit, "Reset a person's second factors"),
    ]
}
