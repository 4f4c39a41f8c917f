//! The field to choose scopes, with their names and what each includes.

use maud::{Markup, html};

use super::annotations::Annotations;
use crate::frame::FormData;

/// A group of checkboxes: the name of each scope, and what it includes.
pub(crate) fn scope_choices(
    name: &str,
    label: &str,
    hint: &str,
    scopes: &[(&str, &str)],
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, Some(hint), entered);
    html! {
        fieldset.field id=(name) aria-describedby=[notes.described_by()] {
            (notes.legend(true))
            div.ticks.wide {
                @for (index, (scope, included)) in scopes.iter().enumerate() {
                    label {
                        input type="checkbox" name=(name) value=(scope)
                            checked[entered.has(name, scope)]
                            autofocus[index == 0 && notes.is_first_error()];
                        span { code { (scope) } " " (included) }
                    }
                }
            }
            (notes.messages())
        }
    }
}
