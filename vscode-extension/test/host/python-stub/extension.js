// Environments as the Python extension has them, and `select`, by which a test is the user who selects one.
const vscode = require("vscode");

exports.activate = () => {
  const changed = new vscode.EventEmitter();
  let selected;
  return {
    select(path) {
      selected = path;
      changed.fire({ path });
    },
    environments: {
      onDidChangeActiveEnvironmentPath: changed.event,
      getActiveEnvironmentPath: () => ({ id: selected ?? "none", path: selected ?? "none" }),
      resolveEnvironment: async ({ path }) =>
        path === "none" ? undefined : { id: path, path, executable: { uri: vscode.Uri.file(path) } },
    },
  };
};
