import { choice, email, flag, instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** An e-mail address to which no e-mails may be sent. Lifting the suppression requires a reason. */
export const emailSuppression = resource({
  type: 'EmailSuppression',
  service: 'email',
  path: 'suppressions',
  table: 'email_suppression',
  tenant: 'own',
  title: 'address',
  order: ['-id'],
  fields: {
    address: email({ required: true, filter: 'partial', order: true }),
    reason: choice(
      [
        { value: 'asked', label: 'Opted out' },
        { value: 'bounced', label: 'E-mails returned' },
      ],
      { default: 'asked', filter: true },
    ),
    detail: text({ default: '', max: 300 }),
    message: integer({ readonly: true, column: 'message_id', label: 'E-mail' }),
    createdAt: instant({ readonly: true, order: true, label: 'Since' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Recorded by' }),
    retired: flag({ filter: true, label: 'Lifted', editable: 'ROLE_MAIL_ADMIN' }),
    liftedReason: text({
      default: '',
      max: 300,
      label: 'Why e-mails may be sent again',
      editable: 'ROLE_MAIL_ADMIN',
    }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_MAIL_ADMIN' },
})
