"""More examples of each rule: `BAD` is flagged by it, `GOOD` is not, and none of `GOOD` has an error of any code."""
