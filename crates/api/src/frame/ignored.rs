//! Members of a body that are allowed and ignored: `X-Ignored-Fields` names them (contract section 4).

use http::{HeaderName, HeaderValue};

/// The header, where anything was ignored.
pub(crate) fn header(names: &[String]) -> Option<(HeaderName, HeaderValue)> {
    header_list(names).map(|names| (HeaderName::from_static("x-ignored-fields"), names))
}

/// How long a list of names in a header gets at most: proxies refuse long heads.
const LONGEST_LIST: usize = 2_000;

/// Names in a header. What cannot stand in one is escaped as in an address; what does not fit is
/// counted at the end.
fn header_list(names: &[String]) -> Option<HeaderValue> {
    let mut text = String::new();
    for (shown, name) in names.iter().enumerate() {
        let name = escape(name);
        if text.len() + name.len() > LONGEST_LIST {
            let rest = names.len() - shown;
            text.push_str(
                &[if shown == 0 { "" } else { ", " }, "...+", &rest.to_string()].concat(),
            );
            break;
        }
        text.push_str(if shown == 0 { "" } else { ", " });
        text.push_str(&name);
    }
    if names.is_empty() { None } else { HeaderValue::from_str(&text).ok() }
}

fn escape(name: &str) -> String {
    let plain = |it: u8| (b'!'..=b'~').contains(&it) && !b",%\"".contains(&it);
    name.bytes()
        .map(|it| if plain(it) { char::from(it).to_string() } else { format!("%{it:02X}") })
        .collect()
}
