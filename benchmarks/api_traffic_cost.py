"""What it costs to keep the traffic of an exploration: `python -m benchmarks.api_traffic_cost`.

The same exploration of the example application with and without, in turns; ratios of the medians.
"""

from __future__ import annotations

import statistics
import sys
import time

from benchmarks.api_subjects import LARDER, explored, running

REPETITIONS = 3
EVENTS = 25


def main() -> int:
    seconds: dict[bool, list[float]] = {False: [], True: []}
    processor: dict[bool, list[float]] = {False: [], True: []}
    size = requests = 0
    for repetition in range(REPETITIONS):
        for kept in (False, True) if repetition % 2 else (True, False):
            with running(LARDER) as url:
                began, used = time.monotonic(), time.process_time()
                _, recording = explored(url, LARDER, seed=1, events=EVENTS, seconds=300, traffic=kept)
                seconds[kept].append(time.monotonic() - began)
                processor[kept].append(time.process_time() - used)
            if recording is not None:
                size, requests = len(recording.to_bytes()), len(recording.exchanges)
    wall = statistics.median(seconds[True]) / statistics.median(seconds[False])
    busy = statistics.median(processor[True]) / statistics.median(processor[False])
    print(f"{EVENTS} events, {requests} requests kept ({size / 1000:.0f} kB)")
    print(f"time: {wall:.2f} ×; processor time of jostle itself: {busy:.2f} ×")
    return 0


if __name__ == "__main__":
    sys.exit(main())
