### Seiten, die Nachweise überprüfen.

verify-title = Nachweis überprüfen
verify-lead = Sehen Sie, ob ein Nutzungsrecht heute gültig ist. Sie benötigen kein Konto.
verify-another = Weiteren Nachweis überprüfen
verify-file = Datei des Nachweises
verify-file-hint = Die Datei endet auf .sd-jwt. Wenn Sie ein Zertifikat haben, scannen Sie stattdessen seinen QR-Code.
verify-receipt = Nachweis oder geteilter Link
verify-receipt-hint = Wenn Sie keine Datei haben, fügen Sie den ganzen Text des Nachweises ein, der mit „ey“ beginnt, oder die Adresse eines Links.
verify-submit = Überprüfen
verify-about = Über Nachweise
verify-about-receipts = Ein Nachweis ist der signierte Beleg dafür, dass ein Lizenzgeber jemandem erlaubt hat, Name, Bild oder Bildnis einer Person zu nutzen. Wer ihn besitzt, entscheidet, welche Teile offengelegt werden. Wir prüfen die Signatur, den Zeitraum und ob das Nutzungsrecht widerrufen wurde.
verify-about-privacy = Wir speichern die Nachweise nicht, die Sie überprüfen.

## Geteilte Links.

verify-receipt-title = Nachweis { $number }
verify-shared = Geteilt vom Lizenznehmer.
verify-download = Nachweis herunterladen
verify-not-found = Seite nicht gefunden
verify-not-found-why = Der Link ist falsch oder unvollständig, oder der Lizenznehmer hat ihn zurückgezogen. Wenn Sie den Nachweis selbst haben, können Sie ihn weiterhin überprüfen.

## Das Ergebnis.

verify-result = Ergebnis
verify-valid = Gültig
verify-valid-meaning = Der Nachweis ist echt, und das Nutzungsrecht gilt.
verify-not-valid = Nicht gültig
verify-not-valid-meaning = Verlassen Sie sich nicht auf diesen Nachweis.
verify-over-meaning = Der Nachweis ist echt, aber das Nutzungsrecht gilt nicht.
verify-not-yet = Noch nicht gültig: beginnt am { $date }
verify-not-yet-meaning = Der Nachweis ist echt, erlaubt bis dahin aber nichts.
verify-unknown = Unbekannt
verify-unknown-meaning = Der Nachweis ist echt, aber wir konnten nicht prüfen, ob er noch gültig ist.
verify-checked = Geprüft: { $time }.
verify-reason-SIGNATURE = Er ist nicht von diesem Aussteller signiert. Er ist möglicherweise unvollständig, verändert oder gar kein Nachweis.
verify-reason-ISSUER = Ein anderer Server hat ihn ausgestellt. Überprüfen Sie ihn auf jenem Server.
verify-reason-DISCLOSURE = Ein offengelegter Teil wurde verändert oder gehört nicht zu diesem Nachweis.
verify-reason-NOT-STARTED = Das Nutzungsrecht hat noch nicht begonnen.
verify-reason-ENDED = Das Nutzungsrecht ist beendet.
verify-reason-REVOKED = Der Lizenzgeber hat das Nutzungsrecht widerrufen.
verify-reason-STATUS-STALE = Ohne aktuelle Statusliste ist nicht bekannt, ob das Nutzungsrecht widerrufen wurde.

## Was der Nachweis besagt.

verify-grant = Nutzungsrecht
verify-licensee = Lizenznehmer
verify-may-use = Darf das Bildnis nutzen von
verify-was-allowed = Durfte das Bildnis nutzen von
verify-granted-by = Erteilt von
verify-uses = Nutzungen
verify-territories = Gebiete
verify-starts = Beginn
verify-ends = Ende
verify-no-end-date = Kein Enddatum
verify-exclusive = Exklusiv
verify-channels = Kanäle
verify-conditions = Auflagen
verify-fee = Gebühr
verify-license = Lizenz
verify-number = Nummer
verify-issued = Nachweis ausgestellt
verify-not-disclosed = Nicht offengelegt
verify-not-limited = Nicht beschränkt
