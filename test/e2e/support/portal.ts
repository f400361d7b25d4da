import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../../../scripts/free-port.mjs'
import { node, programArguments, root } from '../../../scripts/shared.mjs'
import { copyDemoData } from '../../support/demo-world.ts'
import { copyDemoDatabase, demoPortalArguments, dropDatabase } from './demo-database.ts'
import { type SentEmail, startMailServer } from './letters.ts'

export type PortalSettings = Readonly<Record<string, string>>

export interface JourneyPortal {
  readonly origin: string
  /** E-mails that the portal has sent, oldest first. */
  readonly letters: readonly SentEmail[]
  readonly close: () => Promise<void>
}

interface PortalOptions {
  readonly settings?: PortalSettings
  /** If set, the portal serves the embedded database after this function has changed its data folder. */
  readonly embedded?: (folder: string) => Promise<void>
}

/**
 * Prepares the server for one copy of the demo data: Node arguments, settings, and a function that removes its
 * database.
 */
async function copyWorld(folder: string, port: number, { embedded }: PortalOptions) {
  if (embedded) {
    copyDemoData(folder)
    await embedded(folder)
    return { args: [...programArguments, 'start'], env: {}, remove: async () => {} }
  }
  const name = `demo_${port}`
  const env = { DATABASE_URL: await copyDemoDatabase(name, folder), LOG_LEVEL: 'warn' }
  return { args: demoPortalArguments('start'), env, remove: () => dropDatabase(name) }
}

/** Starts a portal on a copy of the demo data, with a mail server. */
export async function openPortal(options: PortalOptions = {}): Promise<JourneyPortal> {
  const port = await findFreePort()
  const post = await startMailServer()
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-portal-'))
  const { args, env, remove } = await copyWorld(folder, port, options)
  const origin = `http://127.0.0.1:${port}`
  const server = spawn(node, args, {
    cwd: root,
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      DATA_DIR: folder,
      PUBLIC_URL: origin,
      SMTP_URL: post.address,
      SECOND_FACTOR: 'off',
      ...options.settings,
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
    await remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    await post.close()
  }
  return { origin, letters: post.letters, close }
}
