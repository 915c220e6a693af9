"""Messages that are not sent yet."""

from chatcore.application import drafts
from chatcore.chat.noun import Noun, use_case


class Drafts(Noun):
    """What is to be written is a `domain.drafts.DraftContent`."""

    list = use_case(drafts.list_drafts)
    create = use_case(drafts.create_drafts)
    edit = use_case(drafts.edit_draft)
    delete = use_case(drafts.delete_draft)
