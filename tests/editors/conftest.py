"""A project for each module of tests: one editor opens it once, and the tests look at what it saw."""

import pytest

from tests.editors.editor_tools import make_project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_project(tmp_path_factory.mktemp("editor"))
