import { hasRole } from '#kernel/roles.ts'
import type { Route } from '#server/engine/route.ts'
import { MANAGE_SALES, SELL } from '../rights.ts'
import { commissionLine } from './line.ts'
import { commissionMonth } from './month.ts'
import { type CommissionSums, SUMS } from './sums.ts'

/** What somebody has coming, has been paid, and has had taken back: the lists of lines, added up as far as they read them. */
export const sumsRoute: Route = {
  method: 'GET',
  path: SUMS,
  title: 'Commission by person and month: one’s own, or everybody’s for sales managers. Pence',
  allow: SELL,
  handle: async ({ engine, me }) => {
    const own = hasRole(me, MANAGE_SALES) ? {} : { person: String(me.userId) }
    const months = await engine.list(commissionMonth, me, { 'order[month]': 'desc' }, { limit: 120, offset: 0 })
    const figures = await engine.figures(me, [
      { name: 'lines', of: commissionLine, where: own, by: ['month', 'seller', 'kind', 'person'], sum: 'amount' },
    ])
    const sums: CommissionSums = {
      '@id': SUMS,
      months: months.members.map(({ '@id': iri, id, month, state }) => ({ '@id': iri, id, month, state })),
      sums: figures.map((f) => ({
        month: Number(f.by[0]),
        seller: Number(f.by[1]),
        kind: f.by[2] ?? '',
        mine: f.by[3] === String(me.userId),
        amount: f.sum,
        count: f.count,
      })),
    }
    return { ...sums }
  },
}
