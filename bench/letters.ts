import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { createSystemActor } from '#kernel/roles.ts'
import { emailsDue } from '#modules/portal/mail/letter.ts'
import { QueueWorkers } from '#server/jobs/workers.ts'
import { testPortal } from '#test/support/portal.ts'
import startPostgres from '#test/support/postgres.ts'
import { medianTime } from './times.ts'

/*
 * Measures how fast the mail queue claims, sends and settles a thousand e-mails, alternating with the mail library's
 * pool alone. Both use one mail server in a separate process, which never accepts the same e-mail twice.
 * TEST_DATABASE_URL names a database server; without it, the benchmark starts one. `--quick` uses fewer rounds.
 */
const LETTERS = 1000
const ROUNDS = process.argv.includes('--quick') ? 3 : 7
const GOAL = 0.7
const SERVER = 'serve'
const BODY = 'Dear Ann,\n\nwe will be in Leeds in November and would like to visit you.\n\nJane Caller\n'.repeat(5)

if (process.argv.includes(SERVER)) serve()
else await measure()

function serve(): void {
  let taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      stream.resume()
      stream.on('end', () => {
        taken.push(...envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.server.address() as AddressInfo).port))
  process.on('message', () => {
    process.send?.([taken.length, new Set(taken).size])
    taken = []
  })
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, [SERVER])
  const [port] = (await once(child, 'message')) as [number]
  const takenSince = async () => {
    const answer = once(child, 'message')
    child.send('taken')
    return ((await answer) as [[number, number]])[0]
  }
  const url = `smtp://127.0.0.1:${port}`
  await startPostgres()
  const portal = await (await testPortal()).with({ SMTP_URL: url, PUBLIC_URL: 'https://portal.example' })

  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const from = performance.now()
    await work()
    const ms = performance.now() - from
    const [taken, people] = await takenSince()
    if (taken !== LETTERS || people !== LETTERS)
      throw new Error(`The mail server received ${taken} e-mails for ${people} recipients instead of ${LETTERS}`)
    return ms
  }
  const ours = async (): Promise<number> => {
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows<{ id: number }>(
        `INSERT INTO message (client_id, recipient, subject, body, stoppable, token)
         SELECT 0, 'ann' || i || '@post.example', 'A visit', $1, true, replace(gen_random_uuid()::text, '-', '') FROM generate_series(1, $2::int) i RETURNING id`,
        [BODY, LETTERS],
      ),
    )
    const ids = rows.map(({ id }) => id)
    return timed(async () => {
      const why = { actor: createSystemActor(0, 'e-mail benchmark'), requestId: 'bench' }
      await portal.engine.inTenant(0, why, async (c) => {
        for (let n = 0; n < ids.length; n += 100) await c.emit(emailsDue, { messages: ids.slice(n, n + 100) })
        return () => undefined
      })
      while (await isUnderWay(ids)) await sleep(20)
    })
  }
  const isUnderWay = async (ids: readonly number[]) => {
    const [row] = await portal.db.tx('system', (tx) =>
      tx.rows<{ n: number }>(
        "SELECT count(*)::int AS n FROM message WHERE client_id = 0 AND id = ANY($1) AND state = 'sent'",
        [ids],
      ),
    )
    return row?.n !== LETTERS
  }
  const workers = new QueueWorkers(portal.engine, { error: console.error })
  await workers.start()
  const pool = createTransport({ url, pool: true, maxConnections: 5, maxMessages: 100 })
  const alone = () =>
    timed(() =>
      Promise.all(
        Array.from({ length: LETTERS }, (_, i) =>
          pool.sendMail({
            from: 'portal@localhost',
            to: `ann${i}@post.example`,
            subject: 'A visit',
            text: BODY,
            headers: { 'List-Unsubscribe': '<https://portal.example/x>' },
          }),
        ),
      ),
    )
  await ours()
  await alone()
  const [mine, theirs]: [number[], number[]] = [[], []]
  for (let n = 0; n < ROUNDS; n++) {
    theirs.push(await alone())
    mine.push(await ours())
  }
  const [a, b] = [medianTime(mine), medianTime(theirs)]
  console.log(`| ${LETTERS.toLocaleString('en-GB')} e-mails | per second | ratio to the pool |`)
  console.log('|---|---|---|')
  console.log(
    `| the portal’s mail queue | ${Math.round((LETTERS / a) * 1000)} | **${(b / a).toFixed(2)}** (goal ${GOAL}) |`,
  )
  console.log(`| the mail library’s pool alone | ${Math.round((LETTERS / b) * 1000)} | |`)
  await workers.stop()
  pool.close()
  child.kill()
  await portal.app.close()
  await portal.db.close()
  process.exit(0)
}
