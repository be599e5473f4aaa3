// Builds web/dist: index.html, app-HASH.js, app-HASH.css, favicon.svg and the licences of what is bundled.
// Fails when the first load would be larger than the budget.
import { build, context } from 'esbuild';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

const BUDGET_BYTES = 100_000; // gzip of every file together
const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const watch = process.argv.includes('--watch');

const options = {
  absWorkingDir: root,
  entryPoints: { app: 'src/main.tsx' },
  bundle: true,
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: !watch,
  legalComments: 'none',
  charset: 'utf8',
  outdir: 'dist',
  write: false,
  metafile: true,
  logLevel: 'warning',
};

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 10);

/** The texts of the licences of every package whose code is in the bundle. */
async function licences(metafile) {
  const packages = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  const parts = [];
  for (const name of [...packages].sort()) {
    const folder = join(root, 'node_modules', name);
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    parts.push(`${name} ${version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`);
  }
  return parts.join('\n----\n\n');
}

async function emit(result) {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const names = {};
  for (const output of result.outputFiles) {
    const kind = output.path.endsWith('.css') ? 'css' : 'js';
    names[kind] = `app-${hashOf(output.contents)}.${kind}`;
    await writeFile(join(dist, names[kind]), output.contents);
  }
  const template = await readFile(join(root, 'src/index.html'), 'utf8');
  const page = template.replace('/app.js', `/${names.js}`).replace('/app.css', `/${names.css}`);
  await writeFile(join(dist, 'index.html'), page);
  await cp(join(root, 'src/favicon.svg'), join(dist, 'favicon.svg'));
  await writeFile(join(dist, 'licences.txt'), await licences(result.metafile));
}

async function checkBudget() {
  let total = 0;
  for (const name of (await readdir(dist)).sort()) {
    const bytes = await readFile(join(dist, name));
    const packed = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }).length;
    total += packed;
    console.log(`${name.padEnd(22)} ${String(bytes.length).padStart(7)} bytes, ${String(packed).padStart(6)} compressed`);
  }
  console.log(`${'together'.padEnd(22)} ${' '.repeat(14)} ${String(total).padStart(6)} compressed of ${BUDGET_BYTES} allowed`);
  if (total > BUDGET_BYTES) {
    console.error('The page is larger than its budget.');
    process.exit(1);
  }
}

if (watch) {
  const emitter = {
    name: 'emit',
    setup(plugin) {
      plugin.onEnd(async (result) => {
        if (result.errors.length === 0) await emit(result);
      });
    },
  };
  await (await context({ ...options, plugins: [emitter] })).watch();
  console.log('Watching src; the page is written to dist at each change.');
} else {
  await emit(await build(options));
  await checkBudget();
}
