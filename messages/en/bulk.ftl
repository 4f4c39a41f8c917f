### Bulk actions, and the pages with their progress.

## The buttons above a list.

bulk-act-publish = Publish
bulk-act-private = Make private
bulk-act-expire = Expire
bulk-act-share = Share
bulk-act-tag = Add tags
bulk-act-untag = Remove tags
bulk-act-confirm = Mark as them
bulk-act-dismiss = Mark as not them
bulk-act-not-allowed = Mark as not allowed
bulk-act-decline = Decline
bulk-act-withdraw = Withdraw
bulk-act-export = Export rows
bulk-select-one = Select at least one row

## The confirmation.

bulk-title = { $list ->
    [talents] { $count ->
        [one] { $action }: { $count } talent
       *[other] { $action }: { $count } talents
    }
    [mentions] { $count ->
        [one] { $action }: { $count } mention
       *[other] { $action }: { $count } mentions
    }
    [requests] { $count ->
        [one] { $action }: { $count } request
       *[other] { $action }: { $count } requests
    }
   *[licenses] { $count ->
        [one] { $action }: { $count } license
       *[other] { $action }: { $count } licenses
    }
}
bulk-question-publish = Everyone will see these licenses in the catalog
bulk-question-private = Only those you share them with will see these licenses
bulk-question-expire = These licenses will end immediately
bulk-question-share = Choose an organization
bulk-question-tag = Choose tags
bulk-question-decline = These requests will be declined
bulk-question-withdraw = These requests or offers will be withdrawn
bulk-question-decide = All of these mentions get the same decision
bulk-question-export = These rows will be exported
bulk-no-undo = This cannot be undone.
bulk-undo-hint = You can undo this for a minute.
bulk-too-many = Too many rows
bulk-too-many-why = A bulk action can have at most { $count } rows. Narrow the list with filters.
bulk-share-with = Share with
bulk-share-role = Permission
bulk-share-viewer = Can view the licenses and use the likeness as they allow
bulk-share-trustee = Acts for the talents: can view the licenses and review mentions
bulk-share-licensor = Can edit the licenses and review mentions
bulk-tags-add = Tags to add
bulk-tags-remove = Tags to remove
bulk-tags-hint = Separate several with commas.
bulk-reason = Reason
bulk-reason-hint = The other party reads it.
bulk-row-gone = A row that is gone
bulk-more = and { $count } more

## What a bulk action does.

bulk-publish = { $count ->
    [one] Publish { $count } license
   *[other] Publish { $count } licenses
}
bulk-make-private = { $count ->
    [one] Make { $count } license private
   *[other] Make { $count } licenses private
}
bulk-expire = { $count ->
    [one] Expire { $count } license
   *[other] Expire { $count } licenses
}
bulk-share = { $count ->
    [one] Share { $count } license with { $name }
   *[other] Share { $count } licenses with { $name }
}
bulk-tag = { $list ->
    [talents] { $count ->
        [one] Add tags to { $count } talent: { $tags }
       *[other] Add tags to { $count } talents: { $tags }
    }
   *[licenses] { $count ->
        [one] Add tags to { $count } license: { $tags }
       *[other] Add tags to { $count } licenses: { $tags }
    }
}
bulk-untag = { $list ->
    [talents] { $count ->
        [one] Remove tags from { $count } talent: { $tags }
       *[other] Remove tags from { $count } talents: { $tags }
    }
   *[licenses] { $count ->
        [one] Remove tags from { $count } license: { $tags }
       *[other] Remove tags from { $count } licenses: { $tags }
    }
}
bulk-confirm = { $count ->
    [one] Decide that { $count } mention is them
   *[other] Decide that { $count } mentions are them
}
bulk-dismiss = { $count ->
    [one] Decide that { $count } mention is not them
   *[other] Decide that { $count } mentions are not them
}
bulk-not-allowed = { $count ->
    [one] Decide that { $count } mention is not allowed
   *[other] Decide that { $count } mentions are not allowed
}
bulk-decline = { $count ->
    [one] Decline { $count } request
   *[other] Decline { $count } requests
}
bulk-withdraw = { $count ->
    [one] Withdraw { $count } request
   *[other] Withdraw { $count } requests
}
bulk-import = { $list ->
    [talents] { $count ->
        [one] Import { $count } talent
       *[other] Import { $count } talents
    }
   *[licenses] { $count ->
        [one] Import { $count } license
       *[other] Import { $count } licenses
    }
}
bulk-undo-import = { $list ->
    [talents] { $count ->
        [one] Undo the import of { $count } talent
       *[other] Undo the import of { $count } talents
    }
   *[licenses] { $count ->
        [one] Undo the import of { $count } license
       *[other] Undo the import of { $count } licenses
    }
}
bulk-rows = { $list ->
    [talents] { $count ->
        [one] { $count } talent
       *[other] { $count } talents
    }
    [mentions] { $count ->
        [one] { $count } mention
       *[other] { $count } mentions
    }
    [requests] { $count ->
        [one] { $count } request
       *[other] { $count } requests
    }
   *[licenses] { $count ->
        [one] { $count } license
       *[other] { $count } licenses
    }
}
bulk-changed = { $did }: { $rows }
bulk-changed-some = { $did }: { $rows }. { $why }: { $skipped }
bulk-started = Bulk action started

## The list of bulk actions and their pages.

bulk-list = Bulk actions and imports
bulk-list-lead = What you did to many rows at once in the last 30 days.
bulk-list-none = Nothing yet
bulk-list-none-why = Select rows of a list, or import a file.
bulk-view-licenses = View licenses
bulk-action = Action
bulk-done = Done
bulk-not-done = Not done
bulk-started-at = Started
bulk-ended-at = Ended
bulk-refresh = Refresh
bulk-stop = Stop
bulk-stop-question = What is done stays. The rest is left as it is.
bulk-stopped = Stopped
bulk-discard = Discard
bulk-view-undo = View undo
bulk-view-import = View import
bulk-view-undone = View what was undone
bulk-undo = Undo import
bulk-undo-question = What this import created is deleted, unless somebody changed or used it since. What it updated stays.
bulk-undo-started = Undo started
bulk-all = All bulk actions
bulk-progress = Progress
bulk-progress-of = { $done } of { $total }
bulk-status-checked = Not started yet
bulk-status-running = In progress
bulk-status-done = Done
bulk-status-partly = Partly done
bulk-status-failed = Not possible
bulk-status-stopped = Stopped
bulk-outcome = What was done
bulk-outcome-running = In progress. You can leave this page; it goes on by itself.
bulk-outcome-done = Everything is done.
bulk-outcome-partly = Done, except for { $rows }. The reasons are below.
bulk-outcome-failed = Nothing could be done. The reasons are below.
bulk-outcome-stopped = Stopped before the end. Not reached: { $rows }.
bulk-did-publish = Published
bulk-did-make-private = Made private
bulk-did-expire = Ended
bulk-did-share = Shared
bulk-did-tag = Tagged
bulk-did-untag = Tags removed
bulk-did-confirm = Marked as them
bulk-did-dismiss = Marked as not them
bulk-did-not-allow = Marked as not allowed
bulk-did-decline = Declined
bulk-did-withdraw = Withdrawn
bulk-did-undo-import = Deleted
bulk-did-undo = Undone
bulk-undo-of = Undo: { $what }
bulk-count-created = Created
bulk-count-updated = Updated
bulk-count-skipped = Left as they were
bulk-count-unneeded = Already so before
bulk-count-failed = Could not be changed
bulk-problems = What could not be done
bulk-problems-download = Download as CSV
bulk-left = Left as they are
bulk-row = Row
bulk-why = Why
