//! Checks: one look at a picture, an address or a text, for the licenses that the caller may know
//! (contract-2 section 24).

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::content::ContentUrl;
use crate::enum_names::enum_names;
use crate::error::{Error, Fields, Result};
use crate::source::address::with_scheme;

enum_names!(CheckKind, CheckMethod);

/// The maximum length of a text, in bytes of UTF-8 (100 KB).
pub const MAX_TEXT: usize = 102_400;

/// The members of which a check has exactly one.
const MEMBERS: &str = "image, image_url, url and text";

/// What is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckInput {
    /// The file of a picture.
    Image(Vec<u8>),
    /// The address of a picture.
    ImageUrl(ContentUrl),
    /// The address of a page, a feed or a picture.
    Url(ContentUrl),
    /// A text.
    Text(String),
}

/// A check as it is sent.
#[derive(Clone, Debug, Default)]
pub struct CheckParams {
    /// The files of pictures.
    pub images: Vec<Vec<u8>>,
    /// The address of a picture.
    pub image_url: Option<String>,
    /// The address of a page.
    pub url: Option<String>,
    /// The text.
    pub text: Option<String>,
}

impl CheckInput {
    /// Parses a check, which must have exactly one member.
    pub fn parse(params: CheckParams) -> Result<Self> {
        let CheckParams { mut images, image_url, url, text } = params;
        let given = [
            ("image", !images.is_empty()),
            ("image_url", image_url.is_some()),
            ("url", url.is_some()),
            ("text", text.is_some()),
        ];
        let given: Vec<_> = given.into_iter().filter(|(_, it)| *it).map(|(name, _)| name).collect();
        if given.len() > 1 {
            let message = format!("must be the only one of {MEMBERS}");
            let mut fields = Fields::default();
            for name in given {
                fields.add(name, &message);
            }
            fields.finish()?;
        }
        if images.len() > 1 {
            return Err(Error::field("image", "must be one picture"));
        }
        let address = |name: &str, text: &str| {
            parse_address(text).map_err(|message| Error::field(name, message))
        };
        match (images.pop(), image_url, url, text) {
            (Some(image), ..) => Ok(Self::Image(image)),
            (_, Some(text), ..) => address("image_url", &text).map(Self::ImageUrl),
            (.., Some(text), _) => address("url", &text).map(Self::Url),
            (.., Some(text)) => parse_text(text).map(Self::Text),
            _ => Err(Error::validation(format!("The check must have one of {MEMBERS}"))),
        }
    }

    /// What kind of check it is.
    #[must_use]
    pub const fn kind(&self) -> CheckKind {
        match self {
            Self::Image(_) => CheckKind::Image,
            Self::ImageUrl(_) => CheckKind::ImageUrl,
            Self::Url(_) => CheckKind::Url,
            Self::Text(_) => CheckKind::Text,
        }
    }
}

/// Parses an address as people write it: `https://` may be left out.
fn parse_address(text: &str) -> Result<ContentUrl, String> {
    let text = text.trim();
    if text.contains("://") {
        return ContentUrl::parse(text);
    }
    // A word is not an address, although it could be the name of a host.
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let completed = if host.contains('.') { with_scheme(text) } else { text.to_owned() };
    ContentUrl::parse(&completed)
}

fn parse_text(text: String) -> Result<String> {
    if text.chars().all(char::is_whitespace) {
        return Err(Error::field("text", "must not be empty"));
    }
    if text.len() > MAX_TEXT {
        return Err(Error::field("text", format!("must be at most {MAX_TEXT} bytes (100 KB)")));
    }
    Ok(text)
}

/// What kind of thing was checked, for the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum CheckKind {
    /// A picture that was sent.
    Image,
    /// A picture at an address.
    ImageUrl,
    /// A page at an address.
    Url,
    /// A text.
    Text,
}

/// How a likeness was recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum CheckMethod {
    /// By a name of two or more words.
    FullName,
    /// By a name of one word, which many people may have.
    SingleName,
    /// By the perceptual hash of a reference image.
    PerceptualHash,
    /// By local features of a reference image, which a part of the picture shows.
    LocalFeatures,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> CheckParams {
        CheckParams { text: Some(text.to_owned()), ..CheckParams::default() }
    }

    fn errors(params: CheckParams) -> Vec<(String, String)> {
        let error = CheckInput::parse(params).unwrap_err();
        error.fields().iter().map(|(name, message)| (name.clone(), message.clone())).collect()
    }

    #[test]
    fn a_check_has_exactly_one_member() {
        let images = vec![vec![1]];
        let input = CheckInput::parse(CheckParams { images: images.clone(), ..text("x") });
        let message = "must be the only one of image, image_url, url and text";
        let fields = input.unwrap_err();
        let named: Vec<_> = fields.fields().keys().map(String::as_str).collect();
        assert_eq!(named, ["image", "text"]);
        assert!(fields.fields().values().all(|it| it == message));
        let none = CheckInput::parse(CheckParams::default()).unwrap_err();
        let message = "The check must have one of image, image_url, url and text";
        assert_eq!((none.message(), none.fields().len()), (message, 0));
        let two = CheckParams { images: vec![vec![1], vec![2]], ..CheckParams::default() };
        let message = "must be one picture".to_owned();
        assert_eq!(errors(two), [("image".to_owned(), message)]);
        let one = CheckInput::parse(CheckParams { images, ..CheckParams::default() });
        assert_eq!(one, Ok(CheckInput::Image(vec![1])));
    }

    #[test]
    fn texts_and_addresses_are_bounded() {
        let longest = "ä".repeat(MAX_TEXT / 2);
        assert_eq!(CheckInput::parse(text(&longest)), Ok(CheckInput::Text(longest.clone())));
        let message = "must be at most 102400 bytes (100 KB)".to_owned();
        assert_eq!(errors(text(&format!("{longest}x"))), [("text".to_owned(), message)]);
        assert_eq!(errors(text(" \n"))[0].1, "must not be empty");
        let url = |url: &str| CheckParams { url: Some(url.to_owned()), ..CheckParams::default() };
        assert_eq!(errors(url("ftp://a.example/"))[0].0, "url");
        let parsed = CheckInput::parse(url("https://a.example/?utm_source=x#top")).unwrap();
        let address = ContentUrl::parse("https://a.example/").unwrap();
        assert_eq!((parsed.kind(), parsed), (CheckKind::Url, CheckInput::Url(address)));
        for bare in ["a.example", " a.example/?utm_source=x#top "] {
            let parsed = CheckInput::parse(url(bare)).unwrap();
            assert_eq!(parsed, CheckInput::Url(ContentUrl::parse("https://a.example/").unwrap()));
        }
        let form = "must be a URL such as https://example.com/page";
        for wrong in ["example", "example/a.html", "mailto:a", "a b.example", ""] {
            assert_eq!(errors(url(wrong)), [("url".to_owned(), form.to_owned())], "{wrong}");
        }
        let image = Some("picture".to_owned());
        let image = CheckParams { image_url: image, ..CheckParams::default() };
        assert_eq!(errors(image)[0].0, "image_url");
    }

    #[test]
    fn methods_have_the_same_names_on_every_way() {
        for method in CheckMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(serde_json::to_value(method).unwrap(), method.name());
        }
    }
}
