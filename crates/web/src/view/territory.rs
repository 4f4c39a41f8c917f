//! Territories by name, and the field to choose them.

use grantor_domain::license::{Territories, Territory, country_names};
use maud::{Markup, html};

use super::annotations::Annotations;
use crate::frame::FormData;

const WORLD: &str = "WORLD";

/// The names of territories, or `None` if there are none.
pub(crate) fn territory_names(territories: &[Territory]) -> Option<String> {
    let names: Vec<_> = territories.iter().map(|it| it.label()).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The code and name of every territory, the world first.
pub(crate) fn territory_options() -> impl Iterator<Item = (&'static str, &'static str)> {
    std::iter::once((WORLD, "Worldwide")).chain(country_names())
}

/// Checkboxes for territories: those of a license, or all if it does not limit them.
pub(crate) fn territory_choices(
    name: &str,
    label: &str,
    hint: Option<&str>,
    within: &Territories,
    entered: &FormData,
) -> Markup {
    draw((name, label), hint, within, false, entered)
}

/// Like [`territory_choices`], if at least one must be checked.
pub(crate) fn required_territories(
    name: &str,
    label: &str,
    hint: Option<&str>,
    within: &Territories,
    entered: &FormData,
) -> Markup {
    draw((name, label), hint, within, true, entered)
}

fn draw(
    (name, label): (&str, &str),
    hint: Option<&str>,
    within: &Territories,
    required: bool,
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    let allowed = |code: &str| Territory::parse(code).is_ok_and(|it| within.allow(it));
    let listed: Vec<_> = country_names().filter(|(code, _)| allowed(code)).collect();
    let tick = |(code, country): (&str, &str), first: bool| {
        html! {
            label {
                input type="checkbox" name=(name) value=(code) checked[entered.has(name, code)]
                    autofocus[first && notes.is_first_error()];
                " " (country)
            }
        }
    };
    let chosen = listed.iter().any(|(code, _)| entered.has(name, code));
    html! {
        fieldset.field id=(name) aria-describedby=[notes.described_by()] {
            (notes.legend(required))
            @if allowed(WORLD) {
                div.ticks { (tick((WORLD, "Worldwide"), true)) }
                details.more open[chosen] {
                    summary { "Choose countries" }
                    div.ticks { @for it in listed { (tick(it, false)) } }
                }
            } @else {
                div.ticks { @for (index, it) in listed.into_iter().enumerate() { (tick(it, index == 0)) } }
            }
            (notes.messages())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_territories_of_the_license_can_be_chosen() {
        let choices = |codes: &[&str]| {
            let within = Territories::parse(codes).unwrap();
            territory_choices("t", "T", None, &within, &FormData::default()).into_string()
        };
        let two = choices(&["DE", "FR"]);
        assert!(two.contains("Germany") && two.contains("France") && !two.contains("Japan"));
        assert!(!two.contains("Worldwide"));
        for all in [choices(&[]), choices(&["WORLD"])] {
            assert!(all.contains("Worldwide") && all.contains("Japan"));
        }
    }
}
