import { billing } from '#rooms/billing/room.server.ts'
import { clients } from '#rooms/clients/room.server.ts'
import { companies } from '#rooms/companies/room.server.ts'
import { crm } from '#rooms/crm/room.server.ts'
import { files } from '#rooms/files/room.server.ts'
import { identity } from '#rooms/identity/room.server.ts'
import { library } from '#rooms/library/room.server.ts'
import { mail } from '#rooms/mail/room.server.ts'
import type { Sessions } from '#server/auth/sessions.ts'
import type { Room } from '#server/behaviour.ts'

/** Every room of the portal. */
export const rooms = (sessions: Sessions): Room[] => [
  identity(sessions),
  billing,
  clients,
  companies,
  crm,
  files,
  library,
  mail,
]
