//! Finds settings by name and suggests the nearest name for an unknown one.

use super::settings::{SETTINGS, Setting};

/// A setting found by name, and whether the name is the variant that names a file.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) setting: &'static Setting,
    pub(crate) is_file: bool,
}

/// Variables of the commands that call a server's API, which are not settings.
const OTHER_VARIABLES: [&str; 5] = [
    "GRANTOR_API_KEY",
    "GRANTOR_API_SECRET",
    "GRANTOR_API_SECRET_FILE",
    "GRANTOR_PROFILE",
    "GRANTOR_URL",
];

/// A spelling of a setting's name: the plain variant and the one that names a file.
pub(crate) type Spelling = fn(&Setting) -> (&'static str, &'static str);

/// The spelling in the environment.
pub(crate) const ENVIRONMENT: Spelling = |setting| (setting.env, setting.env_file);
/// The spelling in `grantor.toml`.
pub(crate) const FILE: Spelling = |setting| (setting.key, setting.key_file);
/// The spelling on the command line.
pub(crate) const FLAG: Spelling = |setting| (setting.flag, setting.flag_file);

/// Finds the setting with this name.
pub(crate) fn find(spelling: Spelling, name: &str) -> Option<Named> {
    SETTINGS.iter().find_map(|setting| {
        let (plain, file) = spelling(setting);
        let is_file = setting.may_be_file() && name == file;
        (is_file || name == plain).then_some(Named { setting, is_file })
    })
}

/// Whether a variable that is not a setting is allowed in the environment.
pub(crate) fn is_foreign(name: &str, value: &str) -> bool {
    OTHER_VARIABLES.contains(&name) || is_service_link(name, value)
}

/// The message for an unknown name, with the nearest known one.
pub(crate) fn unknown(spelling: Spelling, name: &str) -> String {
    let names = SETTINGS.iter().flat_map(|setting| {
        let (plain, file) = spelling(setting);
        [Some(plain), setting.may_be_file().then_some(file)].into_iter().flatten()
    });
    match names.map(|known| (distance(name, known), known)).min() {
        Some((steps, known)) if steps <= name.len() / 3 => {
            format!("unknown setting; did you mean {known}?")
        }
        _ => "unknown setting; grantor check-config --reference lists all settings".to_owned(),
    }
}

/// Kubernetes puts the addresses of a cluster's services into every container's environment. Those
/// of a service named grantor or grantor-redis look like settings.
fn is_service_link(name: &str, value: &str) -> bool {
    let is_port = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let has_protocol = name.split_once("_PORT_").is_some_and(|(_, rest)| {
        let mut parts = rest.split('_');
        parts.next().is_some_and(is_port) && matches!(parts.next(), Some("TCP" | "UDP" | "SCTP"))
    });
    has_protocol
        || name.ends_with("_SERVICE_HOST")
        || name.ends_with("_SERVICE_PORT")
        || name.contains("_SERVICE_PORT_")
        || (name.ends_with("_PORT") && value.contains("://"))
}

/// The edit distance: letters added, removed, changed, or swapped with their neighbor.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, letter) in from.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in to.iter().enumerate() {
            let mut steps =
                (row[j] + usize::from(letter != other)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && from[i - 1] == *other && to[j - 1] == *letter {
                steps = steps.min(above[j - 1] + 1);
            }
            next.push(steps);
        }
        above = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_each_kind_of_slip() {
        for (from, to, steps) in [
            ("listen", "listen", 0),
            ("lisen", "listen", 1),
            ("lissten", "listen", 1),
            ("lixten", "listen", 1),
            ("lisetn", "listen", 1),
            ("", "log", 3),
            ("log", "", 3),
        ] {
            assert_eq!(distance(from, to), steps, "{from} {to}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        for (spelling, name, known) in [
            (ENVIRONMENT, "GRANTOR_LISEN", "GRANTOR_LISTEN"),
            (ENVIRONMENT, "GRANTOR_REDIS_URL_FIEL", "GRANTOR_REDIS_URL_FILE"),
            (FILE, "retention_event", "retention_events"),
        ] {
            let sentence = unknown(spelling, name);
            assert_eq!(sentence, format!("unknown setting; did you mean {known}?"));
        }
        assert!(unknown(FILE, "color_of_the_sky").contains("check-config --reference"));
    }

    #[test]
    fn service_links_are_not_ours_and_slips_are_not_service_links() {
        for (name, value) in [
            ("GRANTOR_SERVICE_HOST", "10.0.0.1"),
            ("GRANTOR_SERVICE_PORT", "8080"),
            ("GRANTOR_SERVICE_PORT_HTTP", "8080"),
            ("GRANTOR_PORT", "tcp://10.0.0.1:8080"),
            ("GRANTOR_REDIS_PORT_6379_TCP", "tcp://10.0.0.2:6379"),
            ("GRANTOR_REDIS_PORT_6379_TCP_ADDR", "10.0.0.2"),
        ] {
            assert!(is_foreign(name, value), "{name}");
        }
        for (name, value) in [("GRANTOR_PORT", "8080"), ("GRANTOR_PORT_HTTP", "8080")] {
            assert!(!is_foreign(name, value), "{name}");
        }
        assert!(is_foreign("GRANTOR_API_KEY", "gk_live_x"));
    }
}
