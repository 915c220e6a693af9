"""The HTTP API over WSGI, the only package that depends on Werkzeug."""
