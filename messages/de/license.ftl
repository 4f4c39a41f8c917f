### Lizenzen.

license-list = Lizenzen
license-list-lead = Wie Namen, Bilder und Bildnisse von Talenten genutzt werden dürfen.
license-list-owner = Inhaber der Lizenz
license-list-own = Eigene Lizenzen
license-list-all = Alle Lizenzen
license-list-search = Name, Talent, Inhaber oder externe ID suchen
license-catalog-search = Talente, Inhaber und Lizenzen suchen
license-list-not-found = Keine Lizenzen gefunden
license-list-not-found-why = Versuchen Sie es mit anderen Suchbegriffen oder weniger Filtern.
license-list-none-shared = Noch keine Lizenzen mit Ihnen geteilt
license-list-none-shared-why = Hier erscheinen Lizenzen, die eine Agentur oder ein Talent mit Ihnen teilt. Öffentliche Lizenzen finden Sie im Katalog.
license-list-open-catalog = Katalog öffnen
license-list-none = Noch keine Lizenzen
license-list-none-why = Eine Lizenz legt fest, wie das Bildnis eines Talents genutzt werden darf.
license-lesson-choose = Wählen Sie das Talent, die Nutzungen, die Gebiete und den Preis.
license-lesson-upload = Laden Sie Bilder hoch, damit das Gesicht erkannt wird.
license-lesson-publish = Veröffentlichen Sie die Lizenz im Katalog oder teilen Sie sie mit denen, die sie sehen dürfen.
license-sort-newest = Neueste zuerst
license-sort-oldest = Älteste zuerst
license-sort-updated = Zuletzt geändert
license-sort-least-updated = Am längsten nicht geändert
license-any-status = Beliebiger Status
license-any-use = Beliebige Nutzung
license-any-country = Beliebiges Land
license-any-currency = Beliebige Währung
license-tag = Tag
license-use = Nutzung
license-country = Land
license-price-from = Preis ab
license-price-to = Preis bis
license-created-from = Erstellt ab
license-created-to = Erstellt bis
license-expires-from = Ablauf ab
license-expires-to = Ablauf bis

## Die Arten von Lizenzen und die Nutzungen, die Lizenzen erlauben.

license-type-social-media = Social Media
license-type-advertising = Werbung
license-type-endorsement = Testimonial
license-type-ai-training = KI-Training
license-type-ai-generation = KI-Generierung
license-type-voice = Stimme
license-type-merchandise = Merchandise
license-type-custom = Individuell
license-status-draft = Entwurf
license-status-private = Privat
license-status-public = Öffentlich
license-status-expired = Abgelaufen
license-approval-not-needed = Nicht erforderlich
license-approval-once = Vor der ersten Nutzung
license-approval-each-use = Vor jeder Nutzung

## Was in einer Lizenz steht.

license-talent = Talent
license-owner = Inhaber
license-uses = Erlaubte Nutzungen
license-territories = Gebiete
license-starts = Beginn
license-starts-now = Sofort
license-ends = Ende
license-no-end = Kein Enddatum
license-dates-label = Laufzeit
license-dates-from = Ab { $date }
license-dates-until = Bis { $date }
license-dates = { $from } bis { $end }
license-fee = Gebühr
license-currency = Währung
license-fee-per = Gebühr pro
license-monitoring = Überwachung
license-monitoring-on = Ein
license-monitoring-on-long = Ein: Quellen und verbundene Plattformen werden nach Nutzungen durchsucht
license-monitoring-draft = Nicht, solange sie ein Entwurf ist. Beginnt, sobald die Lizenz privat oder öffentlich ist.
license-monitoring-expired = Nicht mehr, seit sie abgelaufen ist
license-monitoring-off = Aus
license-external-id = Externe ID
license-terms = Bedingungen
license-exclusive = Exklusiv
license-channels = Kanäle
license-approval = Freigabe
license-credit-line = Namensnennung
license-conditions = Auflagen
license-not-specified = Nicht angegeben
license-images = Referenzbilder
license-image-count = { $count ->
    [one] { $count } Bild
   *[other] { $count } Bilder
}

## Das Formular.

license-new = Neue Lizenz
license-new-lead = Legen Sie fest, wie, wo und wie lange das Bildnis eines Talents genutzt werden darf.
license-no-talent = Fügen Sie zuerst ein Talent hinzu
license-no-talent-why = Jede Lizenz bezieht sich auf das Bildnis eines Talents.
license-add-talent = Talent hinzufügen
license-create = Lizenz erstellen
license-edit = Lizenz bearbeiten
license-save = Änderungen speichern
license-back = Zurück zur Lizenz
license-upload-progress = Fortschritt des Uploads
license-section-who = Wer und was
license-section-where = Wo und wann
license-section-price = Preis
license-section-pictures = Bilder
license-section-watching = Überwachung
license-talent-hint = Die Person, deren Bildnis lizenziert wird. Suchen Sie nach Name, Alias oder externer ID.
license-uses-hint = Wählen Sie nichts aus, wenn die Lizenz keine erlaubten Nutzungen festlegt.
license-description-hint = Sichtbar für alle, die die Lizenz sehen können. Bis zu 5.000 Zeichen.
license-status-field-hint = Entwürfe sehen nur Ihre Organisation und alle, mit denen Sie sie teilen.
license-external-id-hint = Ihre eigene ID für diese Lizenz: Buchstaben, Ziffern und ._:-
license-territories-hint = Wählen Sie nichts aus, wenn die Lizenz keine Gebiete festlegt.
license-starts-hint = Zeitzone: { $zone }. Leer lassen, um sofort zu beginnen.
license-ends-hint = Zeitzone: { $zone }. Leer lassen, wenn es kein Enddatum gibt.
license-with-fee = bei einer Gebühr
license-fee-example = 1.500
license-fee-hint = Zum Beispiel 1.500,00 oder 1,500. 0 bedeutet kostenlos. Leer lassen, um die Gebühr später zu vereinbaren.
license-exclusive-hint = Nutzungsrechte aus dieser Lizenz sollen exklusiv sein.
license-channels-hint = Wo das Bildnis erscheinen darf, zum Beispiel Instagram oder TV. Ein Kanal pro Zeile, höchstens 10. Leer lassen, wenn es keine Einschränkung gibt.
license-approval-by-talent = Freigabe durch das Talent
license-credit-line-hint = Wie das Talent genannt wird.
license-conditions-hint = In einfachen Worten, zum Beispiel: Kein Alkohol. Bis zu 5.000 Zeichen.
license-other-terms = Weitere Bedingungen
license-other-terms-hint = Weitere Bedingungen, eine pro Zeile, zum Beispiel Auflage: 500.
license-advanced = Erweitert
license-terms-json = Bedingungen als JSON
license-terms-json-hint = Bedingungen für Programme, als JSON-Objekt. Leer lassen, wenn Sie keine brauchen.
license-monitor = Nutzungen überwachen
license-monitor-hint = Bei Ihren Quellen und auf verbundenen Plattformen nach Nutzungen dieses Bildnisses suchen. Entwürfe werden nicht überwacht.
license-kept-images = Bereits gewählte Bilder
license-kept-alt = Bild { $number }, { $size }
license-kept-note = Wird eine Stunde lang aufbewahrt. Entfernen Sie ein Häkchen, um ein Bild wegzulassen.
license-kept-hint = JPEG, PNG oder WebP. Bis zu 10 Bilder mit je 10 MiB.
license-created = Lizenz erstellt
license-updated = Lizenz geändert
license-deleted = Lizenz gelöscht
license-restored = Lizenz wiederhergestellt
license-edit-conflict = Jemand anderes hat diese Lizenz geändert, während Sie sie bearbeitet haben. Ihre Änderungen stehen unten; speichern Sie noch einmal, um sie zu übernehmen. Aktuelle Werte:
license-edit-pictures = Referenzbilder können Sie auf { $page } hinzufügen und entfernen.
license-edit-pictures-link = der Seite der Lizenz

## Die Seite einer Lizenz.

license-details = Details
license-id = Lizenz-ID
license-also-known-as = Auch bekannt als { $names }
license-your-access = Ihr Zugriff
license-access-owner = Diese Lizenz gehört Ihnen
license-access-licensor = Sie können diese Lizenz bearbeiten
license-access-trustee = Sie handeln für das Talent
license-access-viewer = Sie können diese Lizenz ansehen
license-version = Version { $number }
license-private-hint = Nur sichtbar für Ihre Organisation und alle, mit denen Sie die Lizenz teilen.
license-public-hint = Für alle im Katalog sichtbar.
license-expired-hint = Diese Lizenz ist abgelaufen.
license-publish = Veröffentlichen
license-expire = Beenden
license-make-private = Auf privat setzen
license-ended = Diese Lizenz ist abgelaufen. { $change }, um sie wieder zu aktivieren.
license-ended-link = Ändern Sie das Enddatum
license-status-changed = { $status ->
    [draft] Die Lizenz ist jetzt ein Entwurf
    [private] Die Lizenz ist jetzt privat
    [expired] Die Lizenz ist jetzt abgelaufen
   *[public] Die Lizenz ist jetzt öffentlich
}
license-make-offer = Angebot machen
license-grants = Nutzungsrechte
license-bookmark = Lesezeichen setzen
license-bookmark-remove = Lesezeichen entfernen
license-mentions = Erwähnungen
license-mentions-none = Noch keine Erwähnungen.
license-mentions-view = { $count ->
    [one] { $count } Erwähnung ansehen
   *[other] { $count } Erwähnungen ansehen
}
license-delete = Lizenz löschen
license-delete-hint = Entfernt die Lizenz und ihre Bilder aus allen Listen und aus dem Katalog. Sie können das eine Minute lang rückgängig machen; danach sind die Bilder endgültig gelöscht.

## Referenzbilder und das Katalogbild.

license-images-hint = JPEG, PNG oder WebP. Bis zu 10 Bilder mit je 10 MiB. Metadaten der Kamera (EXIF) werden entfernt.
license-images-none = Noch keine Bilder. Scanner erkennen das Bildnis anhand von Referenzbildern.
license-images-add = Bilder hinzufügen
license-images-upload = Hochladen
license-images-added = { $count ->
    [one] Bild hinzugefügt
   *[other] { $count } Bilder hinzugefügt
}
license-images-duplicate = Dieselbe Datei ist schon ein Bild von „{ $license }“.
license-images-resemble = Sieht aus wie ein Bild von „{ $license }“.
license-images-plain = Zu schlicht, um nach einem Zuschnitt erkannt zu werden; ganze Kopien werden trotzdem gefunden (Details: { $count }, nötig: { $least }).
license-images-featureless = Zu schlicht, um erkannt zu werden: Es gibt zu wenige Details.
license-images-told-more = und { $count } weitere
license-image-told = { $file }: { $hint }
license-image-unnamed = Bild { $number }
license-image-plain = Zu schlicht: Höchstens ganze Kopien werden erkannt (Details: { $count }, nötig: { $least })
license-image-removed = Bild entfernt
license-image-number = Referenzbild { $number }
license-image-alt = Referenzbild { $number }, { $width } × { $height }
license-picture = Katalogbild
license-picture-choose = Bild festlegen
license-picture-replace = Bild ersetzen
license-picture-public = Dieses Bild sehen alle im Katalog. Referenzbilder bleiben privat.
license-picture-later = Dieses Bild sehen alle im Katalog, sobald die Lizenz öffentlich ist. Referenzbilder bleiben privat.
license-picture-alt = Katalogbild, { $width } × { $height }
license-picture-none = Noch kein Bild. Der Katalog zeigt die Initialen des Talents.
license-picture-hint = JPEG, PNG oder WebP, bis zu 10 MiB. Der Katalog erhält eine Kopie mit höchstens 1.024 Pixeln und ohne Metadaten.
license-picture-copy = Kopie eines Referenzbilds verwenden
license-picture-upload = Bild hochladen
license-picture-or-upload = Oder ein Bild hochladen
license-picture-was-set = Katalogbild festgelegt
license-picture-removed = Katalogbild entfernt

## Teilen.

license-shared-with = Geteilt mit
license-shared-none = Nur Ihre Organisation hat Zugriff.
license-share = Lizenz teilen
license-share-button = Teilen
license-share-with = Teilen mit
license-share-role = Berechtigung
license-share-hint = Personen ohne Konto erhalten eine Einladung per E-Mail. Der Zugriff steht aus, bis sie die Einladung annehmen.
license-share-viewer = Kann ansehen: sieht die Lizenz, auch als Entwurf, und darf das Bildnis im erlaubten Rahmen nutzen
license-share-trustee = Handelt für das Talent: kann die Lizenz ansehen und Erwähnungen prüfen
license-share-licensor = Kann bearbeiten: kann die Lizenz ansehen und bearbeiten und Erwähnungen prüfen
license-role-viewer = kann ansehen
license-role-trustee = handelt für das Talent
license-role-licensor = kann bearbeiten
license-shared-person = Person · geteilt { $at }
license-shared-organization = Organisation · geteilt { $at }
license-shared-pending = noch nicht angenommen
license-shared-by-grant = durch ein gültiges Nutzungsrecht
license-shared = Lizenz mit { $name } geteilt
license-shared-by-email = Lizenz geteilt. Wir haben eine E-Mail an { $name } gesendet.
license-view-grant = Nutzungsrecht ansehen
license-revoke = Widerrufen
license-access-revoked = Zugriff widerrufen

## Der Verlauf und die Vorschau.

license-history = Verlauf
license-history-of = Verlauf von { $name }
license-history-lead = Alle Änderungen an dieser Lizenz, die neuesten zuerst.
license-history-kind = Art des Verlaufs
license-history-versions = Versionen
license-history-activity = Alle Aktivitäten
license-history-version = Version
license-history-by = Geändert von
license-history-changes = Änderungen
license-history-first = Die erste gespeicherte Version
license-history-same = Keine Änderungen an der Lizenz selbst
license-history-client = { $name } (API-Client)
license-history-staff = { $name } (Betreiberteam)
license-history-operator = Betreiber
license-history-system = Automatisch
license-history-user = Benutzer
license-history-action = Aktion
license-history-details = Details
license-history-caption = Aktivitäten
license-history-own = Was Ihre Organisation getan hat. Die Schritte anderer Parteien finden Sie in { $requests }.
license-history-own-link = deren Anfragen
license-history-none = Keine Aktivitäten
license-history-none-why = Protokolleinträge werden nur eine begrenzte Zeit aufbewahrt.
license-preview = Vorschau
license-preview-lead = So sieht die Lizenz im öffentlichen Katalog aus.
license-preview-unsaved = Vorschau: So sieht die Lizenz im Katalog aus. Es wurde noch nichts gespeichert.
license-preview-public = Diese Lizenz ist öffentlich. { $catalog }.
license-preview-public-link = Im Katalog ansehen
license-preview-private = Diese Lizenz ist nicht öffentlich und steht deshalb noch nicht im Katalog.

## Kopien und Vorlagen.

license-reuse = Wiederverwenden
license-duplicate = Duplizieren
license-duplicate-hint = Erstellt einen Entwurf mit demselben Inhalt, der mit niemandem geteilt ist.
license-duplicate-images = Referenzbilder kopieren
license-duplicated = Lizenz dupliziert. Die Kopie ist ein Entwurf, der mit niemandem geteilt ist.
license-templates = Lizenzvorlagen
license-templates-lead = Womit neue Lizenzen beginnen. Alle in Ihrer Organisation, die Lizenzen verwalten, können sie verwenden.
license-templates-how = Um eine Vorlage hinzuzufügen, speichern Sie das Formular einer neuen Lizenz oder eine bestehende Lizenz als Vorlage.
license-templates-view = Vorlagen ansehen
license-templates-manage = Vorlagen verwalten
license-template = Vorlage
license-template-content = Inhalt
license-template-source = Herkunft
license-template-own = Ihre Organisation
license-template-built-in = Mitgeliefert
license-template-start = Mit einer Vorlage beginnen
license-template-use = Verwenden
license-template-use-chosen = Vorlage verwenden
license-template-save-as = Als Vorlage speichern
license-template-save = Vorlage speichern
license-template-name = Name der Vorlage
license-template-name-hint = Zum Beispiel Social Media, 1 Jahr, DACH.
license-template-new-name = Neuer Name von { $name }
license-template-rename = Umbenennen
license-template-saved = Vorlage gespeichert: { $name }
license-template-saved-only = Vorlage gespeichert: { $name }. Die Lizenz selbst ist noch nicht gespeichert. { $templates }.
license-template-renamed = Vorlage umbenannt
license-template-deleted = Vorlage gelöscht
license-length-years = { $count ->
    [one] { $count } Jahr
   *[other] { $count } Jahre
}
license-length-months = { $count ->
    [one] { $count } Monat
   *[other] { $count } Monate
}
license-length-days = { $count ->
    [one] { $count } Tag
   *[other] { $count } Tage
}

## Die mitgelieferten Vorlagen, nach denen die damit erstellten Lizenzen heißen.

license-built-in-social-media = Social Media, 1 Jahr, DACH
license-built-in-advertising = Werbung, 6 Monate, Europäische Union
license-built-in-endorsement = Testimonial, 1 Jahr, USA und Kanada
license-built-in-merchandise = Merchandise, 2 Jahre, weltweit
license-built-in-ai-generation = KI-Generierung, 3 Monate, weltweit, jede Nutzung freigegeben
