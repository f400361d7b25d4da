import { addTemplates } from '#modules/documents/lifecycle/templates.server.ts'
import type { DocumentWords } from '#modules/documents/types/kind.ts'
import type { Reference } from '#server/engine/world.ts'
import { readReference } from '#server/seed/reference.ts'
import { methodStatement } from './methods/method-statement.ts'
import { methodTemplates } from './methods/templates.server.ts'
import { riskAssessment } from './risk/risk-assessment.ts'
import { riskTemplates } from './risk/templates.server.ts'
import { toolboxTalk } from './talks/toolbox-talk.ts'

/** Provider's document templates, owned by client 0: current, sealed and for copying only. */
export const documentTemplates: Reference = {
  name: 'document templates',
  needs: ['library'],
  edition: 2,
  load: async (c) => {
    await addTemplates(c, toolboxTalk, talkTemplates())
    await addTemplates(c, riskAssessment, await riskTemplates(c))
    await addTemplates(c, methodStatement, await methodTemplates(c))
  },
}

function talkTemplates(): DocumentWords[] {
  const talks: readonly { readonly title: string; readonly points: readonly string[] }[] =
    readReference('toolbox-talks.json')
  return talks.map(({ title, points }) => ({ title, points: points.map((text) => ({ text })) }))
}
