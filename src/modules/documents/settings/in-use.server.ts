import { type InUse, inUse } from '#kernel/in-use.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentKind } from '../types/kind.ts'
import { writtenNumber } from './numbering.ts'
import { reviewPeriod } from './review-period.ts'

type Look = Pick<Context, 'find' | 'clientId'>

/** A setting that a company and the provider can each have a row for, and the portal comes with. */
export function chosen<Row extends { readonly client: number | null }, T>(
  rows: readonly Row[],
  clientId: number,
  said: (row: Row) => T | null,
  builtIn: T,
): InUse<T> {
  const of = (id: number) => rows.filter((r) => r.client === id).map(said)[0]
  return inUse(of(clientId), clientId === PROVIDER ? undefined : of(PROVIDER), builtIn)
}

/** Months from the approval of a document of this kind to its next review. */
export async function reviewMonthsOf(c: Look, { kind, reviewMonths }: DocumentKind): Promise<number> {
  return chosen(await c.find(reviewPeriod, { kind }), c.clientId, (r) => r.months, reviewMonths).value
}

/** The number of a new document: the next of its kind, drawn in this transaction and given back with it, as the company writes them. */
export async function nextDocumentNumber({ work, clientId }: Pick<Context, 'work' | 'clientId'>, kind: DocumentKind) {
  const [drawn] = await work.tx.rows<{ number: number; prefix: string | null; digits: number | null }>(
    'SELECT * FROM draw_document_number($1, $2)',
    [clientId, kind.kind],
  )
  return writtenNumber(drawn?.prefix ?? kind.prefix, drawn?.digits ?? kind.numbers.digits, drawn?.number ?? 1)
}
