"""Worker processes: where audits run, so that the front ends stay light and can end an audit by killing it."""
