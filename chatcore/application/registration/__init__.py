"""The state that `POST register` returns, one file for each part."""
