import { pages as billing } from '#rooms/billing/room.web.tsx'
import { pages as crm } from '#rooms/crm/room.web.tsx'
import { documentPages } from '#rooms/documents/room.web.tsx'
import { pages as gallery } from '#rooms/gallery/room.web.tsx'
import { pages as identity } from '#rooms/identity/room.web.tsx'
import { portalPages } from '#rooms/portal/room.web.tsx'
import { pages as safety, safetyKinds } from '#rooms/safety/room.web.tsx'
import type { Page } from '#web/shell/pages/page.ts'

/** Every page of the portal: the one list of what the rooms show. */
export const pages: readonly Page[] = [
  ...identity,
  ...portalPages(safetyKinds),
  ...crm,
  ...billing,
  ...documentPages(safetyKinds),
  ...safety,
  ...gallery,
]
