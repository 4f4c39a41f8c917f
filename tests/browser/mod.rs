//! The pages in a real browser.

mod every_page;
mod journey;
mod licensing;
mod password;
mod smoke;
mod watching;
