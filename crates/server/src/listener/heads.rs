//! Follows the heads of an HTTP/1 connection, as far as is needed to see whether one was begun
//! together with the request before it. Where a body ends is not followed.

/// Heads that arrived and were not asked for yet.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// How many are whole.
    whole: usize,
    /// Whether another one was begun after them.
    begun: bool,
    /// Whether the last byte but returns ended a line.
    line_ended: bool,
}

impl Heads {
    /// Takes note of bytes that arrived.
    pub(super) fn follow(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                b'\r' => {}
                // Empty lines before a head are no part of it.
                b'\n' if !self.begun => {}
                b'\n' if self.line_ended => {
                    self.whole += 1;
                    (self.begun, self.line_ended) = (false, false);
                }
                b'\n' => self.line_ended = true,
                _ => (self.begun, self.line_ended) = (true, false),
            }
        }
    }

    /// The first of them is being answered.
    pub(super) fn take(&mut self) {
        self.whole = self.whole.saturating_sub(1);
    }

    /// Whether the peer owes the rest of the next one.
    pub(super) fn is_next_begun(&self) -> bool {
        self.whole == 0 && self.begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_head_is_begun_once_those_before_it_are_taken() {
        let mut heads = Heads::default();
        heads.follow(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n\r\nG");
        heads.take();
        assert!(!heads.is_next_begun(), "the second is whole");
        heads.take();
        assert!(heads.is_next_begun());
        heads.follow(b"ET / HTTP/1.1\n\n");
        assert!(!heads.is_next_begun());
    }

    #[test]
    fn empty_lines_begin_no_head() {
        let mut heads = Heads::default();
        heads.follow(b"\r\n\r\n");
        assert!(!heads.is_next_begun());
    }
}
