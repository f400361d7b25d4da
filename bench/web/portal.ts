import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/free-port.mjs'
import { program } from '../../scripts/shared.mjs'

/** A portal with the demo world that pages are opened in. */
export interface Portal {
  readonly name: string
  readonly base: string
  stop(): Promise<void>
}

/** Starts the portal of a source tree, whose web is built, on a demo world of its own. */
export async function openPortal(name: string, tree: string): Promise<Portal> {
  if (!existsSync(join(tree, 'dist/web/index.html'))) throw new Error(`The web of ${tree} is not built: npm run build.`)
  const node = join(tree, 'node_modules/.bin/node')
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-web-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: folder, PORT: String(port), SECOND_FACTOR: 'off' }
  const made = spawnSync(node, ['src/app/cli.ts', 'demo'], { cwd: tree, env, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`The demo world could not be made: ${made.stderr}`)
  const child = spawn(node, [...program, 'start'], { cwd: tree, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((done) => child.once('exit', done))
  process.once('exit', () => child.kill())
  while (!(await fetch(`${base}/healthz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error('The portal did not start')
    await sleep(50)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { name, base, stop }
}
