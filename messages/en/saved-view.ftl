### Saved views of lists.

saved-view-list = Saved views
saved-view-list-lead = Filters of lists that you saved under a name. Only you can see them.
saved-view-list-none = No saved views yet
saved-view-list-none-why = Filter a list, and select Save view above it.
saved-view-view-licenses = View licenses
saved-view-of-list = List
saved-view-opens-first = Opens first
saved-view-saved-at = Saved
saved-view-licenses = Licenses
saved-view-catalog = Catalog
saved-view-talents = Talents
saved-view-mentions = Mentions
saved-view-cases = Cases
saved-view-requests = Requests
saved-view-grants = Grants
saved-view-sources = Sources
saved-view-logs = Logs
saved-view-view = View
saved-view-save = Save view
saved-view-edit = Edit view
saved-view-edit-lead = To change its filters, open the view, change them and save another one.
saved-view-save-changes = Save changes
saved-view-default = Open the list with this view
saved-view-saved = View saved
saved-view-updated = View updated
saved-view-deleted = View deleted
