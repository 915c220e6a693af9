"""The parameters of requests: declaration, parsing and description."""
