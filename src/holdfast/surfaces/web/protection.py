"""What protects the pages in a browser: headers, the cookie, and the tokens of forms."""

from __future__ import annotations

import hmac
from hashlib import sha256

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Scripts and styles are files of this server; nothing is loaded from elsewhere."""
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""The headers of every page."""
_PURPOSE = b"holdfast form token"


def form_token(credential: str) -> str:
    """Return the token of a session's forms; it cannot be guessed without the cookie."""
    return hmac.new(credential.encode(), _PURPOSE, sha256).hexdigest()


def is_form_token(given: str, credential: str) -> bool:
    """Return whether a form has the token of its session."""
    return hmac.compare_digest(given.encode(), form_token(credential).encode())


def cookie_name(host: str) -> str:
    """Return the name of the cookie; browsers share cookies between the ports of one machine."""
    _, _, port = host.rpartition(":")
    return f"holdfast-{port}" if port.isascii() and port.isdigit() else "holdfast"
