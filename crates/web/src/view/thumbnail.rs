//! The small picture next to the name of a license or talent in a list.

use maud::{Markup, html};

/// A name with its thumbnail. The picture has no text of its own, because the name follows it.
pub(crate) fn with_thumbnail(url: Option<&str>, body: Markup) -> Markup {
    html! {
        div.named {
            @match url {
                Some(url) => img.thumb src=(url) alt="" loading="lazy" width="44" height="44";,
                None => span.thumb aria-hidden="true" {},
            }
            div { (body) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_picture_leaves_its_place_empty() {
        let body = || html! { "Zoë" };
        let drawn = with_thumbnail(Some("/objects/1"), body()).into_string();
        assert!(drawn.contains("<img class=\"thumb\" src=\"/objects/1\" alt=\"\""), "{drawn}");
        let drawn = with_thumbnail(None, body()).into_string();
        assert!(drawn.contains("<span class=\"thumb\" aria-hidden=\"true\"></span>"), "{drawn}");
        assert!(drawn.contains("<div>Zoë</div>"), "{drawn}");
    }
}
