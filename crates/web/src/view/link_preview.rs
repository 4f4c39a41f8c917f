//! What other sites show of a link to a page: title, description and picture, and the same as
//! schema.org data for search engines.

use maud::{Markup, PreEscaped, html};
use serde_json::Value;

/// How much of a description link previews show.
const MAX_DESCRIPTION: usize = 200;

/// A picture in a link preview.
pub(crate) struct PreviewPicture {
    /// The absolute URL.
    pub(crate) url: String,
    pub(crate) media_type: &'static str,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// What the picture shows.
    pub(crate) alt: String,
}

/// The preview of a page that anyone can open.
pub(crate) struct LinkPreview {
    pub(crate) title: String,
    pub(crate) description: String,
    /// The absolute URL of the page, the same for all ways to write it.
    pub(crate) url: String,
    pub(crate) picture: Option<PreviewPicture>,
    /// The page as schema.org data (JSON-LD).
    pub(crate) data: Value,
}

impl LinkPreview {
    /// The tags in the document's head.
    pub(super) fn tags(&self) -> Markup {
        let description = shortened(&self.description);
        let card = if self.picture.is_some() { "summary_large_image" } else { "summary" };
        html! {
            meta name="description" content=(description);
            link rel="canonical" href=(self.url);
            meta property="og:type" content="website";
            meta property="og:site_name" content="Grantor";
            meta property="og:title" content=(self.title);
            meta property="og:description" content=(description);
            meta property="og:url" content=(self.url);
            @if let Some(picture) = &self.picture {
                meta property="og:image" content=(picture.url);
                meta property="og:image:type" content=(picture.media_type);
                meta property="og:image:width" content=(picture.width);
                meta property="og:image:height" content=(picture.height);
                meta property="og:image:alt" content=(picture.alt);
            }
            meta name="twitter:card" content=(card);
            meta name="twitter:title" content=(self.title);
            meta name="twitter:description" content=(description);
            @if let Some(picture) = &self.picture {
                meta name="twitter:image" content=(picture.url);
                meta name="twitter:image:alt" content=(picture.alt);
            }
            (data_block(&self.data))
        }
    }
}

/// Browsers don't run a data block, so the content security policy doesn't apply to it. No text in
/// it can end it: the characters of tags are escaped.
fn data_block(data: &Value) -> Markup {
    let text = data.to_string();
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    html! { script type="application/ld+json" { (PreEscaped(text)) } }
}

/// The beginning of a text on one line, up to the last word that fits.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MAX_DESCRIPTION {
        return line;
    }
    let cut: String = line.chars().take(MAX_DESCRIPTION - 1).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn preview(description: &str, picture: Option<PreviewPicture>) -> String {
        let (title, url) = ("<Winter>".to_owned(), "https://grantor.test/app/catalog/1".to_owned());
        let data = json!({ "name": "</script><script>alert(1)</script>" });
        let description = description.to_owned();
        LinkPreview { title, description, url, picture, data }.tags().into_string()
    }

    #[test]
    fn no_text_leaves_its_place() {
        let tags = preview("\"a\" & b", None);
        assert!(tags.contains("og:title\" content=\"&lt;Winter&gt;\""), "{tags}");
        assert!(tags.contains("description\" content=\"&quot;a&quot; &amp; b\""), "{tags}");
        assert_eq!(tags.matches("</script>").count(), 1, "{tags}");
        assert!(tags.contains("\\u003c/script\\u003e"), "{tags}");
        assert!(tags.contains("twitter:card\" content=\"summary\""), "{tags}");
    }

    #[test]
    fn a_picture_is_named_with_its_size() {
        let url = "https://grantor.test/p.jpg".to_owned();
        let (media_type, alt) = ("image/jpeg", "Ada".to_owned());
        let picture = PreviewPicture { url, media_type, width: 640, height: 480, alt };
        let tags = preview("", Some(picture));
        for tag in [
            "og:image\" content=\"https://grantor.test/p.jpg\"",
            "og:image:type\" content=\"image/jpeg\"",
            "og:image:width\" content=\"640\"",
            "twitter:image\" content=\"https://grantor.test/p.jpg\"",
            "twitter:card\" content=\"summary_large_image\"",
        ] {
            assert!(tags.contains(tag), "{tag}: {tags}");
        }
    }

    #[test]
    fn a_long_description_ends_at_a_word() {
        assert_eq!(shortened(" two\n lines "), "two lines");
        let long = shortened(&"word ".repeat(60));
        assert!(long.ends_with(" word…") && long.chars().count() <= MAX_DESCRIPTION, "{long}");
    }
}
