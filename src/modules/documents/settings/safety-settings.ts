import { flag, instant, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { APPROVERS, KEEPERS } from '../rights.ts'

/** Safety document settings of a company: the part of its record that approvers can change. */
export const safetySettings = resource({
  type: 'SafetySettings',
  service: 'safety',
  path: 'settings',
  table: 'client',
  tenant: 'self',
  title: 'company',
  fields: {
    company: text({ readonly: true }),
    forbidSelfApproval: flag({
      label: 'Require a second person to approve',
      help: 'Authors can’t approve documents they wrote or completed.',
    }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'member', update: APPROVERS, allTenants: KEEPERS },
  pack: 'safety',
})
