//! Permissions on a license, shared and revoked by its owner.

use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::page::Listing;
use grantor_domain::permission::{Grantee, GranteeName, PermissionRole};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::permission::{self, HeldPermission};
use grantor_service::organizations::party::FoundParty;
use maud::{Markup, html};

use super::show::{Forms, redisplay};
use crate::frame::{FormData, Outcome, Person, Segment, Segments};
use crate::party::{self, ChosenParty, EnteredParty, PartyRefusal};
use crate::view::party::{Accepts, party_field};
use crate::view::rich::rich;
use crate::view::{ago, badge, card, form, pager, select, undoable};

/// The field of the grantee, and the start of the names in the service's errors.
const GRANTEE: &str = "grantee";

/// The choices of a permission.
fn roles() -> [(&'static str, &'static str); 3] {
    [
        ("viewer", text!("license-share-viewer")),
        ("trustee", text!("license-share-trustee")),
        ("licensor", text!("license-share-licensor")),
    ]
}

/// The sharing section of the license page. Staff who view it see only with whom it is shared.
pub(super) fn permissions(
    person: &Person,
    id: LicenseId,
    shared: &Listing<HeldPermission>,
    Forms { share: entered, choices, .. }: &Forms,
) -> Markup {
    card(
        text!("license-shared-with"),
        html! {
            @if shared.items.is_empty() { p.quiet { (text!("license-shared-none")) } }
            ul.rows {
                @for it in &shared.items { li { (permission(person, id, it)) } }
            }
            (pager(shared, &person.here))
            @if !person.is_viewed() {
                details.more open[entered.message().is_some()] {
                    summary { (text!("license-share")) }
                    (form(&format!("/app/licenses/{id}/permissions"), entered, fields(choices, entered), text!("license-share-button")))
                }
            }
        },
    )
}

fn permission(person: &Person, id: LicenseId, held: &HeldPermission) -> Markup {
    let revoke = format!("/app/licenses/{id}/permissions/{}/revoke", held.id);
    let at = ago(person.now(), held.created_at);
    let shared = match held.grantee {
        Grantee::User(_) => rich!("license-shared-person", at = at),
        Grantee::Organization(_) => rich!("license-shared-organization", at = at),
    };
    html! {
        div {
            strong { (held.grantee_name) } " " span.badge.plain { (role_label(held.role)) }
            @if !held.accepted { " " (badge("pending")) }
            p.quiet {
                (shared)
                @if !held.accepted { " · " (text!("license-shared-pending")) }
                @if held.by_grant { " · " (text!("license-shared-by-grant")) }
            }
        }
        @if held.by_grant {
            a.button.small.plain href={ "/app/grants/" (held.id) } { (text!("license-view-grant")) }
        } @else if !person.is_viewed() {
            (undoable(&revoke, text!("license-revoke"), &[]))
        }
    }
}

/// What a permission lets its holder do.
fn role_label(role: PermissionRole) -> &'static str {
    match role {
        PermissionRole::Viewer => text!("license-role-viewer"),
        PermissionRole::Trustee => text!("license-role-trustee"),
        PermissionRole::Licensor => text!("license-role-licensor"),
    }
}

fn fields(choices: &[FoundParty], entered: &FormData) -> Markup {
    html! {
        p.quiet {
            (text!("license-share-hint"))
        }
        (party_field(GRANTEE, text!("license-share-with"), Accepts::Organizations, choices, entered))
        (select("role", text!("license-share-role"), None, &roles(), entered))
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
                Grantee::User(_) => text!("license-shared-by-email", name = &held.grantee_name),
                Grantee::Organization(_) => text!("license-shared", name = &held.grantee_name),
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
    Ok(person.redirect(format!("/app/licenses/{id}"), text!("license-access-revoked")))
}
