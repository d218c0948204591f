"""Read what a value encodes in base64."""

from __future__ import annotations


def decoded_text(value: str) -> str | None:
    """Return the printable text that the value encodes in base64, or None."""
    text = decoded_bytes(value).decode("latin-1")
    return text if text and text.isascii() and text.isprintable() else None


def decoded_bytes(value: str) -> bytes:
    """Return the bytes that the value encodes in base64; none if it encodes nothing."""
    from binascii import a2b_base64

    bare = value.rstrip("=")
    try:
        return a2b_base64(bare + "=" * (-len(bare) % 4), strict_mode=True)
    except ValueError:
        return b""
