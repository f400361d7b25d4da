import { preventAutolinking } from './text/break-links.ts'

export const SECRET_LINK_PLACEHOLDER = '{{secret link}}'

/**
 * Placeholder for the portal's name in the subject and text of an e-mail; replaced by the brand name that the recipient
 * knows.
 */
export const PORTAL_NAME_PLACEHOLDER = '{{portal name}}'

/** An e-mail that the portal writes itself. Its text is composed from the data given for each e-mail (`Facts`). */
export interface SystemEmail<Facts = unknown> {
  /** Unique among all modules; stored as `template` with each e-mail sent. */
  readonly name: string
  /** Name for administrators, such as "Quote sent to a customer". */
  readonly title: string
  /** True if the e-mail contains a secret link. The e-mail is then stored without its body. */
  readonly confidential?: boolean
  subject(facts: Facts): string
  /** Paragraphs in order. Empty ones are omitted. */
  paragraphs(facts: Facts): readonly (string | false | null | undefined)[]
  /** Sample data for previews by administrators and for tests. */
  readonly sample: Facts
}

export const defineEmail = <Facts>(email: SystemEmail<Facts>): SystemEmail<Facts> => email

/** Text of an e-mail, in the form that an e-mail request accepts. Only `composeEmail` creates it. */
export interface ComposedEmail {
  readonly subject: string
  readonly body: string
  readonly template: string
  readonly confidential: boolean
}

export const composeEmail = <Facts>(email: SystemEmail<Facts>, facts: NoInfer<Facts>): ComposedEmail => ({
  subject: email.subject(facts),
  body: email.paragraphs(facts).filter(Boolean).join('\n\n'),
  template: email.name,
  confidential: email.confidential ?? false,
})

/** Removes characters that would make a mail client turn a name into a link. */
export const sanitiseNameForEmail = (name: string): string => name.replace(/[:/\\@]+|\.(?=\S)/g, ' ')

/** Returns the first line of an e-mail to a user or customer. */
export const emailGreeting = (name: string): string => `Hello${name ? ` ${sanitiseNameForEmail(name)}` : ''},`

/** Returns the first line of an e-mail to a person outside the sender's company. */
export const formalEmailGreeting = (name: string): string => `Dear ${preventAutolinking(name)},`

/** Returns the last line of an e-mail in which a member of the provider's staff replies. */
export const emailSignature = (name: string): string => `${sanitiseNameForEmail(name)}, ${PORTAL_NAME_PLACEHOLDER}`
