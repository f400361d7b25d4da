import type { Room } from '#server/engine/room.ts'
import { callMade } from './calls/call.ts'
import { commands } from './commands.server.ts'
import { clientDetailsNote } from './contacts/client-details.server.ts'
import { contactBehaviour } from './contacts/contact.server.ts'
import { contact } from './contacts/contact.ts'
import { countSchedule } from './contacts/count-schedule.server.ts'
import { importBatch } from './contacts/import-batch.ts'
import { businessType, cameFrom, city, lastResult } from './contacts/lookups.ts'
import { noteBehaviour } from './contacts/note.server.ts'
import { note } from './contacts/note.ts'
import { recordBehaviours } from './contacts/records.server.ts'
import { referral, sale, supported } from './contacts/records.ts'
import { contactRoutes } from './contacts/routes.server.ts'
import { leadFileBehaviour, leadFileRoutes } from './files/files.server.ts'
import { leadFile } from './files/lead-file.ts'
import { importBehaviour } from './imports/import.server.ts'
import { importLine } from './imports/line.ts'
import { clearUp, importsSchedule } from './imports/over.server.ts'
import { importRoutes } from './imports/routes.server.ts'
import { importRun } from './imports/run.server.ts'
import { callbackNotice, tellCallbacks } from './leads/callback-notice.server.ts'
import { nav } from './nav.ts'
import { personBehaviour } from './people/person.server.ts'
import { contactPerson } from './people/person.ts'
import { leadReference } from './reference.server.ts'
import { staffBehaviour } from './staff/staff.server.ts'
import { staff } from './staff/staff.ts'

export const crm: Room = {
  name: 'crm',
  navigation: nav,
  resources: [
    contact,
    note,
    contactPerson,
    leadFile,
    callMade,
    lastResult,
    businessType,
    city,
    cameFrom,
    staff,
    sale,
    referral,
    supported,
    importBatch,
    importLine,
  ],
  behaviours: [
    contactBehaviour,
    noteBehaviour,
    personBehaviour,
    leadFileBehaviour,
    staffBehaviour,
    ...recordBehaviours,
    importBehaviour,
  ],
  routes: [...contactRoutes, ...leadFileRoutes, ...importRoutes],
  listeners: [clientDetailsNote, clearUp],
  commands,
  schedules: [countSchedule, importsSchedule, tellCallbacks],
  notices: [callbackNotice],
  reference: [leadReference],
  demo: () => import('./demo.server.ts'),
  runs: [importRun],
}
