//! The field to choose a record by searching for it.

use grantor_messages::text;
use maud::{Markup, html};

use super::annotations::Annotations;
use super::field::hidden;
use super::marked::Mark;
use crate::frame::FormData;

/// A record to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Its ID, which only values contain.
    pub(crate) id: String,
    pub(crate) name: String,
    /// What tells it apart from others with this name.
    pub(crate) detail: String,
    /// The address of its picture.
    pub(crate) thumbnail: Option<String>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choices {
    pub(crate) items: Vec<Choice>,
    /// Whether there are more.
    pub(crate) more: bool,
}

/// A field that searches.
pub(crate) struct Combobox<'a> {
    /// The name of the text. That of the chosen record is [`choice_name`].
    pub(crate) name: &'a str,
    pub(crate) label: &'a str,
    pub(crate) hint: &'a str,
    /// The address of the [`options`], up to the text.
    pub(crate) source: &'a str,
    /// The name and value of the button that searches without scripts.
    pub(crate) find: (&'a str, &'a str),
    /// What was typed.
    pub(crate) typed: &'a str,
    pub(crate) chosen: Option<&'a Choice>,
    /// What the button found.
    pub(crate) found: Option<&'a Choices>,
}

/// The name of the field with the ID of the chosen record.
pub(crate) fn choice_name(name: &str) -> String {
    format!("{name}.choice")
}

/// A required field for the name of a record. Where scripts run, it suggests records while one
/// types. Otherwise, a button shows those that the text finds.
pub(crate) fn combobox(field: &Combobox<'_>, entered: &FormData) -> Markup {
    let notes = Annotations::of(field.name, field.label, Some(field.hint), entered);
    let results = format!("{}-results", field.name);
    let text = match (field.chosen, field.found) {
        (Some(chosen), None) => chosen.name.as_str(),
        _ => field.typed,
    };
    // Who pressed the button goes on where the results are.
    let found_none = field.found.is_some_and(|it| it.items.is_empty()) && !entered.has_errors();
    html! {
        div.field data-combobox=(field.source) {
            label for=(field.name) { (field.label) (Mark::Required.sign()) }
            div.row.combobox {
                input id=(field.name) name=(field.name) type="text" value=(text) required
                    autocomplete="off" spellcheck="false" maxlength="200"
                    autofocus[notes.is_first_error() || found_none]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
                button.small.plain name=(field.find.0) value=(field.find.1) formnovalidate {
                    (text!("view-combobox-find"))
                }
                div.combobox-results {
                    // Browsers would let the keyboard stop at what scrolls.
                    div id=(results) role="listbox" aria-label=(field.label) tabindex="-1" hidden {}
                    p role="status" {}
                }
            }
            (notes.messages())
            @match field.found {
                Some(found) => (found_choices(field, found, entered)),
                None => (hidden(&choice_name(field.name), chosen_id(field))),
            }
        }
    }
}

fn chosen_id<'a>(field: &Combobox<'a>) -> &'a str {
    field.chosen.map_or("", |it| it.id.as_str())
}

/// What the button found, to choose from.
fn found_choices(field: &Combobox<'_>, found: &Choices, entered: &FormData) -> Markup {
    let name = choice_name(field.name);
    let others = found.items.iter().filter(|it| it.id != chosen_id(field));
    html! {
        fieldset.field {
            legend { (text!("view-field-choose")) }
            p.hint { (found_text(found)) }
            div.ticks.wide {
                @for (index, it) in field.chosen.into_iter().chain(others).enumerate() {
                    label {
                        input type="radio" name=(name) value=(it.id) data-name=(it.name)
                            checked[it.id == chosen_id(field)]
                            autofocus[index == 0 && !entered.has_errors()];
                        (shown(it))
                    }
                }
            }
        }
    }
}

/// The suggestions, as options of the field.
pub(crate) fn options(found: &Choices) -> Markup {
    html! {
        div data-found=(found_text(found)) {
            @for it in &found.items {
                div.option role="option" aria-selected="false" data-value=(it.id)
                    data-name=(it.name) { (shown(it)) }
            }
        }
    }
}

fn shown(choice: &Choice) -> Markup {
    html! {
        @match &choice.thumbnail {
            Some(url) => img.thumb src=(url) alt="" loading="lazy" width="44" height="44";,
            None => span.thumb aria-hidden="true" {},
        }
        span {
            (choice.name)
            @if !choice.detail.is_empty() { " " span.quiet { (choice.detail) } }
        }
    }
}

/// How much was found, in words.
fn found_text(found: &Choices) -> String {
    match (found.items.len(), found.more) {
        (0, false) => text!("view-combobox-none").to_owned(),
        (0, true) => text!("view-combobox-too-many").to_owned(),
        (count, false) => text!("view-combobox-found", count = count),
        (count, true) => text!("view-combobox-first", count = count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zoe() -> Choice {
        let (id, name) = ("1".to_owned(), "<Zoë>".to_owned());
        Choice { id, name, detail: "T-7".to_owned(), thumbnail: Some("/objects/1".to_owned()) }
    }

    fn drawn(chosen: Option<&Choice>, found: Option<&Choices>) -> String {
        let (source, find) = ("/found?search=", ("act", "find"));
        let (name, label, hint, typed) = ("talent", "Talent", "Who", "zo");
        let field = Combobox { name, label, hint, source, find, typed, chosen, found };
        combobox(&field, &FormData::default()).into_string()
    }

    #[test]
    fn the_text_is_the_name_of_the_chosen_record() {
        let chosen = drawn(Some(&zoe()), None);
        assert!(chosen.contains("name=\"talent\" type=\"text\" value=\"&lt;Zoë&gt;\""), "{chosen}");
        assert!(chosen.contains("type=\"hidden\" name=\"talent.choice\" value=\"1\""), "{chosen}");
        let typed = drawn(None, None);
        assert!(typed.contains("name=\"talent\" type=\"text\" value=\"zo\""), "{typed}");
        assert!(typed.contains("name=\"talent.choice\" value=\"\""), "{typed}");
    }

    #[test]
    fn what_the_button_found_can_be_chosen_once() {
        let found = Choices { items: vec![zoe()], more: false };
        let drawn = drawn(Some(&zoe()), Some(&found));
        assert!(drawn.contains("value=\"zo\""), "{drawn}");
        assert_eq!(drawn.matches("name=\"talent.choice\"").count(), 1, "{drawn}");
        assert!(
            drawn.contains("value=\"1\" data-name=\"&lt;Zoë&gt;\" checked autofocus"),
            "{drawn}"
        );
    }

    #[test]
    fn suggestions_say_how_many_they_are() {
        let found = |items, more| options(&Choices { items, more }).into_string();
        let two = found(vec![zoe(), zoe()], true);
        let told = "<div data-found=\"The first 2 results. Type more to find others.\">";
        assert!(two.starts_with(told), "{two}");
        assert!(two.contains("data-value=\"1\" data-name=\"&lt;Zoë&gt;\""), "{two}");
        assert!(two.contains("<img class=\"thumb\" src=\"/objects/1\" alt=\"\""), "{two}");
        assert!(two.contains("&lt;Zoë&gt; <span class=\"quiet\">T-7</span>"), "{two}");
        assert_eq!(found(vec![], false), "<div data-found=\"Nothing found\"></div>");
        assert_eq!(
            found(vec![], true),
            "<div data-found=\"Too many results. Type more to find yours.\"></div>"
        );
    }
}
