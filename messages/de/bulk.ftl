### Sammelaktionen und die Seiten mit ihrem Fortschritt.

## Die Schaltflächen über einer Liste.

bulk-act-publish = Veröffentlichen
bulk-act-private = Auf privat setzen
bulk-act-expire = Beenden
bulk-act-share = Teilen
bulk-act-tag = Tags hinzufügen
bulk-act-untag = Tags entfernen
bulk-act-confirm = Als richtige Person markieren
bulk-act-dismiss = Als andere Person markieren
bulk-act-not-allowed = Als nicht erlaubt markieren
bulk-act-decline = Ablehnen
bulk-act-withdraw = Zurückziehen
bulk-act-export = Zeilen exportieren
bulk-select-one = Wählen Sie mindestens eine Zeile aus

## Die Bestätigung.

bulk-title = { $list ->
    [talents] { $count ->
        [one] { $action }: { $count } Talent
       *[other] { $action }: { $count } Talente
    }
    [mentions] { $count ->
        [one] { $action }: { $count } Erwähnung
       *[other] { $action }: { $count } Erwähnungen
    }
    [requests] { $count ->
        [one] { $action }: { $count } Anfrage
       *[other] { $action }: { $count } Anfragen
    }
   *[licenses] { $count ->
        [one] { $action }: { $count } Lizenz
       *[other] { $action }: { $count } Lizenzen
    }
}
bulk-question-publish = Alle werden diese Lizenzen im Katalog sehen
bulk-question-private = Nur diejenigen, mit denen Sie diese Lizenzen teilen, werden sie sehen
bulk-question-expire = Diese Lizenzen enden sofort
bulk-question-share = Wählen Sie eine Organisation
bulk-question-tag = Wählen Sie Tags
bulk-question-decline = Diese Anfragen werden abgelehnt
bulk-question-withdraw = Diese Anfragen oder Angebote werden zurückgezogen
bulk-question-decide = Alle diese Erwähnungen erhalten dieselbe Entscheidung
bulk-question-export = Diese Zeilen werden exportiert
bulk-no-undo = Das lässt sich nicht rückgängig machen.
bulk-undo-hint = Sie können das eine Minute lang rückgängig machen.
bulk-too-many = Zu viele Zeilen
bulk-too-many-why = Eine Sammelaktion kann höchstens { $count } Zeilen umfassen. Grenzen Sie die Liste mit Filtern ein.
bulk-share-with = Teilen mit
bulk-share-role = Berechtigung
bulk-share-viewer = Kann die Lizenzen ansehen und das Bildnis im erlaubten Rahmen nutzen
bulk-share-trustee = Handelt für die Talente: kann die Lizenzen ansehen und Erwähnungen prüfen
bulk-share-licensor = Kann die Lizenzen bearbeiten und Erwähnungen prüfen
bulk-tags-add = Tags, die hinzugefügt werden
bulk-tags-remove = Tags, die entfernt werden
bulk-tags-hint = Mehrere durch Kommas trennen.
bulk-reason = Grund
bulk-reason-hint = Die andere Partei sieht diesen Text.
bulk-row-gone = Eine Zeile, die es nicht mehr gibt
bulk-more = und { $count } weitere

## Was eine Sammelaktion tut.

bulk-publish = { $count ->
    [one] { $count } Lizenz veröffentlichen
   *[other] { $count } Lizenzen veröffentlichen
}
bulk-make-private = { $count ->
    [one] { $count } Lizenz auf privat setzen
   *[other] { $count } Lizenzen auf privat setzen
}
bulk-expire = { $count ->
    [one] { $count } Lizenz beenden
   *[other] { $count } Lizenzen beenden
}
bulk-share = { $count ->
    [one] { $count } Lizenz mit { $name } teilen
   *[other] { $count } Lizenzen mit { $name } teilen
}
bulk-tag = { $list ->
    [talents] { $count ->
        [one] Tags für { $count } Talent hinzufügen: { $tags }
       *[other] Tags für { $count } Talente hinzufügen: { $tags }
    }
   *[licenses] { $count ->
        [one] Tags für { $count } Lizenz hinzufügen: { $tags }
       *[other] Tags für { $count } Lizenzen hinzufügen: { $tags }
    }
}
bulk-untag = { $list ->
    [talents] { $count ->
        [one] Tags für { $count } Talent entfernen: { $tags }
       *[other] Tags für { $count } Talente entfernen: { $tags }
    }
   *[licenses] { $count ->
        [one] Tags für { $count } Lizenz entfernen: { $tags }
       *[other] Tags für { $count } Lizenzen entfernen: { $tags }
    }
}
bulk-confirm = { $count ->
    [one] { $count } Erwähnung als richtige Person markieren
   *[other] { $count } Erwähnungen als richtige Person markieren
}
bulk-dismiss = { $count ->
    [one] { $count } Erwähnung als andere Person markieren
   *[other] { $count } Erwähnungen als andere Person markieren
}
bulk-not-allowed = { $count ->
    [one] { $count } Erwähnung als nicht erlaubt markieren
   *[other] { $count } Erwähnungen als nicht erlaubt markieren
}
bulk-decline = { $count ->
    [one] { $count } Anfrage ablehnen
   *[other] { $count } Anfragen ablehnen
}
bulk-withdraw = { $count ->
    [one] { $count } Anfrage zurückziehen
   *[other] { $count } Anfragen zurückziehen
}
bulk-import = { $list ->
    [talents] { $count ->
        [one] { $count } Talent importieren
       *[other] { $count } Talente importieren
    }
   *[licenses] { $count ->
        [one] { $count } Lizenz importieren
       *[other] { $count } Lizenzen importieren
    }
}
bulk-undo-import = { $list ->
    [talents] { $count ->
        [one] Import von { $count } Talent rückgängig machen
       *[other] Import von { $count } Talenten rückgängig machen
    }
   *[licenses] { $count ->
        [one] Import von { $count } Lizenz rückgängig machen
       *[other] Import von { $count } Lizenzen rückgängig machen
    }
}
bulk-rows = { $list ->
    [talents] { $count ->
        [one] { $count } Talent
       *[other] { $count } Talente
    }
    [mentions] { $count ->
        [one] { $count } Erwähnung
       *[other] { $count } Erwähnungen
    }
    [requests] { $count ->
        [one] { $count } Anfrage
       *[other] { $count } Anfragen
    }
   *[licenses] { $count ->
        [one] { $count } Lizenz
       *[other] { $count } Lizenzen
    }
}
bulk-changed = { $did }: { $rows }
bulk-changed-some = { $did }: { $rows }. { $why }: { $skipped }
bulk-started = Sammelaktion gestartet

## Die Liste der Sammelaktionen und ihre Seiten.

bulk-list = Sammelaktionen und Importe
bulk-list-lead = Was Sie in den letzten 30 Tagen mit vielen Zeilen auf einmal getan haben.
bulk-list-none = Noch nichts
bulk-list-none-why = Wählen Sie Zeilen einer Liste aus oder importieren Sie eine Datei.
bulk-view-licenses = Lizenzen ansehen
bulk-action = Aktion
bulk-done = Erledigt
bulk-not-done = Nicht erledigt
bulk-started-at = Gestartet
bulk-ended-at = Beendet
bulk-refresh = Aktualisieren
bulk-stop = Anhalten
bulk-stop-question = Was erledigt ist, bleibt. Der Rest wird nicht geändert.
bulk-stopped = Angehalten
bulk-discard = Verwerfen
bulk-view-undo = Rücknahme ansehen
bulk-view-import = Import ansehen
bulk-view-undone = Ansehen, was zurückgenommen wurde
bulk-undo = Import rückgängig machen
bulk-undo-question = Was dieser Import erstellt hat, wird gelöscht, sofern es seitdem niemand geändert oder verwendet hat. Was er geändert hat, bleibt.
bulk-undo-started = Rücknahme gestartet
bulk-all = Alle Sammelaktionen
bulk-progress = Fortschritt
bulk-progress-of = { $done } von { $total }
bulk-status-checked = Noch nicht gestartet
bulk-status-running = Läuft
bulk-status-done = Erledigt
bulk-status-partly = Teilweise erledigt
bulk-status-failed = Nicht möglich
bulk-status-stopped = Angehalten
bulk-outcome = Was getan wurde
bulk-outcome-running = Läuft. Sie können diese Seite verlassen; es geht von selbst weiter.
bulk-outcome-done = Alles ist erledigt.
bulk-outcome-partly = Erledigt bis auf { $rows }. Die Gründe stehen unten.
bulk-outcome-failed = Nichts konnte erledigt werden. Die Gründe stehen unten.
bulk-outcome-stopped = Vor dem Ende angehalten. Nicht mehr bearbeitet: { $rows }.
bulk-did-publish = Veröffentlicht
bulk-did-make-private = Privat gemacht
bulk-did-expire = Beendet
bulk-did-share = Geteilt
bulk-did-tag = Mit Tags versehen
bulk-did-untag = Tags entfernt
bulk-did-confirm = Als richtige Person markiert
bulk-did-dismiss = Als andere Person markiert
bulk-did-not-allow = Als nicht erlaubt markiert
bulk-did-decline = Abgelehnt
bulk-did-withdraw = Zurückgezogen
bulk-did-undo-import = Gelöscht
bulk-did-undo = Rückgängig gemacht
bulk-undo-of = Rückgängig machen: { $what }
bulk-count-created = Erstellt
bulk-count-updated = Geändert
bulk-count-skipped = Unverändert
bulk-count-unneeded = War bereits so
bulk-count-failed = Konnten nicht geändert werden
bulk-problems = Was nicht möglich war
bulk-problems-download = Als CSV herunterladen
bulk-left = Unverändert gelassen
bulk-row = Zeile
bulk-why = Grund
