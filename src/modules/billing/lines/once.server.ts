import type { Context } from '#server/engine/types.ts'

/**
 * Context that reads the same records only once per transaction: seller, VAT rates, catalogue. A step of a billing run
 * would otherwise read them for every invoice. Tables written in the transaction are read again. Like `find` and `get`,
 * it locks nothing.
 */
export function withReadCache(c: Context): Context {
  const { work } = c
  const ask = <T>(table: string, what: unknown, load: () => Promise<T>): Promise<T> =>
    work.touched.has(table) || work.hasPending(table) ? load() : c.once(`${table} ${JSON.stringify(what)}`, load)
  return {
    ...c,
    find: (r, where) => ask(r.table, [r.type, where], () => c.find(r, where)),
    get: (r, id) => ask(r.table, [r.type, 'one', id], () => c.get(r, id)),
  }
}
