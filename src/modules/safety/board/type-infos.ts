import { coshhInfo } from '../coshh/coshh-info.ts'
import { methodStatementInfo } from '../methods/method-info.ts'
import { policyInfo } from '../policies/policy-info.ts'
import { ramsInfo } from '../rams/rams-info.ts'
import { riskAssessmentInfo } from '../risk/risk-info.ts'
import { toolboxTalkInfo } from '../talks/talk-info.ts'

/** Document types that the board counts. */
export const SAFETY_DOCUMENT_TYPE_INFOS = [
  riskAssessmentInfo,
  methodStatementInfo,
  toolboxTalkInfo,
  coshhInfo,
  ramsInfo,
  policyInfo,
]
