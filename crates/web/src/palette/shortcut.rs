//! `/app/shortcuts`: what can be done by keyboard. The palette shows the same list in a dialog.

use axum::response::Response;
use grantor_messages::{named, text};
use maud::{Markup, html};

use crate::frame::{Guest, Identity};
use crate::sign_in::with_next;
use crate::view::{NavItem, head};

/// Keys with the key of the text that says what they do. Keys that are pressed together are in one
/// text, separated by spaces.
type Shortcut = (&'static [&'static str], &'static str);

/// All shortcuts by where they work.
const SHORTCUTS: [(&str, &[Shortcut]); 4] = [
    (
        "palette-shortcut-everywhere",
        &[
            (&["Ctrl K", "⌘ K"], "palette-shortcut-search"),
            (&["?"], "palette-shortcut-list"),
            (&["Esc"], "palette-shortcut-close"),
        ],
    ),
    (
        "palette-shortcut-in-search",
        &[(&["↓", "↑"], "palette-shortcut-result"), (&["Enter"], "palette-shortcut-open-result")],
    ),
    (
        "palette-shortcut-reviewing",
        &[
            (&["J"], "palette-shortcut-next-mention"),
            (&["K"], "palette-shortcut-previous-mention"),
            (&["C"], "palette-shortcut-confirm"),
            (&["D"], "palette-shortcut-dismiss"),
            (&["U"], "palette-shortcut-undo"),
            (&["O"], "palette-shortcut-open-mention"),
        ],
    ),
    ("palette-shortcut-pictures", &[(&["→", "←"], "palette-shortcut-picture")]),
];

/// Shows the shortcuts.
pub(crate) async fn shortcuts(Guest(ctx): Guest) -> Response {
    let signed_out = matches!(ctx.identity, Identity::Anonymous);
    let lead = if signed_out {
        text!("palette-shortcuts-lead-signed-out")
    } else {
        text!("palette-shortcuts-lead")
    };
    let sign_in = html! {
        @if signed_out {
            a.button href=(with_next("/app/sign-in", "/app/shortcuts")) { (text!("view-nav-sign-in")) }
        }
    };
    let body = html! { (head(text!("palette-shortcuts"), lead, sign_in)) (list()) };
    ctx.page(text!("palette-shortcuts"), NavItem::None, body)
}

fn list() -> Markup {
    html! {
        div.cards data-keys="" {
            @for (place, shortcuts) in SHORTCUTS {
                section.card {
                    h2 { (text(place)) }
                    dl.facts {
                        @for &(keys, what) in shortcuts {
                            div { dt { (names(keys)) } dd { (text(what)) } }
                        }
                    }
                }
            }
        }
    }
}

fn names(keys: &[&str]) -> Markup {
    html! {
        @for (at, key) in keys.iter().enumerate() {
            @if at > 0 { " " (text!("palette-shortcut-or")) " " }
            @for part in key.split(' ') { kbd { (name(part)) } " " }
        }
    }
}

/// The name on a keyboard of the current language.
fn name(key: &str) -> &str {
    named("palette-key", &key.to_ascii_lowercase()).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the script that reviews mentions.
    fn review_keys() -> Vec<String> {
        let script = include_str!("../../assets/app.js");
        let keys = script.split_once("const keys = {").expect("the keys").1;
        let keys = keys.split_once("};").expect("their end").0;
        let names = keys.split(':').filter_map(|it| it.trim_end().rsplit([' ', '\n']).next());
        let names = names.filter(|it| it.len() == 1 && it.chars().all(char::is_alphabetic));
        names.map(str::to_uppercase).collect()
    }

    #[test]
    fn the_keys_of_reviews_are_listed() {
        let (_, listed) = SHORTCUTS[2];
        let listed: Vec<_> = listed.iter().flat_map(|(keys, _)| keys.iter().copied()).collect();
        assert_eq!(review_keys(), listed);
    }

    #[test]
    fn everything_has_a_text() {
        for (place, shortcuts) in SHORTCUTS {
            for key in std::iter::once(place).chain(shortcuts.iter().map(|(_, what)| *what)) {
                assert_ne!(text(key), key);
            }
        }
    }
}
