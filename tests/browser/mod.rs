//! The pages in a real browser.

mod begin;
mod bulk;
mod catalog;
mod docs;
mod every_page;
mod find;
mod journey;
mod keyboard;
mod license_form;
mod licensing;
mod look;
mod palette;
mod password;
mod second_factor;
mod single_sign_on;
mod smoke;
mod undo;
mod watching;
