### The public catalog, and the previews of links to its pages.

catalog-title = Catalog
catalog-lead = Public licenses for names, images and likenesses.
catalog-check = Check a picture or a text
catalog-none-found = No licenses found
catalog-none-found-why = Try other search terms or fewer filters.
catalog-none = No public licenses yet
catalog-none-why = Licenses appear here when their owners publish them.
catalog-newest = These are the newest licenses. { $search } for others.
catalog-newest-search = Search the catalog
catalog-back = Back to catalog

## Licenses.

catalog-talent = Talent
catalog-owner = Owner
catalog-uses = Uses
catalog-permitted-uses = Permitted uses
catalog-where = Where
catalog-territories = Territories
catalog-dates = Dates
catalog-price-on-request = Price on request
catalog-license-id = License ID
catalog-formats = For programs:
catalog-format-text = Plain text
catalog-license-count = { $count ->
    [one] { $count } public license
   *[other] { $count } public licenses
}

## Previews of links.

catalog-license-preview = License for the likeness of { $talent }: { $uses }. { $territories }. { $price }.
catalog-talent-preview = { $count ->
    [one] { $count } public license for the name, image and likeness of { $name }.
   *[other] { $count } public licenses for the name, image and likeness of { $name }.
}
catalog-owner-preview = { $count ->
    [one] { $count } public license for names, images and likenesses, offered by { $name }.
   *[other] { $count } public licenses for names, images and likenesses, offered by { $name }.
}
