import { billing } from '#rooms/billing/room.server.ts'
import { clients } from '#rooms/clients/room.server.ts'
import { companies } from '#rooms/companies/room.server.ts'
import { crm } from '#rooms/crm/room.server.ts'
import type { DocumentKind } from '#rooms/documents/kind.ts'
import { documents } from '#rooms/documents/room.server.ts'
import { files } from '#rooms/files/room.server.ts'
import { identity } from '#rooms/identity/room.server.ts'
import { library } from '#rooms/library/room.server.ts'
import { mail } from '#rooms/mail/room.server.ts'
import { riskAssessment } from '#rooms/risk/risk-assessment.ts'
import { risk } from '#rooms/risk/room.server.ts'
import { talks } from '#rooms/talks/room.server.ts'
import { toolboxTalk } from '#rooms/talks/toolbox-talk.ts'
import type { Sessions } from '#server/auth/sessions.ts'
import type { Room } from '#server/behaviour.ts'

/** Every kind of controlled document. */
export const kinds: readonly DocumentKind[] = [riskAssessment, toolboxTalk]

/** Every room of the portal. */
export const rooms = (sessions: Sessions): Room[] => [
  identity(sessions),
  billing,
  clients,
  companies,
  crm,
  documents(kinds),
  files,
  library,
  mail,
  risk,
  talks,
]
