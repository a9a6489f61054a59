"""The codes under which findings and verdicts are reported: a page of Markdown for each, in the folder `pages`."""

from dplint.codes.catalogue import CODES, Page, for_assistants, page, page_path

__all__ = ["CODES", "Page", "for_assistants", "page", "page_path"]
