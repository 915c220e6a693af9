"""The parameters of requests: how they are declared, read and described."""
