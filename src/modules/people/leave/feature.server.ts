import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { loadLatestRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { employee } from '../employees/employee.ts'
import { employmentChanged } from '../employees/employment-changed.ts'
import type { StatutoryRule } from '../leave-rules/statutory-leave.ts'
import { accountBehaviours } from './accounts.server.ts'
import { balanceRoutes, leaveSchedules, recountEveryone } from './balances.server.ts'
import { leaveRulesChanged } from './events.ts'
import { recountLeave } from './history.server.ts'
import { leaveAccount } from './leave-account.ts'
import { leaveBlackout } from './leave-blackout.ts'
import { leaveEntry } from './leave-entry.ts'
import { leaveKind, leaveRequest, leaveRequestPart } from './leave-request.ts'
import { leaveSettings } from './leave-settings.ts'
import { leaveNav } from './nav.ts'
import { requestHandlers, requestNotifications } from './notify.server.ts'
import { previewRoutes } from './preview.server.ts'
import { requestBehaviours } from './requests.server.ts'
import { settingsBehaviours } from './settings.server.ts'
import { statutoryRoutes } from './statutory.server.ts'
import { patternBehaviours, patternGuards } from './work-patterns.server.ts'
import { employeeWorkPattern, leavePayPeriod, workPattern } from './work-patterns.ts'

interface ReferenceKind extends Readonly<Record<string, unknown>> {
  readonly note?: string
  readonly confidence: string
  readonly rule?: StatutoryRule | null
}

/** Kinds of leave with their statutory rules. Sickness has a record of its own. */
const leaveKindReference: ReferenceData = {
  name: 'leave kinds',
  needs: [],
  edition: 2,
  load: async (c) => {
    const { leaveKinds } = readReferenceFile('statutory-leave-and-pay.json')
    const rows = leaveKinds
      .filter(({ code }: { code: string }) => code !== 'sickness')
      .map(({ note = '', confidence: _confidence, rule = null, ...kind }: ReferenceKind) => ({
        ...kind,
        rule,
        notes: note,
      }))
    await loadLatestRows(c, leaveKind, 'code', rows)
  },
}

const recountAfterRules = eventHandler(leaveRulesChanged, {
  name: 'leave.recount',
  queue: 'events',
  run: (c) => recountEveryone(c),
})

const recountAfterEmployment = eventHandler(employmentChanged, {
  name: 'leave.recount-employee',
  queue: 'events',
  run: async (c, { employee: id }) => {
    if ((await findPackState(c, c.clientId, 'holidays')) !== 'active') return
    await recountLeave(c, await c.lockAll(employee, { id }))
  },
})

export const leave = feature({
  pack: 'holidays',
  navigation: leaveNav,
  seeds: () => import('./demo.server.ts'),
  resources: [
    leaveSettings,
    workPattern,
    employeeWorkPattern,
    leavePayPeriod,
    leaveAccount,
    leaveEntry,
    leaveKind,
    leaveRequest,
    leaveRequestPart,
    leaveBlackout,
  ],
  behaviours: [...settingsBehaviours, ...patternBehaviours, ...accountBehaviours, ...requestBehaviours],
  guards: patternGuards,
  routes: [...previewRoutes, ...statutoryRoutes, ...balanceRoutes],
  handlers: [...requestHandlers, recountAfterRules, recountAfterEmployment],
  notifications: requestNotifications,
  schedules: leaveSchedules,
  referenceData: [leaveKindReference],
})
