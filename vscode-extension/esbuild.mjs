// Bundles the extension and its web views into dist/. Options: --watch, --production (smaller, without source maps).
import * as esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const production = process.argv.includes("--production");

const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : "linked",
  logLevel: "info",
};

/** The half that runs in the extension host, under Node. */
const extension = {
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
};

/** The half that runs in web views, in a browser: one script and one style sheet for all of them. */
const webview = {
  ...common,
  entryPoints: [
    { in: "webview/main.ts", out: "webview" },
    { in: "webview/style.css", out: "webview" },
  ],
  outdir: "dist",
  platform: "browser",
  target: "es2022",
  format: "iife",
};

const bundles = [extension, webview];

if (watch) {
  for (const bundle of bundles) {
    const context = await esbuild.context(bundle);
    await context.watch();
  }
} else {
  await Promise.all(bundles.map((bundle) => esbuild.build(bundle)));
}
