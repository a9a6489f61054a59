-- A user of Neovim: opens a file, reads what is shown, takes the fix, mends the bug, saves.
local user = dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h") .. "/neovim_user.lua")

user.tell(function(story)
  vim.cmd("edit " .. vim.fn.fnameescape(os.getenv("STORY_FILE")))
  user.see("DP007 DP901")
  story.before = vim.tbl_map(user.shown, vim.diagnostic.get(0))
  story.hover = user.ask("textDocument/hover", { position = { line = 5, character = 6 } }).contents.value
  story.lenses = vim.tbl_map(function(lens) return lens.command.title end, user.ask("textDocument/codeLens"))
  vim.fn.cursor(10, 14)
  story.actions = user.choose('Replace "epsilom" by "epsilon"')
  story.after_fix = user.see("DP901")
  story.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  user.replace(7, "scale=epsilon", "scale=1 / epsilon")
  vim.cmd("write")
  story.after_save = user.see("")
end)
