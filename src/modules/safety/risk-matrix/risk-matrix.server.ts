import { problem, violation } from '#kernel/errors.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { TEMPLATE_MANAGER_ROLES } from '#modules/documents/rights.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { riskMatrix } from './risk-matrix.ts'
import { normaliseAxisNames, normaliseRiskBands, validateRiskMatrix } from './validate-matrix.ts'

/**
 * Rules for risk matrices. A matrix must be valid, each company has at most one, and only template managers can change
 * the provider's matrix.
 */
const matrixBehaviour = behaviour(riskMatrix, {
  beforeSave: async (c) => {
    const { before, values } = c
    if (c.clientId === PROVIDER_CLIENT_ID && !hasRole(c.actor, TEMPLATE_MANAGER_ROLES))
      throw problem.forbidden('Only the provider’s template managers can change the risk matrix for all companies.')
    const wrong = validateRiskMatrix(values)
    if (wrong.length) throw problem.invalid(wrong)
    if (!before && (await c.exists(riskMatrix, { client: c.clientId })))
      throw problem.invalid([violation('bands', 'Your company already has a risk matrix. Please edit it instead')])
    return {
      probability: normaliseAxisNames(values.probability),
      severity: normaliseAxisNames(values.severity),
      bands: normaliseRiskBands(values.bands),
    }
  },
})

export const riskMatricesFeature = feature({
  pack: 'safety',
  resources: [riskMatrix],
  behaviours: [matrixBehaviour],
})
