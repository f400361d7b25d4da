import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { copyExposureLimitValues, substance, substanceLimit } from './substance.ts'

interface Bought {
  /** Name of the source template. */
  readonly from: string
  readonly name: string
  readonly supplier: string
  /** Age of the data sheet in months; undefined if the data sheet has not been requested yet. */
  readonly sheetMonths?: number
  readonly precautions: readonly string[]
  readonly boilingPoint?: number
  /** True if the data sheet confirms the limits. */
  readonly confirmed?: true
}

/** Demo substances of a builder. One data sheet is out of date and one is missing. */
const STORE: readonly Bought[] = [
  {
    from: 'Wet cement and mortar',
    name: 'Ropegrip 42.5N cement',
    supplier: 'Don Valley Builders’ Merchants',
    sheetMonths: 9,
    precautions: ['P261', 'P280', 'P302+P352', 'P305+P351+P338'],
    confirmed: true,
  },
  {
    from: 'White spirit',
    name: 'Low-odour white spirit',
    supplier: 'Kelham Paints',
    sheetMonths: 41,
    precautions: ['P210', 'P260', 'P301+P310', 'P331'],
    boilingPoint: 160,
  },
  {
    from: 'Acidic toilet cleaner or descaler',
    name: 'Brick and patio acid',
    supplier: 'Don Valley Builders’ Merchants',
    sheetMonths: 14,
    precautions: ['P260', 'P280', 'P303+P361+P353', 'P305+P351+P338'],
    boilingPoint: 108,
  },
  {
    from: 'Contact adhesive (solvent)',
    name: 'Trade contact adhesive',
    supplier: 'Kelham Paints',
    sheetMonths: 5,
    precautions: ['P210', 'P261', 'P271'],
    boilingPoint: 78,
  },
  {
    from: 'Expanding foam (isocyanate)',
    name: 'Fire-rated expanding foam',
    supplier: 'Sheaf Fixings',
    sheetMonths: 20,
    precautions: ['P210', 'P251', 'P260', 'P280', 'P284'],
  },
  {
    from: 'Diesel fuel',
    name: 'Gas oil for plant',
    supplier: 'Rother Fuels',
    precautions: ['P210', 'P261', 'P280', 'P301+P310'],
    boilingPoint: 180,
  },
]

const seedSubstances = (engine: Engine): Promise<void> =>
  seedAsUser(
    engine,
    { clientId: 1, username: 'admin.brick', at: engine.clock.now().subtract({ hours: 24 * 80 }) },
    async (c) => {
      for (const bought of STORE) await buy(c, bought)
    },
  )

async function buy(c: Context, { from, name, supplier, sheetMonths, precautions, boilingPoint, confirmed }: Bought) {
  const [template] = await c.find(substance, { name: from })
  if (!template) throw new Error(`There is no substance "${from}"`)
  const limits = await c.find(substanceLimit, { substance: template.id })
  const today = londonDate(c.engine.clock.now())
  await c.create(substance, {
    name,
    supplier,
    industry: template.industry,
    form: template.form,
    hazardStatements: template.hazardStatements,
    precautions: [...precautions],
    routes: template.routes,
    boilingPoint: boilingPoint ?? null,
    limits: limits.map((limit) => ({ ...copyExposureLimitValues(limit), composed: !confirmed })),
    sheetDate: sheetMonths === undefined ? null : today.subtract({ months: sheetMonths }).toString(),
    notes: template.notes,
  })
}

export const seeds: readonly DemoDataPart[] = [{ name: 'substances', needs: ['library'], tell: seedSubstances }]
