import { kindFace } from '#modules/documents/types/type-info.ts'
import { methodFace } from '../methods/method-info.ts'
import { riskFace } from '../risk/risk-info.ts'

export const ramsFace = kindFace({
  kind: 'rams_pack',
  name: 'RAMS pack',
  noun: 'RAMS pack',
  screens: { list: '/safety/rams', update: '/safety/rams/update' },
  nav: { title: 'RAMS packs', icon: 'folder', order: 8 },
  from: {
    methodStatement: { kind: methodFace.kind, action: 'RAMS pack from this method statement' },
    riskAssessment: { kind: riskFace.kind, action: 'RAMS pack from this assessment' },
  },
})
