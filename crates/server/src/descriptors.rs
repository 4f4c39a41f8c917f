//! File descriptors: as many as the system allows, and most of them for connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is taken for no limit at all: as many as Linux gives one process by default.
const MOST: u64 = 1 << 20;

/// Raises the limit of this process to what it may be, and says what it is then.
pub(crate) fn raise() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let (current, wanted) = (current.unwrap_or(MOST), maximum.unwrap_or(MOST));
    if current >= wanted {
        return current;
    }
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    match raised {
        Ok(()) => wanted,
        Err(error) => {
            tracing::warn!(%error, current, wanted, "the limit of open files was not raised");
            current
        }
    }
}

/// How many of so many descriptors are for connections: the database, objects and requests to
/// others need the rest.
pub(crate) fn for_connections(limit: u64) -> usize {
    usize::try_from(limit / 5 * 4).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_get_four_fifths() {
        assert_eq!(for_connections(1_024), 816);
        assert_eq!(for_connections(20_000), 16_000);
    }

    #[test]
    fn the_limit_is_raised_as_far_as_it_goes() {
        let limit = raise();
        assert_eq!(Some(limit), getrlimit(Resource::Nofile).maximum.or(Some(MOST)));
    }
}
