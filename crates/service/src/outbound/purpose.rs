//! What requests leave for, and the terms of each, as data.

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Delivering an event to a tenant's receiver.
    Webhook,
    /// Reading the page that proves a platform's domain.
    VerificationPage,
    /// Reading a feed, a sitemap or robots.txt.
    Feed,
    /// Reading an image.
    Image,
    /// Asking the payment processor.
    Payment,
}

/// What becomes of a body that is longer than its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The rest is not read; what was read is the answer. So it is where the body breaks off or
    /// takes too long: the head has said what counts.
    Cut,
    /// The answer is an error: half a document is none.
    Refuse,
}

/// The bounds of a request (contract sections 6 and 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Bytes of the answer's body.
    pub body: usize,
    /// What becomes of a longer one.
    pub overflow: Overflow,
    /// Redirects followed, on the same host only.
    pub redirects: u8,
}

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

impl Purpose {
    /// Every purpose.
    pub const ALL: [Self; 5] =
        [Self::Webhook, Self::VerificationPage, Self::Feed, Self::Image, Self::Payment];

    /// The terms of this purpose.
    #[must_use]
    pub const fn terms(self) -> Terms {
        let (body, overflow, redirects) = match self {
            Self::Webhook => (64 * KIB, Overflow::Cut, 0),
            Self::Payment => (MIB, Overflow::Refuse, 0),
            Self::VerificationPage => (MIB, Overflow::Refuse, 3),
            Self::Feed | Self::Image => (10 * MIB, Overflow::Refuse, 3),
        };
        Terms { body, overflow, redirects }
    }
}
