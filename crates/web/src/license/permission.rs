//! Rights on a license: who holds them, given and taken by its owner.

use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::page::Listing;
use grantor_domain::permission::{Grantee, GranteeName, PermissionRole};
use grantor_domain::{Error, Result};
use grantor_service::permission::{self, Held};
use maud::{Markup, html};

use super::show::{Forms, again};
use crate::frame::{Entered, Outcome, Person, Segment, Segments};
use crate::view::field::group;
use crate::view::{ago, badge, card, confirm, field, form, pager, select};

const ROLES: [(&str, &str); 3] = [
    ("viewer", "Viewer: reads the license, a draft too"),
    ("trustee", "Trustee: reads, and decides on mentions"),
    ("licensor", "Licensor: edits the license too"),
];

/// The part of the page.
pub(super) fn rights(
    person: &Person,
    id: LicenseId,
    held: &Listing<Held>,
    entered: &Entered,
) -> Markup {
    card(
        "Shared with",
        html! {
            @if held.items.is_empty() { p.quiet { "Nobody yet but your organization." } }
            ul.rows {
                @for it in &held.items { li { (right(person, id, it)) } }
            }
            (pager(held, &person.here))
            details.more open[entered.message().is_some()] {
                summary { "Share this license" }
                (form(&format!("/app/licenses/{id}/permissions"), entered, fields(entered), "Share"))
            }
        },
    )
}

fn right(person: &Person, id: LicenseId, held: &Held) -> Markup {
    let revoke = format!("/app/licenses/{id}/permissions/{}/revoke", held.id);
    let kind = match held.grantee {
        Grantee::User(_) => "person",
        Grantee::Organization(_) => "organization",
    };
    html! {
        div {
            strong { (held.grantee_name) } " " (badge(held.role.name()))
            @if !held.accepted { " " (badge("pending")) }
            p.quiet {
                (kind) " · shared " (ago(person.now(), held.created_at))
                @if !held.accepted { " · not accepted yet" }
            }
        }
        (confirm(&revoke, "Revoke", "They see the license no longer, from now on.", &[]))
    }
}

fn fields(entered: &Entered) -> Markup {
    html! {
        p.quiet {
            "Somebody without an account is invited by mail and sees the license once they have one. "
            "Whether an address has an account is not shown: it is pending until they accept."
        }
        (group("grantee", "With whom: a person or an organization", entered, html! {
            (field("grantee.userEmail", "Email of a person").kind("email").of(entered))
            (field("grantee.organizationId", "Id of an organization").placeholder("0190…").of(entered))
        }))
        (select("role", "As", None, &ROLES, entered))
    }
}

/// Gives somebody one.
pub(crate) async fn grant(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: Entered,
) -> Outcome {
    let granted = async {
        let (grantee, role) = read(&entered)?;
        permission::grant(person.app(), person.context(), person.caller(), id, grantee, role).await
    };
    match granted.await {
        Ok(held) => {
            let said = match held.grantee {
                Grantee::User(_) => {
                    format!("Shared with {}: we sent them a mail", held.grantee_name)
                }
                Grantee::Organization(_) => format!("{} is {} now", held.grantee_name, held.role),
            };
            Ok(person.went(format!("/app/licenses/{id}"), &said))
        }
        Err(error) => {
            again(&person, id, error, entered, |entered| Forms {
                grant: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

fn read(entered: &Entered) -> Result<(GranteeName, PermissionRole)> {
    let mut fields = entered.fields();
    let email = entered.optional("grantee.userEmail");
    let grantee =
        GranteeName::parse(email, entered.optional("grantee.organizationId"), &mut fields);
    let role = entered.required(&mut fields, "role");
    let role = fields.take("role", role.parse::<PermissionRole>());
    fields.finish()?;
    grantee.zip(role).ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// Takes one away.
pub(crate) async fn revoke(
    person: Person,
    Segments(id, right): Segments<LicenseId, PermissionId>,
) -> Outcome {
    permission::revoke(person.app(), person.context(), person.caller(), id, right).await?;
    Ok(person.went(format!("/app/licenses/{id}"), "The permission was revoked"))
}
