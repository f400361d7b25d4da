import { type Actor, hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { document } from '#modules/documents/types/document.ts'
import { queryString } from '#web/api/client.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { safetyDashboardParts } from './board/parts.web.tsx'
import { formsToCompletePart as formsPart } from './form-schedule/mine.web.tsx'
import { safetyNav } from './nav.ts'
import { riskAssessmentInfo } from './risk/risk-info.ts'
import { talksToPresentPart as talksPart } from './schedule/mine.web.tsx'

/** URL of presented talks. Repeated here, because importing the resource would enlarge the initial download. */
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

const isFor = (actor: Actor) => actor.clientId !== PROVIDER_CLIENT_ID && hasRole(actor, DOCUMENT_AUTHOR_ROLES)

export default {
  parts: [...safetyDashboardParts, talksPart, formsPart],
  firstSteps: [
    {
      order: 50,
      isFor,
      title: 'Write your first risk assessment',
      about: 'Start with a template for your industry and adapt it to your site.',
      icon: safetyNav.riskAssessments.icon,
      to: safetyNav.riskAssessments.path,
      done: ({ clientId }) => ({
        url: `${document.url}${queryString({ client: clientId, kind: riskAssessmentInfo.kind })}`,
        from: 1,
      }),
    },
    {
      order: 60,
      isFor,
      title: 'Give a toolbox talk',
      about: 'Choose a talk, read it out and let everybody sign on your phone.',
      icon: safetyNav.toolboxTalks.icon,
      to: safetyNav.toolboxTalks.path,
      done: () => ({ url: PRESENTED, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
