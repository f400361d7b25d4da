import type { Module } from '#server/engine/module.ts'
import { assignRoute } from './assigning/routes.server.ts'
import { assignRun } from './assigning/run.server.ts'
import { callMade } from './calls/call.ts'
import { crmClientBehaviour } from './clients/crm-client.server.ts'
import { crmClient } from './clients/crm-client.ts'
import { clientRoutes } from './clients/routes.server.ts'
import { setupRoutes } from './clients/setup.server.ts'
import { commands } from './commands.server.ts'
import { clientDetailsNote } from './contacts/client-details.server.ts'
import { contactBehaviour } from './contacts/contact.server.ts'
import { contact } from './contacts/contact.ts'
import { countSchedule } from './contacts/count-schedule.server.ts'
import { importBatch } from './contacts/import-batch.ts'
import { businessType, cameFrom, city } from './contacts/lookups.ts'
import { noteBehaviour } from './contacts/note.server.ts'
import { note } from './contacts/note.ts'
import { recordBehaviours } from './contacts/records.server.ts'
import { referral, sale, supported } from './contacts/records.ts'
import { contactRoutes } from './contacts/routes.server.ts'
import { callableRoute } from './do-not-call/callable.server.ts'
import { callSettings, doNotCallNumber, screenedNumber, screening } from './do-not-call/do-not-call.ts'
import { doNotCallBehaviour } from './do-not-call/objection.server.ts'
import { screeningBehaviour, screeningRun } from './do-not-call/screening.server.ts'
import { pairBehaviour } from './duplicates/pair.server.ts'
import { duplicatePair } from './duplicates/pair.ts'
import { duplicateRoutes } from './duplicates/routes.server.ts'
import { duplicateSweep } from './duplicates/sweep.server.ts'
import { leadFileBehaviour, leadFileRoutes } from './files/files.server.ts'
import { leadFile } from './files/lead-file.ts'
import { importBehaviour } from './imports/import.server.ts'
import { importLine } from './imports/line.ts'
import { clearUp, importsSchedule } from './imports/over.server.ts'
import { importRoutes } from './imports/routes.server.ts'
import { importRun } from './imports/run.server.ts'
import { callbackNotice, tellCallbacks } from './leads/callback-notice.server.ts'
import { lettersRun } from './letters/batch.server.ts'
import { letterCopy } from './letters/copy.ts'
import { letterBehaviours } from './letters/letter.server.ts'
import { paperLetter } from './letters/letter.ts'
import { letterRefusal } from './letters/refusal.ts'
import { letterRoutes } from './letters/routes.server.ts'
import { letterBatch } from './mail/batch.server.ts'
import { incomingRoutes } from './mail/incoming.server.ts'
import { message } from './mail/message.ts'
import { mailRoutes } from './mail/routes.server.ts'
import { stopRoutes } from './mail/stop.server.ts'
import { mailBehaviours } from './mail/suppression.server.ts'
import { suppression } from './mail/suppression.ts'
import { emailTemplate } from './mail/template.ts'
import { leadMerge } from './merging/lead-merge.ts'
import { mergePreview } from './merging/preview.server.ts'
import { mergeBehaviour } from './merging/undo.server.ts'
import { nav } from './nav.ts'
import { rehearsal } from './outcome-simulation/rehearsal.server.ts'
import { lastResult } from './outcomes/last-result.ts'
import { outcomeBehaviour } from './outcomes/outcome.server.ts'
import { callOutcome } from './outcomes/outcome.ts'
import { personBehaviour } from './people/person.server.ts'
import { contactPerson } from './people/person.ts'
import { leadReference } from './reference.server.ts'
import { siteVisitBehaviour } from './site-visits/site-visit.server.ts'
import { siteVisit } from './site-visits/site-visit.ts'
import { newStaff } from './staff/new.server.ts'
import { staffBehaviour } from './staff/staff.server.ts'
import { staff } from './staff/staff.ts'
import { minutesRoutes } from './support-time/routes.server.ts'
import { timedNote } from './support-time/timed-note.ts'
import { timelineRoutes } from './timeline/routes.server.ts'

export const crm: Module = {
  name: 'crm',
  navigation: nav,
  resources: [
    contact,
    note,
    contactPerson,
    leadFile,
    callMade,
    lastResult,
    callOutcome,
    businessType,
    city,
    cameFrom,
    staff,
    sale,
    referral,
    supported,
    importBatch,
    importLine,
    duplicatePair,
    leadMerge,
    doNotCallNumber,
    screening,
    screenedNumber,
    callSettings,
    crmClient,
    message,
    emailTemplate,
    suppression,
    paperLetter,
    letterCopy,
    letterRefusal,
    timedNote,
    siteVisit,
  ],
  behaviours: [
    contactBehaviour,
    outcomeBehaviour,
    noteBehaviour,
    personBehaviour,
    leadFileBehaviour,
    staffBehaviour,
    ...recordBehaviours,
    importBehaviour,
    pairBehaviour,
    mergeBehaviour,
    doNotCallBehaviour,
    screeningBehaviour,
    crmClientBehaviour,
    ...mailBehaviours,
    ...letterBehaviours,
    siteVisitBehaviour,
  ],
  routes: [
    assignRoute,
    ...contactRoutes,
    ...leadFileRoutes,
    ...importRoutes,
    ...duplicateRoutes,
    mergePreview,
    callableRoute,
    ...clientRoutes,
    ...setupRoutes,
    newStaff,
    rehearsal,
    ...timelineRoutes,
    ...mailRoutes,
    ...letterRoutes,
    ...minutesRoutes,
    ...stopRoutes,
    ...incomingRoutes,
  ],
  handlers: [clientDetailsNote, clearUp],
  commands,
  schedules: [countSchedule, importsSchedule, tellCallbacks],
  notifications: [callbackNotice],
  referenceData: [leadReference],
  demo: () => import('./demo.server.ts'),
  batchJobs: [importRun, duplicateSweep, screeningRun, letterBatch, lettersRun, assignRun],
}
