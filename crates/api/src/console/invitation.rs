//! `/org/invite/talent`, `/auth/accept/invitation`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::person::FullName;
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::identity::invitation::{self, Accepted};
use grantor_service::licensing::talent::{self, Invited, Invitee};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::Created;
use super::required;
use crate::frame::caller::SignedIn;
use crate::frame::describe::{one_of_two, value};
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::request::Anonymous;
use crate::frame::state::ApiState;

/// The talent to invite: an existing one by `talentId`, or a new one by `fullname` and `email`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TalentInvitation {
    talent_id: Option<String>,
    fullname: Option<String>,
    email: Option<String>,
    team_id: Option<String>,
}

one_of_two!(TalentInvitation: KnownTalent, NewTalent);

/// An existing talent.
#[derive(ToSchema)]
#[schema(as = InviteTalentOnRoster, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct KnownTalent {
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    /// The talent's email address. Required if the talent's record has none.
    #[schema(inline, value_type = Option<value::Email>)]
    email: Option<String>,
}

/// A new talent.
#[derive(ToSchema)]
#[schema(as = InviteNewTalent, rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
struct NewTalent {
    /// The talent's full name.
    #[schema(inline, value_type = value::FullName)]
    fullname: String,
    /// The talent's email address.
    #[schema(inline, value_type = value::Email)]
    email: String,
    /// The team that manages the talent.
    #[schema(inline, value_type = Option<value::Id>)]
    team_id: Option<String>,
}

/// A pending invitation to a talent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct InvitedTalent {
    /// The invitation's ID.
    #[schema(inline, value_type = value::Id)]
    invitation_id: String,
    /// The talent's ID.
    #[schema(inline, value_type = value::Id)]
    talent_id: String,
    /// The email address of the invitation.
    email: String,
    /// Always `pending`.
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
    /// When the invitation expires.
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

/// The acceptance of an invitation.
#[derive(Deserialize, ToSchema)]
pub(super) struct Acceptance {
    /// The token from the invitation email.
    #[schema(required, nullable = false, inline, value_type = value::NonEmpty)]
    token: Option<String>,
    /// The full name, to replace the name in the invitation. 2 to 100 characters.
    #[schema(inline, value_type = Option<value::FullName>)]
    fullname: Option<String>,
    /// The password of a talent or team member who has no account yet. At least 8 characters, with
    /// uppercase and lowercase letters, a digit and a special character. At most 128 bytes in
    /// UTF-8.
    #[schema(inline, value_type = Option<value::NewPassword>)]
    password: Option<String>,
}

/// The result of accepting an invitation.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = AcceptedBody)]
pub(super) enum AcceptedBody {
    Admin(AcceptedAdmin),
    User(AcceptedUser),
}

/// A new staff member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptedAdmin {
    /// The staff member's ID.
    #[schema(inline, value_type = value::Id)]
    admin_id: String,
    /// The email address.
    email: String,
    /// The staff member's role.
    #[schema(inline, value_type = value::AdminRoleName)]
    role: String,
}

/// A user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptedUser {
    /// The user's ID.
    #[schema(inline, value_type = value::Id)]
    user_id: String,
    /// The email address.
    email: String,
    /// The user's role in the organization that sent the invitation, or the role of a talent or
    /// grantee.
    #[schema(inline, value_type = value::AcceptedRoleName)]
    role: String,
}

pub(super) async fn invite_talent(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<TalentInvitation>,
) -> Result<Created<InvitedTalent>, Problem> {
    let invitee = invitee(&input)?;
    let invited = talent::invite(&state.app, &context, caller, invitee).await?;
    Ok(Created(invited.into(), "Invitation sent"))
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
            let message = "Welcome! We emailed you a one-time admin token.";
            Created(AcceptedBody::Admin(body), message)
        }
        Accepted::Talent { id, email, role } => {
            let body = AcceptedUser { user_id: id.to_string(), email, role };
            Created(AcceptedBody::User(body), "Welcome! You have claimed your talent record.")
        }
        Accepted::Holder { id, email, role } => {
            let body = AcceptedUser { user_id: id.to_string(), email, role };
            Created(AcceptedBody::User(body), "The license is now shared with you")
        }
        Accepted::Member { id, email, role } => {
            let body = AcceptedUser { user_id: id.to_string(), email, role };
            Created(AcceptedBody::User(body), "Welcome to the team!")
        }
    })
}

fn invitee(input: &TalentInvitation) -> Result<Invitee> {
    let mut fields = Fields::default();
    let invalid = || Error::validation("Some fields are not valid");
    if let Some(id) = &input.talent_id {
        let id = fields.take("talentId", id.parse());
        let email = input.email.as_deref().and_then(|it| fields.take("email", Email::parse(it)));
        if input.fullname.is_some() {
            fields.add("fullname", "must be omitted if talentId is set");
        }
        if input.team_id.is_some() {
            fields.add("teamId", "must be omitted if talentId is set");
        }
        fields.finish()?;
        return Ok(Invitee::OnRoster { id: id.ok_or_else(invalid)?, email });
    }
    let fullname = required(&mut fields, "fullname", input.fullname.as_deref());
    let email = required(&mut fields, "email", input.email.as_deref());
    let fullname = fields.take("fullname", FullName::parse(fullname));
    let email = fields.take("email", Email::parse(email));
    let team = input.team_id.as_deref().and_then(|it| fields.take("teamId", it.parse()));
    fields.finish()?;
    let (fullname, email) = fullname.zip(email).ok_or_else(invalid)?;
    Ok(Invitee::New { fullname, email, team })
}
