"""What OpenCV finds in the same pictures: ORB with 1,000 features, the ratio test, and RANSAC over
turn, scale and shift, each picture also mirrored. Small pictures are scaled up first, as ours are.

Usage: oracle.py FOLDER. Reads FOLDER/references/NAME.png and FOLDER/copies/TRANSFORM/NAME.png and
prints JSON: by transform the number of agreeing features of each copy with its reference, and the
same for each copy with a few other references.
"""

import json
import os
import random
import sys

import cv2
import numpy

cv2.setNumThreads(1)
ORB = cv2.ORB_create(nfeatures=1000)
MATCHER = cv2.BFMatcher(cv2.NORM_HAMMING)
# The longer side of a picture as it is described.
SIDE = 512
# Other references that each copy is compared with.
OTHERS = 3


def agreeing(copy, reference):
    if copy[1] is None or reference[1] is None or len(reference[0]) < 2:
        return 0
    near = [pair for pair in MATCHER.knnMatch(copy[1], reference[1], k=2) if len(pair) == 2]
    good = [one for one, other in near if one.distance < 0.8 * other.distance]
    if len(good) < 3:
        return 0
    start = numpy.float32([reference[0][it.trainIdx].pt for it in good])
    end = numpy.float32([copy[0][it.queryIdx].pt for it in good])
    found, inside = cv2.estimateAffinePartial2D(start, end, ransacReprojThreshold=5.0)
    if found is None or not 0.08 <= numpy.hypot(found[0, 0], found[1, 0]) <= 8:
        return 0
    return int(inside.sum())


def features(path, mirrored=False):
    picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    by = SIDE / max(picture.shape)
    if by > 1:
        picture = cv2.resize(picture, None, fx=by, fy=by, interpolation=cv2.INTER_LINEAR)
    return ORB.detectAndCompute(cv2.flip(picture, 1) if mirrored else picture, None)


def main(folder):
    names = sorted(os.listdir(f"{folder}/references"))
    references = {name: features(f"{folder}/references/{name}") for name in names}
    chance = random.Random(1)
    copies, others = {}, []
    for transform in sorted(os.listdir(f"{folder}/copies")):
        found = copies[transform] = {}
        for name in sorted(os.listdir(f"{folder}/copies/{transform}")):
            path = f"{folder}/copies/{transform}/{name}"
            views = [features(path), features(path, mirrored=True)]
            found[name] = max(agreeing(view, references[name]) for view in views)
            for other in chance.sample(names, OTHERS):
                if other != name:
                    count = max(agreeing(view, references[other]) for view in views)
                    others.append([transform, name, other, count])
    print(json.dumps({"copies": copies, "others": others}))


main(sys.argv[1])
