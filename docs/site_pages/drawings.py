"""Drawings from text: each has a sentence for readers who cannot see it, in place of its characters."""

from typing import Any, Final

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.transforms import SphinxTransform
from sphinxcontrib.svgbob.directive import SvgbobDirective
from sphinxcontrib.svgbob.transform import SvgbobToImageTransform


class Drawing(SvgbobDirective):
    """A drawing with the option `alt`: a sentence that says what it shows."""

    option_spec: Final = {**SvgbobDirective.option_spec, "alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        if "alt" not in self.options:
            raise self.error("A drawing needs `:alt:`, a sentence that says what it shows.")
        return super().run()


class AltOfDrawings(SphinxTransform):
    default_priority = SvgbobToImageTransform.default_priority + 1

    def apply(self, **kwargs: Any) -> None:
        for image in self.document.findall(nodes.image):
            if "svgbob" in image:
                image["alt"] = image["svgbob"]["options"]["alt"]
