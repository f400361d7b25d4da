import type { Reference } from '#server/engine/world.ts'
import { addMissing, fill } from '#server/seed/fill.ts'
import { readReference } from '#server/seed/reference.ts'
import type { PHYSICAL_FORMS } from './banding.ts'
import { labelOfStatements } from './labels.ts'
import { KNOWN_EXPOSURE_LIMITS } from './limits.ts'
import { substance, substanceLimit } from './substance.ts'

interface Composed {
  readonly id: number
  readonly name: string
  readonly industry: string
  readonly form: (typeof PHYSICAL_FORMS)[number]['value']
  readonly hazardStatements: readonly string[]
  readonly routes: readonly string[]
  /** Agents of the limits, as named in EH40. */
  readonly limits: readonly string[]
  readonly notes?: string
}

const SOURCE =
  'Assumed: typical of such products, not specific to a supplier. The supplier’s data sheet takes precedence.'

/** Initial substances, owned by client 0. */
export const substanceReference: Reference = {
  name: 'substances',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const { substances }: { readonly substances: readonly Composed[] } = readReference('substances.json')
    const added = await addMissing(
      c,
      substance,
      'templateKey',
      substances.map(({ id, name, industry, form, hazardStatements, routes, notes }) => ({
        name,
        industry,
        form,
        hazardStatements: [...hazardStatements],
        ...labelOfStatements(hazardStatements),
        routes: [...routes],
        notes: notes ?? '',
        source: SOURCE,
        templateKey: String(id),
      })),
    )
    const ids = new Set(added)
    const known = new Map((await c.find(substance, {})).map((row) => [row.templateKey, row.id]))
    await fill(
      c,
      substanceLimit,
      substances.flatMap(({ id, limits }) => {
        const of = known.get(String(id))
        return of !== undefined && ids.has(of) ? limits.map((agent, position) => limitOf(agent, of, position)) : []
      }),
    )
  },
}

/** EH40 limit for an assumed substance. Throws if there is none. */
function limitOf(agent: string, of: number, position: number) {
  const limit = KNOWN_EXPOSURE_LIMITS.find((one) => one.agent === agent)
  if (!limit) throw new Error(`There is no limit for "${agent}"`)
  const confidence = limit.confidence as 'high' | 'medium' | 'low'
  const { longPpm = null, longMgM3 = null, shortPpm = null, shortMgM3 = null } = limit
  const figures = { longPpm, longMgM3, shortPpm, shortMgM3 }
  const words = { agent, source: limit.source ?? '', notes: limit.notes ?? '', confidence, composed: true }
  return { substance: of, position, ...figures, ...words }
}
