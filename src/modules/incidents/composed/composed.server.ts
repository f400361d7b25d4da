import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { defineSavedEvidence } from '#kernel/evidence.ts'
import { integer, longText, text, typedJson } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { readUserNames } from '#modules/identity/people/accounts.server.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { lookups } from '../lookups/lookup.ts'
import { type ComposedRow, describeComposedRow, findConfirmationInForce, LIST_TITLES } from './composed-rows.ts'
import { referenceConfirmation } from './reference-confirmation.ts'
import type { ComposedList } from './response.ts'

const AT = '/api/safety/composed_references'

/** Maximum number of rows that one request confirms. */
const MAX_ROWS = 200

interface ComposedWording {
  readonly id: number
  readonly wording: string
}

/** Confidence in a row that needs no confirmation. */
const CERTAIN = 'high'

const needsConfirmation = ({ composed, confidence }: ComposedRow): boolean =>
  composed || (confidence !== undefined && confidence !== '' && confidence !== CERTAIN)

/** Reads the composed and uncertain rows of each list with their complete wording. Retired rows are omitted. */
async function readComposedRows(c: Pick<RecordReader, 'find'>) {
  const parts = await c.find(lookups.bodyParts, {})
  const lists: { name: keyof typeof lookups; type: string; rows: ComposedWording[] }[] = []
  for (const [name, r] of Object.entries(lookups) as [keyof typeof lookups, Resource][]) {
    const found = (await c.find(r, { retired: false })) as unknown as readonly ComposedRow[]
    const rows = found.filter(needsConfirmation)
    if (!rows.length) continue
    const wordings = rows.map((row) => ({ id: row.id, wording: describeComposedRow(row, parts) }))
    lists.push({ name, type: r.type, rows: wordings.sort((a, b) => a.id - b.id) })
  }
  return lists
}

/** Reads the entries about composed rows, newest first. */
const readEntries = async (c: Pick<RecordReader, 'find'>) =>
  (await c.find(referenceConfirmation, {})).sort((a, b) => b.id - a.id)

async function listComposed({ engine, me }: Pick<RouteContext, 'engine' | 'me'>): Promise<ComposedList[]> {
  const { lists, entries } = await engine.readIn(me.clientId, 'list composed reference data', async (c) => ({
    lists: await readComposedRows(c),
    entries: await readEntries(c),
  }))
  const names = await readUserNames(engine, me.clientId, [...new Set(entries.flatMap(({ author }) => author ?? []))])
  return lists.map(({ name, type, rows }) => ({
    '@id': `${AT}/${type}`,
    '@type': 'ComposedList',
    list: type,
    title: LIST_TITLES[name],
    rows: rows.map(({ id, wording }) => {
      const found = findConfirmationInForce(entries, type, id, wording)
      return {
        id,
        wording,
        confirmedBy: found ? (names.get(found.author ?? '') ?? found.author ?? '') : null,
        confirmedAt: found?.createdAt ?? null,
      }
    }),
  }))
}

/** Returns a composed row as currently stored. Throws 422 if there is none, and 409 if its wording has changed. */
async function requireRows(c: Context, list: string, asked: readonly ComposedWording[]): Promise<void> {
  const found = (await readComposedRows(c)).find(({ type }) => type === list)
  if (!found) throw problem.invalid([violation('list', 'This list has no composed rows')])
  for (const { id, wording } of asked) {
    const row = found.rows.find((one) => one.id === id)
    if (!row) throw problem.invalid([violation('rows', `The list has no composed row ${id}`)])
    if (row.wording !== wording)
      throw problem.conflict(
        'The wording has changed since you opened the page. Nothing was saved. Please read it again.',
      )
  }
}

const ROWS = z
  .array(z.object({ id: z.int(), wording: z.string() }))
  .min(1)
  .max(MAX_ROWS)

const confirmRoute = routeWithInput(
  {
    list: text({ required: 'Please choose a list', max: 60 }),
    rows: typedJson<readonly ComposedWording[]>()({
      required: 'Please choose rows',
      help: 'The rows with the wording that the person read: `[{"id": 1, "wording": "…"}]`.',
    }),
  },
  {
    method: 'POST',
    path: `${AT}/confirm`,
    title: 'Confirm rows of a list that we composed, as a competent person',
    allow: DOCUMENT_APPROVER_ROLES,
    refuses: [409],
    handle: ({ engine, me, input, change }) => {
      const rows = ROWS.safeParse(input.rows)
      if (!rows.success) throw problem.invalid([violation('rows', `Please choose 1 to ${MAX_ROWS} rows`)])
      return engine.inTenant(me.clientId, change(), async (c) => {
        await requireRows(c, input.list, rows.data)
        const entries = await readEntries(c)
        const open = rows.data.filter(({ id, wording }) => !findConfirmationInForce(entries, input.list, id, wording))
        await c.withoutPermissionCheck('a competent person confirms reference data').createAll(
          referenceConfirmation,
          open.map(({ id, wording }) => ({
            list: input.list,
            row: id,
            wording,
            createdAt: c.now.toString(),
          })),
        )
        return () => ({ confirmed: open.length })
      })
    },
  },
)

const withdrawRoute = routeWithInput(
  {
    list: text({ required: 'Please choose a list', max: 60 }),
    row: integer({ required: 'Please choose a row' }),
    reason: longText({ required: 'Please give a reason', max: 1000, label: 'Reason' }),
  },
  {
    method: 'POST',
    path: `${AT}/withdraw`,
    title: 'Withdraw the confirmation of a row that we composed. The earlier entry stays',
    allow: DOCUMENT_APPROVER_ROLES,
    refuses: [409],
    handle: ({ engine, me, input, change }) =>
      engine.inTenant(me.clientId, change(), async (c) => {
        const { list, row, reason } = input
        const latest = (await readEntries(c)).find((one) => one.list === list && one.row === row)
        if (!latest || latest.withdrawal) throw problem.conflict('This row is not confirmed.')
        await c.withoutPermissionCheck('a competent person withdraws a confirmation').create(referenceConfirmation, {
          list,
          row,
          wording: latest.wording,
          withdrawal: true,
          reason: reason.trim(),
          createdAt: c.now.toString(),
        })
        return () => ({})
      }),
  },
)

const listRoute: Route = {
  method: 'GET',
  path: AT,
  title: 'List the reference data of incidents that we composed, and their confirmations',
  allow: DOCUMENT_APPROVER_ROLES,
  handle: async (c) => ({ '@type': 'ComposedReference', lists: await listComposed(c) }),
}

export const composedReference = feature({
  pack: 'safety',
  resources: [referenceConfirmation],
  routes: [listRoute, confirmRoute, withdrawRoute],
  evidence: [
    defineSavedEvidence({
      of: referenceConfirmation,
      named: ({ list, row_id }) => `the confirmation of ${String(list)} ${String(row_id)}`,
    }),
  ],
})
