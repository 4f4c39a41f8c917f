//! Extracts the visible text of HTML, valid or not.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// Marks the start or end of a block; no name matches across it.
const PARAGRAPH: char = '\u{2029}';

/// Elements whose content is not visible.
const HIDDEN: [&[u8]; 5] = [b"script", b"style", b"iframe", b"noembed", b"noframes"];

/// Extracts the visible text of HTML: without tags, comments, scripts and styles, with entities
/// decoded and a paragraph separator at the start and end of each block. Accepts any input.
#[must_use]
pub fn plain_text(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2);
    let mut hidden = false;
    let mut take = |event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                hidden = HIDDEN.contains(&name);
                push_break(&mut text, name);
            }
            CallbackEvent::EndTag { name } => {
                hidden = false;
                push_break(&mut text, name);
            }
            CallbackEvent::String { value } if !hidden => {
                text.push_str(&String::from_utf8_lossy(value));
            }
            _ => {}
        }
        None
    };
    let mut emitter = CallbackEmitter::new(&mut take);
    // The content of scripts does not contain tags.
    emitter.naively_switch_states(true);
    // The callback never returns a value, so this runs to the end.
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
    text
}

fn push_break(text: &mut String, name: &[u8]) {
    if name == b"br" {
        text.push('\n');
    } else if is_block(name) && !text.ends_with(PARAGRAPH) {
        text.push(PARAGRAPH);
    }
}

/// Whether an element starts a new line or cell. All others are inline.
#[rustfmt::skip]
fn is_block(name: &[u8]) -> bool {
    matches!(name, b"address" | b"article" | b"aside" | b"blockquote" | b"body" | b"button"
        | b"caption" | b"center" | b"col" | b"colgroup" | b"dd" | b"details" | b"dialog" | b"dir"
        | b"div" | b"dl" | b"dt" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form"
        | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"head" | b"header" | b"hgroup" | b"hr"
        | b"html" | b"legend" | b"li" | b"main" | b"menu" | b"nav" | b"ol" | b"option" | b"p"
        | b"pre" | b"section" | b"select" | b"summary" | b"table" | b"td" | b"textarea" | b"th"
        | b"title" | b"tr" | b"ul")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_sees_is_left() {
        for (html, text) in [
            ("Ana <b>L</b>opez", "Ana Lopez"),
            ("a<!-- Bob -->b<br>c<BR/>d", "ab\nc\nd"),
            ("<p>Ana</p><p>Lopez", "\u{2029}Ana\u{2029}Lopez"),
            ("a<script>if (1 < 2) '<p>Bob'</script>b<style>Bob{}</style>c", "abc"),
            (
                "L&oacute;pez &amp; &#x4C;i&nbsp;&lt;b&gt; &nosuch; AT&T",
                "López & Li\u{a0}<b> &nosuch; AT&T",
            ),
            ("<img alt='Bob' title=\"x>y\">a", "a"),
            ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
            ("<title>Ana &eacute;</title>x", "\u{2029}Ana é\u{2029}x"),
            ("<textarea><b>Ana</textarea>", "\u{2029}<b>Ana\u{2029}"),
            ("a<![CDATA[Bob]]>b<?php Bob ?>c<!doctype html>d", "abcd"),
            ("a<script>Bob", "a"),
            ("a<!-- Bob", "a"),
            ("a</", "a</"),
            ("a<b", "a"),
            ("&", "&"),
            ("", ""),
        ] {
            assert_eq!(plain_text(html), text, "{html}");
        }
    }

    #[test]
    fn no_html_takes_longer_than_its_length_allows() {
        let size = 1 << 18;
        for piece in [
            "<",
            "<a",
            "<a ",
            "<!--",
            "<!",
            "</",
            "&",
            "&#",
            "&#x1",
            "&amp",
            "<script>",
            "<p>",
            "<a b='",
            "]]>",
            "<![CDATA[",
            "<title>",
            "<?",
            "-->",
            "<a/",
            "&lt",
            "\0",
            "<p\n",
            "<div><p>",
            "&notit;",
            "<plaintext>",
            "</script",
            "<script><!--<script",
        ] {
            let text = plain_text(&piece.repeat(size / piece.len()));
            // A character reference may be longer than the character, or invalid.
            assert!(text.len() <= 3 * size, "{piece}");
        }
        assert!(plain_text(&format!("&#{};", "9".repeat(size))).len() < 9);
        assert_eq!(plain_text(&format!("<a {}>x", "b=c ".repeat(size / 4))), "x");
    }
}
