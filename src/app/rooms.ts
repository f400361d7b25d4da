import { billing } from '#rooms/billing/room.server.ts'
import { companies } from '#rooms/companies/room.server.ts'
import { crm } from '#rooms/crm/room.server.ts'
import type { DocumentKind } from '#rooms/documents/kinds/kind.ts'
import { documents } from '#rooms/documents/room.server.ts'
import { identity } from '#rooms/identity/room.server.ts'
import { portal } from '#rooms/portal/room.server.ts'
import { riskAssessment } from '#rooms/safety/risk/risk-assessment.ts'
import { safety } from '#rooms/safety/room.server.ts'
import { toolboxTalk } from '#rooms/safety/talks/toolbox-talk.ts'
import type { Sessions } from '#server/auth/sessions.ts'
import type { Room } from '#server/engine/room.ts'

/** Every kind of controlled document. */
export const kinds: readonly DocumentKind[] = [riskAssessment, toolboxTalk]

/** Every room of the portal. */
export const rooms = (sessions: Sessions): Room[] => [
  identity(sessions),
  billing,
  companies,
  crm,
  documents(kinds),
  portal,
  safety,
]
