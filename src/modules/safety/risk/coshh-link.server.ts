import { problem } from '#kernel/errors.ts'
import { flag } from '#kernel/fields.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { Route } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { coshhLink } from './coshh-link.ts'
import { riskAssessment } from './risk-assessment.ts'

const { riskAssessment: risk, coshhAssessment: coshh } = coshhLink.fields
const iri = (id: number) => `${coshhLink.url}/${id}`

/**
 * Changes the COSHH references of a risk assessment. The risk assessment's own rules apply: only its authors can change
 * the references, and only in a draft.
 */
async function changeNamed(c: Context, id: number, change: (rows: readonly object[]) => readonly object[]) {
  const row: DocumentContent | undefined = await c.get(riskAssessment.resource, id)
  if (!row) throw problem.notFound()
  const named = Array.isArray(row.coshh) ? row.coshh.filter(isPlainObject) : []
  const words: DocumentContent = { coshh: change(named) }
  await (await c.change(riskAssessment.resource, id, words)).saved()
}

const linkOf = async (c: Context, riskId: number, coshhId: number): Promise<RowOf<typeof coshhLink> | undefined> =>
  (await c.find(coshhLink, { riskAssessment: riskId, coshhAssessment: coshhId }))[0]

export const coshhLinkRoutes: readonly Route[] = [
  routeWithInput(
    { riskAssessment: risk, coshhAssessment: coshh },
    {
      method: 'POST',
      path: coshhLink.url,
      title: 'Add a COSHH assessment to a draft risk assessment',
      allow: DOCUMENT_AUTHOR_ROLES,
      whileImpersonating: true,
      handle: (r) =>
        r.engine.inTenant(r.me.clientId, { ...r.change(), resource: coshhLink }, async (c) => {
          const { riskAssessment: riskId, coshhAssessment: coshhId } = r.input
          await changeNamed(c, riskId, (rows) => [...rows, { target: coshhId, notes: '' }])
          const made = await linkOf(c, riskId, coshhId)
          return () => ({ '@id': made ? iri(made.id) : null, retired: false })
        }),
    },
  ),
  routeWithInput(
    { retired: flag() },
    {
      method: 'PUT',
      path: `${coshhLink.url}/{id}`,
      title: 'Remove a COSHH assessment from a draft risk assessment',
      allow: DOCUMENT_AUTHOR_ROLES,
      whileImpersonating: true,
      handle: (r) =>
        r.engine.inTenant(r.me.clientId, { ...r.change(), resource: coshhLink }, async (c) => {
          const id = parseId(r.params.id)
          const found = id === undefined ? undefined : await c.get(coshhLink, id)
          if (!found) throw problem.notFound()
          if (r.input.retired)
            await changeNamed(c, found.riskAssessment, (rows) =>
              rows.filter((row) => !('id' in row) || row.id !== found.id),
            )
          return () => ({ '@id': iri(found.id), retired: r.input.retired })
        }),
    },
  ),
]
