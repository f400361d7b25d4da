import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeBlackPng } from '#test/support/bombs.ts'
import { copyDemoData } from '#test/support/demo-world.ts'
import { makeUploadForm } from '#test/support/uploads.ts'
import { findFreePort } from '../../scripts/free-port.mjs'
import { tamperWithDatabase } from '../e2e/support/tampering.ts'
import { processFolder, REPOSITORY_ROOT, type ServedPortal, servePortal, startProgram } from './portal.ts'
import { copyProductionFiles } from './production.ts'

// Tests exclusive use of a data folder, shutdown, and work in progress.

const env = { DATA_DIR: join(processFolder, 'data') }

beforeAll(() => copyDemoData(env.DATA_DIR))

/** A picture that needs 199 MB of memory when decoded. */
const great = makeBlackPng({ width: 8100, height: 8200 })

/** Uploads a picture to client 1. Returns the status and the width that the server has detected. */
async function sendPicture({ origin }: ServedPortal, bearer: string, bytes: Buffer): Promise<[number, number]> {
  const { headers, body } = makeUploadForm(bytes, 'great.png')
  const answer = await fetch(`${origin}/api/safety/uploads/1`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${bearer}` },
    body: new Uint8Array(body),
  })
  const { width } = (await answer.json()) as { width: number }
  return [answer.status, width]
}

/** Returns the cause of a failed request, which the message `fetch failed` hides. */
const whyOf = (e: Error): string => [e, e.cause].filter(Boolean).join(', because ')

/** Returns the resident memory of a server's process, in bytes. */
const memoryOf = ({ child }: ServedPortal): number =>
  1024 * Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }))

test('a killed company import is completed by the same command, without duplicates', async () => {
  const own = { DATA_DIR: join(processFolder, 'import') }
  cpSync(env.DATA_DIR, own.DATA_DIR, { recursive: true })
  const rows = Array.from({ length: 30_000 }, (_, i) => `KILLED ${i} LTD,${70_000_000 + i},Active`)
  const file = join(processFolder, 'companies.csv')
  writeFileSync(file, ['CompanyName,CompanyNumber,CompanyStatus', ...rows].join('\n'))

  const first = startProgram(['import', 'companies', file], own)
  await new Promise<void>((begun) =>
    first.child.stderr.on('data', () => /companies read/.test(first.said.err) && begun()),
  )
  first.child.kill('SIGKILL')
  await first.ended
  expect(first.child.signalCode).toBe('SIGKILL')

  const early = startProgram(['import', 'companies', file], own)
  expect([await early.ended, early.said.err]).toEqual([1, expect.stringContaining('can be resumed after a minute')])
  await tamperWithDatabase(own.DATA_DIR, "UPDATE run SET lease_until = now() WHERE kind = 'companies.import'")
  const second = startProgram(['import', 'companies', file], own)
  expect(await second.ended).toBe(0)
  const said = second.said.out + second.said.err
  expect(said).toMatch(/Resuming after row [\d,]+\./)
  expect(said).toContain('30,000 rows read: 30,000 added, 0 changed, 0 unchanged, 0 refused')
})

test('a second process that would use the same data folder or port is refused with an error message', async () => {
  const other = { DATA_DIR: join(processFolder, 'other') }
  cpSync(env.DATA_DIR, other.DATA_DIR, { recursive: true })
  const first = await servePortal(env)
  const second = startProgram(['start'], { ...env, PORT: String(await findFreePort()) })
  expect(await second.ended).toBe(1)
  expect(second.said.err.trim()).toBe(
    `The data folder ${env.DATA_DIR} is in use by another portal (process ${first.child.pid}). Stop that portal first, or set DATA_DIR to another folder.`,
  )
  expect((await first.call('GET', '/readyz')).status).toBe(200)
  for (const args of [['migrate'], ['user', 'create', '--username', 'x', '--password', 'harbour tin piano']]) {
    const command = startProgram(args, env)
    expect([args[0], await command.ended, command.said.err]).toEqual([args[0], 1, expect.stringContaining('is in use')])
  }
  const third = startProgram(['start'], { ...other, PORT: new URL(first.origin).port })
  expect(await third.ended).toBe(1)
  expect(third.said.err.trim()).toBe('This port is in use. Stop the other program, or set PORT to another number.')
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
})

test('active requests, including PDFs and pictures, are finished despite repeated signals to the process group', async () => {
  const server = await servePortal(env, { group: true })
  const signIn = () => server.signIn('admin.brick', 'Portal-demo-2026')
  const author = (await signIn()).token
  const { body } = await server.call('GET', '/api/safety/risk_assessments?itemsPerPage=1', undefined, author)
  const print = fetch(`${server.origin}${body['hydra:member'][0]['@id']}/pdf`, {
    headers: { authorization: `Bearer ${author}` },
  }).then(async (answer) => [answer.status, (await answer.bytes()).length > 10_000])
  const picture = sendPicture(server, author, await great)
  // The request is completed only after both signals, to ensure that the server is still running when the second signal
  // arrives.
  const half = request(`${server.origin}/api/security/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  half.write('{"username":"manager",')
  const answered = once(half, 'response').then(([answer]) => answer.statusCode)
  // Each user signs in only a few times, to stay below the limit of sign-in attempts.
  const people = ['admin.brick', 'worker.brick', 'manager', 'staff'].flatMap((name) => [name, name])
  const signIns = people.map((name) => server.signIn(name, 'Portal-demo-2026').then(({ token }) => typeof token))
  await Promise.race(signIns)
  const tellGroup = () => process.kill(-(server.child.pid as number), 'SIGTERM')
  tellGroup()
  await sleep(300)
  tellGroup()
  half.end('"password":"Portal-demo-2026"}')
  const outcomes = await Promise.all([print, picture, answered, ...signIns].map((asked) => asked.catch(whyOf)))
  const ended = await server.ended
  expect([outcomes, ended, server.said.err]).toEqual([
    [[200, true], [201, 8100], 200, ...people.map(() => 'string')],
    0,
    '',
  ])
})

test('decoding a picture uses no memory in the server process', async () => {
  const server = await servePortal(env)
  const { token } = await server.signIn('admin.brick', 'Portal-demo-2026')
  const bytes = await great
  const before = memoryOf(server)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(server))
  }, 20)
  const sent = await Promise.all([1, 2, 3].map(() => sendPicture(server, token, bytes)))
  clearInterval(watch)
  expect(sent).toEqual([1, 2, 3].map(() => [201, 8100]))
  expect(most - before).toBeLessThan(60_000_000)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('a production build serves requests, renders PDFs and decodes pictures without development packages', async () => {
  const { cwd, program } = await copyProductionFiles()
  expect(program).toBe('dist/server/cli.js')
  expect(['vitest', 'typescript', 'vite'].filter((name) => existsSync(join(cwd, 'node_modules', name)))).toEqual([])
  const server = await servePortal({ ...env, NODE_ENV: 'production' }, { cwd, program })
  expect((await server.call('GET', '/api/docs.json')).body.info.version).toBe('0.1.0')
  const { token } = await server.signIn('admin.brick', 'Portal-demo-2026')
  const authorization = `Bearer ${token}`
  const { body } = await server.call('GET', '/api/safety/risk_assessments?itemsPerPage=1', undefined, token)
  const print = await fetch(`${server.origin}${body['hydra:member'][0]['@id']}/pdf`, { headers: { authorization } })
  expect([print.status, (await print.bytes()).length > 10_000]).toEqual([200, true])
  expect(await sendPicture(server, token, await makeBlackPng({ width: 20, height: 10 }))).toEqual([201, 20])
  server.child.kill('SIGTERM')
  expect([await server.ended, server.said.err]).toEqual([0, ''])
})

test('a password typed at a terminal is not echoed', async () => {
  const program = `${process.execPath} src/app/cli.ts user create --username typed --client 0`
  // The terminal echoes input, as the first line proves, unless the program disables the echo.
  const terminal = spawn('script', ['-qec', `stty echo; echo ready; read first; ${program}`, '/dev/null'], {
    cwd: REPOSITORY_ROOT,
    env: { ...process.env, ...env, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'error' },
  })
  onTestFinished(() => void terminal.kill('SIGKILL'))
  let shown = ''
  terminal.stdout.on('data', (d) => (shown += String(d)))
  await expect.poll(() => shown).toContain('ready')
  terminal.stdin.write('seen while typed\n')
  await expect.poll(() => shown).toContain('(hidden while you type):')
  terminal.stdin.write('harbour tin piano\r')
  await expect.poll(() => shown).toContain('typed can sign in to client 0.')
  expect(shown).toContain('seen while typed')
  expect(shown).not.toContain('harbour')
})
