### Prüfungen von Bildern, Adressen und Texten.

## Das Formular.

check-title = Prüfen
check-lead = Sehen Sie, wer auf einem Bild, auf einer Seite oder in einem Text vorkommt und ob Sie es verwenden dürfen.
check-about-licenses = Wir suchen nach den Talenten Ihrer Lizenzen, der mit Ihnen geteilten Lizenzen und der öffentlichen Lizenzen.
check-public-lead = Sehen Sie, ob es eine öffentliche Lizenz für die Person auf einem Bild, auf einer Seite oder in einem Text gibt.
check-about-public-licenses = Wir suchen nach den Talenten öffentlicher Lizenzen. Melden Sie sich an, um auch mit Ihnen geteilte Lizenzen zu prüfen.
check-enter-one = Geben Sie eines davon an:
check-picture = Bild
check-picture-hint = JPEG, PNG oder WebP, bis zu 10 MiB.
check-address = Adresse
check-address-hint = Einer Seite oder eines Bildes.
check-text = Text
check-text-hint = Bis zu 100 KB (102.400 Bytes).
check-button = Prüfen
check-about = Über Prüfungen
check-about-pictures = Bilder werden mit den Referenzbildern dieser Lizenzen verglichen.
check-not-kept = Was Sie prüfen, bewahren wir nicht auf.
check-limited = Sie können { $limit } Prüfungen pro Minute durchführen. Versuchen Sie es in { $seconds ->
    [one] { $seconds } Sekunde
   *[other] { $seconds } Sekunden
} erneut

## Das Ergebnis.

check-checked-address = Sie haben { $address } geprüft.
check-checked-text = Sie haben den Text „{ $text }“ geprüft.
check-checked-file = Sie haben das Bild { $name } geprüft.
check-checked-picture = Sie haben ein Bild geprüft.
check-only-first = Sie haben { $count ->
    [one] { $count } Bild
   *[other] { $count } Bilder
} ausgewählt. Nur das erste wurde geprüft: Prüfen Sie die anderen nacheinander.
check-match-count = { $count ->
    [one] { $count } Treffer
   *[other] { $count } Treffer
}
check-nobody = Niemand wurde erkannt
check-nobody-public = Keine öffentliche Lizenz betrifft jemanden darin.
check-nobody-visible = Keine der Lizenzen, die Sie sehen können, betrifft jemanden darin.
check-reference-image = Referenzbild von { $talent }
check-view-license = { $license } anzeigen
check-found-by-name = Gefunden anhand des Namens { $name }
check-found-by-part = Gefunden anhand eines Bildausschnitts
check-found-by-picture = Gefunden anhand des Bildes
check-sure-full-name = Sehr wahrscheinlich ({ $percent } %): Ein vollständiger Name kommt vor
check-sure-single-name = Möglich ({ $percent } %): Auch andere können diesen Namen tragen
check-sure-same-picture = Sehr wahrscheinlich ({ $percent } %): Die Bilder sehen gleich aus
check-sure-similar-picture = Möglich ({ $percent } %): Die Bilder sehen ähnlich aus
check-sure-same-part = Sehr wahrscheinlich ({ $percent } %): Dasselbe Bild kommt vor
check-sure-similar-part = Möglich ({ $percent } %): Einige Details sehen gleich aus, vielleicht nur ein Logo
check-allowed-owner = Sie dürfen es verwenden.
check-allowed-grant = Sie dürfen es im Rahmen Ihres Nutzungsrechts verwenden.
check-allowed-license = Sie dürfen es im Rahmen der Lizenz verwenden.
check-need-grant = Sie benötigen ein Nutzungsrecht.
check-not-available = Nicht verfügbar.
check-why-owner = Diese Lizenz gehört Ihrer Organisation.
check-why-grant-covers = Das Nutzungsrecht legt fest, wofür, wo und bis wann.
check-why-permission = Die Lizenz ist mit Ihnen geteilt.
check-why-no-grant = Fragen Sie es bei den Rechteinhabern an.
check-why-grant-ended = Ihr Nutzungsrecht ist abgelaufen.
check-why-grant-not-started = Ihr Nutzungsrecht hat noch nicht begonnen.
check-why-not-covered = Ihr Nutzungsrecht deckt es nicht ab.
check-why-not-visible = Die Lizenz ist für Sie nicht sichtbar.
check-why-grant-revoked = Ihr Nutzungsrecht wurde widerrufen.
check-why-not-in-force = Die Lizenz gilt derzeit nicht.
check-skipped = Einige Bilder der Seite konnten nicht geprüft werden:
check-something-else = Etwas anderes prüfen
