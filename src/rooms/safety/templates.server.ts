import { type Actor, PROVIDER, systemActor } from '#kernel/roles.ts'
import { addTemplates } from '#rooms/documents/offers.server.ts'
import { client } from '#rooms/portal/clients/client.ts'
import type { Engine } from '#server/engine/engine.ts'
import { riskAssessment } from './risk/risk-assessment.ts'
import { riskTemplates } from './risk/templates.server.ts'
import { talkTemplates } from './talks/templates.server.ts'
import { toolboxTalk } from './talks/toolbox-talk.ts'

/** Templates are shown as the product's own. */
const keeper: Actor = { ...systemActor(PROVIDER, 'templates'), username: 'Stanchion', name: 'Stanchion' }

/** Adds the provider's documents to start from, as client 0's: current, sealed, to copy only. */
export const loadTemplates = (engine: Engine): Promise<void> =>
  engine.inTenant(PROVIDER, { actor: keeper, requestId: 'templates' }, async (c) => {
    // A second process that starts at the same moment waits here, and then finds them.
    await c.lock(client, PROVIDER)
    await addTemplates(c, toolboxTalk, talkTemplates())
    await addTemplates(c, riskAssessment, await riskTemplates(c))
    return () => undefined
  })
