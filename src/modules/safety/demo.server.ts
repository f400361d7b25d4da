import type { DemoPart } from '#server/engine/world.ts'
import { tellCoshh } from './coshh/demo.server.ts'
import { tellCustomForms } from './custom-forms/demo.server.ts'
import { tellAskings } from './demo-signatures.server.ts'
import { tellFormSchedule } from './form-schedule/demo.server.ts'
import { tellLibrary } from './library/demo.server.ts'
import { tellMethods } from './methods/demo.server.ts'
import { tellPolicies } from './policies/demo.server.ts'
import { tellPack } from './rams/demo.server.ts'
import { tellRequests } from './requests/demo.server.ts'
import { improveTemplate, tellAssessments } from './risk/demo.server.ts'
import { tellSchedule } from './schedule/demo.server.ts'
import { tellSubstances } from './substances/demo.server.ts'
import { tellTalks } from './talks/demo.server.ts'

/** Two companies' libraries, documents in every state, talks that were given, people who are asked to sign. */
const safetyPart: DemoPart = {
  name: 'safety',
  needs: ['people'],
  tell: async (engine) => {
    await tellLibrary(engine)
    await tellSubstances(engine)
    await tellAssessments(engine)
    await tellMethods(engine)
    await tellTalks(engine)
    await tellSchedule(engine)
    await tellCoshh(engine)
    await tellPack(engine)
    await tellRequests(engine)
    await tellPolicies(engine)
    await tellCustomForms(engine)
    await tellFormSchedule(engine)
    await tellAskings(engine)
    await improveTemplate(engine)
  },
}

export const demo = [safetyPart]
