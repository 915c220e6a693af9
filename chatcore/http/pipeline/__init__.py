"""The stations that every request passes on its way to an endpoint, and its answer on the way back."""
