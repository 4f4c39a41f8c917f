//! Parses the frame headers of an HTTP/2 connection, to see whether the head of a request is
//! incomplete (RFC 9113, sections 4.1 and 4.3).

const FRAME_HEADER: usize = 9;
const HEADERS: u8 = 0x1;
const CONTINUATION: u8 = 0x9;
const END_HEADERS: u8 = 0x4;

/// The position in the stream of frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The current frame header, of which `filled` bytes have arrived.
    header: [u8; FRAME_HEADER],
    filled: usize,
    /// Missing bytes of the current frame's payload.
    left: usize,
    /// Whether the first frame, which belongs to the preface, is complete.
    greeted: bool,
    /// Whether a field block is incomplete.
    in_block: bool,
}

impl Frames {
    /// Processes bytes that arrived.
    pub(super) fn follow(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.filled < FRAME_HEADER {
                let taken = bytes.len().min(FRAME_HEADER - self.filled);
                self.header[self.filled..self.filled + taken].copy_from_slice(&bytes[..taken]);
                self.filled += taken;
                bytes = &bytes[taken..];
                if self.filled < FRAME_HEADER {
                    return;
                }
                let [high, middle, low, kind, ..] = self.header;
                self.left = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
                self.in_block |= matches!(kind, HEADERS | CONTINUATION);
            }
            let taken = bytes.len().min(self.left);
            self.left -= taken;
            bytes = &bytes[taken..];
            if self.left == 0 {
                self.end_frame();
            }
        }
    }

    fn end_frame(&mut self) {
        let [_, _, _, kind, flags, ..] = self.header;
        if matches!(kind, HEADERS | CONTINUATION) && flags & END_HEADERS != 0 {
            self.in_block = false;
        }
        self.greeted = true;
        self.filled = 0;
    }

    /// Whether the preface, a head or a frame header is incomplete.
    pub(super) fn is_head_open(&self) -> bool {
        let in_header = (1..FRAME_HEADER).contains(&self.filled);
        !self.greeted || self.in_block || in_header
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];

    fn greeted() -> Frames {
        let mut frames = Frames::default();
        assert!(frames.is_head_open(), "the preface ends with a SETTINGS frame");
        frames.follow(&SETTINGS);
        assert!(!frames.is_head_open());
        frames
    }

    #[test]
    fn a_head_is_open_from_its_first_byte_to_the_end_of_its_last_frame() {
        let headers = [0, 0, 2, HEADERS, 0, 0, 0, 0, 1, 0xaa, 0xbb];
        let rest = [0, 0, 1, CONTINUATION, END_HEADERS, 0, 0, 0, 1, 0xcc];
        let mut frames = greeted();
        let bytes: Vec<u8> = headers.into_iter().chain(rest).collect();
        for byte in &bytes[..bytes.len() - 1] {
            frames.follow(&[*byte]);
            assert!(frames.is_head_open());
        }
        frames.follow(&bytes[bytes.len() - 1..]);
        assert!(!frames.is_head_open());
    }

    #[test]
    fn half_a_body_is_no_open_head() {
        let mut frames = greeted();
        frames.follow(&[0, 0, 5, 0, 0, 0, 0, 0, 1, b'h', b'a']);
        assert!(!frames.is_head_open());
        frames.follow(b"lf!");
        frames.follow(&[&SETTINGS[..], &SETTINGS[..]].concat());
        assert!(!frames.is_head_open());
    }
}
