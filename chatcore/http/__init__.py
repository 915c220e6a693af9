"""The API over WSGI: the only package that knows Werkzeug."""
