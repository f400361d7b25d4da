import { Problem } from '#kernel/errors.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import type { BeforeSave } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'

/** Normalises names for comparison: without case, spaces and punctuation. Both sides are normalised in the database. */
const folded = (sql: string) => `regexp_replace(lower(${sql}), '[^[:alnum:]]+', '', 'g')`

interface Asked {
  /** Its word in the question: "hazard". */
  readonly thing: string
  /** Further columns that must be equal, if the name alone is not specific enough. */
  readonly alike?: Readonly<Record<string, unknown>>
  /** Condition for the provider's records that are offered. */
  readonly offered?: string
}

type Values = Readonly<Record<string, unknown>>

/**
 * Checks for a library item with the same name on creating or renaming: throws 409 with the path of the existing one.
 * The client uses that one or sends `keepBoth`.
 */
export async function assertNameUnused<R extends Resource>(
  c: Context & BeforeSave<R>,
  r: R,
  { thing, alike = {}, offered = 'true' }: Asked,
): Promise<void> {
  const title = r.title ?? 'name'
  const [changes, before] = [c.changes as Values, c.before as Values | undefined]
  const name = textOf(changes[title]).trim()
  if (!name || changes.keepBoth === true || c.actor.kind === 'system') return
  const column = r.columns[title]
  const other = Object.entries(alike).map(([field, value], i) => {
    const mine = `t.${r.columns[field]}`
    return typeof value === 'string' ? `${folded(mine)} = ${folded(`$${i + 5}::text`)}` : `${mine} = $${i + 5}::bigint`
  })
  const mine = `(t.client_id = $1 OR t.client_id = ${PROVIDER} AND ${offered})`
  const text = `SELECT t.id, t.${column} AS name FROM ${r.table} t WHERE ${mine} AND NOT t.retired AND t.id IS DISTINCT FROM $2::bigint
    AND ${folded(`t.${column}`)} = ${folded('$3::text')} AND ${folded('$3::text')} NOT IN ('', ${folded('$4::text')})
    ${other.map((one) => `AND ${one}`).join(' ')} ORDER BY t.client_id = $1 DESC, t.id LIMIT 1`
  const given = [c.clientId, before?.id ?? null, name, textOf(before?.[title]), ...Object.values(alike)]
  const [there] = await c.work.tx.rows<{ id: number; name: string }>(text, given)
  if (!there) return
  throw new Problem(409, `There is already a ${thing} named “${there.name}”: use it, or keep both.`, {
    code: 'already_there',
    more: { existing: iriOf(r, there.id) },
  })
}
