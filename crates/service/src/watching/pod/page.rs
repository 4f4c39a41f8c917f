//! Reads HTML: its text without markup, the first picture, and the metadata of the head.

use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{Token, Tokenizer};

/// Elements whose text is not displayed.
const SKIPPED: [&[u8]; 4] = [b"script", b"style", b"noscript", b"template"];
/// Elements that do not separate words.
const INLINE: [&[u8]; 12] =
    [b"a", b"abbr", b"b", b"em", b"font", b"i", b"mark", b"s", b"small", b"span", b"strong", b"u"];

/// The content of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) image: Option<String>,
    pub(super) author: Option<String>,
    pub(super) published: Option<String>,
}

/// Reads a page or an HTML fragment.
pub(super) fn read(html: &[u8]) -> Page {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let (mut page, mut title) = (Page::default(), None);
    let (mut in_title, mut skipped): (bool, Option<Vec<u8>>) = (false, None);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Ok(Token::StartTag(tag)) => {
                if skipped.is_none() && SKIPPED.contains(&tag.name.as_slice()) && !tag.self_closing
                {
                    skipped = Some(tag.name.to_vec());
                }
                in_title = tag.name.as_slice() == b"title" && title.is_none();
                read_attributes(&mut page, &tag);
                separate(&mut page.text, &tag.name);
            }
            Ok(Token::EndTag(tag)) => {
                skipped = skipped.filter(|it| it.as_slice() != tag.name.as_slice());
                in_title = false;
                separate(&mut page.text, &tag.name);
            }
            Ok(Token::String(text)) if skipped.is_none() => {
                let text = String::from_utf8_lossy(&text);
                if in_title {
                    title = Some(text.into_owned());
                } else {
                    page.text.push_str(&text);
                }
            }
            _ => {}
        }
    }
    page.title = line(&title.unwrap_or_default());
    page.text = line(&page.text);
    page
}

/// Whether the document starts like an HTML page.
pub(super) fn is_html(document: &[u8]) -> bool {
    let mut rest = document.trim_ascii_start();
    for (opens, closes) in [(&b"<?"[..], &b"?>"[..]), (b"<!--", b"-->")] {
        while rest.starts_with(opens) {
            let Some(end) = rest.windows(closes.len()).position(|it| it == closes) else {
                return false;
            };
            rest = rest[end + closes.len()..].trim_ascii_start();
        }
    }
    let begins = |with: &[u8]| {
        rest.get(..with.len()).is_some_and(|it| it.eq_ignore_ascii_case(with))
            && rest.get(with.len()).is_none_or(|it| !it.is_ascii_alphanumeric())
    };
    begins(b"<!doctype html") || begins(b"<html")
}

/// The text of an HTML fragment, on one line. Plain text passes through.
pub(super) fn plain(html: &str) -> String {
    if html.contains(['<', '&']) { read(html.as_bytes()).text } else { line(html) }
}

/// Reads the picture, author and date from an element. The first one found stays.
fn read_attributes(page: &mut Page, tag: &StartTag<()>) {
    let attribute = |name: &[u8]| {
        let value = tag.attributes.get(name)?;
        Some(String::from_utf8_lossy(value).trim().to_owned()).filter(|it| !it.is_empty())
    };
    match tag.name.as_slice() {
        b"img" => page.image = page.image.take().or_else(|| attribute(b"src")),
        b"meta" => {
            let name = attribute(b"property").or_else(|| attribute(b"name")).unwrap_or_default();
            let content = attribute(b"content");
            match &*name.to_ascii_lowercase() {
                "og:image" => page.image = page.image.take().or(content),
                "author" => page.author = page.author.take().or(content),
                "article:published_time" => page.published = page.published.take().or(content),
                _ => {}
            }
        }
        _ => {}
    }
}

fn separate(text: &mut String, name: &[u8]) {
    if !INLINE.contains(&name) {
        text.push(' ');
    }
}

/// Collapses whitespace to single spaces.
fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_read_as_people_see_it() {
        let page = read(
            br#"<!doctype html><html><head><title>Ada &amp;
                Charles</title><meta name="Author" content=" A. Writer ">
                <meta property="article:published_time" content="2026-01-02T00:00:00Z">
                <meta property="og:image" content="/big.png"><style>p{}</style>
                <script>if (a < b) document.write("<p>Grace</p>")</script></head>
                <body><h1>En<b>gin</b>e</h1><p>works<br>well</p><img src="/small.png">
                <svg><title>no</title></svg></body></html>"#,
        );
        assert_eq!(page.title, "Ada & Charles");
        assert_eq!(page.text, "Engine works well no");
        assert_eq!(page.image.as_deref(), Some("/big.png"));
        assert_eq!(page.author.as_deref(), Some("A. Writer"));
        assert_eq!(page.published.as_deref(), Some("2026-01-02T00:00:00Z"));
    }

    #[test]
    fn marks_are_taken_out_of_titles() {
        assert_eq!(plain(" Ada\n Lovelace "), "Ada Lovelace");
        assert_eq!(plain("<b>Ada</b> &amp; M&uuml;ller"), "Ada & M\u{fc}ller");
        assert_eq!(plain("1 < 2 & 3"), "1 < 2 & 3");
    }

    #[test]
    fn pages_are_told_from_other_documents() {
        for (document, expected) in [
            ("<!DOCTYPE html>\n<rss>", true),
            ("\n <HTML lang=en>", true),
            ("<html", true),
            ("<!-- a --> <!-- <rss> --><!doctype HTML PUBLIC 'x'>", true),
            ("<?xml version='1.0'?><!-- a --><!DOCTYPE html><html>", true),
            ("<!DOCTYPE rss><rss/>", false),
            ("<htmlish/>", false),
            ("<!-- <html>", false),
            ("<rss><html></html></rss>", false),
            ("", false),
        ] {
            assert_eq!(is_html(document.as_bytes()), expected, "{document}");
        }
    }

    #[test]
    fn no_bytes_trouble_it() {
        let noise: Vec<u8> = (0..=255).cycle().take(200_000).collect();
        read(&noise);
        read(&b"<".repeat(200_000));
        read(&b"<div>".repeat(200_000));
        assert_eq!(read(&b"<img>".repeat(1_000)).image, None);
    }
}
