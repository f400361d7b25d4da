import type { Meaning } from '#web/theme/meaning.ts'

/** How a letter's state looks. */
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
