import { LIST_ADDRESSES } from '#web/lists/addresses.ts'
import type { WebModule } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { panel, withLaterPanels } from '#web/shell/manifest/panels.tsx'
import { nav } from './nav.ts'

/** What calls end with. */
const OUTCOMES = '/api/crm/outcomes?pagination=false'
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
      ...LIST_ADDRESSES,
      '/api/crm/contacts/counts',
      '/api/crm/staff?pagination=false&retired=false',
      OUTCOMES,
    ],
  },
  {
    path: VIEW,
    title: 'Lead',
    under: LIST,
    load: withLaterPanels('Contact', () => import('./calling/view.web.tsx')),
    asks: ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100', OUTCOMES],
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
  {
    path: '/cms/contact/search',
    title: 'Search leads',
    begins: 'Search leads',
    under: LIST,
    load: () => import('./searching/search.web.tsx'),
    ...STAFF,
  },
  { ...pageAt(nav.leadSettings), load: () => import('./staff/lead-settings.web.tsx') },
  { ...pageAt(nav.calls), load: () => import('./calls/list.web.tsx') },
  { ...pageAt(nav.outcomes), load: () => import('./outcome-simulation/list.web.tsx') },
  { ...pageAt(nav.imports), begins: nav.imports.title, load: () => import('./imports/import.web.tsx') },
  { ...pageAt(nav.duplicates), load: () => import('./duplicates/list.web.tsx') },
  {
    path: '/crm/merge/:one/:other',
    title: 'Merge two leads',
    under: nav.duplicates.path,
    load: () => import('./merging/merge.web.tsx'),
    valid: ({ one, other }) => [one, other].every((id) => /^\d+$/.test(id ?? '')),
    ...STAFF,
  },
  { ...pageAt(nav.doNotCall), load: () => import('./do-not-call/list.web.tsx') },
  {
    path: '/crm/pack-setup/:slug?',
    title: 'Set up a client',
    begins: 'Set up a client',
    under: '/cms/clients',
    allow: 'ROLE_CLIENTS_ADMIN',
    valid: ({ slug }) => slug === undefined || /^\d{1,9}$/.test(slug),
    load: () => import('./clients/pack-setup.web.tsx'),
  },
  { ...pageAt(nav.messages), load: () => import('./mail/messages.web.tsx') },
  { ...pageAt(nav.templates), load: () => import('./mail/templates.web.tsx') },
  { ...pageAt(nav.support), load: () => import('./support-time/support.web.tsx') },
  {
    ...pageAt(nav.siteVisits),
    load: async () => ({ default: (await import('./site-visits/list.web.tsx')).AllVisits }),
  },
  {
    ...pageAt(nav.ownSiteVisits),
    load: async () => ({ default: (await import('./site-visits/list.web.tsx')).OwnVisits }),
  },
  { ...pageAt(nav.suppressions), load: () => import('./letters/suppressions.web.tsx') },
  { ...pageAt(nav.letters), load: () => import('./letters/list.web.tsx') },
  {
    path: '/letters/retired',
    title: 'Retired letters',
    under: nav.letters.path,
    load: () => import('./letters/list.web.tsx'),
    ...STAFF,
  },
  {
    path: '/letters/update/:id?',
    title: 'Letter',
    begins: 'New letter',
    under: nav.letters.path,
    valid: ({ id }) => id === undefined || /^\d+$/.test(id),
    load: () => import('./letters/update.web.tsx'),
    ...STAFF,
  },
  {
    path: '/letters/assigned/:slug?',
    title: 'Who got a letter',
    under: nav.letters.path,
    valid: ({ slug }) => slug === undefined || /^\d+$/.test(slug),
    load: () => import('./letters/assigned.web.tsx'),
    ...STAFF,
  },
  {
    path: '/unsubscribe/:token',
    title: 'E-mails to you',
    layout: 'blank',
    open: true,
    load: () => import('./mail/unsubscribe.web.tsx'),
  },
  {
    path: '/cms/staff/new',
    title: 'New member of staff',
    begins: 'New member of staff',
    under: nav.staff.path,
    allow: 'ROLE_USER_ADMIN',
    load: () => import('./staff/new.web.tsx'),
  },
  redirectPage('/Leads', LIST),
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
    load: withLaterPanels('Staff', () => import('./staff/staff.web.tsx')),
  },
]

export const crm: WebModule = {
  pages,
  panels: [
    panel({ of: 'Contact', order: 90, load: () => import('./merging/merged.web.tsx') }),
    panel({ of: 'Client', order: 20, load: () => import('./mail/of-client.web.tsx') }),
    panel({ of: 'Staff', order: 10, load: () => import('./calls/activity.web.tsx') }),
  ],
  finds: () => import('./finds.web.ts'),
  dashboard: () => import('./dashboard.web.tsx'),
  firstSteps: () => import('./first-steps.web.ts'),
  help: () => import('./help.web.ts'),
}
