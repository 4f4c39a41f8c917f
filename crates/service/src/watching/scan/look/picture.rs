//! Pictures, which people paste instead of the page that shows them.

/// How files of pictures begin.
const SIGNATURES: [&[u8]; 3] = [b"\x89PNG\r\n", b"\xFF\xD8\xFF", b"GIF8"];

/// Whether a response is a picture: it is said to be one, or begins like one.
pub(super) fn is_picture(body: &[u8], content_type: Option<&str>) -> bool {
    let said = content_type.is_some_and(|it| {
        let kind = it.trim().to_ascii_lowercase();
        kind.starts_with("image/") && !kind.starts_with("image/svg")
    });
    let is_webp = body.starts_with(b"RIFF") && body.get(8..12) == Some(b"WEBP");
    let is_avif = body.get(4..12).is_some_and(|it| it == b"ftypavif" || it == b"ftypheic");
    said || is_webp || is_avif || SIGNATURES.iter().any(|it| body.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_by_their_type_and_by_their_first_bytes() {
        for (body, kind, expected) in [
            (&b"\x89PNG\r\n\x1a\n"[..], None, true),
            (b"\xFF\xD8\xFF\xE0", Some("text/html"), true),
            (b"RIFF\0\0\0\0WEBPVP8 ", None, true),
            (b"\0\0\0\x20ftypavif", None, true),
            (b"", Some("Image/JPEG; q=1"), true),
            (b"RIFF", None, false),
            (b"<svg></svg>", Some("image/svg+xml"), false),
            (b"<rss></rss>", Some("application/xml"), false),
        ] {
            assert_eq!(is_picture(body, kind), expected, "{body:?} {kind:?}");
        }
    }
}
