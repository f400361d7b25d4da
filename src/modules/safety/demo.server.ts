import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { createDemoSignatureRequests } from './demo-signatures.server.ts'
import { updateDemoTemplate } from './risk/demo.server.ts'

/** Demo signatures and an updated template. Created after documents of every type are in force. */
const safetyPart: DemoDataPart = {
  name: 'safety',
  needs: ['planned forms'],
  tell: async (engine) => {
    await createDemoSignatureRequests(engine)
    await updateDemoTemplate(engine)
  },
}

export const seeds = [safetyPart]
