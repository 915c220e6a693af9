"""Archives of an organization: all of its rows, and the exports that administrators have requested."""
