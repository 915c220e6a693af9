"""HTML: rendering of tree and facts, code blocks, previews, search hits and changes of edits."""
