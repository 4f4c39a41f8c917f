//! `/app/sign-up`: signing up as an organization or an individual, verified by an emailed code.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::organization::NewOrganization;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::person::FullName;
use grantor_messages::text;
use grantor_service::identity::code;
use grantor_service::identity::magic_link;
use grantor_service::identity::registration::{self, NewAccount};
use http::HeaderMap;
use maud::{Markup, html};

use crate::code_entry;
use crate::frame::{Device, FormData, Guest, Outcome, PageContext, Params};
use crate::purpose::Purpose;
use crate::sign_in::{addressee, next, next_page, signed_in_cookies, with_next};
use crate::view::rich::rich;
use crate::view::{self, field, form, hidden, new_password, select};

/// Account types; the empty value is an individual.
fn kinds() -> [(&'static str, &'static str); 4] {
    [
        ("Agency", text!("sign-in-register-agency")),
        ("Brand", text!("sign-in-register-brand")),
        ("Platform", text!("sign-in-register-platform")),
        ("", text!("sign-in-register-individual")),
    ]
}

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

/// Verifies the email address with the code. The browser in which the sign-up was started is signed
/// in at once; any other one signs in afterwards.
pub(crate) async fn validate(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let (session, code) = (entered.get("otpSession"), code_entry::entered_code(&entered));
    let started = code_entry::pending(&ctx, &headers);
    let started_here = started.is_some_and(|it| it.get("otpSession") == session);
    let done = if started_here {
        registration::enter(ctx.app(), &ctx.context, session, &code).await.map(|signed_in| {
            let message = text!("sign-in-register-welcome");
            let to = ctx.redirect(next(entered.optional("next")), message);
            signed_in_cookies(&ctx, &device, &signed_in, to)
        })
    } else {
        registration::validate(ctx.app(), &ctx.context, session, &code).await.map(|verified| {
            let email: String =
                url::form_urlencoded::byte_serialize(verified.email.as_bytes()).collect();
            let message = text!("sign-in-register-active");
            let to = with_next(&format!("/app/sign-in?username={email}"), entered.get("next"));
            ctx.redirect(to, message)
        })
    };
    match done {
        Ok(response) => Ok(code_entry::finish(&ctx, response)),
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_code(&ctx, entered))),
    }
}

/// Emails a new code.
pub(crate) async fn resend(Guest(ctx): Guest, entered: FormData) -> Outcome {
    match code::resend(ctx.app(), &ctx.context, entered.get("otpSession")).await {
        Ok(_) => Ok(draw_code(&ctx, &entered.with("notice", text!("sign-in-code-sent-again")))),
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
    let organization = field("organization.name", text!("sign-in-register-organization"))
        .autocomplete("organization")
        .required_if(text!("sign-in-register-organization-if"))
        .hint(text!("sign-in-register-organization-hint"));
    let fields = html! {
        (hidden("next", next))
        (select("organization.type", text!("sign-in-register-type"), None, &kinds(), entered))
        div.of-organization { (organization.of(entered)) }
        (field("fullname", text!("sign-in-your-name")).autocomplete("name").required().of(entered))
        (field("email", text!("word-email")).kind("email").autocomplete("email").required()
            .hint(text!("sign-in-register-email-hint")).of(entered))
        (new_password("password", text!("sign-in-password"), entered))
    };
    view::narrow(
        ctx,
        text!("sign-in-register-title"),
        html! {
            h1 { (text!("sign-in-register-title")) }
            @if let Some(purpose) = purpose { (purpose.sign_up_line()) }
            (form(&with_next("/app/sign-up", next), entered, fields, text!("sign-in-register-button")))
            ul.ways {
                li { a href=(with_next("/app/sign-up/link", next)) { (text!("sign-in-register-by-link")) } }
                li { (sign_in_instead(next)) }
            }
        },
    )
    .into_response()
}

/// The way to the sign-in page.
fn sign_in_instead(next: &str) -> Markup {
    let link = html! {
        a href=(with_next("/app/sign-in", next)) { (text!("sign-in-register-known-link")) }
    };
    rich!("sign-in-register-known", link = link)
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
        (field("fullname", text!("sign-in-your-name")).autocomplete("name").required().autofocus().of(entered))
        (field("email", text!("word-email")).kind("email").autocomplete("email").required().of(entered))
    };
    view::narrow(
        ctx,
        text!("sign-in-register-link-title"),
        html! {
            h1 { (text!("sign-in-register-link-title")) }
            p { (text!("sign-in-register-link-lead")) }
            (form(&with_next("/app/sign-up/link", next), entered, fields, text!("sign-in-link-button")))
            ul.ways {
                li { a href=(with_next("/app/sign-up", next)) { (text!("sign-in-register-by-password")) } }
                li { (sign_in_instead(next)) }
            }
        },
    )
    .into_response()
}

fn draw_code(ctx: &PageContext, entered: &FormData) -> Response {
    let inside: Markup = code_entry::fields(entered);
    view::narrow(
        ctx,
        text!("sign-in-code-title"),
        html! {
            h1 { (text!("sign-in-code-title")) }
            (code_entry::lead(entered))
            (form("/app/sign-up/code", entered, inside, text!("sign-in-register-verify")))
            (code_entry::another(ctx, "/app/sign-up/again", entered))
        },
    )
    .into_response()
}
