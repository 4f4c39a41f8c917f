//! The stream of a connection: tells what arrives, and reads on for a while where an answer was
//! given before the request was over. Closing with unread bytes would make the system send a
//! reset, which takes the answer away from a peer that is still sending.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::pulse::Pulse;

/// How much of a refused body is read and thrown away.
pub(super) const DRAIN_BYTES: usize = 32 * 1024 * 1024;

/// What a write must hold to be part of an answer for sure: pings are smaller.
const PROGRESS_BYTES: usize = 512;

/// A stream that is watched.
pub(super) struct Watched<S> {
    stream: S,
    pulse: Arc<Pulse>,
    drain_time: Duration,
    end: End,
}

enum End {
    Open,
    Draining { left: usize, deadline: Pin<Box<Sleep>> },
    Closed,
}

impl<S> Watched<S> {
    pub(super) fn new(stream: S, pulse: Arc<Pulse>, drain_time: Duration) -> Self {
        Self { stream, pulse, drain_time, end: End::Open }
    }

    fn note_sent(&self, bytes: usize) {
        if bytes >= PROGRESS_BYTES {
            self.pulse.sent();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.pulse.received(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        self.note_sent(written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(context, parts))?;
        self.note_sent(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if matches!(this.end, End::Open) {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            this.end = if this.pulse.begin_drain() {
                End::Draining { left: DRAIN_BYTES, deadline: deadline(this.drain_time) }
            } else {
                End::Closed
            };
        }
        if let End::Draining { left, deadline } = &mut this.end {
            // However it ends, the answer had its chance.
            ready!(drain(&mut this.stream, left, deadline.as_mut(), context));
            this.end = End::Closed;
        }
        Poll::Ready(Ok(()))
    }
}

/// Reads until the peer ends, so much or so long.
fn drain<S: AsyncRead + Unpin>(
    stream: &mut S,
    left: &mut usize,
    deadline: Pin<&mut Sleep>,
    context: &mut Context<'_>,
) -> Poll<()> {
    if deadline.poll(context).is_ready() {
        return Poll::Ready(());
    }
    let mut scratch = [0; 8 * 1024];
    loop {
        let mut buffer = ReadBuf::new(&mut scratch);
        let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer));
        let count = buffer.filled().len();
        *left = left.saturating_sub(count);
        if read.is_err() || count == 0 || *left == 0 {
            return Poll::Ready(());
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a peer may go on sending")]
pub(super) fn deadline(time: Duration) -> Pin<Box<Sleep>> {
    Box::pin(tokio::time::sleep(time))
}
