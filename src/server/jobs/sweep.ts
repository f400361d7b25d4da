import type { Resource, RowOf } from '#kernel/resource.ts'
import { systemActor } from '#kernel/roles.ts'
import { Values } from '#server/data/values.ts'
import { type Where, whereText } from '#server/data/where.ts'
import type { Context, Engine } from '#server/engine/types.ts'

/** Rows of any client: by their fields, and by a condition over `t`. */
export interface Sweep<R extends Resource> {
  readonly of: R
  readonly where: Where<R>
  readonly condition: (next: Values['next']) => string
  /** The reason, for the audit: `quotes expire`. */
  readonly reason: string
}

const PAGE = 500

/**
 * Processes rows of all clients, page by page to the end, each locked in a transaction of its own client. A failure stops no other row; in
 * the end an error says how many there were.
 */
export async function sweep<R extends Resource>(
  engine: Engine,
  s: Sweep<R>,
  each: (c: Context, row: RowOf<R>) => Promise<void> | void,
): Promise<void> {
  const failed: Error[] = []
  for (let after = { client: -1, id: 0 }; ; ) {
    const page = await findPage(engine, s, after)
    for (const { client, id } of page)
      await engine
        .inTenant(client, { actor: systemActor(client, s.reason), requestId: `${s.reason} ${id}` }, async (c) => {
          const [row] = await c.lockAll(s.of, { ...s.where, id })
          if (row) await each(c, row)
          return () => undefined
        })
        .catch((e: Error) => failed.push(new Error(`client ${client}, ${s.of.type} ${id}: ${e.message}`, { cause: e })))
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    after = last
  }
  if (failed[0]) throw new Error(`${s.reason}: ${failed.length} failed; ${failed[0].message}`, { cause: failed[0] })
}

const findPage = <R extends Resource>(
  engine: Engine,
  { of: r, where, condition }: Sweep<R>,
  after: { client: number; id: number },
): Promise<{ client: number; id: number }[]> => {
  const v = new Values()
  const text = `SELECT t.client_id AS client, t.id FROM ${r.table} t WHERE (t.client_id, t.id) > (${v.next(after.client)}::int, ${v.next(after.id)}::bigint)${whereText(r, where, v.next)} AND ${condition(v.next)} ORDER BY t.client_id, t.id LIMIT ${PAGE}`
  return engine.db.tx('system', (tx) => tx.rows(text, v.list))
}
