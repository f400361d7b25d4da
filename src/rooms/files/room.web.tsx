import type { Page } from '#web/shell/page.ts'
import { FILE_PEOPLE } from './documentFolder.ts'

export const pages: readonly Page[] = [
  {
    path: '/sfp/file-manager',
    title: 'File manager',
    allow: FILE_PEOPLE,
    load: () => import('./file-manager.web.tsx'),
    nav: { area: 'Safety', icon: 'folder', order: 8 },
  },
]
