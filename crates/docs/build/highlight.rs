//! Syntax highlighting: comments, strings, numbers and keywords, which is enough to read examples.

/// How a language is written.
struct Syntax {
    comment: &'static str,
    quotes: &'static [char],
    /// Quotes whose text may have several lines.
    long_quotes: &'static [char],
    keywords: &'static str,
}

/// The languages by name. Keywords are separated by spaces.
const LANGUAGES: &[(&str, Syntax)] = &[
    (
        "sh",
        Syntax {
            comment: "#",
            quotes: &['\'', '"'],
            long_quotes: &['\'', '"'],
            keywords: "export until do done if then fi for in while",
        },
    ),
    (
        "python",
        Syntax {
            comment: "#",
            quotes: &['\'', '"'],
            long_quotes: &[],
            keywords: "import from def class return if else elif for in while with as not \
                       and or None True False raise try except lambda",
        },
    ),
    (
        "js",
        Syntax {
            comment: "//",
            quotes: &['\'', '"', '`'],
            long_quotes: &['`'],
            keywords: "import from const let function return if else for of while await \
                       async new null true false throw try catch export",
        },
    ),
    (
        "go",
        Syntax {
            comment: "//",
            quotes: &['"', '`', '\''],
            long_quotes: &['`'],
            keywords: "package import func return if else for range var const type struct \
                       nil true false defer go",
        },
    ),
    (
        "rust",
        Syntax {
            comment: "//",
            quotes: &['"'],
            long_quotes: &['"'],
            keywords: "use fn let mut return if else for in while loop match struct impl \
                       pub async await move true false const as",
        },
    ),
    (
        "json",
        Syntax { comment: "\0", quotes: &['"'], long_quotes: &[], keywords: "true false null" },
    ),
    ("toml", Syntax { comment: "#", quotes: &['"'], long_quotes: &[], keywords: "true false" }),
    ("sql", Syntax { comment: "--", quotes: &['\''], long_quotes: &['\''], keywords: "" }),
];

/// Marks up code as HTML. An unknown language is only escaped.
pub(crate) fn highlight(language: &str, code: &str) -> String {
    let found = LANGUAGES.iter().find(|(name, _)| *name == language);
    let Some((_, syntax)) = found else { return escape(code) };
    let (mut out, mut rest, mut before) = (String::new(), code, '\n');
    while let Some(first) = rest.chars().next() {
        let is_inside = before.is_alphanumeric() || before == '_';
        let (kind, length) = if begins_comment(syntax, rest, before) {
            ("c", rest.find('\n').unwrap_or(rest.len()))
        } else if syntax.quotes.contains(&first) {
            let length = string_length(syntax, rest, first);
            let is_name = language == "json" && rest[length..].trim_start().starts_with(':');
            (if is_name { "k" } else { "s" }, length)
        } else if let Some(length) = address_length(rest) {
            ("", length)
        } else if first.is_alphabetic() || first == '_' {
            let word = &rest[..word_length(rest)];
            let is_keyword = !is_inside && syntax.keywords.split(' ').any(|it| it == word);
            (if is_keyword { "k" } else { "" }, word.len())
        } else if first.is_ascii_digit() && !is_inside {
            ("n", word_length(rest))
        } else {
            ("", first.len_utf8())
        };
        let (token, after) = rest.split_at(length);
        push(&mut out, kind, token);
        before = token.chars().next_back().unwrap_or(first);
        rest = after;
    }
    out
}

fn push(out: &mut String, kind: &str, token: &str) {
    let text = escape(token);
    let marked = if kind.is_empty() { text } else { format!("<i class=\"{kind}\">{text}</i>") };
    out.push_str(&marked);
}

/// In a shell, a comment follows white space: `$#` and the anchor of an address are none.
fn begins_comment(syntax: &Syntax, rest: &str, before: char) -> bool {
    rest.starts_with(syntax.comment) && (syntax.comment != "#" || before.is_whitespace())
}

/// The length of an address. It stays in one piece, because the site puts that of the server there.
fn address_length(rest: &str) -> Option<usize> {
    let is_address = rest.starts_with("http://") || rest.starts_with("https://");
    let is_end = |it: char| it.is_whitespace() || ['\'', '"', '`', ')'].contains(&it);
    is_address.then(|| rest.find(is_end).unwrap_or(rest.len()))
}

fn word_length(rest: &str) -> usize {
    rest.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(rest.len())
}

/// The length of a string with its quotes. One that has no end in its line is only a quote.
fn string_length(syntax: &Syntax, rest: &str, quote: char) -> usize {
    let is_long = syntax.long_quotes.contains(&quote);
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            '\n' if !is_long => break,
            it if it == quote => return at + quote.len_utf8(),
            _ => {}
        }
    }
    quote.len_utf8()
}

/// Escapes text for HTML.
pub(crate) fn escape(text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    escaped.replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_escaped() {
        let marked = highlight("sh", "curl \"$URL/a#b\" # <now>\n");
        assert_eq!(
            marked,
            "curl <i class=\"s\">&quot;$URL/a#b&quot;</i> <i class=\"c\"># &lt;now&gt;</i>\n"
        );
        assert_eq!(
            highlight("python", "for x1 in 'a':"),
            "<i class=\"k\">for</i> x1 <i class=\"k\">in</i> <i class=\"s\">'a'</i>:"
        );
        let marked = highlight("json", "{\"a\": [1, \"b\", null]}");
        let expected = "{<i class=\"k\">&quot;a&quot;</i>: [<i class=\"n\">1</i>, \
                        <i class=\"s\">&quot;b&quot;</i>, <i class=\"k\">null</i>]}";
        assert_eq!(marked, expected);
        assert_eq!(highlight("text", "don't <b>"), "don't &lt;b&gt;");
        assert_eq!(
            highlight("sh", "export URL=http://127.0.0.1:8080/a?b 7"),
            "<i class=\"k\">export</i> URL=http://127.0.0.1:8080/a?b <i class=\"n\">7</i>"
        );
    }

    #[test]
    fn nothing_of_the_code_is_lost() {
        let code = "let it = \"don't\"; // l'été\nit's 'open\nx = `a\nb` + 1_000";
        for language in ["sh", "python", "js", "go", "rust", "json", "toml", "sql", ""] {
            let marked = highlight(language, code);
            let plain: String =
                marked.split('<').map(|it| it.split_once('>').map_or(it, |(_, it)| it)).collect();
            assert_eq!(plain, escape(code), "{language}");
        }
    }
}
