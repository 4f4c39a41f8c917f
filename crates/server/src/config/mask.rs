//! Masks secrets in shown values. In doubt it masks more.

use super::settings::Secrecy;

/// Replaces a secret of any length.
pub(crate) const MASK: &str = "********";

/// Query parameters of database, Redis and mail URLs that are never secret.
const OPEN_PARAMETERS: [&str; 15] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "port",
    "protocol",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslnegotiation",
    "sslrootcert",
    "target_session_attrs",
    "tls",
    "user",
];

/// The value with its secret parts masked.
pub(crate) fn masked(secrecy: Secrecy, text: &str) -> String {
    match secrecy {
        Secrecy::Public => text.to_owned(),
        Secrecy::Password => without_password(text),
        Secrecy::Secret => MASK.to_owned(),
    }
}

/// Works on the text, not on a parsed URL: a password with unescaped special characters would be
/// parsed as another part of the URL, and shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return if url.starts_with("sqlite:") { url.to_owned() } else { MASK.to_owned() };
    };
    if scheme == "sqlite" {
        return url.to_owned();
    }
    let (login, address) = match rest.rsplit_once('@') {
        None => (String::new(), rest),
        Some((login, _)) if login.contains(['/', '?', '#', '@']) => {
            return format!("{scheme}://{MASK}");
        }
        Some((login, address)) => match login.split_once(':') {
            None => (format!("{login}@"), address),
            Some((user, _)) => (format!("{user}:{MASK}@"), address),
        },
    };
    let (address, fragment) = match address.split_once('#') {
        None => (address, String::new()),
        Some((address, _)) => (address, format!("#{MASK}")),
    };
    let (address, query) = match address.split_once('?') {
        None => (address, String::new()),
        Some((address, query)) => (address, format!("?{}", masked_query(query))),
    };
    format!("{scheme}://{login}{address}{query}{fragment}")
}

fn masked_query(query: &str) -> String {
    let shown = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if OPEN_PARAMETERS.contains(&name) => pair.to_owned(),
        Some((name, _)) => format!("{name}={MASK}"),
        None => MASK.to_owned(),
    });
    shown.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_hidden_and_the_rest_is_shown() {
        for (url, shown) in [
            ("postgres://u:hunter2@db:5432/g", "postgres://u:********@db:5432/g"),
            ("postgres://u@db/g?sslmode=require", "postgres://u@db/g?sslmode=require"),
            ("postgres://a:1,b:2/g", "postgres://a:1,b:2/g"),
            ("redis://:hunter2@cache/1", "redis://:********@cache/1"),
            ("sqlite:/var/lib/grantor.sqlite", "sqlite:/var/lib/grantor.sqlite"),
        ] {
            assert_eq!(masked(Secrecy::Password, url), shown);
        }
    }

    #[test]
    fn a_password_in_an_odd_place_is_hidden_too() {
        for url in [
            "hunter2",
            "postgres://u:p@hunter2@db/g",
            "postgres://u:12/hunter2@db/g",
            "redis://u:12#hunter2@cache",
            "redis://cache/#hunter2",
            "postgres://db/g?user=u&password=hunter2",
            "postgres://db/g?password=p@hunter2",
            "postgres://db/g?hunter2",
        ] {
            let shown = masked(Secrecy::Password, url);
            assert!(!shown.contains("hunter2"), "{url} is shown as {shown}");
        }
        assert_eq!(masked(Secrecy::Secret, "hunter2"), MASK);
        // The same search finds a value that is not masked.
        assert!(masked(Secrecy::Public, "hunter2").contains("hunter2"));
    }
}
