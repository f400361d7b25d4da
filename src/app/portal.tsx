import '#web/theme/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pages as admin } from '#rooms/admin/room.web.tsx'
import { pages as billing } from '#rooms/billing/room.web.tsx'
import { pages as crm } from '#rooms/crm/room.web.tsx'
import { pages as example } from '#rooms/example/room.web.tsx'
import { pages as files } from '#rooms/files/room.web.tsx'
import { pages as home } from '#rooms/home/room.web.tsx'
import { pages as identity } from '#rooms/identity/room.web.tsx'
import { pages as library } from '#rooms/library/room.web.tsx'
import { Portal } from '#web/shell/Portal.tsx'
import { startWorker } from '#web/shell/worker.ts'

const pages = [...identity, ...home, ...crm, ...billing, ...admin, ...library, ...files, ...example]

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Portal pages={pages} />
  </StrictMode>,
)

void startWorker()
