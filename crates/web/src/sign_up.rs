//! `/app/sign-up`: signing up as an organization or an individual, verified by an emailed code.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::organization::NewOrganization;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::person::FullName;
use grantor_service::identity::code;
use grantor_service::identity::magic_link;
use grantor_service::identity::registration::{self, NewAccount};
use http::HeaderMap;
use maud::{Markup, html};

use crate::code_entry;
use crate::frame::{FormData, Guest, Outcome, PageContext, Params};
use crate::purpose::Purpose;
use crate::sign_in::{addressee, next_page, with_next};
use crate::view::{self, field, form, hidden, new_password, select};

/// Account types; the empty value is an individual.
const KINDS: [(&str, &str); 4] = [
    ("Agency", "Agency: we represent talents"),
    ("Brand", "Brand: we license likenesses"),
    ("Platform", "Platform: we host content"),
    ("", "Individual: I manage my own likeness"),
];

/// Shows the sign-up form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Outcome {
    let purpose = Purpose::of(ctx.app(), params.get("next").unwrap_or_default()).await?;
    let kind = if purpose.as_ref().is_some_and(Purpose::is_licensee) { "Brand" } else { "Agency" };
    let entered = first_values(&params).with("organization.type", kind);
    Ok(draw(&ctx, purpose.as_ref(), &entered))
}

/// Where to go afterwards, and the address of the emailed link that led here.
fn first_values(params: &Params) -> FormData {
    let next = params.get("next").unwrap_or_default();
    FormData::default().with("next", next).with("email", addressee(next))
}

/// Signs up and emails a code.
pub(crate) async fn register(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let sent = async {
        let account = read(&entered, ctx.app().password_policy)?;
        registration::register(ctx.app(), &ctx.context, account).await
    };
    match sent.await {
        Ok(sent) => {
            let page = with_next("/app/sign-up/code", entered.get("next"));
            Ok(code_entry::redirect_to_code(&ctx, &page, &sent.session, &sent.email))
        }
        Err(error) => {
            let purpose = Purpose::of(ctx.app(), entered.get("next")).await?;
            Ok(ctx.redisplay(error, entered, |entered| draw(&ctx, purpose.as_ref(), entered)))
        }
    }
}

/// Shows the code form.
pub(crate) async fn show_code_form(
    Guest(ctx): Guest,
    headers: HeaderMap,
    params: Params,
) -> Response {
    match code_entry::pending(&ctx, &headers) {
        Some(entered) => {
            let next = params.get("next").unwrap_or_default();
            draw_code(&ctx, &entered.with("next", next))
        }
        None => Redirect::to("/app/sign-up").into_response(),
    }
}

/// Verifies the email address with the code.
pub(crate) async fn validate(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let (session, code) = (entered.get("otpSession"), entered.get("otp").trim());
    match registration::validate(ctx.app(), &ctx.context, session, code).await {
        Ok(verified) => {
            let email: String =
                url::form_urlencoded::byte_serialize(verified.email.as_bytes()).collect();
            let message = "Your account is active. Sign in to continue.";
            let to = with_next(&format!("/app/sign-in?username={email}"), entered.get("next"));
            Ok(code_entry::finish(&ctx, ctx.redirect(to, message)))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_code(&ctx, entered))),
    }
}

/// Emails a new code.
pub(crate) async fn resend(Guest(ctx): Guest, entered: FormData) -> Outcome {
    match code::resend(ctx.app(), &ctx.context, entered.get("otpSession")).await {
        Ok(_) => Ok(draw_code(&ctx, &entered.with("notice", code_entry::SENT_AGAIN))),
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_code(&ctx, entered))),
    }
}

fn read(entered: &FormData, policy: PasswordPolicy) -> Result<NewAccount, Error> {
    let mut fields = entered.fields();
    let kind = entered.optional("organization.type");
    let organization = kind.and_then(|kind| {
        let name = entered.optional("organization.name");
        NewOrganization::parse(name, Some(kind), None, &mut fields)
    });
    let (fullname, email) = (entered.optional("fullname"), entered.optional("email"));
    let password = Some(entered.get("password")).filter(|it| !it.is_empty());
    NewAccount::parse(fullname, email, password, organization, policy, fields)
}

fn draw(ctx: &PageContext, purpose: Option<&Purpose>, entered: &FormData) -> Response {
    let next = entered.get("next");
    let fields = html! {
        (hidden("next", next))
        (select("organization.type", "Account type", None, &KINDS, entered))
        (field("organization.name", "Organization name").autocomplete("organization")
            .hint("Leave blank if you're signing up as an individual.").of(entered))
        (field("fullname", "Your name").autocomplete("name").required().of(entered))
        (field("email", "Email").kind("email").autocomplete("email").required()
            .hint("We'll email you a code to verify this address.").of(entered))
        (new_password("password", "Password", entered))
    };
    view::narrow(
        ctx,
        "Sign up",
        html! {
            h1 { "Sign up" }
            @if let Some(purpose) = purpose { (purpose.line("Sign up")) }
            (form("/app/sign-up", entered, fields, "Sign up"))
            ul.ways {
                li { a href=(with_next("/app/sign-up/link", next)) { "Sign up without a password" } }
                li { "Already have an account? " a href=(with_next("/app/sign-in", next)) { "Sign in" } }
            }
        },
    )
    .into_response()
}

/// Shows the passwordless sign-up form.
pub(crate) async fn show_link_form(Guest(ctx): Guest, params: Params) -> Response {
    draw_link(&ctx, &first_values(&params))
}

/// Emails a link and a code. The response is the same whether or not the address has an account.
pub(crate) async fn register_link(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let sent = async {
        let mut fields = entered.fields();
        let fullname = entered.required(&mut fields, "fullname");
        let fullname = fields.take("fullname", FullName::parse(fullname));
        let email = entered.required(&mut fields, "email");
        let email = fields.take("email", Email::parse(email));
        fields.finish()?;
        let (Some(fullname), Some(email)) = (fullname, email) else {
            return Err(Error::validation("Some fields are not valid"));
        };
        let next = next_page(entered.get("next"));
        magic_link::register(ctx.app(), &ctx.context, email, fullname, next.as_deref()).await
    };
    match sent.await {
        Ok(()) => {
            let page = with_next("/app/sign-in/code", entered.get("next"));
            Ok(code_entry::redirect_to_code(&ctx, &page, "", entered.get("email").trim()))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_link(&ctx, entered))),
    }
}

fn draw_link(ctx: &PageContext, entered: &FormData) -> Response {
    let next = entered.get("next");
    let fields = html! {
        (hidden("next", next))
        (field("fullname", "Your name").autocomplete("name").required().autofocus().of(entered))
        (field("email", "Email").kind("email").autocomplete("email").required().of(entered))
    };
    view::narrow(
        ctx,
        "Sign up without a password",
        html! {
            h1 { "Sign up without a password" }
            p { "For individuals who manage their own likeness. Each time you sign in, we email you a link and a code." }
            (form("/app/sign-up/link", entered, fields, "Email me a link"))
            ul.ways {
                li { a href=(with_next("/app/sign-up", next)) { "Sign up with a password or as an organization" } }
                li { "Already have an account? " a href=(with_next("/app/sign-in", next)) { "Sign in" } }
            }
        },
    )
    .into_response()
}

fn draw_code(ctx: &PageContext, entered: &FormData) -> Response {
    let inside: Markup = code_entry::fields(entered);
    view::narrow(
        ctx,
        "Enter your code",
        html! {
            h1 { "Enter your code" }
            (code_entry::lead(entered))
            (form("/app/sign-up/code", entered, inside, "Verify email"))
            (code_entry::another(ctx, "/app/sign-up/again", entered))
        },
    )
    .into_response()
}
