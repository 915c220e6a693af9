"""The rows of an organization for archives, and the exports that administrators have requested."""
