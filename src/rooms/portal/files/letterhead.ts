import { instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'
import { uploadedDocument } from './uploaded-document.ts'

/** What a client's papers carry beside its name and address; each client has at most one. */
export const letterhead = resource({
  type: 'Letterhead',
  service: 'portal',
  path: 'letterheads',
  table: 'letterhead',
  tenant: 'own',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    /** A picture among the client's own uploads. */
    logo: link(() => uploadedDocument),
    logoText: text({
      default: '',
      max: 120,
      label: 'What the logo says',
      help: 'For those who can’t see it; the company’s name, unless something else is said.',
    }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'ROLE_CLIENT_ADMIN', create: 'ROLE_CLIENT_ADMIN', update: 'ROLE_CLIENT_ADMIN' },
})
