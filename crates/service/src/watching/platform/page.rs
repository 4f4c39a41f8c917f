//! Meta tags in the head of a page, found as browsers find them.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};

/// Elements of a head. Any other starts the body, which may contain text written by others.
const HEAD: [&[u8]; 9] =
    [b"html", b"head", b"meta", b"title", b"link", b"script", b"style", b"base", b"noscript"];

/// Head elements that may contain text; any other text starts the body.
const TEXT: [&[u8]; 4] = [b"title", b"script", b"style", b"noscript"];

/// End tags that end the head or open a body.
const ENDS: [&[u8]; 5] = [b"head", b"body", b"html", b"p", b"br"];

/// Returns the contents of all meta tags with this name.
pub(in crate::watching) fn meta_contents(page: &[u8], name: &str) -> Vec<Vec<u8>> {
    let mut emitter = DefaultEmitter::<()>::default();
    // Markup within scripts and titles is text.
    emitter.naively_switch_states(true);
    let mut found = Vec::new();
    let mut inside_text = false;
    for token in Tokenizer::new_with_emitter(page, emitter) {
        match token {
            Ok(Token::StartTag(tag)) if !HEAD.contains(&tag.name.as_slice()) => break,
            Ok(Token::EndTag(tag)) if ENDS.contains(&tag.name.as_slice()) => break,
            Ok(Token::EndTag(_)) => inside_text = false,
            Ok(Token::String(text)) if !inside_text && !text.trim_ascii().is_empty() => break,
            Ok(Token::StartTag(tag)) if TEXT.contains(&tag.name.as_slice()) => inside_text = true,
            Ok(Token::StartTag(tag)) if tag.name.as_slice() == b"meta" => {
                let named = tag.attributes.get(b"name".as_slice());
                let content = tag.attributes.get(b"content".as_slice());
                if named.is_some_and(|it| it.trim_ascii().eq_ignore_ascii_case(name.as_bytes())) {
                    found.extend(content.map(|it| it.trim_ascii().to_vec()));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str) -> Vec<String> {
        let contents = meta_contents(page.as_bytes(), "grantor-verification").into_iter();
        contents.map(|it| String::from_utf8(it).unwrap()).collect()
    }

    #[test]
    fn a_tag_in_the_head_is_found_however_it_is_written() {
        for page in [
            r#"<meta name="grantor-verification" content="abc">"#,
            r#"<!doctype html><html><head><title>Hi</title>
               <meta name="grantor-verification" content="abc"/></head><body>x</body></html>"#,
            "<HEAD><META CONTENT='abc' NAME='Grantor-Verification'>",
            "<meta\n content=abc\tname=grantor-verification>",
            r#"<meta name="grantor-verification" content=" &#97;bc ">"#,
            r#"<script>if (a < b) document.write("</p>")</script>
               <meta name="grantor-verification" content="abc">"#,
        ] {
            assert_eq!(found(page), ["abc"], "{page}");
        }
    }

    #[test]
    fn what_is_not_in_the_head_is_not_found() {
        let tag = r#"<meta name="grantor-verification" content="abc">"#;
        for page in [
            format!("<head></head>{tag}"),
            format!("<body>{tag}"),
            format!("<p>comment</p>{tag}"),
            format!("<!-- {tag} -->"),
            format!("<title>{tag}</title>"),
            format!("<script>{tag}</script>"),
            format!("<style>{tag}</style>"),
            format!("<head><div data-x='{tag}'>"),
            format!("hello {tag}"),
            format!("<title>Guestbook</title>hello {tag}"),
            format!("&nbsp;{tag}"),
            format!("</p>{tag}"),
            format!("</br>{tag}"),
            format!("<head><template>{tag}</template></head>"),
            r#"<meta name="grantor" content="abc">"#.to_owned(),
            r#"<meta property="grantor-verification" content="abc">"#.to_owned(),
            r#"<meta name="grantor-verification">"#.to_owned(),
            r#"<meta name="grantor-verification" content="abc""#.to_owned(),
            String::new(),
        ] {
            assert!(found(&page).is_empty(), "{page}");
        }
    }

    #[test]
    fn no_bytes_trouble_it() {
        let noise: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        assert!(meta_contents(&noise, "x").is_empty());
        assert!(meta_contents(&b"<".repeat(100_000), "x").is_empty());
        let many = br#"<meta name="x" content="y">"#.repeat(1_000);
        assert_eq!(meta_contents(&many, "x").len(), 1_000);
    }
}
