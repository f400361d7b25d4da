import { choice, date, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { STAFF_ROLE } from '../rights.ts'

/**
 * Choice of when a card is saved for later payments: always; only if the payer requested it and the payment for which
 * the card was entered succeeds; or never.
 */
export const CARD_SAVING_CHOICES = ['yes', 'ifPaid', 'no'] as const
export type CardSavingChoice = (typeof CARD_SAVING_CHOICES)[number]

/**
 * A card stored by the payment gateway. The record contains only what may be shown. Cards are created and detached
 * through the gateway.
 */
export const card = resource({
  type: 'Card',
  service: 'financial',
  path: 'cards',
  table: 'card',
  tenant: 'own',
  title: 'last4',
  order: ['-default', '-id'],
  fields: {
    customer: link(() => customer, { readonly: true, notNull: true, filter: true }),
    brand: text({ readonly: true, notNull: true }),
    last4: text({ readonly: true, notNull: true }),
    expMonth: integer({ readonly: true, notNull: true }),
    expYear: integer({ readonly: true, notNull: true }),
    /** Last day on which the card can be charged. */
    expiresOn: date({ readonly: true, filter: true, order: true, label: 'Expires' }),
    gateway: text({ readonly: true, notNull: true }),
    gatewayId: text({ readonly: true, notNull: true, visible: 'nobody' }),
    kept: choice(CARD_SAVING_CHOICES, { readonly: true, notNull: true, visible: 'nobody', default: 'yes' }),
    default: flag({ column: 'is_default', readonly: true, order: true }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: { read: STAFF_ROLE },
  actions: {
    makeDefault: { path: 'make-default', title: 'Make this the default card', allow: STAFF_ROLE, input: {} },
  },
})

/**
 * Returns the card from a message sent by the payment page's own frame, or undefined for a message from any other
 * window.
 */
export function parseCardMessage(
  { source, data }: { readonly source: unknown; readonly data: unknown },
  frame: unknown,
): string | undefined {
  if (!frame || source !== frame) return undefined
  const said = data as { type?: unknown; card?: unknown } | null
  return said?.type === 'card' && typeof said.card === 'string' ? said.card : undefined
}
