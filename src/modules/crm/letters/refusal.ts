import { flag, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact, VISIBLE_LEAD_ROW_RULES } from '../contacts/contact.ts'

/** A lead's opt-out from letters by post. Lifting an opt-out requires a reason. */
export const letterOptOut = resource({
  type: 'LetterRefusal',
  service: 'crm',
  path: 'letter_refusals',
  table: 'letter_refusal',
  tenant: 'own',
  order: ['-id'],
  fields: {
    contact: link(() => contact, {
      required: 'Please choose the lead that has opted out',
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Lead',
    }),
    detail: text({ default: '', max: 300, label: 'How the lead opted out' }),
    createdAt: instant({ readonly: true, order: true, label: 'Since' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Recorded by' }),
    retired: flag({ filter: true, label: 'Lifted', editable: 'ROLE_MAIL_ADMIN' }),
    liftedReason: text({
      default: '',
      max: 300,
      label: 'Why letters may be sent again',
      editable: 'ROLE_MAIL_ADMIN',
    }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_MAIL_ADMIN', rows: VISIBLE_LEAD_ROW_RULES },
})
