import type { ColourMeaning } from '#web/theme/meaning.ts'

export const MAIL_STATE_COLOURS: Readonly<Record<string, ColourMeaning>> = {
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
