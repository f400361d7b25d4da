import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPortal } from '#app/server.ts'
import { readConfig } from '#server/config.ts'
import { QueueWorkers } from '#server/jobs/workers.ts'
import { serialiseErrorForLog } from '#server/log.ts'
import { makeQuoteWorld } from '../support/quotes.ts'

/** Received e-mails, without encoded line breaks. */
const letters: string[] = []
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  logger: false,
  onData: (stream, _session, done) => {
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      letters.push(
        String(Buffer.concat(parts))
          .replace(/=\r?\n/g, '')
          .replace(/=3D/g, '='),
      )
      done()
    })
  },
})
beforeAll(() => new Promise<void>((done) => mail.listen(0, '127.0.0.1', done)))
afterAll(() => new Promise<void>((done) => mail.close(() => done())))

const PAGE = { 'x-requested-with': 'portal' }
const PASSWORDS = ['umbrella stand seven', 'kettle moss ladder']
const signature = {
  name: 'Ann Carter',
  method: 'finger',
  strokes: [
    [
      [0.1, 0.5],
      [0.9, 0.6],
    ],
  ],
  width: 340,
  height: 160,
}

/** Starts a portal that logs everything and sends its e-mails to this server. */
async function world() {
  const w = await makeQuoteWorld()
  const lines: string[] = []
  const log = pino(
    { level: 'trace', serializers: { err: serialiseErrorForLog } },
    { write: (line: string) => lines.push(line) },
  )
  const config = readConfig({
    DATA_DIR: '/nonexistent',
    PUBLIC_URL: 'https://portal.example',
    SMTP_URL: `smtp://127.0.0.1:${(mail.server.address() as AddressInfo).port}`,
  })
  const { engine, app } = await createPortal(w.portal.db, config, log as never)
  engine.security.writeLinesTo(log)
  const workers = new QueueWorkers(engine, log)
  const call = async (method: 'GET' | 'POST', url: string, payload?: object, headers: Record<string, string> = {}) => {
    const body = payload ? { payload: JSON.stringify(payload) } : {}
    const answer = await app.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      ...body,
    })
    expect([url, answer.statusCode < 300]).toEqual([url, true])
    return answer
  }
  return { w, lines, call, drain: () => workers.drain(), flush: () => engine.security.flush() }
}

const dumpOf = async ({ portal }: Awaited<ReturnType<typeof makeQuoteWorld>>): Promise<string> =>
  portal.db.tx('owner', async (tx) => {
    const tables = await tx.rows<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss')",
    )
    const texts: string[] = []
    for (const { name } of tables)
      texts.push(...(await tx.rows<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)).map(({ row }) => row))
    return texts.join('\n')
  })

test('neither the database nor the log contains a usable secret after a complete user journey', async () => {
  const { w, lines, call, drain, flush } = await world()
  const seen = letters.length
  const linkIn = (letter: string | undefined, path: string) =>
    letter?.split(`https://portal.example${path}/`)[1]?.match(/^[\w-]+/)?.[0]
  const sent = async (path: string): Promise<string> => {
    await drain()
    const token = letters
      .slice(seen)
      .map((l) => linkIn(l, path))
      .findLast((found) => found !== undefined)
    expect(token, path).toBeDefined()
    return String(token)
  }
  const client = await w.portal.client()
  const admin = await client.user({ roles: ['ROLE_CLIENT_ADMIN'], password: PASSWORDS[0] as string })
  const person = await client.user({ email: `pat.${client.id}@post.example` })
  const signIn = (who: { username: string }, password: string | undefined) =>
    call('POST', '/api/security/login', { username: who.username, client: client.id, password }, PAGE)

  const first = (await signIn(admin, PASSWORDS[0])).json()
  const as = { authorization: `Bearer ${first.token}` }
  await call('POST', `${person.iri}/invite`, {}, { ...as, 'idempotency-key': `invite ${client.id}` })
  const invited = await sent('/forgotten-my-password')
  await call('POST', '/api/security/password/forgot', { username: person.username, client: client.id })
  const forgotten = await sent('/forgotten-my-password')
  await call('GET', `/api/portal/password/reset/${forgotten}`)
  await call('POST', `/api/portal/password/reset/${forgotten}`, { password: PASSWORDS[1] })
  const opened = await signIn(person, PASSWORDS[1])
  const cookie = String(opened.headers['set-cookie']).split(';')[0] as string
  const renewed = await call('POST', '/api/security/renew', {}, { ...PAGE, cookie })

  const quote = await w.draft({ plans: [{ plan: w.plan }] })
  expect((await w.api.post(`${quote['@id']}/send`, {})).status).toBe(200)
  const customers = await sent('/quote')
  const shown = await w.api.post(`${quote['@id']}/link`, {}, { 'idempotency-key': `link ${client.id}` })
  await call('GET', `/api/financial/acceptances/${customers}`)
  await call('POST', `/api/financial/acceptances/${customers}/accept`, { signature })
  await drain()
  await flush()

  const secretOf = (link: string) => link.split('-').slice(2).join('-')
  const secrets = [
    ...PASSWORDS,
    first.token,
    opened.json().token,
    renewed.json().token,
    cookie.slice(cookie.indexOf('=') + 1),
    invited,
    forgotten,
    secretOf(customers),
    secretOf(String(/\/quote\/([\w-]+)/.exec(shown.text)?.[1])),
  ]
  for (const secret of secrets) expect(String(secret).length).toBeGreaterThan(15)
  const stored = await dumpOf(w)
  const log = lines.join('\n')
  // Harmless traces in the database and in the log prove that both were searched.
  expect(stored).toContain(createHash('sha256').update(forgotten).digest('base64url'))
  expect(log).toContain('/api/portal/password/reset/:token')
  for (const secret of secrets) expect([stored.includes(secret), log.includes(secret)]).toEqual([false, false])
  // The outbox retains nothing from a sent e-mail.
  expect(stored).toContain(person.username)
  expect(stored).not.toContain(`Your username is ${person.username}`)
})
