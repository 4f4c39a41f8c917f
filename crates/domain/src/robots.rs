//! `robots.txt`: what a site allows a crawler to read, and at what rate (RFC 9309).

use std::time::Duration;

use crate::hex;
use crate::network::MAX_URL_LENGTH;

/// The product token of our user agent.
pub const PRODUCT: &str = "grantor";
/// The maximum number of bytes read. The standard allows ignoring the rest.
pub const READ: usize = 512 * 1024;
/// The maximum number of sitemaps read.
const MAX_SITEMAPS: usize = 20;
/// The maximum crawl delay we honor.
const LONGEST_DELAY: Duration = Duration::from_secs(30);

/// The rules that apply to us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
    delay: Option<Duration>,
    sitemaps: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allows: bool,
    pattern: String,
}

/// The user agents a group applies to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Addressed {
    Us,
    All,
    Others,
}

impl Robots {
    /// Parses a file. All groups that name us are combined; groups for `*` only apply if none does.
    #[must_use]
    pub fn parse(file: &[u8]) -> Self {
        let text = String::from_utf8_lossy(&file[..file.len().min(READ)]);
        let (mut ours, mut all): (Option<Self>, Self) = (None, Self::default());
        let mut addressed = vec![];
        let (mut in_names, mut sitemaps) = (false, vec![]);
        for (name, value) in text.trim_start_matches('\u{feff}').lines().filter_map(directive) {
            if name == "user-agent" {
                if !in_names {
                    addressed.clear();
                }
                in_names = true;
                addressed.push(addressee(value));
                if addressed.contains(&Addressed::Us) {
                    ours.get_or_insert_default();
                }
                continue;
            }
            // Sitemaps belong to no group.
            let fits = (1..=MAX_URL_LENGTH).contains(&value.len());
            if name == "sitemap" && sitemaps.len() < MAX_SITEMAPS && fits {
                sitemaps.push(value.to_owned());
            }
            if !matches!(&*name, "allow" | "disallow" | "crawl-delay") {
                continue;
            }
            in_names = false;
            if addressed.contains(&Addressed::Us) {
                ours.get_or_insert_default().learn(&name, value);
            }
            if addressed.contains(&Addressed::All) {
                all.learn(&name, value);
            }
        }
        Self { sitemaps, ..ours.unwrap_or(all) }
    }

    fn learn(&mut self, name: &str, value: &str) {
        if name == "crawl-delay" {
            let seconds = value.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
            let delay =
                seconds.map(|it| Duration::from_secs_f64(it.min(LONGEST_DELAY.as_secs_f64())));
            self.delay = self.delay.max(delay);
        } else if !value.is_empty() {
            self.rules.push(Rule { allows: name == "allow", pattern: normal(value) });
        }
    }

    /// Whether a path with its query may be read: the longest matching rule wins, and of two
    /// equally long ones the one that allows.
    #[must_use]
    pub fn allows(&self, path: &str) -> bool {
        let path = normal(path);
        if path == "/robots.txt" {
            return true;
        }
        let fitting = self.rules.iter().filter(|it| fits(&it.pattern, &path));
        fitting.max_by_key(|it| (it.pattern.len(), it.allows)).is_none_or(|it| it.allows)
    }

    /// The sitemaps of the site, as it has them.
    #[must_use]
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// The requested crawl delay.
    #[must_use]
    pub fn delay(&self) -> Option<Duration> {
        self.delay
    }
}

/// Splits a line into its name in lower case and its value, without the comment.
fn directive(line: &str) -> Option<(String, &str)> {
    let line = line.split('#').next().unwrap_or(line);
    let (name, value) = line.split_once(':')?;
    Some((name.trim().to_ascii_lowercase(), value.trim()))
}

fn addressee(value: &str) -> Addressed {
    if value.starts_with('*') {
        return Addressed::All;
    }
    let product = value.split(|it: char| !it.is_ascii_alphabetic() && it != '_' && it != '-');
    let ours = product.into_iter().next().is_some_and(|it| it.eq_ignore_ascii_case(PRODUCT));
    if ours { Addressed::Us } else { Addressed::Others }
}

/// Percent-encodes non-ASCII characters and uppercases escapes, so that equal paths compare equal.
fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut escape = 0;
    for byte in text.bytes() {
        match byte {
            b'%' => escape = 3,
            0x21..=0x7e => {}
            other => {
                normal.push('%');
                normal.push_str(&hex::encode(&[other]).to_ascii_uppercase());
                continue;
            }
        }
        normal.push(char::from(if escape > 0 { byte.to_ascii_uppercase() } else { byte }));
        escape = i32::max(escape - 1, 0);
    }
    normal
}

/// Whether a pattern matches the beginning of a path. `*` matches anything, a final `$` matches the
/// end of the path.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, whole) = pattern.strip_suffix('$').map_or((pattern, false), |it| (it, true));
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return !whole || rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if whole && pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(file: &str, path: &str) -> bool {
        Robots::parse(file.as_bytes()).allows(path)
    }

    #[test]
    fn the_longest_rule_that_fits_decides() {
        let file = "User-agent: *\nDisallow: /news/\nAllow: /news/feed\nDisallow: /*.php$\n\
                    Disallow: /a*/b\nDisallow: /same\nAllow: /same\nDisallow: /caf\u{e9}";
        for (path, expected) in [
            ("/", true),
            ("/news", true),
            ("/news/x", false),
            ("/news/feed.xml", true),
            ("/x.php", false),
            ("/x.php?y", true),
            ("/x.php5", true),
            ("/ax/y/b/c", false),
            ("/a/c", true),
            ("/same", true),
            ("/caf%c3%a9", false),
            ("/robots.txt", true),
        ] {
            assert_eq!(allows(file, path), expected, "{path}");
        }
        assert!(!allows("user-agent: *\ndisallow: /", "/anything"));
        assert!(allows("user-agent: *\ndisallow: /", "/robots.txt"));
        assert!(allows("user-agent: *\ndisallow:", "/anything"), "an empty rule is none");
        assert!(allows("", "/anything"));
    }

    #[test]
    fn groups_that_name_us_count_and_no_others() {
        let file = "\u{feff}User-Agent: other\nUser-agent: GRANTOR/2.0 # us\nDisallow: /a\n\n\
                    User-agent: *\nDisallow: /\n\nuser-agent: grantor\ndisallow: /b";
        let found = ["/a", "/b", "/c"].map(|it| allows(file, it));
        assert_eq!(found, [false, false, true]);
        assert!(!allows("user-agent: grantorbot\nallow: /\nuser-agent: *\ndisallow: /", "/a"));
        let shared = "user-agent: grantor\nsitemap: x\nuser-agent: *\nallow: /\ndisallow: /a";
        assert!(!allows(shared, "/a/b"));
        assert!(allows("user-agent: grantor\n\nallow: /x\nuser-agent: *\ndisallow: /", "/a"));
    }

    #[test]
    fn a_pause_is_heard_within_bounds() {
        let delay = |file: &str| Robots::parse(file.as_bytes()).delay().map(|it| it.as_millis());
        assert_eq!(delay("user-agent: *\ncrawl-delay: 2.5"), Some(2_500));
        assert_eq!(delay("user-agent: *\ncrawl-delay: 86400"), Some(30_000));
        for odd in ["-1", "NaN", "inf", "x", ""] {
            assert_eq!(delay(&format!("user-agent: *\ncrawl-delay: {odd}")), None, "{odd}");
        }
    }

    #[test]
    fn sitemaps_are_named_for_everybody() {
        let file = "Sitemap: https://a.example/1.xml\nUser-agent: other\nDisallow: /\n\
                    SITEMAP:/2.xml # relative\nUser-agent: grantor\nAllow: /\nsitemap:";
        let robots = Robots::parse(file.as_bytes());
        assert_eq!(robots.sitemaps(), ["https://a.example/1.xml", "/2.xml"]);
        let many = "sitemap: /a\n".repeat(1_000);
        assert_eq!(Robots::parse(many.as_bytes()).sitemaps().len(), MAX_SITEMAPS);
        let long = format!("sitemap: /{}", "a".repeat(MAX_URL_LENGTH));
        assert!(Robots::parse(long.as_bytes()).sitemaps().is_empty());
    }

    #[test]
    fn no_file_troubles_it() {
        let noise: Vec<u8> = (0..=255).cycle().take(READ * 2).collect();
        assert!(Robots::parse(&noise).allows("/x"));
        let stars = format!("user-agent: *\ndisallow: /{}$", "a*".repeat(100_000));
        assert!(allows(&stars, &"/aaaa".repeat(400)));
        let late = format!("user-agent: *\n{}disallow: /", "#\n".repeat(READ));
        assert!(allows(&late, "/x"), "what comes late is not read");
    }
}
