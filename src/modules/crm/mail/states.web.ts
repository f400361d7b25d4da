import type { Meaning } from '#web/theme/meaning.ts'

/** Colour of each e-mail status. */
export const LETTER_LOOKS: Readonly<Record<string, Meaning>> = {
  waiting: 'info',
  sending: 'info',
  sent: 'safe',
  received: 'safe',
  kept: 'attention',
  'perhaps sent': 'attention',
  stopped: 'attention',
  bounced: 'stop',
  failed: 'stop',
}
