import type { NavigationEntry } from '#kernel/packs.ts'
import { ALERT_MANAGER_ROLES } from './alerts/alert-rule.ts'
import { FILE_USER_ROLES } from './files/uploaded-document.ts'

/** Role that manages the banners, which are shown to users of all clients. */
export const BANNER_MANAGER_ROLE = 'ROLE_CLIENTS_ADMIN'

/** URL of the banners shown to the current user. */
export const VISIBLE_BANNERS_PATH = '/api/portal/banners'

export const PORTAL_NAV = {
  dashboard: { path: '/dashboard', title: 'Dashboard', area: 'Home', icon: 'home', order: 1, allow: 'member' },
  help: { path: '/help', title: 'Help', area: 'Home', icon: 'help', order: 4, allow: 'member' },
  notices: { path: '/notices', title: 'Notifications', area: 'Home', icon: 'bell', order: 5, allow: 'member' },
  runs: {
    path: '/profile/long-work',
    title: 'Background jobs',
    area: 'Home',
    icon: 'checklist',
    order: 7,
    allow: 'member',
  },
  about: { path: '/about', title: 'About', area: 'Home', icon: 'info', order: 8, allow: 'member' },
  files: {
    path: '/sfp/file-manager',
    title: 'File manager',
    area: 'Files',
    icon: 'folder',
    order: 1,
    allow: FILE_USER_ROLES,
  },
  downloads: {
    path: '/safety/custom-downloads',
    title: 'Downloads',
    area: 'Files',
    icon: 'download',
    order: 2,
    allow: FILE_USER_ROLES,
  },
  clients: { path: '/cms/clients', title: 'Clients', area: 'Clients', icon: 'building', order: 1, allow: 'ROLE_STAFF' },
  tickets: {
    path: '/cms/tickets',
    title: 'Support tickets',
    area: 'Clients',
    icon: 'help',
    order: 4,
    allow: 'ROLE_STAFF',
  },
  banners: {
    path: '/banner',
    title: 'Banners',
    area: 'Clients',
    icon: 'bell',
    order: 9,
    allow: BANNER_MANAGER_ROLE,
  },
  letterhead: {
    path: '/config/letterhead',
    title: 'Letterhead',
    area: 'Settings',
    icon: 'file',
    order: 6,
    allow: 'ROLE_CLIENT_ADMIN',
  },
  alerts: {
    path: '/config/alerts',
    title: 'Alerts',
    area: 'Settings',
    icon: 'bell',
    order: 9,
    allow: ALERT_MANAGER_ROLES,
  },
} satisfies Record<string, NavigationEntry>
