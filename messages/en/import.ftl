### Imports of talents and licenses.

import-talents = Import talents
import-talents-lead = Add many talents from a spreadsheet.
import-licenses = Import licenses
import-licenses-lead = Add many licenses from a spreadsheet. Their talents must exist already.
import-sample = Download sample file
import-file = File
import-file-hint = CSV or XLSX, up to 5 MB and 10,000 rows. The first row names the columns.
import-check = Check file
import-checked = File checked
import-how = How it works
import-how-check = We check the file and tell you every wrong row and cell. Nothing is imported yet.
import-how-start = You choose what happens to rows whose external ID you already have, and start the import.
import-how-undo = You can undo the import: what it created is deleted, unless it was changed since.
import-columns = Columns: { $columns }.

## The checked file.

import-not-yet = Checked, not imported yet
import-all-right = { $count ->
    [one] The file has { $count } row, which can be imported.
   *[other] All { $count } rows of the file can be imported.
}
import-some-right = { $wrong ->
    [one] { $count } of { $total } rows can be imported. { $wrong } wrong row is skipped.
   *[other] { $count } of { $total } rows can be imported. { $wrong } wrong rows are skipped.
}
import-new = New
import-known = With a known external ID
import-wrong-rows = Wrong rows
import-columns-label = Columns
import-ignored = These columns are not imported: { $columns }.
import-beyond-plan = { $count ->
    [one] Your plan has room for { $room } more. The last { $count } row can't be created.
   *[other] Your plan has room for { $room } more. The last { $count } rows can't be created.
}
import-no-row = No row can be imported. Correct the file and upload it again.
import-some-wrong = Correct the file and upload it again, or import only the rows that are right.
import-rows = { $count ->
    [one] Import { $count } row
   *[other] Import { $count } rows
}
import-known-rows = Rows with a known external ID
import-skip = Leave the existing records as they are
import-update = Update the existing records. Empty cells change nothing
import-row = Row { $number }
import-wrong-cells = Wrong cells
import-started = Import started

## The columns of a file. Files in every language may have the English and the German names.

import-column-name = Name
import-column-external-id = External ID
import-column-also-known-as = Also known as
import-column-email = Email
import-column-phone = Phone
import-column-bio = Bio
import-column-social-media = Social media
import-column-status = Status
import-column-tags = Tags
import-column-talent = Talent
import-column-talent-external-id = Talent external ID
import-column-type = Type
import-column-description = Description
import-column-uses = Uses
import-column-countries = Countries
import-column-fee = Fee
import-column-currency = Currency
import-column-fee-per = Fee per
import-column-monitoring = Monitoring
import-column-valid-from = Valid from
import-column-expires = Expires
