"""The files that a command left in its working directory."""

import hashlib
import os
import stat

PROFILE = ".ompprof"


def _describe(path):
    facts = os.lstat(path)
    kind = stat.filemode(facts.st_mode)
    if stat.S_ISLNK(facts.st_mode):
        return f"{kind} -> {os.readlink(path)}"
    if not stat.S_ISREG(facts.st_mode):
        return kind
    with open(path, "rb") as content:
        return f"{kind} {facts.st_size} {hashlib.sha256(content.read(1 << 22)).hexdigest()[:12]}"


def of(folder):
    """({path in the folder: its description}, [paths of profiles, which are not in the dictionary])"""
    files, profiles = {}, []
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(where, name)
            if name.endswith(PROFILE) and os.path.isfile(path):
                profiles.append(path)
            else:
                files[os.path.relpath(path, folder)] = _describe(path)
    return files, sorted(profiles)
