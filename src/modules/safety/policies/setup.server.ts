import { problem } from '#kernel/errors.ts'
import { link } from '#kernel/fields.ts'
import { toRowObjects } from '#kernel/forms/rows.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { toText } from '#kernel/text.ts'
import { addSystemTemplates, systemTemplateContent } from '#modules/documents/lifecycle/revisions.server.ts'
import { DOCUMENT_AUTHOR_ROLES, TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import { documentRecordTitle } from '#modules/documents/types/kind.ts'
import { type DocumentFacts, defineDocumentFeature } from '#modules/documents/types/kinds.server.ts'
import { client } from '#modules/portal/clients/client.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { riskIndustry } from '../industry.ts'
import { assertLibraryNameUnused } from '../library/library.server.ts'
import { allPolicyArrangements, policyArrangement, policyFunction, policyPerson } from './arrangement.ts'
import { COMPLETED_BY_COMPANY_TEXT, policy } from './policy.ts'
import { toPolicyArrangementRow, toPolicyFunctionRow } from './rows.ts'

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
  /** Titles of library functions. */
  readonly functions: readonly string[]
  readonly arrangements: readonly string[]
}

const policyReference: ReferenceData = {
  name: 'policies',
  needs: ['library'],
  edition: 2,
  load: async (c) => {
    const { intent, arrangements, functions }: Library = readReferenceFile('policy-library.json')
    await insertMissingRows(
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
    await insertMissingRows(
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
  const { templates: all }: { readonly templates: readonly Template[] } = readReferenceFile('policy-templates.json')
  const industries = new Map((await c.find(riskIndustry, {})).map((i) => [i.name, i.id]))
  const found = await c.find(policyArrangement, { retired: false })
  const arrangementOf = byTitle(found.map((row) => ({ ...row, '@id': iriOf(policyArrangement, row.id) })))
  const functionOf = byTitle(await c.find(policyFunction, { retired: false }))
  return all.map(({ title, industry, functions, arrangements }) => ({
    title,
    industry: industries.get(industry) ?? null,
    intent: intent.map((sentence) => `<p>${sentence}</p>`).join(''),
    signatory: COMPLETED_BY_COMPANY_TEXT,
    organisation: functions.map((one) => toPolicyFunctionRow(functionOf(one), COMPLETED_BY_COMPANY_TEXT)),
    arrangements: arrangements.map((one) => toPolicyArrangementRow(arrangementOf(one))),
    uploadedDocuments: [],
  }))
}

/** Returns a function that finds a library row by title, and throws if there is no such row. */
function byTitle<T extends { readonly title: string | null }>(rows: readonly T[]): (title: string) => T {
  const found = new Map(rows.map((row) => [row.title, row]))
  return (title) => {
    const one = found.get(title)
    if (!one) throw new Error(`No library entry is called "${title}"`)
    return one
  }
}

const r = policy.resource

/**
 * Route `POST setup_policy` `{client?, industry?}` that drafts a company's first policy from the provider's template
 * for its trade. If the company already has a policy, returns that policy instead.
 */
const setupPolicyRoute = routeWithInput(
  {
    client: link(() => client, { help: 'ID of another client; for template managers only.' }),
    industry: link(() => riskIndustry, { help: 'Industry whose policy template is used.' }),
  },
  {
    method: 'POST',
    path: '/api/safety/setup_policy',
    title: 'Draft a company’s first policy',
    allow: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: true,
    handle: (c) => {
      const { client: of, industry } = c.input
      const to = of ?? c.me.clientId
      if (to !== c.me.clientId && !hasRole(c.actor, TEMPLATE_MANAGER_ROLES))
        throw problem.forbidden('You can only set up your own company’s policy.')
      return c.engine.inTenant(to, c.change(), async (unit) => {
        const all = await unit.lockAll(r, { client: to, retired: false })
        // Replaced and rejected policies are not treated as existing policies.
        const own = all.find((one) => one.state !== 'replaced' && one.state !== 'rejected')
        const id = own?.id ?? (await begin(unit, industry))
        return async () => {
          const record = await c.engine.one(r, c.me, id).catch(() => {
            throw problem.conflict(
              `Your company already has a policy by ${own?.author ?? 'somebody else'}, which you can’t open. Please ask the author or an approver.`,
            )
          })
          return new RouteResponse(own ? 200 : 201, record, { location: iriOf(r, id) })
        }
      })
    },
  },
)

/** Drafts a policy from the provider's template for the trade or, if there is none, from the general template. */
async function begin(c: Context, industry: number | null | undefined): Promise<number> {
  const found = await c.find(r, { isTemplate: true, current: true })
  const templates = found.filter((one) => one.clientId === PROVIDER_CLIENT_ID && !one.retired)
  const chosen =
    templates.find((one) => industry && one.industry === industry) ?? templates.find((one) => !one.industry)
  if (!chosen) throw problem.conflict('No policy template is available. Please contact your provider.')
  const { id } = await (
    await c.create(r, await systemTemplateContent(c, policy, documentRecordTitle(policy, chosen)))
  ).saved()
  return id
}

/**
 * Rules for arrangements. An arrangement can't have the same name as another. Of the provider's arrangements, only the
 * shared ones are checked, because clients can't see the others.
 */
const arrangementBehaviour = behaviour(policyArrangement, {
  beforeSave: async (c) => {
    await assertLibraryNameUnused(c, policyArrangement, { thing: 'an arrangement', offered: 't.share_all' })
    return undefined
  },
})

/** Holders of the functions. */
const policyFacts: DocumentFacts = {
  load: async (reader, ids) =>
    (await reader.find(policy.resource, { id: ids })).flatMap(
      ({ id, organisation }: { readonly id: number; readonly organisation?: unknown }) =>
        toRowObjects(organisation).map((one) => ({
          document: id,
          topic: toText(one.function),
          statement: toText(one.person),
        })),
    ),
  ask: (topic) => `Who holds the function “${topic}” in this policy?`,
}

export const policiesFeature = defineDocumentFeature({
  pack: 'safety',
  resources: [policyArrangement, allPolicyArrangements, policyFunction, policyPerson],
  kinds: [policy],
  facts: { [policy.kind]: policyFacts },
  behaviours: [arrangementBehaviour],
  routes: [setupPolicyRoute],
  referenceData: [policyReference],
  seeds: () => import('./demo.server.ts'),
})
