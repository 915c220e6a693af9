"""The JSON that clients receive, a module for each noun: payloads of events, and the shapes of objects.

Answers, the register state and payloads all use these shapes, so that they cannot differ. A field that is
left UNSET is absent in the JSON. Older names of the API (`stream_id`, `subject`) start here. `event.py` has
the union of all payloads.

Most shapes are dictionaries with known keys. Those that programs receive with attributes, or that have many
optional fields, are Structs; `objects.py` has them as dictionaries, for readers of payloads.
"""
