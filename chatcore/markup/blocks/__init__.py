"""Block rules: paragraphs, headings, quotes, fences, lists and tables."""
