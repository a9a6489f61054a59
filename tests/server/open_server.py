"""The server with one request more: `test/text` tells the text that it takes a document to have."""

import sys

from dplint.main import main
from dplint.server import features

_register = features.register_features


def _texts(ls, params):
    """As the documents of this server have it, and as those of pygls do."""
    uri = params.textDocument.uri
    return [ls.documents[uri].typed[0].text, ls.workspace.get_text_document(uri).source]


def _register_more(server):
    _register(server)
    server.feature("test/text")(_texts)


if __name__ == "__main__":
    features.register_features = _register_more
    sys.exit(main(["server"]))
