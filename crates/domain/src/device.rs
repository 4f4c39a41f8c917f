//! Devices in words, as far as a user agent tells.

const UNKNOWN: &str = "Unknown device";
/// The maximum length of a program's own name.
const LONGEST: usize = 60;

/// Browsers by what their user agents contain. The first match counts, because most of them also
/// claim to be Chrome or Safari.
const BROWSERS: [(&str, &str); 12] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Safari/", "Safari"),
];

/// Systems by what user agents contain. An iPad or phone also claims to be a Mac or Linux.
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
    ("X11", "Unix"),
];

/// Describes the device of a user agent, such as "Firefox on Windows". A program is called by the
/// name it gives itself.
#[must_use]
pub fn describe(agent: Option<&str>) -> String {
    let Some(agent) = agent.map(str::trim).filter(|it| !it.is_empty()) else {
        return UNKNOWN.to_owned();
    };
    let find = |table: &[(&str, &'static str)]| {
        table.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name)
    };
    match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, Some(system)) if agent.starts_with("Mozilla/") => format!("Browser on {system}"),
        _ => program(agent),
    }
}

/// The name of a program: what stands before its version.
fn program(agent: &str) -> String {
    let name = agent.split(['/', ' ', '(']).next().unwrap_or_default();
    let name: String = name.chars().filter(|it| !it.is_control()).take(LONGEST).collect();
    if name.is_empty() { UNKNOWN.to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_as_people_do() {
        let windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101";
        let chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
        let apple = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0";
        for (agent, words) in [
            (format!("{windows} Firefox/140.0"), "Firefox on Windows"),
            (format!("Mozilla/5.0 (X11; Linux x86_64) {chrome} Safari/537.36"), "Chrome on Linux"),
            (
                format!("Mozilla/5.0 (Windows NT 10.0) {chrome} Safari/537.36 Edg/140.0"),
                "Edge on Windows",
            ),
            (
                format!(
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) {apple} Mobile/15E148 Safari/604.1"
                ),
                "Safari on iPhone",
            ),
            (
                format!("Mozilla/5.0 (Linux; Android 15) {chrome} Mobile Safari/537.36"),
                "Chrome on Android",
            ),
            (
                format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {apple} Safari/605.1.15"),
                "Safari on Mac",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko".to_owned(),
                "Browser on Windows",
            ),
            ("curl/8.5.0".to_owned(), "curl"),
            ("python-requests/2.32 CPython".to_owned(), "python-requests"),
            (" ".to_owned(), "Unknown device"),
            ("/1".to_owned(), "Unknown device"),
        ] {
            assert_eq!(describe(Some(&agent)), words, "{agent}");
        }
        assert_eq!(describe(None), "Unknown device");
    }
}
