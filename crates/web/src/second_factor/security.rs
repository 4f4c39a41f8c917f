//! `/app/profile/security`: how a person signs in.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::passkey::Passkey;
use grantor_domain::second_factor::RECOVERY_CODES;
use grantor_domain::sign_in::SignInMethod;
use grantor_messages::text;
use grantor_service::identity::second_factor::{self, Overview};
use maud::{Markup, html};

use super::{PAGE, page_with_name, recovery_codes, sign_in_again};
use crate::frame::{FormData, Outcome, Params, Person, form_token};
use crate::passkey;
use crate::sign_in::with_next;
use crate::view::component::confirm_with;
use crate::view::field::error_summary;
use crate::view::rich::rich;
use crate::view::{NavItem, Table, ago, badge, card, confirm, head, notice, post_button};

/// Shows the person's second factors. The name of a passkey is kept while one signs in again.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let overview = second_factor::show(person.app(), &person.caller).await?;
    let name = params.get("name").unwrap_or_default();
    Ok(draw(&person, &overview, &FormData::default().with("name", name)))
}

/// Shows the page again with an error.
pub(crate) async fn refuse(person: &Person, error: Error, entered: FormData) -> Outcome {
    let overview = second_factor::show(person.app(), &person.caller).await?;
    Ok(person.redisplay(error, entered, |entered| draw(person, &overview, entered)))
}

/// Creates new recovery codes and shows them once.
pub(crate) async fn renew_codes(person: Person, entered: FormData) -> Outcome {
    if let Some(to) = sign_in_again(&person, PAGE) {
        return Ok(to);
    }
    let (app, context, caller) = (person.app(), person.context(), person.caller());
    match second_factor::renew_recovery_codes(app, context, caller).await {
        Ok(codes) => {
            let body = html! {
                (head(text!("security-codes"), text!("security-codes-renewed"), html! {}))
                (card(text!("security-codes-save"), html! {
                    (recovery_codes(&codes))
                    p { a.button href=(PAGE) { (text!("security-done")) } }
                }))
            };
            Ok(person.page(text!("security-codes"), NavItem::Profile, body))
        }
        Err(error) => refuse(&person, error, entered).await,
    }
}

fn draw(person: &Person, overview: &Overview, entered: &FormData) -> Response {
    let changes = person.caller.may_change_sign_in(person.now()).is_ok();
    let body = html! {
        (head(text!("security-title"), text!("security-lead"), html! {
            a.button.plain href="/app/profile" { (text!("security-back-to-profile")) }
        }))
        (error_summary(entered))
        @if !changes { (why_not(person, &page_with_name(entered.get("name")))) }
        @if overview.required {
            (notice("", html! { p { (text!("security-organization-requires")) } }))
        }
        (card(text!("security-app"), app(person, overview, changes)))
        (card(text!("security-passkeys"), passkeys(person, overview, changes, entered)))
        @if overview.factors.any() { (card(text!("security-codes"), codes(person, overview, changes))) }
    };
    person.page(text!("security-title"), NavItem::Profile, body)
}

/// Why nothing can be changed now, and the way to sign in again, which leads back to the form.
fn why_not(person: &Person, form: &str) -> Markup {
    let by_provider = person.caller.method == Some(SignInMethod::SingleSignOn);
    notice(
        "warn",
        html! {
            @if by_provider {
                p { (text!("security-signed-in-by-sso")) }
            } @else {
                p { (text!("security-signed-in-long-ago")) }
                p { a.button.small href=(with_next("/app/sign-in", form)) { (text!("security-sign-in-again")) } }
            }
        },
    )
}

fn app(person: &Person, overview: &Overview, changes: bool) -> Markup {
    let begin = "/app/profile/security/set-up";
    html! {
        @match overview.app_since {
            Some(since) => {
                p { (badge("active")) " " (rich!("security-app-since", when = ago(person.now(), since))) }
                @if changes {
                    div.row {
                        (post_button(begin, text!("security-app-replace"), &[]))
                        (confirm("/app/profile/security/app/remove", text!("action-remove"), text!("security-app-remove-question"), &[]))
                    }
                }
            }
            None => {
                p { (text!("security-app-lead")) }
                @if changes { (post_button(begin, text!("security-app-set-up"), &[])) }
            }
        }
    }
}

fn passkeys(person: &Person, overview: &Overview, changes: bool, entered: &FormData) -> Markup {
    let heads =
        [text!("word-name"), text!("security-passkey-added"), text!("security-passkey-used"), ""];
    let table = Table::new(text!("security-passkeys"), &heads)
        .rows(&overview.passkeys, |it: &Passkey| row(person, it, changes));
    html! {
        p { (text!("security-passkey-lead")) }
        @if !overview.passkeys.is_empty() { (table.show()) }
        @if changes { (passkey::add_form(person, entered)) }
    }
}

fn row(person: &Person, it: &Passkey, changes: bool) -> Vec<Markup> {
    let now = person.now();
    let question = text!("security-passkey-remove-question");
    let never = || html! { span.quiet { (text!("security-never")) } };
    vec![
        html! { (it.name.as_str()) },
        ago(now, it.created_at),
        it.last_used_at.map_or_else(never, |at| ago(now, at)),
        html! {
            @if changes {
                (confirm(&format!("/app/profile/security/passkeys/{}/remove", it.id), text!("action-remove"), question, &[]))
            }
        },
    ]
}

fn codes(person: &Person, overview: &Overview, changes: bool) -> Markup {
    let left = overview.factors.recovery_codes;
    let question = text!("security-codes-renew-question");
    html! {
        p { (text!("security-codes-left", left = left, total = RECOVERY_CODES)) }
        @if changes {
            (confirm_with("/app/profile/security/recovery-codes", text!("security-codes-renew"), question, form_token(person.app())))
        }
    }
}
