// Installs every contender in its own node_modules (pinned direct dependencies, no
// lock file), plus a Node from npm into .node/ (most contenders declare node >= 22).
// node setup.mjs [contender...] ; NODE_PKG=node@24.9.0 overrides the runtime, NODE_PKG= skips it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
const root = path.dirname(fileURLToPath(import.meta.url));
const npm = (cwd, ...a) => { console.log('npm', a.join(' '), 'in', path.relative(root, cwd) || '.'); execFileSync('npm', a, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: 180000 }); };
const rcFile = path.join(root, '.npmrc'); // optional: a registry of your own for every contender
const rc = fs.existsSync(rcFile) ? fs.readFileSync(rcFile) : undefined;
npm(root, 'install');
const pkg = process.env.NODE_PKG ?? 'node@24.9.0';
if (pkg) { const d = path.join(root, '.node'); fs.mkdirSync(d, { recursive: true }); fs.writeFileSync(path.join(d, 'package.json'), '{"private":true}'); if (rc) fs.writeFileSync(path.join(d, '.npmrc'), rc); npm(d, 'install', pkg); }
const list = process.argv.slice(2);
for (const c of fs.readdirSync(path.join(root, 'contenders'))) {
  const d = path.join(root, 'contenders', c);
  if ((list.length && !list.includes(c)) || !fs.existsSync(path.join(d, 'package.json'))) continue;
  if (rc && !fs.existsSync(path.join(d, '.npmrc'))) fs.writeFileSync(path.join(d, '.npmrc'), rc);
  try { npm(d, 'install'); } catch (e) { console.error('install of', c, 'failed:', e.message.split('\n')[0]); }
}
