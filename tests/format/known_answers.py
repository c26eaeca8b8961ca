#!/usr/bin/env python3
"""Checks the known answers of docs/ucrypt/format.md with another implementation: the `cryptography` package and what it lacks, written from
the standards (RFC 9180, draft-irtf-cfrg-xchacha, RFC 5869).

    python3 tests/format/known_answers.py            checks the page
    python3 tests/format/known_answers.py --print    prints figures for it; `dk` is random, so it differs from run to run
"""

import hashlib
import hmac
import os
import struct
import sys
from base64 import b64decode, b64encode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESGCMSIV, ChaCha20Poly1305

PAGE = Path(__file__).parents[2] / "docs/ucrypt/format.md"


def framed(*parts):
    """list(a, b, ...) of the page."""
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(struct.pack("<I", len(part)) + part for part in raw)


def optional(value):
    return framed() if value is None else framed(value)


def extract(salt, ikm):
    return hmac.new(salt or bytes(32), ikm, hashlib.sha256).digest()


def expand(prk, info, length):
    block, out = b"", b""
    while len(out) < length:
        block = hmac.new(prk, block + info + bytes([len(out) // 32 + 1]), hashlib.sha256).digest()
        out += block
    return out[:length]


def hkdf(salt, ikm, info):
    return expand(extract(salt, ikm), info, 32)


class Hpke:
    """RFC 9180, base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, one message."""

    KEM = b"KEM" + struct.pack(">H", 0x20)
    SUITE = b"HPKE" + struct.pack(">HHH", 0x20, 0x01, 0x02)

    @staticmethod
    def labeled(suite, label, ikm, salt=b""):
        return extract(salt, b"HPKE-v1" + suite + label + ikm)

    @staticmethod
    def labeled_expand(suite, prk, label, info, length):
        return expand(prk, struct.pack(">H", length) + b"HPKE-v1" + suite + label + info, length)

    @classmethod
    def key_and_nonce(cls, shared, encapsulated, recipient, info):
        prk = cls.labeled(cls.KEM, b"eae_prk", shared)
        secret = cls.labeled_expand(cls.KEM, prk, b"shared_secret", encapsulated + recipient, 32)
        context = b"\0" + cls.labeled(cls.SUITE, b"psk_id_hash", b"") + cls.labeled(cls.SUITE, b"info_hash", info)
        prk = cls.labeled(cls.SUITE, b"secret", b"", secret)
        return (
            cls.labeled_expand(cls.SUITE, prk, b"key", context, 32),
            cls.labeled_expand(cls.SUITE, prk, b"base_nonce", context, 12),
        )

    @classmethod
    def open(cls, secret, wrapped, info, aad):
        private = X25519PrivateKey.from_private_bytes(secret)
        encapsulated, sealed = wrapped[:32], wrapped[32:]
        shared = private.exchange(X25519PublicKey.from_public_bytes(encapsulated))
        key, nonce = cls.key_and_nonce(shared, encapsulated, private.public_key().public_bytes_raw(), info)
        return AESGCM(key).decrypt(nonce, sealed, aad)

    @classmethod
    def seal(cls, public, message, info, aad):
        ephemeral = X25519PrivateKey.from_private_bytes(os.urandom(32))
        encapsulated = ephemeral.public_key().public_bytes_raw()
        shared = ephemeral.exchange(X25519PublicKey.from_public_bytes(public))
        key, nonce = cls.key_and_nonce(shared, encapsulated, public, info)
        return encapsulated + AESGCM(key).encrypt(nonce, message, aad)


def hchacha20(key, nonce):
    state = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key) + struct.unpack("<4I", nonce))

    def quarter(a, b, c, d):
        for one, other, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[one] = (state[one] + state[other]) & 0xFFFFFFFF
            mixed = state[third] ^ state[one]
            state[third] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for diagonal in range(4):
            quarter(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
    return struct.pack("<8I", *state[:4], *state[12:])


def xchacha20_poly1305(key, nonce, message, aad):
    return ChaCha20Poly1305(hchacha20(key, nonce[:16])).encrypt(bytes(4) + nonce[16:], message, aad)


def times(a, b):
    """The product in GF(256) with the polynomial 0x11d."""
    product = 0
    while b:
        if b & 1:
            product ^= a
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


DATA_KEY = bytes(range(0x20))
SECRET = bytes(range(0x40, 0x60))
SLOPE = bytes(number * number % 256 for number in range(32))
LABEL = ("p7Q2", "1", "kZ3bQ9xA")


def cell(cipher):
    aad = framed("UCRYPT", "1", cipher, *LABEL, "rf", "T", "5", "Choroba")
    key = hkdf(b"UCRYPT1 cell", DATA_KEY, aad)
    message = b"\x01AIDS\x80".ljust(32, b"\0")
    if cipher == "XC20P":
        nonce = bytes(range(24))
        sealed = xchacha20_poly1305(key, nonce, message, aad)
    else:
        nonce = bytes(range(12))
        sealed = (AESGCM if cipher == "A256GCM" else AESGCMSIV)(key).encrypt(nonce, message, aad)
    return aad, key, message, b64encode(nonce + sealed).decode()


def share(x):
    return bytes(s ^ times(a, x) for s, a in zip(SECRET, SLOPE))


def commitment(x):
    return hashlib.sha256(framed("UCRYPT1 share", "p7Q2", "1", x, share(x))).digest()


def statement(public):
    holders = [
        framed(name, x, optional(until), commitment(x), optional(None), optional(None))
        for x, (name, until) in enumerate((("patient", None), ("doctor", "2199-12-31"), ("payer", None)), 1)
    ]
    table = framed(
        "T", optional(None), optional("Id"), optional("/T/r"), optional("Id"), framed("Choroba", optional(None), optional("c:Choroba"))
    )
    return framed(
        *("UCRYPT1 policy", "p7Q2", "patient", "UCRYPT", "2", "1", "1", b64encode(public).decode(), "A256GCM", "rf", "32"),
        framed(*holders), framed(framed("c", "urn:c")), framed(table), b"",
    )


def figures(dk):
    aad, key, message, sealed = cell("A256GCM")
    public = X25519PrivateKey.from_private_bytes(SECRET).public_key().public_bytes_raw()
    mac_key = hkdf(b"UCRYPT1 policy", SECRET, b"mac")
    yield "associated data", aad.hex()
    yield "cell key", key.hex()
    yield "plaintext", message.hex()
    yield "A256GCM", sealed
    yield "A256GCM-SIV", cell("A256GCM-SIV")[3]
    yield "XC20P", cell("XC20P")[3]
    yield "pk", b64encode(public).decode()
    yield "dk", dk
    for x in 1, 2, 3:
        yield f"share {x}", share(x).hex()
    yield "mac key", mac_key.hex()


def in_the_policy():
    """What the policy of the page must hold besides."""
    public = X25519PrivateKey.from_private_bytes(SECRET).public_key().public_bytes_raw()
    for x in 1, 2, 3:
        yield f'commitment = "{b64encode(commitment(x)).decode()}"'
    code = hmac.new(hkdf(b"UCRYPT1 policy", SECRET, b"mac"), statement(public), hashlib.sha256).digest()
    yield f'code = "{b64encode(code).decode()}"'


def main():
    public = X25519PrivateKey.from_private_bytes(SECRET).public_key().public_bytes_raw()
    if sys.argv[1:] == ["--print"]:
        dk = Hpke.seal(public, DATA_KEY, b"UCRYPT1 dek", framed(*LABEL))
        for name, value in figures(b64encode(dk).decode()):
            print(f"    {name} = {value}")
        print(*in_the_policy(), sep="\n")
        return
    text = PAGE.read_text()
    lines = (line[4:].partition(" = ") for line in text.splitlines() if line.startswith("    ") and " = " in line)
    page = {name.strip(): value.strip() for name, _, value in lines}
    opened = Hpke.open(SECRET, b64decode(page["dk"]), b"UCRYPT1 dek", framed(*LABEL))
    wrong = [] if opened == DATA_KEY else ["dk"]
    wrong += [name for name, value in figures(page["dk"]) if page.get(name) != value]
    wrong += [line for line in in_the_policy() if line not in text]
    if wrong:
        sys.exit("not what another implementation computes: " + ", ".join(wrong))
    print("all known answers agree")


if __name__ == "__main__":
    main()
