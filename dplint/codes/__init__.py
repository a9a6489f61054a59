"""The codes under which findings and verdicts are reported: a page of Markdown for each, in the folder `pages`."""

from dplint.codes.catalogue import CODES, Page, page, page_path

__all__ = ["CODES", "Page", "page", "page_path"]
