import { quoteCsvCell } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { matchingRowsCondition } from '#server/data/matching-rows.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { contact } from '../contacts/contact.ts'
import {
  type ClientSupportMinutes,
  recentSupportTimeFilters,
  SUPPORT_MINUTES_URL,
  supportTimeEntry,
} from './timed-note.ts'

/**
 * Returns the minutes for each client in the last 12 months, highest first. Only notes that the user may read are
 * counted, so that each total equals the sum of its rows.
 */
async function minutesByClient({ engine, me, now }: RouteContext): Promise<ClientSupportMinutes[]> {
  const v = new BoundValues()
  const conditions = matchingRowsCondition(supportTimeEntry, me, recentSupportTimeFilters(londonDate(now)), [], v)
  if (!conditions) return []
  const text = `SELECT k.account_id::int, a.company, sum(t.minutes)::int, count(*)::int, count(DISTINCT k.id)::int
    FROM ${supportTimeEntry.table} t JOIN ${contact.table} k ON k.client_id = t.client_id AND k.id = t.contact_id
    JOIN ${client.table} a ON a.id = k.account_id
    WHERE ${conditions.join(' AND ')} GROUP BY 1, 2 ORDER BY 3 DESC, 1`
  const rows = (await engine.db.read.arrays(prepareSql(text), v.list)) as [number, string, number, number, number][]
  return rows.map(([of, company, minutes, notes, leads]) => ({ client: of, company, minutes, notes, leads }))
}

const HEAD = ['Client number', 'Client', 'Minutes', 'Notes', 'Leads']

const supportMinutesRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: SUPPORT_MINUTES_URL,
    title: 'List the support minutes for the last 12 months by client',
    allow: 'ROLE_STAFF',
    listOf: 'objects',
    handle: async (c) => hydraCollection(await minutesByClient(c)),
  },
  {
    method: 'GET',
    path: `${SUPPORT_MINUTES_URL}/export.csv`,
    title: 'Export the support minutes for the last 12 months as CSV',
    allow: 'ROLE_STAFF',
    file: ['text/csv'],
    handle: async (c) => {
      const lines = (await minutesByClient(c)).map((m) => [m.client, m.company, m.minutes, m.notes, m.leads])
      const text = [HEAD, ...lines]
        .map((cells) => `${cells.map((cell) => quoteCsvCell(String(cell))).join(',')}\r\n`)
        .join('')
      return new RouteResponse(200, Buffer.from(`\uFEFF${text}`), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="support-minutes.csv"',
      })
    },
  },
]

export const supportTime = feature({
  resources: [supportTimeEntry],
  routes: supportMinutesRoutes,
})
