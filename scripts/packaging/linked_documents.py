"""Prints the files that README.md leads to, README.md included: documents, pictures, sources. Folders are left out. Installed
under one folder by these names, the documents keep their links.

usage: linked_documents.py, in the source tree's folder
"""

import os
import re

LINK = re.compile(r"\]\(([^)\s#]+)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def linked(first):
    """`first` and all files that links lead to from it."""
    found = [first]
    for path in found:
        if not path.endswith(".md"):
            continue
        with open(path, encoding="utf-8") as file:
            targets = LINK.findall(CODE.sub("", file.read()))
        for target in targets:
            name = os.path.normpath(os.path.join(os.path.dirname(path), target))
            if ":" not in target and os.path.isfile(name) and name not in found:
                found.append(name)
    return found


if __name__ == "__main__":
    print("\n".join(linked("README.md")))
