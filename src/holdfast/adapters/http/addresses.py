"""Reads the parts of an address on the network."""

from __future__ import annotations


def host_of(url: str) -> str:
    """Return the host and port of an address, without a user name or a password."""
    from urllib.parse import urlsplit

    return urlsplit(url).netloc.rpartition("@")[2]


def is_local(url: str) -> bool:
    """Return whether an address is on this machine, so that nothing crosses a network."""
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
