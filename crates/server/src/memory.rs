//! Memory settings of the process.

/// Disables transparent huge pages: an idle server would fill only part of them and use 20 MB more.
#[cfg(target_os = "linux")]
pub(crate) fn disable_huge_pages() {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!(%error, "huge pages could not be disabled");
    }
}

/// The allocator uses huge pages only on Linux.
#[cfg(not(target_os = "linux"))]
pub(crate) fn disable_huge_pages() {}
