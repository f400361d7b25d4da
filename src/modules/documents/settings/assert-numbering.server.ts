import { problem, violation } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { overClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentKind } from '../types/kind.ts'
import { effectiveSetting } from './in-use.server.ts'
import { numbering, RESERVED_PREFIXES } from './numbering.ts'

/** Throws 422 if new numbers with this prefix could be those of another document. */
export async function assertNumberingUnique(
  c: Context,
  kinds: readonly DocumentKind[],
  kind: string,
  own: string | null,
): Promise<void> {
  const builtIn = kinds.find((k) => k.kind === kind)?.prefix ?? ''
  const isProvider = c.clientId === PROVIDER
  // Locks numbering, so that no number is drawn meanwhile and the provider and a company don't both check before either
  // changes.
  await c.work.tx.rows('SELECT numbering_held(0, $1), numbering_held($2, true)', [isProvider, c.clientId])
  const rows = await c.find(numbering, {})
  const prefixOf = (k: DocumentKind) =>
    effectiveSetting(rows, c.clientId, (r) => (r.kind === k.kind ? r.prefix : null), k.prefix)
  const others = kinds.filter((k) => k.kind !== kind)
  const providers = rows.find((r) => r.client === PROVIDER && r.kind === kind)?.prefix
  const prefix = own ?? (isProvider ? undefined : providers) ?? builtIn
  const refuse = (message: string) => problem.invalid([violation('prefix', message)])
  if (RESERVED_PREFIXES[prefix])
    throw refuse(`Prefix “${prefix}” is used for ${RESERVED_PREFIXES[prefix]}. Please choose another one.`)
  const same = others.find((k) => prefixOf(k).value === prefix)
  if (same) throw refuse(`Prefix “${prefix}” is already used for ${same.nouns}. Please choose another one.`)
  const given = await findGiven(c, prefix, kind)
  if (given)
    throw refuse(
      given.client === c.clientId
        ? `${given.number} is already the number of another document, and “${prefix}” would use it again. Please choose another prefix.`
        : `A company already uses “${prefix}” for other documents. Please choose another prefix.`,
    )
}

/**
 * A used number with this prefix that the counter of the type would reach or that is of another type; for the provider
 * across all companies, as its setting is their default.
 */
async function findGiven(c: Context, prefix: string, kind: string) {
  const look = `SELECT d.client_id AS client, d.number FROM document d
    LEFT JOIN sequence_counter s ON s.client_id = d.client_id AND s.name = d.kind AND s.year = 0
    WHERE d.number ~ $1 AND (d.kind <> $2 OR substring(d.number FROM '[0-9]+$')::numeric > coalesce(s.last, 0))`
  const pattern = `^${prefix}-[0-9]+$`
  type Given = { client: number; number: string }
  if (c.clientId !== PROVIDER) {
    const [given] = await c.work.tx.rows<Given>(`${look} AND d.client_id = $3 LIMIT 1`, [pattern, kind, c.clientId])
    return given
  }
  return overClients(c, async (tx) => {
    const [given] = await tx.rows<Given>(
      `${look} AND NOT EXISTS (SELECT FROM numbering n
         WHERE n.client_id = d.client_id AND d.client_id <> 0 AND n.kind = $2 AND n.prefix IS NOT NULL)
       UNION ALL SELECT n.client_id, n.prefix FROM numbering n WHERE n.client_id <> 0 AND n.kind <> $2 AND n.prefix = $3
       ORDER BY 1 LIMIT 1`,
      [pattern, kind, prefix],
    )
    return given
  })
}
