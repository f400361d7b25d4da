import { beforeAll, expect, test } from 'vitest'
import { can } from '#kernel/can.ts'
import { VIOLATION_CODES } from '#kernel/error-codes.ts'
import type { Violation } from '#kernel/errors.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import type { Actor as KernelActor } from '#kernel/roles.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'
import { IS_FULL_RUN, sampleShapes, testEach } from '#test/support/scope.ts'
import { insertRow, makeActors, makeInvariantWorld, makeRequestBody, type TestActor } from './world.ts'

// Missing values are reported before any other error, and duplicate values are reported at their field. The test covers
// every resource as every user who may write it, and reads unique indexes from the database catalogue.

const portal = await testPortal()
const { engine } = portal
const world = await makeInvariantWorld(portal)
const people: { readonly who: TestActor; readonly is: KernelActor }[] = []

beforeAll(async () => {
  for (const who of await makeActors(world)) {
    const token = await who.usual()
    const is = token === undefined ? undefined : await portal.sessions.authenticate(token)
    if (is && ['admin', 'manager', 'author', 'staff'].includes(who.name)) people.push({ who, is })
  }
})

const writers = (verb: 'create' | 'update', r: Resource) => people.filter(({ is }) => can(is, verb, r))
const send = async (
  who: TestActor,
  method: string,
  url: string,
  body: Record<string, unknown>,
): Promise<TestResponse> =>
  portal
    .bearing((await who.usual()) as string)
    .send(method, url, { headers: { 'content-type': 'application/json' }, body })

const isToldOf = ({ status, body }: TestResponse) =>
  status < 300 ||
  // Some resources allow only one record.
  (status === 409 && body.detail.startsWith('Your company already has a record of this type.')) ||
  (status === 422 && body.violations?.length > 0 && body.violations.every((v: Violation) => v.code in VIOLATION_CODES))

const resources = sampleShapes(engine.addressed)

testEach(
  'an empty record is created, or refused with its missing fields',
  resources.filter((r) => r.allow.create),
  (r) => r.url,
  async (r) => {
    for (const { who } of writers('create', r)) {
      const answer = await send(who, 'POST', r.url, {})
      expect([who.name, isToldOf(answer) || answer.text]).toEqual([who.name, true])
    }
  },
)

testEach(
  'an empty change is accepted, or refused with the missing fields of the record',
  resources.filter((r) => r.allow.update),
  (r) => r.url,
  async (r) => {
    for (const { who, is } of writers('update', r)) {
      const id = await insertRow(world, r, who.clientId, 'Plain')
      const { body: row } = await portal.bearing((await who.usual()) as string).get(`${r.url}/${id}`)
      if (!row?.id || !can(is, 'update', r, { ...row, clientId: who.clientId })) continue
      const answer = await send(who, 'PUT', `${r.url}/${id}`, {})
      expect([who.name, isToldOf(answer) || answer.text]).toEqual([who.name, true])
    }
  },
)

/** Returns the unique indexes of a resource's table, as lists of the fields that users fill in. */
async function uniquesOf(r: Resource): Promise<string[][]> {
  const rows = await portal.db.tx('owner', (tx) =>
    tx.rows<{ keys: string[]; condition: string | null }>(
      `SELECT ARRAY(SELECT pg_get_indexdef(x.indexrelid, n, true) FROM generate_series(1, x.indnkeyatts) n) AS keys, pg_get_expr(x.indpred, x.indrelid) AS condition
       FROM pg_index x WHERE x.indrelid = $1::regclass AND x.indisunique AND NOT x.indisprimary`,
      [`public.${r.table}`],
    ),
  )
  const isKey = (keys: readonly string[], column: string) => keys.some((key) => new RegExp(`\\b${column}\\b`).test(key))
  return rows.flatMap(({ keys, condition }) => {
    const fields = Object.entries(r.columns).filter(([, column]) => column !== 'client_id' && isKey(keys, column))
    const isPlain =
      [null, '(NOT retired)'].includes(condition) || fields.every(([, c]) => condition?.includes(`${c} IS NOT NULL`))
    // Numbers that the portal assigns within a record cannot be duplicates.
    const isNumbered = fields.some(([name]) => r.fields[name]?.readonly && r.fields[name].kind === 'integer')
    const isGiven = fields.some(([name]) => !r.fields[name]?.readonly)
    // A second correction of the same record is refused as a conflict.
    const isCorrection = fields.some(([name]) => r.fields[name]?.target?.() === r)
    return isPlain && isGiven && !isNumbered && !isCorrection ? [fields.map(([name]) => name)] : []
  })
}

test('a duplicate value in a unique field is reported at that field', async () => {
  const told: string[] = []
  const odd: string[] = []
  for (const r of resources.filter((one) => one.allow.create && !NEEDING_HISTORY.has(one.type)))
    for (const fields of await uniquesOf(r)) {
      const key = `${r.type}: ${fields.join(', ')}`
      for (const { who } of writers('create', r).slice(0, 1)) {
        const bodyOf = async () => ({
          ...(await makeRequestBody(world, r.fields, who.clientId, 'Plain')),
          ...ADDITIONAL_VALUES[r.type],
        })
        const first = { ...(await bodyOf()), ...(await related(r, who, fields)) }
        const made = await send(who, 'POST', r.url, first)
        const second = { ...(await bodyOf()), ...pick(first, fields) }
        const answer = await send(who, 'POST', r.url, second)
        const at = answer.body?.violations?.find((v: Violation) => fields.includes(v.propertyPath))
        if (made.status === 201 && answer.status === 422 && at) told.push(key)
        else
          odd.push(
            `${key} as ${who.name}: ${made.status} ${made.status === 201 ? '' : made.text}, ${answer.status} ${answer.text}`,
          )
      }
    }
  expect(odd).toEqual([])
  expect(told.length).toBeGreaterThan(IS_FULL_RUN ? 5 : 2)
})

/** Types that need earlier events: a bad debt needs an invoice that was unpaid for six months (`billing/vat/vat.test.ts`). */
const NEEDING_HISTORY: ReadonlySet<string> = new Set(['VatBadDebt'])

/** Values that a resource requires in addition to its required fields. */
const ADDITIONAL_VALUES: Readonly<Record<string, Record<string, unknown>>> = {
  Signature: { method: 'typed' },
  ReviewPeriod: { kind: 'risk_assessment' },
  Numbering: { kind: 'risk_assessment', prefix: 'ZZ' },
  CountedSale: { day: '2025-01-06' },
  AlertRule: { kind: 'document.sign' },
  VatReturn: { from: '2025-10-01', to: '2025-12-31' },
  BaseRate: { day: '1985-06-30', percent: 0.1 },
  ExchangeRate: { currency: 'EUR', month: '2020-06-01', rate: 1.1 },
  IncidentWorkforceMonth: { month: '2025-06-01' },
  EmployeeJob: { from: '2099-01-05' },
  WorkPattern: { days: [[{ from: '09:00', until: '17:00', breakMinutes: 60 }], [], [], [], [], [], []] },
  EmployeeWorkPattern: { from: '2026-01-05' },
  LeavePayPeriod: { until: '2026-01-31' },
}

/** Creates related records of the client; related documents are completed. */
async function related(
  r: Resource,
  { clientId }: TestActor,
  fields: readonly string[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of fields) {
    const f = r.fields[name]
    if (f?.kind !== 'link' || f.readonly) continue
    const target = (f.target as () => Resource)()
    const id = await insertRow(world, target, clientId, 'Plain')
    if (target.table === 'document')
      await portal.db.tx('owner', (tx) =>
        tx.rows("UPDATE document SET state = 'complete', complete = true WHERE id = $1", [id]),
      )
    found[name] = iriOf(target, id)
  }
  return found
}

const pick = (of: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => name in of).map((name) => [name, of[name]]))
