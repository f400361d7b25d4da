import { instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { AUTHORS } from '../rights.ts'

/**
 * Where a client's chain stood at a time, signed: whoever keeps a copy of one can tell later that the chain up to there is still
 * the same. `signature` is Ed25519 over the JSON text `["stanchion head",1,CLIENT,ENTRIES,"HASH","SIGNED AT","KEY"]`, in base64url.
 */
export const sealHead = resource({
  type: 'SealHead',
  service: 'safety',
  path: 'seal_heads',
  table: 'seal_head',
  appendOnly: true,
  tenant: 'own',
  order: ['-id'],
  fields: {
    entries: integer({ readonly: true, notNull: true, order: true }),
    /** SHA-256 of the last of these entries, hexadecimal. */
    hash: text({ readonly: true, notNull: true }),
    signedAt: instant({ column: 'at', readonly: true, notNull: true }),
    /** The public key, in base64url. */
    key: text({ readonly: true, notNull: true }),
    signature: text({ readonly: true, notNull: true }),
  },
  allow: { read: AUTHORS },
  pack: 'safety',
})
