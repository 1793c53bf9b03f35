"""What a command costs: CPU with its children, time, and memory of its whole process tree."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PAGE_MIB = os.sysconf("SC_PAGE_SIZE") / 2**20
SAMPLE_SECONDS = 0.005
PR_SET_CHILD_SUBREAPER = 36


class Usage(NamedTuple):
    """The cost of one finished command.

    `largest_mib` is the peak of its largest process, `tree_mib` the largest sum over all of them of
    what they do not share; both are sampled every 5 ms.
    """

    status: int
    cpu_s: float
    wall_s: float
    largest_mib: float
    tree_mib: float


class Peak:
    """The largest figures seen so far."""

    largest_mib = 0.0
    tree_mib = 0.0


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdout: int | None = None,
) -> Usage:
    """Runs a command to its end and gives its cost, that of every descendant included (Linux).

    Workers may be children of a server that outlives the command (`forkserver`): as their adoptive
    parent we wait for them as well, and so get their CPU.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], cwd=cwd, env=env, stdout=stdout)
    peak = Peak()
    ended = threading.Event()
    sampler = threading.Thread(target=sample, args=(process.pid, peak, ended))
    sampler.start()
    _, status, first = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    ended.set()
    sampler.join()
    usages = [first, *adopted()]
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    return Usage(process.returncode, cpu, wall, peak.largest_mib, peak.tree_mib)


def adopted() -> Iterator[resource.struct_rusage]:
    """The cost of descendants whose parents ended before them."""
    while True:
        try:
            yield os.wait4(-1, 0)[2]
        except ChildProcessError:
            return


def sample(root: int, peak: Peak, ended: threading.Event) -> None:
    """Keeps the peaks that a process tree was seen with until it ends."""
    while not ended.wait(SAMPLE_SECONDS):
        processes = tree(root)
        peak.tree_mib = max(peak.tree_mib, sum(map(private_mib, processes)))
        peak.largest_mib = max(peak.largest_mib, *map(high_water_mib, processes))


def tree(root: int) -> list[int]:
    """A process and all its descendants."""
    found = [root]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found += [int(word) for word in children.read_text().split()]
            except OSError:
                continue
    return found


def private_mib(pid: int) -> float:
    """Resident memory of one process without what it shares, 0 when it is gone."""
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return (int(resident) - int(shared)) * PAGE_MIB


def high_water_mib(pid: int) -> float:
    """The most that one process had resident since it began its program, 0 when it is gone.

    The kernel's own sum for children (`ru_maxrss`) would count what forked it as well.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def folder_bytes(folder: Path, pattern: str) -> int:
    """The bytes of all files of a folder that match."""
    return sum(path.stat().st_size for path in folder.glob(pattern))


def table(rows: Sequence[Sequence[object]]) -> str:
    """Rows as aligned text; the first is the heading, numbers stand to the right."""
    cells = [
        [f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
