import { riskFace } from '../risk/risk-face.ts'
import { talkFace } from '../talks/talk-face.ts'

/** The kinds of document that the board counts. */
export const FACES = [riskFace, talkFace]
