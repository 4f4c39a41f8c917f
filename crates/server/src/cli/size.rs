//! The options of `grantor size`.

use clap::Args;

/// What an installation will have.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Organizations and individuals
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) tenants: u64,
    /// People who sign in
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) people: u64,
    /// Talents
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) talents: u64,
    /// Licenses
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) licenses: u64,
    /// Permissions on licenses
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) permissions: u64,
    /// Images of licenses
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) images: u64,
    /// Size of an image in kB, without its thumbnail
    #[arg(long = "image-size", value_name = "KB", default_value_t = 500)]
    pub(crate) image_kb: u64,
    /// Mentions that are found while evidence is kept
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) mentions: u64,
    /// Grants
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) grants: u64,
    /// Reads each day: requests that change nothing
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) reads: u64,
    /// Changes each day
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) changes: u64,
    /// Webhooks that get each change
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) webhooks: u64,
}
