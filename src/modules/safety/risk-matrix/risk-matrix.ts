import { resolveSetting, type SettingSource } from '#kernel/effective-setting.ts'
import { instant, json, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { DOCUMENT_APPROVER_ROLES, TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { addRiskBandUpperLimits, DEFAULT_RISK_MATRIX, type RiskMatrix, type StoredRiskBand } from './bands.ts'

/**
 * A company's risk matrix for new assessments: axis names and bands. Each company has at most one matrix. Client 0's
 * matrix is the provider's.
 */
export const riskMatrix = resource({
  type: 'RiskMatrix',
  service: 'safety',
  path: 'risk_matrices',
  table: 'risk_matrix',
  tenant: 'own or template',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    probability: strings({
      label: 'Probability names',
      help: 'Five names, from 1 to 5. Leave empty to use the provider’s.',
    }),
    severity: strings({ label: 'Severity names', help: 'Five names, from 1 to 5. Leave empty to use the provider’s.' }),
    bands: json({
      label: 'Bands',
      help: '2 to 5 bands, each with `from`, `name`, `level`, `demands` and `rule`. Leave empty to use the provider’s.',
    }),
    lastEditBy: text({ column: 'updated_by', readonly: true, stamp: 'editor', label: 'Changed by' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: 'member',
    create: DOCUMENT_APPROVER_ROLES,
    update: DOCUMENT_APPROVER_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
  },
  pack: 'safety',
})

export interface RiskMatrixRow {
  readonly client?: unknown
  readonly probability?: unknown
  readonly severity?: unknown
  readonly bands?: unknown
}

const words = (row: RiskMatrixRow | undefined, axis: 'probability' | 'severity') => {
  const said = row?.[axis]
  return Array.isArray(said) && said.length === 5 ? (said as readonly string[]) : null
}
const bandsOf = (row: RiskMatrixRow | undefined) =>
  Array.isArray(row?.bands) ? addRiskBandUpperLimits(row.bands as readonly StoredRiskBand[]) : null

/**
 * Merges the company's own, the provider's and the default values into the matrix to use. Also returns where the axis
 * names and the bands come from.
 */
export function mergeRiskMatrix(own: RiskMatrixRow | undefined, provider: RiskMatrixRow | undefined) {
  const [probability, severity, bands] = [
    resolveSetting(words(own, 'probability'), words(provider, 'probability'), DEFAULT_RISK_MATRIX.probability),
    resolveSetting(words(own, 'severity'), words(provider, 'severity'), DEFAULT_RISK_MATRIX.severity),
    resolveSetting(bandsOf(own), bandsOf(provider), DEFAULT_RISK_MATRIX.bands),
  ]
  const from: Readonly<Record<keyof RiskMatrix, SettingSource>> = {
    probability: probability.from,
    severity: severity.from,
    bands: bands.from,
  }
  const matrix: RiskMatrix = { probability: probability.value, severity: severity.value, bands: bands.value }
  return { matrix, from }
}

/** Returns the matrix that a company uses. `rows` contains the company's and the provider's rows. */
export function riskMatrixForClient(rows: readonly RiskMatrixRow[], clientId: number): RiskMatrix {
  const of = (id: number) => rows.find((row) => row.client === id)
  return mergeRiskMatrix(of(clientId), clientId === PROVIDER_CLIENT_ID ? undefined : of(PROVIDER_CLIENT_ID)).matrix
}
