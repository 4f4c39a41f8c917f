//! `/app/invitation`: where an invitation's mailed link leads. The button accepts it.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::error::Fields;
use grantor_domain::person::FullName;
use grantor_service::invitation::{self, Accepted};
use maud::html;

use crate::frame::{Asked, Entered, Guest, Outcome, Visit};
use crate::sign_up::PASSWORD_HINT;
use crate::view::{self, field, form, hidden};

/// The page.
pub(crate) async fn open(Guest(visit): Guest, asked: Asked) -> Response {
    draw(&visit, &Entered::default().with("token", asked.get("token").unwrap_or_default()))
}

/// Accepts.
pub(crate) async fn accept(Guest(visit): Guest, entered: Entered) -> Outcome {
    let accepted = async {
        let mut fields = Fields::default();
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
        Ok(Accepted::Talent { .. }) => {
            Ok(visit.went("/app/sign-in", "Welcome: the record is yours. Sign in"))
        }
        Ok(Accepted::Member { .. }) => {
            Ok(visit.went("/app/sign-in", "Welcome to the team. Sign in"))
        }
        Err(error) => Ok(visit.again(error, entered, |entered| draw(&visit, entered))),
    }
}

fn draw(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (hidden("token", entered.get("token")))
        (field("fullname", "Your name").autocomplete("name")
            .hint("Leave it empty to keep the name you were invited by.").of(entered))
        (field("password", "Password").kind("password").autocomplete("new-password")
            .hint("Only if you have no account with this address yet.").of(entered))
        p.hint { (PASSWORD_HINT) }
    };
    view::narrow(
        visit,
        "Accept an invitation",
        html! {
            h1 { "You are invited" }
            p { "Accept, and you can sign in with the address this invitation was mailed to." }
            (form("/app/invitation", entered, fields, "Accept"))
            ul.ways { li { "Not expected? Close this page: nothing happens." } }
        },
    )
    .into_response()
}
