"""Pages and pictures for browsers, which are the same for everybody."""
