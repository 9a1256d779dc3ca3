import { rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });

for (const [variant, fixed] of [
  ["plain", "false"],
  ["fixed", "true"],
]) {
  const shared = {
    bundle: true,
    jsx: "automatic",
    format: "esm",
    define: { __FIXED__: fixed, "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  };
  await build({
    ...shared,
    entryPoints: { client: "src/entry-client.jsx", styles: "src/styles.css" },
    outdir: `dist/${variant}/assets`,
    minify: true,
    sourcemap: true,
    target: "es2022",
  });
  await build({
    ...shared,
    entryPoints: ["src/entry-server.jsx"],
    outfile: `dist/${variant}/server.mjs`,
    platform: "node",
    packages: "external",
    target: "node20",
  });
}
