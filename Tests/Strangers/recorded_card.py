#!/usr/bin/env python3
"""A card of a dozen lines: it answers vpcd from a recorded exchange, and knows nothing of EMV.

usage: recorded_card.py TRACE [PORT]
"""
import socket
import sys

answers = {}
with open(sys.argv[1], encoding="utf-8") as trace:
    for line in trace:
        if line.startswith(">"):
            command = bytes.fromhex(line[1:].split("#")[0])
        elif line.startswith("<"):
            answers[command] = bytes.fromhex(line[1:].split("#")[0])

vpcd = socket.create_connection(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 35963))
stream = vpcd.makefile("rb")
while header := stream.read(2):
    body = stream.read(int.from_bytes(header, "big"))
    if body == b"\x04":
        answer = bytes.fromhex("3B80800101")
    elif len(body) > 1:
        answer = answers.get(body, bytes.fromhex("6A82"))
    else:
        continue
    vpcd.sendall(len(answer).to_bytes(2, "big") + answer)
