### Tags von Lizenzen und Talenten.

tag-list = Tags
tag-updated = Tags geändert
