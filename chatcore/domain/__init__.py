"""The rules of team chat as values and functions: no clock, no I/O, no framework.

Everything here can be imported and used without a store or a server.
"""
