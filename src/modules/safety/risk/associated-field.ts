import { riskInfo } from './risk-info.ts'

/** Risk assessments that a job document refers to (safety specification, section 2). */
export const associatedRiskAssessmentsField = {
  label: 'Associated Risk Assessments',
  to: [riskInfo.kind],
  files: true,
  revision: 'chosen',
} as const
