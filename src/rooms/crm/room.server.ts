import type { Room } from '#server/behaviour.ts'
import { contactBehaviour } from './contact.server.ts'
import { contact } from './contact.ts'
import { contactRoutes } from './contact-routes.server.ts'
import { countJob } from './counts.server.ts'
import { importBatch } from './importBatch.ts'
import { businessType, cameFrom, city, lastResult } from './lookups.ts'
import { note } from './note.ts'
import { recordBehaviours } from './records.server.ts'
import { referral, sale, supported } from './records.ts'
import { staff } from './staff.ts'

export const crm: Room = {
  name: 'crm',
  resources: [contact, note, lastResult, businessType, city, cameFrom, staff, sale, referral, supported, importBatch],
  behaviours: [contactBehaviour, ...recordBehaviours],
  routes: contactRoutes,
  jobs: [countJob],
}
