import { problem } from '#kernel/errors.ts'
import { link } from '#kernel/fields.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import { systemTemplateContent } from '#modules/documents/lifecycle/templates.server.ts'
import { DOCUMENT_AUTHORS, TEMPLATE_MANAGERS } from '#modules/documents/rights.ts'
import { documentRecordTitle } from '#modules/documents/types/kind.ts'
import { client } from '#modules/portal/clients/client.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { riskIndustry } from '../industry.ts'
import { policy } from './policy.ts'

const r = policy.resource

/**
 * `POST setup_policy` `{client?, industry?}`: drafts a company's first policy from the provider's template for its
 * trade. If the company already has a policy, that one is returned.
 */
export const setupPolicyRoute = routeWith(
  {
    client: link(() => client, { help: 'Another client’s id, for managers of the templates only.' }),
    industry: link(() => riskIndustry, { help: 'Trade whose policy template is used.' }),
  },
  {
    method: 'POST',
    path: '/api/safety/setup_policy',
    title: 'Draft a company’s first policy',
    allow: DOCUMENT_AUTHORS,
    handle: (c) => {
      const { client: of, industry } = c.input
      const to = of ?? c.me.clientId
      if (to !== c.me.clientId && !hasRole(c.actor, TEMPLATE_MANAGERS))
        throw problem.forbidden('You can only set up your own company’s policy.')
      return c.engine.inTenant(to, c.change(), async (unit) => {
        const all = await unit.lockAll(r, { client: to, retired: false })
        // Replaced and rejected policies don't count.
        const own = all.find((one) => one.state !== 'replaced' && one.state !== 'rejected')
        const id = own?.id ?? (await begin(unit, industry))
        return async () => {
          const record = await c.engine.one(r, c.me, id).catch(() => {
            throw problem.conflict(`${own?.author ?? 'Somebody'} is already writing your company’s policy.`)
          })
          return new RouteAnswer(own ? 200 : 201, record, { location: iriOf(r, id) })
        }
      })
    },
  },
)

/** Drafts a policy from the provider's template for the trade, or from the general one. */
async function begin(c: Context, industry: number | null | undefined): Promise<number> {
  const found = await c.find(r, { isTemplate: true, current: true })
  const templates = found.filter((one) => one.clientId === PROVIDER && !one.retired)
  const chosen =
    templates.find((one) => industry && one.industry === industry) ?? templates.find((one) => !one.industry)
  if (!chosen) throw problem.conflict('No policy template is available. Please contact your provider.')
  const { id } = await (
    await c.create(r, await systemTemplateContent(c, policy, documentRecordTitle(policy, chosen)))
  ).saved()
  return id
}
