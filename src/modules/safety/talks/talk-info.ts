import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'

export const toolboxTalkInfo = defineDocumentTypeInfo({
  kind: 'toolbox_talk',
  name: 'Toolbox talk',
  noun: 'toolbox talk',
  screens: { list: '/safety/toolbox-talks', update: '/safety/toolbox-talks/update' },
  nav: { title: 'Toolbox talks', icon: 'users', order: 6 },
})

export const PRESENTED_TALKS_PATH = '/safety/toolbox-talks/presented'

/** Address of the data that a presenter's device needs for signing PINs. */
export const SIGNING_PINS_PATH = '/api/safety/toolbox_talks_presented/signing_pins'

/** Data that a presenter's device needs for signing PINs, even without a connection. */
export interface SigningPins {
  /** True if the company requires a PIN. */
  readonly required: boolean
  /** Key for which PINs are sealed, in hexadecimal. */
  readonly publicKey: string
  /** IDs of the users who have set a PIN; empty if none is required. */
  readonly people: readonly number[]
  /** Time of the response by the server's clock, as an ISO 8601 instant. */
  readonly now: string
}
