//! `/app/invitation`: where an invitation's mailed link leads. The button accepts it.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::id::UserId;
use grantor_domain::person::FullName;
use grantor_service::invitation::{self, Accepted, Shown};
use maud::html;

use crate::frame::{Asked, Entered, Guest, Outcome, Visit, Who};
use crate::view::{self, field, form, hidden, new_password};

/// The page. Opening it uses nothing up.
pub(crate) async fn open(Guest(visit): Guest, asked: Asked) -> Outcome {
    let token = asked.get("token").unwrap_or_default();
    let shown = invitation::show(visit.app(), token).await?;
    let entered = Entered::default().with("token", token).with("fullname", &*shown.fullname);
    Ok(draw(&visit, &shown, &entered))
}

/// Accepts.
pub(crate) async fn accept(Guest(visit): Guest, entered: Entered) -> Outcome {
    let accepted = async {
        let mut fields = entered.fields();
        let fullname = entered.optional("fullname");
        let fullname = fullname.and_then(|it| fields.take("fullname", FullName::parse(it)));
        fields.finish()?;
        let password = Some(entered.get("password")).filter(|it| !it.is_empty());
        let token = entered.get("token");
        invitation::accept(visit.app(), &visit.context, token, fullname, password).await
    };
    match accepted.await {
        Ok(Accepted::Admin { .. }) => {
            let said = "Welcome: we mailed you a one-time token to sign in with";
            Ok(visit.went("/app/admin/sign-in", said))
        }
        Ok(Accepted::Talent { id, .. }) => {
            Ok(go_on(&visit, id, "Welcome: the record is yours", ""))
        }
        Ok(Accepted::Holder { id, .. }) => {
            Ok(go_on(&visit, id, "The license is shared with you", ""))
        }
        Ok(Accepted::Member { id, .. }) => {
            let hint = ". Switch to the organization to act there";
            Ok(go_on(&visit, id, "Welcome to the team", hint))
        }
        Err(error) => {
            let shown = invitation::show(visit.app(), entered.get("token")).await?;
            Ok(visit.again(error, entered, |entered| draw(&visit, &shown, entered)))
        }
    }
}

/// Whoever is signed in already goes on in the console, with a hint what to do there.
fn go_on(visit: &Visit, accepted_by: UserId, said: &str, hint: &str) -> Response {
    match &visit.who {
        Who::Person(caller) if caller.user == accepted_by => {
            visit.went("/app", &format!("{said}{hint}"))
        }
        Who::Person(_) => {
            let other = "You are signed in with another account: sign in with the invited one";
            visit.went("/app", &format!("{said}. {other}"))
        }
        _ => visit.went("/app/sign-in", &format!("{said}. Sign in")),
    }
}

fn draw(visit: &Visit, shown: &Shown, entered: &Entered) -> Response {
    let inviter = shown.organization.as_deref().unwrap_or("The staff of Grantor");
    let fields = html! {
        (hidden("token", entered.get("token")))
        @if shown.needs_name {
            (field("fullname", "Your name").autocomplete("name").required().focused().of(entered))
        }
        @if shown.needs_password {
            (new_password("password", "Password", entered))
        }
    };
    view::narrow(
        visit,
        "Accept an invitation",
        html! {
            h1 { "You are invited" }
            p { strong { (inviter) } " invites " strong { (shown.email) } "." }
            (form("/app/invitation", entered, fields, "Accept"))
            ul.ways { li { "Not expected? Close this page: nothing happens." } }
        },
    )
    .into_response()
}
