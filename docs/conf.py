"""How Sphinx builds the site. It is run by scripts/site_build.py, on a copy of this folder and the generated pages."""

import dplint

project = "dplint"
author = "The dplint authors"
project_copyright = "The dplint authors, Apache License 2.0"
release = version = dplint.__version__

extensions = ["myst_parser", "sphinx_copybutton"]
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4  # links such as settings.md#the-cache are checked, too
exclude_patterns = ["_build"]
smartquotes = False  # --fix is no dash
highlight_language = "text"  # of blocks that name no language: output, not code

html_theme = "furo"
html_title = "dplint"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
pygments_style = "tango"
pygments_dark_style = "github-dark"
html_theme_options = {
    "sidebar_hide_name": True,
    "light_logo": "logo.svg",
    "dark_logo": "logo-dark.svg",
    "light_css_variables": {"color-brand-primary": "#1a5fb4", "color-brand-content": "#1a5fb4"},
    "dark_css_variables": {"color-brand-primary": "#78aeed", "color-brand-content": "#78aeed"},
}

copybutton_prompt_text = "$ "  # commands are copied without their prompts and their output
copybutton_exclude = ".linenos"
