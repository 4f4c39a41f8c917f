//! The stream of a connection. It records the bytes that arrive. When a response was sent before
//! the whole request arrived, it reads on for a while before it closes: closing with unread bytes
//! makes the system send a reset, and a peer that is still sending would lose the response.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::activity::Activity;

/// How much of a refused body is read and discarded.
pub(super) const DRAIN_BYTES: usize = 32 * 1024 * 1024;

/// A write of this size is part of a response: pings are smaller.
const PROGRESS_BYTES: usize = 512;

/// A stream that reports its progress to [`Activity`].
pub(super) struct TrackedStream<S> {
    stream: S,
    activity: Arc<Activity>,
    drain_time: Duration,
    end: End,
}

enum End {
    Open,
    Draining { left: usize, deadline: Pin<Box<Sleep>> },
    Closed,
}

impl<S> TrackedStream<S> {
    pub(super) fn new(stream: S, activity: Arc<Activity>, drain_time: Duration) -> Self {
        Self { stream, activity, drain_time, end: End::Open }
    }

    fn note_sent(&self, bytes: usize) {
        if bytes >= PROGRESS_BYTES {
            self.activity.sent();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TrackedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.activity.received(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TrackedStream<S> {
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
            this.end = if this.activity.begin_drain() {
                End::Draining { left: DRAIN_BYTES, deadline: deadline(this.drain_time) }
            } else {
                End::Closed
            };
        }
        if let End::Draining { left, deadline } = &mut this.end {
            // The result doesn't matter: the peer had time to read the response.
            ready!(drain(&mut this.stream, left, deadline.as_mut(), context));
            this.end = End::Closed;
        }
        Poll::Ready(Ok(()))
    }
}

/// Reads and discards until the peer closes, or until the byte limit or the deadline is reached.
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

#[expect(clippy::disallowed_methods, reason = "a timeout of the connection")]
pub(super) fn deadline(time: Duration) -> Pin<Box<Sleep>> {
    Box::pin(tokio::time::sleep(time))
}
