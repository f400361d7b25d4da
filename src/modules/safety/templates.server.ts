import { addSystemTemplates } from '#modules/documents/lifecycle/templates.server.ts'
import type { DocumentContent } from '#modules/documents/types/kind.ts'
import type { Reference } from '#server/engine/world.ts'
import { readReference } from '#server/seed/reference.ts'
import { methodStatement } from './methods/method-statement.ts'
import { loadMethodTemplates } from './methods/templates.server.ts'
import { riskAssessment } from './risk/risk-assessment.ts'
import { loadRiskTemplates } from './risk/templates.server.ts'
import { toolboxTalk } from './talks/toolbox-talk.ts'

/** Provider's document templates, owned by client 0: current, sealed and for copying only. */
export const documentTemplatesReference: Reference = {
  name: 'document templates',
  needs: ['library'],
  edition: 2,
  load: async (c) => {
    await addSystemTemplates(c, toolboxTalk, talkTemplates())
    await addSystemTemplates(c, riskAssessment, await loadRiskTemplates(c))
    await addSystemTemplates(c, methodStatement, await loadMethodTemplates(c))
  },
}

function talkTemplates(): DocumentContent[] {
  const talks: readonly { readonly title: string; readonly points: readonly string[] }[] =
    readReference('toolbox-talks.json')
  return talks.map(({ title, points }) => ({ title, points: points.map((text) => ({ text })) }))
}
