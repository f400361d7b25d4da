import { joinFeatures } from '#server/engine/module.ts'
import { leadAssignment } from './assigning/routes.server.ts'
import { crmClients } from './clients/setup.server.ts'
import { contacts } from './contacts/contact.server.ts'
import { doNotCall } from './do-not-call/do-not-call.server.ts'
import { duplicates } from './duplicates/routes.server.ts'
import { leadFiles } from './files/files.server.ts'
import { imports } from './imports/import.server.ts'
import { callbacks } from './leads/callback-notice.server.ts'
import { letters } from './letters/routes.server.ts'
import { mail } from './mail/routes.server.ts'
import { leadMerging } from './merging/merge.server.ts'
import { crmNav } from './nav.ts'
import { outcomeSimulation } from './outcome-simulation/rehearsal.server.ts'
import { outcomes } from './outcomes/outcome.server.ts'
import { people } from './people/person.server.ts'
import { leadReferenceData } from './reference.server.ts'
import { siteVisits } from './site-visits/site-visit.server.ts'
import { staffFeature } from './staff/new-staff.server.ts'
import { supportTime } from './support-time/routes.server.ts'
import { timeline } from './timeline/routes.server.ts'

export const crmModule = joinFeatures('crm', [
  { navigation: crmNav, referenceData: [leadReferenceData], seeds: () => import('./demo.server.ts') },
  contacts,
  outcomes,
  outcomeSimulation,
  callbacks,
  leadAssignment,
  people,
  timeline,
  leadFiles,
  imports,
  duplicates,
  leadMerging,
  doNotCall,
  staffFeature,
  crmClients,
  mail,
  letters,
  supportTime,
  siteVisits,
])
