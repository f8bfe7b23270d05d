"""Whether what the kernels measured on a guest of so many nodes takes every path between them: check.py NODES FILE, and
with a third file whether all of it was simulated."""
import collections
import json
import sys

nodes = int(sys.argv[1])
records = [json.loads(line) for line in open(sys.argv[2])]


def stop(reason):
    sys.exit(f"{sys.argv[2]}: {reason}")


if len(sys.argv) > 3:
    rows = json.load(open(sys.argv[3]))["rows"]
    # Translations of addresses are measured to be shown, and not simulated.
    missing = [row for row in rows if row["simulated"] is None and row["quantity"] != "latency_on_small_pages"]
    if missing:
        stop(f"{len(missing)} of {len(rows)} rows are not simulated: {missing[0]['experiment']}: {missing[0]['reason']}")
    print(f"{nodes} nodes: of {len(rows)} rows all that have a workload are simulated")
    sys.exit()

measured = [record for record in records if record["record"] == "measurement"]
skipped = [record for record in records if record["record"] == "skipped"]
if skipped:
    stop(f"{skipped[0]['experiment']} was not possible: {skipped[0]['reason']}")
if not all(record["checked"] and record["values"] for record in measured):
    stop("a measurement without a checked value")
of = collections.defaultdict(set)
for record in measured:
    of[record["experiment"]].add(record["params"].get("node") or record["params"].get("step"))
every = {str(node) for node in range(nodes)}
for experiment in ("pointer_chase", "serial_bandwidth"):
    if of[experiment] != every:
        stop(f"{experiment} on the nodes {sorted(of[experiment])}, not on {nodes}")
if of["page_migration"] != {str(nodes - 1)}:
    stop("pages were not moved from the last node")
if "1" not in of["memory_go_around"]:
    stop("no memory went around")
pairs = [record["params"]["procs"] for record in measured if record["experiment"] == "core_to_core"]
# Of a node, of a pair of nodes, and between pairs.
distances = 2 if nodes == 2 else 3
if len(pairs) < distances:
    stop(f"core-to-core of {pairs} alone, and there are {distances} distances")
print(f"{nodes} nodes: {len(measured)} measurements, every node's memory from the first, {len(pairs)} distances between cores")
