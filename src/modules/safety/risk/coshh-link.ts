import { link } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { coshhAssessment } from '../coshh/coshh-assessment.ts'
import { riskAssessment } from './risk-assessment.ts'

/**
 * Link from a risk assessment to a COSHH assessment, as a separate resource with the endpoints that the specification
 * defines. The link is saved, sealed and printed with the risk assessment.
 */
export const coshhLink = resource({
  type: 'CoshhLink',
  service: 'safety',
  path: 'coshh_links',
  table: 'document_reference',
  only: { field: 'coshh' },
  tenant: 'own or template',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    riskAssessment: link((): Resource => riskAssessment.resource, {
      column: 'document_id',
      required: 'Please choose the risk assessment',
      filter: true,
    }),
    coshhAssessment: link((): Resource => coshhAssessment.resource, {
      column: 'target_id',
      required: 'Please choose the COSHH assessment',
      filter: true,
    }),
  },
  allow: { read: DOCUMENT_READER_ROLES, rows: [{ unless: [], only: only.ofReadable('riskAssessment') }] },
  pack: 'safety',
})
