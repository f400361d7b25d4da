import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../scripts/free-port.mjs'
import { node, program, root } from '../../../scripts/shared.mjs'
import { copyDemoWorld } from '../../support/demo-world.ts'
import { type Letter, openPostOffice } from './letters.ts'

export interface JourneyPortal {
  readonly origin: string
  /** What it has sent by e-mail, oldest first. */
  readonly letters: readonly Letter[]
  readonly close: () => Promise<void>
}

/** How one portal differs from the others: settings beside the usual ones, and what is done to its data folder before. */
interface Difference {
  readonly settings?: Readonly<Record<string, string>>
  readonly prepare?: (folder: string) => Promise<void>
}

/** Starts a portal on a copy of the demo world, with a post office. */
export async function openPortal({ settings, prepare }: Difference = {}): Promise<JourneyPortal> {
  const port = await freePort()
  const post = await openPostOffice()
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-portal-'))
  copyDemoWorld(folder)
  await prepare?.(folder)
  const origin = `http://127.0.0.1:${port}`
  const server = spawn(node, [...program, 'start'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: origin,
      SMTP_URL: post.address,
      SECOND_FACTOR: 'off',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  server.stderr.on('data', (text) => (errors += String(text)))
  const ended = once(server, 'exit')
  while (!(await fetch(`${origin}/healthz`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error(`The portal ended: ${errors}`)
    await sleep(50)
  }
  const close = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    await post.close()
  }
  return { origin, letters: post.letters, close }
}
