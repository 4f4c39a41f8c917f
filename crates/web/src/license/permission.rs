//! Permissions on a license, shared and revoked by its owner.

use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::page::Listing;
use grantor_domain::permission::{Grantee, GranteeName, PermissionRole};
use grantor_domain::{Error, Result};
use grantor_service::licensing::permission::{self, HeldPermission};
use grantor_service::organizations::party::FoundParty;
use maud::{Markup, html};

use super::show::{Forms, redisplay};
use crate::frame::{FormData, Outcome, Person, Segment, Segments};
use crate::party::{self, ChosenParty, EnteredParty, PartyRefusal};
use crate::view::party::{Accepts, party_field};
use crate::view::{ago, badge, card, confirm, form, pager, select};

/// The field of the grantee, and the start of the names in the service's errors.
const GRANTEE: &str = "grantee";

const ROLES: [(&str, &str); 3] = [
    (
        "viewer",
        "Can view: sees the license, even as a draft, and may use the likeness as it allows",
    ),
    ("trustee", "Acts for the talent: can view the license and review mentions"),
    ("licensor", "Can edit: can view and edit the license and review mentions"),
];

/// The sharing section of the license page.
pub(super) fn permissions(
    person: &Person,
    id: LicenseId,
    shared: &Listing<HeldPermission>,
    Forms { share: entered, choices, .. }: &Forms,
) -> Markup {
    card(
        "Shared with",
        html! {
            @if shared.items.is_empty() { p.quiet { "Only your organization has access." } }
            ul.rows {
                @for it in &shared.items { li { (permission(person, id, it)) } }
            }
            (pager(shared, &person.here))
            details.more open[entered.message().is_some()] {
                summary { "Share license" }
                (form(&format!("/app/licenses/{id}/permissions"), entered, fields(choices, entered), "Share"))
            }
        },
    )
}

fn permission(person: &Person, id: LicenseId, held: &HeldPermission) -> Markup {
    let revoke = format!("/app/licenses/{id}/permissions/{}/revoke", held.id);
    let kind = match held.grantee {
        Grantee::User(_) => "Person",
        Grantee::Organization(_) => "Organization",
    };
    html! {
        div {
            strong { (held.grantee_name) } " " (badge(role_label(held.role)))
            @if !held.accepted { " " (badge("pending")) }
            p.quiet {
                (kind) " · shared " (ago(person.now(), held.created_at))
                @if !held.accepted { " · not accepted yet" }
                @if held.by_grant { " · by an active grant" }
            }
        }
        @if held.by_grant {
            a.button.small.plain href={ "/app/grants/" (held.id) } { "View grant" }
        } @else {
            (confirm(&revoke, "Revoke", "Access to this license will end immediately.", &[]))
        }
    }
}

/// What a permission lets its holder do.
const fn role_label(role: PermissionRole) -> &'static str {
    match role {
        PermissionRole::Viewer => "can view",
        PermissionRole::Trustee => "acts for the talent",
        PermissionRole::Licensor => "can edit",
    }
}

fn fields(choices: &[FoundParty], entered: &FormData) -> Markup {
    html! {
        p.quiet {
            "People without an account get an invitation by email. "
            "Access is pending until they accept."
        }
        (party_field(GRANTEE, "Share with", Accepts::Organizations, choices, entered))
        (select("role", "Permission", None, &ROLES, entered))
    }
}

/// Shares the license.
pub(crate) async fn share(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    let shared = async {
        let (party, role) = read(&entered)?;
        let party =
            party::resolve(&person, party, Accepts::Organizations, GRANTEE, &entered).await?;
        let grantee = match party {
            ChosenParty::Email(email) => GranteeName::User(email),
            ChosenParty::Tenant(party) => GranteeName::Organization(party.id),
        };
        let (app, context) = (person.app(), person.context());
        let held = permission::grant(app, context, person.caller(), id, grantee, role).await?;
        Ok::<_, PartyRefusal>(held)
    };
    match shared.await {
        Ok(held) => {
            let message = match held.grantee {
                Grantee::User(_) => {
                    format!("License shared. We emailed {}.", held.grantee_name)
                }
                Grantee::Organization(_) => format!("License shared with {}", held.grantee_name),
            };
            Ok(person.redirect(format!("/app/licenses/{id}"), &message))
        }
        Err(PartyRefusal { error, choices }) => {
            redisplay(&person, id, error, entered, |entered| Forms {
                share: entered,
                choices: choices.clone(),
                ..Forms::default()
            })
            .await
        }
    }
}

fn read(entered: &FormData) -> Result<(EnteredParty, PermissionRole)> {
    let mut fields = entered.fields();
    let grantee = party::read(entered, GRANTEE, &mut fields);
    let role = entered.required(&mut fields, "role");
    let role = fields.take("role", role.parse::<PermissionRole>());
    fields.finish()?;
    grantee.zip(role).ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// Revokes a permission.
pub(crate) async fn revoke(
    person: Person,
    Segments(id, permission): Segments<LicenseId, PermissionId>,
) -> Outcome {
    permission::revoke(person.app(), person.context(), person.caller(), id, permission).await?;
    Ok(person.redirect(format!("/app/licenses/{id}"), "Access revoked"))
}
