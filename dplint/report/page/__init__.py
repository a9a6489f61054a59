"""The report as one page of HTML: markup, parts of the page, pictures; style and filters in files of their own."""
