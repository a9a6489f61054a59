"""The language server: LSP over pygls; thin, as every front end: it calls `check` and renders with `report`."""
