-- A user of Neovim: sees a violation, takes the repair that is proved, saves, and sees the proof.
local user = dofile(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h") .. "/neovim_user.lua")

local function lenses()
  return vim.tbl_map(function(lens) return lens.command.title end, user.ask("textDocument/codeLens") or {})
end

local function see_lens(part)
  local titles = {}
  local function seen()
    titles = lenses()
    return table.concat(titles, "\n"):find(part, 1, true) ~= nil
  end
  if not vim.wait(60000, seen, 300) then
    error("waited for a lens with '" .. part .. "', and saw: " .. table.concat(titles, "; "))
  end
  return titles
end

user.tell(function(story)
  vim.cmd("edit " .. vim.fn.fnameescape(os.getenv("STORY_FILE")))
  local function refuted() return vim.tbl_contains(user.codes(), "DP901") end
  assert(vim.wait(60000, refuted, 50), "the violation never came")
  story.lenses = see_lens("1 repair, proved")
  for _, item in ipairs(vim.diagnostic.get(0)) do
    if item.code == "DP901" then vim.fn.cursor(item.lnum + 1, item.col + 1) end
  end
  story.actions = user.choose(os.getenv("STORY_ACTION"))
  story.text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  vim.cmd("write")
  story.lenses_after = see_lens("proved for every length")
  story.after_save = user.codes()
end)
