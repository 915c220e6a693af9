"""Pages and pictures that are the same for everybody."""
