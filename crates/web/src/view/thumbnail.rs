//! The small picture next to the name of a license or talent in a list.

use maud::{Markup, html};

/// A name with its thumbnail, or with the initials of the talent. The picture has no text of its own,
/// because the name follows it.
pub(crate) fn with_thumbnail(url: Option<&str>, talent: &str, body: Markup) -> Markup {
    html! {
        div.named {
            @match url {
                Some(url) => img.thumb src=(url) alt="" loading="lazy" width="44" height="44";,
                None => span.thumb data-initials=(initials(talent)) aria-hidden="true" {},
            }
            div { (body) }
        }
    }
}

/// The first letters of the first and the last word.
pub(crate) fn initials(name: &str) -> String {
    let mut words = name.split_whitespace();
    let first = words.next().and_then(|it| it.chars().next());
    let last = words.next_back().and_then(|it| it.chars().next());
    first.into_iter().chain(last).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_stand_for_a_missing_picture() {
        let body = || html! { "Zoë" };
        let drawn = with_thumbnail(Some("/objects/1"), "Zoë", body()).into_string();
        assert!(drawn.contains("<img class=\"thumb\" src=\"/objects/1\" alt=\"\""), "{drawn}");
        let drawn = with_thumbnail(None, "Zoë Lindqvist", body()).into_string();
        let initials = "<span class=\"thumb\" data-initials=\"ZL\" aria-hidden=\"true\"></span>";
        assert!(drawn.contains(initials), "{drawn}");
        assert!(drawn.contains("<div>Zoë</div>"), "{drawn}");
    }

    #[test]
    fn initials_are_of_the_first_and_the_last_word() {
        for (name, expected) in [
            ("Zoë Lindqvist", "ZL"),
            ("ada king of lovelace", "AL"),
            ("Cher", "C"),
            ("絵本", "絵"),
            ("", ""),
        ] {
            assert_eq!(initials(name), expected, "{name}");
        }
    }
}
