### Licenses.

license-list = Licenses
license-list-lead = How talents' names, images and likenesses may be used.
license-list-owner = License owner
license-list-own = Owned by you
license-list-all = All licenses
license-list-search = Search name, talent, owner or external ID
license-catalog-search = Search talents, owners and licenses
license-list-not-found = No licenses found
license-list-not-found-why = Try other search terms or fewer filters.
license-list-none-shared = No licenses shared with you yet
license-list-none-shared-why = Licenses that an agency or a talent shares with you appear here. Public licenses are in the catalog.
license-list-open-catalog = Open catalog
license-list-none = No licenses yet
license-list-none-why = A license says how a talent's likeness may be used.
license-lesson-choose = Choose the talent, the uses, the places and the price.
license-lesson-upload = Upload pictures, so that the face is recognized.
license-lesson-publish = Publish it in the catalog, or share it with those who may see it.
license-sort-newest = Newest first
license-sort-oldest = Oldest first
license-sort-updated = Recently updated
license-sort-least-updated = Least recently updated
license-any-status = Any status
license-any-use = Any use
license-any-country = Any country
license-any-currency = Any currency
license-tag = Tag
license-use = Use
license-country = Country
license-price-from = Price from
license-price-to = Price to
license-created-from = Created from
license-created-to = Created to
license-expires-from = Expires from
license-expires-to = Expires to

## The types of licenses and the uses that licenses permit.

license-type-social-media = Social media
license-type-advertising = Advertising
license-type-endorsement = Endorsement
license-type-ai-training = AI training
license-type-ai-generation = AI generation
license-type-voice = Voice
license-type-merchandise = Merchandise
license-type-custom = Custom
license-status-draft = Draft
license-status-private = Private
license-status-public = Public
license-status-expired = Expired
license-approval-not-needed = Not needed
license-approval-once = Before the first use
license-approval-each-use = Before each use

## What a license says.

license-talent = Talent
license-owner = Owner
license-uses = Permitted uses
license-territories = Territories
license-starts = Starts
license-starts-now = Immediately
license-ends = Ends
license-no-end = No end date
license-dates-label = Dates
license-dates-from = From { $date }
license-dates-until = Until { $date }
license-dates = { $from } to { $end }
license-fee = Fee
license-currency = Currency
license-fee-per = Fee per
license-monitoring = Monitoring
license-monitoring-on = On
license-monitoring-on-long = On: sources and connected platforms are scanned for uses
license-monitoring-draft = Not while it is a draft. It starts once the license is private or public.
license-monitoring-expired = Not since it expired
license-monitoring-off = Off
license-external-id = External ID
license-terms = Terms
license-exclusive = Exclusive
license-channels = Channels
license-approval = Approval
license-credit-line = Credit line
license-conditions = Conditions
license-not-specified = Not specified
license-images = Reference images
license-image-count = { $count ->
    [one] { $count } image
   *[other] { $count } images
}

## The form.

license-new = New license
license-new-lead = Define how a talent's likeness may be used, where and for how long.
license-no-talent = Add a talent first
license-no-talent-why = Every license covers the likeness of a talent.
license-add-talent = Add talent
license-create = Create license
license-edit = Edit license
license-save = Save changes
license-back = Back to license
license-upload-progress = Upload progress
license-section-who = Who and what
license-section-where = Where and when
license-section-price = Price
license-section-pictures = Pictures
license-section-watching = Watching
license-talent-hint = The person whose likeness is licensed. Search by name, alias or external ID.
license-uses-hint = Leave all unchecked if the license doesn't specify permitted uses.
license-description-hint = Visible to everyone who can see the license. Up to 5,000 characters.
license-status-field-hint = Drafts are visible only to your organization and to those you share them with.
license-external-id-hint = Your own ID for this license: letters, digits and ._:-
license-territories-hint = Choose none if the license doesn't specify territories.
license-starts-hint = In { $zone }. Leave blank to start now.
license-ends-hint = In { $zone }. Leave blank for no end date.
license-with-fee = with a fee
license-fee-example = 1,500
license-fee-hint = Such as 1,500 or 1.500,00. 0 means free. Leave blank to agree on a fee later.
license-exclusive-hint = Grants under this license are meant to be exclusive.
license-channels-hint = Where the likeness may appear, such as Instagram or TV. One per line, up to 10. Leave blank for no limit.
license-approval-by-talent = Approval by the talent
license-credit-line-hint = How the talent is credited.
license-conditions-hint = In plain language, such as: No alcohol. Up to 5,000 characters.
license-other-terms = Other terms
license-other-terms-hint = Further terms, one per line, such as Copies: 500.
license-advanced = Advanced
license-terms-json = Terms as JSON
license-terms-json-hint = Terms for programs, as a JSON object. Leave blank if you don't need any.
license-monitor = Monitor for uses
license-monitor-hint = Look for uses of this likeness at your sources and on connected platforms. Drafts are not watched.
license-kept-images = Images chosen before
license-kept-alt = Image { $number }, { $size }
license-kept-note = Kept for an hour. Clear a box to leave an image out.
license-kept-hint = JPEG, PNG or WebP. Up to 10 images of 10 MiB each.
license-created = License created
license-updated = License updated
license-deleted = License deleted
license-restored = License restored
license-edit-conflict = Someone else changed this license while you were editing. Your changes are below; save again to keep them. Current values:
license-edit-pictures = Add and remove reference images on { $page }.
license-edit-pictures-link = the page of the license

## The page of a license.

license-details = Details
license-id = License ID
license-also-known-as = Also known as { $names }
license-your-access = Your access
license-access-owner = You own this license
license-access-licensor = You can edit this license
license-access-trustee = You act for the talent
license-access-viewer = You can view this license
license-version = version { $number }
license-private-hint = Visible only to your organization and those you share it with.
license-public-hint = Visible to everyone in the catalog.
license-expired-hint = This license has ended.
license-publish = Publish
license-expire = Expire
license-make-private = Make private
license-ended = This license has ended. { $change } to reactivate it.
license-ended-link = Change the end date
license-status-changed = { $status ->
    [draft] License is now draft
    [private] License is now private
    [expired] License is now expired
   *[public] License is now public
}
license-make-offer = Make an offer
license-grants = Grants
license-bookmark = Bookmark
license-bookmark-remove = Remove bookmark
license-mentions = Mentions
license-mentions-none = No mentions yet.
license-mentions-view = { $count ->
    [one] View { $count } mention
   *[other] View { $count } mentions
}
license-delete = Delete license
license-delete-hint = Removes the license and its images from all lists and the catalog. You can undo this for a minute; then the images are gone for good.

## Reference images and the catalog picture.

license-images-hint = JPEG, PNG or WebP. Up to 10 images of 10 MiB each. Camera metadata (EXIF) is removed.
license-images-none = No images yet. Scanners use reference images to recognize the likeness.
license-images-add = Add images
license-images-upload = Upload
license-images-added = { $count ->
    [one] Image added
   *[other] { $count } images added
}
license-images-duplicate = The same file is already an image of “{ $license }”.
license-images-resemble = Looks like an image of “{ $license }”.
license-images-plain = Too plain to be recognized after a crop; whole copies are still found (details: { $count }, needed: { $least }).
license-images-featureless = Too plain to be recognized: it has too little detail.
license-images-told-more = and { $count } more
license-image-told = { $file }: { $hint }
license-image-unnamed = Image { $number }
license-image-plain = Too plain: at most whole copies are recognized (details: { $count }, needed: { $least })
license-image-removed = Image removed
license-image-number = Reference image { $number }
license-image-alt = Reference image { $number }, { $width } × { $height }
license-picture = Catalog picture
license-picture-choose = Set picture
license-picture-replace = Replace picture
license-picture-public = Everyone sees this picture in the catalog. Reference images stay private.
license-picture-later = Everyone sees this picture in the catalog once the license is public. Reference images stay private.
license-picture-alt = Catalog picture, { $width } × { $height }
license-picture-none = No picture yet. The catalog shows the talent's initials.
license-picture-hint = JPEG, PNG or WebP, up to 10 MiB. The catalog gets a copy of at most 1,024 pixels without metadata.
license-picture-copy = Use a copy of a reference image
license-picture-upload = Upload a picture
license-picture-or-upload = Or upload a picture
license-picture-was-set = Catalog picture set
license-picture-removed = Catalog picture removed

## Sharing.

license-shared-with = Shared with
license-shared-none = Only your organization has access.
license-share = Share license
license-share-button = Share
license-share-with = Share with
license-share-role = Permission
license-share-hint = People without an account get an invitation by email. Access is pending until they accept.
license-share-viewer = Can view: sees the license, even as a draft, and may use the likeness as it allows
license-share-trustee = Acts for the talent: can view the license and review mentions
license-share-licensor = Can edit: can view and edit the license and review mentions
license-role-viewer = can view
license-role-trustee = acts for the talent
license-role-licensor = can edit
license-shared-person = Person · shared { $at }
license-shared-organization = Organization · shared { $at }
license-shared-pending = not accepted yet
license-shared-by-grant = by an active grant
license-shared = License shared with { $name }
license-shared-by-email = License shared. We emailed { $name }.
license-view-grant = View grant
license-revoke = Revoke
license-access-revoked = Access revoked

## The history and the preview.

license-history = History
license-history-of = History of { $name }
license-history-lead = All changes to this license, newest first.
license-history-kind = Kind of history
license-history-versions = Versions
license-history-activity = All activity
license-history-version = Version
license-history-by = Changed by
license-history-changes = Changes
license-history-first = The first version that was kept
license-history-same = No changes to the license itself
license-history-client = { $name } (API client)
license-history-staff = { $name } (staff)
license-history-operator = Operator
license-history-system = Automatic
license-history-user = User
license-history-action = Action
license-history-details = Details
license-history-caption = Activity
license-history-own = What your organization did. The steps of other parties are in { $requests }.
license-history-own-link = their requests
license-history-none = No activity
license-history-none-why = Log entries are kept for a limited time.
license-preview = Preview
license-preview-lead = This is how the license looks in the public catalog.
license-preview-unsaved = Preview: this is how the license looks in the catalog. Nothing is saved yet.
license-preview-public = This license is public. { $catalog }.
license-preview-public-link = View it in the catalog
license-preview-private = This license isn't public, so it isn't in the catalog yet.

## Copies and templates.

license-reuse = Reuse
license-duplicate = Duplicate
license-duplicate-hint = Makes a draft with the same content that isn't shared with anyone.
license-duplicate-images = Copy the reference images
license-duplicated = License duplicated. The copy is a draft that isn't shared with anyone.
license-templates = License templates
license-templates-lead = What new licenses start with. Everyone in your organization who manages licenses can use them.
license-templates-how = To add a template, save the form of a new license or an existing license as one.
license-templates-view = View templates
license-templates-manage = Manage templates
license-template = Template
license-template-content = Content
license-template-source = Source
license-template-own = Your organization
license-template-built-in = Built in
license-template-start = Start from a template
license-template-use = Use
license-template-use-chosen = Use template
license-template-save-as = Save as template
license-template-save = Save template
license-template-name = Template name
license-template-name-hint = Such as Social media, 1 year, DACH.
license-template-new-name = New name of { $name }
license-template-rename = Rename
license-template-saved = Template saved: { $name }
license-template-saved-only = Template saved: { $name }. The license itself isn't saved yet. { $templates }.
license-template-renamed = Template renamed
license-template-deleted = Template deleted
license-length-years = { $count ->
    [one] { $count } year
   *[other] { $count } years
}
license-length-months = { $count ->
    [one] { $count } month
   *[other] { $count } months
}
license-length-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
}

## The built-in templates, which name licenses that are made with them.

license-built-in-social-media = Social media, 1 year, DACH
license-built-in-advertising = Advertising, 6 months, European Union
license-built-in-endorsement = Endorsement, 1 year, US and Canada
license-built-in-merchandise = Merchandise, 2 years, worldwide
license-built-in-ai-generation = AI generation, 3 months, worldwide, each use approved
