"""The site of the documentation: `make docs`."""

import logging
import sys
from pathlib import Path

from chatcore.version import version as chatcore_version

HERE = Path(__file__).parent
sys.path[:0] = str(HERE), str(HERE.parent)  # for the packages `site_pages` and `tests`

# The stories that show the API are run for a page, and write no log to the terminal.
for name in ("chatcore", "peewee"):
    logging.getLogger(name).setLevel(logging.WARNING)

project = "chatcore"
release = chatcore_version()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinxcontrib.svgbob", "site_pages"]
root_doc = "index"

myst_heading_anchors = 3
suppress_warnings = ["myst.header"]
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_class_signature = "separated"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["drawings.css"]
html_title = "chatcore"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
