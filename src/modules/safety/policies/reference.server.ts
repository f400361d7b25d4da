import { iriOf } from '#kernel/resource.ts'
import { addSystemTemplates } from '#modules/documents/lifecycle/templates.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { readReference } from '#server/seed/reference.ts'
import { riskIndustry } from '../industry.ts'
import { policyArrangement, policyFunction } from './arrangement.ts'
import { EACH_COMPANY_TEXT } from './form.ts'
import { policy } from './policy.ts'
import { toArrangementRow, toFunctionRow } from './rows.ts'

interface Library {
  readonly intent: readonly string[]
  readonly arrangements: readonly {
    readonly id: number
    readonly title: string
    readonly description: string
    readonly shareAll: boolean
  }[]
  readonly functions: readonly {
    readonly id: number
    readonly title: string
    readonly responsibilities: readonly string[]
  }[]
}

interface Template {
  readonly title: string
  readonly industry: string | null
  /** Titles in the library. */
  readonly functions: readonly string[]
  readonly arrangements: readonly string[]
}

export const policyReference: Reference = {
  name: 'policies',
  needs: ['library'],
  edition: 1,
  load: async (c) => {
    const { intent, arrangements, functions }: Library = readReference('policy-library.json')
    await addMissing(
      c,
      policyArrangement,
      'templateKey',
      arrangements.map(({ id, title, description, shareAll }) => ({
        title,
        description: `<p>${description}</p>`,
        shareAll,
        templateKey: String(id),
      })),
    )
    await addMissing(
      c,
      policyFunction,
      'templateKey',
      functions.map(({ id, title, responsibilities }) => ({
        title,
        responsibilities: [...responsibilities],
        templateKey: String(id),
      })),
    )
    await addSystemTemplates(c, policy, await templates(c, intent))
  },
}

async function templates(c: Context, intent: readonly string[]): Promise<DocumentContent[]> {
  const { templates: all }: { readonly templates: readonly Template[] } = readReference('policy-templates.json')
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const found = await c.find(policyArrangement, { retired: false })
  const arrangementOf = byTitle(found.map((row) => ({ ...row, '@id': iriOf(policyArrangement, row.id) })))
  const functionOf = byTitle(await c.find(policyFunction, { retired: false }))
  return all.map(({ title, industry, functions, arrangements }) => ({
    title,
    industry: industries.get(industry) ?? null,
    intent: intent.map((sentence) => `<p>${sentence}</p>`).join(''),
    signatory: EACH_COMPANY_TEXT,
    organisation: functions.map((one) => toFunctionRow(functionOf(one), EACH_COMPANY_TEXT)),
    arrangements: arrangements.map((one) => toArrangementRow(arrangementOf(one))),
    uploadedDocuments: [],
  }))
}

/** Finds library rows by title. Throws if there is none. */
function byTitle<T extends { readonly title: string | null }>(rows: readonly T[]): (title: string) => T {
  const found = new Map(rows.map((row) => [row.title, row]))
  return (title) => {
    const one = found.get(title)
    if (!one) throw new Error(`No library entry is called "${title}"`)
    return one
  }
}
