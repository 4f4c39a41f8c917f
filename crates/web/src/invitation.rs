//! `/app/invitation`: the page behind an invitation link. Its button accepts the invitation.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::person::FullName;
use grantor_messages::text;
use grantor_service::identity::invitation::{self, Accepted, InvitationView};
use grantor_service::identity::session;
use http::HeaderMap;
use maud::html;

use crate::frame::{Ceremony, Device, FormData, Guest, Identity, Outcome, PageContext, Params};
use crate::sign_in::proceed;
use crate::view::rich::rich;
use crate::view::{self, field, flash, form, hidden, new_password};

/// Shows an invitation. Opening it doesn't use it up.
pub(crate) async fn open(Guest(ctx): Guest, params: Params) -> Outcome {
    let token = params.get("token").unwrap_or_default();
    let shown = invitation::show(ctx.app(), token).await?;
    let entered = FormData::default().with("token", token).with("fullname", &*shown.fullname);
    Ok(draw(&ctx, &shown, &entered))
}

/// Accepts an invitation.
pub(crate) async fn accept(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let accepted = async {
        let mut fields = entered.fields();
        let fullname = entered.optional("fullname");
        let fullname = fullname.and_then(|it| fields.take("fullname", FullName::parse(it)));
        fields.finish()?;
        let password = Some(entered.get("password")).filter(|it| !it.is_empty());
        let token = entered.get("token");
        invitation::accept(ctx.app(), &ctx.context, token, fullname, password).await
    };
    match accepted.await {
        Ok(accepted) => Ok(lead_on(&ctx, &device, accepted, entered.get("password")).await),
        Err(error) => {
            let shown = invitation::show(ctx.app(), entered.get("token")).await?;
            Ok(ctx.redisplay(error, entered, |entered| draw(&ctx, &shown, entered)))
        }
    }
}

/// Leads to the console. Whoever is signed in with the invited account already is told what is new.
async fn lead_on(
    ctx: &PageContext,
    device: &Device,
    accepted: Accepted,
    password: &str,
) -> Response {
    let (id, email, message, signed_in) = match accepted {
        Accepted::Admin { .. } => {
            return ctx.redirect("/app/admin/sign-in", text!("sign-in-invitation-staff"));
        }
        Accepted::Talent { id, email, .. } => {
            let message = text!("sign-in-invitation-talent");
            (id, email, message, message)
        }
        Accepted::Holder { id, email, .. } => {
            let message = text!("sign-in-invitation-holder");
            (id, email, message, message)
        }
        Accepted::Member { id, email, .. } => {
            let message = text!("sign-in-invitation-member");
            (id, email, message, text!("sign-in-invitation-member-signed-in"))
        }
    };
    match &ctx.identity {
        Identity::Person(caller) if caller.user == id => ctx.redirect("/app", signed_in),
        Identity::Person(_) => {
            ctx.redirect("/app", &text!("sign-in-invitation-other-account", message = message))
        }
        _ => sign_in(ctx, device, &email, password, message).await,
    }
}

/// Signs in whoever has just chosen a password, with all that a sign-in needs. Whoever has an
/// account already is led to the sign-in page.
async fn sign_in(
    ctx: &PageContext,
    device: &Device,
    email: &str,
    password: &str,
    message: &str,
) -> Response {
    let ceremony = Ceremony::begin(ctx);
    if !password.is_empty() {
        let (app, context, secret) = (ctx.app(), &ctx.context, ceremony.secret());
        if let Ok(entered) = session::enter(app, context, email, password, secret).await {
            let response = proceed(ctx, device, &ceremony, entered, "/app");
            return ctx.with_cookie(response, &flash::cookie(message));
        }
    }
    let email: String = url::form_urlencoded::byte_serialize(email.as_bytes()).collect();
    let message = text!("sign-in-invitation-sign-in", message = message);
    ctx.redirect(format!("/app/sign-in?username={email}"), &message)
}

fn draw(ctx: &PageContext, shown: &InvitationView, entered: &FormData) -> Response {
    let inviter = shown.organization.as_deref().unwrap_or("Grantor");
    let fields = html! {
        (hidden("token", entered.get("token")))
        @if shown.needs_name {
            (field("fullname", text!("sign-in-your-name")).autocomplete("name").required().autofocus().of(entered))
        }
        @if shown.needs_password {
            (new_password("password", text!("sign-in-password"), entered))
        }
    };
    view::narrow(
        ctx,
        text!("sign-in-invitation-title"),
        html! {
            h1 { (text!("sign-in-invitation-heading")) }
            p {
                (rich!("sign-in-invitation-lead",
                    inviter = html! { strong { (inviter) } },
                    email = html! { strong { (shown.email) } },
                ))
            }
            (form("/app/invitation", entered, fields, text!("sign-in-invitation-accept")))
            ul.ways { li { (text!("sign-in-invitation-unexpected")) } }
        },
    )
    .into_response()
}
