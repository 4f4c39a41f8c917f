//! The limit on open files, most of which are for connections.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Used where the system sets no limit: the default maximum of Linux.
const UNLIMITED: u64 = 1 << 20;

/// Raises the process's limit as far as allowed and returns it.
pub(crate) fn raise_limit() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let (current, wanted) = (current.unwrap_or(UNLIMITED), maximum.unwrap_or(UNLIMITED));
    if current >= wanted {
        return current;
    }
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum });
    match raised {
        Ok(()) => wanted,
        Err(error) => {
            tracing::warn!(%error, current, wanted, "the limit on open files was not raised");
            current
        }
    }
}

/// The share for connections. The database, the object store and outbound requests need the rest.
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
        let limit = raise_limit();
        assert_eq!(Some(limit), getrlimit(Resource::Nofile).maximum.or(Some(UNLIMITED)));
    }
}
