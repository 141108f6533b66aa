#!/usr/bin/env python3
"""A survey that is spread over the workers of a Dask cluster.

Each package (a directory) is split into shares; a worker runs `camfort-rs survey --partial` on one of them and gives back the text of
the partial result, and `camfort-rs survey merge` adds these up. All workers must see the packages and the program under the same
paths, as on a cluster with a shared file system.

    pip install "dask[distributed]"
    python3 survey_dask.py --program camfort-rs --output study.json --format json all/*
    python3 survey_dask.py --scheduler tcp://head:8786 --shares 16 --output study.html --format html all/*

Without --scheduler, workers are started on this machine. A package of N files gives at most N tasks; one that fails is tried again on another
worker (--retries), and a task that was done twice does no harm, as the same file is counted once.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from dask.distributed import Client, LocalCluster, as_completed


def partial_result(program, package, share):
    """Runs one share of one package where it is called; the text of its partial result."""
    with tempfile.TemporaryDirectory() as folder:
        partial = Path(folder) / "partial.jsonl"
        command = [program, "survey", "--quiet", "--jobs", "1", "--share", share, "--partial", str(partial), package]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"{package}, share {share}: {run.stderr.strip()}")
        return partial.read_text()


def arguments():
    """What was typed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="+", help="directories, each a package")
    parser.add_argument("--program", default="camfort-rs", help="the program, as workers find it")
    parser.add_argument("--scheduler", help="address of a running cluster")
    parser.add_argument("--workers", type=int, help="workers on this machine, without --scheduler")
    parser.add_argument("--shares", type=int, default=4, help="parts of each package")
    parser.add_argument("--retries", type=int, default=2, help="how often a task that failed is tried again")
    parser.add_argument("--format", default="full", help="as of camfort-rs survey")
    parser.add_argument("--output", help="a file for the tables, instead of standard output")
    return parser.parse_args()


def main():
    """Maps the shares over the workers and merges what they give."""
    options = arguments()
    cluster = None if options.scheduler else LocalCluster(n_workers=options.workers, threads_per_worker=1)
    with Client(options.scheduler or cluster) as client, tempfile.TemporaryDirectory() as folder:
        packages = [str(Path(package).resolve()) for package in options.packages]
        tasks = [
            client.submit(partial_result, options.program, package, f"{share}/{options.shares}", retries=options.retries)
            for package in packages
            for share in range(1, options.shares + 1)
        ]
        files = []
        for number, task in enumerate(as_completed(tasks)):
            files.append(str(Path(folder) / f"{number}.jsonl"))
            Path(files[-1]).write_text(task.result())
            task.release()
        merge = [options.program, "survey", "merge", "--format", options.format]
        merge += ["--output", options.output] if options.output else []
        status = subprocess.run(merge + files, check=False).returncode
    if cluster is not None:
        cluster.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
