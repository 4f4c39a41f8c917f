//! `/app/invitation`: the page behind an invitation link. Its button accepts the invitation.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::id::UserId;
use grantor_domain::person::FullName;
use grantor_messages::text;
use grantor_service::identity::invitation::{self, Accepted, InvitationView};
use maud::html;

use crate::frame::{FormData, Guest, Identity, Outcome, PageContext, Params};
use crate::view::rich::rich;
use crate::view::{self, field, form, hidden, new_password};

/// Shows an invitation. Opening it doesn't use it up.
pub(crate) async fn open(Guest(ctx): Guest, params: Params) -> Outcome {
    let token = params.get("token").unwrap_or_default();
    let shown = invitation::show(ctx.app(), token).await?;
    let entered = FormData::default().with("token", token).with("fullname", &*shown.fullname);
    Ok(draw(&ctx, &shown, &entered))
}

/// Accepts an invitation.
pub(crate) async fn accept(Guest(ctx): Guest, entered: FormData) -> Outcome {
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
        Ok(Accepted::Admin { .. }) => {
            let message = text!("sign-in-invitation-staff");
            Ok(ctx.redirect("/app/admin/sign-in", message))
        }
        Ok(Accepted::Talent { id, .. }) => {
            let message = text!("sign-in-invitation-talent");
            Ok(redirect_accepted(&ctx, id, message, message))
        }
        Ok(Accepted::Holder { id, .. }) => {
            let message = text!("sign-in-invitation-holder");
            Ok(redirect_accepted(&ctx, id, message, message))
        }
        Ok(Accepted::Member { id, .. }) => {
            let message = text!("sign-in-invitation-member");
            let signed_in = text!("sign-in-invitation-member-signed-in");
            Ok(redirect_accepted(&ctx, id, message, signed_in))
        }
        Err(error) => {
            let shown = invitation::show(ctx.app(), entered.get("token")).await?;
            Ok(ctx.redisplay(error, entered, |entered| draw(&ctx, &shown, entered)))
        }
    }
}

/// Redirects to the console, or to the sign-in page if the user isn't signed in. Whoever is signed
/// in with the invited account sees the message `signed_in`.
fn redirect_accepted(
    ctx: &PageContext,
    accepted_by: UserId,
    message: &str,
    signed_in: &str,
) -> Response {
    match &ctx.identity {
        Identity::Person(caller) if caller.user == accepted_by => ctx.redirect("/app", signed_in),
        Identity::Person(_) => {
            ctx.redirect("/app", &text!("sign-in-invitation-other-account", message = message))
        }
        _ => ctx.redirect("/app/sign-in", &text!("sign-in-invitation-sign-in", message = message)),
    }
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
