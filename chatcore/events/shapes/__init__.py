"""The API's JSON shapes, a file for each noun.

Answers, the register state and events all take them from here, so that they cannot differ. A field
that is left UNSET is absent on the wire. Older wire names (`stream_id`, `subject`) start here.
"""
