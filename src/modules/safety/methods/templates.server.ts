import type { DocumentWords } from '#modules/documents/types/kind.ts'
import type { Context } from '#server/engine/types.ts'
import { readReference } from '#server/seed/reference.ts'
import { riskIndustry } from '../industry.ts'
import { noContacts } from '../shared-fields/contacts.ts'
import { EACH_SITE } from '../shared-fields/fields.ts'
import { libraryDefaults, libraryTasks } from '../statements/named.server.ts'

interface Template {
  readonly title: string
  readonly industry: string
  readonly equipment: string
  readonly steps: readonly { readonly title: string; readonly text: string; readonly responsible?: string }[]
  /** Task titles in the library. */
  readonly tasks: readonly string[]
  /** Description, evidence that it is safe; purpose and issuer of the permit. */
  readonly plant: readonly (readonly [string, string])[]
  readonly permits: readonly (readonly [string, string])[]
  readonly arrangements: string
}

/** Content of the system templates of method statements, from the provider's library. */
export async function methodTemplates(c: Context): Promise<DocumentWords[]> {
  const templates: Template[] = readReference('method-templates.json')
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const [statements, taskOf] = [await libraryDefaults(c), await libraryTasks(c)]
  return templates.map((t) => ({
    description: t.title,
    location: EACH_SITE,
    supervisor: EACH_SITE,
    industry: industries.get(t.industry) ?? null,
    equipment: t.equipment,
    sequence: t.steps.map(({ responsible = '', ...step }) => ({ ...step, responsible, pictures: [] })),
    methodStatement: {
      defaultStatements: statements,
      nonDefaultStatements: [],
      taskSelection: t.tasks.map(taskOf),
    },
    plant: t.plant.map(([name, checks]) => ({ name, checks })),
    permits: t.permits.map(([name, issuer]) => ({ name, issuer })),
    people: [],
    emergencyArrangements: t.arrangements,
    emergencyContact: noContacts(),
    uploadedDocuments: [],
  }))
}
