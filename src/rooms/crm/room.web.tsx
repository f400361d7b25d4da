import { LIST_ASKS } from '#web/lists/asks.ts'
import { type Page, pageAt } from '#web/shell/faces/page.ts'
import { withLaterPanels } from '#web/shell/faces/panels.tsx'
import type { RoomWeb } from '#web/shell/faces/room.ts'
import { nav } from './nav.ts'

const STAFF = { allow: 'ROLE_STAFF' } as const
const LIST = nav.leads.path
const VIEW = '/crm/contact/view/:id?'
const redirectPage = (path: string, redirect: string): Page => ({ path, title: 'Leads', redirect, ...STAFF })

const pages: readonly Page[] = [
  {
    ...pageAt(nav.leads),
    load: () => import('./leads/list.web.tsx'),
    asks: [
      '?/api/crm/contacts?retired=false&order%5BcallbackDate%5D=asc&page=1&itemsPerPage=50',
      ...LIST_ASKS,
      '/api/crm/contacts/counts',
      '/api/crm/staff?pagination=false&retired=false',
    ],
  },
  {
    path: VIEW,
    title: 'Lead',
    under: LIST,
    load: withLaterPanels('Contact', () => import('./calling/view.web.tsx')),
    asks: ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100'],
    ...STAFF,
  },
  {
    path: '/cms/contact/create',
    title: 'New lead',
    begins: 'New lead',
    under: LIST,
    load: () => import('./leads/create.web.tsx'),
    ...STAFF,
  },
  { ...pageAt(nav.calls), load: () => import('./calls/list.web.tsx') },
  { ...pageAt(nav.imports), begins: nav.imports.title, load: () => import('./imports/import.web.tsx') },
  redirectPage('/Leads', LIST),
  redirectPage('/cms/contact/search', LIST),
  redirectPage('/cms/contact/view/:id?', VIEW),
  // The former screens were `show` and `show` with something behind it.
  {
    ...redirectPage('/cms/contact/:show/:id?', VIEW),
    valid: ({ show, id }) => /^show\w*$/.test(show ?? '') && (id === undefined || /^\d+$/.test(id)),
  },
  {
    ...pageAt(nav.staff),
    path: '/staff/:username?',
    title: 'Staff',
    valid: ({ username }) => username === undefined || /^[\w.@-]{1,100}$/.test(username),
    load: () => import('./staff/staff.web.tsx'),
  },
]

export const crm: RoomWeb = {
  pages,
  finds: () => import('./finds.web.ts'),
  dashboard: () => import('./dashboard.web.tsx'),
  firstSteps: () => import('./first-steps.web.ts'),
  help: () => import('./help.web.ts'),
}
