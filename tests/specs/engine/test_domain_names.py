"""Internationalized domain names in URLs: mapped, ignored and disallowed characters of UTS #46, and the Bidi rule."""

from __future__ import annotations

import json

from rig import Box

NAMES = {
    "münchen.de": "xn--mnchen-3ya.de",
    "MÜNCHEN.DE": "xn--mnchen-3ya.de",
    "faß.de": "xn--fa-hia.de",
    "ΣΑΣ.gr": "xn--mxa9ab.gr",
    "ｅｘａｍｐｌｅ．com": "example.com",
    "ex\u00adam\u206bple.com": "example.com",
    "日本語。jp": "xn--wgv71a119e.jp",
    "a\u2025b.com": None,
    "a\u2488com": None,
    "a\ufe12com": None,
    "\u1680a.com": None,
    "אבג.com": "xn--4dbcd.com",
    "אבגa.com": None,
    "\u06f0\u00df.com": "xn--zca912a.com",
    "xn--a.com": None,
    "xn--MNCHEN-3YA.de": "xn--mnchen-3ya.de",
    "\u0628\u200c\u0628.com": "xn--ngba799q.com",
    "\u06ef\u200c\u06ef.com": None,
    "\u7e71\U000115bf\u200d.com": "xn--1ug6928ac48e.com",
    "\u0628\u0601.com": None,
    "\U0003293120.com": "xn--20-9802c.com",
    "xn--xn---epa.com": None,
    "a..b": "a..b",
    "1.2.3": "1.2.0.3",
    "a.0x7f": None,
}


def test_hosts_of_urls(box: Box) -> None:
    box.write(
        {
            "a.cjs": f"""
                const hosts = {json.dumps(list(NAMES))}.map((name) => URL.parse(`https://${{name}}/x`)?.host ?? null);
                console.log(JSON.stringify(hosts));
            """
        }
    )
    assert dict(zip(NAMES, json.loads(box.run("a.cjs").stdout), strict=True)) == NAMES
