import { screens } from '#web/shell/manifest/module.ts'
import { pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel } from '#web/shell/manifest/panels.tsx'
import type { employeeRecord } from '../employees/employee-record.ts'
import { HR_ROLES } from '../rights.ts'
import { CONTRACT_LINK_PATH, CONTRACT_PATHS, contractNav } from './nav.ts'

const { allow, pack } = contractNav.contracts
const inContracts = { pack, under: CONTRACT_PATHS.list } as const

export const contractScreens = screens({
  pages: [
    { path: CONTRACT_PATHS.root, title: 'Contracts', redirect: CONTRACT_PATHS.list, allow, pack },
    { ...pageFromNavigation(contractNav.contracts), load: () => import('./list.web.tsx') },
    { ...pageFromNavigation(contractNav.mailings), load: () => import('./mailings.web.tsx') },
    { ...pageFromNavigation(contractNav.templates), load: () => import('./templates.web.tsx') },
    {
      ...inContracts,
      path: `${CONTRACT_PATHS.view}/:id`,
      title: 'Contract',
      allow,
      recordsAt: '/api/employees/contracts',
      load: () => import('./view.web.tsx'),
    },
    {
      ...inContracts,
      path: CONTRACT_PATHS.send,
      title: 'Send contract',
      begins: 'New contract',
      allow: HR_ROLES,
      writes: true,
      load: () => import('./send.web.tsx'),
    },
    {
      ...inContracts,
      path: `${CONTRACT_PATHS.template}/:id?`,
      title: 'Contract template',
      begins: 'New contract template',
      allow: HR_ROLES,
      writes: true,
      recordsAt: '/api/employees/contract_templates',
      load: () => import('./template.web.tsx'),
    },
    {
      path: `${CONTRACT_LINK_PATH}/:token`,
      title: 'Your contract',
      layout: 'blank',
      open: true,
      load: () => import('./link-page.web.tsx'),
    },
  ],
  help: () => import('./help.web.ts'),
  panels: [
    recordPanel<typeof employeeRecord>({
      of: 'EmployeeRecord',
      order: 10,
      load: () => import('./of-employee.web.tsx'),
    }),
  ],
})
