"""Looks for a display of the user from inside a desktop, and writes what it found: display.json."""

import json
import os
import socket
import sys

number, unix_folder, runtime_folder, cookie = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
found = []


def reach(name, family, address):
    try:
        with socket.socket(family, socket.SOCK_STREAM) as one:
            one.settimeout(3)
            one.connect(address)
            found.append(name)
    except OSError:
        pass


reach("tcp", socket.AF_INET, ("127.0.0.1", 6000 + number))
reach("socket", socket.AF_UNIX, f"{unix_folder}/X{number}")
reach("abstract", socket.AF_UNIX, f"\0{unix_folder}/X{number}")
reach("wayland", socket.AF_UNIX, f"{runtime_folder}/wayland-7")
for name, path in {"folder": f"{unix_folder}/X{number}", "runtime": f"{runtime_folder}/wayland-7", "cookie": cookie}.items():
    if os.path.exists(path):
        found.append(name)
names = ["XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]
found += [name for name in names if name in os.environ]
# The own display is there, so that nothing found means something.
own = []
with socket.create_connection(("127.0.0.1", 6000), 3):
    own.append("tcp")
with open("display.part", "w") as file:
    json.dump({"found": found, "display": os.environ.get("DISPLAY"), "own": own, "seen": sorted(os.listdir("."))}, file)
os.rename("display.part", "display.json")
