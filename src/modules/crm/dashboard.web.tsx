import { type Actor, hasRole } from '#kernel/roles.ts'
import type { ModuleDashboard } from '#web/shell/manifest/dashboard.ts'
import { contact } from './contacts/contact.ts'
import { CallingPanel } from './leads/calling-part.web.tsx'
import { DueCallbacks } from './leads/due-part.web.tsx'
import { crmNav } from './nav.ts'

const isFor = (actor: Actor) => hasRole(actor, 'ROLE_STAFF')

export default {
  parts: [
    { order: 10, isFor, draw: () => <CallingPanel /> },
    { order: 20, isFor, draw: () => <DueCallbacks /> },
  ],
  firstSteps: [
    {
      order: 20,
      isFor: (actor) => hasRole(actor, 'ROLE_LEADS_ADMIN'),
      title: 'Import your leads',
      about: 'From a CSV file, with a trial run and undo.',
      icon: crmNav.imports.icon,
      to: crmNav.imports.path,
      done: () => ({ url: contact.url, from: 1 }),
    },
  ],
} satisfies ModuleDashboard
