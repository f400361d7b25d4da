import { defineEmail, emailGreeting, PORTAL_NAME_PLACEHOLDER, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { formatUkDate, type Instant } from '#kernel/time.ts'
import { formatSupplierLines, SAMPLE_SUPPLIER, type Supplier } from '../print/quote-document.ts'

/** Data used in e-mails about a quote. */
export interface QuoteMailFacts {
  readonly reference: string
  readonly company: string
  readonly contactName: string
  /** Payments in words, such as `£718.80 first, then £82.80 every month, including VAT`. */
  readonly payments: string
  readonly message: string
  readonly expiresAt: Instant | undefined
  readonly provider: string
  /** Seller as stated on the quote. */
  readonly supplier: Supplier | null
  readonly owner: { readonly name: string; readonly telephone: string; readonly email: string }
  /** URL at which the customer reads the quote and accepts or declines it. */
  readonly link: string
}

const closing = ({ owner, provider, supplier }: QuoteMailFacts) => {
  const seller = supplier?.name || provider
  const person = ['Kind regards', '', owner.name || seller, owner.telephone, owner.email]
  const firm = [...(owner.name ? [seller] : []), ...(supplier ? formatSupplierLines(supplier) : [])]
  return [person.filter((line, i) => i < 2 || line).join('\n'), firm.join('\n')].filter(Boolean).join('\n\n')
}
const until = (f: QuoteMailFacts) => (f.expiresAt ? ` The quote is valid until ${formatUkDate(f.expiresAt)}.` : '')
const letter = (f: QuoteMailFacts, ...parts: readonly string[]) => [emailGreeting(f.contactName), ...parts, closing(f)]

const sample: QuoteMailFacts = {
  reference: 'Q-00007',
  company: 'Acme Ltd',
  contactName: 'Ann Carter',
  payments: '£718.80 first, then £82.80 every month, including VAT',
  message: 'Thank you for your call this morning.',
  expiresAt: Temporal.Instant.from('2026-04-15T22:59:00Z'),
  provider: PORTAL_NAME_PLACEHOLDER,
  supplier: SAMPLE_SUPPLIER,
  owner: { name: 'Sam Taylor', telephone: '01632 960111', email: 'sam@seller.example' },
  link: SECRET_LINK_PLACEHOLDER,
}

/** E-mail with which a quote is sent. The send dialog shows a preview of this e-mail. */
export const quoteEmail = defineEmail<QuoteMailFacts>({
  name: 'quote',
  title: 'Quote sent to a customer',
  confidential: true,
  subject: (f) => `Your quote ${f.reference} from ${f.supplier?.name || f.provider}`,
  paragraphs: (f) =>
    letter(
      f,
      f.message.trim(),
      `Here is our quote ${f.reference}${f.company ? ` for ${f.company}` : ''}: ${f.payments}.${until(f)}`,
      `Read the quote here, then accept and sign it or decline it. You don’t need a password:\n\n${f.link}`,
      'Please don’t share this link: anybody who has it can accept the quote for you.',
    ),
  sample,
})

export const quoteReminderEmail = defineEmail<QuoteMailFacts>({
  name: 'quote-reminder',
  title: 'Reminder before a quote expires',
  confidential: true,
  subject: (f) => `Your quote ${f.reference}${f.expiresAt ? ` is valid until ${formatUkDate(f.expiresAt)}` : ''}`,
  paragraphs: (f) =>
    letter(
      f,
      `We are still waiting for your answer to our quote ${f.reference} (${f.payments}).${until(f)}`,
      `Accept and sign the quote, or decline it, here:\n\n${f.link}`,
      'If you have a question, just reply to this e-mail or call us.',
    ),
  sample,
})

export const quoteAcceptedEmail = defineEmail<
  QuoteMailFacts & { readonly signedBy: string; readonly signedAt: Instant }
>({
  name: 'quote-accepted',
  title: 'Thanks to a customer who accepted a quote',
  confidential: true,
  subject: (f) => `Thank you for accepting quote ${f.reference}`,
  paragraphs: (f) =>
    letter(
      f,
      `Thank you. ${f.signedBy} accepted and signed quote ${f.reference} on ${formatUkDate(f.signedAt)}: ${f.payments}.`,
      `The signed quote is attached. You can also read it here:\n\n${f.link}`,
      'We will be in touch about what happens next.',
    ),
  sample: { ...sample, signedBy: 'Ann Carter', signedAt: Temporal.Instant.from('2026-03-20T11:00:00Z') },
})

interface QuoteDecision extends Pick<QuoteMailFacts, 'reference' | 'company' | 'payments'> {
  readonly decision: 'accepted' | 'declined'
  /** Name of the person or company that decided. */
  readonly by: string
  /** Reason for declining; may be empty. */
  readonly reason: string
}

const decisionOf = ({ by, decision, reference }: QuoteDecision) => `${by} has ${decision} ${reference}`

/** Short e-mail to the quote's owner. The owner signs in to see the details. */
export const quoteDecidedEmail = defineEmail<QuoteDecision>({
  name: 'quote-word',
  title: 'Notice to a quote’s owner that it was accepted or declined',
  subject: decisionOf,
  paragraphs: (f) => [`${decisionOf(f)}: ${f.payments}.`, f.reason && `Reason: ${f.reason}`, `Customer: ${f.company}`],
  sample: {
    reference: 'Q-00007',
    company: 'Acme Ltd',
    payments: sample.payments,
    decision: 'declined',
    by: 'Acme Ltd',
    reason: 'We have chosen another supplier.',
  },
})
