"""The API's JSON shapes, one file for each noun.

Answers, the register state and events all use these shapes, so that they cannot differ. A field that is left
UNSET is absent on the wire. Older wire names (`stream_id`, `subject`) start here.

Most shapes are dictionaries with known keys. Those that programs receive with attributes, or that have many
optional fields, are Structs; `objects.py` has them as dictionaries, for readers of events.
"""
