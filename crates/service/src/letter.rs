//! The mails people get: short, with the code large, and what to do if it was not them.

use grantor_domain::mail::Mail;

/// A code to be entered.
pub(crate) struct CodeLetter<'a> {
    pub(crate) to: &'a str,
    pub(crate) name: &'a str,
    pub(crate) code: &'a str,
    /// What the code is for, as in "to finish your registration".
    pub(crate) purpose: &'a str,
    pub(crate) minutes: u64,
}

impl CodeLetter<'_> {
    pub(crate) fn write(&self) -> Mail {
        let Self { to, name, code, purpose, minutes } = self;
        let text = format!(
            "Hello {name},\n\nenter this code {purpose}:\n\n    {code}\n\nIt works for {minutes} \
             minutes, and only once. Nobody of ours will ever ask you for it.\n\nIf this was not \
             you, do nothing: without the code nothing happens.\n\nGrantor\n"
        );
        let html = format!(
            "<!DOCTYPE html><html lang=\"en\"><body style=\"font-family:sans-serif;color:#1b1b1f;\
             max-width:32rem;margin:2rem auto;padding:0 1rem\"><p>Hello {name},</p><p>enter this \
             code {purpose}:</p><p style=\"font-size:2rem;letter-spacing:.3rem;font-weight:bold\">\
             {code}</p><p>It works for {minutes} minutes, and only once. Nobody of ours will ever \
             ask you for it.</p><p>If this was not you, do nothing: without the code nothing \
             happens.</p><p>Grantor</p></body></html>",
            name = escape(name),
        );
        Mail {
            to: (*to).to_owned(),
            subject: format!("{code} is your Grantor code"),
            text,
            html: Some(html),
        }
    }
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
        let letter = CodeLetter {
            to: "ada@example.com",
            name: "<b onload='x'>&\"",
            code: "012345",
            purpose: "to finish your registration",
            minutes: 5,
        };
        let mail = letter.write();
        let html = mail.html.unwrap_or_default();
        assert!(html.contains("Hello &lt;b onload=&#39;x&#39;&gt;&amp;&quot;,"), "{html}");
        assert!(mail.text.contains("    012345\n") && html.contains(">012345</p>"));
    }
}
