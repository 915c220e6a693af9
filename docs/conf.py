"""The site of the documentation: `make docs`."""

import sys
from pathlib import Path

from chatcore.settings import SERVICE_VERSION

sys.path.insert(0, str(Path(__file__).parent))  # for the package `site_pages`

project = "chatcore"
release = SERVICE_VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinxcontrib.svgbob", "site_pages"]
root_doc = "index"

myst_heading_anchors = 3
suppress_warnings = ["myst.header"]
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_class_signature = "separated"

html_theme = "furo"
html_title = "chatcore"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
