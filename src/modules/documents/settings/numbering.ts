import { integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { numberText } from '#kernel/sequence.ts'
import { APPROVERS, KEEPERS } from '../rights.ts'
import { settingFields } from './review-period.ts'

/** Valid prefixes: up to 8 letters, digits and hyphens, without a hyphen at either end. */
export const PREFIX = /^(?=.{1,8}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/

/** Number format of a type for new documents. */
export const numbering = resource({
  type: 'Numbering',
  service: 'safety',
  path: 'numberings',
  table: 'numbering',
  tenant: 'own or template',
  title: 'kind',
  order: ['kind'],
  fields: {
    ...settingFields,
    prefix: text({
      max: 8,
      label: 'Prefix',
      help: 'Placed before the hyphen and the number. Leave empty to use the provider’s.',
      pattern: {
        regex: PREFIX,
        message:
          'A prefix has up to 8 letters, digits and hyphens, and starts and ends with a letter or digit: RA, or SITE-2',
      },
    }),
    digits: integer({
      min: 1,
      max: 8,
      label: 'Digits',
      help: 'Shorter numbers are padded with zeros. Longer ones are not shortened.',
    }),
  },
  allow: { read: 'member', create: APPROVERS, update: APPROVERS, allTenants: KEEPERS },
  pack: 'safety',
})

/** Prefixes reserved for other numbers, with what they are used for. */
export const TAKEN: Readonly<Record<string, string>> = { FA: 'answers to custom forms', Q: 'quotes' }

/** Formats a document number: `RA-0042`. */
export const writtenNumber = (prefix: string, digits: number, number: number): string =>
  numberText({ name: '', prefix: `${prefix}-`, per: 'client', gapless: true, digits }, number, 0)
