//! The texts of messages to chats. Chats read markup, and notices contain what strangers wrote, such
//! as the name of an organization: names and titles must stay text, and only the link to Grantor is
//! a link.

/// Separates what looks like markup without being seen.
const GAP: char = '\u{200B}';

/// The hosts of incoming webhooks of Microsoft Teams, or the domains they are in.
const TEAMS: [&str; 5] = [
    "webhook.office.com",
    "outlook.office.com",
    "outlook.office365.com",
    "logic.azure.com",
    "api.powerplatform.com",
];

/// The label of the link in a chat that needs one.
const LABEL: &str = "Open in Grantor";

/// The markup that a chat reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatFormat {
    /// That of Slack, which compatible chats read, too.
    Slack,
    /// Markdown and HTML, as Microsoft Teams reads them.
    Teams,
}

impl ChatFormat {
    /// The format of the chat at a URL.
    #[must_use]
    pub fn of_url(url: &str) -> Self {
        let url = url::Url::parse(url).ok();
        let host = url.as_ref().and_then(url::Url::host_str).unwrap_or_default();
        let is_teams = TEAMS.iter().any(|it| {
            host.strip_suffix(*it).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        if is_teams { Self::Teams } else { Self::Slack }
    }

    /// A message in this format. Its last line, if there are two, is the link to Grantor.
    #[must_use]
    pub fn message(self, body: &str) -> String {
        match (body.rsplit_once('\n'), self) {
            (None, _) => self.text(body),
            (Some((words, link)), Self::Slack) => format!("{}\n{link}", self.text(words)),
            (Some((words, link)), Self::Teams) => {
                format!("{}\n\n[{LABEL}]({link})", self.text(words))
            }
        }
    }

    /// Words that the chat shows as they are.
    fn text(self, words: &str) -> String {
        let mut text = String::with_capacity(words.len());
        let mut before = None;
        for it in words.chars() {
            if joins(before, it) {
                text.push(GAP);
            }
            match it {
                '&' => text.push_str("&amp;"),
                '<' => text.push_str("&lt;"),
                '>' => text.push_str("&gt;"),
                it if self.is_markup(before, it) => text.push_str(&reference(it)),
                it => text.push(it),
            }
            // A name of everybody in the channel would call all of them.
            if it == '@' && before.is_none_or(|it| !it.is_alphanumeric()) {
                text.push(GAP);
            }
            before = Some(it);
        }
        text
    }

    /// Whether a character could be Markdown. Slack's format has no way to write it otherwise.
    fn is_markup(self, before: Option<char>, it: char) -> bool {
        let begins_line = before.is_none() && matches!(it, '#' | '+' | '-' | '=');
        self == Self::Teams && (begins_line || "\\`*_[]~|".contains(it))
    }
}

/// Whether two characters together make a link: of a URL, or of Markdown, which some chats read that
/// are compatible with Slack.
const fn joins(before: Option<char>, it: char) -> bool {
    matches!((before, it), (Some(':'), '/') | (Some(']'), '('))
}

/// A character as a reference, which Markdown and HTML show and never interpret.
fn reference(it: char) -> String {
    format!("&#{};", u32::from(it))
}

#[cfg(test)]
mod tests {
    use super::ChatFormat::{Slack, Teams};
    use super::*;

    const LINK: &str = "https://grantor.example/app/requests/1";

    #[test]
    fn a_chat_is_known_by_its_host() {
        for (url, format) in [
            ("https://hooks.slack.com/services/T0/B0/x", Slack),
            ("https://chat.example/hooks/x", Slack),
            ("https://acme.webhook.office.com/webhookb2/x", Teams),
            ("https://outlook.office.com/webhook/x", Teams),
            ("https://prod-1.westeurope.logic.azure.com:443/workflows/x", Teams),
            ("https://a.1.environment.api.powerplatform.com/x", Teams),
            ("https://evilwebhook.office.com.example/x", Slack),
            ("https://notoutlook.office.com/x", Slack),
            ("nothing", Slack),
        ] {
            assert_eq!(ChatFormat::of_url(url), format, "{url}");
        }
    }

    #[test]
    fn what_a_stranger_wrote_is_text() {
        let calls = "<!channel> Loop & *Well* asked";
        let link = "<https://evil.example|Sign in>";
        for (format, words, text) in [
            (Slack, calls, "&lt;!channel&gt; Loop &amp; *Well* asked"),
            (Slack, link, "&lt;https:\u{200B}//evil.example|Sign in&gt;"),
            (Slack, "[Sign in](https://e.example)", "[Sign in]\u{200B}(https:\u{200B}//e.example)"),
            (Slack, "@channel, ada@example.com", "@\u{200B}channel, ada@example.com"),
            (Teams, calls, "&lt;!channel&gt; Loop &amp; &#42;Well&#42; asked"),
            (Teams, link, "&lt;https:\u{200B}//evil.example&#124;Sign in&gt;"),
            (Teams, "[a](b)", "&#91;a&#93;\u{200B}(b)"),
            (Teams, "# a-b #1", "&#35; a-b #1"),
            (Teams, "\\`_~", "&#92;&#96;&#95;&#126;"),
        ] {
            assert_eq!(format.message(words), text, "{format:?}");
        }
    }

    #[test]
    fn only_our_own_link_is_a_link() {
        let body = format!("Loop & Well asked\n{LINK}");
        assert_eq!(Slack.message(&body), format!("Loop &amp; Well asked\n{LINK}"));
        let teams = format!("Loop &amp; Well asked\n\n[Open in Grantor]({LINK})");
        assert_eq!(Teams.message(&body), teams);
    }
}
