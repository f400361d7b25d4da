import type { DemoPart } from '#server/engine/initial-data.ts'
import { createSignatureRequestsDemo } from './demo-signatures.server.ts'
import { updateDemoTemplate } from './risk/demo.server.ts'

/** Demo signatures and an updated template, created once documents of every type are in force. */
const safetyPart: DemoPart = {
  name: 'safety',
  needs: ['planned forms'],
  tell: async (engine) => {
    await createSignatureRequestsDemo(engine)
    await updateDemoTemplate(engine)
  },
}

export const seeds = [safetyPart]
