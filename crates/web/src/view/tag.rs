//! Tags of licenses and talents.

use grantor_messages::text;
use maud::{Markup, html};

use super::annotations::Annotations;
use super::component::{card, with_query};
use super::field::error_summary;
use crate::frame::FormData;

/// The address of suggestions for a tag, up to the text.
pub(crate) const SOURCE: &str = "/app/tags?search=";

/// The tags of a row, each with a link that filters the list by it.
pub(crate) fn tag_links(list: &str, tags: &[String]) -> Markup {
    html! {
        @if !tags.is_empty() {
            ul.tags {
                @for tag in tags { li { a.tag href=(with_query(list, "tag", tag)) { (tag) } } }
            }
        }
    }
}

/// The tags of a record on its page, with a form to change them.
pub(crate) fn tags_card(
    action: &str,
    list: &str,
    tags: &[String],
    manages: bool,
    entered: &FormData,
) -> Markup {
    let body = html! {
        @if tags.is_empty() { p.quiet { (text!("view-tags-none")) } }
        @if manages {
            ul.tags {
                @for tag in tags {
                    li {
                        form.tag method="post" action=(action) {
                            a href=(with_query(list, "tag", tag)) { (tag) }
                            button name="remove" value=(tag)
                                aria-label=(text!("view-tags-remove", tag = tag)) { "×" }
                        }
                    }
                }
            }
            form.form method="post" action=(action) novalidate {
                (error_summary(entered))
                (tag_field("tags", text!("view-tags-add"), text!("view-tags-hint"), entered))
                div.actions { button.small { (text!("action-add")) } }
            }
        } @else { (tag_links(list, tags)) }
    };
    card(text!("view-tags"), body)
}

/// A field for tags. Where scripts run, it suggests the organization's tags.
pub(crate) fn tag_field(name: &str, label: &str, hint: &str, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, Some(hint), entered);
    let list = format!("{name}-suggestions");
    notes.wrap(
        false,
        html! {
            input id=(name) name=(name) type="text" value=(entered.raw(name)) autocomplete="off"
                maxlength="700" list=(list) data-parties=(SOURCE) autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
            datalist id=(list) {}
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_filters_its_list() {
        let drawn = tag_links("/app/licenses", &["A & B".to_owned()]).into_string();
        assert!(drawn.contains("href=\"/app/licenses?tag=A+%26+B\""), "{drawn}");
        assert_eq!(tag_links("/app/licenses", &[]).into_string(), "");
    }

    #[test]
    fn only_those_who_manage_the_record_can_change_its_tags() {
        let draw = |manages| {
            let entered = FormData::default();
            tags_card("/a", "/l", &["VIP".to_owned()], manages, &entered).into_string()
        };
        assert!(draw(true).contains("Remove tag VIP") && draw(true).contains("Add tags"));
        assert!(!draw(false).contains("<form"));
    }
}
