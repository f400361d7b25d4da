import type { Room } from '#server/behaviour.ts'
import { clientDetails, clientDetailsNote } from './client-details.server.ts'
import { contactBehaviour } from './contact.server.ts'
import { contact } from './contact.ts'
import { contactRoutes } from './contact-routes.server.ts'
import { countJob } from './counts.server.ts'
import { importBehaviour } from './import.server.ts'
import { importJobs } from './import-jobs.server.ts'
import { importRoutes } from './import-routes.server.ts'
import { importBatch } from './importBatch.ts'
import { importLine } from './importLine.ts'
import { businessType, cameFrom, city, lastResult } from './lookups.ts'
import { note } from './note.ts'
import { recordBehaviours } from './records.server.ts'
import { referral, sale, supported } from './records.ts'
import { staff } from './staff.ts'

export const crm: Room = {
  name: 'crm',
  resources: [
    contact,
    note,
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
  behaviours: [contactBehaviour, clientDetails, ...recordBehaviours, importBehaviour],
  routes: [...contactRoutes, ...importRoutes],
  jobs: [countJob, clientDetailsNote, ...importJobs],
}
