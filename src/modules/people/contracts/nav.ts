import type { NavigationEntry } from '#kernel/packs.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'

export const CONTRACT_PATHS = {
  root: '/ffe',
  list: '/ffe/contracts',
  view: '/ffe/contracts/view',
  send: '/ffe/contracts/send',
  mailings: '/ffe/contracts/sent',
  templates: '/ffe/contracts/templates',
  template: '/ffe/contracts/template',
} as const

/** Public page on which an employee without an account reads and signs a contract. */
export const CONTRACT_LINK_PATH = '/contract'

export const contractPath = (id: number | string): string => `${CONTRACT_PATHS.view}/${id}`
export const contractTemplatePath = (id: number | string): string => `${CONTRACT_PATHS.template}/${id}`

const inContracts = { area: 'People', pack: 'employees', icon: 'file' } as const

export const contractNav = {
  contracts: {
    ...inContracts,
    path: CONTRACT_PATHS.list,
    title: 'Contracts',
    order: 6,
    allow: EMPLOYEE_READER_ROLES,
  },
  mailings: {
    ...inContracts,
    path: CONTRACT_PATHS.mailings,
    title: 'Progress',
    order: 7,
    tabOf: CONTRACT_PATHS.list,
    allow: HR_ROLES,
  },
  templates: {
    ...inContracts,
    path: CONTRACT_PATHS.templates,
    title: 'Contract templates',
    order: 8,
    tabOf: CONTRACT_PATHS.list,
    allow: HR_ROLES,
  },
} as const satisfies Record<string, NavigationEntry>
