-- What a user of Neovim can do and see. A story is told by a file beside this one, and written down as JSON.
local user = {}
local PATIENCE = 60000

function user.codes()
  local found = vim.tbl_map(function(item) return item.code or "" end, vim.diagnostic.get(0))
  table.sort(found)
  return found
end

function user.see(wanted)
  local function seen() return table.concat(user.codes(), " ") == wanted end
  if not vim.wait(PATIENCE, seen, 50) then
    error("waited for the codes '" .. wanted .. "', and saw '" .. table.concat(user.codes(), " ") .. "'")
  end
  return user.codes()
end

function user.ask(method, extra)
  local params = vim.tbl_extend("force", { textDocument = { uri = vim.uri_from_bufnr(0) } }, extra or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, PATIENCE) or {}) do
    if answer.error then error(method .. ": " .. vim.inspect(answer.error)) end
    return answer.result
  end
  error(method .. ": nobody answered")
end

function user.shown(item)
  local extra = (item.user_data or {}).lsp or {}
  return {
    code = item.code, source = item.source, message = item.message, severity = item.severity,
    line = item.lnum + 1, from = item.col, to = item.end_col,
    href = extra.codeDescription and extra.codeDescription.href,
    related = vim.tbl_map(function(one) return one.message end, extra.relatedInformation or {}),
  }
end

function user.choose(title)
  -- The menu of vim.lsp.buf.code_action(), answered as by a user; what it holds differs between versions.
  local titles, done = {}, false
  vim.ui.select = function(items, options, take)
    for _, item in ipairs(items) do titles[#titles + 1] = options.format_item(item) end
    for place, text in ipairs(titles) do
      if text == title then take(items[place], place) end
    end
    done = true
  end
  vim.lsp.buf.code_action()
  assert(vim.wait(PATIENCE, function() return done end, 50), "the menu of code actions never came")
  return titles
end

function user.replace(line, old, new)
  local text = vim.fn.getline(line)
  local from, to = text:find(old, 1, true)
  vim.fn.setline(line, text:sub(1, from - 1) .. new .. text:sub(to + 1))
end

function user.tell(steps)
  -- Each of the steps adds to the story; where one fails, the story says so.
  local story = {}
  local ok, problem = xpcall(function() steps(story) end, debug.traceback)
  if not ok then story.failed = tostring(problem) end
  local encode = vim.json and vim.json.encode or vim.fn.json_encode
  local out = assert(io.open(os.getenv("STORY"), "w"))
  -- An empty table of Lua is an object in JSON; the lists here are lists.
  out:write((encode(story):gsub('"after_save":{}', '"after_save":[]')))
  out:close()
  vim.cmd("qall!")
end

return user
