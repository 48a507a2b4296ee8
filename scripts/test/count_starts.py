"""Counts the programs that start below processes, as the kernel tells of them. Needs Linux and root.

Each line of stdin names a process and its group: "PID NAME". When stdin ends, prints a JSON object of counts by name.
"""
import collections
import json
import os
import socket
import struct
import sys
import threading

NETLINK_CONNECTOR = 11
FORK, EXEC = 1, 2

kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, NETLINK_CONNECTOR)
kernel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
kernel.bind((os.getpid(), 1))
listen = struct.pack("=IIIIHHI", 1, 1, 0, 0, 4, 0, 1)
kernel.send(struct.pack("=IHHII", 16 + len(listen), 3, 0, 0, os.getpid()) + listen)

parents = {}
groups = {}
counts = collections.Counter()


def group_of(pid):
    seen = set()
    while pid not in groups:
        if pid in seen or pid not in parents:
            return None
        seen.add(pid)
        pid = parents[pid]
    return groups[pid]


def hear():
    while True:
        data = kernel.recv(65536)
        what = struct.unpack_from("=I", data, 36)[0]
        if what == FORK:
            _, parent, _, child = struct.unpack_from("=IIII", data, 52)
            if parent != child:
                parents[child] = parent
        elif what == EXEC:
            name = group_of(struct.unpack_from("=II", data, 52)[1])
            if name is not None:
                counts[name] += 1


threading.Thread(target=hear, daemon=True).start()
print("ready", flush=True)
for line in sys.stdin:
    number, name = line.rstrip("\n").split(" ", 1)
    groups[int(number)] = name
print(json.dumps(counts))
