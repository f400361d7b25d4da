import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '../free-port.mjs'
import { prepareServerProgram } from '../server.mjs'
import { buildSpawnOptions, inRoot, isMain, node, run } from '../shared.mjs'
import { startMailServer } from './mail-server.mjs'

const FOLDER = 'test/attacks'
/** Functions that the scripts share. */
const SHARED = 'portal.mjs'
const START_MINUTES = 5

/**
 * Starts the built portal with new demo data in a folder and the given settings. Resolves to its URL and a function that
 * stops it.
 */
async function startDemoPortal(folder, settings) {
  const port = await findFreePort()
  const variables = { PORT: `${port}`, DATA_DIR: folder, LOG_LEVEL: 'error', ...settings }
  const options = buildSpawnOptions(variables)
  delete options.env.DATABASE_URL
  const portal = spawn(node, [...(await prepareServerProgram()), 'start'], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    if (portal.exitCode !== null || portal.signalCode !== null) return
    portal.kill('SIGTERM')
    await once(portal, 'exit')
  }
  const url = `http://127.0.0.1:${port}`
  for (const end = Date.now() + START_MINUTES * 60_000; Date.now() < end; await sleep(200)) {
    if (portal.exitCode !== null) throw new Error(`The portal to attack ended with exit code ${portal.exitCode}.`)
    if ((await fetch(`${url}/healthz`).catch(() => undefined))?.ok) return { url, stop }
  }
  await stop()
  throw new Error(`The portal to attack did not start within ${START_MINUTES} minutes.`)
}

/**
 * Runs one script and reads its last line, "N passed, N failed". A script without this line has failed. `known`: the
 * settings that an operator of the portal knows and a script may need: the folder with its sent e-mails, and the secret
 * for received ones.
 */
async function runScript(file, url, known) {
  const { output } = await run(node, [`${FOLDER}/${file}`, url, ...known])
  const total = /(\d+) passed, (\d+) failed\s*$/.exec(output)
  const failures = [...output.matchAll(/^✗ (.+)$/gm)].map(([, found]) => `${FOLDER}/${file} › ${found}`)
  return total
    ? { passed: Number(total[1]), failed: Number(total[2]), failures, output }
    : { passed: 0, failed: 1, failures: [`${FOLDER}/${file} ended early`], output }
}

/** Runs all attacks, or those with one of the names, one script after another, against a new portal with demo data. */
export async function runAllAttacks(names = []) {
  const folder = mkdtempSync(join(tmpdir(), 'stanchion-attacks-'))
  // Under root, PostgreSQL runs under another account, which has to traverse this folder.
  chmodSync(folder, 0o711)
  const sum = { passed: 0, failed: 0, failures: [], output: '' }
  const mailFolder = join(folder, 'sent')
  const mailServer = await startMailServer(mailFolder)
  try {
    const inboundSecret = randomBytes(32).toString('hex')
    const settings = { SMTP_URL: mailServer.url, MAIL_INBOUND_SECRET: inboundSecret }
    const { url, stop } = await startDemoPortal(join(folder, 'data'), settings)
    try {
      const files = readdirSync(inRoot(FOLDER)).filter(
        (name) =>
          name.endsWith('.mjs') && name !== SHARED && (!names.length || names.some((part) => name.startsWith(part))),
      )
      for (const file of files.toSorted()) {
        const found = await runScript(file, url, [mailFolder, inboundSecret])
        sum.passed += found.passed
        sum.failed += found.failed
        sum.failures.push(...found.failures)
        sum.output += `${file}\n${found.output}\n`
      }
    } finally {
      await stop()
    }
  } finally {
    await mailServer.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return sum
}

if (isMain(import.meta)) {
  const { output, failures, passed, failed } = await runAllAttacks(process.argv.slice(2))
  console.log(`${output}\n${failures.join('\n')}\n${passed} passed, ${failed} failed`)
  process.exitCode = failed ? 1 : 0
}
