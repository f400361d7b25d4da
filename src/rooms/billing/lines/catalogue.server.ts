import type { RowOf } from '#kernel/resource.ts'
import type { Context } from '#server/engine/context.ts'
import { plan, sku } from '../catalogue/plan.ts'
import { taxRate } from '../catalogue/tax-rate.ts'
import type { LineRow } from './line.ts'

type Reader = Pick<Context, 'find'>

/** What a plan or an SKU says of itself today; an SKU is paid once. */
export type Article =
  | RowOf<typeof plan>
  | (RowOf<typeof sku> & { readonly interval?: null; readonly intervalCount?: null })

export interface Catalogue {
  readonly plan: ReadonlyMap<number, Article>
  readonly sku: ReadonlyMap<number, Article>
}

/** The plans and SKUs that lines name, each table asked once. */
export async function catalogueOf(
  c: Reader,
  lines: readonly Partial<Pick<LineRow, 'plan' | 'sku'>>[],
): Promise<Catalogue> {
  const named = (kind: 'plan' | 'sku') => lines.flatMap((line) => line[kind] ?? [])
  return {
    plan: await byId(named('plan'), (id) => c.find(plan, { id })),
    sku: await byId(named('sku'), (id) => c.find(sku, { id })),
  }
}

/** The articles' rates of tax, in percent, by the rate's id. */
export async function taxPercents(c: Reader, articles: readonly Article[]): Promise<ReadonlyMap<number, number>> {
  const named = articles.flatMap((a) => a.taxRate ?? [])
  const rates = await byId(named, (id) => c.find(taxRate, { id }))
  return new Map([...rates].map(([id, rate]) => [id, rate.percent]))
}

async function byId<Row extends { id: number }>(
  named: readonly number[],
  find: (ids: number[]) => Promise<Row[]>,
): Promise<Map<number, Row>> {
  const ids = [...new Set(named)]
  const rows = ids.length ? await find(ids) : []
  return new Map(rows.map((row) => [row.id, row]))
}
