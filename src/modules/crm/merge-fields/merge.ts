import { mergeTextError as mergeErrorOf } from '#kernel/text/merge-fields.ts'

const OF_ALL = {
  'first name': 'First name',
  'contact name': 'Contact name',
  company: 'Company',
  'company number': 'Company number',
  phone: 'Telephone',
  email: 'E-mail',
  address: 'Address',
  city: 'City',
  postcode: 'Postcode',
  today: 'Today’s date',
  sender: 'Your name',
  'sender phone': 'Your telephone number',
  portal: 'The portal’s name',
} as const

/** Merge fields with labels, by type of recipient. */
export const MAIL_MERGE_FIELDS = {
  lead: { ...OF_ALL, mobile: 'Mobile', 'business type': 'Business type', owner: 'Lead owner' },
  client: { ...OF_ALL, 'client number': 'Client number' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

export type MailMergeKind = keyof typeof MAIL_MERGE_FIELDS

/** Returns an error message if the text can't be merged; otherwise `undefined`. */
export const mergeTextError = (kind: MailMergeKind, words: string): string | undefined =>
  mergeErrorOf(MAIL_MERGE_FIELDS[kind], words, kind === 'lead' ? 'leads' : 'clients')

const TITLE =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|sir|dame|lady|lord|rev|revd|reverend|fr|cllr|capt|captain|major|col)\.?$/i
/** Titles followed by the first name: "Sir John". */
const FIRST_NAME_TITLE = /^(?:sir|dame)$/i
const AFTER_NAME = /^(?:jr|snr|esq|obe|mbe|cbe|kbe|dbe|qc|kc|jp|bsc|msc|ba|ma|mba|phd|frics|mrics|cmiosh)\.?$/i
const PARTICLE = /^(?:van|von|de|der|den|del|di|da|la|le|bin|al|ap|st|st\.)$/i
const INITIALS = /^(?:\p{L}\.?){1,3}$/u

/**
 * Returns how a letter addresses a person: the first name; after a title, the title and the surname; two people
 * together; or the whole name if the first name is an initial. Returns an empty string for a title alone, so that the
 * placeholder's default is used.
 */
export function getSalutationName(name: string): string {
  const [before = '', after] = name.split(',', 2).map((part) => part.trim())
  const turned = after && !AFTER_NAME.test(after) && !TITLE.test(before) ? `${after} ${before}` : before
  const words = turned.split(/\s+/).filter(Boolean)
  while (words.length > 1 && AFTER_NAME.test(words.at(-1) ?? '')) words.pop()
  const [first = '', second] = words
  const pair = words.findIndex((word) => /^(?:&|\+|and)$/i.test(word))
  if (TITLE.test(first)) {
    if (!second) return ''
    if (pair > 0) return words.join(' ')
    if (FIRST_NAME_TITLE.test(first)) return `${first} ${second}`
    let surname = words.length - 1
    while (surname > 2 && PARTICLE.test(words[surname - 1] ?? '')) surname--
    return [first, ...words.slice(surname)].join(' ')
  }
  if (pair === 1) return words.slice(0, 3).join(' ')
  return second && INITIALS.test(first) && (first.includes('.') || first.length === 1) ? words.join(' ') : first
}
