import { addSystemTemplates } from '#modules/documents/lifecycle/revisions.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { riskIndustry } from './industry.ts'
import { methodStatement } from './methods/method-statement.ts'
import { riskAssessment } from './risk/risk-assessment.ts'
import { loadRiskTemplates } from './risk/risk-item.server.ts'
import { createEmptyJobContacts } from './shared-fields/contacts.ts'
import { COMPLETED_FOR_EACH_SITE_TEXT } from './shared-fields/fields.ts'
import { loadTaskTitleLookup, loadTemplateStatements } from './statements/search.server.ts'
import { toolboxTalk } from './talks/toolbox-talk.ts'

interface Template {
  readonly title: string
  readonly industry: string
  readonly equipment: string
  readonly steps: readonly { readonly title: string; readonly text: string; readonly responsible?: string }[]
  /** Titles of library tasks. */
  readonly tasks: readonly string[]
  /** Description of each item, and the evidence that the item is safe. In `permits`: purpose and issuer. */
  readonly plant: readonly (readonly [string, string])[]
  readonly permits: readonly (readonly [string, string])[]
  readonly arrangements: string
}

/** Returns the content of the system templates for method statements, built from the provider's library. */
async function loadMethodTemplates(c: Context): Promise<DocumentContent[]> {
  const templates: Template[] = readReferenceFile('method-templates.json')
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const [statements, taskOf] = [await loadTemplateStatements(c), await loadTaskTitleLookup(c)]
  return templates.map((t) => ({
    description: t.title,
    location: COMPLETED_FOR_EACH_SITE_TEXT,
    supervisor: COMPLETED_FOR_EACH_SITE_TEXT,
    industry: industries.get(t.industry) ?? null,
    equipment: t.equipment,
    sequence: t.steps.map(({ responsible = '', ...step }) => ({ ...step, responsible, pictures: [] })),
    methodStatement: {
      defaultStatements: statements(),
      nonDefaultStatements: [],
      taskSelection: t.tasks.flatMap(taskOf),
    },
    plant: t.plant.map(([name, checks]) => ({ name, checks })),
    permits: t.permits.map(([name, issuer]) => ({ name, issuer })),
    people: [],
    emergencyArrangements: t.arrangements,
    emergencyContact: createEmptyJobContacts(),
    uploadedDocuments: [],
  }))
}

/** The provider's document templates, owned by client 0. They are in force and sealed, and can only be copied. */
export const documentTemplateReferenceData: ReferenceData = {
  name: 'document templates',
  needs: ['library'],
  edition: 4,
  load: async (c) => {
    await addSystemTemplates(c, toolboxTalk, talkTemplates())
    await addSystemTemplates(c, riskAssessment, await loadRiskTemplates(c))
    await addSystemTemplates(c, methodStatement, await loadMethodTemplates(c))
  },
}

function talkTemplates(): DocumentContent[] {
  const talks: readonly { readonly title: string; readonly points: readonly string[] }[] =
    readReferenceFile('toolbox-talks.json')
  return talks.map(({ title, points }) => ({ title, points: points.map((text) => ({ text })) }))
}
