//! The tools. Their names, descriptions and schemas never depend on what is stored.

use http::Method;
use rmcp::model::ToolAnnotations;

/// What a tool is, and which route of the API it calls.
pub(crate) struct ToolInfo {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) shape: Shape,
    /// Parameters of the route that are no arguments.
    pub(crate) without: &'static [&'static str],
    /// What a successful call did, unless it returns a page of a list.
    pub(crate) done: &'static str,
    pub(crate) effect: Effect,
}

/// How a tool uses its route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The arguments are those of the route, and the result is its response.
    Plain,
    /// As [`Shape::Plain`], with a picture as an argument.
    Picture,
    /// Accepts an offer, in two calls.
    Acceptance,
}

/// What a call changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    Reads,
    /// Nothing, but it may fetch an address.
    Fetches,
    /// Creates something that can be taken back.
    Creates,
    /// Binds the caller's organization.
    Binds,
}

impl Effect {
    /// Hints for clients that ask people before they call a tool.
    pub(crate) fn annotations(self) -> ToolAnnotations {
        let reads = matches!(self, Self::Reads | Self::Fetches);
        let hints = ToolAnnotations::new().read_only(reads).open_world(self == Self::Fetches);
        if reads {
            return hints;
        }
        // Accepting the same terms again returns the same grant.
        let binds = self == Self::Binds;
        hints.destructive(binds).idempotent(binds)
    }
}

/// All tools, in the order of the list.
#[rustfmt::skip]
pub(crate) fn all() -> [ToolInfo; 9] {
    let read = |name, title, path, about, done| ToolInfo {
        name, title, about, method: Method::GET, path, shape: Shape::Plain, without: &[], done, effect: Effect::Reads,
    };
    [
        read("search_catalog", "Search the catalog", "/metadata",
            "Searches the public catalog of licenses for names, images and likenesses. Needs no access token.",
            "The catalog was searched."),
        ToolInfo { without: &["format"], ..read("get_license", "Get a license", "/licenses/{id}",
            "Returns a license with its uses, territories, fee and terms. Only licenses that the caller owns or has a \
             permission on; of others, search_catalog returns everything that is public.",
            "The license was found.") },
        ToolInfo { method: Method::POST, ..read("may_i", "May I?", "/decisions",
            "Answers whether uses of a likeness are allowed: for a license or a talent, a use, a territory and a \
             moment. Each answer is allowed, denied or ask, with its reasons and the closest use that would be allowed.",
            "The questions were answered.") },
        ToolInfo { method: Method::POST, shape: Shape::Picture, without: &["url", "text"], effect: Effect::Fetches, ..read(
            "check_picture", "Check a picture", "/checks",
            "Finds the licenses whose talents appear in a picture, and answers for each whether the caller may use it. \
             Takes either the address of the picture or the picture itself.",
            "The picture was checked.") },
        ToolInfo { method: Method::POST, effect: Effect::Creates, ..read("request_license", "Request a license", "/requests",
            "Asks the owner of a license for a grant. The owner may answer with an offer; use read_offer to see it. \
             Ask the person you work for before you call this.",
            "The request was sent to the owner of the license.") },
        read("read_offer", "Read an offer", "/requests/{id}",
            "Returns a request with its offers and messages. An offer has the exact terms and their hash.",
            "The request was found."),
        ToolInfo { method: Method::POST, shape: Shape::Acceptance, effect: Effect::Binds, ..read(
            "accept_offer", "Accept an offer", "/requests/{id}/accept",
            "Accepts the open offer of a request, which binds the caller's organization. It takes two calls. The first, \
             without terms_hash, changes nothing and returns the terms with their hash: show them to the person you \
             work for. The second, with this terms_hash, accepts exactly these terms. If the offer has changed \
             meanwhile, nothing is accepted; begin again with the first call.",
            "The offer was accepted.") },
        read("list_grants", "List grants", "/grants",
            "Lists the grants that the caller's organization gave or holds.",
            "The grants were listed."),
        read("get_receipt", "Get a receipt", "/grants/{id}/receipt",
            "Returns the signed receipt of a grant, with which anybody can verify it.",
            "The receipt was issued."),
    ]
}
