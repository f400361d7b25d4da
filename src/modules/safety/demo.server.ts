import type { DemoPart } from '#server/engine/world.ts'
import { tellAskings } from './demo-signatures.server.ts'
import { improveTemplate } from './risk/demo.server.ts'

/** Signatures and a better template, once documents of every type are in force. */
const safetyPart: DemoPart = {
  name: 'safety',
  needs: ['planned forms'],
  tell: async (engine) => {
    await tellAskings(engine)
    await improveTemplate(engine)
  },
}

export const seeds = [safetyPart]
