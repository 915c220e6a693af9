"""Archives of the organization: writing and restoring them, and the exports that administrators request."""
