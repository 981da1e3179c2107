"""Markdown as a tree, as HTML and as text for people; the parser is markdown-it-py's."""
