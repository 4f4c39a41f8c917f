//! `/org/invite/talent`, `/auth/accept/invitation`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::invitation::{self, Accepted};
use grantor_service::talent::{self, Invited, Invitee};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::Created;
use super::required;
use crate::describe::{one_of_two, value};
use crate::frame::caller::SignedIn;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::settings::ApiState;

/// Which talent is invited: one on the roster by `talentId`, or a new one by `fullname` and
/// `email`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentInvitation {
    talent_id: Option<String>,
    fullname: Option<String>,
    email: Option<String>,
    team_id: Option<String>,
}

one_of_two!(TalentInvitation: KnownTalent, NewTalent);

/// A talent on the roster.
#[derive(ToSchema)]
#[schema(as = InviteTalentOnRoster, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct KnownTalent {
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    /// Required unless the talent's record has one.
    #[schema(inline, value_type = Option<value::Email>)]
    email: Option<String>,
    #[schema(required = false, inline, value_type = value::Nothing)]
    fullname: (),
    #[schema(required = false, inline, value_type = value::Nothing)]
    team_id: (),
}

/// A talent who joins the roster.
#[derive(ToSchema)]
#[schema(as = InviteNewTalent, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct NewTalent {
    #[schema(inline, value_type = value::FullName)]
    fullname: String,
    #[schema(inline, value_type = value::Email)]
    email: String,
    /// The team that looks after them.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
    #[schema(required = false, inline, value_type = value::Nothing)]
    talent_id: (),
}

/// An invitation of a talent on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvitedTalent {
    #[schema(inline, value_type = value::Id)]
    invitation_id: String,
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    email: String,
    /// Always pending.
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

impl From<Invited> for InvitedTalent {
    fn from(invited: Invited) -> Self {
        Self {
            invitation_id: invited.id.to_string(),
            talent_id: invited.talent.to_string(),
            email: invited.email,
            status: "pending",
            expires_at: invited.expires_at,
        }
    }
}

/// Who accepts.
#[derive(Deserialize, ToSchema)]
pub(super) struct Acceptance {
    /// The token of the invitation's mail.
    #[schema(required, nullable = false, inline, value_type = value::Given)]
    token: Option<String>,
    /// Instead of the name the inviter gave: 2 to 100 characters.
    #[schema(inline, value_type = Option<value::FullName>)]
    fullname: Option<String>,
    /// Of a talent or a team's member whose address has no account yet: at least 8 characters with
    /// upper case, lower case, digit and special character; at most 128 bytes of UTF-8.
    #[schema(inline, value_type = Option<value::NewPassword>)]
    password: Option<String>,
}

/// What the invitation made.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = AcceptedBody)]
pub(super) enum AcceptedBody {
    Admin(AcceptedAdmin),
    User(AcceptedUser),
}

/// A member of staff.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptedAdmin {
    #[schema(inline, value_type = value::Id)]
    admin_id: String,
    email: String,
    #[schema(inline, value_type = value::AdminRoleName)]
    role: String,
}

/// A person with an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptedUser {
    #[schema(inline, value_type = value::Id)]
    user_id: String,
    email: String,
    /// In the organization that invited; of a talent, where they act.
    #[schema(inline, value_type = value::AcceptedRoleName)]
    role: String,
}

pub(super) async fn invite_talent(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(asked): Json<TalentInvitation>,
) -> Result<Created<InvitedTalent>, Problem> {
    let invitee = invitee(&asked)?;
    let invited = talent::invite(&state.app, &context, caller, invitee).await?;
    Ok(Created(invited.into(), "The invitation is on its way"))
}

pub(super) async fn accept(
    State(state): State<ApiState>,
    Anonymous(context): Anonymous,
    Json(body): Json<Acceptance>,
) -> Result<Created<AcceptedBody>, Problem> {
    let mut fields = Fields::default();
    let token = required(&mut fields, "token", body.token.as_deref());
    let fullname = body.fullname.as_deref();
    let fullname = fullname.and_then(|it| fields.take("fullname", FullName::parse(it)));
    fields.finish()?;
    let password = body.password.as_deref();
    let accepted = invitation::accept(&state.app, &context, token, fullname, password).await?;
    Ok(match accepted {
        Accepted::Admin { id, email, role } => {
            let body = AcceptedAdmin { admin_id: id.to_string(), email, role };
            let message = "Welcome: we mailed you a one-time admin token";
            Created(AcceptedBody::Admin(body), message)
        }
        Accepted::Talent { id, email, role } => {
            let body = AcceptedUser { user_id: id.to_string(), email, role };
            Created(AcceptedBody::User(body), "Welcome: the talent record is yours")
        }
        Accepted::Holder { id, email, role } => {
            let body = AcceptedUser { user_id: id.to_string(), email, role };
            Created(AcceptedBody::User(body), "The license is shared with you")
        }
        Accepted::Member { id, email, role } => {
            let body = AcceptedUser { user_id: id.to_string(), email, role };
            Created(AcceptedBody::User(body), "Welcome to the team")
        }
    })
}

fn invitee(asked: &TalentInvitation) -> Result<Invitee> {
    let mut fields = Fields::default();
    let unread = || Error::validation("Some fields are not valid");
    if let Some(id) = &asked.talent_id {
        let id = fields.take("talentId", id.parse());
        let email = asked.email.as_deref().and_then(|it| fields.take("email", Email::parse(it)));
        if asked.fullname.is_some() {
            fields.add("fullname", "must be left out with talentId");
        }
        if asked.team_id.is_some() {
            fields.add("teamId", "must be left out with talentId");
        }
        fields.finish()?;
        return Ok(Invitee::OnRoster { id: id.ok_or_else(unread)?, email });
    }
    let fullname = required(&mut fields, "fullname", asked.fullname.as_deref());
    let email = required(&mut fields, "email", asked.email.as_deref());
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let email = fields.take("email", Email::parse(email));
    let team = asked.team_id.as_deref().and_then(|it| fields.take("teamId", it.parse()));
    fields.finish()?;
    let (fullname, email) = fullname.zip(email).ok_or_else(unread)?;
    Ok(Invitee::New { fullname, email, team })
}
