"""Markdown as a tree and as HTML, parsed by markdown-it-py."""
