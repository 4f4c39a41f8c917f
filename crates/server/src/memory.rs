//! How this process takes memory from the system.

/// Small pages only: the allocator asks for huge ones, of which an idle server fills a part and holds
/// all, 20 MB more.
#[cfg(target_os = "linux")]
pub(crate) fn take_small_pages() {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        tracing::debug!(%error, "huge pages were not switched off");
    }
}

/// Elsewhere the allocator does not ask for huge pages.
#[cfg(not(target_os = "linux"))]
pub(crate) fn take_small_pages() {}
