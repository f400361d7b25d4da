import { choice, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { client } from '../clients/client.ts'
import { uploadedDocument } from '../files/uploaded-document.ts'

/** Roles that manage a company's letterhead: its administrators and document approvers. */
export const LETTERHEAD_MANAGER_ROLES = DOCUMENT_APPROVER_ROLES

/**
 * Logo and lines for a client's documents, printed in addition to its name and address. A client has at most one
 * letterhead.
 */
export const letterhead = resource({
  type: 'Letterhead',
  service: 'portal',
  path: 'letterheads',
  table: 'letterhead',
  tenant: 'own',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    /** The logo, which must be one of the client's uploaded pictures. */
    logo: link(() => uploadedDocument),
    logoText: text({
      default: '',
      max: 120,
      label: 'Alternative text',
      help: 'This text is read aloud to people who can’t see the logo. If it is empty, the company’s name is used.',
    }),
    /** Background of the logo. A logo with white letters needs a dark background. */
    logoGround: choice(
      [
        { value: 'white', label: 'White' },
        { value: 'dark', label: 'Dark' },
      ],
      { default: 'white', label: 'Logo background' },
    ),
    header: text({
      max: 110,
      label: 'Header line',
      help: 'Printed on every page, below the company and the document number.',
    }),
    footer: text({
      max: 110,
      label: 'Footer line',
      help: 'Printed on every page, below the document number and the approval.',
    }),
    lastEditBy: text({ column: 'updated_by', readonly: true, stamp: 'editor', label: 'Changed by' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: LETTERHEAD_MANAGER_ROLES, create: LETTERHEAD_MANAGER_ROLES, update: LETTERHEAD_MANAGER_ROLES },
})
