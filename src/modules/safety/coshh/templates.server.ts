import { PROVIDER } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { addSystemTemplates } from '#modules/documents/lifecycle/templates.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { readReference } from '#server/seed/reference.ts'
import { riskIndustry } from '../industry.ts'
import { ppe } from '../library/ppe.ts'
import { substance } from '../substances/substance.ts'
import { coshhAssessment } from './coshh-assessment.ts'
import type { CoshhEquipment } from './equipment.ts'
import { FILL_IN_PER_SITE } from './form.ts'
import { readLibrarySubstance } from './kept-substance.server.ts'
import { proposeApproach, type SubstanceUse } from './substances-used.ts'

interface Template {
  readonly name: string
  readonly industry: string
  readonly process: string
  readonly frequency: string
  readonly duration: string
  readonly groups: readonly string[]
  readonly substances: readonly {
    /** Name of a system substance. */
    readonly of: string
    readonly quantity: number
    readonly unit: string
    readonly level?: string
    readonly notes?: string
    /** Approach chosen instead of the proposal, with its reason. */
    readonly other?: number
    readonly reason?: string
  }[]
  readonly controls: readonly (readonly [tier: string, text: string])[]
  /** Kinds of equipment in COSHH assessments; the first item of each is used. */
  readonly ppe: readonly string[]
  readonly lev?: boolean
}

/** The provider's COSHH templates: current and sealed, only for copying. */
export const coshhTemplatesReference: Reference = {
  name: 'COSHH templates',
  needs: ['library', 'substances', 'document templates'],
  edition: 1,
  load: async (c) => {
    const { templates }: { readonly templates: readonly Template[] } = readReference('coshh-templates.json')
    const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
    const words: DocumentContent[] = []
    for (const { industry, groups, substances, controls, ppe: worn, lev = false, ...said } of templates)
      words.push({
        ...said,
        industry: industries.get(industry) ?? null,
        location: FILL_IN_PER_SITE,
        groupsAffected: groups,
        expectant: 'no',
        young: 'no',
        substances: await Promise.all(substances.map((one) => used(c, one))),
        measures: controls.map(([tier, text]) => ({ tier, text })),
        lev: lev ? 'yes' : 'no',
        ...(lev ? { levExamined: londonDate(c.now).toString() } : {}),
        worn: await equipmentFor(c, worn),
        emergencyContact: [1, 2, 3].map(() => ({ name: '', number: '' })),
        uploadedDocuments: [],
      })
    await addSystemTemplates(c, coshhAssessment, words)
  },
}

/** A system substance with its use in a template. Throws if it does not exist. */
async function used(c: Context, { of, other, reason, ...use }: Template['substances'][number]): Promise<SubstanceUse> {
  const found = (await c.find(substance, { name: of })).find((one) => one.clientId === PROVIDER)
  if (!found) throw new Error(`There is no substance "${of}"`)
  const row: SubstanceUse = { ...(await readLibrarySubstance(c, found)), ...use }
  return {
    ...row,
    ...(other ? { approach: other, reason: reason ?? '' } : { confirmed: proposeApproach(row).formula }),
  }
}

/** First piece of equipment of each kind, in the shape an assessment saves. */
async function equipmentFor(c: Context, kinds: readonly string[]): Promise<CoshhEquipment[]> {
  const all = await c.find(ppe, { isStandardCoshh: true, retired: false })
  return kinds.flatMap((kind) => {
    const found = all.find((one) => one.coshhValue === kind)
    if (!found) return []
    const { id, name, description, image } = found
    return [{ id, label: name, coshhValue: kind, standard: description, image }]
  })
}
