import { coshhFace } from '../coshh/coshh-face.ts'
import { methodFace } from '../methods/method-face.ts'
import { policyFace } from '../policies/policy-face.ts'
import { ramsFace } from '../rams/rams-face.ts'
import { riskFace } from '../risk/risk-face.ts'
import { talkFace } from '../talks/talk-face.ts'

/** The kinds of document that the board counts. */
export const FACES = [riskFace, methodFace, talkFace, coshhFace, ramsFace, policyFace]
