#!/usr/bin/python3
"""The portable tree: what is in it, what it needs of the machine, and that it runs where it is unpacked.

usage: portable_test.py SCRIPTS_PACKAGE PROGRAM     PROGRAM: any known-answer program
"""

import hashlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import types
import zlib

TESTS = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "checks"), str(TESTS / "launch")]
import launch  # pylint: disable=wrong-import-position
from checks import Checks  # pylint: disable=wrong-import-position

PACKAGE, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:])
FOLDER = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
NAME = re.compile(r"ompprof-([0-9.]+)-linux-x86_64\.tar\.gz$")
LIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "ld-linux-x86-64.so.2"}
FILES = """bin/ompprof lib/libompprof.so lib/libompprof_older_ompt.so lib/libgomp_ompt.so lib/libgomp_reference_device.so
    include/ompprof.h share/ompprof/LICENSE share/ompprof/ompprof.f90 share/pkgconfig/ompprof.pc share/man/man1/ompprof.1
    share/bash-completion/completions/ompprof share/doc/ompprof/README.md share/doc/ompprof/profiler/docs/tutorial.md
    share/doc/ompprof/third_party/README share/doc/ompprof/third_party/GPL-3 share/doc/ompprof/third_party/LGPL-3""".split()
checks = Checks()


def run(*words, **options):
    """The output of a command that succeeds."""
    outcome = launch.run([str(word) for word in words], **{"env": launch.environment(), **options})
    assert outcome.status == 0 and not outcome.timed_out, outcome.describe()
    return outcome.out


def make():
    """(the tree where it is unpacked, the version, {file's name: file})"""
    made = run(PACKAGE, "--portable", f"--built={os.getcwd()}", f"--output={FOLDER}").split()
    version = next(NAME.search(path).group(1) for path in made if NAME.search(path))
    files = {os.path.basename(path): path for path in made}
    place = FOLDER / "another"
    place.mkdir()
    run("tar", "-C", place, "-xzf", files[f"ompprof-{version}-linux-x86_64.tar.gz"])
    return place / f"ompprof-{version}-linux-x86_64", version, files


def elf_files(tree):
    return [path for path in tree.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]


def needs(path):
    """What the loader looks for: names of libraries, and versions of their functions."""
    text = run("objdump", "-p", path)
    return re.findall(r"NEEDED +(\S+)", text), re.findall(r"0x[0-9a-f]{8} 0x\S\S \S\S (\S+)", text)


def is_old(version):
    number = re.fullmatch(r"GLIBC_2\.(\d+)(\.\d+)*", version)
    return number is not None and int(number.group(1)) <= 17


def check_contents(tree, version):
    absent = [name for name in FILES + [f"share/modulefiles/ompprof/{version}"]
              if not (tree / name).is_file() or (tree / name).stat().st_size == 0]
    checks.check(not absent, f"all files are there{''.join(' but ' + name for name in absent)}")
    third_party = tree / "share/doc/ompprof/third_party"
    packages = re.findall(r"^  package: (\S+)", (third_party / "README").read_text(), re.MULTILINE)
    packages += [path.name for path in third_party.glob("libstdc++-*-dev")]
    versions = (third_party / "versions").read_text()
    silent = [name for name in packages if f"\n{name} " not in "\n" + versions or not (third_party / name).is_file()]
    checks.check(len(packages) == 10 and not silent, f"notices and versions of {len(packages)} packages; none of {silent}")


def check_needs(tree):
    files = elf_files(tree)
    checks.check(len(files) == 5, f"{len(files)} files are programs and libraries")
    for path in files:
        libraries, versions = needs(path)
        checks.check(set(libraries) <= LIBC, f"{path.name} needs {libraries}")
        new = [version for version in versions if not is_old(version)]
        checks.check(versions and not new, f"{path.name} needs {len(versions)} versions, none above glibc 2.17 {new}")
        sections = run("readelf", "-W", "-S", path)
        checks.check(".debug_info" not in sections and ".symtab" not in sections, f"{path.name} is stripped")


def check_debug(tree, archive):
    """The debug symbols belong to the stripped files: by the checksum, as debuggers look."""
    run("tar", "-C", tree.parent, "-xzf", archive)
    for path in elf_files(tree):
        if path.parent.name == ".debug":
            continue
        debug = path.parent / ".debug" / f"{path.name}.debug"
        link = FOLDER / "link"
        run("objcopy", f"--dump-section=.gnu_debuglink={link}", path, FOLDER / "copy")
        wanted = debug.name.encode() + b"\0"
        checks.check(link.read_bytes().startswith(wanted) and debug.exists() and
                     int.from_bytes(link.read_bytes()[-4:], "little") == zlib.crc32(debug.read_bytes()),
                     f"{path.name} names its debug symbols")
        checks.check(".debug_info" in run("readelf", "-W", "-S", debug), f"{debug.name} has them")


def check_runs(tree, version):
    """With no environment at all, from another folder, and after a move."""
    moved = FOLDER / "moved"
    tree.rename(moved)
    ompprof = moved / "bin" / "ompprof"
    where = FOLDER / "work"
    where.mkdir()
    said = run(ompprof, "--version", env={}, folder=where)
    checks.check(said == f"ompprof {version}\n", f"--version says {said!r}")
    outcome = launch.run([str(ompprof), "record", "-q", "-o", "run.ompprof", "--", PROGRAM, "300"], env={}, folder=where)
    checks.check(outcome.status == 0 and not outcome.err and "truth" in outcome.out, f"record: {outcome.describe()[-500:]}")
    report = run(ompprof, "report", "--full", "run.ompprof", env={}, folder=where)
    checks.check("work_a" in report and "Parallel regions" in report, "the report has functions and regions")
    # Exceptions are caught: the unwinder finds the program's tables by what the floor has for it.
    outcome = launch.run([str(ompprof), "report", "--no-such-option"], env={}, folder=where)
    checks.check(outcome.status == 2 and "--no-such-option" in outcome.err, f"a wrong option: {outcome.describe()[-300:]}")
    return ompprof


def page_faults(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before


def check_start(ompprof):
    """A start takes few milliseconds: it touches few pages. With shared libraries, it touched 10 times those of `true`."""
    own, least = page_faults(ompprof, "--version"), page_faults("/bin/true")
    checks.check(own <= 7 * least, f"a start takes {own} page faults, that of `true` {least}")


def check_module(tree, version):
    """Environment Modules and Lmod read the module file in scripts/portability. Here Tcl does, by names of what it asks for."""
    if shutil.which("tclsh") is None:
        checks.skip("tclsh is not installed")
        return
    link = FOLDER / "site"
    link.symlink_to(tree / "share/modulefiles/ompprof" / version)
    script = FOLDER / "read.tcl"
    script.write_text("foreach name {module-whatis conflict prepend-path} {proc $name args \"puts \\[list $name {*}\\$args\\]\"}\n"
                      f"set ModulesCurrentModulefile {link}\nsource {link}\n")
    read = run("tclsh", script).splitlines()
    checks.check(f"prepend-path PATH {tree}/bin" in read and f"prepend-path CPATH {tree}/include" in read, f"module: {read}")


def check_recipe(tree, recipe, archive):
    """Spack is not here: a stand-in for what the recipe takes of it."""
    said, spack = {}, types.ModuleType("spack.package")
    spack.Package = object
    spack.license = lambda name: said.update(license=name)
    spack.version = lambda name, sha256: said.update(version=name, sha256=sha256)
    spack.requires = lambda *wanted: said.update(requires=wanted)
    spack.install_tree = lambda source, prefix: shutil.copytree(source, prefix, dirs_exist_ok=True)
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": spack})
    names = {}
    exec(compile(pathlib.Path(recipe).read_text(encoding="utf-8"), recipe, "exec"), names)  # pylint: disable=exec-used
    package = names["Ompprof"]
    digest = hashlib.sha256(pathlib.Path(archive).read_bytes()).hexdigest()
    checks.check(said.get("sha256") == digest and os.path.basename(package.url) == os.path.basename(archive),
                 f"the recipe is that of {os.path.basename(archive)}: {said}")
    os.chdir(tree)
    package().install(None, str(FOLDER / "prefix"))
    checks.check((FOLDER / "prefix/bin/ompprof").exists(), "the recipe installs the tree")


def main():
    tree, version, files = make()
    archive = files[f"ompprof-{version}-linux-x86_64.tar.gz"]
    check_contents(tree, version)
    check_needs(tree)
    check_module(tree, version)
    check_recipe(tree, next(path for path in files.values() if path.endswith("package.py")), archive)
    check_debug(tree, files[f"ompprof-{version}-linux-x86_64-debug.tar.gz"])
    check_start(check_runs(tree, version))
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
