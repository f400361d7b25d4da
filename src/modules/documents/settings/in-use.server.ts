import { type EffectiveSetting, resolveSetting } from '#kernel/in-use.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentKind } from '../types/kind.ts'
import { formatDocumentNumber } from './numbering.ts'
import { reviewPeriod } from './review-period.ts'

type Look = Pick<Context, 'find' | 'clientId'>

/** Effective setting: the company's, else the provider's, else the built-in one. */
export function effectiveSetting<Row extends { readonly client: number | null }, T>(
  rows: readonly Row[],
  clientId: number,
  said: (row: Row) => T | null,
  builtIn: T,
): EffectiveSetting<T> {
  const of = (id: number) => rows.filter((r) => r.client === id).map(said)[0]
  return resolveSetting(of(clientId), clientId === PROVIDER ? undefined : of(PROVIDER), builtIn)
}

export async function reviewIntervalMonths(c: Look, { kind, reviewMonths }: DocumentKind): Promise<number> {
  return effectiveSetting(await c.find(reviewPeriod, { kind }), c.clientId, (r) => r.months, reviewMonths).value
}

/** Next number of a type in the company's format, drawn in this transaction and released if it rolls back. */
export async function nextDocumentNumber({ work, clientId }: Pick<Context, 'work' | 'clientId'>, kind: DocumentKind) {
  const [drawn] = await work.tx.rows<{ number: number; prefix: string | null; digits: number | null }>(
    'SELECT * FROM draw_document_number($1, $2)',
    [clientId, kind.kind],
  )
  return formatDocumentNumber(drawn?.prefix ?? kind.prefix, drawn?.digits ?? kind.numbers.digits, drawn?.number ?? 1)
}
