import { isoUtcSql } from '#server/db/iso.ts'
import type { Engine } from '#server/engine/types.ts'
import { messageIri } from './letter.ts'

/**
 * Delivery status of an e-mail: queued, sent, stored because no mail server is set up, or refused with the reason in
 * `error`.
 */
export interface EmailStatus {
  readonly '@id': string
  readonly recipient: string
  readonly template: string
  readonly state: 'waiting' | 'sending' | 'sent' | 'perhaps sent' | 'bounced' | 'stopped' | 'kept' | 'failed'
  readonly error: string | null
  /** ISO 8601 instant. */
  readonly createdAt: string
}

/** Finds e-mails about a record, latest first, at most a hundred. The caller checks access to the record. */
export async function findEmailsAbout(engine: Engine, clientId: number, about: string): Promise<EmailStatus[]> {
  const rows = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<Omit<EmailStatus, '@id'> & { id: number }>(
      `SELECT id, recipient, template, state, error,
         ${isoUtcSql('created_at')} AS "createdAt"
       FROM message WHERE client_id = $1 AND about = $2 ORDER BY id DESC LIMIT 100`,
      [clientId, about],
    ),
  )
  return rows.map(({ id, ...row }) => ({ '@id': messageIri(id), '@type': 'Message', ...row }))
}
