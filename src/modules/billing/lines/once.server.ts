import type { Work } from '#server/data/writing/work.ts'
import type { Context } from '#server/engine/types.ts'

const known = new WeakMap<Work, Map<string, Promise<unknown>>>()

/**
 * A transaction that asks for the same records once: its seller, rates of VAT, what is sold. A step of a billing run would ask for them with
 * every invoice. Of a table that the transaction itself has written, it asks anew. Nothing is locked, by this as by `find` and `get`.
 */
export function once(c: Context): Context {
  const { work } = c
  const mine = known.get(work) ?? new Map<string, Promise<unknown>>()
  known.set(work, mine)
  const ask = <T>(table: string, what: unknown, find: () => Promise<T>): Promise<T> => {
    if (work.touched.has(table) || work.pending(table)) return find()
    const key = `${table} ${JSON.stringify(what)}`
    const asked = (mine.get(key) as Promise<T> | undefined) ?? find()
    mine.set(key, asked)
    asked.catch(() => mine.delete(key))
    return asked
  }
  return {
    ...c,
    find: (r, where) => ask(r.table, [r.type, where], () => c.find(r, where)),
    get: (r, id) => ask(r.table, [r.type, 'one', id], () => c.get(r, id)),
  }
}
