//! `/org/create/team`, `/org/teams`, `/org/team/…`, `/org/invite/team/member/{teamId}`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::{TeamId, UserId};
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::team::{MemberStatus, TeamName};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::team::{self, Changes, Invited, Invitee, Member, Roll, Team};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Fine, Gone, Listed, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query, Segment, Segments};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// A team that is to be made.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewTeam {
    /// 2 to 50 characters, unique in the organization.
    #[schema(required, nullable = false, inline, value_type = value::Team)]
    name: Option<String>,
}

/// A team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TeamBody {
    #[schema(inline, value_type = value::Id)]
    team_id: String,
    name: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Those who are invited and have not accepted yet are counted too.
    member_count: u32,
    /// Always active.
    #[schema(inline, value_type = value::ActiveWord)]
    status: &'static str,
}

impl Plural for TeamBody {
    const PLURAL: &'static str = "teams";
}

impl From<Team> for TeamBody {
    fn from(team: Team) -> Self {
        Self {
            team_id: team.id.to_string(),
            name: team.name,
            created_at: team.created_at,
            member_count: team.member_count,
            status: "active",
        }
    }
}

/// A team with everybody in it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RollBody {
    members: Vec<TeamMember>,
    #[schema(inline, value_type = value::Id)]
    team_id: String,
    team_name: String,
    /// Those who are invited and have not accepted yet are counted too.
    member_count: u32,
}

/// Somebody in a team, or invited into it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TeamMember {
    /// Null while the status is pending.
    #[schema(required, inline, value_type = Option<value::Id>)]
    user_id: Option<String>,
    /// While the status is pending; it can stand for the member's id to withdraw the invitation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    invitation_id: Option<String>,
    fullname: String,
    email: String,
    #[schema(inline, value_type = value::MemberRoleName)]
    role: String,
    /// Null while the status is pending.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    joined_at: Option<Timestamp>,
    /// active, inactive or pending.
    #[schema(inline, value_type = value::StaffStatus)]
    status: &'static str,
}

impl From<Member> for TeamMember {
    fn from(member: Member) -> Self {
        let status = if member.active { MemberStatus::Active } else { MemberStatus::Inactive };
        Self {
            user_id: Some(member.user.to_string()),
            invitation_id: None,
            fullname: member.fullname,
            email: member.email,
            role: member.role.name().to_owned(),
            joined_at: Some(member.joined_at),
            status: status.name(),
        }
    }
}

impl From<Roll> for RollBody {
    fn from(Roll { team, members, invited }: Roll) -> Self {
        let invited = invited.into_iter().map(|it| TeamMember {
            user_id: None,
            invitation_id: Some(it.id.to_string()),
            fullname: it.fullname,
            email: it.email,
            role: it.role,
            joined_at: None,
            status: "pending",
        });
        Self {
            team_id: team.id.to_string(),
            team_name: team.name,
            member_count: team.member_count,
            members: members.into_iter().map(TeamMember::from).chain(invited).collect(),
        }
    }
}

/// Who is invited.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewTeamMember {
    /// 1 to 49 characters.
    #[schema(required, nullable = false, inline, value_type = value::NamePart)]
    firstname: Option<String>,
    /// 1 to 49 characters.
    #[schema(required, nullable = false, inline, value_type = value::NamePart)]
    lastname: Option<String>,
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// `Organization_Admin`, `Organization_User`, `Team_Lead` or `Team_Member`. Who is a member of
    /// the organization keeps the role they have.
    #[schema(required, nullable = false, inline, value_type = value::MemberRoleName)]
    role: Option<String>,
}

/// An invitation into a team on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TeamInvitation {
    #[schema(inline, value_type = value::Id)]
    invitation_id: String,
    email: String,
    #[schema(inline, value_type = value::Id)]
    team_id: String,
    #[schema(inline, value_type = value::MemberRoleName)]
    role: &'static str,
    /// Always pending.
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

impl From<Invited> for TeamInvitation {
    fn from(invited: Invited) -> Self {
        Self {
            invitation_id: invited.id.to_string(),
            email: invited.email,
            team_id: invited.team.to_string(),
            role: invited.role.name(),
            status: "pending",
            expires_at: invited.expires_at,
        }
    }
}

/// What is to be changed; what is left out stays.
#[derive(Deserialize, ToSchema)]
pub(super) struct TeamMemberChanges {
    /// `Organization_Admin`, `Organization_User`, `Team_Lead` or `Team_Member`.
    #[schema(inline, value_type = Option<value::MemberRoleName>)]
    role: Option<String>,
    /// active or inactive.
    #[schema(inline, value_type = Option<value::MemberStatusName>)]
    status: Option<String>,
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(asked): Json<NewTeam>,
) -> Result<Created<TeamBody>, Problem> {
    let mut fields = Fields::default();
    let name = required(&mut fields, "name", asked.name.as_deref());
    let name = fields.take("name", TeamName::parse(name));
    fields.finish()?;
    let name = name.ok_or_else(unread)?;
    let made = team::create(&state.app, &context, caller, name).await?;
    Ok(Created(made.into(), "The team was made"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<Listed<TeamBody>, Problem> {
    let found = team::list(&state.app, &caller, paging.read()?).await?;
    Ok(Listed(found.map(TeamBody::from), "Your teams"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    team::delete(&state.app, &context, caller, path_id(&id, "team")?).await?;
    Ok(Gone)
}

pub(super) async fn members(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Fine<RollBody>, Problem> {
    let found = team::members(&state.app, &caller, path_id(&id, "team")?).await?;
    Ok(Fine(found.into(), "Who is in the team"))
}

pub(super) async fn invite(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(asked): Json<NewTeamMember>,
) -> Result<Created<TeamInvitation>, Problem> {
    let id: TeamId = path_id(&id, "team")?;
    let invited = team::invite(&state.app, &context, caller, id, invitee(&asked)?).await?;
    Ok(Created(invited.into(), "The invitation is on its way"))
}

pub(super) async fn change_member(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segments([team, member]): Segments<2>,
    Json(asked): Json<TeamMemberChanges>,
) -> Result<Fine<TeamMember>, Problem> {
    let team: TeamId = path_id(&team, "team")?;
    let member: UserId = path_id(&member, "member")?;
    let mut fields = Fields::default();
    let changes = Changes {
        role: asked.role.and_then(|it| fields.take("role", Role::parse_member(&it))),
        status: asked.status.and_then(|it| fields.take("status", it.parse::<MemberStatus>())),
    };
    fields.finish()?;
    let changed = team::change(&state.app, &context, caller, team, member, changes).await?;
    Ok(Fine(changed.into(), "The member was changed"))
}

pub(super) async fn remove_member(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segments([team, member]): Segments<2>,
) -> Result<Gone, Problem> {
    let team: TeamId = path_id(&team, "team")?;
    // A user's id, or that of an invitation: both have one form.
    let member: UserId = path_id(&member, "member")?;
    team::remove(&state.app, &context, caller, team, member.as_uuid()).await?;
    Ok(Gone)
}

fn invitee(asked: &NewTeamMember) -> Result<Invitee> {
    let mut fields = Fields::default();
    let firstname = required(&mut fields, "firstname", asked.firstname.as_deref());
    let lastname = required(&mut fields, "lastname", asked.lastname.as_deref());
    let email = required(&mut fields, "email", asked.email.as_deref());
    let role = required(&mut fields, "role", asked.role.as_deref());
    let fullname = FullName::parse_parts(firstname, lastname, &mut fields);
    let email = fields.take("email", Email::parse(email));
    let role = fields.take("role", Role::parse_member(role));
    fields.finish()?;
    let (Some(email), Some(fullname), Some(role)) = (email, fullname, role) else {
        return Err(unread());
    };
    Ok(Invitee { email, fullname, role })
}

fn unread() -> Error {
    Error::validation("Some fields are not valid")
}
