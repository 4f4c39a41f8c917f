//! The pages in a real browser: what people see, press and are kept out by.

mod every_page;
mod journey;
mod password;
mod smoke;
