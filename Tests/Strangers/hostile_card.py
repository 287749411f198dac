#!/usr/bin/env python3
"""A card that is wrong in one way, put into vpcd.

usage: hostile_card.py names|wanted-data|records|endless|silent [PORT]
"""
import socket
import sys
import time

FAULT = sys.argv[1]
VISA = bytes.fromhex("A0000000031010")


def tlv(tag, value):
    assert len(value) < 256
    return bytes.fromhex(tag) + (b"" if len(value) < 128 else b"\x81") + bytes([len(value)]) + value


def answer(command):
    if FAULT == "endless":
        return b"\x61\x10"
    if FAULT == "silent":
        time.sleep(3600)
    names = [VISA[:4], VISA * 3] if FAULT == "names" else [VISA]
    if b"2PAY.SYS.DDF01" in command:
        entries = b"".join(tlv("61", tlv("4F", name)) for name in names)
        return tlv("6F", tlv("84", b"2PAY.SYS.DDF01") + tlv("A5", tlv("BF0C", entries))) + b"\x90\x00"
    if command[1] == 0xA4:
        wanted = bytes.fromhex("9F66" if FAULT == "wanted-data" else "9F6604")
        return tlv("6F", tlv("84", VISA) + tlv("A5", tlv("9F38", wanted))) + b"\x90\x00"
    if command[1] == 0xA8:
        # Records 5 to 1.
        return tlv("77", tlv("82", b"\x20\x00") + tlv("94", bytes.fromhex("08050100"))) + b"\x90\x00"
    return b"\x6A\x83"


vpcd = socket.create_connection(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 35963))
stream = vpcd.makefile("rb")
while header := stream.read(2):
    body = stream.read(int.from_bytes(header, "big"))
    if body == b"\x04":
        response = bytes.fromhex("3B80800101")
    elif len(body) > 1:
        response = answer(body)
    else:
        continue
    vpcd.sendall(len(response).to_bytes(2, "big") + response)
