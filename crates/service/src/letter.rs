//! The mails people get: short, with what matters large, and what to do if it was not them.

use std::fmt::Write as _;

use grantor_domain::mail::Mail;

/// A mail as it is put together. Every part is written twice: as plain text and as HTML.
pub(crate) struct Letter {
    to: String,
    subject: String,
    text: String,
    html: String,
}

impl Letter {
    /// Greets. Who has not proved the address is greeted without a name: a stranger could write
    /// whatever they like into the mail of another.
    pub(crate) fn to(address: &str, name: Option<&str>, subject: impl Into<String>) -> Self {
        let letter = Self {
            to: address.to_owned(),
            subject: subject.into(),
            text: String::new(),
            html: "<!DOCTYPE html><html lang=\"en\"><body style=\"font-family:sans-serif;\
                   color:#1b1b1f;max-width:32rem;margin:2rem auto;padding:0 1rem\">"
                .to_owned(),
        };
        match name {
            Some(name) => letter.say(&format!("Hello {name},")),
            None => letter.say("Hello,"),
        }
    }

    /// A paragraph.
    pub(crate) fn say(mut self, text: &str) -> Self {
        let _ = write!(self.text, "{text}\n\n");
        let _ = write!(self.html, "<p>{}</p>", escape(text));
        self
    }

    /// A code to be entered, large.
    pub(crate) fn code(mut self, code: &str) -> Self {
        let _ = write!(self.text, "    {code}\n\n");
        let _ = write!(
            self.html,
            "<p style=\"font-size:2rem;letter-spacing:.3rem;font-weight:bold\">{}</p>",
            escape(code)
        );
        self
    }

    /// A token to be copied: long, and therefore not so large.
    pub(crate) fn token(mut self, token: &str) -> Self {
        let _ = write!(self.text, "{token}\n\n");
        let _ = write!(self.html, "<p><code>{}</code></p>", escape(token));
        self
    }

    /// Somewhere to go.
    pub(crate) fn link(mut self, label: &str, url: &str) -> Self {
        let _ = write!(self.text, "{label}:\n{url}\n\n");
        let _ = write!(
            self.html,
            "<p><a href=\"{}\" style=\"font-size:1.2rem;font-weight:bold\">{}</a></p>",
            escape(url),
            escape(label)
        );
        self
    }

    /// Signs it.
    pub(crate) fn write(self) -> Mail {
        let Self { to, subject, text, html } = self.say("Grantor");
        let html = Some(html + "</body></html>");
        Mail { to, subject, text: text.trim_end().to_owned() + "\n", html }
    }
}

/// A letter whose point is a code.
pub(crate) fn code_letter(
    to: &str,
    name: Option<&str>,
    code: &str,
    purpose: &str,
    minutes: u64,
) -> Mail {
    Letter::to(to, name, format!("{code} is your Grantor code"))
        .say(&format!("enter this code {purpose}:"))
        .code(code)
        .say(&format!(
            "It works for {minutes} minutes, and only once. Nobody of ours will ever ask you for it."
        ))
        .say("If this was not you, do nothing: without the code nothing happens.")
        .write()
}

/// To the owner of an account whose password was changed.
pub(crate) fn password_changed_letter(to: &str, name: &str) -> Mail {
    Letter::to(to, Some(name), "Your Grantor password was changed")
        .say("your password was changed, and your other sessions have ended.")
        .say(
            "If this was not you, choose another at once by \"forgot password\", and tell whoever \
             runs the server.",
        )
        .write()
}

/// To an address somebody asked to come in with, and that no account has. Whoever asked hears the
/// same as if there were one; only the owner of the mailbox learns that there is none.
pub(crate) fn no_account_letter(to: &str, asked_for: &str, register_at: &str) -> Mail {
    Letter::to(to, None, "No Grantor account with this address")
        .say(&format!("somebody, perhaps you, asked {asked_for} with this address."))
        .say(
            "There is no account with it. If you have one, it has another address; if not, you can \
             make one:",
        )
        .link("Register", register_at)
        .say("If this was not you, do nothing: nothing happens.")
        .write()
}

/// Names come from strangers: in HTML they are text and nothing else.
fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut safe, character| {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
        safe
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_html() {
        let name = Some("<b onload='x'>&\"");
        let mail = code_letter("ada@example.com", name, "012345", "to begin", 5);
        let html = mail.html.unwrap_or_default();
        assert!(html.contains("Hello &lt;b onload=&#39;x&#39;&gt;&amp;&quot;,"), "{html}");
        assert!(mail.text.contains("    012345\n") && html.contains(">012345</p>"));
    }

    #[test]
    fn a_link_stands_alone_on_its_line() {
        let url = "https://grantor.test/app/magic?token=gml_a&b";
        let mail = Letter::to("ada@example.com", None, "Sign in").link("Sign in", url).write();
        assert_eq!(mail.text, format!("Hello,\n\nSign in:\n{url}\n\nGrantor\n"));
        assert!(mail.html.unwrap_or_default().contains("token=gml_a&amp;b\""));
    }
}
