//! Counts the request heads in the bytes of an HTTP/1 connection, to see whether the next head has
//! started to arrive together with the request before it. It does not track where bodies end.

/// Heads that arrived and that the server has not read yet.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// The number of complete heads.
    whole: usize,
    /// Whether part of another head follows them.
    begun: bool,
    /// Whether the last byte, ignoring carriage returns, ended a line.
    line_ended: bool,
}

impl Heads {
    /// Processes bytes that arrived.
    pub(super) fn follow(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                b'\r' => {}
                // Empty lines before a head don't belong to it.
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

    /// Removes the first head: the server is handling its request.
    pub(super) fn take(&mut self) {
        self.whole = self.whole.saturating_sub(1);
    }

    /// Whether the next head is incomplete.
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
