import '#web/theme/styles.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pages as admin } from '#rooms/admin/room.web.tsx'
import { pages as crm } from '#rooms/crm/room.web.tsx'
import { pages as example } from '#rooms/example/room.web.tsx'
import { pages as home } from '#rooms/home/room.web.tsx'
import { pages as identity } from '#rooms/identity/room.web.tsx'
import { Portal } from '#web/shell/Portal.tsx'
import { startWorker } from '#web/shell/worker.ts'

const pages = [...identity, ...home, ...crm, ...admin, ...example]

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <Portal pages={pages} />
  </StrictMode>,
)

void startWorker()
