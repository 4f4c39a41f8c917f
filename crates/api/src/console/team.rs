//! `/org/create/team`, `/org/teams`, `/org/team/…`, `/org/invite/team/member/{teamId}`.

use axum::extract::State;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::id::{TeamId, UserId};
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::team::{MemberStatus, TeamName};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::organizations::team::{
    self, Changes, Invited, Invitee, Member, Team, TeamMembers,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Data, NoContent, PageOf, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment, Segments};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The team to create.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewTeam {
    /// The team's name, unique in the organization. 2 to 50 characters.
    #[schema(required, nullable = false, inline, value_type = value::Team)]
    name: Option<String>,
}

/// A team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TeamBody {
    /// The team's ID.
    #[schema(inline, value_type = value::Id)]
    team_id: String,
    /// The team's name.
    name: String,
    /// When the team was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The number of members, including pending invitations.
    member_count: u32,
    /// Always `active`.
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

/// A team with its members.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RollBody)]
pub(super) struct TeamMembersBody {
    /// The members, including pending invitations.
    members: Vec<TeamMember>,
    /// The team's ID.
    #[schema(inline, value_type = value::Id)]
    team_id: String,
    /// The team's name.
    team_name: String,
    /// The number of members, including pending invitations.
    member_count: u32,
}

/// A team member or a pending invitation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TeamMember {
    /// The user's ID. Null while the status is `pending`.
    #[schema(required, inline, value_type = Option<value::Id>)]
    user_id: Option<String>,
    /// The invitation's ID, only while the status is `pending`. Use it as the member ID to revoke
    /// the invitation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Id>)]
    invitation_id: Option<String>,
    /// The member's full name.
    fullname: String,
    /// The member's email address.
    email: String,
    /// The member's role.
    #[schema(inline, value_type = value::MemberRoleName)]
    role: String,
    /// When the member joined. Null while the status is `pending`.
    #[schema(required, value_type = Option<String>, format = DateTime)]
    joined_at: Option<Timestamp>,
    /// The status: `active`, `inactive` or `pending`.
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

impl From<TeamMembers> for TeamMembersBody {
    fn from(TeamMembers { team, members, invited }: TeamMembers) -> Self {
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

/// The team member to invite.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewTeamMember {
    /// The first name. 1 to 49 characters.
    #[schema(required, nullable = false, inline, value_type = value::NamePart)]
    firstname: Option<String>,
    /// The last name. 1 to 49 characters.
    #[schema(required, nullable = false, inline, value_type = value::NamePart)]
    lastname: Option<String>,
    /// The email address.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    email: Option<String>,
    /// The role: `Organization_Admin`, `Organization_User`, `Team_Lead` or `Team_Member`. An
    /// existing member of the organization keeps their role.
    #[schema(required, nullable = false, inline, value_type = value::MemberRoleName)]
    role: Option<String>,
}

/// A pending invitation to a team.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TeamInvitation {
    /// The invitation's ID.
    #[schema(inline, value_type = value::Id)]
    invitation_id: String,
    /// The email address of the invitation.
    email: String,
    /// The team's ID.
    #[schema(inline, value_type = value::Id)]
    team_id: String,
    /// The role.
    #[schema(inline, value_type = value::MemberRoleName)]
    role: &'static str,
    /// Always `pending`.
    #[schema(inline, value_type = value::PendingWord)]
    status: &'static str,
    /// When the invitation expires.
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

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
pub(super) struct TeamMemberChanges {
    /// The role: `Organization_Admin`, `Organization_User`, `Team_Lead` or `Team_Member`.
    #[schema(inline, value_type = Option<value::MemberRoleName>)]
    role: Option<String>,
    /// The status: `active` or `inactive`.
    #[schema(inline, value_type = Option<value::MemberStatusName>)]
    status: Option<String>,
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<NewTeam>,
) -> Result<Created<TeamBody>, Problem> {
    let mut fields = Fields::default();
    let name = required(&mut fields, "name", input.name.as_deref());
    let name = fields.take("name", TeamName::parse(name));
    fields.finish()?;
    let name = name.ok_or_else(invalid)?;
    let team = team::create(&state.app, &context, caller, name).await?;
    Ok(Created(team.into(), "Team created"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(paging): Query<Paging>,
) -> Result<PageOf<TeamBody>, Problem> {
    let found = team::list(&state.app, &caller, paging.read()?).await?;
    Ok(PageOf(found.map(TeamBody::from), "Your teams"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    team::delete(&state.app, &context, caller, path_id(&id, "team")?).await?;
    Ok(NoContent)
}

pub(super) async fn members(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Data<TeamMembersBody>, Problem> {
    let found = team::members(&state.app, &caller, path_id(&id, "team")?).await?;
    Ok(Data(found.into(), "Team members"))
}

pub(super) async fn invite(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    Json(input): Json<NewTeamMember>,
) -> Result<Created<TeamInvitation>, Problem> {
    let id: TeamId = path_id(&id, "team")?;
    let invited = team::invite(&state.app, &context, caller, id, invitee(&input)?).await?;
    Ok(Created(invited.into(), "Invitation sent"))
}

pub(super) async fn change_member(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segments([team, member]): Segments<2>,
    Json(input): Json<TeamMemberChanges>,
) -> Result<Data<TeamMember>, Problem> {
    let team: TeamId = path_id(&team, "team")?;
    let member: UserId = path_id(&member, "member")?;
    let mut fields = Fields::default();
    let changes = Changes {
        role: input.role.and_then(|it| fields.take("role", Role::parse_member(&it))),
        status: input.status.and_then(|it| fields.take("status", it.parse::<MemberStatus>())),
    };
    fields.finish()?;
    let changed = team::change(&state.app, &context, caller, team, member, changes).await?;
    Ok(Data(changed.into(), "Member updated"))
}

pub(super) async fn remove_member(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segments([team, member]): Segments<2>,
) -> Result<NoContent, Problem> {
    let team: TeamId = path_id(&team, "team")?;
    // The id of a user or of an invitation.
    let member: UserId = path_id(&member, "member")?;
    team::remove(&state.app, &context, caller, team, member.as_uuid()).await?;
    Ok(NoContent)
}

fn invitee(input: &NewTeamMember) -> Result<Invitee> {
    let mut fields = Fields::default();
    let firstname = required(&mut fields, "firstname", input.firstname.as_deref());
    let lastname = required(&mut fields, "lastname", input.lastname.as_deref());
    let email = required(&mut fields, "email", input.email.as_deref());
    let role = required(&mut fields, "role", input.role.as_deref());
    let fullname = FullName::parse_parts(firstname, lastname, &mut fields);
    let email = fields.take("email", Email::parse(email));
    let role = fields.take("role", Role::parse_member(role));
    fields.finish()?;
    let (Some(email), Some(fullname), Some(role)) = (email, fullname, role) else {
        return Err(invalid());
    };
    Ok(Invitee { email, fullname, role })
}

fn invalid() -> Error {
    Error::validation("Some fields are not valid")
}
