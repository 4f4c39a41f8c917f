//! Discovery of a hub in `Link` headers (RFC 8288).

use url::Url;

/// The hub of a feed, and the topic to subscribe to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advertised {
    /// The hub.
    pub hub: Url,
    /// The topic: the URL that the feed gives as its own.
    pub topic: Url,
}

/// Finds the first hub and the topic in the values of `Link` headers. The base is the URL of the
/// response. `None` unless there are both, because hubs accept only the topic that is advertised.
#[must_use]
pub fn find_links<'a>(values: impl IntoIterator<Item = &'a str>, base: &Url) -> Option<Advertised> {
    let (mut hub, mut topic) = (None, None);
    let links = values.into_iter().flat_map(|it| split(it, ',')).filter_map(read_link);
    for (target, relations) in links {
        let url = base.join(target).ok().filter(|it| matches!(it.scheme(), "https" | "http"));
        let has = |name| relations.split_ascii_whitespace().any(|it| name_is(it, name));
        if has("hub") {
            hub = hub.or_else(|| url.clone());
        }
        if has("self") {
            topic = topic.or(url);
        }
    }
    Some(Advertised { hub: hub?, topic: topic? })
}

/// The target of a link and its relation types. Links of another resource do not count.
fn read_link(text: &str) -> Option<(&str, &str)> {
    let mut parts = split(text, ';').into_iter().map(str::trim);
    let target = parts.next()?.strip_prefix('<')?.strip_suffix('>')?;
    let mut relations = None;
    for (name, value) in parts.filter_map(|it| it.split_once('=')) {
        if name_is(name, "anchor") {
            return None;
        }
        // Of several `rel`, the first counts.
        if name_is(name, "rel") {
            relations = relations.or(Some(value.trim().trim_matches('"')));
        }
    }
    Some((target.trim(), relations?))
}

fn name_is(text: &str, name: &str) -> bool {
    text.trim().eq_ignore_ascii_case(name)
}

/// Splits a text at a separator outside of quotes and angle brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut begin) = (Vec::new(), 0);
    let (mut end, mut escaped) = (None, false);
    for (at, it) in text.char_indices() {
        match (end, it) {
            _ if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(close), _) if it == close => end = None,
            (None, '"') => end = Some('"'),
            (None, '<') => end = Some('>'),
            (None, _) if it == separator => {
                parts.push(&text[begin..at]);
                begin = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> Option<(String, String)> {
        let base = Url::parse("https://site.example/blog/feed").unwrap();
        let it = find_links(values.iter().copied(), &base)?;
        Some((it.hub.into(), it.topic.into()))
    }

    fn pair(hub: &str, topic: &str) -> (String, String) {
        (hub.to_owned(), topic.to_owned())
    }

    #[test]
    fn a_hub_and_a_topic_are_found() {
        let expected = Some(pair("https://hub.example/", "https://site.example/feed"));
        for values in [
            &["<https://hub.example/>; rel=\"hub\"", "</feed>; rel=\"self\""] as &[&str],
            &["<https://hub.example/>; rel=hub, <https://site.example/feed>; rel=self"],
            &["<https://site.example/feed>;REL=\"alternate SELF\",<https://hub.example/>;rel=Hub"],
            &["<https://hub.example/>; title=\"a, \\\" <b>; rel=self\"; rel=hub, </feed>;rel=self"],
            &[
                "<https://hub.example/>; rel=hub, <https://other.example/>; rel=hub",
                "<../feed>; rel=self",
            ],
        ] {
            assert_eq!(found(values), expected, "{values:?}");
        }
        let comma = ["<https://hub.example/a,b;c>; rel=\"hub self\""];
        assert_eq!(
            found(&comma),
            Some(pair("https://hub.example/a,b;c", "https://hub.example/a,b;c"))
        );
    }

    #[test]
    fn half_an_advertisement_is_none() {
        let topic = "<https://site.example/feed>; rel=self";
        for values in [
            &[] as &[&str],
            &[""],
            &[topic],
            &["<https://hub.example/>; rel=hub"],
            &[topic, "<javascript:alert(1)>; rel=hub"],
            &[topic, "https://hub.example/; rel=hub"],
            &[topic, "<https://hub.example/"],
            &[topic, "<https://hub.example/>; title=hub"],
            &[topic, "<https://hub.example/>; rel=hub; anchor=\"https://other.example/\""],
            &[topic, "<https://hub.example/>; rel=next; rel=hub"],
        ] {
            assert_eq!(found(values), None, "{values:?}");
        }
    }
}
