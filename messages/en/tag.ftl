### Tags of licenses and talents.

tag-list = Tags
tag-updated = Tags updated
