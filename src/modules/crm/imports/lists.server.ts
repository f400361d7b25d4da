import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '#server/db/db.ts'
import type { ImportedLead } from './row.ts'

const SIC: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../db/reference/sic-business-types.json'), 'utf8'),
)

/**
 * Returns the business type for a SIC code, such as `Plumbing` for `43220 - Plumbing…`, by the longest known prefix of
 * the five-digit code. Four-digit codes (SIC 2003) are ignored, because they have other meanings.
 */
export function businessTypeForSicCode(sic: string): string | undefined {
  const code = /^\s*(\d{5})(?!\d)/.exec(sic)?.[1]
  if (!code) return undefined
  for (let n = 5; n >= 2; n--) {
    const name = SIC[code.slice(0, n)]
    if (name) return name
  }
  return undefined
}

/** Reference lists needed to resolve the names in a row. */
export interface ImportReferenceLists {
  readonly owners: ReadonlyMap<string, number>
  readonly cameFroms: ReadonlyMap<string, number>
  readonly businessTypes: ReadonlyMap<string, number>
}

export async function readImportReferenceLists(tx: Tx, clientId: number): Promise<ImportReferenceLists> {
  const byName = async (text: string, values: readonly unknown[] = []) =>
    new Map((await tx.rows<{ id: number; name: string }>(text, values)).map((r) => [r.name.toLowerCase(), r.id]))
  return {
    owners: await byName('SELECT id, username AS name FROM staff WHERE client_id = $1 AND NOT retired', [clientId]),
    cameFroms: await byName('SELECT id, name FROM came_from WHERE NOT retired'),
    businessTypes: await byName('SELECT id, name FROM business_type WHERE NOT retired'),
  }
}

/**
 * Resolves a row's owner, source and business type to IDs. An unknown owner or source rejects the row; an unknown
 * business type is left blank.
 */
export function resolveImportReferences(lead: ImportedLead, lists: ImportReferenceLists) {
  const owner = lead.owner === null ? null : lists.owners.get(lead.owner.toLowerCase())
  const cameFrom = lead.cameFrom === null ? null : lists.cameFroms.get(lead.cameFrom.toLowerCase())
  const trade = lead.businessType ?? (lead.sic === null ? undefined : businessTypeForSicCode(lead.sic))
  const wrong =
    owner === undefined
      ? `There is no member of staff with the username "${lead.owner?.slice(0, 60)}"`
      : cameFrom === undefined
        ? `There is no lead source called "${lead.cameFrom?.slice(0, 60)}". Add this lead source, or do not import the column`
        : undefined
  return {
    wrong,
    owner: owner ?? null,
    cameFrom: cameFrom ?? null,
    businessType: lists.businessTypes.get(trade?.toLowerCase() ?? '') ?? null,
  }
}
