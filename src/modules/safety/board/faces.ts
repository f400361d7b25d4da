import { coshhFace } from '../coshh/coshh-info.ts'
import { methodFace } from '../methods/method-info.ts'
import { policyFace } from '../policies/policy-info.ts'
import { ramsFace } from '../rams/rams-info.ts'
import { riskFace } from '../risk/risk-info.ts'
import { talkFace } from '../talks/talk-info.ts'

/** The kinds of document that the board counts. */
export const FACES = [riskFace, methodFace, talkFace, coshhFace, ramsFace, policyFace]
