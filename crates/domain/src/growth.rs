//! Growth: how many records of each kind were created, in total and by day.

use strum::{VariantArray, VariantNames};
use uuid::Uuid;

use crate::Timestamp;
use crate::enum_names::enum_names;

enum_names!(GrowthKind);

/// A kind of record whose growth is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum GrowthKind {
    /// Organizations and individuals.
    Organizations,
    /// User accounts.
    People,
    /// Licenses.
    Licenses,
    /// Grants.
    Grants,
    /// Mentions.
    Mentions,
}

/// The lowest ID that can be generated at a time or later: IDs are in the order of creation.
#[must_use]
pub fn first_id_at(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.as_micros() / 1_000).unwrap_or(0);
    // The first 48 bits of a UUIDv7 are the milliseconds since 1970.
    Uuid::from_u128(u128::from(millis) << 80)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::id::IdGenerator;
    use crate::{Clock, Entropy};

    struct Still;

    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp::from_secs(1_767_225_600)
        }

        fn monotonic(&self) -> Duration {
            Duration::ZERO
        }
    }

    struct Zeros;

    impl Entropy for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn ids_of_a_moment_are_not_before_its_first() {
        let ids = IdGenerator::new(Arc::new(Still), Arc::new(Zeros));
        let (now, id) = (Still.now(), ids.next::<Uuid>());
        assert!(first_id_at(now) <= id);
        assert!(id < first_id_at(now.plus(Duration::from_millis(1))));
        assert_eq!(first_id_at(Timestamp::from_secs(-1)), Uuid::nil());
    }

    #[test]
    fn names_read_back() {
        for kind in GrowthKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
    }
}
