import { type Actor, holds, PROVIDER } from '#kernel/roles.ts'
import { document } from '#rooms/documents/kinds/document.ts'
import { AUTHORS } from '#rooms/documents/rights.ts'
import { queryString } from '#web/api/client.ts'
import type { FirstStep } from '#web/shell/faces/first-steps.ts'
import { nav } from './nav.ts'
import { riskFace } from './risk/risk-face.ts'

/** Presented talks: their declaration is too large for a first screen. */
const PRESENTED = '/api/safety/toolbox_talk_presenteds'

const isFor = (actor: Actor) => actor.clientId !== PROVIDER && holds(actor, AUTHORS)

export default [
  {
    order: 50,
    isFor,
    title: 'Write your first risk assessment',
    about: 'Begin with a template of your trade, and make it true for your site.',
    icon: nav.riskAssessments.icon,
    to: nav.riskAssessments.path,
    done: ({ clientId }) => ({
      url: `${document.url}${queryString({ client: clientId, kind: riskFace.kind })}`,
      from: 1,
    }),
  },
  {
    order: 60,
    isFor,
    title: 'Give a toolbox talk',
    about: 'Choose one, read it out, and let everybody sign on your telephone.',
    icon: nav.toolboxTalks.icon,
    to: nav.toolboxTalks.path,
    done: () => ({ url: PRESENTED, from: 1 }),
  },
] satisfies FirstStep[]
