-- What a user of Neovim does, step by step; tests/all/lsp_neovim.rs starts Neovim with it in a directory with `a.c`.
-- For Neovim 0.7, Debian's, and later. Ends with exit code 1 and a message at the first step that does not go as it should.

local patience = 120000

local function fail(what)
  io.stderr:write(what .. "\n")
  vim.cmd("cquit 1")
end

local function check(condition, what)
  if not condition then
    fail(what .. "\ndiagnostics: " .. vim.inspect(vim.diagnostic.get(0)) .. "\nbuffer: "
      .. table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"))
  end
end

-- Waits until a diagnostic of this rule stands in this line (from 0), or until there is none of it.
local function diagnostic(rule, line)
  local found
  vim.wait(patience, function()
    found = nil
    for _, one in ipairs(vim.diagnostic.get(0)) do
      if one.code == rule or (one.user_data and one.user_data.lsp and one.user_data.lsp.code == rule) then
        found = one
      end
    end
    return (found and found.lnum) == line
  end, 20)
  check((found and found.lnum) == line, rule .. " is not in line " .. tostring(line))
  return found
end

local function request(method, extra)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), extra or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, patience)
  for _, answer in pairs(answers or {}) do
    if answer.result then
      return answer.result
    end
  end
end

-- The line, from 0, that holds a text.
local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(text, 1, true) then
      return number - 1
    end
  end
  fail("no line has " .. text)
end

local function go_to(text)
  local line = line_of(text)
  local column = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]:find(text, 1, true)
  vim.api.nvim_win_set_cursor(0, { line + 1, column - 1 })
  return line
end

local function run()
  vim.cmd("edit a.c")
  local client = vim.lsp.start_client({
    name = "anyrank",
    cmd = { vim.env.ANYRANK, "lsp" },
    root_dir = vim.fn.getcwd(),
  })
  check(client and vim.lsp.buf_attach_client(0, client), "the server does not start")

  -- The file as it is leaks a communicator; the receive gets what is sent.
  local leak = diagnostic("communicator-leak", line_of("MPI_Comm_dup"))
  check(leak.col == 4, "the leak's column is " .. leak.col)

  -- Hover, and the other side.
  go_to("MPI_Recv")
  local hover
  vim.wait(patience, function()
    hover = request("textDocument/hover")
    return hover ~= nil
  end, 100)
  check(hover and hover.contents.value:find("[1..np-1]", 1, true), "hover says " .. vim.inspect(hover))
  vim.lsp.buf.definition()
  local send = line_of("MPI_Send") + 1
  vim.wait(patience, function() return vim.api.nvim_win_get_cursor(0)[1] == send end, 20)
  check(vim.api.nvim_win_get_cursor(0)[1] == send, "the other side of the receive is not the send")

  -- An edit that is not saved brings a finding to its place, and taking it back takes it away.
  local line = line_of("MPI_Send")
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, false)[1]
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { (text:gsub("i, 7,", "i, 8,")) })
  local receive = line_of("MPI_Recv")
  local mismatch = diagnostic("tag-mismatch", receive)
  local column = vim.api.nvim_buf_get_lines(0, receive, receive + 1, false)[1]:find("MPI_Recv", 1, true) - 1
  check(mismatch.col == column, "the receive's column is " .. mismatch.col)
  vim.api.nvim_buf_set_lines(0, line, line + 1, false, { text })
  diagnostic("tag-mismatch", nil)

  -- Applies the first code action at the cursor that is as it should be.
  local function apply(is_meant, what)
    local action
    vim.wait(patience, function()
      local range = vim.lsp.util.make_range_params()
      local context = { diagnostics = {}, only = { "quickfix" } }
      for _, one in ipairs(request("textDocument/codeAction", { range = range.range, context = context }) or {}) do
        if not action and is_meant(one) then
          action = one
        end
      end
      return action ~= nil
    end, 200)
    check(action, "no code action for " .. what)
    vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
  end

  -- A code action removes the leak.
  go_to("MPI_Comm_dup")
  apply(function(action) return action.isPreferred end, "the leak")
  check(vim.fn.search("MPI_Comm_free(&own)", "nw") > 0, "the action does not free the communicator")
  diagnostic("communicator-leak", nil)

  -- Another writes a collective for the sends and receives, and the note about them is gone.
  diagnostic("use-collective", line_of("MPI_Send"))
  go_to("MPI_Send")
  apply(function(action) return vim.inspect(action.edit):find("MPI_Bcast", 1, true) end, "the broadcast by hand")
  check(vim.fn.search("MPI_Bcast(&x, 1, MPI_INT, 0, own)", "nw") > 0, "there is no broadcast")
  check(vim.fn.search("MPI_Send", "nw") == 0, "the sends are still there")
  diagnostic("use-collective", nil)
  vim.cmd("qall!")
end

local ok, why = pcall(run)
if not ok then
  fail(tostring(why))
end
