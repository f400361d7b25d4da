import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import { AUTHORS } from '#modules/documents/rights.ts'
import { document } from '#modules/documents/types/document.ts'
import { queryString } from '#web/api/client.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { parts } from './board/parts.web.tsx'
import { part as formsPart } from './form-schedule/mine.web.tsx'
import { nav } from './nav.ts'
import { riskInfo } from './risk/risk-info.ts'
import { part as talksPart } from './schedule/mine.web.tsx'

/** Path of presented talks; importing their declaration would enlarge the first load. */
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

const isFor = (actor: Actor) => actor.clientId !== PROVIDER && hasRole(actor, AUTHORS)

export default {
  parts: [...parts, talksPart, formsPart],
  firstSteps: [
    {
      order: 50,
      isFor,
      title: 'Write your first risk assessment',
      about: 'Start with a template for your trade and adapt it to your site.',
      icon: nav.riskAssessments.icon,
      to: nav.riskAssessments.path,
      done: ({ clientId }) => ({
        url: `${document.url}${queryString({ client: clientId, kind: riskInfo.kind })}`,
        from: 1,
      }),
    },
    {
      order: 60,
      isFor,
      title: 'Give a toolbox talk',
      about: 'Choose one, read it out and let everybody sign on your phone.',
      icon: nav.toolboxTalks.icon,
      to: nav.toolboxTalks.path,
      done: () => ({ url: PRESENTED, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
