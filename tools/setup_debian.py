"""Fetch a Debian or Ubuntu package and unpack it in a folder, as an ordinary user.

apt is told to keep its state in a folder of ours and to use the package sources the machine is set up with. Nothing is
installed: `dpkg-deb -x` only unpacks. The machine's own package lists are tried first, which saves fetching them.
"""

from __future__ import annotations

import pathlib
import shutil

from setup_common import Project, logged


def available() -> bool:
    return all(shutil.which(tool) for tool in ("apt-get", "dpkg-deb"))


def _private_options(state: pathlib.Path) -> list[str]:
    folders = {
        "Dir::State": state / "state",
        "Dir::State::lists": state / "lists",
        "Dir::Cache": state / "cache",
        "Dir::Cache::archives": state / "cache" / "archives",
    }
    for folder in folders.values():
        (folder / "partial").mkdir(parents=True, exist_ok=True)
    options = [f"{name}={folder}" for name, folder in folders.items()]
    options += [
        "Dir::State::status=/var/lib/dpkg/status",
        "Dir::Log=" + str(state),
        "Debug::NoLocking=1",
        "APT::Sandbox::User=",
        "Acquire::Languages=none",
        "APT::Update::Post-Invoke-Success::=true",
    ]
    return [word for option in options for word in ("-o", option)]


def _download(package: str, folder: pathlib.Path, options: list[str], log: pathlib.Path) -> pathlib.Path | None:
    for stale in folder.glob("*.deb"):
        stale.unlink()
    if not logged(["apt-get", *options, "download", package], log, cwd=folder):
        return None
    found = sorted(folder.glob("*.deb"))
    return found[0] if found else None


def unpack(project: Project, package: str, target: pathlib.Path) -> bool:
    """Unpacks `package` under `target`; false, with the reason in the log, when it can't be had."""
    log = project.log("debian")
    if not available():
        return False
    downloads = project.deps / "debian"
    downloads.mkdir(parents=True, exist_ok=True)
    archive = _download(package, downloads, ["-o", "APT::Sandbox::User="], log)
    if archive is None:
        options = _private_options(project.deps / "apt")
        logged(["apt-get", *options, "update"], log)  # one bad source of many is no reason to stop
        archive = _download(package, downloads, options, log)
    if archive is None:
        return False
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    return logged(["dpkg-deb", "-x", archive, target], log)
