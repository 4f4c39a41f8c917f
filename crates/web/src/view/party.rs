//! The field to choose a party by name or email address.

use grantor_messages::text;
use grantor_service::organizations::party::FoundParty;
use maud::{Markup, html};

use super::annotations::Annotations;
use super::label::tenant_type;
use crate::frame::FormData;

/// Which parties a form accepts by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// All parties.
    Everyone,
    /// Only organizations: people are named by their email address.
    Organizations,
}

/// A field for a name or email address. Where scripts run, it suggests parties. Otherwise, the
/// parties that a name stands for can be chosen after the form was submitted.
pub(crate) fn party_field(
    name: &str,
    label: &str,
    accepts: Accepts,
    choices: &[FoundParty],
    entered: &FormData,
) -> Markup {
    let hint = text!("view-field-party");
    let notes = Annotations::of(name, label, Some(hint), entered);
    let list = format!("{name}-suggestions");
    let source = match accepts {
        Accepts::Everyone => "/app/parties?search=",
        Accepts::Organizations => "/app/parties?type=organization&search=",
    };
    html! {
        div.field {
            label for=(name) { (label) span.must aria-hidden="true" { " *" } }
            input id=(name) name=(name) type="text" value=(entered.raw(name)) required
                autocomplete="off" maxlength="254" list=(list) data-parties=(source)
                autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
            datalist id=(list) {}
            (notes.messages())
        }
        @if !choices.is_empty() { (choice_field(name, choices, entered)) }
    }
}

/// The parties to choose from. Their IDs are only in the values.
fn choice_field(name: &str, choices: &[FoundParty], entered: &FormData) -> Markup {
    let name = choice_name(name);
    html! {
        fieldset.field {
            legend { (text!("view-field-choose")) }
            div.ticks {
                @for party in choices {
                    @let id = party.id.to_string();
                    label {
                        input type="radio" name=(name) value=(id) checked[entered.has(&name, &id)];
                        " " (party.name) " " span.quiet { (kind_and_domain(party)) }
                    }
                }
            }
        }
    }
}

/// The name of the field with the chosen party.
pub(crate) fn choice_name(name: &str) -> String {
    format!("{name}.choice")
}

/// The suggestions, as options of the field.
pub(crate) fn suggestions(parties: &[FoundParty]) -> Markup {
    html! {
        @for party in parties {
            option value=(party.name) { (party.name) " · " (kind_and_domain(party)) }
        }
    }
}

fn kind_and_domain(party: &FoundParty) -> String {
    let kind = tenant_type(party.kind);
    match &party.domain {
        Some(domain) => format!("{kind} · {domain}"),
        None => kind.to_owned(),
    }
}
