"""Makes the pictures of the likeness benchmark: downloads packages of Ubuntu and Debian with freely
licensed photographs and drawings (each package lists the licenses in its copyright file), checks
their SHA-256, scales the pictures to 1,024 pixels and drops near-duplicates.

Usage: corpus.py FOLDER. Needs Pillow, NumPy and dpkg-deb. About 1.3 GB are downloaded once. What was
interrupted is done again.
"""

import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import urllib.request

import numpy
from PIL import Image

SOURCES = {
    "https://archive.ubuntu.com/ubuntu/": (
        ["dists/noble/main", "dists/noble/universe"],
        r"(ubuntu-wallpapers-(?!groovy-raspi)\w+|xubuntu-community-wallpapers-\w+"
        r"|budgie-wallpapers-\w+|ubuntu-gnome-wallpapers-\w+"
        r"|ubuntu-mate-wallpapers-(photos|xenial|wily|legacy|vivid|jammy|artful))$",
    ),
    "https://deb.debian.org/debian/": (
        ["dists/bookworm/main"],
        r"(gnome-backgrounds|plasma-workspace-wallpapers|mate-backgrounds|ukui-wallpapers"
        r"|tuxpaint-stamps-default|wesnoth-1.16-data)$",
    ),
}
LONGEST = 1024
# Of 512 signs of differences between neighboring parts, fewer differ in near-duplicates.
SAME = 90


def packages(base, components, wanted):
    for component in components:
        url = f"{base}{component}/binary-amd64/Packages.xz"
        text = lzma.decompress(urllib.request.urlopen(url).read()).decode()
        for entry in text.split("\n\n"):
            fields = dict(re.findall(r"^(Package|Filename|SHA256): (.*)$", entry, re.M))
            if fields and re.match(wanted, fields["Package"]):
                yield fields


def unpack(folder):
    for base, (components, wanted) in SOURCES.items():
        for fields in packages(base, components, wanted):
            target = os.path.join(folder, fields["Package"])
            if os.path.isdir(target):
                continue
            data = urllib.request.urlopen(base + fields["Filename"]).read()
            if hashlib.sha256(data).hexdigest() != fields["SHA256"]:
                sys.exit(f"{fields['Package']}: wrong SHA-256")
            archive, unfinished = os.path.join(folder, "package.deb"), target + ".part"
            with open(archive, "wb") as file:
                file.write(data)
            shutil.rmtree(unfinished, ignore_errors=True)
            subprocess.run(["dpkg-deb", "-x", archive, unfinished], check=True)
            os.rename(unfinished, target)
            os.remove(archive)


def files(folder):
    found = []
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            place = os.path.relpath(path, folder)
            usable = re.search(r"\.(jpe?g|png|webp)$", name, re.I) and not os.path.islink(path)
            if not usable or os.path.getsize(path) < 12_000 or re.search("screenshot|thumb|preview", place):
                continue
            if "wesnoth" in place and "/portraits/" not in place:
                continue
            key = hashlib.sha256(place.encode()).hexdigest()
            found.append((f"{key[:12]}-{kind(place)}", path))
    return sorted(found)


def opened(path):
    picture = Image.open(path)
    picture.draft("RGB", (2 * LONGEST, 2 * LONGEST))
    if min(picture.size) < 200:
        return None
    if picture.mode in ("RGBA", "LA", "P"):
        picture = picture.convert("RGBA")
        ground = Image.new("RGBA", picture.size, (255, 255, 255, 255))
        ground.alpha_composite(picture)
        picture = ground
    picture = picture.convert("RGB")
    picture.thumbnail((LONGEST, LONGEST), Image.LANCZOS)
    return picture


def signs(picture):
    gray = picture.convert("L")
    across = numpy.asarray(gray.resize((17, 16), Image.BOX)).astype(int)
    down = numpy.asarray(gray.resize((16, 17), Image.BOX)).astype(int)
    return numpy.concatenate(
        [(across[:, 1:] > across[:, :-1]).ravel(), (down[1:] > down[:-1]).ravel()]
    )


def kind(place):
    if "wesnoth" in place:
        return "portrait"
    return "drawing" if "tuxpaint" in place else "photo"


def main(folder):
    Image.MAX_IMAGE_PIXELS = None
    unpacked, pictures = os.path.join(folder, "packages"), os.path.join(folder, "pictures")
    unfinished = pictures + ".part"
    shutil.rmtree(unfinished, ignore_errors=True)
    os.makedirs(unfinished)
    os.makedirs(unpacked, exist_ok=True)
    unpack(unpacked)
    seen = []
    for name, path in files(unpacked):
        picture = opened(path)
        if picture is None:
            continue
        own = signs(picture)
        if any((own != other).sum() < SAME for other in seen):
            continue
        seen.append(own)
        picture.save(os.path.join(unfinished, f"{name}.jpg"), quality=92)
    os.rename(unfinished, pictures)
    print(f"{len(seen)} pictures")


main(sys.argv[1])
