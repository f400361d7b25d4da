import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../..')

/**
 * Files that use real time, with the reason. All others use the portal's clock (`c.now`, `engine.clock`,
 * `portal_now()`).
 */
const REAL_TIME: Readonly<Record<string, string>> = {
  'server/auth/': 'sessions, tokens and visits end by real time',
  'server/second-factor/': 'tickets and factors of sign-in go by real time',
  'modules/identity/': 'attempts, links and sessions of sign-in end by real time',
  'server/files/receive.ts': 'when a file has come in last',
  'server/http/idempotency.ts': 'answers are kept for a day of real time',
  'server/data/totals.ts': 'how old a kept total is',
  'server/db/migrate.ts': 'when a migration was applied',
  'server/jobs/workers.ts': 'when an event was handed on',
  'server/jobs/batch-job-control.ts': 'when a batch job resumes',
  'server/jobs/batch-job-store.ts': 'whether a batch job is overdue',
  'server/jobs/schedules.ts': 'waits between tries',
  'modules/portal/mail/send.server.ts': 'how long the file of a letter is kept',
  'modules/portal/mail/claim.server.ts': 'how long a letter is one process’s to send',
  'server/evidence/logs.ts': 'rows of the logs bear real time',
  'modules/crm/received-mail/receive.server.ts': 'how old a signed call from outside is',
  'modules/billing/cards/stripe.server.ts': 'how far ahead a signed call from outside is',
  'modules/crm/imports/': 'leases of those who read a file',
}
const PATTERN = /Temporal\.Now|Date\.now\(|new Date\(\)|(?<![\w.])now\(\)|current_(date|timestamp)/i

test('server and module code use the portal clock, except in listed files', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((f) => (f.startsWith('server/') && f.endsWith('.ts')) || f.endsWith('.server.ts'))
    .filter((f) => !/[.]test[.]ts$|demo/.test(f) && f !== 'server/engine/clock.ts')
  const found = files.filter((f) => PATTERN.test(readFileSync(join(SRC, f), 'utf8')))
  expect(found.filter((f) => !Object.keys(REAL_TIME).some((known) => f.startsWith(known)))).toEqual([])
  // Checks that every file in the list still uses real time.
  expect(Object.keys(REAL_TIME).filter((known) => !found.some((f) => f.startsWith(known)))).toEqual([])
})
