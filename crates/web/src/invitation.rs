//! `/app/invitation`: the page behind an invitation link. Its button accepts the invitation.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::id::UserId;
use grantor_domain::person::FullName;
use grantor_service::identity::invitation::{self, Accepted, InvitationView};
use maud::html;

use crate::frame::{FormData, Guest, Identity, Outcome, PageContext, Params};
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
            let message = "Welcome! We emailed you a one-time token to sign in.";
            Ok(ctx.redirect("/app/admin/sign-in", message))
        }
        Ok(Accepted::Talent { id, .. }) => {
            Ok(redirect_accepted(&ctx, id, "Welcome! You can now manage your record", ""))
        }
        Ok(Accepted::Holder { id, .. }) => {
            Ok(redirect_accepted(&ctx, id, "The license is now shared with you", ""))
        }
        Ok(Accepted::Member { id, .. }) => {
            let hint = ". Switch to the organization to get started.";
            Ok(redirect_accepted(&ctx, id, "Welcome to the team", hint))
        }
        Err(error) => {
            let shown = invitation::show(ctx.app(), entered.get("token")).await?;
            Ok(ctx.redisplay(error, entered, |entered| draw(&ctx, &shown, entered)))
        }
    }
}

/// Redirects to the console, or to the sign-in page if the user isn't signed in.
fn redirect_accepted(
    ctx: &PageContext,
    accepted_by: UserId,
    message: &str,
    hint: &str,
) -> Response {
    match &ctx.identity {
        Identity::Person(caller) if caller.user == accepted_by => {
            ctx.redirect("/app", &format!("{message}{hint}"))
        }
        Identity::Person(_) => {
            let other = "You're signed in with a different account. Sign in with the invited account to continue.";
            ctx.redirect("/app", &format!("{message}. {other}"))
        }
        _ => ctx.redirect("/app/sign-in", &format!("{message}. Sign in to continue.")),
    }
}

fn draw(ctx: &PageContext, shown: &InvitationView, entered: &FormData) -> Response {
    let inviter = shown.organization.as_deref().unwrap_or("Grantor");
    let fields = html! {
        (hidden("token", entered.get("token")))
        @if shown.needs_name {
            (field("fullname", "Your name").autocomplete("name").required().autofocus().of(entered))
        }
        @if shown.needs_password {
            (new_password("password", "Password", entered))
        }
    };
    view::narrow(
        ctx,
        "Accept invitation",
        html! {
            h1 { "You're invited" }
            p { strong { (inviter) } " has invited " strong { (shown.email) } "." }
            (form("/app/invitation", entered, fields, "Accept invitation"))
            ul.ways { li { "Didn't expect this? You can safely close this page." } }
        },
    )
    .into_response()
}
