### Texts that every page may use.

language-name = English
# The separator of thousands in numbers.
number-thousands = ,

list-empty = Nothing found.
list-count = { $count ->
    [one] { $count } result
   *[other] { $count } results
}
example-rich = { $name } has { $link } licenses.

action-save = Save
action-cancel = Cancel
action-delete = Delete
action-edit = Edit
action-add = Add
action-remove = Remove
action-send = Send
action-search = Search
action-close = Close
action-back = Back
action-next = Next
action-previous = Previous
action-continue = Continue
action-copy = Copy
action-download = Download
action-undo = Undo
action-view = View
action-export = Export
action-import = Import
action-retry = Try again
word-yes = Yes
word-no = No
word-none = None
word-all = All
word-name = Name
word-status = Status
word-email = Email
word-date = Date
word-type = Type
word-description = Description
word-created = Created
word-updated = Updated
