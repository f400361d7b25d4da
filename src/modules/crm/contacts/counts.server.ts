import { scopeOf } from '#kernel/can.ts'
import { text } from '#kernel/fields.ts'
import { endOfIri } from '#kernel/iri.ts'
import type { Actor } from '#kernel/roles.ts'
import { ruleText } from '#server/data/access-sql.ts'
import { firstOf } from '#server/data/filters.ts'
import { prepare, Values } from '#server/data/values.ts'
import type { Tx } from '#server/db/db.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { LEAD_CATEGORIES } from '../outcomes/categories.ts'
import { staff } from '../staff/staff.ts'
import { contact } from './contact.ts'
import { IN_NO_TRAY_SQL } from './trays-apart.server.ts'

/** Counts across all categories, with the filters of the matching list. */
const ACROSS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  ALL: { 'lastResult.category': undefined },
  IR35: { 'lastResult.category': undefined, ir35: 'true' },
  SEARCH: { 'lastResult.category': undefined },
}

/** Owner of the counted leads: a staff id, `none` for unassigned leads, or all owners without trays. */
type Owner = number | 'none' | undefined

/** Matches no owner: a user without a staff record has no leads. */
const NOBODY = -1

/** Number of leads by category, from the accumulated differences; no lead is read. */
async function countLeads(tx: Tx, actor: Actor, owner: Owner): Promise<Record<string, number>> {
  const { list, next } = new Values()
  const { only } = scopeOf(actor, 'read', contact)
  const asked = [
    `t.client_id = ${next(actor.clientId)}::int`,
    owner === undefined
      ? IN_NO_TRAY_SQL
      : owner === 'none'
        ? 't.owner_id IS NULL'
        : `t.owner_id = ${next(owner)}::bigint`,
    ...(only ? [ruleText(contact, only, actor, { next })] : []),
  ]
  const text = `SELECT category, sum(n)::int, coalesce(sum(n) FILTER (WHERE ir35), 0)::int
     FROM (SELECT client_id, nullif(owner_id, 0) AS owner_id, category, ir35, n FROM contact_count) t WHERE ${asked.join(' AND ')} GROUP BY category`
  const rows = (await tx.commitWith(prepare(text), list)) as [category: string, n: number, ir35: number][]
  return {
    ...Object.fromEntries([...LEAD_CATEGORIES.map((k) => [k, 0]), ...rows]),
    ALL: rows.reduce((sum, [, n]) => sum + n, 0),
    IR35: rows.reduce((sum, [, , ir35]) => sum + ir35, 0),
  }
}

async function countsOf(c: RouteContext): Promise<Record<string, number>> {
  const owner = await ownerOf(c)
  return c.engine.db.tx({ clientId: c.me.clientId }, (tx) => countLeads(tx, c.me, owner))
}

/** The owner named in the query; an unknown one has no leads. */
async function ownerOf(c: RouteContext): Promise<Owner> {
  if (['false', '0'].includes(firstOf(c.query['exists[owner]']))) return 'none'
  const person = firstOf(c.query['owner.user'])
  if (person !== '') {
    const { members } = await c.engine.list(staff, c.actor, { user: person }, { limit: 1, offset: 0 }, { count: false })
    return members[0]?.id ?? NOBODY
  }
  const given = firstOf(c.query.owner)
  if (given === '') return undefined
  return given === 'none' ? 'none' : c.engine.idOf(staff, c.actor, endOfIri(given)).catch(() => NOBODY)
}

export const leadCountRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${contact.url}/count`,
    title: 'Count leads, in total or in a category',
    filters: contact,
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const category = firstOf(c.query['lastResult.category'])
      const kept = ['lastResult.category', 'owner', 'owner.user', 'exists[owner]']
      // Filters that the stored counts don't support: counted like the list.
      if (Object.keys(c.query).some((k) => !kept.includes(k))) {
        const query = { retired: 'false', ...c.query, ...ACROSS[category] }
        const { total } = await c.engine.list(contact, c.actor, query, { limit: 0, offset: 0 })
        return { count: total ?? 0 }
      }
      return { count: (await countsOf(c))[category || 'ALL'] ?? 0 }
    },
  },
  {
    method: 'GET',
    path: `${contact.url}/counts`,
    title: 'Count leads in every category',
    query: {
      owner: text({ help: 'Owner of the leads: a member of staff, or `none`.' }),
      'owner.user': text({ help: 'Owner of the leads, by user.' }),
      'exists[owner]': text({ help: '`false`: unassigned leads.' }),
    },
    allow: 'ROLE_STAFF',
    handle: async (c) => {
      const all = await countsOf(c)
      return Object.fromEntries([...LEAD_CATEGORIES, 'ALL', 'IR35'].map((k) => [k, all[k] ?? 0]))
    },
  },
]
