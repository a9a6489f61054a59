"""Formats are found by themselves, by the names of their files; an unknown name is an error everywhere."""

import io
import subprocess
import sys

import pytest
import report_samples as samples

from dplint.cli.options import Output
from dplint.cli.writing import write_reports
from dplint.report import formats
from dplint.report.format import Format, Report
from dplint.report.formats import FormatError, UnknownFormatError, format_names, format_of
from dplint.report.gathered import gather


def report(**options):
    return Report(gather(samples.EVENTS), 1.0, lambda _file, _line: None, **options)


@pytest.mark.parametrize("name", format_names())
def test_a_format_has_the_name_of_its_file_and_says_what_it_is(name):
    found = format_of(name)
    stream = io.StringIO()
    found.write(report(), stream)

    assert found.name == name
    assert found.description
    assert "\n" not in found.description
    assert "noisy_max" in stream.getvalue().replace("\\", "")  # Markdown shows an underscore by a backslash before it


@pytest.mark.parametrize("name", ["srif", "", "Rich", "format", "__init__", "sarif.txt"])
def test_an_unknown_name_is_an_error_and_never_the_default(name, tmp_path):
    with pytest.raises(UnknownFormatError, match="is not one of 'concise', 'github', 'gitlab'"):
        format_of(name)
    with pytest.raises(UnknownFormatError):
        write_reports(report(), [Output(name, tmp_path / "report")])
    assert not (tmp_path / "report").exists()


def test_the_nearest_name_is_meant():
    with pytest.raises(UnknownFormatError, match="Did you mean 'sarif'"):
        format_of("srif")


@pytest.fixture
def added(monkeypatch, tmp_path):
    """Puts a further file among the formats."""

    def add(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
        monkeypatch.delitem(sys.modules, f"{formats.__name__}.{name}", raising=False)

    return add


@pytest.mark.parametrize(
    "text",
    [
        "",
        "FORMAT = 'plain'",
        "from dplint.report.formats.json import FORMAT",
    ],
)
def test_a_file_without_a_format_of_its_name_is_told_clearly(added, text):
    added("plain", text)

    with pytest.raises(FormatError, match=r'formats.plain has no format of its name: .* Format\("plain", \.\.\.\)'):
        format_of("plain")


def test_text_is_written_to_any_stream():
    stream = io.StringIO()
    Format.of_text("seconds", "how long it took", lambda one: f"{one.seconds}\n").write(report(), stream)

    assert stream.getvalue() == "1.0\n"


@pytest.mark.process
def test_a_list_of_formats_imports_none():
    code = "import sys; from dplint.report.formats import format_names; format_names(); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert [name for name in done.stdout.split() if name.startswith("dplint.report.formats.")] == []
