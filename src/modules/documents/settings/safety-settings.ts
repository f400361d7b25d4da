import { choice, flag, instant, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_PACKS, TEMPLATE_MANAGER_ROLES } from '../rights.ts'

/** Signatures that a company accepts from people with an account on the presenter's device. */
export const DEVICE_SIGNATURES = [
  { value: 'drawing', label: 'Drawn by hand' },
  { value: 'pin', label: 'Drawn by hand, with the signer’s own PIN' },
] as const

/** A company's settings for documents: the part of the client record that approvers can change. */
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
      notWhileImpersonating: true,
      label: 'Require a second person to approve',
      help: 'Authors can’t approve documents that they wrote or completed.',
    }),
    deviceSignatures: choice(DEVICE_SIGNATURES, {
      default: 'drawing',
      notWhileImpersonating: true,
      label: 'Signatures on the presenter’s device',
      help: 'Applies to people with an account who sign for a toolbox talk on another person’s device.',
    }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'member', update: DOCUMENT_APPROVER_ROLES, allTenants: TEMPLATE_MANAGER_ROLES },
  pack: DOCUMENT_PACKS,
})
