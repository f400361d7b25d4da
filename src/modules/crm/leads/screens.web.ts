import { LIST_SETTING_URLS } from '#web/lists/addresses.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { withLazyRecordPanels } from '#web/shell/manifest/panels.tsx'
import { crmNav } from '../nav.ts'

/** API URL of the call outcomes. */
const OUTCOMES = '/api/crm/outcomes?pagination=false'

const VIEW = '/crm/contact/view/:id?'

const LIST = crmNav.leads.path

const redirectPage = (path: string, redirect: string): Page => ({ path, title: 'Leads', redirect, allow: 'ROLE_STAFF' })

export const leads = screens({
  pages: [
    {
      ...pageFromNavigation(crmNav.leads),
      load: () => import('./list.web.tsx'),
      asks: [
        '?/api/crm/contacts?retired=false&order%5BcallbackDate%5D=asc&page=1&itemsPerPage=50',
        ...LIST_SETTING_URLS,
        '/api/crm/contacts/counts',
        '/api/crm/staff?pagination=false&retired=false',
        OUTCOMES,
      ],
    },
    {
      path: VIEW,
      title: 'Lead',
      under: LIST,
      load: withLazyRecordPanels('Contact', () => import('../calling/view.web.tsx')),
      asks: ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100', OUTCOMES],
      allow: 'ROLE_STAFF',
    },
    {
      path: '/cms/contact/create',
      title: 'New lead',
      begins: 'New lead',
      under: LIST,
      load: () => import('./create.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    {
      path: '/cms/contact/search',
      title: 'Search leads',
      begins: 'Search leads',
      under: LIST,
      load: () => import('../searching/search.web.tsx'),
      allow: 'ROLE_STAFF',
    },
    { ...pageFromNavigation(crmNav.outcomes), load: () => import('../outcome-simulation/list.web.tsx') },
    { ...pageFromNavigation(crmNav.doNotCall), load: () => import('../do-not-call/list.web.tsx') },
    redirectPage('/Leads', LIST),
    redirectPage('/cms/contact/view/:id?', VIEW),
    // Redirects former URLs, in which `show` may have a suffix.
    {
      ...redirectPage('/cms/contact/:show/:id?', VIEW),
      valid: ({ show, id }) => /^show\w*$/.test(show ?? '') && (id === undefined || /^\d+$/.test(id)),
    },
  ],
})
