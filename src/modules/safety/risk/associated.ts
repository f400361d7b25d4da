import { riskInfo } from './risk-info.ts'

/** The assessments that a document of a job names (safety specification, section 2). */
export const associatedRisks = {
  label: 'Associated Risk Assessments',
  to: [riskInfo.kind],
  files: true,
  revision: 'chosen',
} as const
