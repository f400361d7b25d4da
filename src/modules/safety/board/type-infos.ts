import { coshhInfo } from '../coshh/coshh-info.ts'
import { methodInfo } from '../methods/method-info.ts'
import { policyInfo } from '../policies/policy-info.ts'
import { ramsInfo } from '../rams/rams-info.ts'
import { riskInfo } from '../risk/risk-info.ts'
import { talkInfo } from '../talks/talk-info.ts'

/** Document types that the board counts. */
export const SAFETY_DOCUMENT_TYPE_INFOS = [riskInfo, methodInfo, talkInfo, coshhInfo, ramsInfo, policyInfo]
