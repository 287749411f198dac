#!/usr/bin/env python3
"""Taps the card in a PC/SC reader with pyscard and checks its cryptogram with pyemv.

None of Tapwire's code runs here. The terminal is as plain as one can be: it selects the first application of
the PPSE, fills the PDOL and CDOL1 with zeros but for the usual objects, reads every record, and computes the
cryptogram again from the issuer's test key.

usage: pyscard_tap.py READER COUNT IMK_VISA IMK_MASTERCARD
prints one line a tap: scheme, counter, cryptogram.
"""
import os
import sys

from pyemv import ac, kd
from smartcard.System import readers
from smartcard.util import toHexString

TERMINAL = {
    0x9F66: "36000000", 0x9F02: "000000001234", 0x9F03: "000000000000", 0x9F1A: "0528", 0x95: "0000000001",
    0x5F2A: "0978", 0x9A: "261130", 0x9C: "00", 0x9F35: "22", 0x9F33: "E068C8", 0x9F34: "1F0302", 0x9F21: "120000",
}


def tlvs(data):
    """Yields (tag, value) of each object, templates before what is in them."""
    offset = 0
    while offset < len(data):
        start = offset
        if data[offset] == 0:
            offset += 1
            continue
        offset += 1
        if data[start] & 0x1F == 0x1F:
            while data[offset] & 0x80:
                offset += 1
            offset += 1
        tag = int.from_bytes(data[start:offset], "big")
        length = data[offset]
        offset += 1
        if length > 0x80:
            count = length & 0x7F
            length = int.from_bytes(data[offset:offset + count], "big")
            offset += count
        value = data[offset:offset + length]
        offset += length
        yield tag, value
        if data[start] & 0x20:
            yield from tlvs(value)


def entries(dol):
    """Yields (tag, length) of each entry of a data object list."""
    offset = 0
    while offset < len(dol):
        start = offset
        offset += 1
        if dol[start] & 0x1F == 0x1F:
            while dol[offset] & 0x80:
                offset += 1
            offset += 1
        yield int.from_bytes(dol[start:offset], "big"), dol[offset]
        offset += 1


class Terminal:
    def __init__(self, connection):
        self.connection = connection

    def send(self, header, body=b""):
        command = bytes.fromhex(header) + (bytes([len(body)]) + body if body else b"") + b"\x00"
        response, sw1, sw2 = self.connection.transmit(list(command))
        if (sw1, sw2) != (0x90, 0x00):
            raise SystemExit(f"{command.hex()} was answered {sw1:02X}{sw2:02X}")
        return bytes(response)

    def fill(self, dol, values):
        filled = b""
        for tag, length in entries(dol):
            value = values.get(tag, b"")
            filled += value[:length].rjust(length, b"\x00")
        return filled

    def tap(self, issuer_keys):
        values = {tag: bytes.fromhex(value) for tag, value in TERMINAL.items()}
        values[0x9F37] = os.urandom(4)
        ppse = dict(tlvs(self.send("00A40400", b"2PAY.SYS.DDF01")))
        fci = dict(tlvs(self.send("00A40400", ppse[0x4F])))
        pdol = self.fill(fci.get(0x9F38, b""), values)
        card = dict(fci)
        card.update(tlvs(self.send("80A80000", bytes([0x83, len(pdol)]) + pdol)))
        locator = card.get(0x94, b"")
        for index in range(0, len(locator), 4):
            file, first, last, _ = locator[index:index + 4]
            for number in range(first, last + 1):
                card.update(tlvs(self.send(f"00B2{number:02X}{file | 4:02X}")))
        if 0x9F26 in card:
            return self.check_visa(card, values, issuer_keys["visa"])
        cdol = self.fill(card[0x8C], values)
        card.update(tlvs(self.send("80AE8000", cdol)))
        return self.check_mastercard(card, cdol, issuer_keys["mastercard"])

    def check_visa(self, card, values, issuer_key):
        pan, sequence = account(card)
        data = b"".join(values[tag] for tag in (0x9F02, 0x9F03, 0x9F1A, 0x95, 0x5F2A, 0x9A, 0x9C, 0x9F37))
        data += card[0x82] + card[0x9F36]
        version = card[0x9F10][2]
        key = kd.derive_icc_mk_b(issuer_key, pan, sequence) if version == 0x12 else kd.derive_icc_mk_a(
            issuer_key, pan, sequence)
        if version == 0x12:
            session = kd.derive_common_sk(key, card[0x9F36] + bytes(6))
            expected = ac.generate_ac(session, data + card[0x9F10], ac.PaddingType.EMV)
        elif version == 0x0A:
            expected = ac.generate_ac(key, data + card[0x9F10][3:7], ac.PaddingType.VISA)
        elif version == 0x11:
            data = values[0x9F02] + values[0x9F37] + card[0x9F36] + card[0x9F10][4:5]
            expected = ac.generate_ac(key, data, ac.PaddingType.VISA)
        else:
            raise SystemExit(f"cryptogram version {version:02X} is not known here")
        return report("visa", card, expected)

    def check_mastercard(self, card, cdol, issuer_key):
        pan, sequence = account(card)
        key = kd.derive_icc_mk_a(issuer_key, pan, sequence)
        session = kd.derive_common_sk(key, card[0x9F36] + bytes(6))
        data = cdol[:29] + card[0x82] + card[0x9F36] + card[0x9F10][2:8]
        return report("mastercard", card, ac.generate_ac(session, data, ac.PaddingType.EMV))


def account(card):
    digits = card.get(0x5A, b"").hex() or card[0x57].hex().split("d")[0]
    return digits.rstrip("f"), card.get(0x5F34, b"\x00").hex()


def report(scheme, card, expected):
    if card[0x9F26] != expected:
        raise SystemExit(f"{scheme}: cryptogram {card[0x9F26].hex()}, pyemv says {expected.hex()}")
    return f"{scheme} {card[0x9F36].hex()} {expected.hex().upper()}"


def main():
    name, count = sys.argv[1], int(sys.argv[2])
    keys = {"visa": bytes.fromhex(sys.argv[3]), "mastercard": bytes.fromhex(sys.argv[4])}
    reader = next(reader for reader in readers() if name in str(reader))
    for _ in range(count):
        connection = reader.createConnection()
        connection.connect()
        identifier, *_ = connection.transmit([0xFF, 0xCA, 0, 0, 0])
        print("ATR", toHexString(connection.getATR()), "UID", toHexString(identifier), flush=True)
        print(Terminal(connection).tap(keys), flush=True)
        # Takes the field away, as a terminal does after a payment.
        connection.disconnect()


main()
