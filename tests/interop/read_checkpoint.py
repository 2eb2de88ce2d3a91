#!/usr/bin/env python3
"""Reads a checkpoint of lookback, or any safetensors file of F32 and F64, with NumPy alone.

    read_checkpoint.py FILE               lists its texts and tensors
    read_checkpoint.py FILE --npz OUT     also writes the tensors to OUT, for numpy.load
"""
import argparse
import json
import sys
import zlib

try:
    import numpy as np
except ImportError:
    sys.exit(f"{sys.executable} has no NumPy; Debian's python3-numpy belongs to /usr/bin/python3")


# [read]
def read(path):
    """Its tensors by name, and its texts by name."""
    with open(path, "rb") as file:
        raw = file.read()
    start = 8 + int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8:start])
    texts = header.pop("__metadata__", {})
    if "checksum" in texts:  # of the file with zeros in the checksum's place
        place = raw.index(b'"checksum":"') + 12
        if f"{zlib.crc32(raw[:place] + b'0' * 8 + raw[place + 8:]):08x}" != texts["checksum"]:
            raise ValueError(f"{path}: damaged")
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        dtype = {"F32": "<f4", "F64": "<f8"}[entry["dtype"]]
        tensors[name] = np.frombuffer(raw[start + begin:start + end], dtype).reshape(entry["shape"])
    return tensors, texts
# [/read]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--npz", metavar="OUT")
    args = parser.parse_args()
    tensors, texts = read(args.file)
    for name, text in texts.items():
        lines = text.splitlines()
        if len(lines) > 1:
            text = f"{lines[0]} .. {lines[-1]}, {len(lines)} lines"
        print(f"{name}: {'right' if name == 'checksum' else text}")
    for name, x in tensors.items():
        print(f"{name} {list(x.shape)} {x.dtype}")
    if args.npz:
        np.savez(args.npz, **tensors)


if __name__ == "__main__":
    main()
