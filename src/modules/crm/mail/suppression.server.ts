import { problem, violation } from '#kernel/errors.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { type MergeKind, mergeRefusal } from '../merge-fields/merge.ts'
import { emailSuppression } from './suppression.ts'
import { emailTemplate } from './template.ts'

/** Whether an address is suppressed, regardless of case. */
export async function isSuppressedAddress(c: Pick<Context, 'work' | 'clientId'>, address: string): Promise<boolean> {
  const found = await c.work.tx.rows(
    'SELECT 1 FROM email_suppression WHERE client_id = $1 AND lower(address) = lower($2) AND NOT retired',
    [c.clientId, address],
  )
  return found.length > 0
}

/** Suppresses an address, if it isn't already. */
export async function suppressAddress(
  c: Context,
  {
    address,
    reason,
    detail,
    message,
  }: { address: string; reason: 'asked' | 'bounced'; detail: string; message: number },
): Promise<boolean> {
  if (await isSuppressedAddress(c, address)) return false
  await c
    .withoutPermissionCheck('recipients may opt out')
    .create(emailSuppression, { address, reason, detail, message })
  return true
}

export const mailBehaviours = [
  behaviour(emailSuppression, {
    beforeSave: async (c) => {
      if (!c.before && (await isSuppressedAddress(c, c.values.address ?? '')))
        throw problem.invalid([violation('address', 'This address has already opted out')])
      if (c.before && c.changes.address !== undefined && c.changes.address !== c.before.address)
        throw problem.conflict('An address can’t be changed. Please lift this opt-out and add another.')
      if (c.changes.retired && !c.values.liftedReason?.trim())
        throw problem.invalid([violation('liftedReason', 'Please enter why they may be written to again')])
      return undefined
    },
  }),
  behaviour(emailTemplate, {
    beforeSave: ({ values }) => {
      const kind: MergeKind = values.kind ?? 'lead'
      const wrong = (['subject', 'body'] as const).flatMap((name) => {
        const refusal = mergeRefusal(kind, values[name] ?? '')
        return refusal ? [violation(name, refusal)] : []
      })
      if (wrong.length) throw problem.invalid(wrong)
      return undefined
    },
  }),
]
