### Cases, their letters and the evidence that is shared.

## The list.

case-list-title = Cases
case-list-lead = What you do about mentions that are not allowed.
case-confirmed-mentions = Confirmed mentions
case-tabs = Cases by status
case-status = Status
case-status-waiting = Waiting
case-status-open = Open
case-status-sent = Letter sent
case-status-answered = Answered
case-status-disputed = Disputed
case-status-removed = Removed
case-status-closed = Closed
case-status-all = All
case-mention = Mention
case-talent = Talent
case-assignee = Assignee
case-last-look = Last look
case-changed = Changed
case-sort-newest = Last changed first
case-sort-oldest = Last changed last
case-search = Search talent, title or site
case-anybody = Anybody
case-opened-from = Opened from
case-opened-to = Opened to
case-never = never
case-none-found = No cases found
case-none-match = No cases match your filters.
case-none-of-status = No cases have this status.
case-none-waiting = Nothing is waiting
case-none-waiting-why = Open a case on a confirmed mention to send letters and to see when it is removed.
case-lesson-confirm = Confirm a mention that is not allowed, and open its case.
case-lesson-letter = Send a letter from your templates, with a link to the evidence.
case-lesson-look = The page is looked at every day, and you are told when the mention is gone.
case-view-confirmed = View confirmed mentions

## The case on the page of its mention.

case-title = Case
case-mark-not-allowed = Mark as not allowed
case-open-why = Open a case to send letters about this use and to see when it is removed.
case-open = Open case
case-somebody-works = { $person } works on it.
case-nobody-works = Nobody works on it.
case-looked-at = The page was last looked at { $time }.
case-view = View case
case-licensed-by-now = The use is licensed by now: { $reason }. Check this before you send a letter.

## The page of a case.

case-view-mention = View mention
case-all = All cases
case-details = Details
case-new-status = New status
case-page = Page
case-nobody = Nobody
case-opened-fact = Opened
case-opened-by = { $person }, { $time }
case-evidence-link = Evidence link
case-evidence-link-hint = Anyone with this link can see the evidence until the case is closed.
case-link-ended = This link no longer works
case-link-ended-why = The case was closed, so its evidence can no longer be opened with this link.
case-evidence-link-ended = The link ended when the case was closed.
case-letters = Letters
case-no-letters = No letter was sent yet.
case-letter-to = to { $address }, { $time }
case-letter-by = Sent by { $person }
case-write-takedown = Write takedown request
case-write-license-offer = Write license offer
case-comments = Comments
case-no-comments = No comments yet.
case-comment = Comment
case-add-comment = Add comment
case-save-changes = Save changes
case-changed-meanwhile = Someone else changed this case while you had it open. The form below has what you chose and otherwise the current values; save again to keep your choice. Changed meanwhile:
case-now-status = Status: { $status }
case-now-assignee = Assignee: { $person }
case-now-comment = Last comment: { $person }
case-now-letter = Last letter: { $subject }
case-looks = Looks
case-looks-lead = We look at the page every day. It counts as removed if it is gone, or if two looks a day apart don't find the talent.
case-found = Found
case-gone-since = Not found since
case-next-look = Next look
case-not-yet = Not yet
case-no-look = None
case-look-match = The talent is still there.
case-look-no-match = The talent was not found.
case-look-gone = The page does not exist any more.
case-look-failed = The page could not be read, which says nothing.
case-note-removed = The talent is not on the page any more: two looks, a day apart, did not find it.
case-note-back = The talent is on the page again, so the case was reopened.
case-note-closed = The decision about the mention was changed, so the case was closed.
case-note-reopened = The decision about the mention was undone, so the case was reopened.
case-note-marked-removed = Marked the mention as removed.
case-note-marked-not-removed = Marked the mention as not removed.
case-opened = Case opened
case-updated = Case updated
case-comment-added = Comment added

## Letters.

case-write-letter = Write a letter
case-back = Back to case
case-letter = Letter
case-letter-recipient = To
case-letter-recipient-hint = The publisher's address. Answers go to your own email address.
case-subject = Subject
case-text = Text
case-letter-text-hint = Plain text. The link leads to the evidence, which the recipient can read without an account.
case-send-letter = Send letter
case-letter-question = Send this letter to { $address }?
case-letter-final = It is emailed to { $address } at once and can't be taken back.
case-letter-sent = Letter sent
case-letter-takedown = Takedown request
case-letter-license-offer = License offer

## Templates of letters.

case-templates-title = Letter templates
case-templates-lead = Letters about mentions are drafted from these texts.
case-back-to-organization = Back to organization
case-template-built-in = Built-in
case-template-own = Changed by your organization
case-template-updated = Letter template updated
case-template-restored = Built-in text restored
case-template-lead = The text that letters are drafted from.
case-template-text-hint = Plain text. Everybody can change the draft before it is sent.
case-all-templates = All letter templates
case-placeholders = Placeholders
case-placeholder-required = required
case-placeholder-talent = The name of the talent
case-placeholder-url = The address of the page
case-placeholder-title = The title of the page
case-placeholder-organization = The name of your organization
case-placeholder-evidence-link = The link to the evidence
case-placeholder-person = The name of the sender
case-built-in-text = Built-in text
case-restore-text = Restore built-in text
case-restore-question = Your text will be permanently deleted.

## The evidence that is shared by a link.

case-talent-on = { $talent } on { $place }
case-recorded-for = Recorded for { $organization }.
case-what-was-found = What was found
case-page-title = Title
case-first-seen = First seen
case-last-seen = Last seen
case-pictures = Pictures
case-found-picture = Found picture
case-reference-image = Reference image
case-how-recorded = How it was recorded
case-recorded = Recorded
case-address-read = Address read
case-final-address = Final address
case-http-status = Status
case-picture-hash = SHA-256 of the picture
case-record-hash = SHA-256 of this record
case-earlier-records = Earlier records
case-older-records = Older records exist.
