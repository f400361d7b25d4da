import { email, flag, instant, link, longText, phone, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact, DO_NOT_CALL_REASON, VISIBLE_LEAD_ROW_RULES } from '../contacts/contact.ts'

/** Neutral wording, because somebody else may have replaced the person by the time the message is shown. */
const PERSON = 'the person'

/** Setting for telephone fields. If the lead is marked as do not call, nobody at its company can be called. */
const BARRED = { by: 'contact.doNotCall', why: DO_NOT_CALL_REASON } as const

/** Returns a display name for a person: their name or else the first available telephone number or e-mail address. */
export const formatPersonName = ({ name, telephone, mobile, email }: PersonContactDetails): string =>
  name || telephone || mobile || email || 'Unnamed person'

type PersonContactDetails = Partial<Record<'name' | 'telephone' | 'mobile' | 'email', string | null>>

/**
 * A person at a lead's company other than the contact person. The contact person is stored in the lead itself. Choosing
 * another contact person swaps the two.
 */
export const contactPerson = resource({
  type: 'ContactPerson',
  service: 'crm',
  path: 'people',
  table: 'contact_person',
  tenant: 'own',
  title: 'name',
  order: ['retired', 'left', 'id'],
  bulk: ['retire'],
  fields: {
    contact: link(() => contact, { required: true, filter: true, embed: ['name', 'companyName', 'doNotCall'] }),
    name: text({ search: true, filter: 'partial', order: true, max: 200, partOf: PERSON }),
    jobTitle: text({ search: true, filter: 'partial', order: true, max: 200, partOf: PERSON }),
    telephone: phone({ search: true, filter: true, partOf: PERSON, disabledBy: BARRED }),
    mobile: phone({ search: true, filter: true, partOf: PERSON, disabledBy: BARRED }),
    email: email({ search: true, filter: true, label: 'E-mail', partOf: PERSON }),
    notes: longText({ max: 2000, label: 'Note about this person', partOf: PERSON }),
    left: flag({ column: 'has_left', filter: true, order: true, label: 'Has left the company', partOf: PERSON }),
    author: text({ readonly: true, stamp: 'author', label: 'Added by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Added' }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
    retired: flag({ filter: true, order: true, partOf: PERSON }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_STAFF', rows: VISIBLE_LEAD_ROW_RULES },
  actions: {
    askFor: {
      path: 'ask-for',
      title: 'Make this person the contact person, in place of the current one',
      allow: 'ROLE_STAFF',
      input: {
        who: text({
          required: true,
          label: 'The current contact person as shown: the name or, if there is none, the telephone number',
        }),
      },
    },
  },
})
