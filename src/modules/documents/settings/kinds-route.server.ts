import { readId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { readUserNames } from '#modules/identity/people/names.server.ts'
import type { Route } from '#server/engine/route.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { effectiveSetting } from './in-use.server.ts'
import { formatDocumentNumber, numbering } from './numbering.ts'
import { reviewPeriod } from './review-period.ts'
import { safetySettings } from './safety-settings.ts'

/** Effective numbering and review settings of each document type in a company: its own, the provider's or built-in. */
export const documentTypeSettingsRoute = (kinds: readonly DocumentKind[]): Route => ({
  method: 'GET',
  path: `${safetySettings.url}/{id}/kinds`,
  title: 'Get the numbering and review settings of each document type in a company',
  allow: DOCUMENT_READERS,
  handle: async ({ engine, me, params }) => {
    const { id } = await engine.one(safetySettings, me, readId(params.id) ?? -1)
    const [periods, numberings] = await engine.readIn(id, 'read numbering and review settings', async (c) => [
      await c.find(reviewPeriod, {}),
      await c.find(numbering, {}),
    ])
    const drawn = await engine.db.tx({ clientId: id }, (tx) =>
      tx.rows<{ name: string; last: number }>(
        'SELECT name, last FROM sequence_counter WHERE client_id = $1 AND year = 0',
        [id],
      ),
    )
    const own = [...periods, ...numberings].filter((r) => r.client === id)
    const names = await readUserNames(engine, id, [...new Set(own.map((r) => r.lastEditBy ?? ''))])
    const changed = (row: (typeof own)[number] | undefined) =>
      row ? { by: names.get(row.lastEditBy ?? '') ?? row.lastEditBy, at: row.updatedAt } : null
    return {
      kinds: kinds.map((k) => {
        const of = <R extends { readonly kind: string }>(rows: readonly R[]) => rows.filter((r) => r.kind === k.kind)
        const [period, numbers] = [of(periods), of(numberings)]
        const [ownPeriod, ownNumbers] = [period.find((r) => r.client === id), numbers.find((r) => r.client === id)]
        const months = effectiveSetting(period, id, (r) => r.months, k.reviewMonths)
        const prefix = effectiveSetting(numbers, id, (r) => r.prefix, k.prefix)
        const digits = effectiveSetting(numbers, id, (r) => r.digits, k.numbers.digits)
        const nextNumber = (drawn.find((d) => d.name === k.kind)?.last ?? 0) + 1
        const providers = <R extends { readonly client: number | null }>(rows: readonly R[]) =>
          id === PROVIDER ? undefined : rows.find((r) => r.client === PROVIDER)
        return {
          kind: k.kind,
          name: k.name,
          review: {
            '@id': ownPeriod ? iriOf(reviewPeriod, ownPeriod.id) : null,
            id: ownPeriod?.id ?? null,
            months: months.value,
            from: months.from,
            own: ownPeriod?.months ?? null,
            otherwise: providers(period)?.months ?? k.reviewMonths,
            changed: changed(ownPeriod),
          },
          numbering: {
            '@id': ownNumbers ? iriOf(numbering, ownNumbers.id) : null,
            id: ownNumbers?.id ?? null,
            prefix: prefix.value,
            digits: digits.value,
            from: prefix.from,
            own: { prefix: ownNumbers?.prefix ?? null, digits: ownNumbers?.digits ?? null },
            otherwise: {
              prefix: providers(numbers)?.prefix ?? k.prefix,
              digits: providers(numbers)?.digits ?? k.numbers.digits,
            },
            nextNumber,
            next: formatDocumentNumber(prefix.value, digits.value, nextNumber),
            changed: changed(ownNumbers),
          },
        }
      }),
    }
  },
})
