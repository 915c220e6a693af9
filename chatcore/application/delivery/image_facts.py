"""Uploaded images in the form for markup."""

from collections.abc import Sequence

from chatcore.domain.files.thumbnails import STILL, UploadedImage
from chatcore.domain.files.uploads import Attachment
from chatcore.markup import ImageFact
from chatcore.markup import ImageState as StateOfFact
from chatcore.storage import Snapshot


def image_fact(image: UploadedImage) -> ImageFact:
    """Return an uploaded image in the form for markup."""
    return ImageFact(
        width=image.width,
        height=image.height,
        content_type=image.content_type,
        state=StateOfFact(image.state.value),
        thumbnail=STILL.name,
        transcoded=image.transcoded,
        is_animated=image.is_animated,
    )


def image_facts(snapshot: Snapshot, files: Sequence[Attachment]) -> dict[str, ImageFact]:
    """Return the images in files, by the path ids of the files."""
    images = snapshot.images.of_files([file.id for file in files]) if files else {}
    return {file.path_id: image_fact(images[file.id]) for file in files if file.id in images}
