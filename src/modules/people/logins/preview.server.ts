import { problem } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { readRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { employee } from '../employees/employee.ts'
import { employeeRecord } from '../employees/employee-record.ts'
import { HR_ROLES } from '../rights.ts'
import { LOGIN_PREVIEW_URL, type LoginPreview } from './employee-login.ts'
import { chooseLoginDelivery } from './recipient.server.ts'

const MAX_EMPLOYEES = 10_000
const MAX_REASONS = 20

async function findChosen({ engine, me, query }: RouteContext): Promise<number[]> {
  const extra = engine.extraFilters(employeeRecord, query)
  const q = matchingKeysQuery(employeeRecord, me, query, MAX_EMPLOYEES + 1, extra)
  const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
  if (keys.length > MAX_EMPLOYEES)
    throw problem.tooLarge(`${MAX_EMPLOYEES.toLocaleString('en-GB')} employees at a time`)
  return keys.map(([, id]) => id)
}

/** Returns the effect of sending login details to the employees of a list. */
async function previewLogins(c: RouteContext): Promise<LoginPreview> {
  const { clientId } = c.me
  const chosen = await findChosen(c)
  const today = londonDate(c.now).toString()
  const [people, accounts] = await c.engine.readIn(clientId, 'human resources send login details', async (read) => {
    const found = await read.find(employee, { id: chosen })
    const ids = found.flatMap((one) => one.user ?? [])
    return [found, new Map((await read.find(user, { id: ids })).map((one) => [one.id, one]))] as const
  })
  const emails: number[] = []
  const letters: number[] = []
  const refused: { name: string; reason: string }[] = []
  let signedIn = 0
  for (const one of people) {
    const account = one.user === null ? undefined : accounts.get(one.user)
    const delivery = chooseLoginDelivery(one, account, c.me, today)
    if ('refused' in delivery) refused.push({ name: one.name, reason: delivery.refused.message })
    else if (account?.lastLoginAt) signedIn++
    else (delivery.email ? emails : letters).push(one.id)
  }
  const { perDay, left } = await c.engine.db.tx({ clientId }, (tx) => readRecipientAllowance(tx, clientId, c.now))
  const now = Math.min(emails.length, left)
  return {
    '@id': LOGIN_PREVIEW_URL,
    '@type': 'LoginPreview',
    employees: emails,
    letters,
    today: now,
    later: emails.length - now,
    perDay,
    signedIn,
    refusals: refused.length,
    reasons: refused.slice(0, MAX_REASONS),
  }
}

export const previewRoute: Route = {
  method: 'GET',
  path: LOGIN_PREVIEW_URL,
  title: 'Show how many employees would get login details, and on which days',
  allow: HR_ROLES,
  filters: employeeRecord,
  handle: async (c) => ({ ...(await previewLogins(c)) }),
}
