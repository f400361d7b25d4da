import { pages as admin } from '#rooms/admin/room.web.tsx'
import { pages as billing } from '#rooms/billing/room.web.tsx'
import { pages as crm } from '#rooms/crm/room.web.tsx'
import { documentPages } from '#rooms/documents/pages.web.tsx'
import { pages as example } from '#rooms/example/room.web.tsx'
import { pages as files } from '#rooms/files/room.web.tsx'
import { homePages } from '#rooms/home/room.web.tsx'
import { pages as identity } from '#rooms/identity/room.web.tsx'
import { pages as library } from '#rooms/library/room.web.tsx'
import { riskWeb } from '#rooms/risk/risk.web.tsx'
import { pages as talks, talksWeb } from '#rooms/talks/talks.web.tsx'
import type { Page } from '#web/shell/page.ts'

const risk = riskWeb({
  HazardLibrary: () => import('#rooms/library/HazardLibrary.web.tsx'),
  PpePicker: () => import('#rooms/library/PpePicker.web.tsx'),
  StatementManager: () => import('#rooms/library/StatementManager.web.tsx'),
  TaskTable: () => import('#rooms/library/TaskTable.web.tsx'),
})

const documentKinds = [risk, talksWeb]

/** Every page of the portal: the one list of what the rooms show. */
export const pages: readonly Page[] = [
  ...identity,
  ...homePages(documentKinds),
  ...crm,
  ...billing,
  ...documentPages(documentKinds),
  ...talks,
  ...admin,
  ...files,
  ...library,
  ...example,
]
