### Der öffentliche Katalog und die Vorschauen von Links zu seinen Seiten.

catalog-title = Katalog
catalog-lead = Öffentliche Lizenzen für Namen, Bilder und Bildnisse.
catalog-check = Bild oder Text prüfen
catalog-none-found = Keine Lizenzen gefunden
catalog-none-found-why = Versuchen Sie andere Suchbegriffe oder weniger Filter.
catalog-none = Noch keine öffentlichen Lizenzen
catalog-none-why = Lizenzen erscheinen hier, sobald ihre Inhaber sie veröffentlichen.
catalog-newest = Das sind die neuesten Lizenzen. Weitere finden Sie, wenn Sie { $search }.
catalog-newest-search = den Katalog durchsuchen
catalog-back = Zurück zum Katalog

## Lizenzen.

catalog-talent = Talent
catalog-owner = Inhaber
catalog-uses = Nutzungen
catalog-permitted-uses = Erlaubte Nutzungen
catalog-where = Wo
catalog-territories = Gebiete
catalog-dates = Zeitraum
catalog-price-on-request = Preis auf Anfrage
catalog-license-id = Lizenz-ID
catalog-formats = Für Programme:
catalog-format-text = Reiner Text
catalog-license-count = { $count ->
    [one] { $count } öffentliche Lizenz
   *[other] { $count } öffentliche Lizenzen
}

## Vorschauen von Links.

catalog-license-preview = Lizenz für das Bildnis von { $talent }: { $uses }. { $territories }. { $price }.
catalog-talent-preview = { $count ->
    [one] { $count } öffentliche Lizenz für Name, Bild und Bildnis von { $name }.
   *[other] { $count } öffentliche Lizenzen für Name, Bild und Bildnis von { $name }.
}
catalog-owner-preview = { $count ->
    [one] { $count } öffentliche Lizenz für Namen, Bilder und Bildnisse, angeboten von { $name }.
   *[other] { $count } öffentliche Lizenzen für Namen, Bilder und Bildnisse, angeboten von { $name }.
}
