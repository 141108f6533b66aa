-- What .ci/neovim has Neovim do.
local file, patience = "corpus/burgers.f90", 60000

local function check(holds, message)
  if not holds then
    io.stderr:write("neovim: " .. message .. "\n")
    vim.cmd("cquit")
  end
end

vim.cmd("edit " .. file)
local original = vim.api.nvim_buf_get_lines(0, 0, -1, true)
local client = vim.lsp.start_client({
  name = "camfort-rs",
  cmd = { vim.g.camfort_rs, "server" },
  root_dir = vim.fn.getcwd() .. "/corpus",
})
check(client, "the server does not start")
vim.lsp.buf_attach_client(0, client)
check(vim.wait(patience, function() return vim.lsp.buf_is_attached(0, client) end), "the server does not answer")

-- A wrong word in the first specification of 'flux'.
local line
for number, text in ipairs(original) do
  if text:find("backward.*:: flux") then line = number break end
end
vim.api.nvim_buf_set_lines(0, line - 1, line, true, { (original[line]:gsub("backward", "forward")) })
local function errors() return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR }) end
check(vim.wait(patience, function() return #errors() == 1 end), "there is no diagnostic, or more than one")
check(errors()[1].code == "S010", "the diagnostic is not S010")

local position = { line = errors()[1].lnum, character = errors()[1].col }
local document = { uri = vim.uri_from_bufnr(0) }
local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", {
  textDocument = document,
  range = { start = position, ["end"] = position },
  context = { diagnostics = {} },
}, patience)
local applied = false
for _, action in ipairs(answers[client].result) do
  if action.title:find("^Replace the specification") then
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
    applied = true
    break
  end
end
check(applied, "nothing repairs the specification")
check(vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, true), original), "the text is not what it was")
check(vim.wait(patience, function() return #errors() == 0 end), "the diagnostic stays")

local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", { textDocument = document, position = position }, patience)
check(hover[client].result and hover[client].result.contents.value:find("is read at"), "nothing is said of an array")
print("Neovim: 1 diagnostic, 1 code action, 1 hover\n")
vim.cmd("qall!")
