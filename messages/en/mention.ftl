### Mentions and decisions about them.

## The list.

mention-list-title = Mentions
mention-list-lead = Where your talents appear online.
mention-new-one = new mention
mention-new-many = new mentions
mention-tabs = Mentions by status
mention-status-new = New
mention-status-confirmed = Confirmed
mention-status-dismissed = Dismissed
mention-status-all = All
mention-search = Search talent, title, author or site
mention-verdict = Verdict
mention-any-verdict = Any verdict
mention-verdict-unlicensed = Unlicensed
mention-verdict-needs-review = Needs review
mention-verdict-licensed = Licensed
mention-talent = Talent
mention-license = License
mention-selected-license = The selected license
mention-first-seen-from = First seen from
mention-first-seen-to = First seen to
mention-sort-newest = Newest first
mention-sort-oldest = Oldest first
mention-no-new = No new mentions
mention-no-new-why = No mention waits for a review. New mentions appear here as soon as they're found.
mention-lesson-watched = Watched licenses are looked for on sources and on platforms that are scanned.
mention-lesson-more = To find more, watch more addresses, and add pictures to your licenses.
mention-lesson-decide = For each mention, say whether it is them, and what to do about it.
mention-none-found = No mentions found
mention-none-match = No mentions match your filters.
mention-view-all = View all mentions
mention-keys = { $next } next · { $previous } previous · { $them } it is them · { $other } it is not them · { $open } open
mention-where = { $talent } on { $place } · { $license }
mention-match-name = Name · { $percent }% confidence
mention-match-image = Image · { $percent }% confidence
mention-match-part = Part of an image · { $percent }% confidence

## The page of a mention.

mention-talent-on = { $talent } on { $place }
mention-open-page = Open page
mention-download-evidence = Download evidence
mention-bookmark = Bookmark
mention-what-was-found = What was found
mention-found-and-reference = Found and reference
mention-details = Details
mention-platform = Platform
mention-found-at = Found at
mention-author = Author
mention-match = Match
mention-published = Published
mention-first-seen = First seen
mention-last-seen = Last seen
mention-revision = Revision
mention-view-grant = View grant
mention-note = Note
mention-note-hint = Explain your choice to your team.
mention-save-note = Save note
mention-note-saved = Note saved

## Decisions.

mention-decision = Decision
mention-is-them = It is them
mention-is-not-them = It is not them
mention-is-them-allowed = It is them, allowed
mention-is-them-not-allowed = It is them, not allowed
mention-not-decided = Not decided
mention-allow = Allowed
mention-disallow = Not allowed
mention-take-back-allowed = Take back “allowed”
mention-take-back-not-allowed = Take back “not allowed”
mention-clear-decision = Clear the decision
mention-closes-case = Another decision closes the case, and its evidence link stops working.
mention-nobody-decided = Nobody has decided yet.
mention-decided-not-them = It is not them.
mention-decided-them = It is them.
mention-decided-allowed = It is them, and the use is allowed.
mention-decided-not-allowed = It is them, and the use is not allowed.
mention-decided-by = Decided by { $person } { $time }.
mention-done-allowed = Allowed: { $title }
mention-done-not-allowed = Not allowed: { $title }
mention-done-confirmed = Confirmed: { $title }
mention-done-dismissed = Dismissed: { $title }
mention-done-not-decided = Not decided: { $title }
mention-history = History
mention-history-caption = History of decisions
mention-history-when = When
mention-history-who = Who
mention-history-before = Before

## Evidence.

mention-evidence = Evidence
mention-found-picture = The picture that was found
mention-picture-hidden = Only those who own the license or act for the talent see the picture that was found.
mention-caption-found = Found
mention-reference-image = The reference image
mention-reference-gone = The reference image is no longer there.
mention-caption-reference = Reference
mention-part-doubtful = The pictures agree only in a few details. They may have just a logo or a text in common.
mention-text-not-kept = The text was not kept.
mention-picture-over-plan = The picture was not kept: your organization uses all the storage of its plan.
mention-picture-unavailable = The picture could not be read again.
mention-picture-not-kept = No copy of the picture was kept.
mention-recorded = Recorded
mention-address-read = Address read
mention-final-address = Final address
mention-http-status = Status
mention-header-content-type = Content type
mention-header-date = Date
mention-header-etag = ETag
mention-header-last-modified = Last modified
mention-header-server = Server
mention-header-other = Header
mention-response-hash = SHA-256 of the response
mention-pushed-hash = SHA-256 of what was pushed
mention-picture-hash = SHA-256 of the picture
mention-earlier-revisions = Earlier revisions
mention-revision-at = Revision { $revision }, { $time }
mention-download-has-all = The download has all revisions.

## The reasons of verdicts. “none” is a grant whose number the reader may not see.

mention-reason-granted = Published while licensed by { $grant ->
    [none] a grant
   *[other] grant { $grant }
}
mention-reason-not-started = Licensed by { $grant ->
    [none] a grant
   *[other] grant { $grant }
}, which starts after this was published
mention-reason-ended = Previously licensed by { $grant ->
    [none] a grant
   *[other] grant { $grant }
}, which ended before this was published
mention-reason-revoked = Previously licensed by { $grant ->
    [none] a grant
   *[other] grant { $grant }
}, which was revoked before this was published
mention-reason-unconfirmed = May be licensed by { $grant ->
    [none] a grant
   *[other] grant { $grant }
}, but the publication date is more than 7 days from when this was first seen
mention-reason-owned = The platform's organization owns the talent's licenses
mention-reason-publisher-owns = The publisher owns the talent's licenses
mention-reason-permitted = The platform's organization has an active permission
mention-reason-publisher-permitted = The publisher has an active permission
mention-reason-not-permitted = The platform's organization has a permission that is not active
mention-reason-publisher-not-permitted = The publisher has a permission that is not active
mention-reason-strong = Strong match, and the platform's organization has no permission
mention-reason-publisher-strong = Strong match, and the publisher has no permission
mention-reason-weak = Weak match, and the platform's organization has no permission
mention-reason-publisher-weak = Weak match, and the publisher has no permission
mention-reason-image-on-site = A reference image appears on a site whose owner is not known to have a license
mention-reason-image-on-profile = A reference image appears on a profile whose owner is unknown. People share images there, so please check who posted it
mention-reason-similar-image = An image resembles a reference image, but not closely enough to be sure
mention-reason-named = Naming somebody is not a use of their likeness by itself. Please check what the name is used for
mention-reason-weakly-named = Only part of a name, or a name that other people have too. Please check whether this is about the talent
