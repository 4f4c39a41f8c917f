//! The first bytes of a connection, which must come in time like the rest of a head.
//!
//! They tell which version of HTTP is spoken, and are read before the timeout for heads begins.
//! Whoever says nothing, or no more than the `P` that `POST` and the preface of HTTP/2 share,
//! would otherwise hold a connection forever.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum_server::accept::Accept;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How HTTP/2 begins. Until a byte differs, or all are there, the version is not known.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Accepts as another does, and gives the first bytes so much time.
#[derive(Clone, Debug)]
pub(crate) struct Timed<A> {
    pub(crate) acceptor: A,
    pub(crate) time: Duration,
}

type Accepting<I, S> = Pin<Box<dyn Future<Output = io::Result<(I, S)>> + Send>>;

impl<A, I, S> Accept<I, S> for Timed<A>
where
    A: Accept<I, S>,
    A::Future: Send + 'static,
{
    type Stream = Opening<A::Stream>;
    type Service = A::Service;
    type Future = Accepting<Self::Stream, Self::Service>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let (accepting, time) = (self.acceptor.accept(stream, service), self.time);
        Box::pin(async move {
            let (stream, service) = accepting.await?;
            Ok((Opening::of(stream, time), service))
        })
    }
}

/// A connection whose first bytes are waited for.
pub(crate) struct Opening<S> {
    stream: S,
    unknown: Option<Unknown>,
}

/// What is left to know of the version, and until when.
struct Unknown {
    rest: &'static [u8],
    deadline: Pin<Box<Sleep>>,
}

impl<S> Opening<S> {
    #[expect(clippy::disallowed_methods, reason = "how long a caller may be silent")]
    fn of(stream: S, time: Duration) -> Self {
        let deadline = Box::pin(tokio::time::sleep(time));
        Self { stream, unknown: Some(Unknown { rest: PREFACE, deadline }) }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Opening<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        let Some(unknown) = &mut self.unknown else { return read };
        if read.is_pending() {
            ready!(unknown.deadline.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        match unknown.rest.strip_prefix(&buffer.filled()[before..]) {
            Some(rest) if !rest.is_empty() => unknown.rest = rest,
            _ => self.unknown = None,
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Opening<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
