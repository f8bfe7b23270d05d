"""Reads traces with Perfetto's official schema: no field that it does not know, slices that nest, areas under counters."""

import sys
from collections import Counter, defaultdict

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent


def unknown(message):
    """How many fields of a message and of all inside it the schema does not know."""
    count = len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type:
            count += sum(map(unknown, value)) if field.is_repeated else unknown(value)
    return count


def check(path):
    data = open(path, "rb").read()
    trace = Trace()
    trace.ParseFromString(data)
    assert unknown(trace) == 0, f"{path}: unknown fields"
    tracks = {p.track_descriptor.uuid: p.track_descriptor for p in trace.packet if p.HasField("track_descriptor")}
    names = {n.iid: n.name for p in trace.packet for n in p.interned_data.event_names}
    for track in tracks.values():
        assert not track.parent_uuid or track.parent_uuid in tracks, f"{path}: a track without its parent"
    kinds, open_slices, last, slice_bytes = Counter(), Counter(), defaultdict(int), 0
    for packet in trace.packet:
        if not packet.HasField("track_event"):
            continue
        event, at = packet.track_event, packet.timestamp
        kinds[event.type] += 1
        assert event.track_uuid in tracks
        if event.type in (TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_SLICE_END):
            slice_bytes += packet.ByteSize() + 2
            open_slices[event.track_uuid] += 1 if event.type == TrackEvent.TYPE_SLICE_BEGIN else -1
            assert open_slices[event.track_uuid] in (0, 1), f"{path}: slices of a thread overlap"
            assert at >= last[event.track_uuid], f"{path}: time runs backwards"
            last[event.track_uuid] = at
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            assert event.name_iid in names
    assert not any(open_slices.values()), f"{path}: a slice does not end"
    begins = kinds[TrackEvent.TYPE_SLICE_BEGIN]
    assert begins == kinds[TrackEvent.TYPE_SLICE_END] > 0
    print(f"{path}: {len(trace.packet)} packets, {begins} slices of {slice_bytes / begins:.1f} bytes,"
          f" {kinds[TrackEvent.TYPE_COUNTER]} values of counters, {kinds[TrackEvent.TYPE_INSTANT]} ends of arrows,"
          " no unknown field")


for name in sys.argv[1:]:
    check(name)
