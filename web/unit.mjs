// Runs the unit tests beside the sources (src/**/*_test.ts) with node's own test runner.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const outdir = join(root, '.unit');

const entries = (await readdir(join(root, 'src'), { recursive: true }))
  .filter((name) => /_test\.tsx?$/.test(name))
  .map((name) => join('src', name));
if (entries.length === 0) throw new Error('no unit tests found');

await rm(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: entries,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: ['node18'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outdir,
  outbase: 'src',
  outExtension: { '.js': '.mjs' },
  sourcemap: 'inline',
  logLevel: 'warning',
});
const files = (await readdir(outdir, { recursive: true })).filter((name) => name.endsWith('_test.mjs'));
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files.map((name) => join(outdir, name))], {
  stdio: 'inherit',
});
await rm(outdir, { recursive: true, force: true });
process.exit(run.status ?? 1);
