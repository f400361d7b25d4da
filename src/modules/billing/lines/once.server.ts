import type { Context } from '#server/engine/types.ts'

/**
 * A transaction that asks for the same records once: its seller, rates of VAT, what is sold. A step of a billing run would ask for them with
 * every invoice. Of a table that the transaction itself has written, it asks anew. Nothing is locked, by this as by `find` and `get`.
 */
export function once(c: Context): Context {
  const { work } = c
  const ask = <T>(table: string, what: unknown, load: () => Promise<T>): Promise<T> =>
    work.touched.has(table) || work.hasPending(table) ? load() : c.once(`${table} ${JSON.stringify(what)}`, load)
  return {
    ...c,
    find: (r, where) => ask(r.table, [r.type, where], () => c.find(r, where)),
    get: (r, id) => ask(r.table, [r.type, 'one', id], () => c.get(r, id)),
  }
}
